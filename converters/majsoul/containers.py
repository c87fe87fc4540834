"""What a file holds: the head of a game and its records one after another, whichever container they are in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from mjconv.converters.majsoul.records import EVENT_MODES, RECORDS, short_name
from mjconv.converters.shared.carry import MARK
from mjconv.ir import limits
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
#: The way from an action, and from a record in a list, to the fields of the record.
IN_RESULT: Final = ("result", "data")
IN_RECORD: Final = ("data",)
_MOST_PASSED: Final = 1 << 53
#: The short name of each spelling of a record's name.
_SHORT: Final = {f"{before}{name}": name for name in RECORDS for before in ("", "Record", ".lq.Record", ".lq.")}
_LISTS: Final = ("records", "actions")
_FLAT: Final = frozenset({"name", "data", "passed", "inputs", MARK})
_WORD_BREAK: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
#: Keys of other spellings than these two rules make.
_SPELLED: Final = {f"begin_tiles[{seat}]": f"tiles{seat}" for seat in range(4)} | {
    "partPoint1": "part_point_1",
    "partPoint2": "part_point_2",
}
#: Keys that the first deal or the head has, if keys have another spelling.
_CAMEL: Final = (b'"leftTileCount"', b'"startTime"', b'"begin_tiles[0]"')
#: So many bytes hold the first deal.
_HEAD: Final = 1 << 16


class Act(msgspec.Struct, frozen=True, gc=False):
    """A record of play, or something recorded beside the play.

    `name` is the short name of the record and `data` its fields, as a dictionary or a struct. An input has no
    name: `data` is all of it.
    `outer` is the way to the list that holds it, `at` its place there, and `inner` the way from there to `data`.
    `beside` are the fields beside the record, `note` is the value of a note.
    """

    name: str
    data: Any
    passed: int | None
    outer: Path
    at: int
    inner: Path = ()
    beside: Fields | None = None
    note: Any = None

    @property
    def path(self) -> Path:
        """The way to `data`."""
        return (*self.outer, self.at, *self.inner)

    @property
    def fields(self) -> Fields:
        """The fields of the record, as a dictionary."""
        return self.data if type(self.data) is dict else msgspec.to_builtins(self.data)


class Contents(NamedTuple):
    """The contents of a file: head, records, what is beside them, and the note of the match."""

    head: Fields
    acts: list[Act]
    other: Fields
    note: Any
    note_path: Path
    #: Whether there is any note.
    noted: bool


def folded(data: bytes, value: Any) -> Any:
    """Return a JSON value with its keys in snake case, if the text has keys in camel case."""
    head = data[:_HEAD]
    if any(key in head for key in _CAMEL):
        return _folded(value)
    return value


def _folded(value: Any, depth: int = 0) -> Any:
    if depth > limits.current().nesting:
        raise limits.LimitError("nesting")
    if isinstance(value, dict):
        return {_snake(key): part if key == MARK else _folded(part, depth + 1) for key, part in value.items()}
    return [_folded(part, depth + 1) for part in value] if isinstance(value, list) else value


def _snake(key: str) -> str:
    return _SPELLED.get(key) or _WORD_BREAK.sub("_", key).lower()


def contents_of(value: Any, locate: Locate) -> Contents:
    """Find head and records in a value that was read from JSON or protobuf. Raises `InputError`."""
    return _Finder(locate).find(value)


class _Finder:
    def __init__(self, locate: Locate) -> None:
        self.locate = locate
        self.noted = False

    def find(self, value: Any) -> Contents:
        if isinstance(value, list):
            listed: list[Act] = []
            self._list(value, (), listed)
            return Contents({}, listed, {}, None, (), self.noted)
        if not isinstance(value, dict):
            raise self._wrong("expected an object or a list of records", ())
        rest = dict(value)
        head = self._fields(rest.pop("head", None) or {}, ("head",))
        note = rest.pop(MARK, None)
        acts: list[Act] = []
        if "rounds" in rest:
            self._inputs(rest.pop("inputs", None), ("inputs",), acts)
            self._list(rest.pop("rounds"), ("rounds",), acts)
        elif isinstance(rest.get("data"), list):
            self._list(rest.pop("data"), ("data",), acts)
        else:
            self._details(rest, acts)
        if rest.get("version") in _VERSIONS:
            del rest["version"]
        return Contents(head, acts, rest, note, (MARK,), self.noted or note is not None)

    def _details(self, rest: Fields, acts: list[Act]) -> None:
        """Find the records of GameDetailRecords, which are in `rest`, in its `data`, or in that of a wrapper."""
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
            self._list(found.get(key) or [], (*path, key), acts)

    def _list(self, value: Any, path: Path, acts: list[Act]) -> None:
        """Find the records of a list: of records, of actions, or of rounds, which are lists of records."""
        if not isinstance(value, list):
            raise self._wrong("expected a list of records", path)
        for at, part in enumerate(value):
            if type(part) is dict:
                act = _usual(part, path, at)
                if act is None:
                    self._act(part, path, at, acts)
                else:
                    acts.append(act)
            elif type(part) is list:
                here = (*path, at)
                for index, inner in enumerate(part):
                    if type(inner) is dict and len(inner) == 2:
                        # The usual record, without a call.
                        name, data = inner.get("name"), inner.get("data")
                        if type(data) is dict and type(name) is str and name in _SHORT:
                            acts.append(Act(_SHORT[name], data, None, here, index, IN_RECORD))
                            continue
                    self._act(inner, here, index, acts)
            else:
                self._act(part, path, at, acts)

    def _act(self, value: Any, outer: Path, at: int, acts: list[Act]) -> None:
        if type(value) is not dict:
            raise self._wrong("expected a record, which is an object", (*outer, at))
        passed = value.get("passed")
        if passed is not None and (type(passed) is not int or not 0 <= passed < _MOST_PASSED):
            raise self._wrong("passed is no number of milliseconds", (*outer, at, "passed"))
        result = value.get("result")
        if result:
            inner = result if type(result) is dict else self._fields(result, (*outer, at, "result"))
            beside: Fields = {}
            if not _ACTION.issuperset(value):
                beside = {key: part for key, part in value.items() if key not in _ACTION}
            if not _RESULT.issuperset(inner):
                beside |= {key: part for key, part in inner.items() if key not in _RESULT}
            acts.append(self._record(inner, passed, outer, at, IN_RESULT, beside, None))
        elif "name" in value:
            if _RESULT.issuperset(value):
                acts.append(self._record(value, None, outer, at, IN_RECORD, {}, None))
                return
            beside = {key: part for key, part in value.items() if key not in _FLAT}
            acts.append(self._record(value, passed, outer, at, IN_RECORD, beside, value.get(MARK)))
            self._inputs(value.get("inputs"), (*outer, at, "inputs"), acts)
        else:
            acts.append(Act("", value, None, outer, at))

    def _record(
        self, value: Fields, passed: int | None, outer: Path, at: int, inner: Path, beside: Fields, note: Any
    ) -> Act:
        name = value.get("name")
        short = _SHORT.get(name) if type(name) is str else None
        if short is None:
            raise self._unknown(name, (*outer, at, *inner[:-1], "name"))
        data = value.get("data")
        if type(data) is not dict:
            data = self._fields(data or {}, (*outer, at, *inner))
        self.noted = self.noted or note is not None
        return Act(short, data, passed, outer, at, inner, beside, note)

    def _unknown(self, name: Any, path: Path) -> InputError:
        if type(name) is not str:
            return self._wrong("the name of a record is a text", path)
        if short_name(name) in EVENT_MODES:
            return self._wrong(f"{name} belongs to an event mode: only riichi mahjong is read", path)
        return self._wrong(f"the record {name[:60]!r} is not known: expected one such as RecordDiscardTile", path)

    def _inputs(self, value: Any, path: Path, acts: list[Act]) -> None:
        if not isinstance(value or [], list):
            raise self._wrong("expected a list of inputs", path)
        for at, part in enumerate(value or ()):
            acts.append(Act("", self._fields(part, (*path, at)), None, path, at))

    def _fields(self, value: Any, path: Path) -> Fields:
        if type(value) is not dict:
            raise self._wrong("expected an object", path)
        return value

    def _wrong(self, problem: str, path: Path) -> InputError:
        return InputError(problem, self.locate(path))


def _usual(value: Fields, outer: Path, at: int) -> Act | None:
    """Return a usual action: a record without fields beside it, or an input. None for any other object."""
    passed = value.get("passed")
    if type(passed) is not int or not 0 <= passed < _MOST_PASSED:
        return None
    if "result" not in value:
        return None if "name" in value else Act("", value, None, outer, at)
    result = value["result"]
    # The third field is the type.
    if type(result) is dict and len(result) == 2 and len(value) == 3 and "type" in value:
        name, data = result.get("name"), result.get("data")
        short = _SHORT.get(name) if type(name) is str else None
        if short is not None and type(data) is dict:
            return Act(short, data, passed, outer, at, IN_RESULT)
    return None


def number_of(fields: Mapping[str, Any], key: str) -> int:
    """Return a whole number, 0 where there is none."""
    value = fields.get(key)
    return value if type(value) is int else 0
