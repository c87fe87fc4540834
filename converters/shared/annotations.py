"""Comments that a text shows against those of its note: the text wins, so that a person may edit them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from msgspec import structs

from mjconv.ir.match import Annotation, Match, Round
from mjconv.ir.patch import Edit, move

Whole = TypeVar("Whole", Round, Match)
#: Returns the texts by which a format shows an annotation; none if it does not show it.
Shown: TypeAlias = Callable[[Annotation], Sequence[str]]


def keep_visible(reading: Whole, patched: Whole, edits: Sequence[Edit], shown: Shown) -> Whole:
    """Return the round or match that a note made of a reading, with the annotations that the text shows.

    If the text shows all that the note's annotations would show, the note's are exact and stay. Otherwise a person
    edited the text: its annotations replace those of the note. The note's other annotations stay. `edits` are the
    note's edits of the events.

    >>> def shown(one): return [one.value] if one.kind == "comment" else []
    >>> reading = Round(annotations=(Annotation(0, "comment", value="new"),))
    >>> noted = Round(annotations=(Annotation(0, "comment", value="old"), Annotation(0, "left", 2)))
    >>> keep_visible(reading, noted, (), shown).annotations
    (Annotation(index=0, kind='comment', value='new'), Annotation(index=0, kind='left', seat=2))
    """
    if patched.annotations == reading.annotations:
        return patched
    visible: tuple[Annotation, ...] = move(reading.annotations, edits)
    if visible == patched.annotations:
        return patched
    read = sorted(line.strip() for one in visible for line in str(one.value).split("\n"))
    # Where the annotations are, the note knows better.
    if read == sorted(line.strip() for one in patched.annotations for line in shown(one)):
        return patched
    others: list[Annotation] = [one for one in patched.annotations if not shown(one)]
    return structs.replace(patched, annotations=tuple(sorted([*visible, *others], key=_index)))


def _index(one: Annotation) -> int:
    return one.index
