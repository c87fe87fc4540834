"""The rules that differ from house to house, and the option ``--house``, which states them as text."""

from typing import Any, Final, get_args

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from mjconv.ir.errors import UsageError
from mjconv.ir.match import House, Renchan

#: The usual rules.
USUAL: Final = House(
    reds=(1, 1, 1),
    open_tanyao=True,
    honba=300,
    swap_calling=False,
    kiriage=False,
    double_yakuman=False,
    counted_yakuman=True,
    late_riichi=False,
    riichi_in_debt=False,
    late_dora=False,
    early_dora=False,
    fifth_wait=False,
    wareme=False,
    local_yaku=False,
    renchan="tenpai",
)


#: The rules of some houses that change the values of wins, with their words in a note, in the order of trying.
RULES_OF_VALUES: Final = (
    (House(kiriage=True), "kiriage mangan"),
    (House(honba=1500), "1500 points a honba"),
    (House(double_yakuman=True), "double yakuman"),
    (House(double_yakuman=False), "no double yakuman"),
    (House(counted_yakuman=False), "no counted yakuman"),
)


def first_stated(*houses: House | UnsetType) -> House:
    """Return the rules of several houses: each rule is that of the first house that states it.

    >>> first_stated(House(kiriage=True), UNSET, House(kiriage=False, honba=1500))
    House(honba=1500, kiriage=True)
    """
    stated: dict[str, Any] = {}
    for house in houses:
        if house is not UNSET:
            for name in House.__struct_fields__:
                value = getattr(house, name)
                if value is not UNSET:
                    stated.setdefault(name, value)
    return House(**stated)


#: The most copies of one red five that a house may have.
_MOST_REDS: Final = 4
_HONBA_DIGITS: Final = 5


def house_of(settings: str) -> House:
    """Read the rules of a house from the value of ``--house``.

    `settings` are names, separated by commas. ``no-`` before a name switches the rule off. ``reds=`` takes three
    digits: the red fives of characters, circles and bamboo. ``honba=`` takes the points of a honba, ``renchan=`` a
    word of `RENCHAN`. Rules that `settings` does not name are absent. Raises `UsageError` for an unknown name or
    value.

    >>> house = house_of("swap-calling,no-open-tanyao,reds=112")
    >>> house.swap_calling, house.open_tanyao, house.reds
    (True, False, (1, 1, 2))
    >>> house_of("honba=1500,renchan=win")
    House(honba=1500, renchan='win')
    """
    changed: dict[str, Any] = {}
    for setting in filter(None, (part.strip() for part in settings.split(","))):
        name, _, value = setting.partition("=")
        number = value.isascii() and value.isdigit()
        positive = setting.removeprefix("no-")
        if positive in SWITCHES:
            changed[positive.replace("-", "_")] = positive == setting
        elif name == "reds" and number and len(value) == 3:
            changed["reds"] = tuple(min(int(digit), _MOST_REDS) for digit in value)
        elif name == "honba" and number and len(value) <= _HONBA_DIGITS:
            changed["honba"] = int(value)
        elif name == "renchan" and value in RENCHAN:
            changed["renchan"] = value
        else:
            known = ", ".join((*SWITCHES, *VALUED))
            raise UsageError(
                f"{setting!r} is no rule of a house; the rules are {known}; no- before a name switches it off"
            )
    return House(**changed)


#: The rules that are switched on or off, by their names on the command line.
SWITCHES: Final = tuple(name.replace("_", "-") for name, usual in asdict(USUAL).items() if isinstance(usual, bool))
#: The rules that take a value, each with its usual value.
VALUED: Final = ("reds=111", "honba=300", "renchan=tenpai")
#: The values of ``renchan=``.
RENCHAN: Final = get_args(Renchan)
