"""Which tiles make a run, and which are alike; hidden ones may be any."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from mjconv.ir.tiles import HIDDEN, SUITS, TILES, ZERO, Tile, plain

#: Ranks of the tiles that runs are made of; the zero is of every suit.
_RANK: Final = {tile: int(tile[:-1]) for tile in TILES if tile[-1] in SUITS} | {ZERO: 0}
_UNRANKED: Final = -1
#: The calls of all games are some thousand: each is looked at once.
_MOST_CALLS: Final = 1 << 12


@lru_cache(_MOST_CALLS)
def is_run(tiles: tuple[Tile, ...]) -> bool:
    """Say whether tiles, in any order, make a run.

    >>> is_run(("5mr", "4m", "6m")), is_run(("4m", "5p", "6m")), is_run(("?", "8s", "9s"))
    (True, False, True)
    """
    known = [plain(tile) for tile in tiles if tile != HIDDEN]
    ranks = sorted(_RANK.get(tile, _UNRANKED) for tile in known)
    if len({tile[-1] for tile in known if tile != ZERO}) > 1 or ranks[:1] == [_UNRANKED]:
        return False
    return len(set(ranks)) == len(ranks) and (not ranks or ranks[-1] - ranks[0] < len(tiles))


@lru_cache(_MOST_CALLS)
def are_alike(tiles: tuple[Tile, ...]) -> bool:
    """Say whether tiles are of one kind, red fives and plain ones alike.

    >>> are_alike(("5mr", "5m", "?")), are_alike(("E", "E", "S"))
    (True, False)
    """
    return len({plain(tile) for tile in tiles} - {HIDDEN}) <= 1
