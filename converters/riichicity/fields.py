"""Checked values of the fields of a record. An absent field is zero, false or empty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mjconv.converters.riichicity.extras import Fields
from mjconv.converters.riichicity.tiles import TILE_OF
from mjconv.converters.shared.json_values import WrongValueError, check_list, check_number, shown
from mjconv.ir.events import MOST_POINTS

#: The largest count of honba, sticks, fu and han.
MOST: Final = 9999
#: The largest id of a player, and the largest time.
MOST_ID: Final = 1 << 62
#: The most values of a list for which no smaller number holds.
_MOST_VALUES: Final = 64
_TILES: Final = frozenset(TILE_OF)


def number(fields: Fields, key: str, least: int = 0, most: int = MOST) -> int:
    """Return a whole number of a field. Raises `WrongValueError`.

    >>> number({"all_fu": 30}, "all_fu"), number({}, "all_fu")
    (30, 0)
    """
    value = fields.get(key, 0)
    if type(value) is not int or not least <= value <= most:
        check_number(value, (key,), f"a number from {least} to {most}", least, most)
    return value  # type: ignore[no-any-return]


def points(fields: Fields, key: str) -> int:
    """Return the points of a field. Raises `WrongValueError`."""
    return check_number(fields.get(key, 0), (key,), "points", -MOST_POINTS, MOST_POINTS)


def tile(fields: Fields, key: str) -> int:
    """Return the number of a tile of a field. Raises `WrongValueError`.

    >>> tile({"card": 261}, "card")
    261
    """
    value = fields.get(key, 0)
    if type(value) is not int or value not in _TILES:
        raise WrongValueError(f"expected the number of a tile, not {shown(value)}", (key,))
    return value


def tiles(fields: Fields, key: str, most: int = 14) -> list[int]:
    """Return the numbers of the tiles of a field; none if it is absent or null. Raises `WrongValueError`.

    >>> tiles({"group_cards": [1, 1]}, "group_cards"), tiles({"group_cards": None}, "group_cards")
    ([1, 1], [])
    """
    value = fields.get(key)
    if value is None:
        return []
    for at, each in enumerate(check_list(value, (key,), f"a list of {most} tiles at most", most=most)):
        if type(each) is not int or each not in TILE_OF:
            raise WrongValueError(f"expected the number of a tile, not {shown(each)}", (key, at))
    return value  # type: ignore[no-any-return]


def objects(fields: Fields, key: str, most: int = _MOST_VALUES) -> list[Fields]:
    """Return the objects in a list of a field; none if it is absent or null. Raises `WrongValueError`."""
    value = fields.get(key)
    if value is None:
        return []
    for at, each in enumerate(check_list(value, (key,), f"a list of {most} objects at most", most=most)):
        if not isinstance(each, dict):
            raise WrongValueError(f"expected an object, not {shown(each)}", (key, at))
    return value  # type: ignore[no-any-return]


def seat_of(fields: Fields, seats: Mapping[int, int], key: str = "user_id") -> int:
    """Return the seat of the player whom a field names. Raises `WrongValueError`."""
    value = fields.get(key, 0)
    found = seats.get(value) if type(value) is int else None
    if found is None:
        raise WrongValueError(f"{key} is {shown(value)}, and no player of the game has this id", (key,))
    return found


def within(error: WrongValueError, *path: str | int) -> WrongValueError:
    """Return an error with the path to it from an outer value.

    >>> within(WrongValueError("wrong", ("card",)), "data").path
    ('data', 'card')
    """
    return WrongValueError(str(error), (*path, *error.path))


def by_seat(
    fields: Fields, key: str, seats: Mapping[int, int], value: str, *, stated: bool = False
) -> list[int] | None:
    """Return the points of each player from a list of objects with `user_id`; None if a player is not in it.

    `value` is the key of the points. If they must be `stated`, an object without them counts as absent.
    """
    found: dict[int, int] = {}
    for at, one in enumerate(objects(fields, key)):
        try:
            seat = seat_of(one, seats)
            if not stated or value in one:
                found[seat] = points(one, value)
        except WrongValueError as error:
            raise within(error, key, at) from None
    return [found[seat] for seat in range(len(seats))] if len(found) == len(seats) else None
