"""What a file holds: the head of a game and its records one after another, whichever container they are in."""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from mjconv.converters.majsoul.detect import container_of
from mjconv.converters.majsoul.protobuf import DecodeError, ProtobufDecoder
from mjconv.converters.majsoul.schema import EVENT_MODES, RECORDS
from mjconv.converters.shared.json_file import JsonText, load
from mjconv.converters.shared.json_values import Path
from mjconv.converters.shared.note_json import MARK
from mjconv.ir.errors import InputError, Place

Fields: TypeAlias = dict[str, Any]
#: Returns the place of the value at the end of a way.
Locate: TypeAlias = Callable[[Path], Place]

#: The way from an action, and from a record in a list, to the fields of the record.
_IN_RESULT: Final[Path] = ("result", "data")
_IN_RECORD: Final[Path] = ("data",)
_MOST_PASSED: Final = 1 << 53
_REPLY_HEAD: Final = 3
#: The short name of each spelling of a record's name.
_SHORT: Final = {f"{before}{name}": name for name in RECORDS for before in ("", "Record", ".lq.Record", ".lq.")}
_LISTS: Final = ("records", "actions")
_WORD_BREAK: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
#: Keys of other spellings than these two rules make.
_SPELLED: Final = {f"begin_tiles[{seat}]": f"tiles{seat}" for seat in range(4)} | {"partPoint1": "part_point_1"}
#: Keys that the first deal or the head has, if keys have another spelling.
_CAMEL: Final = (b'"leftTileCount"', b'"startTime"', b'"begin_tiles[0]"')
#: So many bytes hold the first deal.
_HEAD: Final = 1 << 16


class RecordedAct(msgspec.Struct, frozen=True, gc=False):
    """A record of play, or what happened beside the play.

    `name` is the short name of the record and `data` its fields. What happened beside the play has no name: `data`
    is all of it. `passed` are milliseconds, `note` is the value of a note. The act is value `index` of the list at
    the end of the way `outer`, and `inner` is the way from the act to `data`.
    """

    name: str
    data: Fields
    passed: int | None = None
    outer: Path = ()
    index: int = 0
    inner: Path = ()
    note: Any = None

    @property
    def path(self) -> Path:
        """The way to `data`."""
        return (*self.outer, self.index, *self.inner)


class FileContents(NamedTuple):
    """The contents of a file: head, acts, the value of the note of the match, and a function that finds places.

    `own` is true if mjconv wrote the file.
    """

    head: Fields
    acts: list[RecordedAct]
    note: Any
    locate: Locate
    own: bool = False

    @property
    def noted(self) -> bool:
        """Whether the file has any note."""
        return self.note is not None or any(act.note is not None for act in self.acts)


def contents_of_file(data: bytes) -> FileContents:
    r"""Return the contents of a file in any container. Raises `InputError`.

    >>> contents_of_file(b'{"data":[{"name":"dora","data":{"dora_marker":"1m"}}]}').acts[0].path
    ('data', 0, 'data')
    """
    container = container_of(data[:_HEAD]) or "json"
    if container == "json":
        source = JsonText.of_file(data)
        return contents_of(_folded(data, load(source)), source.place)
    if container == "hex":
        try:
            data = bytes.fromhex(data.decode("ascii"))
        except ValueError:
            raise InputError("the hexadecimal digits are broken: each byte has two", Place(1, 1, "")) from None
    decoder = ProtobufDecoder(data)
    try:
        value = decoder.reply(_REPLY_HEAD) if data.startswith(b"\x03") else decoder.details(0, len(data))
    except DecodeError as error:
        raise InputError(f"byte {error.offset + 1}: {error}", Place(1, error.offset + 1, "")) from None

    def locate(path: Path) -> Place:
        index = next((part for part in path if isinstance(part, int)), 0)
        offset = decoder.offsets[index] if index < len(decoder.offsets) else 0
        return Place(1, offset + 1, "")

    return contents_of(value, locate)


def _folded(data: bytes, value: Any) -> Any:
    """Return a JSON value with its keys in snake case, if the text has keys in camel case."""
    head = data[:_HEAD]
    return _in_snake_case(value) if any(key in head for key in _CAMEL) else value


