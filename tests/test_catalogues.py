"""Catalogues are data that a person edits: a key that is there twice would hide a value."""

import json
from pathlib import Path

import pytest

FOLDERS = ("app", "converters", "ir", "referee", "rules")
CATALOGUES = sorted(path for folder in FOLDERS for path in (Path(__file__).parents[1] / folder).rglob("*.json"))


def each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)
    return dict(pairs)


def test_no_catalogue_has_a_key_twice() -> None:
    assert len(CATALOGUES) > 10
    for path in CATALOGUES:
        try:
            json.loads(path.read_text("utf-8"), object_pairs_hook=each_once)
        except AssertionError as error:
            pytest.fail(f"{path.name}: {error}")


def test_rows_with_names_have_each_name_once() -> None:
    for path in CATALOGUES:
        rows = json.loads(path.read_text("utf-8"))
        if isinstance(rows, list):
            names = [row if isinstance(row, str) else next(x for x in row if isinstance(x, str)) for row in rows]
            assert len(names) == len(set(names)), path.name
