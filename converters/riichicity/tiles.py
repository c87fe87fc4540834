"""Tiles as Riichi City numbers and spells them, and as messages spell them."""

from collections.abc import Mapping
from typing import Final

from mjconv.ir.spelling import PLAIN, Spelling
from mjconv.ir.tiles import HONOURS, WINDS, Tile

#: Added to the number of a five that is red.
RED: Final = 256
_SUITS: Final = {"p": 0, "s": 16, "m": 32}
_FIRST_HONOUR: Final = 49
_HONOUR_STEP: Final = 16

#: The hub's tile of each number.
TILE_OF: Final[Mapping[int, Tile]] = (
    {base + rank: f"{rank}{suit}" for suit, base in _SUITS.items() for rank in range(1, 10)}
    | {base + 5 + RED: f"5{suit}r" for suit, base in _SUITS.items()}
    | {_FIRST_HONOUR + _HONOUR_STEP * place: tile for place, tile in enumerate(HONOURS)}
)
#: The round wind of each number.
WIND_OF: Final[Mapping[int, Tile]] = {number: tile for number, tile in TILE_OF.items() if tile in WINDS}
_NUMBER_OF: Final = {tile: number for number, tile in TILE_OF.items()}


def spell_tile(tile: Tile) -> str:
    """Spell a tile with its number; a tile that Riichi City does not have as the hub spells it.

    >>> spell_tile("5mr"), spell_tile("E"), spell_tile("?")
    ('5mr (293)', 'E (49)', '?')
    """
    number = _NUMBER_OF.get(tile)
    return tile if number is None else f"{tile} ({number})"


#: Pictures have the hub's tiles: the numbers are too long.
SPELLING: Final = Spelling(PLAIN.player, spell_tile, PLAIN.wind, str)
