"""The notes of a match that is read: which belongs to what, and what they restore.

A reader gathers the notes of a match as `FoundNote`s and assembles the match with `MatchNotes`, which fits the
notes to the rounds by their digests, gives the reader their hints, and applies their patches.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec
from msgspec import structs

from mjconv.converters.interface import Reading
from mjconv.converters.shared.carry import VERSION, Note, NoteError, digest, from_value
from mjconv.converters.shared.originals import OriginalError, PackedOriginal, unpack
from mjconv.ir.errors import InputError, Place
from mjconv.ir.events import CONVERSATION, KINDS, name_of
from mjconv.ir.losses import ORIGINAL, Report
from mjconv.ir.match import Annotation, Frozen, Match, Original, Round
from mjconv.ir.patch import Edit, Patch, PatchError, apply, move, origin

Whole = TypeVar("Whole", Round, Match)
Hints = TypeVar("Hints", bound=Frozen)
#: Returns the texts by which a format shows an annotation; none if it does not show it.
Shown: TypeAlias = Callable[[Annotation], Sequence[str]]
#: The index of a round, or None for the match around its rounds.
Key: TypeAlias = int | None


class FoundNote(NamedTuple):
    """A note, the function that finds its place, and the index of the round beside it, if there is one."""

    note: Note
    place: Callable[[], Place]
    near: int | None = None


def notes_of_value(
    value: Any,
    path: Sequence[str | int],
    place: Callable[[Sequence[str | int]], Place],
    report: Report,
    number: int,
    *,
    near: int | None = None,
    labels: Mapping[str, int] | None = None,
) -> Iterator[FoundNote]:
    """Yield the notes in a value of a JSON text, which is a note or an array of notes. An error is a fault.

    `path` leads to the value, and `place` returns the place at the end of a path. `near` is the index of the round
    that has the notes beside it. Without it, `labels` has the index of the round of each name.
    """
    try:
        notes = from_value(value)
    except NoteError as error:
        report.fault(InputError(str(error), place(path)), match=number, round=near)
        return
    for index, note in enumerate(notes):
        way = (*path, index) if isinstance(value, list) else path
        round_index = near if labels is None else labels.get(note.label)
        yield FoundNote(note, partial(place, way), round_index if note.match is None else None)


class Applied(NamedTuple):
    """A note that was applied, the function that finds its place, and what its round or match was before."""

    note: Note
    place: Callable[[], Place]
    visible: Round | Match


class Assembly(NamedTuple):
    """A match that was assembled, and its notes."""

    reading: Reading
    notes: MatchNotes


class MatchNotes:
    """The notes of one match: fits them to its rounds, and applies them.

    `tokens_of` returns the words of a round, or of the match for None (`Part.words`): its note has their digest.
    `outside_of` returns what the lines outside it state about it (`Part.around`). Notes of `ignored` rounds are
    left alone. A note that fits nothing, because the text was edited or because another version of mjconv wrote
    it, is reported with a warning. `moved` allows a note to belong to another round than the one beside it: not
    where many rounds of a format have the same text.
    """

    def __init__(
        self,
        notes: Sequence[FoundNote],
        rounds: int,
        tokens_of: Callable[[Key], bytes],
        report: Report,
        number: int,
        ignored: Collection[Key] = (),
        *,
        moved: bool = True,
        outside_of: Callable[[Key], bytes] = lambda _: b"",
    ) -> None:
        self.moved = moved
        self.tokens_of = cache(tokens_of)
        self.outside_of = outside_of
        self.report = report
        self.number = number
        self.applied: dict[Key, Applied] = {}
        self.attached: dict[Key, FoundNote] = {}
        if notes and report.notes:
            self._attach(notes, rounds)
            for key in ignored:
                self.attached.pop(key, None)

    def hints(self, key: Key, kind: type[Hints]) -> Hints:
        """Return the hints of a round's note, or of the match's for None; without a note, hints without values.

        Reports a fault and drops the note where its hints are not of this kind.
        """
        attached = self.attached.get(key)
        if attached is None or not attached.note.carried.hints:
            return kind()
        try:
            return msgspec.convert(attached.note.carried.hints, kind)
        except msgspec.ValidationError as error:
            self.refuse(key, f"hints: {error}")
            return kind()

    def refuse(self, key: Key, reason: str) -> None:
        """Report a fault: the note of a round, or of the match, does not fit. The note is dropped."""
        attached = self.attached.pop(key)
        error = InputError(f"the note does not fit: {reason}", attached.place())
        self.report.fault(error, match=self.number, round=key)

    def restore(
        self,
        visible: Whole,
        key: Key,
        *,
        seats: int = 0,
        shown: Shown | None = None,
        shown_of: Callable[[Whole], Shown] | None = None,
    ) -> Whole:
        """Apply the note of a round, or of the match for None, to what the plain text is read as.

        With a number of `seats`, the note may hold the tiles of any set and events of so many players. `shown` is
        how the format shows annotations, if it does: annotations in the text replace those in the note. `shown_of`
        returns that function for the restored round or match, where it depends on other parts of it. Reports a
        fault where the note does not fit, and returns `visible`.
        """
        attached = self.attached.get(key)
        if attached is None:
            return visible
        try:
            restored = apply(attached.note.carried, visible, seats=seats)
            check_inserted(attached.note.carried, restored)
        except PatchError as error:
            self.refuse(key, str(error))
            return visible
        self.applied[key] = Applied(attached.note, attached.place, visible)
        if attached.note.original is not None:
            restored = structs.replace(restored, original=self._original(attached.note.original, attached.place))
        if shown_of is not None:
            shown = shown_of(restored)
        return keep_visible(visible, restored, attached.note.carried.events, shown) if shown else restored

    def _original(self, packed: PackedOriginal, place: Callable[[], Place]) -> Original | None:
        """Return the original that the note of the match holds. A damaged one is a warning and a loss."""
        try:
            return unpack(packed)
        except OriginalError as error:
            message = f"the original record in the note of this match was ignored: {error}"
            self.report.warn(message, match=self.number, line=place().line)
            self.report.lose(ORIGINAL, "dropped", match=self.number, detail=str(error))
            return None

    def shown(self, key: Key) -> tuple[bytes, bytes]:
        """Return the words of a round, or of the match for None, and what the lines outside it state."""
        return self.tokens_of(key), self.outside_of(key)

    def visible_event(self, key: Key, event: int) -> int:
        """Return the index of an event before the note of its round was applied.

        For an event that the note inserts, returns the index of the event that it follows.
        """
        applied = self.applied.get(key)
        return event if applied is None or event < 0 else origin(applied.note.carried.events, event)

    def _attach(self, notes: Sequence[FoundNote], rounds: int) -> None:
        """Fit each note to the round beside it, else to the first round that has its digest."""
        waiting: defaultdict[str, deque[FoundNote]] = defaultdict(deque)

        @cache
        def digest_of(key: Key) -> str:
            return digest(self.tokens_of(key))

        strays: list[FoundNote] = []
        for one in notes:
            note = one.note
            if note.v != VERSION:
                strays.append(one)
            elif note.match is not None:
                if None not in self.attached and digest_of(None) == note.digest:
                    self.attached[None] = one
                else:
                    strays.append(one)
            elif one.near not in {None, *self.attached} and digest_of(one.near) == note.digest:
                self.attached[one.near] = one
            elif not self.moved:
                strays.append(one)
            else:
                waiting[note.digest].append(one)
        if waiting:
            for index in range(rounds):
                if index not in self.attached:
                    left = waiting.get(digest_of(index))
                    if left:
                        self.attached[index] = left.popleft()
            strays += [one for left in waiting.values() for one in left]
        placed = [(stray.place(), stray) for stray in strays]
        for place, stray in sorted(placed, key=lambda one: (one[0].line, one[0].column)):
            self._warn(stray, place)

    def _warn(self, stray: FoundNote, place: Place) -> None:
        note = stray.note
        whole = "round" if note.match is None else "match"
        used = self.attached.get(None if note.match is not None else stray.near)
        if note.v != VERSION:
            reason = f"the note of this {whole} has version {note.v}; this mjconv reads version {VERSION}"
        elif used is not None and used.note.digest == note.digest:
            reason = f"the {whole} has another note before this one"
        else:
            reason = f"the {whole} was edited, so its note no longer fits"
        self.report.warn(
            f"{reason}. The note was ignored",
            match=self.number,
            round=stray.near,
            label=note.label or None,
            line=place.line,
        )


def keep_visible(reading: Whole, patched: Whole, edits: Sequence[Edit], shown: Shown) -> Whole:
    """Return the round or match that a note made of a reading, with the annotations that the text shows.

    If the text shows the same as the note's annotations would show, the note's are exact and stay. Otherwise a
    person edited the text: its annotations replace those of the note. The note's other annotations stay. `edits`
    are the note's edits of the events.

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
    return structs.replace(patched, annotations=tuple(sorted([*visible, *others], key=lambda one: one.index)))


