"""Findings of the referee: a stable code, a severity, a place, and one sentence."""

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from msgspec import Struct

from mjconv.ir.errors import Place, Proposal

#: An error breaks the format or the rules. A warning is unusual, and may be right. A note says how a match was
#: checked.
Severity: TypeAlias = Literal["error", "warning", "note"]
#: The checks to run: the grammar of the format, the order of messages, the rules of play. Each includes those
#: before.
Level: TypeAlias = Literal["syntax", "order", "rules"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)


class FindingKind(NamedTuple):
    """A kind of finding: its name in one word, its meaning in one line, and its severity.

    `keys` are the keys of an event that it is about: the place is that of the first that the format spells.
    """

    name: str
    meaning: str
    severity: Severity = "error"
    keys: tuple[str, ...] = ()


def level_of(code: str) -> Level:
    """Return the level that a code belongs to.

    >>> level_of("R012")
    'rules'
    """
    return _LEVELS[code[0]]


_LEVELS: Final[dict[str, Level]] = {"S": "syntax", "O": "order", "R": "rules"}


class Finding(Struct, frozen=True, omit_defaults=True):
    """One error or warning about a record.

    `code` is stable (``R012``). Its letter is the level: S syntax, O order, R rules. `match`, `round` and
    `event` are indices from 0 in the record; event 0 of a round is its deal. `label` is the name of the round.
    `actor` is the seat that the finding is about, and `turn` the number of that seat's turn, from 1. If it is
    about an answer, `answer` is its index in `Round.answers`, and `event` is the event before it. `key` is the key
    of the event that is wrong, where it is one tile of a deal: ``tehais.1.12`` is the last tile of seat 1. `file`
    and `place` are known when a file was checked. `picture` shows the table at that moment, if pictures were
    requested. `proposal` is the value that the record likely means, where exactly one value fits.
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
    proposal: Proposal | None = None
    answer: int | None = None
    key: str | None = None
