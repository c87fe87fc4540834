"""Reads and writes JSON for all formats: with `msgspec` or `orjson`, and with exact numbers.

An integer may have any length. A number with a fraction or an exponent is a `float` if a `float` has its value,
else a `Decimal`.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from math import isinf
from typing import TYPE_CHECKING, Any, Final

from msgspec import MsgspecError, Struct, to_builtins
from msgspec import json as fast

from mjconv.ir import limits

if TYPE_CHECKING:
    from json import JSONDecodeError

    from orjson import Fragment

_ENCODER: Final = fast.Encoder(decimal_format="number")
#: The signs before a number as commas, the sign of an exponent as e, all others as blanks.
_FLAT: Final = bytes(0x2C if sign in b":,[\n-" else 0x65 if sign in b"eE" else 0x20 for sign in range(256))
#: All digits as zeros.
_DIGITS_ALIKE: Final = bytes.maketrans(b"123456789", b"0" * 9)
#: How many digits of a long number are looked at.
_SAMPLED: Final = 50
#: The largest exponent of a number that is kept. The number 1e-999999999 would have a billion decimals.
_MOST_EXPONENT: Final = 9999
_TOO_SMALL: Final = f"a number is closer to zero than 1e-{_MOST_EXPONENT}"
#: Braces as brackets, and the bytes that are neither brackets nor quotes.
_BRACKETS: Final = bytes.maketrans(b"{}", b"[]")
_NO_SIGNS: Final = bytes(sign for sign in range(256) if sign not in b'[]{}"')
#: The types of values that hold values.
_HOLDERS: Final = frozenset({list, dict})
#: The begin of an escape that may be a colon.
_ESCAPED: Final = b"\\u003"


def decoder_of(kind: type) -> fast.Decoder[Any]:
    """Return a decoder for `loads` that reads an object as a struct of this kind, unless the object is wrong.

    >>> class Score(Struct):
    ...     tens: int
    >>> [loads(text, decoder_of(Score)) for text in (b'{"tens":1,"odds":1.5}', b'{"tens":"x"}')]
    [Score(tens=1), {'tens': 'x'}]
    """
    return fast.Decoder(kind | list[Any], float_hook=_fraction)


def loads(data: bytes, decoder: fast.Decoder[Any] | None = None) -> Any:
    """Read JSON. Raises `json.JSONDecodeError`, with the character position, if the text is no JSON.

    Raises `ValueError` if the value is beyond a limit. `json.JSONDecodeError` is a `ValueError`. `decoder` is
    one of `decoder_of`.

    >>> loads(b'[123456789012345678901234567890, 1.5, 1e-400]')
    [123456789012345678901234567890, 1.5, Decimal('1E-400')]
    """
    most = limits.current()
    try:
        value = (decoder or _DECODER).decode(data)
    except (MsgspecError, ValueError, RecursionError):
        value = _loads_slowly(data)
    else:
        if _has_many_digits(data, most.digits):
            value = _loads_slowly(data)
    if is_deep(data, value, most.nesting):
        raise TooDeepError
    return value


def _loads_slowly(data: bytes) -> Any:
    """Read JSON with the reader whose errors have a position, and check the digits of all numbers."""
    # Loaded here: they take longer to load than to read a note.
    import json

    import orjson

    try:
        orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise _with_limit(error) from None
    return json.loads(data, parse_int=_whole, parse_float=_fraction)


def is_json(data: bytes) -> bool:
    """Return whether `loads` reads a text.

    >>> is_json(b"{}"), is_json(b"{")
    (True, False)
    """
    try:
        loads(data)
    except (ValueError, RecursionError):
        return False
    return True


class TooDeepError(ValueError):
    """The value of a JSON text is nested deeper than the limit."""

    def __init__(self) -> None:
        super().__init__(limits.refusal("nesting"))


class RepeatedKeyError(ValueError):
    """An object in a JSON text has a `key` twice."""

    def __init__(self, key: str) -> None:
        super().__init__(f"an object has the key {key!r} twice")
        self.key = key


def loads_unique(data: bytes, decoder: fast.Decoder[Any] | None = None) -> Any:
    """Read JSON as `loads` does. Raises `RepeatedKeyError` if an object has a key twice.

    >>> loads_unique(b'{"a":1,"a":2}')
    Traceback (most recent call last):
    mjconv.converters.shared.jsontext.RepeatedKeyError: an object has the key 'a' twice
    """
    value = loads(data, decoder)
    written = _ENCODER.encode(value)
    if decoder is not None and data.replace(b"\n", b"") != written:
        # A struct leaves out keys that it does not know, and may add others.
        written = _ENCODER.encode(loads(data))
    if may_repeat(data, written) and (key := repeated(data)) is not None:
        raise RepeatedKeyError(key)
    return value


def _has_many_digits(data: bytes, most: int) -> bool:
    """Return whether a text may have a number with more digits than `most`."""
    # Of so many digits, each `step`-th byte of the text has these.
    step = most // _SAMPLED or 1
    return len(data) > most and b"0" * (most // step) in data[::step].translate(_DIGITS_ALIKE)


def dumps(value: Any) -> bytes:
    """Write a value, or a struct, as JSON on one line, without spaces.

    >>> dumps({"seed": 2**70, "name": None, "odds": Decimal("1E-400")})
    b'{"seed":1180591620717411303424,"name":null,"odds":1e-400}'
    """
    text = _ENCODER.encode(value)
    if _is_alike(text):
        return text
    import orjson

    # orjson knows no structs.
    value = to_builtins(value, builtin_types=(Decimal,)) if isinstance(value, Struct) else value
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
    return text.split(b"\n")[:-1] if _is_alike(text) else list(map(dumps, values))


def _is_alike(text: bytes) -> bool:
    """Return whether both writers write a text alike: they may differ in an escape or an exponent."""
    return b"\\" not in text and b",e" not in b"," + text.translate(_FLAT, b"0123456789.")


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
    """Return the error in the words of mjconv: the limit, if orjson reports one of its own, or the wrong word."""
    from json import JSONDecodeError

    for words, limit in (("depth limit", "nesting"), ("infinity", "digits")):
        if words in error.msg:
            return JSONDecodeError(limits.refusal(limit), error.doc, error.pos)
    if "UTF-8" in error.msg:
        return JSONDecodeError("the text is not UTF-8", error.doc, error.pos)
    for word in ("NaN", "Infinity"):
        if error.doc.startswith(word, error.pos):
            return JSONDecodeError(f"{word} is not JSON", error.doc, error.pos)
    return error


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > limits.current().digits:
        raise ValueError(limits.refusal("digits"))
    return int(text)


def _fraction(text: str) -> float | Decimal:
    if len(text) > limits.current().digits:
        raise ValueError(limits.refusal("digits"))
    value = float(text)
    if isinf(value):
        raise ValueError(limits.refusal("digits"))
    try:
        exact = Decimal(text)
    except InvalidOperation:
        raise ValueError(_TOO_SMALL) from None
    if Decimal(repr(value)) == exact:
        return value
    if exact.adjusted() < -_MOST_EXPONENT:
        raise ValueError(_TOO_SMALL)
    return exact


_DECODER: Final = fast.Decoder(float_hook=_fraction)


def may_repeat(text: bytes, written: bytes) -> bool:
    """Return whether an object in a JSON text may have a key twice. `written` is the decoded value written again.

    A key that is there twice has a colon in the text, and none in `written`. Colons in strings are in both. This
    check is fast: call `repeated`, which is slow, only if it returns true.

    >>> may_repeat(b'{"a": ":"}', b'{"a":":"}'), may_repeat(b'{"a":1,"a":2}', b'{"a":2}')
    (False, True)
    """
    # A string holds no line break.
    return text.replace(b"\n", b"") != written and (text.count(b":") != written.count(b":") or _ESCAPED in text)


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
    # Each level has two brackets.
    if len(data) <= 2 * nesting:
        return False
    # A text of brackets and quotes alone: where no string has brackets, each pair of quotes is one string.
    signs = data.translate(_BRACKETS, _NO_SIGNS)
    if signs.count(b"[") <= nesting:
        return False
    bare = signs.translate(None, b'"')
    # Most texts have no backslash, and a search for two bytes is slower.
    if (b"\\" not in data or b'\\"' not in data) and len(signs) - len(bare) == 2 * signs.count(b'""'):
        # Each pass removes the innermost level.
        for _ in range(nesting):
            bare = bare.replace(b"[]", b"")
            if not bare:
                return False
        return True
    return _depth(value) > nesting


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
