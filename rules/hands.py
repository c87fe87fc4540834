"""Riichi hands: whether a hand is complete, and the tiles that it waits for.

Hands are tiles in the hub's spelling, melds are those on the table (`mjconv.ir.match.Meld`). Only riichi tiles
can be counted. `countable` checks a hand for hidden tiles and for tiles of larger sets; with these, the other
functions raise `KeyError`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from mjconv.ir.match import Meld
from mjconv.ir.tiles import TILE_KINDS, Tile, plain
from mjconv.rules.mahjong_package import KIND_OF, makes_hand

_COPIES: Final = 4


def tiles_of(meld: Meld) -> tuple[Tile, ...]:
    """Return all tiles of a meld.

    >>> tiles_of(Meld("kakan", ("5p", "5pr"), called="5p", target=1, added="5p"))
    ('5p', '5pr', '5p', '5p')
    """
    return (*meld.own, *(tile for tile in (meld.called, meld.added) if tile))


def groups(melds: Sequence[Meld]) -> list[Meld]:
    """Return the melds that are groups of a hand: all but norths and flowers set aside."""
    return [meld for meld in melds if meld.kind != "nukidora"]


def countable(tiles: Collection[Tile], melds: Sequence[Meld] = ()) -> bool:
    """Return whether all tiles of a hand are known riichi tiles.

    >>> countable(["1m", "5pr"]), countable(["?"]), countable(["10m"])
    (True, False, False)
    """
    return all(tile in KIND_OF for tile in tiles) and all(
        tile in KIND_OF for meld in melds for tile in tiles_of(meld)
    )


def is_complete(tiles: Sequence[Tile], melds: Sequence[Meld] = ()) -> bool:
    """Return whether a hand is complete: four groups and a pair, seven different pairs, or thirteen orphans.

    `tiles` are the concealed ones with the winning tile. A north that was set aside is no group.

    >>> is_complete("1m 2m 3m 4m 5mr 6m 7m 8m 9m E E E S S".split())
    True
    """
    return len(tiles) == 14 - 3 * len(groups(melds)) and _complete(_counts(tiles))


def waits(tiles: Sequence[Tile], melds: Sequence[Meld] = (), *, fifth: bool = False) -> frozenset[Tile]:
    """Return the kinds of tiles that complete a hand of 13, 10, 7, 4 or 1 concealed tiles.

    A red five is counted as a five. A hand of another number of tiles has no waits. A kind of which the hand and
    its melds hold all four is no wait; with `fifth` it is one.

    >>> sorted(waits("2m 3m 1p 2p 3p 7s 8s 9s E E E W W".split()))
    ['1m', '4m']
    >>> waits(["5s"], [Meld("pon", ("1p", "1p"), "1p", 0)] * 4)
    frozenset({'5s'})
    """
    if len(tiles) != 13 - 3 * len(groups(melds)):
        return frozenset()
    kinds = _waits(_counts(tiles))
    if fifth:
        return kinds
    held = Counter(plain(tile) for tile in tiles)
    held.update(plain(tile) for meld in melds for tile in tiles_of(meld))
    return frozenset(tile for tile in kinds if held[tile] < _COPIES)


def in_tenpai(tiles: Sequence[Tile], melds: Sequence[Meld] = (), *, fifth: bool = False) -> bool | None:
    """Return whether a hand is in tenpai; None if it is not known. With `fifth`, it may wait for a fifth tile.

    >>> in_tenpai(["5s"], [Meld("pon", ("1p", "1p"), "1p", 0)] * 4), in_tenpai(["?"])
    (True, None)
    """
    if not countable(tiles, melds):
        return None
    return bool(waits(tiles, melds, fifth=fifth))


def _counts(tiles: Collection[Tile]) -> tuple[int, ...]:
    counts = [0] * len(TILE_KINDS)
    for tile in tiles:
        counts[KIND_OF[tile]] += 1
    return tuple(counts)


def _complete(counts: tuple[int, ...]) -> bool:
    # The package misreads counts of more than seven.
    return max(counts) <= _COPIES + 1 and makes_hand(counts)


@lru_cache(4096)
def _waits(counts: tuple[int, ...]) -> frozenset[Tile]:
    kinds = []
    for number, kind in enumerate(TILE_KINDS):
        drawn = (*counts[:number], counts[number] + 1, *counts[number + 1 :])
        if _complete(drawn):
            kinds.append(kind)
    return frozenset(kinds)
