"""Notes: what a notation has no place for, carried where other programs skip it.

A note is a patch (see `mjconv.ir.patch`) from what the plain text reads back as to what the source said. It
holds a digest of the tokens that it belongs to, so that it is known when those were edited: the visible text
then wins and the note is let go, with a warning.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from json import JSONDecodeError
from typing import Any, Final, TypeVar

import msgspec

from mjconv.converters.shared import jsontext
from mjconv.ir import limits
from mjconv.ir.losses import Fate, Loss, Report
from mjconv.ir.match import Record
from mjconv.ir.patch import Difference, Patch, Side

#: The word that marks a note in every notation.
MARK: Final = "mjconv"
#: What the notes of this package look like; a note of another version is let go with a warning.
VERSION: Final = 1


class Note(Patch, frozen=True):
    """A patch and the digest of what it patches.

    `scale` is what points that were worked out, and that the notation cannot hold as they are, are multiplied by.
    """

    digest: str = ""
    v: int = VERSION
    scale: int = 1

    def __bool__(self) -> bool:
        # A note may say something beside its patch.
        return True


AnyNote = TypeVar("AnyNote", bound=Record)


class NoteError(ValueError):
    """The note is not what this package writes: what is wrong, and at which character of it."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


def digest(tokens: bytes) -> str:
    """Give a short digest of tokens: enough to tell an edit, not meant to withstand forgery.

    >>> digest(b"(e,5m,tg)") == digest(b"(e,5m,tg)") != digest(b"(e,5m,9p)")
    True
    """
    return blake2b(tokens, digest_size=6).hexdigest()


def of(found: Patch, tokens_digest: str, scale: int = 1) -> Note:
    """Make the note that carries a patch."""
    return Note(found.set, found.unset, found.events, found.opening, found.closing, tokens_digest, scale=scale)


def dumps(note: Record) -> bytes:
    """Write a note as JSON on one line, leaving out what is at its default."""
    return jsontext.dumps(msgspec.to_builtins(note))


def loads(text: bytes, kind: type[AnyNote]) -> AnyNote:
    """Read a note, which keeps to the limits. Raises `NoteError`.

    >>> loads(b'{"digest":"00","unset":["dice"]}', Note).unset
    ('dice',)
    """
    if len(text) > limits.current().note_bytes:
        raise NoteError(limits.refusal("note_bytes"))
    try:
        value = jsontext.loads(text)
    except JSONDecodeError as error:
        raise NoteError(f"the note is no JSON: {error.msg}", error.pos) from None
    except (ValueError, RecursionError) as error:
        raise NoteError(f"the note is no JSON that can be read: {error}") from None
    return convert(value, kind)


def convert(value: Any, kind: type[AnyNote]) -> AnyNote:
    """Check that a JSON value is a note of this kind, or one of another version. Raises `NoteError`."""
    if isinstance(value, dict):
        value = {key: _of_version(part) for key, part in value.items()}
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise NoteError(f"the note is not well-formed: {error}") from None


def origins(note: Patch, places: Sequence[int]) -> list[int]:
    """Give the place of each event of a round that a note was applied to, by the places of the round's own.

    An event that the note adds has that of the one it comes before, or of the last.

    >>> from mjconv.ir.patch import Edit
    >>> origins(Patch(events=(Edit(1, insert=({"type": "dora", "dora_marker": "1m"},)),)), [5, 6])
    [5, 6, 6]
    """
    found: list[int] = []
    done = 0
    for edit in note.events if places else ():
        found += places[done : edit.at]
        found += [places[min(edit.at, len(places) - 1)]] * len(edit.insert)
        done = edit.at + edit.delete
    return [*found, *places[done:]]


def let_go(note: Note, what: str) -> str:
    """Say why a note is left out: the text it belongs to was edited, or another version wrote it."""
    if note.v != VERSION:
        return f"the {what} has a note of version {note.v}, which this reads not: it is left out"
    return f"the {what} was edited, and its note no longer fits: it is left out"


def _of_version(part: Any) -> Any:
    """Keep of another version's note only what tells it: its other keys may be any."""
    if isinstance(part, dict) and isinstance(part.get("v"), int) and part["v"] != VERSION:
        return {key: part[key] for key in ("v", "frame") if key in part}
    return part


#: A difference's side to the fate it is reported with, where a note carries it and where none does.
_CARRIED: Final[dict[Side, Fate]] = {"lacks": "carried", "differs": "carried", "adds": "assumed"}
_NOT_CARRIED: Final[dict[Side, Fate]] = {"lacks": "dropped", "differs": "approximated", "adds": "assumed"}


def tell(
    report: Report,
    differences: list[Difference],
    *,
    carried: bool,
    match: int,
    round: int | None = None,  # noqa: A002 - the field's word
    label: str | None = None,
) -> None:
    """Report the differences between what will be read back and the source as losses."""
    fates = _CARRIED if carried else _NOT_CARRIED
    report.losses += [Loss(d.what, fates[d.side], match, round, d.event, d.part or label) for d in differences]


def tell_scale(report: Report, what: str, scale: int, *, carried: bool, match: int) -> None:
    """Report that a match's points, in fields of this name, are multiplied by a power of ten, if they are."""
    if scale != 1:
        fate: Fate = "carried" if carried else "approximated"
        report.lose(what, fate, match=match, detail=f"written times {scale}")
