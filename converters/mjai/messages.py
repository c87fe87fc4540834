"""mjai bytes into events, each knowing its place: the fast path, and the path that folds and explains."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Final

import msgspec

from mjconv.converters import jsontext
from mjconv.converters.mjai.aliases import fold
from mjconv.converters.notes import MARK
from mjconv.ir.errors import InputError, Place
from mjconv.ir.events import Event, from_message

_LINES: Final = msgspec.json.Decoder(Event)
_BATCH: Final = msgspec.json.Decoder(list[Event])
_UNREADABLE: Final = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)

_BOM: Final = b"\xef\xbb\xbf"
_GAP: Final = re.compile(r"[ \t\r\n]*")
_MISSING: Final = re.compile(r"Object missing required field `(\w+)`$")
#: The place in a message that the decoder's errors end with: a key, and what is inside it.
_PATH: Final = re.compile(r" - at `\$(?:\.([A-Za-z_]+))?([^`]*)`$")

_TILES: Final = "1m to 9m, 1p to 9p, 1s to 9s, 5mr 5pr 5sr, E S W N, P F C, or ? for a hidden tile"


class Messages:
    """The messages of a file as `events`; `notes` holds the notes that some carry, by the message's index."""

    def __init__(self, data: bytes) -> None:
        self._data = data.removeprefix(_BOM)
        self._offsets: list[int] | None = None
        self.events: list[Event] = []
        self.notes: dict[int, Any] = {}
        try:
            self.events = self._read_fast()
        except _UNREADABLE:
            self._read_with_care()

    def place(self, index: int, key: str | None = None) -> Place:
        """Find where the message of this index stands, or a key of it; past the last: the end."""
        return self._place(self._offset(index), key)

    def noted(self, first: int, end: int) -> list[int]:
        """Give the indices, of these, of the messages that carry a note."""
        return self._noted[bisect_left(self._noted, first) : bisect_left(self._noted, end)]

    @cached_property
    def _noted(self) -> list[int]:
        return list(self.notes)

    def line(self, index: int) -> int:
        """Give the number of the line, from 1, that the message of this index begins on."""
        return bisect_right(self._lines, self._offset(index))

    def _offset(self, index: int) -> int:
        if self._offsets is None:
            self._offsets = [offset for offset, _ in self._values()]
        return self._offsets[index] if index < len(self._offsets) else len(self._data)

    @cached_property
    def _lines(self) -> list[int]:
        """The offsets at which lines begin."""
        return [0, *(found.end() for found in re.finditer(b"\n", self._data))]

    def _read_fast(self) -> list[Event]:
        if self._is_batch:
            return _BATCH.decode(self._data)
        events = _LINES.decode_lines(self._data)
        if len(events) != self._data.count(b"\n") + (not self._data.endswith(b"\n")):
            # Blank lines, or a line with two messages, which the decoder takes and JSON lines do not.
            raise msgspec.DecodeError
        return events

    def _read_with_care(self) -> None:
        """Read one message at a time: aliases, unknown keys, notes, and errors with their place."""
        self._offsets = []
        for offset, text in self._values():
            self._offsets.append(offset)
            try:
                self.events.append(_LINES.decode(text))
            except _UNREADABLE:
                self.events.append(self._fold(offset, text))

    def _fold(self, offset: int, text: bytes) -> Event:
        try:
            message = jsontext.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._unreadable(offset, text, error) from None
        if not isinstance(message, dict):
            raise InputError(f"a message is a JSON object, not {_kind(message)}", self._place(offset))
        if MARK in message:
            self.notes[len(self.events)] = message.pop(MARK)
        try:
            return from_message(fold(message))
        except msgspec.ValidationError as error:
            said, key = _explain(str(error), message)
            raise InputError(said, self._place(offset, key)) from None

    def _values(self) -> Iterator[tuple[int, bytes]]:
        """Give each message's offset and JSON text: a line each, or the members of arrays."""
        offset = 0
        for line in [self._data] if self._is_one_array() else self._data.split(b"\n"):
            text = line.strip()
            begin = offset + (len(line) - len(line.lstrip()))
            if text.startswith(b"["):
                yield from self._members(begin, line.lstrip())
            elif text:
                yield begin, text
            offset += len(line) + 1

    def _members(self, begin: int, array: bytes) -> Iterator[tuple[int, bytes]]:
        """Give the members of a JSON array with their offsets."""
        try:
            text = array.decode()
            after = _GAP.match(text, 1).end()  # type: ignore[union-attr]
            scan = json.JSONDecoder().raw_decode
            while text[after : after + 1] != "]":
                _, end = scan(text, after)
                member = text[after:end].encode()
                yield begin + len(text[:after].encode()), member
                after = _GAP.match(text, end).end()  # type: ignore[union-attr]
                if text[after : after + 1] == ",":
                    after = _GAP.match(text, after + 1).end()  # type: ignore[union-attr]
                elif text[after : after + 1] != "]":
                    raise json.JSONDecodeError("Expecting ',' or ']'", text, after)
            if text[after + 1 :].strip():
                raise json.JSONDecodeError("Extra data after the array", text, after + 1)
        except (ValueError, RecursionError) as error:
            raise self._unreadable(begin, array, error) from None

    @property
    def _is_batch(self) -> bool:
        return self._data[:4096].lstrip().startswith(b"[")

    def _is_one_array(self) -> bool:
        """Tell an array that runs over lines from arrays of a line each: the first line is none by itself."""
        if not self._is_batch:
            return False
        try:
            jsontext.loads(self._data.lstrip().partition(b"\n")[0])
        except (ValueError, RecursionError):
            return True
        return False

    def _unreadable(self, offset: int, text: bytes, error: Exception) -> InputError:
        try:
            text.decode()
        except UnicodeDecodeError as bad:
            at = offset + bad.start
            return InputError(f"not UTF-8: byte 0x{text[bad.start]:02x} at offset {at}", self._place(at))
        if isinstance(error, json.JSONDecodeError):
            before = len(text.decode()[: error.pos].encode())
            return InputError(f"not JSON: {error.msg}", self._place(offset + before))
        return InputError(f"not JSON that can be read: {error}", self._place(offset))

    def _place(self, offset: int, key: str | None = None) -> Place:
        if key is not None:
            end = self._data.find(b"\n", offset)
            found = self._data.find(f'"{key}"'.encode(), offset, len(self._data) if end < 0 else end)
            offset = max(offset, found)
        number = bisect_right(self._lines, offset)
        begin = self._lines[number - 1]
        end = self._lines[number] - 1 if number < len(self._lines) else len(self._data)
        column = len(self._data[begin:offset].decode("utf-8", "replace")) + 1
        return Place(number, column, self._data[begin:end].decode("utf-8", "replace").rstrip("\r"))


