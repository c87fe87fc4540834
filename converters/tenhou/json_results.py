"""The results of rounds in tenhou.net/6 JSON: who wins from whom, the value of the hand in words, and the yaku.

``["和了", [8000,0,0,-8000], [0,3,0,"満貫8000点","清一色(5飜)"]]``
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from mjconv.converters.tenhou.json_spellings import LIMIT_NUMBERS, UNNAMED, YAKU_NAMES
from mjconv.converters.tenhou.vocabulary import LIMITS, YAKU_SPELLINGS, yaku_of
from mjconv.ir.vocabulary import YAKU

#: The word for a win.
WON: Final = "和了"
#: The result of a round that breaks off: Tenhou's own records do not break off.
BROKEN_OFF: Final = "中断"
#: The number of the limit of a yakuman, in `LIMITS`.
YAKUMAN: Final = 5
#: The han of a yakuman, as the hub counts it.
HAN_OF_YAKUMAN: Final = 13
#: The most han of a hand below the limits.
_MOST_HAN: Final = 13
#: The most characters of a value or of a yaku that are read.
_LONGEST: Final = 200

_VALUE: Final = re.compile(
    r"(?:(?P<fu>[0-9]{1,3})(?:符|Fu)(?P<han>[0-9]{1,3})(?:飜|翻|Han)|(?P<limit>[^0-9]{1,20}?))? ?"
    r"(?:(?P<low>[0-9]{1,9})-)?(?P<points>[0-9]{1,9})(?:点|Points)(?P<all>∀)?"
)
_YAKU: Final = re.compile(r"(?P<name>.{1,160})\((?:(?P<han>[0-9]{1,3})(?:飜|翻|Han)|役満|Yakuman ?)\)")
_LIMITS: Final = {**LIMIT_NUMBERS} | {name: number for number, name in enumerate(LIMITS) if name}


class Value(NamedTuple):
    """The value of a hand as words state it.

    `fu` and `han` are stated for hands below the limits, `limit` (a number of `LIMITS`) for the others. `points`
    are all points of the hand, without honba and sticks.
    """

    points: int
    fu: int | None = None
    han: int | None = None
    limit: int = 0


def read_value(text: str, seats: int) -> Value | None:
    """Read the value of a hand, or return None where the text states none. `seats` is the number of players.

    >>> read_value("30符4飜2000-3900点", 4)
    Value(points=7900, fu=30, han=4, limit=0)
    >>> read_value("倍満8000点∀", 4), read_value("満貫2000-4000点", 3).points, read_value("?", 4)
    (Value(points=24000, fu=None, han=None, limit=3), 6000, None)
    """
    # The length is checked here: the cache keeps its keys.
    return _read_value(text, seats) if len(text) <= _LONGEST else None


@lru_cache(1024)
def _read_value(text: str, seats: int) -> Value | None:
    form = _VALUE.fullmatch(text)
    if form is None or (form["limit"] is not None and form["limit"].lower() not in _LIMITS):
        return None
    points = int(form["points"])
    if form["low"] is not None:
        points += int(form["low"]) * (seats - 2)
    elif form["all"] is not None:
        points *= seats - 1
    fu, han = form["fu"], form["han"]
    limit = 0 if form["limit"] is None else _LIMITS[form["limit"].lower()]
    return Value(points, None if fu is None else int(fu), None if han is None else int(han), limit)


def write_value(value: Value, seats: int, *, tsumo: bool, dealer: bool) -> str:
    """Write the value of a hand as Tenhou does. `dealer`: whether the dealer wins.

    >>> write_value(Value(7900, 30, 4), 4, tsumo=True, dealer=False)
    '30符4飜2000-3900点'
    >>> write_value(Value(24000, limit=3), 4, tsumo=True, dealer=True)
    '倍満8000点∀'
    """
    words = LIMITS[value.limit]
    if not value.limit and value.fu is not None and value.han is not None:
        words = f"{value.fu}符{value.han}飜"
    if not tsumo:
        return f"{words}{value.points}点"
    if dealer:
        return f"{words}{value.points // (seats - 1)}点∀"
    other = value.points // seats
    if not value.limit and value.fu is not None and value.han is not None:
        other = _share(value.fu, value.han, 1)
    return f"{words}{other}-{value.points - other * (seats - 2)}点"


def hand_points(fu: int, han: int, seats: int, *, tsumo: bool, dealer: bool) -> int:
    """Return the points of a hand below the limits, without honba and sticks. `dealer`: whether the dealer wins.

    >>> hand_points(30, 4, 4, tsumo=True, dealer=False), hand_points(30, 2, 4, tsumo=False, dealer=True)
    (7900, 2900)
    """
    if not tsumo:
        return _share(fu, han, 6 if dealer else 4)
    if dealer:
        return _share(fu, han, 2) * (seats - 1)
    return _share(fu, han, 1) * (seats - 2) + _share(fu, han, 2)


def _share(fu: int, han: int, times: int) -> int:
    """Return the basic points of a hand so many times, rounded up to hundreds."""
    return -(-(fu << (2 + min(han, _MOST_HAN))) * times // 100) * 100


def read_yaku(text: str) -> tuple[str, int] | None:
    """Read a yaku: the hub's name of it, or its own if that is unknown, and its han. None where the text is none.

    >>> read_yaku("役牌 發(1飜)"), read_yaku("四槓子(役満)"), read_yaku("Riichi(1飜)"), read_yaku("?")
    (('hatsu', 1), ('suukantsu', 13), ('riichi', 1), None)
    """
    return _read_yaku(text) if len(text) <= _LONGEST else None


@lru_cache(1024)
def _read_yaku(text: str) -> tuple[str, int] | None:
    form = _YAKU.fullmatch(text)
    if form is None:
        return None
    name = form["name"]
    known = yaku_of(name) or YAKU_NAMES.get(name.lower(), name)
    return known, HAN_OF_YAKUMAN if form["han"] is None else int(form["han"])


def write_yaku(name: str, han: int) -> str:
    """Write a yaku by the hub's name as Tenhou does; an unknown name is written as it is.

    >>> write_yaku("hatsu", 1), write_yaku("suukantsu", 13)
    ('役牌 發(1飜)', '四槓子(役満)')
    """
    known = YAKU.get(name)
    worth = "役満" if known is not None and known.yakuman else f"{han}飜"
    return f"{YAKU_SPELLINGS.get(name) or UNNAMED.get(name, name)}({worth})"
