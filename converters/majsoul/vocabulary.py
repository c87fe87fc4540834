"""The numbers of yaku in `fans` and of abortive draws, and the points that a win states."""

from collections.abc import Sequence
from typing import Final

from mjconv.converters.majsoul.schema import Fan
from mjconv.converters.shared.winning_hands import DRAGON_YAKU, WinningHand, honour_groups, name_by_hand
from mjconv.ir.catalogue import catalogue
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.vocabulary import HAN_OF_YAKUMAN

#: The hub's name of each yaku, by its number. The winds have one number each for seat and round.
HUB_NAMES: Final = catalogue(__name__, "yaku.json", dict[int, str])
_NAME: Final = {number: YAKU_IN_MESSAGES.get(name, name) for number, name in HUB_NAMES.items()}
_NUMBER: Final = {name: number for number, name in HUB_NAMES.items()} | {
    f"{whose}_wind_{wind}": number
    for whose, number in (("seat", 10), ("round", 11))
    for wind in ("east", "south", "west", "north")
}
#: The numbers of the winds of seat and round, which name no wind.
WINDS_OF_ALL: Final = frozenset({10, 11})
#: Begins the name of a yaku that has only a number here.
_OTHER: Final = "majsoul:"
_URA: Final = 33
#: The least number of a yaku of an event mode.
EVENT_YAKU: Final = 1000
#: The hub's name of each reason of an abortive draw, by its number.
REASONS: Final = catalogue(__name__, "reasons.json", dict[int, str])
REASON_NUMBERS: Final = {name: number for number, name in REASONS.items()}


def names_of(fans: Sequence[Fan], *, yakuman: bool) -> tuple[tuple[str, int], ...]:
    """Return yaku as `Win.yakus` names them. Of a `yakuman`, the values count yakuman of 13 han each.

    Ura dora without a han are left out: every winner in riichi has them.

    >>> names_of([Fan(2, 1), Fan(33, 0), Fan(51, 1)], yakuman=False)
    (('reach', 1), ('majsoul:51', 1))
    """
    unit = HAN_OF_YAKUMAN if yakuman else 1
    return tuple(
        [(_NAME.get(fan.id) or f"{_OTHER}{fan.id}", fan.val * unit) for fan in fans if fan.val or fan.id != _URA]
    )


def fans_of(
    yakus: Sequence[tuple[str, int]], hand: WinningHand, *, yakuman: bool, riichi: bool
) -> list[dict[str, int]]:
    """Return yaku as `fans`. Names that Mahjong Soul does not know are left out.

    >>> hand = WinningHand((), "5m", (), "E", "S")
    >>> fans_of([("reach", 1), ("majsoul:51", 1)], hand, yakuman=False, riichi=True)
    [{'id': 2, 'val': 1}, {'id': 51, 'val': 1}, {'id': 33, 'val': 0}]
    """
    unit = HAN_OF_YAKUMAN if yakuman else 1
    groups = set(honour_groups(hand))
    dragons = iter([name for tile, name in DRAGON_YAKU.items() if tile in groups])
    fans = []
    for spelling, han in yakus:
        name = name_by_hand(spelling, hand, dragons) or spelling
        number = _NUMBER.get(name)
        if number is None and name.startswith(_OTHER) and name[len(_OTHER) :].isdecimal():
            number = int(name[len(_OTHER) :][:9])
        if number is not None:
            fans.append({"id": number, "val": han // unit})
    if riichi and all(fan["id"] != _URA for fan in fans):
        fans.append({"id": _URA, "val": 0})
    return fans
