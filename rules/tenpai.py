"""Who is in tenpai at a draw: as the record states it, as the points were paid, or by the hands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, TypeAlias

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.match import Meld
from mjconv.ir.tiles import Tile
from mjconv.rules.hands import countable, waits
from mjconv.rules.payments import tenpai_deltas

#: Whether each seat is in tenpai; None where this is not known.
Tenpai: TypeAlias = tuple[bool | None, ...]

#: The least points that a nagashi mangan of the dealer moves. Each loser pays the same, as at a draw with tenpai.
_NAGASHI: Final = 8000


def stated_tenpai(draw: ev.Ryukyoku, seats: int) -> Tenpai:
    """Return who is in tenpai, as a draw states it or as its points were paid.

    >>> stated_tenpai(ev.Ryukyoku(deltas=(1000, -3000, 1000, 1000)), 4)
    (True, False, True, True)
    >>> stated_tenpai(ev.Ryukyoku(deltas=(12000, -4000, -4000, -4000)), 4)
    (None, None, None, None)
    """
    if draw.tenpais is not UNSET:
        return (*draw.tenpais[:seats], *[None] * (seats - len(draw.tenpais)))
    deltas = draw.deltas or ()
    winners = {seat for seat, delta in enumerate(deltas) if delta > 0}
    total = sum(deltas[seat] for seat in winners)
    if len(deltas) == seats and 0 < total < _NAGASHI and deltas == tenpai_deltas(winners, seats, total):
        return tuple([seat in winners for seat in range(seats)])
    return (None,) * seats


def tenpai_of(draw: ev.Ryukyoku, hands: Sequence[Collection[Tile]], melds: Sequence[Sequence[Meld]]) -> Tenpai:
    """Return who is in tenpai at a draw that is not abortive. `hands` and `melds` are those at the end, by seat.

    If the draw does not show it, the hands do, unless some of their tiles are hidden or no riichi tiles.

    >>> tenpai_of(ev.Ryukyoku(), [["5s"], ["5s", "7s"], ["?"]], [[], [], []])
    (False, False, None)
    """
    known = zip(stated_tenpai(draw, len(hands)), hands, melds, strict=True)
    return tuple([_waits(hand, own) if stated is None else stated for stated, hand, own in known])


def _waits(hand: Collection[Tile], melds: Sequence[Meld]) -> bool | None:
    return bool(waits(list(hand), melds)) if countable(hand, melds) else None
