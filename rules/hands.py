"""Riichi hands: whether a hand is complete, and the tiles that it waits for.

Hands are tiles in the hub's spelling, melds are those on the table (`mjconv.ir.match.Meld`). Only riichi tiles
can be counted. `countable` checks a hand for hidden tiles and for tiles of larger sets; with these, the other
functions raise `KeyError`.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, TypeAlias

from mjconv.ir.match import Meld
from mjconv.ir.tiles import COPIES, HIDDEN, TILE_KINDS, Tile, plain
from mjconv.rules.decomposition import ORPHANS, WHOLE
from mjconv.rules.mahjong_package import KIND_OF

_RANKS: Final = 9
_PAIRS: Final = 7
#: The least kinds of terminals and honours with which a player may declare a draw.
_NINE_KINDS: Final = 9
#: The number of tiles of each kind, for each suit and for the honours.
_Suits: TypeAlias = tuple[tuple[int, ...], ...]


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
    return all(map(KIND_OF.__contains__, chain(tiles, *map(tiles_of, melds))))


def may_have_nine_kinds(hand: Collection[Tile]) -> bool:
    """Return whether a hand has nine kinds of terminals and honours, or may have them as hidden tiles.

    >>> may_have_nine_kinds(["1m", "9m", "1p", "9p", "1s", "9s", "E", "S", "S"]), may_have_nine_kinds(["?"] * 9)
    (False, True)
    """
    return len({*map(plain, hand)} & ORPHANS) + [*hand].count(HIDDEN) >= _NINE_KINDS


def is_complete(tiles: Sequence[Tile], melds: Sequence[Meld] = ()) -> bool:
    """Return whether a hand is complete: four groups and a pair, seven different pairs, or thirteen orphans.

    `tiles` are the concealed ones with the winning tile. A north that was set aside is no group.

    >>> is_complete("1m 2m 3m 4m 5mr 6m 7m 8m 9m E E E S S".split())
    True
    """
    return len(tiles) == WHOLE - 3 * len(groups(melds)) and _is_complete(_suits(tuple(tiles)))


def waits(tiles: Sequence[Tile], melds: Sequence[Meld] = (), *, fifth: bool = False) -> frozenset[Tile]:
    """Return the kinds of tiles that complete a hand of 13, 10, 7, 4 or 1 concealed tiles.

    A red five is counted as a five. A hand of another number of tiles has no waits. A kind of which the hand and
    its melds hold all four is no wait; with `fifth` it is one.

    >>> sorted(waits("2m 3m 1p 2p 3p 7s 8s 9s E E E W W".split()))
    ['1m', '4m']
    >>> waits(["5s"], [Meld("pon", ("1p", "1p"), "1p", 0)] * 4)
    frozenset({'5s'})
    """
    if len(tiles) != WHOLE - 1 - 3 * len(groups(melds)):
        return frozenset()
    kinds = _waits(tuple(tiles))
    if fifth or not kinds:
        return kinds
    held = Counter(plain(tile) for tile in tiles)
    held.update(plain(tile) for meld in melds for tile in tiles_of(meld))
    return frozenset(tile for tile in kinds if held[tile] < COPIES)


def in_tenpai(tiles: Sequence[Tile], melds: Sequence[Meld] = (), *, fifth: bool = False) -> bool | None:
    """Return whether a hand is in tenpai; None if it is not known. With `fifth`, it may wait for a fifth tile.

    >>> in_tenpai(["5s"], [Meld("pon", ("1p", "1p"), "1p", 0)] * 4), in_tenpai(["?"])
    (True, None)
    """
    if not countable(tiles, melds):
        return None
    return bool(waits(tiles, melds, fifth=fifth))


def ready_discards(tiles: Sequence[Tile], melds: Sequence[Meld] = (), *, fifth: bool = False) -> Iterator[Tile]:
    """Yield the tiles of a hand of 14, 11, 8, 5 or 2 whose discard leaves a hand in tenpai, each once.

    >>> list(ready_discards("2m 3m 1p 2p 3p 7s 8s 9s E E E W W N".split()))
    ['N']
    """
    suits = _suits(tuple(tiles))
    broken = [not _is_whole(suit) for suit in suits]
    many = _has_many(suits)
    for tile in dict.fromkeys(tiles) if many or sum(broken) < 3 else ():
        number, rank = divmod(KIND_OF[tile], _RANKS)
        # The winning tile makes one suit whole. A discard of this tile leaves the others as they are.
        if many or sum(broken) - broken[number] + (not _is_whole(_less(suits[number], rank))) < 2:
            left = list(tiles)
            left.remove(tile)
            if waits(left, melds, fifth=fifth):
                yield tile


def _suits(tiles: tuple[Tile, ...]) -> _Suits:
    counts = [0] * len(TILE_KINDS)
    for tile in tiles:
        counts[KIND_OF[tile]] += 1
    return tuple([tuple(counts[first : first + _RANKS]) for first in range(0, len(TILE_KINDS), _RANKS)])


def _has_many(suits: _Suits) -> bool:
    """Return whether a hand of 14 tiles may be near to seven pairs or thirteen orphans."""
    if sum(count > 1 for suit in suits for count in suit) >= _PAIRS - 1:
        return True
    *ranked, honours = suits
    ends = [count for suit in ranked for count in (suit[0], suit[-1])]
    return sum(map(bool, (*ends, *honours))) >= len(ORPHANS) - 1


def _is_complete(suits: _Suits) -> bool:
    # Each whole suit with a pair has two tiles more than its sets.
    if all(map(_is_whole, suits)) and sum(sum(suit) % 3 == 2 for suit in suits) == 1:
        return True
    counts = [count for suit in suits for count in suit if count]
    if sum(counts) != WHOLE:
        return False
    return counts == [2] * _PAIRS or (len(counts) == len(ORPHANS) and not any(map(_between, suits)))


def _between(counts: tuple[int, ...]) -> bool:
    """Return whether a suit has tiles from 2 to 8. The honours have none."""
    return len(counts) == _RANKS and any(counts[1:-1])


@lru_cache(1 << 14)
def _is_whole(counts: tuple[int, ...]) -> bool:
    """Return whether the tiles of one suit, or the honours, make sets and at most one pair."""
    over = sum(counts) % 3
    if over:
        return over == 2 and any(
            count > 1 and _is_whole(_less(counts, kind, 2)) for kind, count in enumerate(counts)
        )
    lowest = next((kind for kind, count in enumerate(counts) if count), None)
    if lowest is None or (counts[lowest] > 2 and _is_whole(_less(counts, lowest, 3))):
        return True
    if len(counts) != _RANKS or not all(counts[lowest : lowest + 3]) or lowest + 2 >= _RANKS:
        return False
    return _is_whole(_less(_less(_less(counts, lowest), lowest + 1), lowest + 2))


def _less(counts: tuple[int, ...], kind: int, taken: int = 1) -> tuple[int, ...]:
    return (*counts[:kind], counts[kind] - taken, *counts[kind + 1 :])


@lru_cache(1 << 14)
def _completing(counts: tuple[int, ...]) -> list[int]:
    """Return the tiles, by their number in the suit, of which one more makes the suit whole."""
    return [kind for kind in range(len(counts)) if _is_whole(_less(counts, kind, -1))]


@lru_cache(1 << 12)
def _waits(tiles: tuple[Tile, ...]) -> frozenset[Tile]:
    suits = _suits(tiles)
    kinds: set[int] = set()
    broken = [number for number, suit in enumerate(suits) if not _is_whole(suit)]
    if len(broken) < 2:
        pairs = sum(sum(suit) % 3 == 2 for suit in suits)
        for number in broken or range(len(suits)):
            size = sum(suits[number])
            if pairs - (size % 3 == 2) + (size % 3 == 1) == 1:
                kinds.update(_RANKS * number + rank for rank in _completing(suits[number]))
    counts = [count for suit in suits for count in suit]
    if len(tiles) == WHOLE - 1:
        if counts.count(2) == _PAIRS - 1:
            kinds.add(counts.index(1))
        absent = [KIND_OF[tile] for tile in ORPHANS if not counts[KIND_OF[tile]]]
        if len(absent) < 2 and not any(map(_between, suits)):
            kinds.update(absent or map(KIND_OF.__getitem__, ORPHANS))
    return frozenset([TILE_KINDS[kind] for kind in kinds])
