"""A value of every JSON type at every place of a JSON record: it is read, or refused with its place."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from corpus_files import CORPUS
from fuzz.types import TYPED, Path, places, replaced
from mjconv.converters import flow, formats
from mjconv.ir.errors import MjconvError
from mjconv.ir.losses import Report

#: A short record of each format that is JSON.
RECORDS = {
    "mjai": "sample/game.mjson",
    "tenhou-json": "tenhou/three.json",
    "majiang": "majiang/list.json",
    "majsoul": "majsoul/nine.json",
    "riichicity": "riichicity/short.json",
    "mjx": "mjx/round.json",
}
#: Places of one kind that are tried: more are alike.
_ALIKE = 6
_LIKE_ITEMS = 2


def tried(value: Any) -> Iterator[Path]:
    """Yield the places of a JSON value, and of many places of one kind the first."""
    kinds: Counter[Path] = Counter()
    for path in places(value):
        kind = kind_of(value, path)
        kinds[kind] += 1
        if kinds[kind] <= (_LIKE_ITEMS if kind and kind[-1] is None else _ALIKE):
            yield path


def kind_of(value: Any, path: Path) -> Path:
    """Return a path without indices, except those of lists in lists: these may have another meaning each."""
    kind: list[Any] = []
    for key in path:
        value = json.loads(value) if key == () else value[key]
        kind.append(key if not isinstance(key, int) or isinstance(value, list) else None)
    return tuple(kind)


@pytest.mark.parametrize("name", RECORDS)
def test_no_type_at_any_place_crashes_a_reader(name: str) -> None:
    data = (CORPUS / RECORDS[name]).read_bytes()
    form, _ = formats.find(name)
    # Of JSON lines the first ones: the reading of a file begins with the first line.
    lines = data.splitlines(keepends=True)
    number = 1 if name == "mjx" else 12 if name == "mjai" else len(lines)
    parts = [b"".join(lines)] if number == len(lines) else lines[:number]
    for at, part in enumerate(parts):
        before, after = b"".join(parts[:at]), b"".join(parts[at + 1 :])
        value = json.loads(part)
        for path in tried(value):
            for new in TYPED:
                changed = json.dumps(replaced(value, path, new), ensure_ascii=False).encode()
                try:
                    list(flow.read(form, before + changed + b"\n" + after, Report()))
                except MjconvError:
                    continue
                except Exception as crash:
                    raise AssertionError(f"{new!r} at {path}") from crash
