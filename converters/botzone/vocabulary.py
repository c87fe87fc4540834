"""The words of Botzone's logs: tiles, acts, and names of fan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mjconv.ir.mcr_fan import FAN
from mjconv.ir.spelling import Spelling, by_place
from mjconv.ir.tiles import Tile, numbered

#: The tile of each spelling.
TILE_OF: Final[Mapping[str, Tile]] = numbered("WBTFJH")
#: The spelling of each tile.
SPELLING_OF: Final[Mapping[Tile, str]] = {tile: spelling for spelling, tile in TILE_OF.items()}

#: The kind of message of each call and win.
KIND_OF: Final[Mapping[str, str]] = {
    "Chi": "chi",
    "Peng": "pon",
    "Gang": "daiminkan",
    "AnGang": "ankan",
    "BuGang": "kakan",
    "BuHua": "nukidora",
    "Hu": "hora",
}
#: The word of each kind of message.
WORD_OF: Final[Mapping[str, str]] = {kind: word for word, kind in KIND_OF.items()}

#: Names of fan that Botzone spells otherwise than the official list.
_OWN_NAMES: Final = {"closed_wait": "嵌张"}
#: Botzone's name of each fan, by the hub's id.
FAN_NAME_OF: Final[Mapping[str, str]] = {name: _OWN_NAMES.get(name, fan.chinese) for name, fan in FAN.items()}
#: The hub's id of each name, also of the names of the official list.
FAN_OF: Final[Mapping[str, str]] = {
    **{fan.chinese: name for name, fan in FAN.items()},
    **{spelling: name for name, spelling in _OWN_NAMES.items()},
}


def _spell_tile(tile: Tile) -> str:
    """Spell a tile; a tile that Botzone does not have as the hub spells it.

    >>> _spell_tile("5m"), _spell_tile("C"), _spell_tile("?")
    ('W5', 'J1', '?')
    """
    return SPELLING_OF.get(tile, tile)


#: How messages spell players and tiles.
SPELLING: Final = Spelling(by_place("Player {}"), _spell_tile)
