"""How messages spell players and tiles: by the place after the dealer, as `l` counts, and as hands spell tiles."""

from __future__ import annotations

from typing import Final

from mjconv.converters.majiang.tiles import SPELLING_OF
from mjconv.ir.spelling import PLAIN, Seating, Spelling, by_number
from mjconv.ir.tiles import Tile


def spell_player(seat: int, seating: Seating) -> str:
    """Spell a seat by its wind and the number that the steps of a round have for it; outside rounds by the seat.

    >>> spell_player(2, Seating(1, 4)), spell_player(2, Seating(None, 4))
    ('south (l 1)', 'player 2')
    """
    place = seating.place(seat)
    if place is None:
        return by_number(seat, seating)
    return f"{PLAIN.player(seat, seating).partition(' ')[0]} (l {place})"


def spell_tile(tile: Tile) -> str:
    """Spell a tile; a tile that majiang does not have as the hub spells it.

    >>> spell_tile("5mr"), spell_tile("E"), spell_tile("?")
    ('m0', 'z1', '_')
    """
    return SPELLING_OF.get(tile, tile)


SPELLING: Final = Spelling(spell_player, spell_tile, PLAIN.wind)
