"""mjai bytes into events, each knowing its place: the fast path, and the path that folds and explains."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from mjconv.converters.mjai.aliases import fold
from mjconv.converters.mjai.notes import encode
from mjconv.converters.mjai.source import Piece, Source
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.carry import MARK
from mjconv.ir.errors import InputError, Place
from mjconv.ir.events import KINDS, Event, from_message
from mjconv.ir.limits import current

_LINES: Final = msgspec.json.Decoder(Event)
_BATCH: Final = msgspec.json.Decoder(list[Event])
_UNREADABLE: Final = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)

_TYPE: Final = re.compile(rb'"type"[ \t]*+:[ \t]*+"([a-z_]++)"')
_MISSING: Final = re.compile(r"Object missing required field `(\w+)`$")
#: The place in a message that the decoder's errors end with: a key, and what is inside it.
_PATH: Final = re.compile(r" - at `\$(?:\.([A-Za-z_]+))?([^`]*)`$")
#: How many messages are written again at a time, to see whether they say a key twice.
_AT_A_TIME: Final = 4096

_TILES: Final = "1m to 9m, 1p to 9p, 1s to 9s, 5mr 5pr 5sr, E S W N, P F C, or ? for a hidden tile"


class Unread(NamedTuple):
    """What stands for a message that cannot be read: why, and the kind of event it says to be, if it does."""

    error: InputError
    kind: type | None


Read: TypeAlias = Event | Unread


class Messages:
    """The messages of a file as `events`; `notes` holds the notes that some carry, by the message's index.

    With `lenient`, what cannot be read is `Unread` in its place, and `doubtful` tells, by index, what is wrong
    with messages that are read all the same: those with a key that stands twice, of which the last is taken.
    """

    def __init__(self, data: bytes, *, lenient: bool = False) -> None:
        self._source = Source(data)
        self._lenient = lenient
        self._offsets: list[int] | None = None
        self.events: Sequence[Read] = ()
        self.notes: dict[int, Any] = {}
        self.doubtful: dict[int, InputError] = {}
        try:
            self.events = self._read_fast()
        except _UNREADABLE:
            self._read_with_care()

    def place(self, index: int) -> Place:
        """Find where the message of this index stands; past the last: the end."""
        return self._source.place(self._offset(index))

    def note_place(self, index: int) -> Place:
        """Return the place of the note in the message of this index."""
        return self.key_place(index, (MARK,))

    def key_place(self, index: int, names: Sequence[str]) -> Place:
        """Return the place of the first of these keys in the message of this index, or of the message."""
        begin = self._offset(index)
        text = self._source.data[begin : self._offset(index + 1)]
        at = next((at for name in names if (at := text.find(f'"{name}"'.encode())) >= 0), 0)
        return self._source.place(begin + at)

    def noted(self, first: int, end: int) -> list[int]:
        """Give the indices, of these, of the messages that carry a note."""
        return self._noted[bisect_left(self._noted, first) : bisect_left(self._noted, end)]

    @cached_property
    def _noted(self) -> list[int]:
        return list(self.notes)

    def line(self, index: int) -> int:
        """Give the number of the line, from 1, that the message of this index begins on."""
        return self._source.line(self._offset(index))

    def _offset(self, index: int) -> int:
        if self._offsets is None:
            self._offsets = [piece.offset for piece in self._source.pieces()]
        return self._offsets[index] if index < len(self._offsets) else len(self._source.data)

    def _read_fast(self) -> Sequence[Read]:
        events = self._decode()
        if self._lenient and _may_repeat(self._source.data, events):
            for index, (piece, event) in enumerate(zip(self._source.pieces(), events, strict=True)):
                self._look_twice(index, piece, encode([event]))
        return events

    def _decode(self) -> list[Event]:
        data = self._source.data
        if self._source.is_batch:
            try:
                # A match on each line.
                return [event for line in data.split(b"\n") if line.strip() for event in _BATCH.decode(line)]
            except msgspec.DecodeError:
                return _BATCH.decode(data)
        events = _LINES.decode_lines(data)
        if len(events) != data.count(b"\n") + (not data.endswith(b"\n")):
            # Blank lines, or a line with two messages, which the decoder takes and JSON lines do not.
            raise msgspec.DecodeError
        return events

    def _read_with_care(self) -> None:
        """Read one message at a time: aliases, unknown keys, notes, and errors with their place."""
        self._offsets = []
        self.events = events = list[Read]()
        unread = 0
        for piece in self._source.pieces():
            self._offsets.append(piece.offset)
            try:
                events.append(self._read_piece(piece))
            except InputError as error:
                if not self._lenient:
                    raise
                events.append(Unread(error, _kind_of(piece.text)))
                unread += 1
                if unread > current().faults:
                    break

    def _read_piece(self, piece: Piece) -> Event:
        if piece.error is not None:
            raise piece.error
        try:
            event: Event = _LINES.decode(piece.text)
        except _UNREADABLE:
            return self._fold(piece)
        if self._lenient:
            self._look_twice(len(self.events), piece, encode([event]))
        return event

    def _fold(self, piece: Piece) -> Event:
        try:
            message = jsontext.loads(piece.text)
        except (ValueError, RecursionError) as error:
            raise self._source.unreadable(piece.offset, piece.text, error, _byte_of(error, piece.text)) from None
        if not isinstance(message, dict):
            raise InputError(f"a message is a JSON object, not {_kind(message)}", self._source.place(piece.offset))
        written = jsontext.dumps(message) if self._lenient else b""
        noted, note = MARK in message, message.pop(MARK, None)
        try:
            event = from_message(fold(message))
        except msgspec.ValidationError as error:
            said, key = _explain(str(error), message)
            raise InputError(said, self._key_place(*piece[:2], key)) from None
        if noted:
            self.notes[len(self.events)] = note
        if self._lenient:
            self._look_twice(len(self.events), piece, written)
        return event

    def _look_twice(self, index: int, piece: Piece, written: bytes) -> None:
        """Look for a key that stands twice in a message, which is `written` without."""
        if len(self.doubtful) > current().faults or not jsontext.may_repeat(piece.text, written):
            return
        key = jsontext.repeated(piece.text)
        if key is not None:
            at = max(0, piece.text.rfind(jsontext.dumps(key)))
            self.doubtful[index] = InputError(
                f"the key {key!r} stands twice", self._source.place(piece.offset + at)
            )

    def _key_place(self, offset: int, text: bytes, key: str | None) -> Place:
        """Find where a key stands in the text of a message, or the message."""
        found = -1 if key is None else text.find(f'"{key}"'.encode())
        return self._source.place(offset + max(0, found))


def _may_repeat(data: bytes, events: list[Event]) -> bool:
    """Tell whether some message may say a key twice: a key that the events have not is one more in the data."""
    chunks = (events[at : at + _AT_A_TIME] for at in range(0, len(events), _AT_A_TIME))
    return jsontext.may_repeat(data, *map(encode, chunks))


def _byte_of(error: Exception, text: bytes) -> int | None:
    """Count the bytes before the character that an error is about."""
    if not isinstance(error, json.JSONDecodeError):
        return None
    return len(text.decode("utf-8", "replace")[: error.pos].encode())


def _kind_of(text: bytes) -> type | None:
    """Tell by its text what kind of event a message would be that cannot be read."""
    found = _TYPE.search(text)
    return None if found is None else KINDS.get(found.group(1).decode())


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
