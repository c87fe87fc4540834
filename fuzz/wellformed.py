"""Ways to break the values in the JSON of messages and notes; the result is still JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Any, Final

from fuzz.values import KEYS, OF_KEYS, VALUES

#: JSON objects and arrays that fill a line.
_LINE: Final = re.compile(rb"(?m)^[ \t]*([\[{].*[\]}])[ \t\r]*$")
#: The JSON of a note: the rest of the line after its mark.
_NOTE: Final = re.compile(rb"(?m)mjconv:?[ \t]+(\{.*\})[ \t\r]*$")
_MOST_CHANGES: Final = 3
_KNOWN: Final = tuple(OF_KEYS)


def break_json(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    """Change values, keys and items in the JSON of one line."""
    return _changed(data, _LINE, rng)


def break_note(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    """Change values, keys and items of one note. The digest mostly stays, so the reader still applies the note."""
    return _changed(data, _NOTE if _NOTE.search(data) else _LINE, rng, only="mjconv")


def _changed(data: bytes, pattern: re.Pattern[bytes], rng: Random, only: str | None = None) -> bytes:
    found = list(pattern.finditer(data))
    if not found:
        return data
    one = rng.choice(found)
    try:
        value = json.loads(one[1])
    except (ValueError, RecursionError):
        return data
    inside = isinstance(value, dict) and only in value
    holder: Any = [value[only] if inside else value]
    for _ in range(rng.randrange(1, _MOST_CHANGES + 1)):
        _change(holder, rng)
    if inside:
        value[only] = holder[0]
    else:
        value = holder[0]
    return (
        data[: one.start(1)]
        + json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
        + data[one.end(1) :]
    )


def _change(holder: list[Any], rng: Random) -> None:
    """Change one value at any depth below the one item of a list."""
    inside: Any = holder
    while True:
        keys = [*inside] if isinstance(inside, dict) else [*range(len(inside))]
        below = [key for key in keys if isinstance(inside[key], (dict, list)) and inside[key]]
        if not below or (inside is not holder and not rng.randrange(3)):
            break
        inside = inside[rng.choice(below)]
    if inside is holder:
        holder[0] = _value(rng)
    elif isinstance(inside, dict):
        _change_object(inside, rng)
    else:
        _change_array(inside, rng)


def _change_object(inside: dict[str, Any], rng: Random) -> None:
    kind = rng.randrange(6)
    key = rng.choice([*inside] or [""])
    if key == "digest" and rng.randrange(10):
        kind = 1
    if kind == 0:
        inside.pop(key, None)
    elif kind == 1:
        further = rng.choice(KEYS if rng.randrange(2) else _KNOWN)
        inside[further] = _value(rng, further)
    elif kind == 2:
        inside[rng.choice(KEYS)] = deepcopy(inside.get(key))
    elif kind == 3:
        inside[key] = _near(inside.get(key), rng)
    else:
        inside[key] = _value(rng, key)


def _change_array(inside: list[Any], rng: Random) -> None:
    at = rng.randrange(len(inside) + 1)
    kind = rng.randrange(5)
    if kind == 0:
        del inside[at : at + 1]
    elif kind == 1:
        inside.insert(at, _value(rng))
    elif kind == 2 and inside:
        inside[at:at] = [deepcopy(rng.choice(inside))] * rng.choice((1, 2, 200))
    elif inside:
        at = rng.randrange(len(inside))
        inside[at] = _near(inside[at], rng) if kind == 3 else _value(rng)


def _value(rng: Random, key: str = "") -> Any:
    """Return any value; for a known key, mostly one of its type."""
    return deepcopy(rng.choice(OF_KEYS[key] if key in OF_KEYS and rng.randrange(4) else VALUES))


def _near(value: Any, rng: Random) -> Any:
    """Return a value of the same type, or a similar one of another type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1000, -100, -4, -1, 1, 4, 100, 1000))
    if isinstance(value, str):
        return rng.choice((value[:-1], value + value, value + "?", [value], {value: value}))
    if isinstance(value, list):
        return rng.choice((value[:-1], value * 2, value[::-1], [value], {"": value}))
    return [value]
