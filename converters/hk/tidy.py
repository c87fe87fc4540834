"""The usual layout of an HK file: single blanks between words, comments in one column, one blank line at most."""

from __future__ import annotations

from collections.abc import Iterator

from mjconv.converters.hk.layout import SIGN
from mjconv.converters.hk.reader import file_lines
from mjconv.converters.shared.tidy import Line, encoded


def tokens(data: bytes) -> tuple[tuple[tuple[str, ...], str], ...]:
    r"""Return all that counts in a file: the words and the comment of each line that is not blank.

    >>> tokens(b"A  B C D # at home\n\n")
    ((('A', 'B', 'C', 'D'), '# at home'),)
    """
    return tuple((tuple(line.text.split(" ")), line.comment) for line in _lines(data))


def tidied(data: bytes) -> bytes:
    r"""Return a file in the usual layout. Raises `InputError` if it is not UTF-8.

    >>> tidied(b"A  B C D\n- -\t- -# a draw\n")
    b'A B C D\n- - - -  # a draw\n'
    """
    return encoded(_lines(data), data)


def _lines(data: bytes) -> Iterator[Line]:
    apart = False
    for line in file_lines(data, lenient=False)[0]:
        head, sign, comment = line.partition(SIGN)
        text = " ".join(head.split())
        if text or sign:
            yield Line(text, sign + comment, apart)
        apart = not (text or sign)
