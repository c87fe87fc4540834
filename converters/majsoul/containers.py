"""What a file holds: the head of a game and its records one after another, whichever container they are in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from mjconv.converters.majsoul.records import EVENT_MODES, RECORDS, short_name
from mjconv.converters.shared.carry import MARK
from mjconv.ir.errors import InputError, Place

#: The way to a value: keys and indices.
Path = tuple[str | int, ...]
Fields = dict[str, Any]
#: Returns the place of the value at the end of a way.
Locate = Callable[[Path], Place]

#: The versions of the lists of records: they say only where the records stand.
_VERSIONS: Final = (0, 210715)
_ACTION: Final = frozenset({"passed", "type", "result"})
_RESULT: Final = frozenset({"name", "data"})
_LISTS: Final = ("records", "actions")
_FLAT: Final = frozenset({"name", "data", "passed", "inputs", MARK})
_WORD_BREAK: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
#: Keys of other spellings than these two rules make.
_SPELLED: Final = {f"begin_tiles[{seat}]": f"tiles{seat}" for seat in range(4)} | {
    "partPoint1": "part_point_1",
    "partPoint2": "part_point_2",
}
#: Keys that a record of play in camel case has.
_CAMEL: Final = (b'"leftTileCount"', b'"deltaScores"', b'"oldScores"', b'"startTime"')


class Act(NamedTuple):
    """A record of play, or something recorded beside the play.

    `name` is the short name of the record and `data` its fields. An input has no name: `data` is all of it. `path`
    is the way to `data`. `beside` are the fields beside the record, `note` is the value of a note.
    """

    name: str
    data: Fields
    passed: int | None
    path: Path
    beside: Fields
    note: Any = None


class Contents(NamedTuple):
    """The contents of a file: head, records, what is beside them, and the note of the match."""

    head: Fields
    acts: list[Act]
    other: Fields
    note: Any
    note_path: Path


def folded(data: bytes, value: Any) -> Any:
    """Return a JSON value with its keys in snake case, if the text has keys in camel case."""
    if any(key in data for key in _CAMEL) or b'"begin_tiles[0]"' in data:
        return _folded(value)
    return value


def _folded(value: Any) -> Any:
    if isinstance(value, dict):
        return {_snake(key): part if key == MARK else _folded(part) for key, part in value.items()}
    return [_folded(part) for part in value] if isinstance(value, list) else value


def _snake(key: str) -> str:
    return _SPELLED.get(key) or _WORD_BREAK.sub("_", key).lower()


def contents_of(value: Any, locate: Locate) -> Contents:
    """Find head and records in a value that was read from JSON or protobuf. Raises `InputError`."""
    return _Finder(locate).find(value)


class _Finder:
    def __init__(self, locate: Locate) -> None:
        self.locate = locate

    def find(self, value: Any) -> Contents:
        if isinstance(value, list):
            return Contents({}, list(self._list(value, ())), {}, None, ())
        if not isinstance(value, dict):
            raise self._wrong("expected an object or a list of records", ())
        rest = dict(value)
        head = self._fields(rest.pop("head", None) or {}, ("head",))
        note = rest.pop(MARK, None)
        acts: list[Act] = []
        if "rounds" in rest:
            for at, act in enumerate(rest.pop("inputs", None) or ()):
                acts.append(self._input(act, ("inputs", at)))
            acts += self._list(rest.pop("rounds"), ("rounds",))
        elif isinstance(rest.get("data"), list):
            acts += self._list(rest.pop("data"), ("data",))
        else:
            acts += self._details(rest)
        if rest.get("version") in _VERSIONS:
            del rest["version"]
        return Contents(head, acts, rest, note, (MARK,))

    def _details(self, rest: Fields) -> Iterator[Act]:
        """Yield the records of GameDetailRecords, which are in `rest`, in its `data`, or in that of a wrapper."""
        path: Path = ()
        found = dict(rest)
        rest.clear()
        while "actions" not in found and "records" not in found and "data" in found:
            rest |= {key: value for key, value in found.items() if key not in _RESULT}
            path = (*path, "data")
            found = self._fields(found["data"] or {}, path)
        if "actions" not in found and "records" not in found:
            raise self._wrong("there are no records: expected `actions`, `records` or `rounds`", path)
        rest |= {key: value for key, value in found.items() if key not in _LISTS}
        for key in _LISTS:
            yield from self._list(found.get(key) or [], (*path, key))

    def _list(self, value: Any, path: Path) -> Iterator[Act]:
        """Yield the records of a list: of records, of actions, or of rounds, which are lists of records."""
        if not isinstance(value, list):
            raise self._wrong("expected a list of records", path)
        for at, part in enumerate(value):
            here = (*path, at)
            if isinstance(part, list):
                for index, inner in enumerate(part):
                    yield from self._act(inner, (*here, index))
            else:
                yield from self._act(part, here)

    def _act(self, value: Any, path: Path) -> Iterator[Act]:
        if type(value) is not dict:
            raise self._wrong("expected a record, which is an object", path)
        result = value.get("result")
        if result:
            inner = self._fields(result, (*path, "result"))
            beside = {key: part for key, part in value.items() if key not in _ACTION} if len(value) > 3 else {}
            if len(inner) > 2:
                beside |= {key: part for key, part in inner.items() if key not in _RESULT}
            yield self._record(inner, value.get("passed"), (*path, "result"), beside, None)
        elif "name" in value:
            beside = {key: part for key, part in value.items() if key not in _FLAT} if len(value) > 2 else {}
            yield self._record(value, value.get("passed"), path, beside, value.get(MARK))
            for at, act in enumerate(value.get("inputs") or ()):
                yield self._input(act, (*path, "inputs", at))
        else:
            yield self._input(value, path)

    def _record(self, value: Fields, passed: Any, path: Path, beside: Fields, note: Any) -> Act:
        name = value.get("name")
        if type(name) is not str:
            raise self._wrong("the name of a record is a text", (*path, "name"))
        short = name if name in RECORDS else short_name(name)
        if short not in RECORDS:
            if short in EVENT_MODES:
                problem = f"{name} belongs to an event mode: only riichi mahjong is read"
            else:
                problem = f"the record {name[:60]!r} is not known: expected one such as RecordDiscardTile"
            raise self._wrong(problem, (*path, "name"))
        if passed is not None and (type(passed) is not int or not 0 <= passed < 1 << 53):
            raise self._wrong("passed is no number of milliseconds", (*path[:-1], "passed"))
        data = value.get("data")
        if type(data) is not dict:
            data = self._fields(data or {}, (*path, "data"))
        return Act(short, data, passed, (*path, "data"), beside, note)

    def _input(self, value: Any, path: Path) -> Act:
        return Act("", self._fields(value, path), None, path, {})

    def _fields(self, value: Any, path: Path) -> Fields:
        if type(value) is not dict:
            raise self._wrong("expected an object", path)
        return value

    def _wrong(self, problem: str, path: Path) -> InputError:
        return InputError(problem, self.locate(path))


def number_of(fields: Mapping[str, Any], key: str) -> int:
    """Return a whole number, 0 where there is none."""
    value = fields.get(key)
    return value if type(value) is int else 0
