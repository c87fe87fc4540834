"""What the referee finds: a code that stays, how grave it is, where, and one plain sentence."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from mjconv.ir.errors import Place

#: An error is against the rules; a warning is odd, and may be right.
Severity: TypeAlias = Literal["error", "warning"]
#: How far is looked: the format's own grammar, the order of messages, the rules of play; each with those before.
Level: TypeAlias = Literal["syntax", "order", "rules"]


class Code(NamedTuple):
    """A kind of finding: what it means, in one line, and how grave it is."""

    meaning: str
    severity: Severity = "error"


def level_of(code: str) -> Level:
    """Tell the level that a code belongs to.

    >>> level_of("R012")
    'rules'
    """
    return _LEVELS[code[0]]


_LEVELS: Final[dict[str, Level]] = {"S": "syntax", "O": "order", "R": "rules"}


class Finding(Struct, frozen=True, omit_defaults=True):
    """One thing that is not right.

    `code` is stable (``R012``); its letter tells the level: S syntax, O order, R rules. `match`, `round` and
    `event` count from 0 in the record, `event` a round's events, its deal being 0. `label` is the round's name,
    `turn` the number of the turn of the player it is about: the tiles they discarded before, and one. `file` and
    `place` say where it stands, where a file was looked at. `picture` shows the table at that moment, where it was
    asked for.
    """

    code: str
    severity: Severity
    message: str
    match: int | None = None
    round: int | None = None
    event: int | None = None
    label: str | None = None
    actor: int | None = None
    turn: int | None = None
    place: Place | None = None
    picture: str | None = None
    file: str | None = None
