"""The usual layout of club results: single blanks, comments in one column, one blank line at most."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mjconv.converters.club.lines import code_of
from mjconv.converters.shared.text_lines import is_note, text_lines
from mjconv.converters.shared.tidy import Line, Piece, encoded, joined, with_notes

#: A word with its quotes. A tab is no blank: it separates names as a comma does.
_WORD: Final = re.compile(r'(?:"(?:[^"]|"")*"|[^\s"]|\t|"(?=[^"]*$))+')


def tokens(data: bytes) -> tuple[tuple[tuple[str, ...], str], ...]:
    r"""Return all that counts in a file: the words and the comment of each line that is not blank.

    >>> tokens(b"Ann  Ben Cho # at home\n\n")
    ((('Ann', 'Ben', 'Cho'), '# at home'),)
    """
    return tuple(_tokens(line) for line in text_lines(data, lenient=False)[0] if line.strip())


def tidied(data: bytes) -> bytes:
    r"""Return a file in the usual layout. Raises `InputError` if it is not UTF-8.

    >>> tidied(b"Ann  Ben Cho\n45 30\t30# a game\n")
    b'Ann Ben Cho\n45 30\t30  # a game\n'
    """
    return encoded(joined(_lines(data)), data)


def rearranged(before: bytes, after: bytes) -> bytes:
    """Return a file that was written anew as it was typed before, if only its notes are others now."""
    text = with_notes(*_pieces(before), *_pieces(after), "\n")
    return after if text is None else encoded(text, before)


def _tokens(line: str) -> tuple[tuple[str, ...], str]:
    code = code_of(line)
    return tuple(_WORD.findall(code)), line[len(code) :].rstrip()


def _lines(data: bytes) -> Iterator[Line]:
    apart = False
    for line in text_lines(data, lenient=False)[0]:
        words, comment = _tokens(line)
        if words or comment:
            yield Line(" ".join(words), comment, apart)
        apart = not (words or comment)


def _pieces(data: bytes) -> tuple[str, list[Piece]]:
    text = "".join([f"{line}\n" for line in text_lines(data, lenient=False)[0]])
    lines = re.finditer(r".*\S.*", text)
    return text, [Piece(*line.span(), _tokens(line[0]), is_note(line[0])) for line in lines]
