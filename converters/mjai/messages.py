"""Decodes the messages of an mjai file into events.

First all lines are decoded at once. This fails for errors, and in an array for aliases, unknown keys and notes.
Then one message is read at a time, with its place. Reading a log of the standard dialect takes less than half the
time by this: the default conversion of 18 games to mjai takes 15 ms, and 32 ms with one message at a time.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from mjconv.converters.mjai.aliases import fold
from mjconv.converters.mjai.lines import encode, spelled_as
from mjconv.converters.mjai.pieces import MessageText, MessageTexts
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.note_json import MARK
from mjconv.ir.errors import InputError, Place
from mjconv.ir.events import KINDS, Event, from_message
from mjconv.ir.limits import current

_LINE: Final = msgspec.json.Decoder(Event)
_ARRAY: Final = msgspec.json.Decoder(list[msgspec.Raw])
_UNREADABLE: Final = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)

#: The number of bytes that are cut into lines at a time.
_PART: Final = 1 << 18

#: The beginning of a message about dealt hands.
HANDS: Final = "a hand has 13 tiles, in some games 16"
_TILES: Final = "1m to 9m, 1p to 9p, 1s to 9s, 5mr 5pr 5sr, E S W N, P F C, or ? for a hidden tile"


class Unread(NamedTuple):
    """Replaces a message that cannot be read: the error, and the kind of event if its text states one."""

    error: InputError
    kind: type | None


Read: TypeAlias = Event | Unread


class Messages:
    """The messages of a file.

    `events` are the events of all messages, in order. `notes` are the notes, by the index of their message. If
    `lenient`, an `Unread` replaces a message that cannot be read, and `doubtful` holds errors, by index, of
    messages that were read: of each message that has a key twice. The last value of such a key counts. If not
    `lenient`, the first error is raised.
    """

    def __init__(self, data: bytes, *, lenient: bool = False) -> None:
        self._pieces = MessageTexts(data)
        self._usual = spelled_as(self._pieces.data)
        self._lenient = lenient
        self._offsets: list[int] | None = None
        self.events: Sequence[Read] = ()
        self.notes: dict[int, Any] = {}
        self.doubtful: dict[int, InputError] = {}
        try:
            self.events = self._read_fast()
        except (*_UNREADABLE, InputError):
            self._read_carefully()

    def place(self, index: int) -> Place:
        """Return the place of the message of this index, or the end of the file after the last message."""
        return self._pieces.place(self._offset(index))

    def key_place(self, index: int, names: Sequence[str]) -> Place:
        """Return the place of the first of these keys in the message of this index, or of the message."""
        begin = self._offset(index)
        return self._place_of_key(begin, self._pieces.data[begin : self._offset(index + 1)], names)

    def noted(self, first: int, end: int) -> list[int]:
        """Return the indices, from `first` to before `end`, of messages with a note."""
        return self._noted[bisect_left(self._noted, first) : bisect_left(self._noted, end)]

    @cached_property
    def _noted(self) -> list[int]:
        return list(self.notes)

    def _offset(self, index: int) -> int:
        if self._offsets is None:
            self._offsets = [piece.offset for piece in self._pieces.pieces()]
        return self._offsets[index] if index < len(self._offsets) else len(self._pieces.data)

    def _read_fast(self) -> Sequence[Read]:
        events: list[Any] = []
        repeats = False
        for begin, texts in self._texts():
            read: list[Any] = list(map(self._usual.get, texts))
            decoded: list[int] = []
            offset, counted = begin or 0, 0
            for index in [index for index, event in enumerate(read) if event is None]:
                try:
                    read[index] = _LINE.decode(texts[index])
                    decoded.append(index)
                except msgspec.ValidationError:
                    if begin is None:
                        raise
                    offset += sum(map(len, texts[counted:index])) + index - counted
                    counted = index
                    read[index] = self._fold(MessageText(offset, texts[index]), len(events) + index)
            events += read
            # A usual line has no key twice, and `_fold` checks the lines with aliases, unknown keys and notes.
            unusual = b"\n".join([texts[index] for index in decoded])
            repeats = repeats or jsontext.may_repeat(unusual, encode([read[index] for index in decoded]))
        if repeats:
            for index, (piece, event) in enumerate(zip(self._pieces.pieces(), events, strict=True)):
                self._check_repeats(index, piece, encode([event]))
        return events

    def _texts(self) -> Iterator[tuple[int | None, list[bytes]]]:
        """Yield the texts of messages: many lines at a time with the offset of the first, or all of the arrays."""
        data = self._pieces.data
        if not self._pieces.is_batch:
            yield from ((begin, part.split(b"\n")) for begin, part in _parts(data))
            return
        try:
            # A match on each line.
            arrays = [_ARRAY.decode(line) for line in data.split(b"\n") if line.strip()]
        except msgspec.DecodeError:
            arrays = [_ARRAY.decode(data)]
        yield None, [bytes(text) for array in arrays for text in array]

    def _read_carefully(self) -> None:
        """Read one message at a time, with aliases, unknown keys and notes. Errors have their place."""
        self._offsets = []
        self.notes, self.doubtful = {}, {}
        self.events = events = list[Read]()
        unread = 0
        for piece in self._pieces.pieces():
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

    def _read_piece(self, piece: MessageText) -> Event:
        if piece.error is not None:
            raise piece.error
        usual = self._usual.get(piece.text)
        if usual is not None:
            return usual
        try:
            event: Event = _LINE.decode(piece.text)
        except _UNREADABLE:
            return self._fold(piece, len(self.events))
        self._check_repeats(len(self.events), piece, encode([event]))
        return event

    def _fold(self, piece: MessageText, index: int) -> Event:
        try:
            message = jsontext.loads(piece.text)
        except (ValueError, RecursionError) as error:
            raise self._pieces.unreadable(piece.offset, piece.text, error, _byte_of(error, piece.text)) from None
        if not isinstance(message, dict):
            raise InputError(f"a message is a JSON object, not {_kind(message)}", self._pieces.place(piece.offset))
        written = jsontext.dumps(message)
        noted, note = MARK in message, message.pop(MARK, None)
        try:
            event = from_message(fold(message))
        except msgspec.ValidationError as error:
            reason, key = _explain(str(error), message)
            raise InputError(reason, self._place_of_key(*piece[:2], (key,) if key else ())) from None
        if noted:
            self.notes[index] = note
        self._check_repeats(index, piece, written)
        return event

    def _check_repeats(self, index: int, piece: MessageText, written: bytes) -> None:
        """Refuse a message that has a key twice; if lenient, mark it as doubtful.

        `written` is the decoded message written again.
        """
        if len(self.doubtful) > current().faults or not jsontext.may_repeat(piece.text, written):
            return
        key = jsontext.repeated(piece.text)
        if key is not None:
            start = max(0, piece.text.rfind(jsontext.dumps(key)))
            error = InputError(f"the message has the key {key!r} twice", self._pieces.place(piece.offset + start))
            if not self._lenient:
                raise error
            self.doubtful[index] = error

    def _place_of_key(self, offset: int, text: bytes, names: Sequence[str]) -> Place:
        """Return the place of the first of these keys in the text of a message, or of the message."""
        start = next((start for name in names if (start := text.find(f'"{name}"'.encode())) >= 0), 0)
        return self._pieces.place(offset + start)


def _parts(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Cut a text into parts of whole lines, without the line break at the end of a part, each with its offset."""
    begin, end = 0, len(data) - data.endswith(b"\n")
    while begin < end:
        cut = data.find(b"\n", begin + _PART, end)
        cut = end if cut < 0 else cut
        yield begin, data[begin:cut]
        begin = cut + 1


