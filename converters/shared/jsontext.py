"""Reads and writes JSON for all formats: with `msgspec` or `orjson`, and with exact numbers.

An integer may have any length. A number with a fraction or an exponent is a `float` if a `float` has its value,
else a `Decimal`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Final

from msgspec import MsgspecError
from msgspec import json as fast

from mjconv.ir import limits

if TYPE_CHECKING:
    from json import JSONDecodeError

    from orjson import Fragment

_ENCODER: Final = fast.Encoder(decimal_format="number")
#: Digits and points as 0, the sign of an exponent as e: finding a long number in the result is fast.
_FLAT: Final = bytes(0x30 if sign in b"0123456789." else 0x65 if sign in b"eE" else 0x20 for sign in range(256))
#: The fast readers may round a number of this many digits or more: an integer of more than 64 bits, or a fraction
#: that no `float` has. Up to 15 digits without an exponent are exact.
_LONG: Final = b"0" * 17
#: The bytes before a number. Digits that follow another byte are part of a string.
_BEFORE_NUMBER: Final = b" \t\n\r[:,"
#: The most characters before an `e` that are searched for the begin of its digits.
_MOST_DIGITS: Final = 64
#: The begin of an escape by its number, which may be half a character: the two readers differ there.
_ESCAPE: Final = b"\\u"
#: The most characters of a rounded number when it is written again.
_USUAL_DIGITS: Final = 32
_DIGIT: Final = re.compile(rb"[0-9]")
#: No value: msgspec refused the text.
_UNREAD: Final = object()
#: The largest exponent of a number that is kept. The number 1e-999999999 would have a billion decimals.
_MOST_EXPONENT: Final = 9999
_TOO_SMALL: Final = f"a number is closer to zero than 1e-{_MOST_EXPONENT}"
#: Braces as brackets, and the bytes that are neither brackets nor quotes.
_BRACKETS: Final = bytes.maketrans(b"{}", b"[]")
_NO_SIGNS: Final = bytes(sign for sign in range(256) if sign not in b'[]{}"')
#: In texts of fewer bytes, brackets are counted first.
_SHORT: Final = 1 << 14
#: The types of values that hold values.
_HOLDERS: Final = frozenset({list, dict})
#: The begin of an escape that may be a colon.
_ESCAPED: Final = b"\\u003"


def loads(data: bytes) -> Any:
    """Read JSON. Raises `json.JSONDecodeError`, with the character position, if the text is no JSON.

    Raises `ValueError` if the value is beyond a limit. `json.JSONDecodeError` is a `ValueError`.

    >>> loads(b'[123456789012345678901234567890, 1.5, 1e-400]')
    [123456789012345678901234567890, 1.5, Decimal('1E-400')]
    """
    return _exact(data, _decoded(data))


def _decoded(data: bytes) -> Any:
    """Read JSON with rounded numbers, by the reader that is loaded already. Returns `_UNREAD` if it cannot."""
    try:
        return fast.decode(data)
    except (MsgspecError, ValueError, RecursionError):
        # The error of the other reader has a position.
        return _UNREAD


def _exact(data: bytes, decoded: Any) -> Any:
    """Return the value of a text with exact numbers. `decoded` is the value that `_decoded` returned."""
    flat = data.translate(_FLAT)
    has_exponent = _has_exponent(data, flat)
    value = _loads(data) if decoded is _UNREAD or has_exponent or _ESCAPE in data else decoded
    if is_deep(data, value, limits.current().nesting):
        raise TooDeepError
    if has_exponent or _has_long_number(data, flat):
        import json

        return json.loads(data, parse_int=_whole, parse_float=_fraction)
    return value


class TooDeepError(ValueError):
    """The value of a JSON text is nested deeper than the limit."""

    def __init__(self) -> None:
        super().__init__(limits.refusal("nesting"))


class RepeatedKeyError(ValueError):
    """An object in a JSON text has a `key` twice."""

    def __init__(self, key: str) -> None:
        super().__init__(f"an object has the key {key!r} twice")
        self.key = key


def loads_unique(data: bytes) -> Any:
    """Read JSON as `loads` does. Raises `RepeatedKeyError` if an object has a key twice.

    >>> loads_unique(b'{"a":1,"a":2}')
    Traceback (most recent call last):
    mjconv.converters.shared.jsontext.RepeatedKeyError: an object has the key 'a' twice
    """
    decoded = _decoded(data)
    written = b"" if decoded is _UNREAD else _ENCODER.encode(decoded)
    most = limits.current()
    if written and written == data.rstrip() and not _has_many_digits(data, most.digits):
        # If the text equals the value written again, its numbers are exact and it has no key twice.
        if is_deep(data, decoded, most.nesting):
            raise TooDeepError
        return decoded
    value = _exact(data, decoded)
    if may_repeat(data, written or _ENCODER.encode(value)) and (key := repeated(data)) is not None:
        raise RepeatedKeyError(key)
    return value


def _has_many_digits(data: bytes, most: int) -> bool:
    """Return whether a text may have a number with more digits than `most`."""
    if len(data) <= most:
        return False
    if most < _USUAL_DIGITS:
        return True
    # So many digits fill one of these blocks.
    size = most // 2
    blocks = [data[size * found.start() : size * (found.start() + 1)] for found in _DIGIT.finditer(data[::size])]
    return any(map(bytes.isdigit, blocks))


def _has_exponent(data: bytes, flat: bytes) -> bool:
    """Return whether a text may have a number with an exponent. `flat` is the text by `_FLAT`."""
    at = flat.find(b"0e")
    while at >= 0:
        before = max(at - _MOST_DIGITS, 0)
        begin = before + len(flat[before:at].rstrip(b"0"))
        if begin == before or _begins_number(data, begin):
            return True
        at = flat.find(b"0e", at + 1)
    return False


def _has_long_number(data: bytes, flat: bytes) -> bool:
    """Return whether a text may have a number that the fast readers round. `flat` is the text by `_FLAT`."""
    at = flat.find(_LONG)
    while at >= 0:
        if _begins_number(data, at):
            return True
        at = flat.find(_LONG, at + len(_LONG))
    return False


def _begins_number(data: bytes, begin: int) -> bool:
    """Return whether digits may be the begin of a number: digits inside a word are not."""
    if data[begin - 1 : begin] == b"-":
        begin -= 1
    return begin == 0 or data[begin - 1] in _BEFORE_NUMBER


def _loads(data: bytes) -> Any:
    # Loaded here: it takes longer to load than to read a note.
    import orjson

    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise _with_limit(error) from None


def dumps(value: Any) -> bytes:
    """Write JSON on one line, without spaces.

    >>> dumps({"seed": 2**70, "name": None, "odds": Decimal("1E-400")})
    b'{"seed":1180591620717411303424,"name":null,"odds":1e-400}'
    """
    text = _ENCODER.encode(value)
    # The writers may differ in an escape or an exponent.
    if b"\\" not in text and not _has_exponent(text, text.translate(_FLAT)):
        return text
    import orjson

    try:
        return orjson.dumps(value, default=_written)
    except TypeError:
        return _dumps_long(value)


def dumps_each(values: Sequence[Any]) -> list[bytes]:
    """Write each value as `dumps` does, which is faster for many values.

    >>> dumps_each([{"a": 1}, "b"])
    [b'{"a":1}', b'"b"']
    """
    text = _ENCODER.encode_lines(values)
    if b"\\" in text or _has_exponent(text, text.translate(_FLAT)):
        return list(map(dumps, values))
    return text.split(b"\n")[:-1]


def _written(value: Any) -> Fragment:
    """Return a number that orjson does not write as JSON. Raises `TypeError` for any other value."""
    from orjson import Fragment

    if isinstance(value, Decimal) and value.is_finite():
        return Fragment(str(value).replace("E+", "e").replace("E", "e").encode())
    raise TypeError(f"{type(value).__name__} is no JSON")


def _dumps_long(value: Any) -> bytes:
    """Write JSON with integers of more than 64 bits: orjson refuses them, and `json` refuses a `Decimal`."""
    import json

    import orjson

    if isinstance(value, dict):
        return b"{%b}" % b",".join(b"%b:%b" % (orjson.dumps(key), dumps(inner)) for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return b"[%b]" % b",".join(map(dumps, value))
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


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


def _fraction(text: str) -> float | Decimal:
    if len(text) > limits.current().digits:
        raise ValueError(limits.refusal("digits"))
    value = float(text)
    try:
        exact = Decimal(text)
    except InvalidOperation:
        raise ValueError(_TOO_SMALL) from None
    if Decimal(repr(value)) == exact:
        return value
    if exact.adjusted() < -_MOST_EXPONENT:
        raise ValueError(_TOO_SMALL)
    return exact


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


def is_deep(data: bytes, value: Any, nesting: int) -> bool:
    """Return whether the value of a text is nested deeper than a number of levels."""
    if len(data) < _SHORT and data.count(b"[") + data.count(b"{") <= nesting:
        return False
    if b"\\" not in data:
        # A text of brackets and quotes alone: where no string has brackets, each pair of quotes is one string.
        signs = data.translate(_BRACKETS, _NO_SIGNS)
        if signs.count(b'"') == 2 * signs.count(b'""'):
            return _brackets_are_deep(signs.translate(None, b'"'), nesting)
    return _depth(value) > nesting


def _brackets_are_deep(signs: bytes, nesting: int) -> bool:
    """Return whether brackets, each of them closed, are nested deeper than a number of levels.

    >>> _brackets_are_deep(b"[[][[]]]", 3), _brackets_are_deep(b"[[][[]]]", 2)
    (False, True)
    """
    depth, step = 0, max(nesting // 2, 1)
    for begin in range(0, len(signs), step):
        part = signs[begin : begin + step]
        opened = part.count(b"[")
        if depth + opened > nesting:
            break
        depth += 2 * opened - len(part)
    else:
        return False
    # Each pass removes the innermost level.
    for _ in range(nesting):
        signs = signs.replace(b"[]", b"")
        if not signs:
            return False
    return True


def _depth(value: Any) -> int:
    """Return the depth of a value. The loop goes level by level: a recursion could exhaust the stack."""
    depth = 0
    level = [value] if type(value) in _HOLDERS else []
    while level:
        depth += 1
        level = [
            inner
            for part in level
            for inner in (part.values() if type(part) is dict else part)
            if type(inner) in _HOLDERS
        ]
    return depth
