"""Names of the game's terms: yaku, reasons of draws, winds. One name each in the hub.

These tables hold no spelling of any format. A format keeps its own spellings beside its own tables, and maps
them to the names here.

>>> YAKU["riichi"].japanese, YAKU["honitsu"].closed, YAKU["honitsu"].open
('立直', 3, 2)
>>> REASONS["four_winds"].english, REASONS["four_winds"].abortive
('four winds', True)
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from mjconv.ir.catalogue import catalogue
from mjconv.ir.tiles import WINDS, Tile

#: The winds in English; also the seats of a round, which are called by their winds.
WIND_NAMES: Final[Mapping[Tile, str]] = MappingProxyType(
    dict(zip(WINDS, ("east", "south", "west", "north"), strict=True))
)


#: The han of a yakuman in `Win.fan` and `Win.yakus`.
HAN_OF_YAKUMAN: Final = 13
#: The reasons of draws at which the players in tenpai show their hands.
SHOW_TENPAI: Final = frozenset({"exhaustive_draw", "nagashi_mangan"})


class Yaku(NamedTuple):
    """One yaku of riichi mahjong. `japanese`, `chinese` (in traditional script) and `simplified` are its names.

    `closed` and `open` are its han in a closed and in an open hand. 0 means that such a hand cannot have it.
    `yakuman` is 0 for a yaku that counts han, 1 for a yakuman, and 2 for a yakuman that counts double where the
    house plays double yakuman. A yakuman has no han. `dora` is true for han that are no yaku by themselves.
    """

    name: str
    japanese: str
    chinese: str
    simplified: str
    closed: int = 0
    open: int = 0
    yakuman: int = 0
    dora: bool = False


#: Every yaku, and every kind of dora, by name. Houses count renhou as 4 or 5 han, a mangan or a yakuman, or do not
#: play it. Some platforms of East Asia know paarenchan; Tenhou does not. Nukidora are tiles that were set aside.
YAKU: Final[Mapping[str, Yaku]] = MappingProxyType(
    {yaku.name: yaku for yaku in catalogue(__name__, "yaku.json", list[Yaku])}
)


class Reason(NamedTuple):
    """Why a round ended without a win. `chinese` is in traditional script, `simplified` in simplified script.

    An `abortive` draw breaks the round off before the last tile.
    """

    name: str
    english: str
    japanese: str
    chinese: str
    simplified: str
    abortive: bool = False


#: Every reason of a draw, by name.
REASONS: Final[Mapping[str, Reason]] = MappingProxyType(
    {reason.name: reason for reason in catalogue(__name__, "reasons.json", list[Reason])}
)
#: The reason of a false win, by the rules of Hong Kong as well, as the event `Ryukyoku` names it.
CHOMBO: Final = "chombo"
