"""Tiles as platforms number and spell them, and the hub's spelling of them.

In mjlog each of the 136 tiles has a number: ``number // 4`` is its kind, ``number % 4`` its copy. Of the fives,
copy 0 is red if the game has red fives.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Final

from mjconv.ir.tiles import DRAGONS, ORDER, TILE_KINDS, WINDS, Tile

#: The tile of each spelling by rank and suit: ``0m`` is a red five, ``1z`` the east wind.
BY_RANK: Final[Mapping[str, Tile]] = (
    {f"{rank}{suit}": f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)}
    | {f"0{suit}": f"5{suit}r" for suit in "mps"}
    | {f"{number}z": tile for number, tile in enumerate((*WINDS, *DRAGONS), 1)}
)
#: The number of tiles in a set of four players.
TILES: Final = 136
#: The tile of each number, in a game without red fives.
PLAIN: Final[tuple[Tile, ...]] = tuple(kind for kind in TILE_KINDS for _ in range(4))
#: The tile of each number, in a game with red fives.
WITH_REDS: Final[tuple[Tile, ...]] = tuple(
    f"{tile}r" if number in (16, 52, 88) else tile for number, tile in enumerate(PLAIN)
)
#: The place of each tile, by its number, in a sorted hand: a red five follows the plain fives.
IN_HAND: Final = [ORDER[tile] for tile in WITH_REDS]


def copies_by_tile(tiles: tuple[Tile, ...]) -> Mapping[Tile, tuple[int, ...]]:
    """Return the numbers of each tile, where `tiles` are the tiles by their numbers.

    >>> copies_by_tile(WITH_REDS)["5p"], copies_by_tile(WITH_REDS)["5pr"]
    ((53, 54, 55), (52,))
    """
    copies: dict[Tile, tuple[int, ...]] = {}
    for number, tile in enumerate(tiles):
        copies[tile] = (*copies.get(tile, ()), number)
    return copies


#: The numbers of each tile, without and with red fives.
COPIES: Final = {False: copies_by_tile(PLAIN), True: copies_by_tile(WITH_REDS)}


def tiles_of(numbers: Iterable[int], spelled: Sequence[Tile] = WITH_REDS) -> tuple[Tile, ...]:
    """Return the tiles of a hand or of a wall: two numbers or more. `spelled` has the tile of each number.

    >>> tiles_of([0, 16, 135])
    ('1m', '5mr', 'C')
    """
    tiles: tuple[Tile, ...] = itemgetter(*numbers)(spelled)
    return tiles


def with_numbers(tile: Tile, *, reds: bool) -> str:
    """Spell a tile for a message, with the numbers of its copies.

    >>> with_numbers("5m", reds=True), with_numbers("5m", reds=False), with_numbers("?", reds=True)
    ('5m (17-19)', '5m (16-19)', '?')
    """
    numbers = COPIES[reds].get(tile, ())
    if len(numbers) > 1:
        return f"{tile} ({numbers[0]}-{numbers[-1]})"
    return f"{tile} ({numbers[0]})" if numbers else tile
