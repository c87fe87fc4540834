"""Results from points: who won, who was blocked, and the gain of every player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, UnsetType

from mjconv.ir import events as ev
from mjconv.ir.table import Table
from mjconv.ir.tiles import Tile
from mjconv.rules.scores import RIICHI_STICK

#: This many rons on one tile end the round without a win.
TRIPLE: Final = 3


def gains(before: Sequence[int], after: Sequence[int], paid: Sequence[int]) -> list[int]:
    """Return the points that each player gains by the result of a round, riichi sticks won included.

    `before` and `after` are the scores of the round. `paid` is the number of sticks that each player paid in it:
    these are no part of the result.

    >>> gains((25000,) * 4, (24000, 27000, 24000, 25000), (1, 0, 0, 0))
    [0, 2000, -1000, 0]
    """
    return [
        end - begin + RIICHI_STICK * paid[player]
        for player, (begin, end) in enumerate(zip(before, after, strict=True))
    ]


def split_gains(
    wins: Sequence[tuple[int, int | UnsetType, int | UnsetType]], gained: Sequence[int], sticks: int
) -> list[tuple[int, ...]]:
    """Return the points that each of several wins on one tile moves, from the sum that each player gains.

    Each win is its winner, the discarder, and the liable player, if there is one. The discarder pays each winner;
    a liable player pays the part of the sum that is theirs. `sticks` are the points of the riichi sticks: the
    first winner takes them. The last win also moves the points that no payment explains: all stated points count.

    >>> split_gains([(1, 0, UNSET), (2, 0, UNSET)], (-5000, 4900, 1100, 0), 1000)
    [(-3900, 4900, 0, 0), (-1100, 0, 1100, 0)]
    >>> split_gains([(1, 0, UNSET), (2, 0, UNSET)], (-4000, 4900, 1100, 7), 1000)
    [(-3900, 4900, 0, 0), (-100, 0, 1100, 7)]
    """
    if len(wins) < 2:
        return [tuple(gained)] * len(wins)
    found: list[tuple[int, ...]] = []
    rest = list(gained)
    for order, (winner, target, liable) in enumerate(wins):
        pay = gained[winner] - (0 if order else sticks)
        moved = {winner: gained[winner]}
        if liable is not UNSET and liable not in (winner, target) and gained[liable] < 0:
            moved[liable] = gained[liable]
            pay += gained[liable]
        if target is not UNSET:
            moved[target] = moved.get(target, 0) - pay
        found.append(tuple([moved.get(seat, 0) for seat in range(len(gained))]))
        rest = [points - moved.get(seat, 0) for seat, points in enumerate(rest)]
    found[-1] = tuple([points + more for points, more in zip(found[-1], rest, strict=True)])
    return found


def result(
    table: Table,
    start: ev.StartRound,
    tsumo: int | None,
    rons: Sequence[int],
    gained: Sequence[int] | None,
    paid: Sequence[int],
    ura: tuple[Tile, ...],
) -> tuple[list[ev.Event], tuple[int, ...]]:
    """Return the events of a result, and the seats whose ron was declared and not paid.

    `table` is the table before the result, `tsumo` the winner by self-draw, `rons` the players who declared a ron.
    `gained` is the gain of each player, or None if the points are unknown. `ura` are the ura indicators: only
    winners in riichi have them.

    A ron without a gain beside a ron with one is blocked. So are three rons without a gain: they end the round.
    Any other ron without a gain is a win. If several win, each gains the points of its seat, and the discarder
    pays them. The sticks on the table are part of the first winner's gain only.
    """
    winners = [tsumo] if tsumo is not None else list(rons)
    blocked: tuple[int, ...] = ()
    if gained is not None and tsumo is None:
        paying = [player for player in rons if gained[player] > 0]
        if paying or len(rons) == TRIPLE:
            winners = paying
            blocked = tuple(sorted(player for player in rons if gained[player] <= 0))
    if not winners:
        reason = "sanchaho" if len(blocked) == TRIPLE else UNSET
        return [ev.Ryukyoku(reason, deltas=UNSET if gained is None else tuple(gained))], blocked
    target = tsumo if tsumo is not None else table.last_actor
    events: list[ev.Event] = []
    sticks = RIICHI_STICK * (int(start.kyotaku or 0) + sum(paid))
    deltas: Sequence[tuple[int, ...] | UnsetType] = [UNSET] * len(winners)
    if gained is not None:
        deltas = split_gains([(player, target, UNSET) for player in winners], gained, sticks)
    for player, moved in zip(winners, deltas, strict=True):
        markers = (ura or UNSET) if table.riichi[player] else ()
        events.append(ev.Win(player, target, deltas=moved, ura_markers=markers))
    return events, blocked
