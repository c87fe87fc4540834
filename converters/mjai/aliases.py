"""Aliases: the names of messages and keys in older logs and other programs.

The reader replaces an alias by the standard name. The writer writes standard names only. The accepted set of
schemas has the same aliases, and tests compare the two.
"""

from typing import Any, Final

from mjconv.ir.catalogue import catalogue
from mjconv.ir.events import KEYS as STANDARD_KEYS

#: The standard name of a message, by its alias. RiichiEnv's reader takes every ``kan`` for an open kan.
TYPES: Final[dict[str, str]] = {"kita": "nukidora", "kan": "daiminkan"}

#: The standard name of a key by its alias, by the standard name of the message.
KEYS: Final = catalogue(__name__, "aliases.json", dict[str, dict[str, str]])

_SEATS: Final = {str(seat): seat for seat in range(4)}


def spellings(key: str) -> tuple[str, ...]:
    """Return the names that a key may have in a message, the standard name first.

    >>> spellings("ura_markers")
    ('ura_markers', 'uradora_markers')
    """
    others = [alias for aliases in KEYS.values() for alias, standard in aliases.items() if standard == key]
    return (key, *dict.fromkeys(others))


def fold(message: dict[str, Any]) -> dict[str, Any]:
    """Return the message with standard names. Return the same object if it has no aliases.

    Also replaces an `id` that is a string of one digit, and whole numbers that are written as fractions (`whole`).
    If a message has a key under both names, the standard key counts, and the alias stays as a key without a
    meaning. Values are not checked. The order of keys stays.

    >>> fold({"type": "kita", "actor": 2})
    {'type': 'nukidora', 'actor': 2}
    >>> fold({"type": "hora", "actor": 1, "target": 0, "han": 3.0})
    {'type': 'hora', 'actor': 1, 'target': 0, 'fan': 3}
    """
    name = message.get("type")
    if not isinstance(name, str):
        return message
    standard = TYPES.get(name, name)
    folded = _with_standard_keys(message, KEYS.get(standard, {}))
    changed = {key: value for key, value in _standard_values(standard, folded).items() if value is not folded[key]}
    if standard != name:
        changed["type"] = standard
    return {**folded, **changed} if changed else folded


def whole(value: Any, depth: int = 2) -> Any:
    """Return the integer for a whole number that is written as a fraction. Return any other value unchanged.

    Lists are searched too, to a depth of `depth`: no key of mjai holds deeper lists. In JSON 1.0 and 1 are equal,
    and the ``integer`` of a schema accepts both.

    >>> whole(1.0), whole(1.5), whole([25000.0, 1])
    (1, 1.5, [25000, 1])
    """
    if isinstance(value, float) and value.is_integer():
        return int(value)
    # A list that ends with a string holds tiles, and no numbers.
    if isinstance(value, list) and depth and not (value and isinstance(value[-1], str)):
        items = [whole(item, depth - 1) for item in value]
        if any(new is not old for new, old in zip(items, value, strict=True)):
            return items
    return value


def _with_standard_keys(message: dict[str, Any], aliases: dict[str, str]) -> dict[str, Any]:
    names = {alias: key for alias, key in aliases.items() if alias in message and key not in message}
    return {names.get(key, key): value for key, value in message.items()} if names else message


def _standard_values(name: str, message: dict[str, Any]) -> dict[str, Any]:
    """Return the values of the standard keys of a message, in standard spelling."""
    values = {key: whole(message[key]) for key in STANDARD_KEYS.get(name, ()) if key in message}
    if isinstance(values.get("id"), str):
        values["id"] = _SEATS.get(values["id"], values["id"])
    return values
