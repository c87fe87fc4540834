"""The rules that differ from house to house, as the referee takes them."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from mjconv.ir.errors import UsageError

#: The most copies of one red five that a house may have.
_MOST_REDS: Final = 4


class House(Struct, frozen=True):
    """The rules of a house, the usual ones where nothing is said.

    `swap_calling` (kuikae) lets a player discard what the call could have taken. `open_tanyao` gives tanyao to
    open hands, `kiriage` counts 30 fu 4 han and 60 fu 3 han as mangan, `double_yakuman` counts some yakuman twice.
    `late_riichi` and `riichi_in_debt` allow riichi with no draw left, and with fewer than 1000 points. `reds` are
    the most red fives of characters, circles and bamboo.

    >>> House(swap_calling=True).reds
    (1, 1, 1)
    """

    swap_calling: bool = False
    open_tanyao: bool = True
    kiriage: bool = False
    double_yakuman: bool = False
    late_riichi: bool = False
    riichi_in_debt: bool = False
    reds: tuple[int, int, int] = (1, 1, 1)


def house_of(settings: str, house: House | None = None) -> House:
    """Read the rules of a house as ``--house`` takes them: names with commas, ``no-`` before what is not played.

    ``reds=`` has three digits, the red fives of characters, circles and bamboo. What is not named is as in
    `house`. Raises `UsageError` for what is no rule.

    >>> house = house_of("swap-calling,no-open-tanyao,reds=112")
    >>> house.swap_calling, house.open_tanyao, house.reds
    (True, False, (1, 1, 2))
    """
    house = house or House()
    changed: dict[str, Any] = {}
    for setting in filter(None, (part.strip() for part in settings.split(","))):
        name, equals, value = setting.partition("=")
        if name == "reds" and len(value) == 3 and value.isascii() and value.isdigit():
            changed["reds"] = tuple(min(int(digit), _MOST_REDS) for digit in value)
            continue
        positive = name.removeprefix("no-")
        if equals or positive not in SWITCHES:
            known = ", ".join([*SWITCHES, "reds=111"])
            raise UsageError(
                f"{setting!r} is no rule of a house; known are {known}, with no- for what is not played"
            )
        changed[positive.replace("-", "_")] = positive == name
    return replace(house, **changed)


#: The rules that are played or not, by their names on the command line.
SWITCHES: Final = tuple(
    name.replace("_", "-") for name, usual in asdict(House()).items() if isinstance(usual, bool)
)
