"""How messages spell players and tiles: tiles by the numbers of the events."""

from __future__ import annotations

from typing import Final

from mjconv.converters.riichicity.tiles import TILE_OF
from mjconv.ir.spelling import PLAIN, Spelling
from mjconv.ir.tiles import Tile

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