def _byte_of(error: Exception, text: bytes) -> int | None:
    """Return the number of bytes before the character that an error is about, None if it names none."""
    # Imported here: only errors need it, and every start of the command would pay for the import.
    import json

    if not isinstance(error, json.JSONDecodeError):
        return None
    return len(text.decode("utf-8", "replace")[: error.pos].encode())


def _kind_of(text: bytes) -> type | None:
    """Return the kind of event that the text of an unreadable message states, or None."""
    kind = re.search(rb'"type"[ \t]*+:[ \t]*+"([a-z_]++)"', text)
    return None if kind is None else KINDS.get(kind.group(1).decode())


def _kind(value: Any) -> str:
    names: dict[type, str] = {list: "an array", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _explain(error: str, message: dict[str, Any]) -> tuple[str, str | None]:
    """Return the message for an error of the decoder in the terms of mjai, and the key that it is about."""
    kind = message.get("type")
    if not isinstance(kind, str):
        return "a message needs a `type` that is a string", "type"
    missing = re.match(r"Object missing required field `(\w+)`$", error)
    if missing is not None:
        return f"{kind}: {missing.group(1)} is missing", None
    # The end of an error of the decoder: the key of the message, and the path inside its value.
    way = re.search(r" - at `\$(?:\.([A-Za-z_]+))?([^`]*)`$", error)
    key = way.group(1) if way else None
    text = error[: way.start()] if way else error
    if key is None:
        return f"{kind}: {text}", None
    path = f"{kind}.{key}{way.group(2) if way else ''}"
    for begin, explain in _EXPLANATIONS.items():
        if text.startswith(begin):
            return f"{path}: {explain(text, key)}", key
    return text if key == "type" else f"{path}: {text}", key


def _wrong_spelling(text: str, key: str) -> str:
    value = text.removeprefix("Invalid enum value ")
    return f"{value} is no wind: E, S, W or N" if key == "bakaze" else f"{value} is no tile: {_TILES}"


def _wrong_length(text: str, key: str) -> str:
    return f"{HANDS}, and there are 3 or 4 hands" if key == "tehais" else text


def _wrong_seat(text: str, key: str) -> str:
    return "a seat is 0 to 3" if key in ("actor", "target", "oya", "id", "pao") else text


_EXPLANATIONS: Final[dict[str, Callable[[str, str], str]]] = {
    "Invalid enum value": _wrong_spelling,
    "Expected `array` of length": _wrong_length,
    "Expected `int` <= 3": _wrong_seat,
    "Expected `int` >= 0": _wrong_seat,
}
