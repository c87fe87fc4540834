"""Cuts the bytes of an mjai file into messages, and returns the line and column of an offset."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple

from mjconv.converters.shared import jsontext
from mjconv.ir import limits
from mjconv.ir.errors import InputError, Place

_BOM: Final = b"\xef\xbb\xbf"
_GAP: Final = re.compile(r"[ \t\r\n]*")
#: The point at which the reader continues in a broken array.
_NEXT: Final = re.compile(r",[ \t\r\n]*+\{|\n[ \t\r]*+\{")


class MessageText(NamedTuple):
    """One message: its offset in bytes, its JSON text, and the error if it cannot be cut out of its array."""

    offset: int
    text: bytes
    error: InputError | None = None


class _Array(str):
    """The text of an array. For each error, `json` counts the lines before it: here they are not needed."""

    __slots__ = ()

    def count(self, *_: Any) -> int:
        return 0

    def rfind(self, *_: Any) -> int:
        return -1


class MessageTexts:
    """The messages of a file as pieces of its bytes. A byte order mark is removed; offsets count from after it."""

    def __init__(self, data: bytes) -> None:
        self.data = data.removeprefix(_BOM)
        # The number and text of the last line, and the last offset and column in it: places are usually computed
        # in order, and a line may be the whole file.
        self._text = (0, "")
        self._counted = (0, 0, 0)

    @property
    def is_batch(self) -> bool:
        """Whether the file begins with an array of messages."""
        return self.data[:4096].lstrip().startswith(b"[")

    def pieces(self) -> Iterator[MessageText]:
        """Yield the messages in order: each line, or each member of an array.

        For an error in an array, yields a piece with the error, and continues with the next object in the array.
        """
        offset = 0
        for line in [self.data] if self._is_one_array() else self.data.split(b"\n"):
            text = line.strip()
            begin = offset + (len(line) - len(line.lstrip()))
            if text.startswith(b"["):
                yield from self._members(begin, text)
            elif text:
                yield MessageText(begin, text)
            offset += len(line) + 1

    def _is_one_array(self) -> bool:
        """Return whether the file is one array over many lines, not an array on each line. Lines may be broken."""
        if not self.is_batch:
            return False
        first = self.data.lstrip().partition(b"\n")[0]
        return not jsontext.is_json(first) and (not first.rstrip().endswith(b"]") or jsontext.is_json(self.data))

    def _members(self, begin: int, array: bytes) -> Iterator[MessageText]:
        """Yield the members of a JSON array."""
        # Imported here: few files are one array over many lines, and every start of the command would pay.
        import json

        # Latin-1 has one character for each byte, so that offsets agree. Members are cut out of the bytes.
        text = _Array(array.decode("latin-1"))
        # Integers stay text here: their number of digits is checked later.
        scan = json.JSONDecoder(parse_int=str).raw_decode
        offset = _after_gap(text, 1)
        while text[offset : offset + 1] != "]":
            try:
                _, end = scan(text, offset)
            except (ValueError, RecursionError) as error:
                following = _NEXT.search(text, offset)
                broken = array[offset : following.start() if following else None]
                byte = error.pos - offset if isinstance(error, json.JSONDecodeError) else None
                yield MessageText(begin + offset, broken, self.unreadable(begin + offset, broken, error, byte))
                if following is None:
                    return
                offset = following.end() - 1
                continue
            yield MessageText(begin + offset, array[offset:end])
            offset = _after_gap(text, end)
            if text[offset : offset + 1] == ",":
                offset = _after_gap(text, offset + 1)
            elif text[offset : offset + 1] != "]":
                missing = json.JSONDecodeError("Expecting ',' or ']'", text, offset)
                yield MessageText(begin + offset, b"", self.unreadable(begin + offset, b"", missing, 0))
                if text[offset : offset + 1] != "{":
                    following = _NEXT.search(text, offset)
                    if following is None:
                        return
                    offset = following.end() - 1
        rest = array[offset + 1 :]
        if rest.strip():
            extra = json.JSONDecodeError("Extra data after the array", text, offset + 1)
            yield MessageText(begin + offset + 1, rest, self.unreadable(begin + offset + 1, rest, extra, 0))

    def unreadable(self, offset: int, text: bytes, error: Exception, byte: int | None = None) -> InputError:
        """Return the error for a text that is no JSON. `byte` is the byte in the text that `error` is about."""
        try:
            text.decode()
        except UnicodeDecodeError as bad:
            start = offset + bad.start
            return InputError(f"not UTF-8: byte 0x{text[bad.start]:02x} at offset {start}", self.place(start))
        import json

        if isinstance(error, json.JSONDecodeError) and byte is not None:
            return InputError(f"not JSON: {error.msg}", self.place(offset + byte))
        reason = limits.refusal("nesting") if isinstance(error, RecursionError) else error
        return InputError(f"not JSON that mjconv reads: {reason}", self.place(offset))

    def line(self, offset: int) -> int:
        """Return the number, from 1, of the line of an offset."""
        return bisect_right(self._begins, offset)

    def place(self, offset: int) -> Place:
        """Return the line and column of an offset."""
        number = self.line(offset)
        begin = self._begins[number - 1]
        if self._text[0] != number:
            end = self._begins[number] - 1 if number < len(self._begins) else len(self.data)
            self._text = number, self.data[begin:end].decode("utf-8", "replace").rstrip("\r")
        known, counted, column = self._counted
        if known != number or counted > offset:
            counted, column = begin, 1
        column += len(self.data[counted:offset].decode("utf-8", "replace"))
        self._counted = number, offset, column
        return Place(number, column, self._text[1])

    @cached_property
    def _begins(self) -> list[int]:
        """The offsets of the beginnings of lines."""
        return [0, *(newline.end() for newline in re.finditer(b"\n", self.data))]


def _after_gap(text: str, offset: int) -> int:
    gap = _GAP.match(text, offset)
    return offset if gap is None else gap.end()
