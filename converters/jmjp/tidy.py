"""The usual layout of a text: a line for each statement and hand, and for each go-around of acts.

Only white space changes. Each comment stays between the same two characters of the text, and at the end of a line
or on a line of its own, as it was typed. Blank lines stay where the layout has a line break.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from mjconv.converters.jmjp.notes import note_in
from mjconv.converters.jmjp.parser import STATEMENTS
from mjconv.converters.jmjp.spelling import PLACE
from mjconv.converters.jmjp.text import STRING, SourceComment, StrippedText
from mjconv.converters.shared.tidy import TidyLine, encoded, joined

#: A string, or a bracket with the word before it.
_PIECE: Final = {
    major: re.compile(rf"{string}|((?<![a-z])[a-z]*+\[|\()|([\])])") for major, string in STRING.items()
}
_HAND: Final = re.compile(r"\([eswn],hnd\[")


def tokens(data: bytes) -> tuple[str, tuple[tuple[int, str], ...]]:
    """Return all that counts in a text: the text without blanks and comments, and each comment with its offset.

    Raises `InputError` as `StrippedText`.
    """
    source = StrippedText.from_bytes(data)
    return source.stripped, tuple((comment.offset, comment.text) for comment in source.comments)


def tidied(data: bytes) -> bytes:
    r"""Return a text in the usual layout. Raises `InputError` as `StrippedText`.

    >>> print(tidied(b"jmjp [1.0](mtp[,,,]//why\nply[0,,,,])").decode(), end="")
    jmjp[1.0]
    (
    mtp[,,,]  //why
    ply[0,,,,]
    )
    """
    source = StrippedText.from_bytes(data)
    return encoded(joined(_laid(source, source.comments)), data)


def rearranged(before: bytes, after: bytes) -> bytes:
    """Return a text that was written anew in the layout that it had before, if only its notes are others now.

    All other texts are returned as they were written.
    """
    old, new = StrippedText.from_bytes(before), StrippedText.from_bytes(after)
    notes = [comment for comment in new.comments if note_in(comment.text)]
    typed = [comment for comment in old.comments if not note_in(comment.text)]
    count = len(new.comments) - len(notes)
    if old.stripped != new.stripped or count != len(typed):
        return after
    had = [comment for comment in old.comments if note_in(comment.text)]
    if [note.text for note in notes] == [note.text for note in had]:
        return encoded(joined(_laid(old, old.comments)), before)
    # A note of the new text has no place in the old one.
    notes = [SourceComment(note.offset, note.text, -1) for note in notes]
    return encoded(joined(_laid(old, sorted([*notes, *typed], key=lambda comment: comment.offset))), before)


def _laid(source: StrippedText, comments: Sequence[SourceComment]) -> Iterator[TidyLine]:
    """Yield the lines of a text with these comments, which are in the order of their offsets."""
    text = source.text
    waiting = {offset: list(group) for offset, group in groupby(comments, key=lambda comment: comment.offset)}
    begin = 0
    for end in sorted({*_breaks(source), *waiting, len(source.stripped)}):
        here = waiting.get(end, [])
        if end > begin:
            # A comment that no text precedes on its line has a line of its own.
            after = f"//{here.pop(0).text}" if here and _follows_text(text, here[0].origin) else ""
            yield TidyLine(source.stripped[begin:end], after, _is_apart(text, source.origin(begin)))
        for comment in here:
            yield TidyLine("", f"//{comment.text}", _is_apart(text, comment.origin))
        begin = end


def _follows_text(text: str, origin: int) -> bool:
    """Return whether there is text before an offset of the original text on the same line; -1 is no offset."""
    before = text[: max(origin, 0)]
    return bool(before[max(before.rfind("\n"), before.rfind("\r")) + 1 :].strip())


def _is_apart(text: str, origin: int) -> bool:
    """Return whether a blank line comes before an offset of the original text."""
    before = text.rfind("\n", 0, max(origin, 0))
    return (
        before > 0
        and not text[before:origin].strip()
        and not text[text.rfind("\n", 0, before) + 1 : before].strip()
    )


def _breaks(source: StrippedText) -> Iterator[int]:
    """Yield the offsets in the stripped text where a line begins."""
    text = source.stripped
    depth = 0
    frame = False
    #: The place of the seat of the last act in its go-around; None before the first one.
    last: int | None = None
    for piece in _PIECE[source.major].finditer(text):
        opened, closed = piece.groups()
        if closed:
            # A frame that is half typed is not closed, but its match may be.
            depth = 0 if frame and depth == 2 and closed == ")" else depth - 1
            if depth == 0 and closed == ")":
                yield from (piece.start(), piece.end())
                frame = False
            elif frame and depth == 2 and text.startswith("),", piece.start()):
                yield piece.end()
        elif opened:
            if depth == 0 and opened == "(":
                yield from (piece.start(), piece.end())
            elif depth == 1 and opened[:-1] in STATEMENTS:
                yield piece.start()
                frame, last = opened == "frm[", None
            elif frame and depth == 2 and opened == "(":
                place = (
                    None if _HAND.match(text, piece.start()) else PLACE.get(text[piece.end() : piece.end() + 1])
                )
                if place is None or last is None or place <= last:
                    yield piece.start()
                last = place
            depth += 1
