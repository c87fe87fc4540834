"""The option ``--house``: the rules of a house as text."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import asdict, replace

from mjconv.ir.errors import UsageError
from mjconv.rules.house import House

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
