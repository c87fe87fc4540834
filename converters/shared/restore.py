"""The notes of a match that is read: which belongs to what, and what they restore.

A reader gathers the notes of a match as `FoundNote`s and assembles the match with `MatchNotes`, which fits the
notes to the rounds by their digests, gives the reader their hints, and applies their patches.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import msgspec
from msgspec import Struct, structs

from mjconv.converters.interface import Reading
from mjconv.converters.shared.note_json import (
    READERS,
    VERSION,
    Carried,
    Note,
    NoteError,
    digest,
    field_digests,
    from_value,
    round_digest,
)
from mjconv.converters.shared.originals import OriginalError, PackedOriginal, unpack
from mjconv.ir.answers import apart, check_answers, events_before, together
from mjconv.ir.errors import InputError, Place
from mjconv.ir.events import CONVERSATION, KINDS, MOST_SEATS, name_of
from mjconv.ir.losses import ORIGINAL, Report
from mjconv.ir.match import BESIDE, Annotation, Frozen, Match, Original, Player, Round
from mjconv.ir.patch import Edit, Patch, PatchError, apply, diff, move, origin

Whole = TypeVar("Whole", Round, Match)
Hints = TypeVar("Hints", bound=Frozen)
#: Returns the lines by which a format shows an annotation; none if it does not show it.
AnnotationLines: TypeAlias = Callable[[Annotation], Sequence[str]]
#: What a note or a text is about: the index of a round, or None for the match around its rounds.
Scope: TypeAlias = int | None


#: The names of fields in `Note.fields`: of the match, of a player by the seat, and of a part of the extras.
_FIELDS: Final = frozenset(Match.__struct_fields__) - {"rounds", "annotations", *BESIDE}
_FIELD: Final = re.compile(
    rf"(?!players|extras)\w+|extras\..+|players\.[0-{MOST_SEATS - 1}]\.(?:{'|'.join(Player.__struct_fields__)})"
)


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


class Ignored(NamedTuple):
    """What a match is assembled without: some of its notes, or a part of the note of the match."""

    #: The scopes of the notes that are left alone.
    scopes: Collection[Scope] = ()
    #: Whether the text counts for all values around the rounds that it states, whatever the note of the match has.
    shown_values: bool = False


class Assembly(NamedTuple):
    """A match that was assembled, and its notes."""

    reading: Reading
    notes: MatchNotes


class MatchNotes(Struct, eq=False):
    """The notes of one match: fits them to its rounds, and applies them.

    `tokens_of` returns the words of a round, or of the match for None (`Part.words`): its note has their digest.
    `outside_of` returns what the lines outside it state about it (`Part.outside`). A note that fits nothing,
    because the text was edited or because another version of mjconv wrote it, is reported with a warning. `moved`
    allows a note to belong to another round than the one beside it: not where many rounds of a format have the
    same text. `seat` is the seat at which a stream was recorded, as the text states it.
    """

    notes: Sequence[FoundNote]
    rounds: int
    tokens_of: Callable[[Scope], bytes]
    report: Report
    number: int
    ignored: Ignored = Ignored()
    moved: bool = True
    outside_of: Callable[[Scope], bytes] = lambda _: b""
    seat: int | None = None
    applied: dict[Scope, Applied] = {}
    attached: dict[Scope, FoundNote] = {}
    #: Whether there is a note that fits nothing.
    has_strays: bool = False
    #: The rounds whose reading is another one than when the note of the match was made.
    read_otherwise: list[int] = []

    def __post_init__(self) -> None:
        self.tokens_of = cache(self.tokens_of)
        if self.notes and self.report.notes:
            self._attach()
            for scope in self.ignored.scopes:
                self.attached.pop(scope, None)

    def hints(self, scope: Scope, kind: type[Hints]) -> Hints:
        """Return the hints of a note; without a note, hints without values.

        Reports a fault and drops the note where its hints are not of this kind.
        """
        attached = self.attached.get(scope)
        if attached is None or not attached.note.carried.hints:
            return kind()
        try:
            return msgspec.convert(attached.note.carried.hints, kind)
        except msgspec.ValidationError as error:
            self.refuse(scope, f"hints: {error}")
            return kind()

    def refuse(self, scope: Scope, reason: str) -> None:
        """Report a fault: a note does not fit. The note is dropped."""
        error = InputError(f"the note does not fit: {reason}", self.attached.pop(scope).place())
        self.report.fault(error, match=self.number, round=scope)

    def restore_round(
        self,
        visible: Round,
        index: int,
        *,
        seats: int = 0,
        annotation_lines: Callable[[Round], AnnotationLines] | None = None,
    ) -> Round:
        """Apply the note of a round to the round that the plain text is read as.

        With a number of `seats`, the note may hold the tiles of any set and events of so many players.
        `annotation_lines` takes the restored round, and returns how the format shows annotations, if it does:
        annotations in the text replace those in the note. Reports a fault where the note does not fit, and returns
        `visible`.
        """
        self._compare(visible, index)
        attached = self.attached.get(index)
        if attached is None:
            return visible
        note = attached.note
        try:
            if note.mixed:
                carried, restored = self._unmixed(note.carried, visible, seats)
                note = structs.replace(note, round=carried)
            else:
                restored = apply(note.carried, visible, seats=seats)
            check_inserted(note.carried, restored)
        except PatchError as error:
            self.refuse(index, str(error))
            return visible
        self.applied[index] = Applied(note, attached.place, visible)
        return with_shown_annotations(visible, restored, note.carried.events, annotation_lines)

    def restore_match(
        self,
        visible: Match,
        *,
        seats: int = 0,
        annotation_lines: Callable[[Match], AnnotationLines] | None = None,
    ) -> Match:
        """Apply the note of the match to the match that the plain text is read as, whose rounds are restored.

        The arguments are those of `restore_round`. Warns of values that were edited in the text: they count.
        """
        attached = self.attached.get(None)
        if attached is None:
            return visible
        note = attached.note
        edited = self._edited(attached, visible)
        unedited = {name: () for name in ("opening", "closing") if name in edited}
        if unedited:
            note = structs.replace(note, match=structs.replace(note.carried, **unedited))
        try:
            restored = apply(note.carried, visible, seats=seats)
            check_inserted(note.carried, restored)
        except PatchError as error:
            self.refuse(None, str(error))
            return visible
        if restored.seats != visible.seats and not self.fits_as_whole(attached):
            self._warn(self.attached.pop(None), attached.place())
            return visible
        if edited:
            restored = with_values_of(visible, restored, edited)
        self.applied[None] = Applied(note, attached.place, visible)
        if note.original is not None:
            restored = structs.replace(restored, original=self._original(note.original, attached.place))
        return with_shown_annotations(visible, restored, (), annotation_lines)

    def _unmixed(self, carried: Carried, visible: Round, seats: int) -> tuple[Carried, Round]:
        """Apply a note that has answers among its events. Return the note without them, and the restored round."""
        messages = structs.replace(visible, events=together(visible), answers=())
        whole = apply(carried, messages, seats=seats)
        of_match = self.attached.get(None)
        seat = self.seat if of_match is None else stated_seat(of_match.note.carried.opening, self.seat)
        events, answers = apart(whole.events, seat)
        # A remark after an action that the next message repeats is about both.
        echoed = {
            one.index + number + 1 for number, one in enumerate(answers) if one.message in events[one.index :][:1]
        }
        remarks = tuple(
            [
                structs.replace(one, index=events_before(answers, one.index) + (one.index in echoed))
                for one in whole.annotations
            ]
        )
        restored = structs.replace(whole, events=events, answers=answers, annotations=remarks)
        patch, _ = diff(visible, restored)
        return Carried(patch.set, patch.unset, patch.events, hints=carried.hints), restored

    def _compare(self, visible: Round, index: int) -> None:
        """Note a round that is read otherwise than when the note of the match was made."""
        of_match = self.attached.get(None)
        digests = () if of_match is None or of_match.note.readers == READERS else of_match.note.rounds
        # A person may have moved the round, or taken out others.
        if digests and visible.events and round_digest(visible) not in digests:
            self.read_otherwise.append(index)

    def fits_as_whole(self, of_match: FoundNote) -> bool:
        """Return whether the text around the rounds is the one beside which the note of the match was written."""
        return of_match.note.digest == digest(self.tokens_of(None))

    def _edited(self, attached: FoundNote, visible: Match) -> list[str]:
        """Return the fields that were edited since the note of the match was made, and warn of them."""
        noted = attached.note.fields
        if noted is None:
            return []
        shown = field_digests(attached.note.carried, visible)
        known = {name for name in noted if _FIELD.fullmatch(name) and name.partition(".")[0] in _FIELDS}
        edited = sorted(
            name
            for name in shown.keys() | known
            if self.ignored.shown_values or shown.get(name) != noted.get(name)
        )
        if edited and not self.ignored.shown_values:
            self.report.warn(
                f"the text around the rounds was edited: {', '.join(edited)}. "
                "The text counts for this, and the note for the rest",
                match=self.number,
                line=attached.place().line,
            )
        return edited

    def _original(self, packed: PackedOriginal, place: Callable[[], Place]) -> Original | None:
        """Return the original that the note of the match holds. A damaged one is a warning and a loss."""
        try:
            return unpack(packed)
        except OriginalError as error:
            message = f"the original record in the note of this match was ignored: {error}"
            self.report.warn(message, match=self.number, line=place().line)
            self.report.lose(ORIGINAL, "dropped", match=self.number, detail=str(error))
            return None

    def compared(self, scope: Scope) -> tuple[bytes, bytes]:
        """Return the words of a text, and what the lines outside it state (as `Part.compared`)."""
        return self.tokens_of(scope), self.outside_of(scope)

    def visible_event(self, scope: Scope, event: int) -> int:
        """Return the index of an event before the note of its round was applied.

        For an event that the note inserts, returns the index of the event that it follows.
        """
        applied = self.applied.get(scope)
        return event if applied is None else origin(applied.note.carried.events, event)

    def _attach(self) -> None:
        """Attach the notes that belong to the match and to its rounds. Warn of the others, in their order."""
        known = [one for one in self.notes if one.note.v == VERSION]
        of_match = [one for one in known if one.note.match is not None]
        # A note with digests of fields belongs to its match even if the text around the rounds was edited.
        own = list(filter(self.fits_as_whole, of_match)) or [
            one for one in of_match if one.note.fields is not None and one.near is None
        ]
        if own:
            self.attached[None] = own[0]
        self._attach_to_rounds([one for one in known if one.note.match is None])
        attached = set(map(id, self.attached.values()))
        strays = [(one.place(), one) for one in self.notes if id(one) not in attached]
        self.has_strays = bool(strays)
        for place, stray in sorted(strays, key=lambda one: (one[0].line, one[0].column)):
            self._warn(stray, place)

    def _attach_to_rounds(self, notes: Sequence[FoundNote]) -> None:
        """Attach each note to the round beside it, else to the first round that has its digest."""
        waiting: defaultdict[str, deque[FoundNote]] = defaultdict(deque)

        @cache
        def digest_of(index: int) -> str:
            return digest(self.tokens_of(index))

        for one in notes:
            beside = one.near is not None and one.near not in self.attached
            if beside and digest_of(one.near) == one.note.digest:
                self.attached[one.near] = one
            elif self.moved:
                waiting[one.note.digest].append(one)
        for index in range(self.rounds) if waiting else ():
            if index not in self.attached and (left := waiting.get(digest_of(index))):
                self.attached[index] = left.popleft()

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


def stated_seat(edits: Sequence[Edit], usual: int | None) -> int | None:
    """Return the `id` of ``start_game`` after the edits of a match's opening; `usual` is the one before them.

    >>> stated_seat((Edit(0, insert=({"type": "start_game", "id": 2},)),), None), stated_seat((), 1)
    (2, 1)
    """
    seats = [one["id"] for edit in edits for one in (*edit.insert, edit.set) if "id" in one]
    return next((seat for seat in seats if type(seat) is int and 0 <= seat < MOST_SEATS), usual)


def with_values_of(visible: Match, restored: Match, edited: Sequence[str]) -> Match:
    """Return a restored match with the values that the text shows in the fields `edited` (`field_digests`).

    >>> from mjconv.ir.match import Text
    >>> visible, restored = Match([Player(rank="1")], place=Text("b")), Match([Player(rank="2", team=Text("c"))])
    >>> match = with_values_of(visible, restored, ["place", "players.0.rank"])
    >>> match.players, match.place
    ([Player(team=Text(native='c'), rank='1')], Text(native='b'))
    """
    players, extras = list(restored.players), dict(restored.extras)
    changed: dict[str, Any] = {"players": players, "extras": extras}
    for name in edited:
        whole, _, part = name.partition(".")
        if whole == "players":
            seat, _, key = part.partition(".")
            shown = visible.players[int(seat)] if int(seat) < len(visible.players) else Player()
            # A match without players has all of them as soon as the text names one.
            players += [Player()] * (max(int(seat) + 1, len(visible.players)) - len(players))
            players[int(seat)] = structs.replace(players[int(seat)], **{key: getattr(shown, key)})
        elif whole == "extras":
            extras[part] = visible.extras.get(part)
        else:
            changed[name] = getattr(visible, name)
    changed["extras"] = {key: value for key, value in extras.items() if value is not None}
    return structs.replace(restored, **changed)


def with_shown_annotations(
    visible: Whole,
    restored: Whole,
    edits: Sequence[Edit],
    annotation_lines: Callable[[Whole], AnnotationLines] | None,
) -> Whole:
    """Return a restored round or match with the annotations that the text shows.

    If the text shows the same as the note's annotations would show, the note's are exact and stay. Otherwise a
    person edited the text: its annotations replace those of the note. The note's other annotations stay. `edits`
    are the note's edits of the events.

    >>> def lines(one): return [one.value] if one.kind == "comment" else []
    >>> visible = Round(annotations=(Annotation(1, "comment", value="new"),))
    >>> noted = Round(annotations=(Annotation(1, "left", 2), Annotation(2, "comment", value="old")))
    >>> edits = [Edit(0, insert=({"type": "dora"},))]
    >>> with_shown_annotations(visible, noted, edits, lambda _: lines).annotations
    (Annotation(index=1, kind='left', seat=2), Annotation(index=2, kind='comment', value='new'))
    """
    if annotation_lines is None or restored.annotations == visible.annotations:
        return restored
    of_text: tuple[Annotation, ...] = move(visible.annotations, edits)
    if of_text == restored.annotations:
        return restored
    lines_of = annotation_lines(restored)
    # A text may show comments in another order than the note has them, as Uzje does.
    read = sorted(line.strip() for one in of_text for line in str(one.value).split("\n"))
    # Where the annotations are, the note knows better.
    if read == sorted(line.strip() for one in restored.annotations for line in lines_of(one)):
        return restored
    others: list[Annotation] = [one for one in restored.annotations if not lines_of(one)]
    return structs.replace(restored, annotations=tuple(sorted([*of_text, *others], key=lambda one: one.index)))


#: The kinds of messages that a note may insert into each list of events. With another kind, such as the end of a
#: game in a round, mjai would begin or end a round or a match there.
_TALK = frozenset(kind for kind, event in KINDS.items() if event in CONVERSATION) - {"hello"}
_INSERTED: Mapping[str, frozenset[str]] = {
    "events": frozenset(KINDS) - {"start_game", "end_game", "hello"} - _TALK,
    "opening": _TALK | {"start_game", "hello"},
    "closing": _TALK | {"end_game"},
}


def check_inserted(patch: Patch, restored: Round | Match) -> None:
    """Raise `PatchError` if a patch inserts events where they would begin or end another round or match.

    Also raises it for answers that do not fit the restored round (`check_answers`), and for annotations whose
    indices do not rise from 0 to the number of its events.

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
    if isinstance(restored, Round):
        try:
            check_answers(restored)
        except ValueError as error:
            raise PatchError(str(error)) from None
        places = [0, *(one.index for one in restored.annotations), len(restored.events)]
        if places != sorted(places):
            raise PatchError(f"the indices of annotations rise from 0 to {len(restored.events)}")
