"""JSON values of every type at every place of a record."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, TypeAlias

#: A value of each type of JSON, and containers that hold another type than their place expects.
TYPED: Final[tuple[Any, ...]] = (None, True, -1, 0.5, 10**40, "x", "", [], [[]], [{}], {}, {"x": []})
#: The keys and indices from the top to a value. An empty tuple inside is the JSON in a string.
Path: TypeAlias = tuple[Any, ...]


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the place of each value, from the top down; strings that hold JSON are read too.

    >>> list(places({"a": [1], "b": '{"c": 2}'}))
    [(), ('a',), ('a', 0), ('b',), ('b', ()), ('b', (), 'c')]
    """
    yield path
    if isinstance(value, dict):
        for key, each in value.items():
            yield from places(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from places(each, (*path, index))
    elif isinstance(value, str) and value[:1] in ("{", "["):
        try:
            inner = json.loads(value)
        except ValueError:
            return
        yield from places(inner, (*path, ()))


def replaced(value: Any, path: Path, new: Any) -> Any:
    """Return a JSON value with another value at a place.

    >>> replaced({"a": [1], "b": '{"c": 2}'}, ("b", (), "c"), None)
    {'a': [1], 'b': '{"c": null}'}
    """
    if not path:
        return new
    first, *rest = path
    if first == ():
        return json.dumps(replaced(json.loads(value), tuple(rest), new), ensure_ascii=False)
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[first] = replaced(copy[first], tuple(rest), new)
    return copy


def retyped(data: bytes, tried: set[Path] | None = None) -> Iterator[tuple[Any, Path, bytes]]:
    r"""Yield JSON, or lines of JSON, with a value of each type in it, after the new value and its place.

    Each kind of place gets each value once. Places of one kind take turns: the values lie over the whole of the
    data. Kinds in `tried` are left out, and all others are added. Nothing is yielded for data that are no JSON.

    >>> [text for new, path, text in retyped(b'[1]') if new == {}]
    [b'{}\n', b'[{}]\n']
    """
    tried = set() if tried is None else tried
    lines = data.removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True)
    try:
        parts = [(json.loads(b"".join(lines)), 0, len(lines))]
    except ValueError:
        try:
            parts = [(json.loads(line), at, at + 1) for at, line in enumerate(lines) if line.strip()]
        except ValueError:
            return
    kinds: defaultdict[Path, list[tuple[Any, int, int, Path]]] = defaultdict(list)
    for value, begin, end in parts:
        # The keys of a line tell its kind.
        own = tuple(value) if isinstance(value, dict) and len(parts) > 1 else ()
        for path in places(value):
            kinds[own, *_kind_of(value, path)].append((value, begin, end, path))
    for alike in (alike for kind, alike in kinds.items() if kind not in tried):
        for turn, new in enumerate(TYPED):
            value, begin, end, path = alike[turn * len(alike) // len(TYPED)]
            text = json.dumps(replaced(value, path, new), ensure_ascii=False).encode("utf-8", "replace")
            yield new, path, b"".join([*lines[:begin], text, b"\n", *lines[end:]])
    tried.update(kinds)


def _kind_of(value: Any, path: Path) -> Path:
    """Return a path without indices, except those of flat lists: each may have another meaning."""
    kind: list[Any] = []
    for key in path:
        value = json.loads(value) if key == () else value[key]
        flat = isinstance(value, list) and not any(isinstance(item, list | dict) for item in value)
        kind.append(key if flat or not isinstance(key, int) else None)
    return tuple(kind)


def break_type(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    """Put a value of another type at one place of the JSON of a record, or of one of its lines."""
    lines = data.splitlines(keepends=True)
    for begin, end in (
        (0, len(lines)),
        *((at, at + 1) for at in rng.sample(range(len(lines)), min(4, len(lines)))),
    ):
        try:
            value = json.loads(b"".join(lines[begin:end]))
        except (ValueError, RecursionError):
            continue
        new = replaced(value, rng.choice(list(places(value))), rng.choice(TYPED))
        text = json.dumps(new, ensure_ascii=False).encode("utf-8", "replace")
        return b"".join([*lines[:begin], text, b"\n", *lines[end:]])
    return data
