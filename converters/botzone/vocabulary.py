"""The words of Botzone's logs: tiles, acts, and names of fan."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import UNSET, UnsetType

from mjconv.ir.catalogue import catalogue
from mjconv.ir.mcr_fan import FAN, times_of
from mjconv.ir.spelling import Spelling, by_place, by_table
from mjconv.ir.tiles import Tile, numbered

#: The tile of each spelling.
TILE_OF: Final[Mapping[str, Tile]] = numbered("WBTFJH")
#: The spelling of each tile.
SPELLING_OF: Final[Mapping[Tile, str]] = {tile: spelling for spelling, tile in TILE_OF.items()}

#: The kind of message of each call and win.
KIND_OF: Final = catalogue(__name__, "kinds.json", dict[str, str])
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

_ONE_FAN: Final = re.compile(r"([^+*]+)\*([1-9][0-9]?)")


def read_fan(names: str) -> tuple[tuple[str, int], ...] | UnsetType:
    """Return the fan that a line names, as `Win.yakus` states them; absent if one of them is unknown.

    >>> read_fan("连六*2+嵌张*1"), read_fan("??*1")
    ((('short_straight', 2), ('closed_wait', 1)), UNSET)
    """
    parts = [_ONE_FAN.fullmatch(part) for part in names.split("+")]
    read = [(FAN_OF[part[1]], int(part[2])) for part in parts if part is not None and part[1] in FAN_OF]
    return tuple([(name, FAN[name].fan * times) for name, times in read]) if len(read) == len(parts) else UNSET


def spell_fan(yakus: Sequence[tuple[str, int]]) -> str:
    """Return fan with the number of times that each counts; empty if the log has no name for one of them.

    >>> spell_fan([("short_straight", 2), ("closed_wait", 1)])
    '连六*2+嵌张*1'
    """
    counted = [(name, times_of(name, fan)) for name, fan in yakus]
    if None in [times for _, times in counted]:
        return ""
    return "+".join([f"{FAN_NAME_OF[name]}*{times}" for name, times in counted])


#: How messages spell players and tiles.
SPELLING: Final = Spelling(by_place("Player {}"), by_table(SPELLING_OF))
