"""Errors, and places in a text."""

from __future__ import annotations

import errno
import os
import re
import unicodedata
from bisect import bisect_right
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

#: The number of characters of a long line that are shown around the place of an error.
SHOWN = 100
#: The number of characters of a message that are shown: a message may quote a very long text.
MOST_SHOWN = 1000


class Place(Struct, frozen=True, repr_omit_defaults=True):
    """A place in a text: file (if any), line and column from 1, and the line itself.

    The `text` of an excerpt is a part of the line. `begin` is the number of characters of the line before it.
    `cited` is how people who mend such records name the place, where the format has a number for it.
    """

    line: int
    column: int
    text: str
    file: str | None = None
    begin: int = 0
    cited: str = ""

    def excerpt(self) -> Place:
        """Return the place with the part of its line that is shown, and one character more if the line is longer.

        >>> Place(1, 900, "x" * 1000).excerpt().begin
        849
        """
        if len(self.text) <= SHOWN + 1:
            return self
        begin = max(0, min(self.column - 1 - SHOWN // 2, len(self.text) - SHOWN))
        return replace(self, text=self.text[begin : begin + SHOWN + 1], begin=begin)

    @classmethod
    def at(cls, text: str, offset: int, file: str | None = None) -> Place:
        r"""Find the line and column of an offset.

        >>> Place.at("one\ntwo", 5)
        Place(line=2, column=2, text='two')
        """
        offset = min(max(offset, 0), len(text))
        begin = text.rfind("\n", 0, offset) + 1
        end = text.find("\n", offset)
        line = text[begin : len(text) if end < 0 else end]
        return cls(text.count("\n", 0, begin) + 1, offset - begin + 1, line.rstrip("\r"), file)

    def __str__(self) -> str:
        return f"{self.file or '<input>'}:{self.line}:{self.column}"

    def picture(self) -> str:
        """Return the line with a caret under the column. Control characters are replaced by their codes."""
        column = self.column - 1 - self.begin
        begin = max(0, min(column - SHOWN // 2, len(self.text) - SHOWN))
        shown = self.text[begin : begin + SHOWN]
        before = visible(shown[: column - begin])
        line = visible(shown)
        left, right = ("…" if begin or self.begin else ""), ("…" if begin + SHOWN < len(self.text) else "")
        return f"    {left}{line}{right}\n    {' ' * (len(left) + width(before))}^"


class Lines:
    r"""The lines of a text, for finding many places in it: the text is searched for line breaks once.

    >>> Lines("one\ntwo").place(5)
    Place(line=2, column=2, text='two')
    """

    def __init__(self, text: str) -> None:
        self.text = text
        #: The number of the line of the last place, and that line: many places of a long line share it.
        self._last = 0, ""

    @cached_property
    def _begins(self) -> list[int]:
        return [0, *(newline.end() for newline in re.finditer("\n", self.text))]

    def number(self, offset: int) -> int:
        """Return the number, from 1, of the line of an offset."""
        return bisect_right(self._begins, min(max(offset, 0), len(self.text)))

    def place(self, offset: int, file: str | None = None) -> Place:
        """Find the line and column of an offset."""
        offset = min(max(offset, 0), len(self.text))
        number = self.number(offset)
        begin = self._begins[number - 1]
        if self._last[0] != number:
            end = self._begins[number] - 1 if number < len(self._begins) else len(self.text)
            self._last = number, self.text[begin:end].rstrip("\r")
        return Place(number, offset - begin + 1, self._last[1], file)


def visible(text: str) -> str:
    r"""Replace the characters that a terminal would act on by their codes.

    >>> visible("a\x1b[2J")
    'a\\x1b[2J'
    """
    return "".join(
        " " if char == "\t" else repr(char)[1:-1] if unicodedata.category(char) in _UNSEEN else char
        for char in text
    )


#: The Unicode categories of characters without a sign: controls, directions of writing, line ends.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def printable(message: str) -> str:
    r"""Return a message as it is shown: its length bounded, without characters that a terminal would act on.

    >>> printable("no tile: \x1b"), len(printable("x" * 5000))
    ('no tile: \\x1b', 1001)
    """
    return visible(shortened(message))


class AtOffsetError(ValueError):
    """Raised for a wrong text: the message, and the offset of the error in the text."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class LineError(AtOffsetError):
    """Raised for a wrong line: the message, and the offset of the wrong word in the line."""

    def at(self, line: str, number: int) -> InputError:
        """Return the error with its place: the line, and its `number` in the file."""
        return InputError(self.message, Place(number, self.offset + 1, line))


def shortened(message: str) -> str:
    """Return a message of at most `MOST_SHOWN` characters and one.

    A message states what is wrong before or after a quoted text: both ends are kept.
    """
    if len(message) <= MOST_SHOWN:
        return message
    return f"{message[: MOST_SHOWN // 2]}…{message[-MOST_SHOWN // 2 :]}"


def width(text: str) -> int:
    """Return the number of columns that a text takes on a terminal. East Asian wide characters take two.

    >>> width("東1")
    3
    """
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


class Proposal(Struct, frozen=True):
    """The value that a record likely means instead of a wrong one, and the reason.

    Both values are spelled as in the record; `stated` is empty where the record has no value.
    """

    stated: str
    proposed: str
    reason: str


class MjconvError(Exception):
    """Base of all errors of this package.

    `message` states what is wrong and what was expected. `place` is the place in the input, None if it is not
    known. `file` is the name of the file, None if it is not known.
    """

    def __init__(self, message: str, place: Place | None = None, file: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.file = file or (place.file if place else None)

    def __reduce__(self) -> tuple[object, ...]:
        # A subclass may take other arguments than this class: pickling restores the attributes, not the call.
        return _again, (type(self), self.args), self.__dict__

    def __str__(self) -> str:
        message = printable(self.message)
        if self.place is not None:
            file = visible(self.file or "<input>")
            where = f"{file}:{self.place.line}:{self.place.column}: {message}"
            return f"{where}\n{self.place.picture()}" if self.place.text.strip() else where
        return f"{visible(self.file)}: {message}" if self.file else message


def _again(kind: type[MjconvError], arguments: tuple[object, ...]) -> MjconvError:
    """Return a new error, without attributes, for unpickling."""
    return kind.__new__(kind, *arguments)


class InputError(MjconvError):
    """The input breaks a rule of its format. `proposal` is the value that it likely means, if one is known."""

    def __init__(
        self,
        message: str,
        place: Place | None = None,
        file: str | None = None,
        proposal: Proposal | None = None,
    ) -> None:
        super().__init__(message, place, file)
        self.proposal = proposal


class PlayError(InputError):
    """The record is well-formed, but its play cannot happen at a table.

    An error of a writer has no place in the input: `at` then holds the indices of match, round and event, from 0.
    """

    def __init__(
        self,
        message: str,
        place: Place | None = None,
        file: str | None = None,
        at: tuple[int, int, int] | None = None,
    ) -> None:
        super().__init__(message, place, file)
        self.at = at


class UnsupportedError(MjconvError):
    """The target format cannot hold this match, not even in a note."""


class UsageError(MjconvError):
    """The call is wrong: an unknown format, a format that cannot be recognised, or a wrong option."""


class MissingFileError(MjconvError, FileNotFoundError):
    """There is no such file or folder. `except FileNotFoundError` catches this error too."""

    def __init__(self, file: str, message: str = os.strerror(errno.ENOENT)) -> None:
        super().__init__(message, file=file)
        FileNotFoundError.__init__(self, errno.ENOENT, message, file)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.file, self.message)


class LossError(MjconvError):
    """The conversion would lose data, and the caller asked for a conversion without losses."""


class VerifyError(MjconvError):
    """What was written does not read as the source, and no loss names the difference."""


def file_of(error: OSError) -> str | None:
    """Return the name of the file that an error is about: of a file that moves, the name that it was to get.

    >>> file_of(IsADirectoryError(21, "Is a directory", "out/.tmp", None, "out/game.mjson"))
    'out/game.mjson'
    """
    name: str | bytes | None = error.filename2 or error.filename
    return os.fsdecode(name) if isinstance(name, bytes) else name
