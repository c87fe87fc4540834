"""The bytes of records for the digests of notes: independent of the layout of the text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson

from mjconv.converters.shared import jsontext


def round_tokens(records: Iterable[tuple[str, dict[str, Any]]]) -> bytes:
    """Return the bytes of the records of a round: names and fields.

    >>> round_tokens([("DealTile", {"tile": "1m", "seat": 0})])
    b'[["DealTile",{"seat":0,"tile":"1m"}]]'
    """
    return _canonical(list(records))


def head_tokens(head: dict[str, Any]) -> bytes:
    """Return the bytes of the head."""
    return _canonical(head)


def _canonical(value: Any) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        # A number that the fast writer does not know.
        return jsontext.dumps(_sorted(value))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(part) for key, part in sorted(value.items())}
    return [_sorted(part) for part in value] if isinstance(value, list | tuple) else value
