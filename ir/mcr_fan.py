"""The fan of Chinese Official (Mahjong Competition Rules): number, id, fan, and names in three languages.

The numbers are from the official list of 81, which has the fan in the order of their value: ``mcr_fan.json`` has
the fan, the id and the names of each. A win states its fan by these ids in `Win.yakus`. A fan that counts several
times is one entry with the sum.

>>> FAN["mixed_straight"].chinese, FAN["mixed_straight"].fan, BY_NUMBER[39].id
('花龙', 8, 'mixed_straight')
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from mjconv.ir.catalogue import catalogue


class McrFan(NamedTuple):
    """One fan. `number` is 0 for a fan that the official list does not have. `chinese` is in simplified script."""

    number: int
    id: str
    fan: int
    chinese: str
    english: str
    japanese: str
    traditional: str


_ROWS: Final = catalogue(__name__, "mcr_fan.json", list[tuple[int, str, str, str, str, str]])
#: Each fan of the official list, by its number.
BY_NUMBER: Final[Mapping[int, McrFan]] = MappingProxyType(
    {number: McrFan(number, name, fan, *names) for number, (fan, name, *names) in enumerate(_ROWS, 1)}
)
#: A concealed and a melded kong: programs of the competition count them together.
_BOTH_KONGS: Final = McrFan(
    0, "concealed_and_melded_kong", 5, "明暗杠", "Concealed and Melded Kong", "明暗槓", "明暗槓"
)
#: Each fan, by its id.
FAN: Final[Mapping[str, McrFan]] = MappingProxyType({one.id: one for one in (*BY_NUMBER.values(), _BOTH_KONGS)})


def times_of(name: str, fan: int) -> int | None:
    """Return how often a fan counts in a sum; None for an unknown fan, and for a sum that is no multiple.

    >>> times_of("short_straight", 2), times_of("all_chows", 3), times_of("riichi", 1)
    (2, None, None)
    """
    unit = FAN[name].fan if name in FAN else 0
    return fan // unit if unit and fan and fan % unit == 0 else None
