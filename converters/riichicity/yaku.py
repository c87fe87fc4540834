"""The numbers of yaku in `fang_info`, and the names that wins have for them."""

from collections.abc import Sequence
from typing import Final

from mjconv.ir.catalogue import catalogue
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.vocabulary import HAN_OF_YAKUMAN, YAKU

NAGASHI: Final = 30
_WINDS: Final = {10: "bakaze", 11: "jikaze"}
#: The hub's name of each yaku, by its number. A yaku of one house, or of no win, has none.
HUB_NAMES: Final = catalogue(__name__, "yaku.json", dict[int, str])
#: The spelling of each yaku in `Win.yakus`.
SPELLED: Final = {number: YAKU_IN_MESSAGES.get(name, name) for number, name in HUB_NAMES.items()} | _WINDS
_GREEN_WITHOUT_HATSU: Final = 47
_YAKUMAN: Final = {number for number, name in HUB_NAMES.items() if YAKU[name].yakuman} | {_GREEN_WITHOUT_HATSU}
#: Begins the name of a yaku that has only a number here.
_OTHER: Final = "riichicity:"


def names_of(yakus: Sequence[tuple[int, int]]) -> tuple[tuple[str, int], ...]:
    """Return yaku, each a number and its han, as `Win.yakus` names them. One without a han is left out.

    A yakuman counts 13 han each.

    >>> names_of([(0, 1), (51, 0), (52, 1)]), names_of([(45, 1)])
    ((('reach', 1), ('riichicity:52', 1)), (('daisangen', 13),))
    """
    return tuple([(SPELLED.get(number) or f"{_OTHER}{number}", _han(number, han)) for number, han in yakus if han])


def total_of(yakus: Sequence[tuple[int, int]], stated: int) -> int:
    """Return the han of a win: the stated han, or 13 for each yakuman.

    >>> total_of([(0, 1), (50, 2)], 3), total_of([(45, 1), (42, 1)], 2)
    (3, 26)
    """
    if any(number in _YAKUMAN for number, _ in yakus) and stated < HAN_OF_YAKUMAN:
        return sum([_han(number, han) for number, han in yakus if number in _YAKUMAN])
    return stated


def _han(number: int, han: int) -> int:
    return han * HAN_OF_YAKUMAN if number in _YAKUMAN and han < HAN_OF_YAKUMAN else han
