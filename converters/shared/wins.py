"""Results from points: who won, who was blocked, and the gain of every player."""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, UnsetType, structs

from mjconv.ir import events as ev
from mjconv.ir.table import Table
from mjconv.ir.tiles import Tile
from mjconv.rules.scores import RIICHI_STICK

#: This many rons on one tile end the round without a win.
TRIPLE: Final = 3
#: A player is liable only for a hand with this many melds or more.
_LEAST_FED: Final = 3


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
    wins: Sequence[ev.Win], gained: Sequence[int], sticks: int, honba: int = 0, each: int | UnsetType = UNSET
) -> list[ev.Win]:
    """Return the wins on one tile with the points that each moves, from the sum that each player gains.

    The discarder pays each winner; a liable player pays a part. If the liable player wins too, the value of their
    own hand shows this part. `sticks` and `honba` are numbers, `each` are the points of one honba in the house:
    the winner next in turn after the discarder takes the points for both. The last win also moves the points that
    no payment explains: all stated points count.

    >>> wins = split_gains([ev.Win(1, 0), ev.Win(2, 0)], (-5000, 4900, 1100, 0), sticks=1)
    >>> [win.deltas for win in wins]
    [(-3900, 4900, 0, 0), (-1100, 0, 1100, 0)]
    >>> wins = [ev.Win(1, 0, liable=2, hora_points=32000), ev.Win(2, 0, hora_points=1000)]
    >>> [win.deltas for win in split_gains(wins, (-17000, 32000, -15000, 0), sticks=0)]
    [(-16000, 32000, -16000, 0), (-1000, 0, 1000, 0)]
    """
    target = wins[0].target if len(wins) > 1 else UNSET
    if target is UNSET:
        return [structs.replace(win, deltas=tuple(gained)) for win in wins]
    # Imported here: few rounds have several wins, and the rules of wins take long to load.
    from mjconv.rules.payments import HONBA, Stakes, honba_paid

    seats = len(gained)
    first = min([win.actor for win in wins], key=lambda seat: (seat - target) % seats)
    received: dict[int | UnsetType, int] = {win.actor: gained[win.actor] for win in wins}
    for win in wins:
        if win.actor in [other.liable for other in wins] and win.hora_points is not UNSET:
            stakes = Stakes(seats, win.actor, target, 0, honba, each=each or HONBA)
            more = RIICHI_STICK * sticks + sum(next(honba_paid(stakes)))
            own = win.hora_points + more * (win.actor == first)
            received[win.actor] = max(own, gained[win.actor])
    shares: list[list[int]] = []
    for win in wins:
        moved = [0] * seats
        moved[win.actor] = received[win.actor]
        if win.liable is not UNSET and win.liable not in (win.actor, target):
            moved[win.liable] = min(gained[win.liable] - received.get(win.liable, 0), 0)
        moved[target] += RIICHI_STICK * sticks * (win.actor == first) - sum(moved)
        shares.append(moved)
    rest = [total - sum(parts) for total, *parts in zip(gained, *shares, strict=True)]
    shares[-1] = [points + more for points, more in zip(shares[-1], rest, strict=True)]
    return [structs.replace(win, deltas=tuple(moved)) for win, moved in zip(wins, shares, strict=True)]


def result(
    table: Table,
    played: Sequence[ev.Event],
    start: ev.StartRound,
    tsumo: int | None,
    rons: Sequence[int],
    gained: Sequence[int] | None,
    paid: Sequence[int],
    ura: tuple[Tile, ...],
) -> tuple[list[ev.Win] | list[ev.Ryukyoku], tuple[int, ...]]:
    """Return the events of a result, and the seats whose ron was declared and not paid.

    `table` is the table before the result, `played` the events before it. `tsumo` is the winner by self-draw,
    `rons` the players who declared a ron. `gained` is the gain of each player, or None if the points are unknown.
    `ura` are the ura indicators: only winners in riichi have them.

    A ron without a gain beside a ron with one is blocked. So are three rons without a gain: they end the round.
    Any other ron without a gain is a win. If several win, each gains the points of its seat, and the discarder
    pays them. Where a player may be liable, the values of the hands count first: if they explain all points, all
    who declared a ron win.
    """
    target = tsumo if tsumo is not None else table.last_actor
    winners = [tsumo] if tsumo is not None else rons
    wins = [ev.Win(seat, target, ura_markers=(ura or UNSET) if table.riichi[seat] else ()) for seat in winners]
    if gained is None:
        return wins or [ev.Ryukyoku()], ()
    if len(wins) > 1 and any(len(table.melds[seat]) >= _LEAST_FED for seat in rons):
        # A hand without a value explains no points.
        settled = _settled(table, played, start, wins)
        if [sum(column) for column in zip(*[win.deltas or () for win in settled], strict=False)] == list(gained):
            return settled, ()
    paying = [win for win in wins if gained[win.actor] > 0]
    blocked: tuple[int, ...] = ()
    if tsumo is None and (paying or len(rons) == TRIPLE):
        blocked = tuple(sorted(seat for seat in rons if gained[seat] <= 0))
        wins = paying
    if not wins:
        return [ev.Ryukyoku("sanchaho" if blocked else UNSET, deltas=tuple(gained))], blocked
    return split_gains(wins, gained, int(start.kyotaku or 0) + sum(paid)), blocked


def _settled(
    table: Table, played: Sequence[ev.Event], start: ev.StartRound, wins: Sequence[ev.Win]
) -> list[ev.Win]:
    """Return the wins on one tile with the points that their values move; none for a hand that is not shown."""
    # Imported here: few rounds need it, and the rules of wins take long to load.
    from mjconv.rules.riichi_wins import settle

    events = [*played, *wins]
    values = [settle(table, start, events, at) for at in range(len(played), len(events))]
    return [
        structs.replace(win, deltas=() if value is None else value.deltas)
        for win, value in zip(wins, values, strict=True)
    ]
