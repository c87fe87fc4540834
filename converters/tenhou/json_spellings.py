"""Spellings of yaku, limits and draws that other programs write into tenhou.net/6 JSON.

They are read, not written. Converters of Mahjong Soul's games write its Japanese,
romanised or English names.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

#: A wind that is a yaku, where the record does not name the wind.
SEAT_WIND: Final = "seat_wind"
ROUND_WIND: Final = "round_wind"
#: A dragon that is a yaku, where the record does not name the dragon.
DRAGON: Final = "dragon"
#: The Japanese words for these.
UNNAMED: Final[Mapping[str, str]] = MappingProxyType({SEAT_WIND: "自風", ROUND_WIND: "場風", DRAGON: "役牌"})

_YAKU: Final[dict[str, tuple[str, ...]]] = {
    "menzen_tsumo": ("門前清自摸", "Menzen Tsumo", "Tsumo", "Fully Concealed Hand"),
    "riichi": ("リーチ", "Riichi"),
    "double_riichi": ("ダブル立直", "ダブルリーチ", "Double Riichi"),
    "ippatsu": ("Ippatsu",),
    "chankan": ("Chankan", "Robbing a Kan"),
    "rinshan": ("Rinshan Kaihou", "Rinshan", "After a Kan"),
    "haitei": ("海底撈月", "Haitei Raoyue", "Haitei", "Under the Sea"),
    "houtei": ("Houtei Raoyui", "Houtei", "Under the River"),
    "pinfu": ("Pinfu",),
    "tanyao": ("断么九", "タンヤオ", "Tanyao", "All Simples"),
    "iipeikou": ("一盃口", "Iipeikou", "Pure Double Sequence"),
    SEAT_WIND: ("自風", "役牌:自風牌", "Jikaze", "Seat Wind", "Yakuhai (Seat Wind)"),
    ROUND_WIND: ("場風", "役牌:場風牌", "Bakaze", "Prevalent Wind", "Round Wind", "Yakuhai (Round Wind)"),
    DRAGON: ("役牌", "Yakuhai"),
    "haku": ("白", "役牌白", "役牌:白", "Haku", "White Dragon"),
    "hatsu": ("發", "役牌發", "役牌:發", "Hatsu", "Green Dragon"),
    "chun": ("中", "役牌中", "役牌:中", "Chun", "Red Dragon"),
    "chiitoitsu": ("Chiitoitsu", "Seven Pairs"),
    "chanta": ("混全帯么九", "Chanta", "Half Outside Hand"),
    "ittsu": ("一気通貫", "Ittsu", "Pure Straight"),
    "sanshoku_doujun": ("Sanshoku", "Sanshoku Doujun", "Mixed Triple Sequence"),
    "sanshoku_doukou": ("Sanshoku Doukou", "Triple Triplets"),
    "sankantsu": ("Sankantsu", "Three Quads"),
    "toitoi": ("対対和", "Toitoi", "All Triplets"),
    "sanankou": ("Sanankou", "Three Concealed Triplets"),
    "shousangen": ("Shousangen", "Little Three Dragons"),
    "honroutou": ("Honroutou", "All Terminals and Honors"),
    "ryanpeikou": ("Ryanpeikou", "Twice Pure Double Sequence"),
    "junchan": ("純全帯么九", "純チャン", "Junchan", "Fully Outside Hand"),
    "honitsu": ("Honitsu", "Half Flush"),
    "chinitsu": ("Chinitsu", "Full Flush"),
    "dora": ("Dora",),
    "red_dora": ("赤", "Aka Dora", "Red Five", "Red Fives"),
    "ura_dora": ("Ura Dora",),
    "nukidora": ("抜きドラ", "北", "Kita", "Nukidora"),
    "renhou": ("Renhou", "Hand of Man"),
    "tenhou": ("Tenhou", "Blessing of Heaven"),
    "chiihou": ("Chiihou", "Blessing of Earth"),
    "daisangen": ("Daisangen", "Big Three Dragons"),
    "suuankou": ("Suuankou", "Four Concealed Triplets"),
    "suuankou_tanki": ("四暗刻単騎待ち", "Suuankou Tanki", "Single-wait Four Concealed Triplets"),
    "tsuuiisou": ("Tsuuiisou", "All Honors"),
    "ryuuiisou": ("Ryuuiisou", "All Green"),
    "chinroutou": ("Chinroutou", "All Terminals"),
    "chuuren_poutou": ("Chuuren Poutou", "Nine Gates"),
    "junsei_chuuren_poutou": ("Junsei Chuuren Poutou", "True Nine Gates"),
    "kokushi_musou": ("Kokushi Musou", "Thirteen Orphans"),
    "kokushi_musou_13": (
        "国士無双十三面待ち",
        "国士無双13面待ち",
        "Kokushi Musou Juusanmen Machi",
        "Thirteen-wait Thirteen Orphans",
    ),
    "daisuushii": ("Daisuushii", "Four Big Winds"),
    "shousuushii": ("Shousuushii", "Four Little Winds"),
    "suukantsu": ("Suukantsu", "Four Quads"),
    "paarenchan": ("八連荘", "Paarenchan", "Eight-time East Staying"),
}
#: The hub's name of each yaku, by other programs' spellings in small letters.
YAKU_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {spelling.lower(): name for name, spellings in _YAKU.items() for spelling in spellings}
)

_LIMITS: Final = (
    ("切り上げ満貫", "kiriage mangan", "mangan"),
    ("haneman",),
    ("baiman",),
    ("sanbaiman",),
    (
        *("数え役満", "ダブル役満", "トリプル役満"),
        *("yakuman", "kazoe yakuman", "double yakuman", "triple yakuman"),
        *(f"{count}倍役満" for count in "二三四五六２３４５６"),
    ),
)
#: The number of each limit (1 mangan to 5 yakuman), by other programs' spellings in small letters.
LIMIT_NUMBERS: Final[Mapping[str, int]] = MappingProxyType(
    {spelling: number for number, spellings in enumerate(_LIMITS, 1) for spelling in spellings}
)

#: The hub's name of each reason of a draw, by other programs' spellings in small letters.
REASON_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ryuukyoku": "exhaustive_draw",
        "exhaustive draw": "exhaustive_draw",
        "nagashi mangan": "nagashi_mangan",
        "mangan at draw": "nagashi_mangan",
        "流しマンガン": "nagashi_mangan",
        "kyuushu kyuuhai": "nine_kinds",
        "nine terminal abortion": "nine_kinds",
        "suufon renda": "four_winds",
        "four wind abortion": "four_winds",
        "suucha riichi": "four_riichi",
        "four riichi abortion": "four_riichi",
        "suukaikan": "four_kans",
        "four kan abortion": "four_kans",
        "sanchahou": "triple_ron",
        "three ron abortion": "triple_ron",
        "チョンボ": "chombo",
    }
)
