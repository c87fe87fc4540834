"""How messages spell players and tiles: seats by their numbers, and tiles as records spell them."""

from __future__ import annotations

from typing import Final

from mjconv.converters.majsoul.tiles import SPELLED
from mjconv.ir.spelling import PLAIN, Spelling
from mjconv.ir.tiles import Tile


def spell_tile(tile: Tile) -> str:
    """Spell a tile; a tile that Mahjong Soul does not have as the hub spells it.

    >>> spell_tile("5mr"), spell_tile("E"), spell_tile("?")
    ('0m', '1z', '?')
    """
    return SPELLED.get(tile, tile)


SPELLING: Final = Spelling(PLAIN.player, spell_tile, PLAIN.wind)
