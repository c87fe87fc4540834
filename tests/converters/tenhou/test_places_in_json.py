"""Places of values in a JSON text."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mjconv.converters.shared.json_places import JsonPlaces

TEXTS = st.text(st.characters(codec="utf-8"), max_size=5)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_every_value_has_the_place_of_its_path(value: Any, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    places = JsonPlaces(text)

    def check(found: Any, path: tuple[str | int, ...]) -> None:
        at = places.offset(path)
        assert json.JSONDecoder().raw_decode(text, at)[0] == found
        inner = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
        for step, part in inner:
            check(part, (*path, step))

    check(value, ())


def test_deep_values_need_no_recursion() -> None:
    text = "[" * 5000 + "]" * 5000
    assert JsonPlaces(text).offset((0,) * 4999) == 4999
