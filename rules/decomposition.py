"""Every way to read a winning hand: as sets and a pair, as seven pairs, or as thirteen orphans."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from mjconv.ir.match import Meld
from mjconv.ir.tiles import HONOURS, SUITS, Tile, plain, sorted_tiles

SetKind: TypeAlias = Literal["chow", "pung", "kong"]
Shape: TypeAlias = Literal["sets", "seven pairs", "thirteen orphans"]

TERMINALS: Final = tuple(f"{rank}{suit}" for suit in SUITS for rank in (1, 9))
ORPHANS: Final = frozenset((*TERMINALS, *HONOURS))
#: The tiles of a winning hand. A kong counts as three.
WHOLE: Final = 14

#: The kind of each meld that is no kong.
_KINDS: Final[dict[str, SetKind]] = {"chi": "chow", "pon": "pung"}


class Set(NamedTuple):
    """A chow, pung or kong. `tile` is its lowest tile."""

    kind: SetKind
    tile: Tile
    concealed: bool = True


class Decomposition(NamedTuple):
    """One way to read a hand: its sets and its pair. Seven pairs and thirteen orphans have neither."""

    shape: Shape
    tiles: frozenset[Tile]
    sets: tuple[Set, ...] = ()
    pair: Tile = ""


def decompositions(concealed: Sequence[Tile], melds: Sequence[Meld] = ()) -> list[Decomposition]:
    """Return every way to read a hand; an empty list for a hand that is not complete.

    `concealed` holds the winning tile too. Flowers and norths that were set aside belong to no set.

    >>> for found in decompositions("1m 1m 1m 2m 2m 2m 3m 3m 3m E E E 9p 9p".split()):
    ...     print(found.pair, *(f"{one.kind} {one.tile}" for one in found.sets))
    9p chow 1m chow 1m chow 1m pung E
    9p pung 1m pung 2m pung 3m pung E
    """
    hand = [plain(tile) for tile in concealed]
    called = [_called(meld) for meld in melds if meld.kind != "nukidora"]
    if len(hand) + 3 * len(called) != WHOLE:
        return []
    tiles = frozenset(hand).union(*map(_tiles, called))
    counts = Counter(hand)
    readings = [
        Decomposition("sets", tiles, (*sets, *called), pair)
        for pair in sorted_tiles(list(counts))
        if counts[pair] >= 2
        # A pung and a chow with the same lowest tile are found in both orders.
        for sets in dict.fromkeys(tuple(sorted(sets)) for sets in sets_of(counts - Counter({pair: 2})))
    ]
    if not called and len(counts) == WHOLE // 2 and set(counts.values()) == {2}:
        readings.append(Decomposition("seven pairs", tiles))
    if not called and tiles == ORPHANS:
        readings.append(Decomposition("thirteen orphans", tiles))
    return readings


def is_complete(concealed: Sequence[Tile], melds: Sequence[Meld] = ()) -> bool:
    """Return whether a hand can be read at all."""
    return bool(decompositions(concealed, melds))


def sets_of(counts: Counter[Tile]) -> Iterator[tuple[Set, ...]]:
    """Yield every way to read tiles as chows and pungs."""
    left = sorted_tiles(list(+counts))
    if not left:
        yield ()
        return
    # The first tile is the lowest of its suit. So it begins a chow or belongs to a pung.
    first = left[0]
    for one, taken in ((Set("chow", first), _chow(first)), (Set("pung", first), Counter({first: 3}))):
        if taken and taken <= counts:
            for others in sets_of(counts - taken):
                yield (one, *others)


def _chow(lowest: Tile) -> Counter[Tile]:
    if lowest[-1] not in SUITS:
        return Counter()
    rank, suit = int(lowest[:-1]), lowest[-1]
    return Counter(f"{rank + step}{suit}" for step in range(3))


def _called(meld: Meld) -> Set:
    tiles = [plain(tile) for tile in (*meld.own, *([meld.called] if meld.called else []))]
    return Set(_KINDS.get(meld.kind, "kong"), sorted_tiles(tiles)[0], meld.kind == "ankan")


def _tiles(one: Set) -> frozenset[Tile]:
    return frozenset(_chow(one.tile)) if one.kind == "chow" else frozenset((one.tile,))
