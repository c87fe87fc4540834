"""Notes in jmjp: comments ``//@mjconv {...}``, one for the match, one for each round that needs one."""

from __future__ import annotations

from typing import Final

from msgspec import UNSET, UnsetType

from mjconv.converters.shared import notes
from mjconv.converters.shared.dora import Custom
from mjconv.ir.match import Record

#: What a comment begins with that is a note.
PREFIX: Final = f"@{notes.MARK} "


class MatchNote(notes.Note, frozen=True):
    """A match's note. `shift` is the hub's seat of the player whose id is 0, where that is another."""

    shift: int = 0


class RoundNote(notes.Note, frozen=True):
    """A round's note, named after its frame.

    `dealer` is the hub's seat of the dealer, where the frame's number says another; `dora` when the dora of open
    kans were turned.
    """

    frame: str = ""
    dealer: int | UnsetType = UNSET
    dora: Custom | UnsetType = UNSET


class JmjpNote(Record, frozen=True):
    """What a note's line holds: a note of the match, or of a round."""

    match: MatchNote | None = None
    round: RoundNote | None = None


def write_note(note: JmjpNote) -> str:
    """Give the line of a note."""
    return f"//{PREFIX}{notes.dumps(note).decode()}"
