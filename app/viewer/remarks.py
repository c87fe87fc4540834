"""Notes of persons and platforms, and findings of the referee, at the steps of a round."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

from msgspec import UNSET, DecodeError, UnsetType, json

from mjconv.ir.match import Annotation, AnnotationKind, Round
from mjconv.referee.findings import Finding
from mjconv.viewer.state import StatePart

#: The kinds of annotations that are about the event after them. The others are about the event before them.
_ABOUT_NEXT: Final = frozenset({"think_time", "mark", "claim"})


class ShownRemark(StatePart, frozen=True):
    """A remark: its kind, the seat that it is about, and its text; `ms` for a think time in milliseconds.

    `round` is the number of rounds before a remark about the match.
    """

    kind: AnnotationKind
    seat: int | UnsetType = UNSET
    text: str | UnsetType = UNSET
    ms: int | UnsetType = UNSET
    round: int | UnsetType = UNSET


class FindingNote(StatePart, frozen=True):
    """A finding of the referee: its code and name (empty if the table refused the event), and its message."""

    code: str
    name: str
    severity: str
    text: str


def note_of(annotation: Annotation, *, of_match: bool = False) -> ShownRemark:
    """Return an annotation as a note.

    >>> note_of(Annotation(3, "think_time", 1, 1200))
    ShownRemark(kind='think_time', seat=1, ms=1200)
    """
    number = annotation.index if of_match else UNSET
    if annotation.kind == "think_time" and isinstance(annotation.value, int):
        return ShownRemark(annotation.kind, annotation.seat, ms=annotation.value, round=number)
    text = UNSET if annotation.value is UNSET else str(annotation.value).strip()
    if annotation.kind == "claim":
        with suppress(DecodeError, AttributeError):
            message = json.decode(str(text))
            text = f"{message.get('type')} {message.get('pai', '')}".strip()
    return ShownRemark(annotation.kind, annotation.seat, text, round=number)


def notes_by_step(record: Round, events: Sequence[int | None]) -> dict[int, list[ShownRemark]]:
    """Return the notes of a round by step. `events` are the indices of the events of its steps.

    A think time, a mark and a claim belong to the step of the event after them, every other note to the step
    before it. The comment on the whole round belongs to the deal.
    """
    indices = [-1 if event is None else event for event in events]
    found: dict[int, list[ShownRemark]] = {}
    if record.comment is not UNSET:
        text = record.comment.native or record.comment.roman
        if text:
            found.setdefault(0, []).append(ShownRemark("comment", text=text))
    for annotation in record.annotations:
        step = bisect_left(indices, annotation.index)
        if annotation.kind not in _ABOUT_NEXT:
            step -= 1
        step = min(max(step, 0), len(indices) - 1)
        found.setdefault(step, []).append(note_of(annotation))
    return found


def findings_by_step(
    found: Iterable[Finding], events: Sequence[int | None]
) -> dict[int | None, list[FindingNote]]:
    """Return the findings of a round by step, with None for those about the whole round."""
    # Imported here: most pages show no findings.
    from mjconv.referee.codes import CODES

    indices = [-1 if event is None else event for event in events]
    noted: dict[int | None, list[FindingNote]] = {}
    for finding in found:
        step = None
        if finding.event is not None:
            step = min(bisect_left(indices, finding.event), len(indices) - 1)
        note = FindingNote(finding.code, CODES[finding.code].name, finding.severity, finding.message)
        noted.setdefault(step, []).append(note)
    return noted
