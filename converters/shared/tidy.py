"""Lines of a text in its usual layout: blank lines as they were typed, and comments in one column."""

import codecs
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from mjconv.ir.errors import width

#: The number of blanks between the longest text of some lines and their comments.
_GAP: Final = 2


class TidyLine(NamedTuple):
    """A line: its text, the comment after it with its sign, and whether a blank line comes before it."""

    text: str
    comment: str = ""
    apart: bool = False


class Span(NamedTuple):
    """A line or paragraph: its offsets in its text, all that counts in it, and whether it is a note."""

    begin: int
    end: int
    tokens: object
    is_note: bool


def with_notes(typed: str, own: Sequence[Span], written: str, others: Sequence[Span], gap: str) -> str | None:
    r"""Return a typed text with the notes of a written one; None if the other pieces have other tokens.

    `own` and `others` are the pieces of the two texts. The line ends `gap` are before each note.

    >>> own = [Span(0, 4, "a b", False), Span(7, 8, "c", False)]
    >>> others = [Span(0, 3, "a b", False), Span(4, 6, "", True), Span(7, 8, "c", False)]
    >>> with_notes("a  b\n\n\nc\n", own, "a b\n#1\nc\n", others, "\n")
    'a  b\n#1\n\n\nc\n'
    """
    if [each.tokens for each in own if not each.is_note] != [each.tokens for each in others if not each.is_note]:
        return None
    #: The notes, by the number of other pieces before them.
    notes = [""]
    for piece in others:
        if piece.is_note:
            notes[-1] += gap + written[piece.begin : piece.end]
        else:
            notes.append("")
    texts = [notes[0].lstrip("\n") + gap if notes[0] else ""]
    end = 0
    for piece in own:
        if not piece.is_note:
            # The line ends after a note that began the text do not belong to the first piece.
            begin = piece.begin if len(texts) == 1 else end
            texts.append(typed[begin : piece.end] + notes[len(texts)])
        end = piece.end
    return "".join([*texts, typed[end:]])


def encoded(text: str, data: bytes) -> bytes:
    """Return a text in UTF-8, with the line ends and the byte order mark of a file."""
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    return mark + (text.replace("\n", "\r\n") if b"\r\n" in data else text).encode()


def joined(lines: Iterable[TidyLine]) -> str:
    r"""Return the text of lines. The comments of lines that follow each other begin in one column.

    >>> joined([TidyLine("B=0.5", "# half"), TidyLine("M=8", "# eight"), TidyLine("", "# the end", apart=True)])
    'B=0.5  # half\nM=8    # eight\n\n# the end\n'
    """
    # Lines that are apart, and lines with and without a comment after their text, are in different groups.
    texts: list[str] = []
    number = 0
    numbered = []
    for line in lines:
        number += line.apart
        numbered.append((number, bool(line.text and line.comment), line))
    for (_, commented), group in groupby(numbered, key=lambda each: each[:2]):
        block = [line for _, _, line in group]
        column = max(width(line.text.rpartition("\n")[2]) for line in block) + _GAP
        for line in block:
            blank = " " * (column - width(line.text.rpartition("\n")[2])) if commented else ""
            apart = "\n" if line.apart and texts else ""
            texts.append(f"{apart}{line.text}{blank}{line.comment}\n")
    return "".join(texts)
