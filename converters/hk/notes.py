"""Notes in HK: lines ``#@mjconv {...}``, the match's after the names, a round's after its game.

A round that HK has no line for is a note alone, at its place among the games: its hints have ``left_out``.
"""

from __future__ import annotations

import re
from typing import Final

from mjconv.converters.interface import Part
from mjconv.converters.shared import carry
from mjconv.ir.match import Frozen

#: The beginning of a line that is a note.
PREFIX: Final = f"#@{carry.MARK} "
#: The digest of a round without a line.
_NO_LINE: Final = carry.digest(b"")
#: Characters that would end the line, and that JSON does not escape.
_LINE_ENDS: Final = re.compile("[\x85\u2028\u2029]")


class RoundHints(Frozen, frozen=True):
    """The hints of a round: whether the round has no line, so that the note alone shows its place."""

    left_out: bool = False


def is_note(line: str) -> bool:
    """Return whether a line is a note.

    >>> is_note('#@mjconv {"match":{}}'), is_note("# (draw)")
    (True, False)
    """
    return line.lstrip().startswith(PREFIX)


def place_note(part: Part, note: bytes) -> bytes:
    r"""Return the text of a part with a note in the line below it.

    >>> place_note(Part(b"- - - -\n"), b"{}")
    b'- - - -\n#@mjconv {}\n'
    """
    text = _LINE_ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", note.decode())
    return part.text + f"{PREFIX}{text}\n".encode()


def read_notes(line: str) -> list[carry.Note]:
    """Read the line of a note, or of an array of notes. Raises `mjconv.converters.shared.carry.NoteError`.

    >>> [note] = read_notes('#@mjconv {"v":2,"round":{"unset":["dice"]}}')
    >>> note.round.unset
    ('dice',)
    """
    return carry.loads(line.strip()[len(PREFIX) :].encode("utf-8", "replace"))


def is_left_out(note: carry.Note) -> bool:
    """Return whether a note is that of a round without a line."""
    return note.round is not None and note.digest == _NO_LINE and note.round.hints.get("left_out") is True
