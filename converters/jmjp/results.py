"""How a frame ends: its result and what everybody gains, told by its last acts and its points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, UnsetType

from mjconv.ir import events as ev
from mjconv.ir.derive import RIICHI_STICK
from mjconv.ir.table import Table
from mjconv.ir.tiles import Tile

SEATS: Final = 4
#: So many rons on one tile break the round off.
TRIPLE: Final = 3


def gains(before: Sequence[int], after: Sequence[int], paid: Sequence[int]) -> list[int]:
    """Give what each player gains by the result, the riichi sticks won included.

    `paid` counts the sticks each paid in the round, which are no part of its result.

    >>> gains((25000,) * 4, (24000, 27000, 24000, 25000), (1, 0, 0, 0))
    [0, 2000, -1000, 0]
    """
    return [
        end - begin + RIICHI_STICK * paid[player]
        for player, (begin, end) in enumerate(zip(before, after, strict=True))
    ]


def result(
    table: Table,
    start: ev.StartRound,
    tsumo: int | None,
    rons: Sequence[int],
    gained: Sequence[int] | None,
    paid: Sequence[int],
    ura: tuple[Tile, ...],
) -> tuple[list[ev.Event], tuple[int, ...]]:
    """Give the events of the result, and the seats whose ron was declared and not paid.

    `gained` is None where the points are not said. A ron that gains nothing beside one that does is no win, nor
    are three of which none does; where no other explains it, it stays a win, with points that are wrong. Each
    winner of several gains what its seat gained, and the discarder pays it less the sticks, which go to the first.
    """
    winners = [tsumo] if tsumo is not None else list(rons)
    blocked: tuple[int, ...] = ()
    if gained is not None and tsumo is None:
        paying = [player for player in rons if gained[player] > 0]
        if paying or len(rons) == TRIPLE:
            winners = paying
            blocked = tuple(player for player in rons if gained[player] <= 0)
    if not winners:
        return [ev.Ryukyoku(deltas=UNSET if gained is None else tuple(gained))], blocked
    target = tsumo if tsumo is not None else table.last_actor
    events: list[ev.Event] = []
    for place, player in enumerate(winners):
        deltas: tuple[int, ...] | UnsetType = UNSET
        if gained is not None and len(winners) == 1:
            deltas = tuple(gained)
        elif gained is not None:
            sticks = 0 if place else RIICHI_STICK * (int(start.kyotaku or 0) + sum(paid))
            moved = {player: gained[player], target: sticks - gained[player]}
            deltas = tuple([moved.get(seat, 0) for seat in range(SEATS)])
        markers = (ura or UNSET) if table.riichi[player] else ()
        events.append(ev.Win(player, target, deltas=deltas, ura_markers=markers))
    return events, blocked
