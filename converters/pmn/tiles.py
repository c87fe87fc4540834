"""The tiles of PMN: the letter of the suit and the rank. In a hand, a letter precedes all ranks of its suit."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from mjconv.ir.spelling import Spelling, by_place, by_table
from mjconv.ir.tiles import Tile, numbered

#: The suits in the order of a hand: characters, dots, bamboo, winds, dragons, flowers.
_SUITS: Final = "cdbwrf"
#: The tile of each spelling.
TILE_OF: Final[Mapping[str, Tile]] = numbered("cdbwrf")
#: The spelling of each tile.
SPELLING_OF: Final[Mapping[Tile, str]] = {tile: spelling for spelling, tile in TILE_OF.items()}
_GROUP: Final = re.compile("([cdbwrf])([0-9]*)")
_HAND: Final = re.compile("(?:[cdbwrf][0-9]{0,14}){1,14}")


def read_hand(text: str) -> tuple[Tile, ...] | None:
    """Return the tiles of a hand in the order of the text; None where the text is no hand.

    >>> read_hand("c7d34bw2rf"), read_hand("c0")
    (('7m', '3p', '4p', 'S'), None)
    """
    spelled = [suit + rank for suit, ranks in _GROUP.findall(text) for rank in ranks]
    if _HAND.fullmatch(text) is None or not TILE_OF.keys() >= set(spelled):
        return None
    return tuple([TILE_OF[tile] for tile in spelled])


def write_hand(tiles: Iterable[Tile]) -> str:
    """Spell a hand, sorted. Raises `KeyError` for a tile that PMN does not have.

    >>> write_hand(["S", "4p", "7m", "3p"])
    'c7d34bw2rf'
    """
    spelled = sorted(SPELLING_OF[tile] for tile in tiles)
    return "".join([suit + "".join([tile[1] for tile in spelled if tile[0] == suit]) for suit in _SUITS])


#: How messages spell players and tiles.
SPELLING: Final = Spelling(by_place("{}"), by_table(SPELLING_OF))