def _kind(value: Any) -> str:
    names: dict[type, str] = {list: "an array", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _explain(error: str, message: dict[str, Any]) -> tuple[str, str | None]:
    """Put a decoder's error into the words of the format: the text, and the key it is about."""
    kind = message.get("type")
    if not isinstance(kind, str):
        return "a message needs a `type` that is a string", "type"
    missing = _MISSING.match(error)
    if missing is not None:
        return f"{kind}: {missing.group(1)} is missing", None
    found = _PATH.search(error)
    key = found.group(1) if found else None
    text = error[: found.start()] if found else error
    if key is None:
        return f"{kind}: {text}", None
    place = f"{kind}.{key}{found.group(2) if found else ''}"
    for begin, explain in _WORDS.items():
        if text.startswith(begin):
            return f"{place}: {explain(text, key)}", key
    return text if key == "type" else f"{place}: {text}", key


def _no_such(text: str, key: str) -> str:
    value = text.removeprefix("Invalid enum value ")
    return f"{value} is no wind: E, S, W or N" if key == "bakaze" else f"{value} is no tile: {_TILES}"


def _length(text: str, key: str) -> str:
    return "a hand has 13 tiles, and there are 3 or 4 hands" if key == "tehais" else text


def _seat(text: str, key: str) -> str:
    return "a seat is 0 to 3" if key in ("actor", "target", "oya", "id", "pao") else text


_WORDS: Final[dict[str, Callable[[str, str], str]]] = {
    "Invalid enum value": _no_such,
    "Expected `array` of length": _length,
    "Expected `int` <= 3": _seat,
    "Expected `int` >= 0": _seat,
}
