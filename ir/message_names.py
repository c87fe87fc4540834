"""The spellings of yaku and of reasons in event messages, and the hub's names for them.

An event is an mjai message, so `Win.yakus` and `Ryukyoku.reason` hold mjai's spellings. mjai distinguishes fewer
yaku than `mjconv.ir.vocabulary`: it has one name for the three dragons.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mjconv.ir.vocabulary import WIND_NAMES, YAKU

#: The spelling of each yaku in `Win.yakus`, as mjai's first server writes it, by the hub's name.
YAKU_IN_MESSAGES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "menzen_tsumo": "menzenchin_tsumoho",
        "riichi": "reach",
        "double_riichi": "double_reach",
        "ippatsu": "ippatsu",
        "chankan": "chankan",
        "rinshan": "rinshankaiho",
        "haitei": "haiteiraoyue",
        "houtei": "hoteiraoyui",
        "pinfu": "pinfu",
        "tanyao": "tanyaochu",
        "iipeikou": "ipeko",
        **dict.fromkeys(("haku", "hatsu", "chun"), "sangenpai"),
        **{f"seat_wind_{wind}": "jikaze" for wind in WIND_NAMES.values()},
        **{f"round_wind_{wind}": "bakaze" for wind in WIND_NAMES.values()},
        "sanshoku_doujun": "sanshokudojun",
        "ittsu": "ikkitsukan",
        "chanta": "honchantaiyao",
        "honroutou": "honroto",
        "toitoi": "toitoiho",
        "sanankou": "sananko",
        "sankantsu": "sankantsu",
        "sanshoku_doukou": "sanshokudoko",
        "chiitoitsu": "chitoitsu",
        "shousangen": "shosangen",
        "honitsu": "honiso",
        "junchan": "junchantaiyao",
        "ryanpeikou": "ryanpeko",
        "chinitsu": "chiniso",
        **dict.fromkeys(("kokushi_musou", "kokushi_musou_13"), "kokushimuso"),
        **dict.fromkeys(("chuuren_poutou", "junsei_chuuren_poutou"), "churenpoton"),
        **dict.fromkeys(("suuankou", "suuankou_tanki"), "suanko"),
        "daisangen": "daisangen",
        "shousuushii": "shosushi",
        "daisuushii": "daisushi",
        "ryuuiisou": "ryuiso",
        "suukantsu": "sukantsu",
        "tsuuiisou": "tsuiso",
        "chinroutou": "chinroto",
        "tenhou": "tenho",
        "chiihou": "chiho",
        "renhou": "renho",
        "dora": "dora",
        "ura_dora": "uradora",
        "red_dora": "akadora",
        "nukidora": "nukidora",
    }
)

#: The spellings of the yaku that are yakuman.
YAKUMAN_IN_MESSAGES: Final = frozenset(YAKU_IN_MESSAGES.get(name, name) for name in YAKU if YAKU[name].yakuman)

_REASONS: Final = {
    "exhaustive_draw": ("exhaustive_draw", "fanpai", "howanpai", "normal"),
    "nagashi_mangan": ("nagashimangan", "nagashi_mangan", "nagashi", "nm"),
    "nine_kinds": ("kyushu_kyuhai", "kyushukyuhai", "kyuushukyuuhai", "yao9"),
    "four_winds": ("sufuurenta", "sufonrenta", "suufonrenda", "kaze4"),
    "four_riichi": ("suucha_riichi", "suchareach", "suuchariichi", "reach4"),
    "four_kans": ("suukansansen", "sukaikan", "suukaikan", "kan4"),
    "triple_ron": ("sanchaho", "sanchahou", "ron3"),
    "chombo": ("chombo",),
}
#: The spelling of each reason in `Ryukyoku.reason`, as mjconv writes it, by the hub's name.
REASON_IN_MESSAGES: Final[Mapping[str, str]] = MappingProxyType(
    {name: spellings[0] for name, spellings in _REASONS.items()}
)
_REASON_OF: Final = {spelling: name for name, spellings in _REASONS.items() for spelling in spellings}


def reason_of(spelling: str) -> str | None:
    """Return the hub's name of the reason that `Ryukyoku.reason` spells, or None for an unknown spelling.

    >>> reason_of("Kyushu_Kyuhai"), reason_of("fanpai"), reason_of("a house's own")
    ('nine_kinds', 'exhaustive_draw', None)
    """
    return _REASON_OF.get(spelling.lower())
