"""Errors: what is wrong, where, and what was expected there."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

#: How much of a long line is shown around the place of an error.
SHOWN = 100
#: How much of a message is said: it may quote what is far too long.
SAID = 1000


@dataclass(frozen=True)
class Place:
    """A place in a text: file (if any), line and column from 1, and the line itself."""

    line: int
    column: int
    text: str
    file: str | None = None

    @classmethod
    def at(cls, text: str, offset: int, file: str | None = None) -> Place:
        r"""Find the line and column of an offset.

        >>> Place.at("one\ntwo", 5)
        Place(line=2, column=2, text='two', file=None)
        """
        offset = min(max(offset, 0), len(text))
        begin = text.rfind("\n", 0, offset) + 1
        end = text.find("\n", offset)
        line = text[begin : len(text) if end < 0 else end]
        return cls(text.count("\n", 0, begin) + 1, offset - begin + 1, line.rstrip("\r"), file)

    def __str__(self) -> str:
        return f"{self.file or '<input>'}:{self.line}:{self.column}"

    def picture(self) -> str:
        """Show the line with a caret under the column, control characters made visible."""
        begin = max(0, min(self.column - 1 - SHOWN // 2, len(self.text) - SHOWN))
        shown = self.text[begin : begin + SHOWN]
        before = visible(shown[: self.column - 1 - begin])
        line = visible(shown)
        left, right = ("…" if begin else ""), ("…" if begin + SHOWN < len(self.text) else "")
        return f"    {left}{line}{right}\n    {' ' * (len(left) + width(before))}^"


class Lines:
    r"""The lines of a text, to find many places in it: where each begins is looked up once.

    >>> Lines("one\ntwo").place(5)
    Place(line=2, column=2, text='two', file=None)
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _begins(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    def number(self, offset: int) -> int:
        """Give the number of the line that an offset is on, from 1."""
        return bisect_right(self._begins, min(max(offset, 0), len(self.text)))

    def place(self, offset: int, file: str | None = None) -> Place:
        """Find the line and column of an offset."""
        offset = min(max(offset, 0), len(self.text))
        number = self.number(offset)
        begin = self._begins[number - 1]
        end = self._begins[number] - 1 if number < len(self._begins) else len(self.text)
        return Place(number, offset - begin + 1, self.text[begin:end].rstrip("\r"), file)


def visible(text: str) -> str:
    r"""Replace what a terminal would act on by its code.

    >>> visible("a\x1b[2J")
    'a\\x1b[2J'
    """
    return "".join(
        " " if char == "\t" else repr(char)[1:-1] if unicodedata.category(char) in _UNSEEN else char
        for char in text
    )


#: The Unicode categories of what is no sign: controls, what turns the direction of writing, ends of lines.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def said(message: str) -> str:
    r"""Give a message as it is said to a person: bounded, and nothing in it that a terminal would act on.

    >>> said("no tile: \x1b"), len(said("x" * 5000))
    ('no tile: \\x1b', 1001)
    """
    if len(message) > SAID:
        # What is wrong stands at either end of what it quotes.
        message = f"{message[: SAID // 2]}…{message[-SAID // 2 :]}"
    return visible(message)


def width(text: str) -> int:
    """Count the columns that a text takes on a terminal, East Asian wide characters two.

    >>> width("東1")
    3
    """
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


class MjconvError(Exception):
    """Bad input, or play that cannot be written: the base of all errors of this package.

    `message` says what is wrong and what was expected; `place` where, when it is known.
    """

    def __init__(self, message: str, place: Place | None = None, file: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.file = file or (place.file if place else None)

    def __reduce__(self) -> tuple[object, ...]:
        # A kind of error may be made of other things than its message; another process gets it as it is.
        return _again, (type(self), self.args), self.__dict__

    def __str__(self) -> str:
        message = said(self.message)
        if self.place is not None:
            file = visible(self.file or "<input>")
            where = f"{file}:{self.place.line}:{self.place.column}: {message}"
            return f"{where}\n{self.place.picture()}" if self.place.text.strip() else where
        return f"{visible(self.file)}: {message}" if self.file else message


def _again(kind: type[MjconvError], words: tuple[object, ...]) -> MjconvError:
    """Make an error anew, to be filled with what it had."""
    return kind.__new__(kind, *words)


class InputError(MjconvError):
    """The input is not what its format allows."""


class PlayError(InputError):
    """The record is well-formed, and what it tells cannot happen at a table.

    Found while writing, it has no place in the input; `at` then counts match, round and event from 0.
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
    """The target format has no way to hold this match, not even in a note."""


class UsageError(MjconvError):
    """The call is wrong: an unknown format, or one that cannot be told."""


class LossError(MjconvError):
    """Something would be lost, and the caller asked that nothing be."""
