"""Tenhou's numbers and spellings of the field's terms, and the hub's names for them.

The tables serve both syntaxes: mjlog XML has numbers, tenhou.net/6 JSON has the Japanese spellings.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import UNSET, UnsetType

from mjconv.converters.shared.yaku_numbers import YAKU_BY_ID
from mjconv.ir.match import Length, Rules
from mjconv.ir.vocabulary import YAKU

#: The number of each yaku in mjlog. A north that was set aside counts as dora.
YAKU_IDS: Final[Mapping[str, int]] = MappingProxyType(
    {name: number for number, name in enumerate(YAKU_BY_ID)} | {"nukidora": 52}
)
#: Tenhou's Japanese spelling of each yaku: the hub's Japanese name, but for the digits of one.
YAKU_SPELLINGS: Final[Mapping[str, str]] = MappingProxyType(
    {name: YAKU[name].japanese for name in YAKU_BY_ID} | {"kokushi_musou_13": "国士無双１３面", "nukidora": "ドラ"}
)
_SPELLED_YAKU: Final = {spelling: name for name, spelling in YAKU_SPELLINGS.items() if name != "nukidora"} | {
    "国士無双13面": "kokushi_musou_13",
    "国士無双十三面": "kokushi_musou_13",
}

#: The order of yaku in a list, by their numbers. The honours of `VALUE_TILES` stand where 10 is; their own order
#: is that of the groups of the hand.
_YAKU_ORDER: Final = (
    *(1, 21, 2, 3, 4, 5, 6, 0, 7, 22, 32, 9, 25, 24, 30, 29, 28, 26, 27, 31, 8),
    *range(10, 21),
    *(33, 23, 34, 35, 36, *range(37, 52), 52, 54, 53),
)
#: The place of each yaku in a list, by the hub's name.
YAKU_ORDER: Final[Mapping[str, int]] = MappingProxyType(
    {name: _YAKU_ORDER.index(number) for name, number in YAKU_IDS.items()}
)
#: The yaku of winds and dragons: Tenhou lists them in the order of the groups of the hand.
VALUE_TILES: Final = frozenset(YAKU_BY_ID[10:21])

#: The hub's name of each reason of a draw, by the `type` of RYUUKYOKU; empty for an exhausted wall.
REASON_BY_TYPE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "": "exhaustive_draw",
        "nm": "nagashi_mangan",
        "yao9": "nine_kinds",
        "kaze4": "four_winds",
        "reach4": "four_riichi",
        "kan4": "four_kans",
        "ron3": "triple_ron",
    }
)
#: The `type` of RYUUKYOKU of each reason.
TYPE_BY_REASON: Final[Mapping[str, str]] = MappingProxyType(
    {name: number for number, name in REASON_BY_TYPE.items()}
)
#: The Japanese spelling of each reason as Tenhou writes it in tenhou.net/6. An exhausted wall has two more, for
#: hands that are all in tenpai and for none in tenpai.
REASON_SPELLINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "exhaustive_draw": "流局",
        "nagashi_mangan": "流し満貫",
        "nine_kinds": "九種九牌",
        "four_winds": "四風連打",
        "four_riichi": "四家立直",
        "four_kans": "四槓散了",
        "triple_ron": "三家和了",
    }
)
ALL_TENPAI: Final = "全員聴牌"
NONE_TENPAI: Final = "全員不聴"
_SPELLED_REASONS: Final = {spelling: name for name, spelling in REASON_SPELLINGS.items()} | {
    ALL_TENPAI: "exhaustive_draw",
    NONE_TENPAI: "exhaustive_draw",
    # Other programs' spellings.
    "三家和": "triple_ron",
    "四開槓": "four_kans",
    "四槓散": "four_kans",
    "四家リーチ": "four_riichi",
    "荒牌平局": "exhaustive_draw",
}

#: The names of limits, by the number of the limit in mjlog: none, mangan to yakuman.
LIMITS: Final = ("", "満貫", "跳満", "倍満", "三倍満", "役満")

#: The names of ranks, by their numbers.
RANKS: Final = (
    "新人",
    *("９級", "８級", "７級", "６級", "５級", "４級", "３級", "２級", "１級"),
    *("初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段"),
    "天鳳",
)

# The bits of a GO type.
HUMANS: Final = 0x1
NO_RED: Final = 0x2
NO_OPEN_TANYAO: Final = 0x4
SOUTH: Final = 0x8
THREE: Final = 0x10
FAST: Final = 0x40
#: The bits that `rules_of` reads.
RULE_BITS: Final = NO_RED | NO_OPEN_TANYAO | SOUTH | THREE
#: The rooms, by their number: bit 0x20 of the type is the higher bit of it, 0x80 the lower.
ROOMS: Final = ("般", "上", "特", "鳳")


def yaku_of(spelling: str) -> str | None:
    """Return the hub's name of a yaku that Tenhou spells in Japanese, or None for an unknown spelling.

    >>> yaku_of("役牌 中"), yaku_of("?")
    ('chun', None)
    """
    return _SPELLED_YAKU.get(spelling)


def reason_of(spelling: str) -> str | None:
    """Return the hub's name of a reason of a draw that a record spells in Japanese, or None if it is unknown.

    >>> reason_of("全員聴牌"), reason_of("三家和")
    ('exhaustive_draw', 'triple_ron')
    """
    return _SPELLED_REASONS.get(spelling)


def rules_of(go_type: int) -> Rules:
    """Return the rules that a GO type states.

    >>> rules_of(169)
    Rules(reds=(1, 1, 1), open_tanyao=True, length='south', players=4)
    """
    players = 3 if go_type & THREE else 4
    return Rules(
        reds=(0, 0, 0) if go_type & NO_RED else (0, 1, 1) if players == 3 else (1, 1, 1),
        open_tanyao=not go_type & NO_OPEN_TANYAO,
        length="south" if go_type & SOUTH else "east",
        players=players,
    )


def type_of(rules: Rules | UnsetType, players: int, usual: int = HUMANS) -> int:
    """Return a GO type: the bits of the rules that are stated, and those of `usual` for everything else.

    A rule that is not stated counts as the usual one: red fives, open tanyao, a game of two winds.

    >>> type_of(Rules(length="east", open_tanyao=False), 4), type_of(UNSET, 3), type_of(UNSET, 4, usual=0xA9)
    (5, 25, 169)
    """
    rules = Rules() if rules is UNSET else rules
    bits = SOUTH if rules.length is UNSET or _LONG[rules.length] else 0
    bits |= NO_RED if rules.reds is not UNSET and not any(rules.reds) else 0
    bits |= NO_OPEN_TANYAO if rules.open_tanyao is False else 0
    bits |= THREE if players == 3 else 0
    return usual & ~RULE_BITS | bits


_LONG: Final[dict[Length, bool]] = {"one round": False, "east": False, "south": True, "west": True}


def display_of(go_type: int) -> str:
    """Return the name of the rules as Tenhou's exports display it.

    >>> display_of(169), display_of(185), display_of(0xE1)
    ('鳳南喰赤', '三鳳南喰赤', '鳳東喰赤速')
    """
    room = ROOMS[(go_type & 0x20) >> 4 | (go_type & 0x80) >> 7]
    return "".join(
        (
            "三" if go_type & THREE else "",
            room,
            "南" if go_type & SOUTH else "東",
            "" if go_type & NO_OPEN_TANYAO else "喰",
            "" if go_type & NO_RED else "赤",
            "速" if go_type & FAST else "",
        )
    )
