"""Places in a JSON text: each object and array on the way to a value is searched once."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjconv.converters.shared.json_places import JsonPlaces
from strategies import any_text

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | any_text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text(max_size=2), inner, max_size=3),
    max_leaves=12,
)


def paths(value: Any) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths to a value and to all values in it, and some paths that lead nowhere."""
    yield ()
    yield ("nowhere",)
    yield (99, "nowhere")
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from ((step, *path) for path in paths(inner))


@given(VALUES, st.sampled_from([None, 1]), st.booleans(), st.text(" \n\t", max_size=3))
def test_each_place_is_that_of_its_value(value: Any, indent: int | None, ascii_only: bool, before: str) -> None:
    text = before + json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    every = JsonPlaces(text)
    for path in paths(value):
        offset = JsonPlaces(text).offset(path)
        assert every.offset(path) == offset
        inner = value
        for step in path:
            inside = isinstance(inner, dict) and step in inner
            if not inside and not (isinstance(inner, list) and isinstance(step, int) and step < len(inner)):
                break
            inner = inner[step]
        found, _ = json.JSONDecoder().raw_decode(text, offset)
        assert found == inner


@pytest.mark.parametrize("asked", range(4))
@pytest.mark.parametrize(
    ("text", "path", "rest"),
    [
        # Of a key that is there twice, the last value is read.
        ('{"a":1,"b":2,"a":3}', ("a",), "3}"),
        ('{"\\u0061":[0, {"b" : 7}]}', ("a", 1, "b"), "7}]}"),
        ("[" * 5000 + "1" + "]" * 5000, (0,) * 4999, "[1" + "]" * 5000),
        ("[" + "9" * 5000 + ",1]", (1,), "1]"),
        # No JSON: the place of the innermost value on the way that is there.
        ('{"a":[1,}', ("a", 0), "1,}"),
        ('{"a":x,"b":1}', ("b",), "1}"),
        ('{"a":[x,{"c":y}],"b":1}', ("b",), "1}"),
        ('{"a":[1,[x]', ("a", 1, 0), "x]"),
        ('{"a":,"b":1}', ("b",), '{"a":,"b":1}'),
        # The value is missing: the place where it is missing.
        ('{"a":', ("a",), ""),
        ("", ("a",), ""),
    ],
)
def test_odd_texts_have_places_too(text: str, path: tuple[str | int, ...], rest: str, asked: int) -> None:
    places = JsonPlaces(text)
    for _ in range(asked):
        places.offset(path)
    assert text[places.offset(path) :] == rest
