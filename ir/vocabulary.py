"""Names of the game's terms: yaku, reasons of draws, winds. One name each in the hub.

These tables hold no spelling of any format. A format keeps its own spellings beside its own tables, and maps
them to the names here.

>>> YAKU["riichi"].japanese, YAKU["honitsu"].closed, YAKU["honitsu"].open
('立直', 3, 2)
>>> REASONS["four_winds"].english, REASONS["four_winds"].abortive
('four winds', True)
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

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


_YAKU: Final = (
    Yaku("menzen_tsumo", "門前清自摸和", "門前清自摸和", "门前清自摸和", 1),
    Yaku("riichi", "立直", "立直", "立直", 1),
    Yaku("ippatsu", "一発", "一發", "一发", 1),
    Yaku("chankan", "槍槓", "槍槓", "枪杠", 1, 1),
    Yaku("rinshan", "嶺上開花", "嶺上開花", "岭上开花", 1, 1),
    Yaku("haitei", "海底摸月", "海底撈月", "海底捞月", 1, 1),
    Yaku("houtei", "河底撈魚", "河底撈魚", "河底捞鱼", 1, 1),
    Yaku("pinfu", "平和", "平和", "平和", 1),
    Yaku("tanyao", "断幺九", "斷幺九", "断幺九", 1, 1),
    Yaku("iipeikou", "一盃口", "一盃口", "一杯口", 1),
    Yaku("seat_wind_east", "自風 東", "自風 東", "自风 东", 1, 1),
    Yaku("seat_wind_south", "自風 南", "自風 南", "自风 南", 1, 1),
    Yaku("seat_wind_west", "自風 西", "自風 西", "自风 西", 1, 1),
    Yaku("seat_wind_north", "自風 北", "自風 北", "自风 北", 1, 1),
    Yaku("round_wind_east", "場風 東", "場風 東", "场风 东", 1, 1),
    Yaku("round_wind_south", "場風 南", "場風 南", "场风 南", 1, 1),
    Yaku("round_wind_west", "場風 西", "場風 西", "场风 西", 1, 1),
    Yaku("round_wind_north", "場風 北", "場風 北", "场风 北", 1, 1),
    Yaku("haku", "役牌 白", "役牌 白", "役牌 白", 1, 1),
    Yaku("hatsu", "役牌 發", "役牌 發", "役牌 发", 1, 1),
    Yaku("chun", "役牌 中", "役牌 中", "役牌 中", 1, 1),
    Yaku("double_riichi", "両立直", "兩立直", "两立直", 2),
    Yaku("chiitoitsu", "七対子", "七對子", "七对子", 2),
    Yaku("chanta", "混全帯幺九", "混全帶幺九", "混全带幺九", 2, 1),
    Yaku("ittsu", "一気通貫", "一氣通貫", "一气通贯", 2, 1),
    Yaku("sanshoku_doujun", "三色同順", "三色同順", "三色同顺", 2, 1),
    Yaku("sanshoku_doukou", "三色同刻", "三色同刻", "三色同刻", 2, 2),
    Yaku("sankantsu", "三槓子", "三槓子", "三杠子", 2, 2),
    Yaku("toitoi", "対々和", "對對和", "对对和", 2, 2),
    Yaku("sanankou", "三暗刻", "三暗刻", "三暗刻", 2, 2),
    Yaku("shousangen", "小三元", "小三元", "小三元", 2, 2),
    Yaku("honroutou", "混老頭", "混老頭", "混老头", 2, 2),
    Yaku("ryanpeikou", "二盃口", "二盃口", "二杯口", 3),
    Yaku("junchan", "純全帯幺九", "純全帶幺九", "纯全带幺九", 3, 2),
    Yaku("honitsu", "混一色", "混一色", "混一色", 3, 2),
    Yaku("chinitsu", "清一色", "清一色", "清一色", 6, 5),
    # Houses count it as 4 or 5 han, a mangan or a yakuman, or do not play it.
    Yaku("renhou", "人和", "人和", "人和", yakuman=1),
    Yaku("tenhou", "天和", "天和", "天和", yakuman=1),
    Yaku("chiihou", "地和", "地和", "地和", yakuman=1),
    Yaku("daisangen", "大三元", "大三元", "大三元", yakuman=1),
    Yaku("suuankou", "四暗刻", "四暗刻", "四暗刻", yakuman=1),
    Yaku("suuankou_tanki", "四暗刻単騎", "四暗刻單騎", "四暗刻单骑", yakuman=2),
    Yaku("tsuuiisou", "字一色", "字一色", "字一色", yakuman=1),
    Yaku("ryuuiisou", "緑一色", "綠一色", "绿一色", yakuman=1),
    Yaku("chinroutou", "清老頭", "清老頭", "清老头", yakuman=1),
    Yaku("chuuren_poutou", "九蓮宝燈", "九蓮寶燈", "九莲宝灯", yakuman=1),
    Yaku("junsei_chuuren_poutou", "純正九蓮宝燈", "純正九蓮寶燈", "纯正九莲宝灯", yakuman=2),
    Yaku("kokushi_musou", "国士無双", "國士無雙", "国士无双", yakuman=1),
    Yaku("kokushi_musou_13", "国士無双13面", "國士無雙十三面", "国士无双十三面", yakuman=2),
    Yaku("daisuushii", "大四喜", "大四喜", "大四喜", yakuman=2),
    Yaku("shousuushii", "小四喜", "小四喜", "小四喜", yakuman=1),
    Yaku("suukantsu", "四槓子", "四槓子", "四杠子", yakuman=1),
    # Some platforms of East Asia know it; Tenhou does not.
    Yaku("paarenchan", "八連荘", "八連莊", "八连庄", yakuman=1),
    Yaku("dora", "ドラ", "寶牌", "宝牌", 1, 1, dora=True),
    Yaku("ura_dora", "裏ドラ", "裏寶牌", "里宝牌", 1, dora=True),
    Yaku("red_dora", "赤ドラ", "赤寶牌", "赤宝牌", 1, 1, dora=True),
    # Norths and flowers that were set aside.
    Yaku("nukidora", "抜きドラ", "拔寶牌", "拔宝牌", 1, 1, dora=True),
)
#: Every yaku, and every kind of dora, by name.
YAKU: Final[Mapping[str, Yaku]] = MappingProxyType({yaku.name: yaku for yaku in _YAKU})


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


_REASONS: Final = (
    Reason("exhaustive_draw", "exhaustive draw", "流局", "荒牌流局", "荒牌流局"),
    Reason("nagashi_mangan", "nagashi mangan", "流し満貫", "流局滿貫", "流局满贯"),
    Reason("nine_kinds", "nine kinds of terminals and honours", "九種九牌", "九種九牌", "九种九牌", True),
    Reason("four_winds", "four winds", "四風連打", "四風連打", "四风连打", True),
    Reason("four_riichi", "four riichi", "四家立直", "四家立直", "四家立直", True),
    Reason("four_kans", "four kans", "四槓散了", "四槓散了", "四杠散了", True),
    Reason("triple_ron", "triple ron", "三家和", "三家和了", "三家和了", True),
    # A false win, by the rules of Hong Kong as well.
    Reason("chombo", "chombo", "チョンボ", "錯和", "错和"),
)
#: Every reason of a draw, by name.
REASONS: Final[Mapping[str, Reason]] = MappingProxyType({reason.name: reason for reason in _REASONS})
#: The reason of a false win, as the event `Ryukyoku` names it.
CHOMBO: Final = "chombo"
