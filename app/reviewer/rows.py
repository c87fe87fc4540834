"""The rows of a review: one for each decision of a player, in memory and in files."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from mjconv.ir import events as ev

Kind: TypeAlias = Literal["discard", "riichi", "call", "kan", "win", "pass"]
Fault: TypeAlias = Literal["illegal", "late", "broken"]

_KINDS: Final[dict[type, Kind]] = {
    ev.Discard: "discard",
    ev.Riichi: "riichi",
    ev.Chi: "call",
    ev.Pon: "call",
    ev.Daiminkan: "kan",
    ev.Kakan: "kan",
    ev.Ankan: "kan",
    ev.Nukidora: "kan",
    ev.Win: "win",
    ev.Ryukyoku: "win",
    ev.Pass: "pass",
}


class Row(Struct, frozen=True, omit_defaults=True):
    """A decision of a player, and the answer of the bot in the player's place.

    `source` is the file or archive member, `match` the number of the match in it, and `round` the number of the
    round in the match, both from 0. `event` is the number of events of the round before the decision. `taken` is
    the action that the record shows, and `answered` that of the bot, as mjai messages in JSON. `kind` is the kind
    of `taken`. `same` is whether both are the same, `legal` whether the rules allow the answer; None without one
    of them. `choices` is the number of actions that the rules allow, and `seconds` the time of the answer.
    `values` are the other keys of the answer, such as ``meta``, as JSON. `fault` is ``illegal``, ``late`` (no
    answer in time) or ``broken`` (no message, or the bot ended), and `problem` says more about it.
    """

    round: int
    event: int
    seat: int
    choices: int
    seconds: float
    taken: str | None = None
    kind: Kind | None = None
    answered: str | None = None
    same: bool | None = None
    legal: bool | None = None
    values: str | None = None
    fault: Fault | None = None
    problem: str | None = None
    source: str | None = None
    match: int = 0


def kind_of(taken: ev.Event) -> Kind:
    """Return the kind of a decision in which this action was taken.

    >>> kind_of(ev.Pon(1, 0, "E", ("E", "E")))
    'call'
    """
    return _KINDS[type(taken)]
