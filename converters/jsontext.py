"""JSON as the notations use it: `orjson`, and exact integers of any length."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import orjson

#: A run of digits that may be an integer beyond 64 bits, which orjson would make a float of.
_LONG_NUMBER: Final = re.compile(rb"[0-9]{18}")


#: How deep arrays and objects may stand in each other: far beyond what any record needs.
MAX_DEPTH: Final = 200


def loads(data: bytes) -> Any:
    """Read JSON. Raises `ValueError`, or with the character position `json.JSONDecodeError`, which is one.

    >>> loads(b'[123456789012345678901234567890]')
    [123456789012345678901234567890]
    """
    value = orjson.loads(data)
    if data.count(b"[") + data.count(b"{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise ValueError(f"arrays and objects are nested more than {MAX_DEPTH} deep")
    if _LONG_NUMBER.search(data) is not None:
        return json.loads(data)
    return value


def dumps(value: Any) -> bytes:
    """Write JSON on one line, without spaces.

    >>> dumps({"seed": 2**70, "name": None})
    b'{"seed":1180591620717411303424,"name":null}'
    """
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _depth(value: Any) -> int:
    """Count how deep a value is nested, one level at a time: a deep one must not exhaust the stack here."""
    depth = 0
    level = [value]
    while level := [part for part in level if isinstance(part, (list, dict))]:
        depth += 1
        level = [inner for part in level for inner in (part.values() if isinstance(part, dict) else part)]
    return depth
