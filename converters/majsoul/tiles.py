"""Tiles as Mahjong Soul spells them, in records and in messages, and the events of draws and discards."""

from collections.abc import Mapping, Sequence
from typing import Final

from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.converters.shared.tile_numbers import BY_RANK
from mjconv.ir import events as ev
from mjconv.ir.spelling import PLAIN, Spelling, by_table
from mjconv.ir.tiles import HIDDEN, Tile


class _Spellings(dict[Tile, str]):
    """The spelling of each tile. Raises `CannotHoldError` for a tile that Mahjong Soul does not have."""

    def __missing__(self, tile: Tile) -> str:
        if tile == HIDDEN:
            raise CannotHoldError("a Mahjong Soul record has no hidden tiles, and this round has them")
        raise CannotHoldError(f"Mahjong Soul has no tile {tile}")


#: The hub's tile of each spelling.
TILE_OF: Final = BY_RANK
#: The spelling of each tile.
SPELLED: Final = _Spellings({tile: text for text, tile in TILE_OF.items()})
#: The place of each tile in a hand in order: a red five is before the other fives.
_IN_ORDER: Final = [TILE_OF[text] for suit in "mpsz" for rank in "1234056789" if (text := rank + suit) in TILE_OF]
ORDER: Final[Mapping[Tile, int]] = {tile: place for place, tile in enumerate(_IN_ORDER)}
_SEATS: Final = range(4)

#: Events by seat and spelling.
DRAWS: Final = tuple([{text: ev.Draw(seat, tile) for text, tile in TILE_OF.items()} for seat in _SEATS])
FROM_HAND: Final = tuple(
    [{text: ev.Discard(seat, tile, tsumogiri=False) for text, tile in TILE_OF.items()} for seat in _SEATS]
)
AT_ONCE: Final = tuple(
    [{text: ev.Discard(seat, tile, tsumogiri=True) for text, tile in TILE_OF.items()} for seat in _SEATS]
)


def spelled(tiles: Sequence[Tile]) -> list[str]:
    """Return tiles in their order, as Mahjong Soul spells them.

    Raises `CannotHoldError` for a tile that Mahjong Soul does not have.

    >>> spelled(("E", "5mr", "1m"))
    ['1z', '0m', '1m']
    """
    return [SPELLED[tile] for tile in tiles]


def in_order(tiles: Sequence[Tile]) -> list[Tile]:
    """Return tiles in the order of a hand.

    >>> in_order(["E", "5m", "5mr", "4m"])
    ['4m', '5mr', '5m', 'E']
    """
    return sorted(tiles, key=ORDER.__getitem__)


#: How messages spell players and tiles: seats by their numbers, and tiles as records spell them.
SPELLING: Final = Spelling(PLAIN.player, by_table(SPELLED), PLAIN.wind)
