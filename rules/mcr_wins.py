"""Wins of Chinese Official (MCR): the fan of a hand by the package `PyMahjongGB`, and the points.

The package is an extra, ``mjconv[mcr]``. It is loaded when it is first used. Points need no package.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.match import Meld
from mjconv.ir.mcr_fan import FAN
from mjconv.ir.table import Table
from mjconv.ir.tiles import COPIES, WINDS, Tile, numbered
from mjconv.rules.hands import groups

#: The points that a win costs each of the others, and the least fan of a win, without flowers.
BASE: Final = 8
LEAST_FAN: Final = 8
FLOWERS: Final = "flower_tiles"
#: The draws after which a wall is empty: without flowers and with them, or of a player with a wall of their own.
_LAST_DRAWS: Final = (84, 92)
_LAST_OWN_DRAW: Final = 21
_TILES: Final = {tile: spelling for spelling, tile in numbered("WBTFJ").items()}
_PACKS: Final = {"chi": "CHI", "pon": "PENG"}
#: The package's names of waits. All its other names are those of the official list.
_WAITS: Final = {"独听・边张": "edge_wait", "独听・嵌张": "closed_wait", "独听・单钓": "single_wait"}
_IDS: Final = {fan.chinese: name for name, fan in FAN.items()} | _WAITS


@cache
def calculator() -> Any:
    """Return the function of the package that counts fan; None where the package is not installed."""
    try:
        from MahjongGB import MahjongFanCalculator
    except ImportError:
        return None
    return MahjongFanCalculator


def fan_of(
    table: Table, deal: ev.StartRound, before: Sequence[ev.Event], win: ev.Win
) -> list[Counter[str]] | None:
    """Return the fan that a hand may have, each list by the ids of `FAN`; no list if the hand is not complete.

    None where the record does not show the hand, or the package is not installed. `table` is that of the win,
    `before` are the events of the round before it. There are two lists where the record does not show whether the
    tile is the last of the wall.
    """
    seat, count = win.actor, calculator()
    last = next((event for event in reversed(before) if type(event) is not ev.Win), None)
    tsumo = win.giver == seat
    tile = last.pai if tsumo and type(last) is ev.Draw else table.last_tile
    tiles = list(table.hands[seat])
    if tsumo and tile in tiles:
        tiles.remove(tile)
    melds = groups(table.melds[seat])
    known = all(each in _TILES for each in (tile, *tiles, *(own for meld in melds for own in meld.own)))
    if count is None or not known or table.seats != len(WINDS) or UNSET in (deal.oya, deal.bakaze):
        return None
    about_kong = len(before) > 1 and type(before[-2]) in ev.KANS if tsumo else isinstance(last, ev.Kakan)
    possible = []
    for wall_last in _may_be_last(before):
        try:
            fan = count(
                pack=tuple(map(_pack, melds)),
                hand=tuple(_TILES[each] for each in tiles),
                winTile=_TILES[tile],
                flowerCount=len(table.melds[seat]) - len(melds),
                isSelfDrawn=tsumo,
                is4thTile=_shown(table, tile) - (not tsumo) == COPIES - 1,
                isAboutKong=about_kong,
                isWallLast=wall_last,
                seatWind=(seat - int(deal.oya or 0)) % len(WINDS),
                prevalentWind=WINDS.index(deal.bakaze or "E"),
            )
        except TypeError:
            # The package's error for a hand that is not complete.
            return []
        counted: Counter[str] = Counter()
        for points, name in fan:
            counted[_IDS[name]] += points
        possible.append(counted)
    return possible


def _pack(meld: Meld) -> tuple[str, str, int]:
    """Return a meld as the package has it: its middle tile, and who gave it. Only a concealed kan has 0."""
    tile = sorted((*meld.own, str(meld.called)))[1] if meld.kind == "chi" else meld.own[0]
    return _PACKS.get(meld.kind, "GANG"), _TILES[tile], int(meld.kind != "ankan")


def _shown(table: Table, tile: Tile) -> int:
    """Return how many of a tile lie on the table for all to see. A called tile is counted in the river."""
    melds = [(*meld.own, meld.added) for seat in table.melds for meld in seat if meld.kind != "ankan"]
    return sum(tiles.count(tile) for tiles in (*table.rivers, *melds))


def _may_be_last(before: Sequence[ev.Event]) -> tuple[bool, ...]:
    draws = Counter(event.actor for event in before if type(event) is ev.Draw)
    empty = draws.total() in _LAST_DRAWS or max(draws.values(), default=0) >= _LAST_OWN_DRAW
    return (False, True) if empty else (False,)


def deltas_of(wins: Sequence[ev.Win], seats: int) -> Iterator[tuple[int, ...]]:
    """Yield the points that the wins of a round may move, by their stated fan.

    In a duplicate game, several players win on one tile. The others pay the base once, or once for each winner.

    >>> list(deltas_of([ev.Win(2, 1, fan=9)], 4)), list(deltas_of([ev.Win(0, 0, fan=12)], 4))
    ([(-8, -17, 33, -8)], [(60, -20, -20, -20)])
    >>> list(deltas_of([ev.Win(1, 0, fan=12), ev.Win(3, 0, fan=12)], 4))[0]
    (-32, 36, -8, 36)
    """
    winners = {win.actor for win in wins}
    for times in dict.fromkeys((1, len(wins))):
        moved = [0 if seat in winners else -BASE * times for seat in range(seats)]
        for win in wins:
            fan = int(win.fan or 0)
            drawn = win.giver == win.actor
            payers = [seat for seat in range(seats) if seat not in winners] if drawn else [win.giver]
            for payer in payers:
                moved[payer] -= fan
            moved[win.actor] += fan * len(payers) + BASE * (seats - 1)
        yield tuple(moved)
