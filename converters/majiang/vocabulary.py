"""The Japanese names of yaku and of reasons of draws in majiang, and the spellings of other programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.vocabulary import REASONS, YAKU

#: The yaku that majiang spells otherwise than the hub does in Japanese.
_OWN: Final = {
    "double_riichi": "ダブル立直",
    "haku": "翻牌 白",
    "hatsu": "翻牌 發",
    "chun": "翻牌 中",
    "kokushi_musou_13": "国士無双十三面",
    "junsei_chuuren_poutou": "純正九蓮宝燈",
    "nukidora": "抜きドラ",
}
#: The spelling of each yaku, by the hub's name.
YAKU_SPELLINGS: Final[Mapping[str, str]] = {name: _OWN.get(name, yaku.japanese) for name, yaku in YAKU.items()}
#: The hub's spelling in messages of a yaku whose wind or dragon the record does not name.
_UNNAMED: Final = {"自風": "jikaze", "場風": "bakaze", "翻牌": "sangenpai", "役牌": "sangenpai"}
#: Spellings of other programs.
_OTHERS: Final = {
    "リーチ": "riichi",
    "両立直": "double_riichi",
    "ダブルリーチ": "double_riichi",
    "門前清自摸": "menzen_tsumo",
    "断么九": "tanyao",
    "翻牌 発": "hatsu",
    "役牌 発": "hatsu",
    "混全帯么九": "chanta",
    "純全帯么九": "junchan",
    "一気通貫": "ittsu",
    "国士無双13面": "kokushi_musou_13",
    "国士無双１３面": "kokushi_musou_13",
    "純正九連宝燈": "junsei_chuuren_poutou",
    "九連宝燈": "chuuren_poutou",
    "海底撈月": "haitei",
}
_YAKU_OF: Final = {
    **{yaku.japanese: name for name, yaku in YAKU.items()},
    **_OTHERS,
    **{spelling: name for name, spelling in YAKU_SPELLINGS.items()},
}
#: How `Win.yakus` names the yaku of each spelling.
MESSAGE_OF: Final[Mapping[str, str]] = {
    **_UNNAMED,
    **{spelling: YAKU_IN_MESSAGES.get(name, name) for spelling, name in _YAKU_OF.items()},
}
#: The spelling of each yaku without a wind or a dragon, by its name in messages.
UNNAMED_SPELLINGS: Final[Mapping[str, str]] = {"jikaze": "自風", "bakaze": "場風", "sangenpai": "翻牌"}

#: The spelling of each reason of a draw, by the hub's name.
REASON_SPELLINGS: Final[Mapping[str, str]] = {
    **{name: reason.japanese for name, reason in REASONS.items()},
    "exhaustive_draw": "荒牌平局",
    "four_kans": "四開槓",
}
#: The hub's name of each reason, by its spelling. Records that come from Tenhou have `流局`.
REASON_OF: Final[Mapping[str, str]] = {
    **{reason.japanese: name for name, reason in REASONS.items()},
    **{spelling: name for name, spelling in REASON_SPELLINGS.items()},
    "全員聴牌": "exhaustive_draw",
    "全員不聴": "exhaustive_draw",
    "四槓散": "four_kans",
    "四家リーチ": "four_riichi",
    "三家和了": "triple_ron",
    "流しマンガン": "nagashi_mangan",
}
