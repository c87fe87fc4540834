"""The numbers of tiles and calls in rows of Kanachan, a program that learns riichi mahjong.

Tiles are numbered 0 to 36: of each suit the red five first, then 1 to 9; then the honours. Kinds are numbered 0 to
33, without red fives.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from mjconv.ir.tiles import RED_FIVES, SUITS, TILE_KINDS, Tile, plain

#: The tiles, in the order of their numbers.
TILES: Final = (
    *(tile for suit in SUITS for tile in (f"5{suit}r", *(f"{rank}{suit}" for rank in range(1, 10)))),
    *TILE_KINDS[27:],
)
#: The number of copies of each tile.
COPIES: Final = tuple(1 if tile in RED_FIVES else 3 if tile[0] == "5" and len(tile) == 2 else 4 for tile in TILES)
#: The first slot of each tile in a hand: a slot for each copy of each tile.
SLOTS: Final = tuple(sum(COPIES[:number]) for number in range(len(TILES)))

_KIND: Final = {tile: number for number, tile in enumerate(TILE_KINDS)}
_TILE: Final = {tile: number for number, tile in enumerate(TILES)}


def tile_number(tile: Tile) -> int:
    """Return the number of a tile.

    >>> tile_number("5mr"), tile_number("5m"), tile_number("1p"), tile_number("C")
    (0, 5, 11, 36)
    """
    return _TILE[tile]


def kind_number(tile: Tile) -> int:
    """Return the number of the kind of a tile.

    >>> kind_number("5mr"), kind_number("C")
    (4, 33)
    """
    return _KIND[plain(tile)]


def _runs() -> Iterator[tuple[frozenset[Tile], Tile]]:
    """Yield the tiles of the hand and the called tile of each chi, in the order of their numbers.

    The order is by suit, then by the rank of the called tile, then by the run, the lowest first. A run with a five
    follows with the red five in its place.
    """
    for suit in SUITS:
        for rank in range(1, 10):
            for low in range(max(1, rank - 2), min(7, rank) + 1):
                run = [f"{number}{suit}" for number in range(low, low + 3)]
                called = f"{rank}{suit}"
                own = [tile for tile in run if tile != called]
                yield frozenset(own), called
                red = {f"5{suit}": f"5{suit}r"}
                if any(tile in red for tile in run):
                    yield frozenset(red.get(tile, tile) for tile in own), red.get(called, called)


def _triplets() -> Iterator[tuple[frozenset[Tile], Tile]]:
    """Yield the tiles of the hand and the called tile of each pon, in the order of their numbers.

    After the five of a suit follow the pon with its red five in the hand, and the pon of the red five.
    """
    for tile in TILE_KINDS:
        yield frozenset({tile}), tile
        red = f"{tile}r"
        if red in RED_FIVES:
            yield frozenset({tile, red}), tile
            yield frozenset({tile}), red


_CHI: Final = {shape: number for number, shape in enumerate(_runs())}
_PON: Final = {shape: number for number, shape in enumerate(_triplets())}


def chi_number(own: Sequence[Tile], called: Tile) -> int:
    """Return the number of a chi, 0 to 89, from the two tiles of the hand and the called tile.

    >>> chi_number(["2m", "3m"], "1m"), chi_number(["4m", "5mr"], "3m"), chi_number(["7s", "8s"], "9s")
    (0, 6, 89)
    """
    return _CHI[frozenset(own), called]


def pon_number(own: Sequence[Tile], called: Tile) -> int:
    """Return the number of a pon, 0 to 39, from the two tiles of the hand and the called tile.

    >>> pon_number(["5m", "5m"], "5m"), pon_number(["5m", "5mr"], "5m"), pon_number(["C", "C"], "C")
    (4, 5, 39)
    """
    return _PON[frozenset(own), called]
