"""The yaku of a win: as an mjlog numbers them, as tenhou.net/6 JSON spells them, and in Tenhou's order."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from mjconv.converters.shared.winning_hands import (
    DRAGON_YAKU,
    YAKU_BY_ID,
    YAKU_NUMBERS,
    Scored,
    WinningHand,
    honour_groups,
    hub_yaku,
    winning_hand,
)
from mjconv.ir import events as ev
from mjconv.ir.catalogue import catalogue
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.table import Table
from mjconv.ir.tiles import WINDS, Tile
from mjconv.ir.vocabulary import HAN_OF_YAKUMAN, WIND_NAMES, YAKU

#: Tenhou's Japanese spelling of each yaku: the hub's Japanese name, but for the digits of one.
_SPELLINGS: Final = {name: YAKU[name].japanese for name in YAKU_BY_ID} | {"kokushi_musou_13": "国士無双１３面"}
_BY_SPELLING: Final = {spelling: name for name, spelling in _SPELLINGS.items()} | {
    "国士無双13面": "kokushi_musou_13",
    "国士無双十三面": "kokushi_musou_13",
}

#: A wind that is a yaku, where the record does not name the wind.
SEAT_WIND: Final = "seat_wind"
ROUND_WIND: Final = "round_wind"
#: A dragon that is a yaku, where the record does not name the dragon.
DRAGON: Final = "dragon"
#: The Japanese words for these.
UNNAMED: Final[Mapping[str, str]] = {SEAT_WIND: "自風", ROUND_WIND: "場風", DRAGON: "役牌"}

#: The spellings that other programs write into tenhou.net/6 JSON. They are read, not written. Converters of
#: Mahjong Soul's games write its Japanese, romanised or English names.
_OTHER_NAMES: Final = catalogue(__name__, "yaku.json", dict[str, list[str]])
_BY_OTHER_NAME: Final = {
    spelling.lower(): name for name, spellings in _OTHER_NAMES.items() for spelling in spellings
}

#: The order of yaku in a list, by their numbers. The honours of `_VALUE_TILES` are in the place of 10, in the
#: order of the groups of the hand.
_ORDER: Final = (
    *(1, 21, 2, 3, 4, 5, 6, 0, 7, 22, 32, 9, 25, 24, 30, 29, 28, 26, 27, 31, 8),
    *range(10, 21),
    *(33, 23, 34, 35, 36, *range(37, 52), 52, 54, 53),
)
_PLACES: Final = {name: _ORDER.index(number) for name, number in YAKU_NUMBERS.items()}
#: The yaku of winds and dragons, and their tiles: Tenhou lists them in the order of the groups of the hand.
_VALUE_TILES: Final = {
    **{f"{whose}_wind_{WIND_NAMES[wind]}": wind for whose in ("seat", "round") for wind in WINDS},
    **{name: tile for tile, name in DRAGON_YAKU.items()},
}
_IN_MESSAGES: Final = {
    **YAKU_IN_MESSAGES,
    SEAT_WIND: YAKU_IN_MESSAGES["seat_wind_east"],
    ROUND_WIND: YAKU_IN_MESSAGES["round_wind_east"],
    DRAGON: YAKU_IN_MESSAGES["haku"],
}
#: The hub's name of each name in messages, where the hand is not known.
_ALONE: Final = {spelling: name for name, spelling in _IN_MESSAGES.items()}
#: The most characters of a yaku that are read.
_LONGEST: Final = 200
_WORDS: Final = re.compile(r"(?P<name>.{1,160})\((?:(?P<han>[0-9]{1,3})(?:飜|翻|Han)|役満|Yakuman ?)\)")


def yaku_of(win: ev.Win, table: Table, round_wind: Tile, *, ordered: bool = True) -> dict[str, int]:
    """Return the han of each yaku of a win, by the hub's names. Norths that were set aside count as dora.

    `table` is the table before the win. With `ordered`, the yaku are in Tenhou's order, else in the order of the
    win. A yaku of an unknown name keeps its name.

    >>> table = Table(((), (), (), ("C", "C", "W", "W", "W")), 3)
    >>> table.apply(ev.Draw(3, "C"))
    >>> win = ev.Win(3, target=3, yakus=(("dora", 1), ("sangenpai", 1), ("nukidora", 2)))
    >>> yaku_of(win, table, "S")
    {'chun': 1, 'dora': 3}
    """
    hand = winning_hand(table, win, round_wind)
    named = hub_yaku(win.yakus or (), hand)
    if named is None:
        named = [(_ALONE.get(name, name), han) for name, han in win.yakus or ()]
    worth: dict[str, int] = {}
    for name, han in named:
        merged = "dora" if name == "nukidora" else name
        worth[merged] = worth.get(merged, 0) + han
    return dict(in_order(list(worth.items()), hand)) if ordered else worth


def in_order(yaku: Sequence[Scored], hand: WinningHand) -> list[Scored]:
    """Return yaku in the order in which Tenhou lists them.

    Honours follow the groups of the hand: closed triplets, then calls. Of one group, the round wind is first.

    >>> hand = WinningHand(("5m",) * 2, "5m", ("C", "E"), "E", "S")
    >>> [name for name, _ in in_order([("dora", 1), ("round_wind_east", 1), ("chun", 1)], hand)]
    ['chun', 'round_wind_east', 'dora']
    """
    valued = any(name in _VALUE_TILES for name, _ in yaku)
    sets = list(honour_groups(hand)) if valued else []

    def place(one: Scored) -> tuple[int, int, bool]:
        name = one[0]
        if name not in _VALUE_TILES:
            return _PLACES.get(name, len(_PLACES)), 0, False
        tile = _VALUE_TILES[name]
        return _PLACES[YAKU_BY_ID[10]], sets.index(tile) if tile in sets else 0, name.startswith("seat")

    return sorted(yaku, key=place)


# Names in messages.


def in_messages(name: str, han: int, norths: int) -> list[tuple[str, int]]:
    """Return a yaku as `Win.yakus` names it; an unknown name stays as it is.

    `norths` is the number of norths that the winner set aside: Tenhou counts them as dora.

    >>> in_messages("hatsu", 1, 0), in_messages("a house's own", 1, 0), in_messages("dora", 3, 2)
    ([('sangenpai', 1)], [("a house's own", 1)], [('dora', 1), ('nukidora', 2)])
    """
    if name != "dora" or not 0 < norths <= han:
        return [(_IN_MESSAGES.get(name, name), han)]
    return [*([("dora", han - norths)] if han > norths else []), ("nukidora", norths)]


# The numbers of mjlog.


class ListedYaku(NamedTuple):
    """The yaku of a win as an mjlog lists them: the text, all han, and the number of yakuman."""

    text: str
    han: int
    yakuman: int


def listed_yaku(yaku: Mapping[str, int]) -> ListedYaku:
    """Return yaku as an mjlog lists them: number and han of each, or the numbers of yakuman alone.

    A yaku that Tenhou does not have is left out.

    >>> listed_yaku({"riichi": 1, "dora": 3})
    ListedYaku(text='1,1,52,3', han=4, yakuman=0)
    >>> listed_yaku({"daisangen": 13})
    ListedYaku(text='39', han=13, yakuman=1)
    """
    known = {name: han for name, han in yaku.items() if name in YAKU_NUMBERS}
    han = sum(known.values())
    yakuman = han // HAN_OF_YAKUMAN if any(YAKU[name].yakuman for name in known) else 0
    parts = [
        str(YAKU_NUMBERS[name]) if yakuman else f"{YAKU_NUMBERS[name]},{worth}" for name, worth in known.items()
    ]
    return ListedYaku(",".join(parts), han, yakuman)


# The words of tenhou.net/6 JSON.


def read_yaku(text: str) -> Scored | None:
    """Read a yaku: the hub's name of it, or its own if that is unknown, and its han. None where the text is none.

    >>> read_yaku("役牌 發(1飜)"), read_yaku("四槓子(役満)"), read_yaku("Riichi(1飜)"), read_yaku("?")
    (('hatsu', 1), ('suukantsu', 13), ('riichi', 1), None)
    """
    # The length is checked here: the cache keeps its keys.
    return _read_yaku(text) if len(text) <= _LONGEST else None


@lru_cache(1024)
def _read_yaku(text: str) -> Scored | None:
    form = _WORDS.fullmatch(text)
    if form is None:
        return None
    name = form["name"]
    known = _BY_SPELLING.get(name) or _BY_OTHER_NAME.get(name.lower(), name)
    return known, HAN_OF_YAKUMAN if form["han"] is None else int(form["han"])


def write_yaku(name: str, han: int) -> str:
    """Write a yaku by the hub's name as Tenhou does; an unknown name is written as it is.

    >>> write_yaku("hatsu", 1), write_yaku("suukantsu", 13)
    ('役牌 發(1飜)', '四槓子(役満)')
    """
    known = YAKU.get(name)
    worth = "役満" if known is not None and known.yakuman else f"{han}飜"
    return f"{_SPELLINGS.get(name) or UNNAMED.get(name, name)}({worth})"
