"""The rules that differ from house to house, and the option ``--house``, which states them as text."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from mjconv.ir.errors import UsageError


class House(Struct, frozen=True):
    """The rules of a house. Each default is the usual rule.

    | field | effect |
    | --- | --- |
    | `swap_calling` | a player may discard a tile that the call could have taken (kuikae) |
    | `open_tanyao` | an open hand can have tanyao |
    | `kiriage` | 30 fu 4 han and 60 fu 3 han count as mangan |
    | `double_yakuman` | some yakuman count double |
    | `late_riichi` | riichi may be declared when no draw is left |
    | `riichi_in_debt` | riichi may be declared with fewer than 1000 points |
    | `late_dora` | the dora indicator of a concealed kan may be turned after its replacement is drawn |
    | `fifth_wait` | a hand that waits only for tiles of which it holds all four is tenpai |
    | `reds` | the number of red fives of characters, circles and bamboo, at most |

    >>> House(swap_calling=True).reds
    (1, 1, 1)
    """

    swap_calling: bool = False
    open_tanyao: bool = True
    kiriage: bool = False
    double_yakuman: bool = False
    late_riichi: bool = False
    riichi_in_debt: bool = False
    late_dora: bool = False
    fifth_wait: bool = False
    reds: tuple[int, int, int] = (1, 1, 1)


#: The most copies of one red five that a house may have.
_MOST_REDS: Final = 4


def house_of(settings: str, house: House | None = None) -> House:
    """Read the rules of a house from the value of ``--house``.

    `settings` are names, separated by commas. ``no-`` before a name switches the rule off. ``reds=`` takes three
    digits: the red fives of characters, circles and bamboo. Rules that `settings` does not name are those of
    `house`. Raises `UsageError` for an unknown name or value.

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
                f"{setting!r} is no rule of a house; the rules are {known}; no- before a name switches it off"
            )
        changed[positive.replace("-", "_")] = positive == name
    return replace(house, **changed)


#: The rules that are switched on or off, by their names on the command line.
SWITCHES: Final = tuple(
    name.replace("_", "-") for name, usual in asdict(House()).items() if isinstance(usual, bool)
)
