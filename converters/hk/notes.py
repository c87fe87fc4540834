"""Notes in HK: lines ``#@mjconv {...}``, the match's after the names, a round's after its game.

A round that HK has no line for is a note alone, `left_out`, at its place among the games.
"""

from __future__ import annotations

import re
from typing import Final

from mjconv.converters.shared import notes
from mjconv.ir.match import Record

#: The beginning of a line that is a note.
PREFIX: Final = f"#@{notes.MARK} "
#: Characters that would end the line, and that JSON does not escape.
_LINE_ENDS: Final = re.compile("[\x85\u2028\u2029]")


class HkNote(Record, frozen=True):
    """The content of a note's line: a note of the match, of a round, or a whole round that has no line."""

    match: notes.Note | None = None
    round: notes.Note | None = None
    left_out: notes.Note | None = None


def is_note(line: str) -> bool:
    """Return whether a line is a note.

    >>> is_note('#@mjconv {"match":{}}'), is_note("# (draw)")
    (True, False)
    """
    return line.lstrip().startswith(PREFIX)


def write_note(note: HkNote) -> str:
    """Return the line of a note."""
    text = notes.dumps(note).decode()
    return PREFIX + _LINE_ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def read_note(line: str) -> HkNote:
    """Read the line of a note. Raises `mjconv.converters.shared.notes.NoteError`.

    >>> read_note('#@mjconv {"round":{"digest":"00"}}').round.digest
    '00'
    """
    return notes.loads(line.strip()[len(PREFIX) :].encode("utf-8", "replace"), HkNote)
