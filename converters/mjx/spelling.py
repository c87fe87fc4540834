"""How messages spell players and tiles: tiles by the numbers of their copies."""

from __future__ import annotations

from typing import Final

from mjconv.converters.shared.tile_numbers import with_numbers
from mjconv.ir.spelling import PLAIN, Spelling
from mjconv.ir.tiles import Tile


def spell_tile(tile: Tile) -> str:
    """Spell a tile with the numbers of its copies; a tile that mjx does not have as the hub spells it.

    >>> spell_tile("5mr"), spell_tile("C"), spell_tile("?")
    ('5mr (16)', 'C (132-135)', '?')
    """
    return with_numbers(tile, reds=True)


#: Pictures have the hub's tiles: the numbers of all copies are too long.
SPELLING: Final = Spelling(PLAIN.player, spell_tile, PLAIN.wind, str)
