"""Reads and writes JSON for all formats: with `msgspec` or `orjson`, and with exact integers of any length."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from msgspec import MsgspecError
from msgspec import json as fast

from mjconv.ir import limits

if TYPE_CHECKING:
    from json import JSONDecodeError

#: Digits that may be an integer of more than 64 bits: orjson would return a float.
_LONG_NUMBER: Final = re.compile(rb"[0-9]{18}")
#: An escape may be half a character. A number with an exponent may be too large, and each writer has its own form.
_ODD: Final = re.compile(rb"\\|[0-9][eE]")
#: The begin of an escape that may be a colon.
_ESCAPED: Final = b"\\u003"


def loads(data: bytes) -> Any:
    """Read JSON. Raises `json.JSONDecodeError`, with the character position, if the text is no JSON.

    Raises `ValueError` if the value is beyond a limit. `json.JSONDecodeError` is a `ValueError`.

    >>> loads(b'[123456789012345678901234567890]')
    [123456789012345678901234567890]
    """
    value = _loads(data)
    nesting = limits.current().nesting
    if data.count(b"[") + data.count(b"{") > nesting and _depth(value) > nesting:
        raise ValueError(limits.refusal("nesting"))
    if _LONG_NUMBER.search(data) is not None:
        import json

        return json.loads(data, parse_int=_whole)
    return value


def _loads(data: bytes) -> Any:
    if _ODD.search(data) is None:
        try:
            return fast.decode(data)
        except (MsgspecError, ValueError, RecursionError):
            # The error of the other reader has a position.
            pass
    # Loaded here: it takes longer to load than to read a note.
    import orjson

    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise _with_limit(error) from None


def dumps(value: Any) -> bytes:
    """Write JSON on one line, without spaces.

    >>> dumps({"seed": 2**70, "name": None})
    b'{"seed":1180591620717411303424,"name":null}'
    """
    text = fast.encode(value)
    if _ODD.search(text) is None:
        return text
    import json

    import orjson

    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _with_limit(error: JSONDecodeError) -> JSONDecodeError:
    """Return the error that names the limit of mjconv, if orjson reports a limit of its own."""
    from json import JSONDecodeError

    for words, limit in (("depth limit", "nesting"), ("infinity", "digits")):
        if words in error.msg:
            return JSONDecodeError(limits.refusal(limit), error.doc, error.pos)
    return error


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > limits.current().digits:
        raise ValueError(limits.refusal("digits"))
    return int(text)


def may_repeat(text: bytes, *written: bytes) -> bool:
    """Return whether an object in a JSON text may have a key twice. `written` is the decoded value written again.

    A key that is there twice has a colon in the text, and none in `written`. Colons in strings are in both. This
    check is fast: call `repeated`, which is slow, only if it returns true.

    >>> may_repeat(b'{"a": ":"}', b'{"a":":"}'), may_repeat(b'{"a":1,"a":2}', b'{"a":2}')
    (False, True)
    """
    return text.count(b":") != sum(part.count(b":") for part in written) or _ESCAPED in text


def repeated(text: bytes) -> str | None:
    """Return the first key that an object in a JSON text has twice, or None. `loads` must accept the text.

    >>> repeated(b'[{"a":1,"b":{"c":1,"c":2}}]'), repeated(b'[{"a":1},{"a":2}]')
    ('c', None)
    """
    import json
    from collections import Counter

    twice: list[str] = []

    def look(pairs: list[tuple[str, Any]]) -> None:
        if not twice and len(pairs) != len(dict(pairs)):
            twice.extend(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)

    json.loads(text, object_pairs_hook=look, parse_int=str)
    return twice[0] if twice else None


def _depth(value: Any) -> int:
    """Return the depth of a value. The loop goes level by level: a recursion could exhaust the stack."""
    depth = 0
    level = [value]
    while level := [part for part in level if isinstance(part, (list, dict))]:
        depth += 1
        level = [inner for part in level for inner in (part.values() if isinstance(part, dict) else part)]
    return depth
