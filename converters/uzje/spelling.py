"""How messages spell players and tiles: by the letters of the seats and by the tiles of a tile list."""

from __future__ import annotations

from typing import Final

from mjconv.converters.uzje.tiles import UZJE
from mjconv.converters.uzje.words import SEATS
from mjconv.ir.spelling import Seating, Spelling, by_number
from mjconv.ir.tiles import Tile


def spell_player(seat: int, seating: Seating) -> str:
    """Spell a seat by its letter, the dealer's first; outside games by its number.

    >>> spell_player(3, Seating(3, 4)), spell_player(4, Seating(0, 6)), spell_player(3, Seating(None, 4))
    ('E', 'W', 'player 3')
    """
    place = seating.place(seat)
    if place is None or seating.seats not in SEATS:
        return by_number(seat, seating)
    return SEATS[seating.seats][place]


def spell_tile(tile: Tile) -> str:
    """Spell a tile; a tile that Ùzje does not have as the hub spells it.

    >>> spell_tile("13p"), spell_tile("5mr"), spell_tile("?")
    ('ct', '5m', '?')
    """
    return UZJE.get(tile, tile)


SPELLING: Final = Spelling(spell_player, spell_tile)
