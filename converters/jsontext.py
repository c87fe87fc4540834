"""JSON as the notations use it: `orjson`, and exact integers of any length."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import orjson

#: A run of digits that may be an integer beyond 64 bits, which orjson would make a float of.
_LONG_NUMBER: Final = re.compile(rb"[0-9]{18}")


def loads(data: bytes) -> Any:
    """Read JSON. Raises `json.JSONDecodeError` (a `ValueError`) with the character position.

    >>> loads(b'[123456789012345678901234567890]')
    [123456789012345678901234567890]
    """
    value = orjson.loads(data)
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
