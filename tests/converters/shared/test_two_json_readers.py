"""JSON is read and written by msgspec where that is the same as by orjson, which takes longer to load."""

import json
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mjconv.converters.shared import jsontext
from mjconv.ir import limits

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
#: Pieces of JSON, and of texts that are nearly JSON.
PIECES = st.lists(
    st.sampled_from(
        [
            *'{}[],:" \n0123456789-+.eE\\\x00\x1f\x7f',
            *(
                "true",
                "null",
                "NaN",
                '"a"',
                '"\\ud800"',
                "1e5",
                "1e999",
                "é",
                "\ufeff",
                "[" * 300,
                "]" * 300,
                "//",
            ),
        ]
    ),
    max_size=12,
).map("".join)


def of_orjson(data: bytes) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        # mjconv names its own limit.
        return limits.refusal("digits") if "infinity" in error.msg else error.msg, error.pos


def of_mjconv(data: bytes) -> Any:
    try:
        return jsontext.loads(data)
    except json.JSONDecodeError as error:
        return error.msg, error.pos


@given(PIECES)
@example('"\x00"')
@example("-0")
@example("01")
@example("1.")
@example("")
@example('{"a":1,"a":2}')
def test_any_text_is_read_alike(text: str) -> None:
    expected = of_orjson(text.encode())
    assert repr(of_mjconv(text.encode())) == repr(expected)


@given(st.binary(max_size=8).map(lambda data: b'"' + data + b'"'))
def test_bytes_that_are_no_text_are_refused_alike(data: bytes) -> None:
    assert repr(of_mjconv(data)) == repr(of_orjson(data))


@given(VALUES)
def test_any_value_is_written_alike(value: Any) -> None:
    try:
        expected = orjson.dumps(value)
    except TypeError:
        expected = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    assert jsontext.dumps(value) == expected


@pytest.mark.parametrize("number", [1e16, 1.5e-7, -1e300, 123456789012345680.0])
def test_exponents_are_written_as_orjson_writes_them(number: float) -> None:
    assert jsontext.dumps({"number": number}) == orjson.dumps({"number": number})
