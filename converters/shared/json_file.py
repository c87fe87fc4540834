"""The objects of a JSON file: one, one a line, or an array of them. Each knows its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from mjconv.converters.shared import jsontext
from mjconv.converters.shared.json_places import JsonPlaces, offset_in_string
from mjconv.converters.shared.json_values import Path
from mjconv.ir.errors import InputError, Lines, Place
from mjconv.ir.limits import LimitError
from mjconv.ir.losses import Report

_BOM: Final = b"\xef\xbb\xbf"
Read = TypeVar("Read")


class JsonText(Struct, dict=True, eq=False):
    """One JSON text, and the place of each of its values.

    `place_of` returns the place of an offset in the text; without it the text is a file, or the line of a file
    with the number `line`. `whole` is the text of a file without a byte order mark.
    """

    text: bytes
    line: int = 1
    place_of: Callable[[int], Place] | None = None
    whole: bytes | None = None

    @classmethod
    def of_file(cls, data: bytes) -> JsonText:
        """Return the text of a file, with blanks in the place of a byte order mark."""
        begin = len(_BOM) if data.startswith(_BOM) else 0
        return cls(b" " * begin + data[begin:], whole=data[begin:])

    def place(self, path: Path = ()) -> Place:
        """Return the place of the value at the end of a path."""
        return self.place_at(self._places.offset(path))

    def place_at(self, offset: int) -> Place:
        """Return the place of a character of the text, which is decoded."""
        if self.place_of is not None:
            return self.place_of(offset)
        place = self._lines.place(offset)
        return Place(place.line + self.line - 1, place.column, place.text)

    def place_in_string(self, path: Path, character: int) -> Place:
        """Return the place of a character of the string at the end of a path."""
        return self.place_at(offset_in_string(self._decoded, self._places.offset(path), character))

    @cached_property
    def _decoded(self) -> str:
        return self.text.decode("utf-8", "replace")

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self._decoded)

    @cached_property
    def _places(self) -> JsonPlaces:
        return JsonPlaces(self._decoded)


class Located:
    """An object of a file: its value, its text, and the path to it in the JSON text of the file."""

    def __init__(self, value: Any, source: JsonText, path: Path = (), text: bytes | None = None) -> None:
        self.value = value
        self.source = source
        self.path = tuple(path)
        self.text = next(each for each in (text, source.whole, source.text) if each is not None)

    def value_at(self, path: Path) -> Any:
        """Return the value at the end of a path."""
        value = self.value
        for step in path:
            value = value[step]
        return value

    def place(self, path: Path = ()) -> Place:
        """Return the place of a value in the object."""
        return self.source.place((*self.path, *path))

    def place_in_text(self, path: Path, inner: Path) -> Place:
        """Return the place of a value in a JSON text that is a string of the object.

        `path` leads to the string, `inner` to the value in its text. If the string is no JSON text, its own place
        is returned.
        """
        try:
            offset = JsonPlaces(self.value_at(path)).offset(inner)
        except (TypeError, ValueError):
            return self.place(path)
        return self.source.place_in_string((*self.path, *path), offset)


def objects(data: bytes, report: Report, decoder: msgspec.json.Decoder[Any] | None = None) -> Iterator[Located]:
    r"""Yield the objects of a file. Raises `InputError` with its place where the text is no JSON.

    `decoder` is one of `jsontext.decoder_of`: then an object that is the text of a file or of a line is a struct.

    >>> [located.value for located in objects(b'{"log":[]}\n{"log":[1]}\n', Report())]
    [{'log': []}, {'log': [1]}]
    """
    for source in _sources(data):
        try:
            value = load(source, decoder)
        except InputError as error:
            report.fault(error)
            continue
        # In a file of lines, each line is one object, and the first line is no array.
        if isinstance(value, list) and source.line == 1:
            texts = _texts_of(source, value)
            for index, each in enumerate(value):
                yield Located(each, source, (index,), texts[index])
        else:
            yield Located(value, source)


def grouped(
    objects: Iterable[Located],
    read: Callable[[Located, int, int], Read | None],
    follows: Callable[[Read, Read], bool],
    report: Report,
) -> Iterator[tuple[int, list[Read]]]:
    """Yield the matches of a file, each with its number: objects that follow each other are one match.

    `read` takes an object, the number of its match and its index there. It returns None for an object that
    belongs to no match. `follows` returns whether an object follows the one before it.
    """
    number = 0
    group: list[Read] = []
    for located in objects:
        mark = report.mark()
        part = read(located, number, len(group))
        if group and (part is None or not follows(part, group[-1])):
            reported = report.mark() != mark
            report.reset(mark)
            yield number, group
            number += 1
            group = []
            if reported:
                # The object belongs to the next match. Read again, its reports have the number of that match.
                part = read(located, number, 0)
        if part is not None:
            group.append(part)
    if group:
        yield number, group


def _sources(data: bytes) -> Iterator[JsonText]:
    r"""Yield the JSON texts of a file: the file, or its lines if the first one is a whole object.

    >>> [source.text for source in _sources(b'[{}]')], [source.text for source in _sources(b'{}\n\n{}\n')]
    ([b'[{}]'], [b'{}', b'{}'])
    """
    file = JsonText.of_file(data)
    if not _is_of_lines(file.text):
        yield file
        return
    for number, line in enumerate(file.text.split(b"\n"), 1):
        if line.strip():
            yield JsonText(line, number)


def _texts_of(source: JsonText, values: list[Any]) -> list[bytes]:
    """Return the texts of the values of a JSON array."""
    try:
        return list(map(bytes, msgspec.json.decode(source.text, type=list[msgspec.Raw])))
    except msgspec.MsgspecError:
        # The two readers of JSON differ in a few escapes.
        return list(map(jsontext.dumps, values))


def _is_of_lines(text: bytes) -> bool:
    """Return whether the first line is a whole object, and other lines follow."""
    first, _, rest = text.lstrip().partition(b"\n")
    return bool(rest) and not rest.isspace() and first.rstrip().endswith(b"}") and jsontext.is_json(first)


def load(source: JsonText, decoder: msgspec.json.Decoder[Any] | None = None) -> Any:
    """Return the value of a JSON text. Raises `InputError` with its place where the text is no JSON."""
    try:
        return jsontext.loads_unique(source.text, decoder)
    except json.JSONDecodeError as error:
        raise InputError(f"this is no JSON: {error.msg}", source.place_at(error.pos)) from None
    except jsontext.TooDeepError:
        raise LimitError("nesting", source.place_at(0)) from None
    except (ValueError, RecursionError) as error:
        raise InputError(str(error), source.place_at(0)) from None
