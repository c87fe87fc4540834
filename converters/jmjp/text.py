"""The text of a jmjp file: removes white space and comments, and finds the original place of every character.

Sections 3.2 to 3.4 of the standard. White space means nothing outside strings, not even inside what looks like
one token (``f r m [``). So it is removed before anything is parsed, and the comments with it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import Final

from msgspec import Struct

from mjconv.converters.jmjp.detect import BLANK, OPENING
from mjconv.converters.shared.text_lines import is_text
from mjconv.ir.errors import InputError, Lines, Place

#: The versions that are read, as the standard numbers them: big, or big.small.
KNOWN_MAJORS: Final = (0, 1)

#: The version, after the opening of a file.
_STATED: Final = re.compile(rf"((?>{BLANK}[0-9.]){{1,20}}+){BLANK}\]")
_BLANK: Final = re.compile(BLANK)
_VERSION: Final = re.compile(r"(0|[1-9][0-9]{0,8})(?:\.[0-9]{1,9})?")
_SOLID: Final = re.compile(r"\S+")
#: The most characters that are searched to find one place.
_SHORT_RUN: Final = 1 << 10
#: The text after a string.
_CLOSED: Final = re.compile(r"\s*+\]")
_COMMENT_END: Final = re.compile(r"[\r\n]")


class SourceComment(Struct, frozen=True):
    """A comment: the text after its ``//``, without the end of the line.

    `offset` is its offset in the stripped text, `origin` the offset of its ``//`` in the original.
    """

    offset: int
    text: str
    origin: int


class StrippedText:
    r"""The text of one jmjp file.

    `text` is the original without its byte order mark, `stripped` the same without white space and comments
    outside strings, `comments` the comments that were removed. `version` and `major` are the version of the file.

    >>> source = StrippedText.from_bytes(b"jmjp [1.0] // East\n( mtp [,, 1 9 00,] )")
    >>> source.stripped, source.version, source.comments
    ('jmjp[1.0](mtp[,,1900,])', '1.0', [SourceComment(offset=9, text=' East', origin=11)])
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = Lines(text)
        self.version = self._find_version()
        self.major = int(self.version.partition(".")[0])
        self.comments: list[SourceComment] = []
        #: The runs of text between comments and strings: offset in stripped and in the original, whether a string.
        self._runs: list[tuple[int, int, int, bool]] = []
        self.stripped = self._strip()

    @classmethod
    def from_bytes(cls, data: bytes) -> StrippedText:
        r"""Decode and strip a file.

        Raises `InputError` with its place for bad UTF-8, for a text that is not jmjp, for a version other than 0
        and 1.x, and for a string that is not closed.

        >>> StrippedText.from_bytes(b'jmjp[0](mtp[,,,snt["\xe6\x9d\xb1')
        Traceback (most recent call last):
        mjconv.ir.errors.InputError: <input>:1:20: a string is not closed: expected '"' before the file ends
            jmjp[0](mtp[,,,snt["東
                               ^
        """
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            good = data[: error.start].decode("utf-8").removeprefix("\ufeff")
            text = data.decode("utf-8", errors="replace").removeprefix("\ufeff")
            message = f"not UTF-8: byte 0x{data[error.start]:02x} at byte offset {error.start}"
            raise InputError(message, Place.at(text, len(good))) from None
        return cls(text.removeprefix("\ufeff"))

    def place(self, offset: int) -> Place:
        """Find the place in the original of an offset in the stripped text; its end is right after the last run.

        >>> StrippedText.from_bytes(b"jmjp[1.0] ( ").place(9)
        Place(line=1, column=11, text='jmjp[1.0] ( ')
        """
        return self.place_of_origin(self.origin(offset))

    def place_of_origin(self, origin: int) -> Place:
        """Find the place of an offset in the original text.

        >>> StrippedText.from_bytes(b"jmjp[1.0]").place_of_origin(4).column
        5
        """
        return self._lines.place(origin)

    def origin(self, offset: int) -> int:
        """Return the offset in the original text of an offset in the stripped text.

        >>> StrippedText.from_bytes(b"j m j p [1.0]").origin(2)
        4
        """
        at_end = offset >= len(self.stripped)
        # The end is after the last character, also if blanks follow.
        offset = len(self.stripped) - 1 if at_end else max(offset, 0)
        index = bisect_right(self._short_runs, offset, key=lambda run: run[0]) - 1
        begin, origin, end, is_string = self._short_runs[index]
        left = offset - begin
        if is_string:
            return origin + left + at_end
        for solid in _SOLID.finditer(self.text, origin, end):
            if left < len(solid[0]):
                return solid.start() + left + at_end
            left -= len(solid[0])
        raise AssertionError("a run holds as many characters as it gave")

    @cached_property
    def _short_runs(self) -> list[tuple[int, int, int, bool]]:
        """The runs, cut into short ones, so that many places are found fast."""
        cut: list[tuple[int, int, int, bool]] = []
        for offset, origin, end, is_string in self._runs:
            if is_string or end - origin <= _SHORT_RUN:
                cut.append((offset, origin, end, is_string))
                continue
            for begin in range(origin, end, _SHORT_RUN):
                stop = min(begin + _SHORT_RUN, end)
                cut.append((offset, begin, stop, False))
                offset += len("".join(self.text[begin:stop].split()))
        return cut

    def _find_version(self) -> str:
        opening = OPENING.match(self.text)
        stated = opening and _STATED.match(self.text, opening.end())
        if stated is None:
            raise self._no_head(opening)
        version = _BLANK.sub("", stated[1])
        known = _VERSION.fullmatch(version)
        if known is not None and int(known[1]) in KNOWN_MAJORS:
            return version
        # The blanks before the version are in the group as well.
        place = self._place_after_blank(stated.start(1))
        if known is None:
            raise InputError(
                f"{version!r} is no version of the standard: expected 0 or 1.x, as in jmjp[1.0]", place
            )
        raise InputError(f"version {version} of the standard is not known: this reads 0 and 1.x", place)

    def _no_head(self, opening: re.Match[str] | None) -> InputError:
        if opening is not None:
            message = "expected the version of the standard, 0 or 1.x, as in jmjp[1.0]"
            return InputError(message, self._place_after_blank(opening.end()))
        blank = _BLANK.match(self.text)
        if blank is not None and blank.end() == len(self.text):
            return InputError("the file is empty: expected jmjp[1.0]", self.place_of_origin(0))
        return InputError(
            "not a jmjp file: expected jmjp[ and a version, as in jmjp[1.0]", self._place_after_blank(0)
        )

    def _place_after_blank(self, origin: int) -> Place:
        blank = _BLANK.match(self.text, origin)
        return self.place_of_origin(blank.end() if blank else origin)

    def _strip(self) -> str:
        text, end = self.text, len(self.text)
        pieces: list[str] = []
        runs, comments = self._runs, self.comments
        offset = begin = 0
        quote, slashes = _find(text, '"', 0), _find(text, "//", 0)
        while True:
            stop = min(quote, slashes)
            # Splitting at blanks and joining again is the fastest way to take them out.
            piece = "".join(text[begin:stop].split())
            if piece:
                runs.append((offset, begin, stop, False))
                pieces.append(piece)
                offset += len(piece)
            if stop == end:
                return "".join(pieces)
            if quote < slashes:
                begin = self._string_end(quote)
                runs.append((offset, quote, begin, True))
                pieces.append(text[quote:begin])
                offset += begin - quote
            else:
                line_end = _COMMENT_END.search(text, slashes)
                begin = line_end.start() if line_end else end
                comments.append(SourceComment(offset, text[slashes + 2 : begin], slashes))
            if quote < begin:
                quote = _find(text, '"', begin)
            if slashes < begin:
                slashes = _find(text, "//", begin)

    def _string_end(self, quote: int) -> int:
        close = self.text.find('"', quote + 1)
        while close >= 0 and self.major and self.text[close - 1] == "\\":
            close = self.text.find('"', close + 1)
        if close < 0:
            raise self._unclosed(quote)
        return close + 1

    def _unclosed(self, quote: int) -> InputError:
        """Return the error for a missing quote: its place is the first string that is not between brackets."""
        hint = "; version 0 has no escaped quotes" if not self.major and '\\"' in self.text else ""
        before = ""
        for place, (_, begin, end, is_string) in enumerate([*self._runs, (0, quote, quote + 1, True)], 1):
            if not is_string:
                before = self.text[begin:end].rstrip()[-1:]
                continue
            if before != "[":
                return InputError(
                    f"a quote closes no string: expected another '\"' before it{hint}", self.place_of_origin(begin)
                )
            after = self._runs[place][1] if place < len(self._runs) else quote
            if begin == quote or _CLOSED.match(self.text, after) is None:
                break
            before = ""
        return InputError(
            f"a string is not closed: expected '\"' before the file ends{hint}", self.place_of_origin(begin)
        )


def _find(text: str, what: str, begin: int) -> int:
    offset = text.find(what, begin)
    return len(text) if offset < 0 else offset


#: A string as a regular expression, by version.
STRING: Final = {0: r'"[^"]*"', 1: r'"(?>[^"\\]|\\"?+)*+"'}


def read_string(spelling: str, major: int) -> str:
    r"""Return the text of a string with its quotes. In 1.x ``\"`` is a quote; any other backslash is itself.

    >>> read_string(r'"a\"b\n"', 1), read_string(r'"a\n"', 0)
    ('a"b\\n', 'a\\n')
    """
    inner = spelling[1:-1]
    return inner.replace('\\"', '"') if major else inner


def write_string(text: str, major: int) -> str | None:
    r"""Spell a text with its quotes. Returns None for a text that the version cannot spell.

    Version 1.x cannot spell a text that ends in a backslash, version 0 a text with a quote. Neither can spell a
    lone surrogate.

    >>> write_string('a"b', 1), write_string('a"b', 0), write_string("a\\", 1)
    ('"a\\"b"', None, None)
    """
    if not is_text(text) or (text.endswith("\\") if major else '"' in text):
        return None
    return '"' + (text.replace('"', '\\"') if major else text) + '"'
