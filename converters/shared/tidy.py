"""Lines of a text in its usual layout: blank lines as they were typed, and comments in one column."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final, NamedTuple

from mjconv.ir.errors import width

#: The number of blanks between the longest text of some lines and their comments.
_GAP: Final = 2


class Line(NamedTuple):
    """A line: its text, the comment after it with its sign, and whether a blank line comes before it."""

    text: str
    comment: str = ""
    apart: bool = False


def encoded(lines: Iterable[Line], data: bytes) -> bytes:
    """Return the text of lines in UTF-8, with the line ends of a file."""
    text = joined(lines)
    return (text.replace("\n", "\r\n") if b"\r\n" in data else text).encode()


def joined(lines: Iterable[Line]) -> str:
    r"""Return the text of lines. The comments of lines that follow each other begin in one column.

    >>> joined([Line("B=0.5", "# half"), Line("M=8", "# eight"), Line("", "# the end", apart=True)])
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
