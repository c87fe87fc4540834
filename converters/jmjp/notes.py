"""Notes in jmjp: comments ``//@mjconv {...}``, the match's before its metadata, a round's after its frame."""

from __future__ import annotations

from typing import Final

from msgspec import UNSET, UnsetType

from mjconv.converters.interface import Part
from mjconv.converters.shared import carry
from mjconv.converters.shared.dora import Custom
from mjconv.ir.match import Record

#: The beginning of a comment that is a note.
_PREFIX: Final = f"@{carry.MARK} "


class MatchHints(Record, frozen=True):
    """The hints of a match. `shift` is the hub's seat of the player whose id in the text is 0."""

    shift: int = 0


class RoundHints(Record, frozen=True):
    """The hints of a round.

    `dealer` is the hub's seat of the dealer, if the number of the frame implies another. `dora` is the custom by
    which the dora of open kans are turned, if it is not the usual one.
    """

    dealer: int | UnsetType = UNSET
    dora: Custom | UnsetType = UNSET


def place_note(part: Part, note: bytes) -> bytes:
    """Return the text of a part with a note on a line of its own."""
    at = len(part.text) if part.at is None else part.at
    return b"%b//%b%b\n%b" % (part.text[:at], _PREFIX.encode(), note, part.text[at:])


def note_in(comment: str) -> tuple[str, int] | None:
    """Return the JSON of the note in a comment and its offset in the comment, or None if the comment is no note.

    A formatter may have put a blank before the mark.

    >>> note_in(" @mjconv {}"), note_in(" East")
    (('{}', 9), None)
    """
    text = comment.lstrip(" \t")
    if not text.startswith(_PREFIX):
        return None
    note = text[len(_PREFIX) :]
    return note, len(comment) - len(note)