#: The kinds of messages that a note may insert into each list of events. With another kind, such as the end of a
#: game in a round, mjai would begin or end a round or a match there.
_TALK = frozenset(kind for kind, event in KINDS.items() if event in CONVERSATION) - {"hello"}
_INSERTED: Mapping[str, frozenset[str]] = {
    "events": frozenset(KINDS) - {"start_game", "end_game", "hello"},
    "opening": _TALK | {"start_game", "hello"},
    "closing": _TALK | {"end_game"},
}


def check_inserted(patch: Patch, restored: Round | Match) -> None:
    """Raise `PatchError` if a patch inserts events where they would begin or end another round or match.

    >>> from mjconv.ir.patch import Edit
    >>> check_inserted(Patch(events=(Edit(0, insert=({"type": "end_game"},)),)), Round())
    Traceback (most recent call last):
    mjconv.ir.patch.PatchError: the events of a round cannot hold 'end_game'
    """
    for name, allowed in _INSERTED.items():
        edits: Sequence[Edit] = getattr(patch, name)
        kinds = {message["type"] for edit in edits for message in edit.insert} if edits else None
        if not kinds:
            continue
        where = "the events of a round" if name == "events" else f"the {name} of a match"
        for kind in sorted(kinds - allowed):
            raise PatchError(f"{where} cannot hold {kind!r}")
        for kind in kinds & {"start_game", "start_kyoku"}:
            names = [name_of(event) for event in getattr(restored, name)]
            if names.count(kind) > 1 or (kind == "start_kyoku" and names[0] != kind):
                raise PatchError(f"{where} can hold {kind!r} once, as the first of them")