def _in_snake_case(value: Any) -> Any:
    if isinstance(value, dict):
        return {_snake(key): part if key == MARK else _in_snake_case(part) for key, part in value.items()}
    return [_in_snake_case(part) for part in value] if isinstance(value, list) else value


def _snake(key: str) -> str:
    return _SPELLED.get(key) or _WORD_BREAK.sub("_", key).lower()


def contents_of(value: Any, locate: Locate) -> FileContents:
    """Find the head and the acts in a value of JSON or protobuf. Raises `InputError`."""
    finder = _Finder(locate)
    if isinstance(value, list):
        return FileContents({}, finder.acts_of(value, ()), None, locate)
    if not isinstance(value, dict):
        raise InputError("expected an object or a list of records", locate(()))
    head = finder.fields(value.get("head") or {}, ("head",))
    key = "rounds" if "rounds" in value else "data"
    listed = key == "rounds" or isinstance(value.get(key), list)
    acts = finder.acts_of(value[key], (key,)) if listed else finder.acts_of_details(value)
    return FileContents(head, acts, value.get(MARK), locate, value.get("writer") == MARK)


class _Finder:
    """Finds the acts in lists. `locate` returns the places of errors."""

    def __init__(self, locate: Locate) -> None:
        self.locate = locate

    def acts_of_details(self, value: Fields) -> list[RecordedAct]:
        """Return the acts of `GameDetails`, which is `value`, its `data`, or the `data` of a wrapper."""
        path: Path = ()
        while not any(key in value for key in _LISTS) and "data" in value:
            path = (*path, "data")
            value = self.fields(value["data"] or {}, path)
        if not any(key in value for key in _LISTS):
            raise self._wrong("there are no records: expected `actions`, `records` or `rounds`", path)
        return [act for key in _LISTS for act in self.acts_of(value.get(key) or [], (*path, key))]

    def acts_of(self, value: Any, path: Path) -> list[RecordedAct]:
        """Return the acts of a list: of records, of actions, or of rounds, which are lists of records."""
        if not isinstance(value, list):
            raise self._wrong("expected a list of records", path)
        acts: list[RecordedAct] = []
        for index, part in enumerate(value):
            if type(part) is list:
                inner = (*path, index)
                acts += [self._act(each, inner, position) for position, each in enumerate(part)]
            else:
                acts.append(self._act(part, path, index))
        return acts

    def _act(self, value: Any, outer: Path, index: int) -> RecordedAct:
        if type(value) is not dict:
            raise self._wrong("expected a record, which is an object", (*outer, index))
        passed = value.get("passed")
        if passed is not None and (type(passed) is not int or not 0 <= passed < _MOST_PASSED):
            raise self._wrong("passed is no number of milliseconds", (*outer, index, "passed"))
        if value.get("result"):
            record, inner, note = self.fields(value["result"], (*outer, index, "result")), _IN_RESULT, None
        elif "name" in value:
            record, inner, note = value, _IN_RECORD, value.get(MARK)
        else:
            return RecordedAct("", value, None, outer, index)
        try:
            short = _SHORT[record["name"]]
        except (KeyError, TypeError):
            raise self._unknown(record.get("name"), (*outer, index, *inner[:-1], "name")) from None
        data = record.get("data") or {}
        if type(data) is not dict:
            raise self._wrong("expected an object", (*outer, index, *inner))
        return RecordedAct(short, data, passed, outer, index, inner, note)

    def _unknown(self, name: Any, path: Path) -> InputError:
        if type(name) is not str:
            return self._wrong("the name of a record is a text", path)
        if name.removeprefix(".lq.").removeprefix("Record") in EVENT_MODES:
            return self._wrong(f"{name} belongs to an event mode: only riichi mahjong is read", path)
        return self._wrong(f"the record {name[:60]!r} is not known: expected one such as RecordDiscardTile", path)

    def fields(self, value: Any, path: Path) -> Fields:
        """Return an object. Raises `InputError` for any other value."""
        if type(value) is not dict:
            raise self._wrong("expected an object", path)
        return value

    def _wrong(self, problem: str, path: Path) -> InputError:
        return InputError(problem, self.locate(path))
