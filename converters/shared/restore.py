"""The notes of a match that is read: which belongs to what, what they restore, and which contradict the text.

A reader gathers the notes of a match as `FoundNote`s and assembles the match with `MatchNotes`, which fits the
notes to the rounds by their digests, gives the reader their hints, and applies their patches. `settle` then checks
the notes that change what the plain text shows: the match is rendered again, and where its text would no longer
read as the text in the file does, the note is ignored with a warning.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, structs

from mjconv.converters import formats
from mjconv.converters.interface import Format, Keys, Reading, WriteOptions
from mjconv.converters.shared.annotations import Shown, keep_visible
from mjconv.converters.shared.carry import VERSION, Note, read_back
from mjconv.converters.shared.prepare import prepare
from mjconv.ir.errors import InputError, MjconvError, Place
from mjconv.ir.events import CONVERSATION, KINDS, EndRound, Event, name_of
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Record, Round
from mjconv.ir.patch import Edit, Patch, PatchError, apply, origin
from mjconv.ir.tiles import plain

Whole = TypeVar("Whole", Round, Match)
Hints = TypeVar("Hints", bound=Record)
#: The index of a round, or None for the match around its rounds.
Key: TypeAlias = int | None

#: The most notes that are checked one by one, where a check of all together fails.
_MOST_ALONE = 32


class FoundNote(NamedTuple):
    """A note, the function that finds its place, and the index of the round with which it stands, if with one."""

    note: Note
    place: Callable[[], Place]
    near: int | None = None


class Applied(NamedTuple):
    """A note that was applied, the function that finds its place, and what its round or match was before."""

    note: Note
    place: Callable[[], Place]
    visible: Round | Match


class Assembly(NamedTuple):
    """A match that was assembled, and the notes that were applied to it."""

    reading: Reading
    applied: Mapping[Key, Applied]


class MatchNotes:
    """The notes of one match: fits them to its rounds, and applies them.

    `digest_of` returns the digest of the text of a round, or of the match for None. Notes of `ignored` rounds are
    left alone. A note that fits nothing, because the text was edited or because another version of mjconv wrote
    it, is reported with a warning. `moved` allows a note to belong to another round than the one with which it
    stands: not where many rounds of a format have the same text.
    """

    def __init__(
        self,
        found: Sequence[FoundNote],
        rounds: int,
        digest_of: Callable[[Key], str],
        report: Report,
        number: int,
        ignored: Collection[Key] = (),
        *,
        moved: bool = True,
    ) -> None:
        self.moved = moved
        self.report = report
        self.number = number
        self.applied: dict[Key, Applied] = {}
        self.attached: dict[Key, FoundNote] = {}
        if found:
            self._attach(found, rounds, digest_of)
            for key in ignored:
                self.attached.pop(key, None)

    def hints(self, key: Key, kind: type[Hints]) -> Hints:
        """Return the hints of a round's note, or of the match's for None; without a note, those that say nothing.

        Reports a fault and drops the note where its hints are not of this kind.
        """
        found = self.attached.get(key)
        if found is None or not found.note.carried.hints:
            return kind()
        try:
            return msgspec.convert(found.note.carried.hints, kind)
        except msgspec.ValidationError as error:
            self.refuse(key, f"hints: {error}")
            return kind()

    def refuse(self, key: Key, reason: str) -> None:
        """Report a fault: the note of a round, or of the match, does not fit. The note is dropped."""
        found = self.attached.pop(key)
        error = InputError(f"the note does not fit: {reason}", found.place())
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
        how the format shows annotations, if it does: those in the text win over those in the note. `shown_of`
        returns that function for the restored round or match, where it depends on other parts of it. Reports a
        fault where the note does not fit, and returns `visible`.
        """
        found = self.attached.get(key)
        if found is None:
            return visible
        try:
            restored = apply(found.note.carried, visible, seats=seats)
            check_inserted(found.note.carried, restored)
        except PatchError as error:
            self.refuse(key, str(error))
            return visible
        self.applied[key] = Applied(found.note, found.place, visible)
        if shown_of is not None:
            shown = shown_of(restored)
        return keep_visible(visible, restored, found.note.carried.events, shown) if shown else restored

    def visible_event(self, key: Key, event: int) -> int:
        """Return the index of an event before the note of its round was applied.

        For an event that the note inserts, returns the index of the event that it follows.
        """
        applied = self.applied.get(key)
        return event if applied is None or event < 0 else origin(applied.note.carried.events, event)

    def _attach(self, found: Sequence[FoundNote], rounds: int, digest_of: Callable[[Key], str]) -> None:
        """Fit each note to the round with which it stands, else to the first round that has its digest."""
        waiting: defaultdict[str, deque[FoundNote]] = defaultdict(deque)
        digests: dict[Key, str] = {}

        def fits(key: Key, note: Note) -> bool:
            if key not in digests:
                digests[key] = digest_of(key)
            return digests[key] == note.digest

        strays: list[FoundNote] = []
        for one in found:
            note = one.note
            if note.v != VERSION:
                strays.append(one)
            elif note.match is not None:
                if None not in self.attached and fits(None, note):
                    self.attached[None] = one
                else:
                    strays.append(one)
            elif one.near is not None and one.near not in self.attached and fits(one.near, note):
                self.attached[one.near] = one
            elif not self.moved:
                strays.append(one)
            else:
                waiting[note.digest].append(one)
        if waiting:
            for index in range(rounds):
                if index not in self.attached:
                    if index not in digests:
                        digests[index] = digest_of(index)
                    left = waiting.get(digests[index])
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

    >>> check_inserted(Patch(events=(Edit(0, insert=({"type": "end_game"},)),)), Round())
    Traceback (most recent call last):
    mjconv.ir.patch.PatchError: the events of a round cannot hold 'end_game'
    """
    for name, allowed in _INSERTED.items():
        kinds = {message["type"] for edit in getattr(patch, name) for message in edit.insert}
        where = "the events of a round" if name == "events" else f"the {name} of a match"
        for kind in sorted(kinds - allowed):
            raise PatchError(f"{where} cannot hold {kind!r}")
        for kind in kinds & {"start_game", "start_kyoku"}:
            names = [name_of(event) for event in getattr(restored, name)]
            if names.count(kind) > 1 or (kind == "start_kyoku" and names[0] != kind):
                raise PatchError(f"{where} can hold {kind!r} once, as the first of them")


def settle(
    format_id: str,
    assemble: Callable[[Collection[Key]], Assembly],
    report: Report,
    number: int,
    flavour: str = "",
    before: object = None,
) -> Reading:
    """Assemble a match, and once more without the notes that contradict its text, each with a warning.

    `assemble` takes the rounds whose notes it ignores, None for the match's. `flavour` is that of the file,
    `before` the `Rendered.after` of the match before it in the file.
    """
    mark = report.mark()
    assembly = assemble(())
    if not assembly.applied:
        return assembly.reading
    form = formats.find(format_id)[0]
    ignored: dict[Key, Applied] = {}
    while suspects := _suspects(assembly, form):
        wrong = _contradicting(assembly, suspects, form, flavour, before)
        if wrong is None:
            wrong = suspects
        if not wrong:
            break
        if 1 < len(wrong) <= _MOST_ALONE and not ignored:
            # One note makes others look wrong, or the match impossible to render: each is checked alone.
            alone = _Alone(assemble, assembly, form, flavour, before, report)
            wrong = [key for key in wrong if alone.is_wrong(key)] or wrong
        ignored |= {key: assembly.applied[key] for key in wrong}
        report.reset(mark)
        assembly = assemble(ignored.keys())
    for key, applied in ignored.items():
        whole = "match" if key is None else "round"
        report.warn(
            f"the note of this {whole} contradicts the text. The note was ignored",
            match=number,
            round=key,
            label=applied.note.label or None,
            line=applied.place().line,
        )
    return assembly.reading


def _suspects(assembly: Assembly, form: Format) -> list[Key]:
    """Return the rounds whose notes delete events, or change what the text shows."""
    return [
        key
        for key, one in assembly.applied.items()
        if touches(one.note.carried, one.visible, form.shows, form.plain_fives)
    ]


def touches(
    patch: Patch, visible: Round | Match, shows: Mapping[str, Keys], plain_fives: frozenset[str] = frozenset()
) -> bool:
    """Return whether a patch deletes an event, or inserts or sets what the plain text shows.

    Of the keys `plain_fives`, the text does not show which fives are red.

    >>> touches(Patch(set={"dice": [1, 2]}), Round(), {"round": frozenset({"comment"})})
    False
    >>> touches(Patch(events=(Edit(0, delete=1),)), Round(), {})
    True
    """
    if isinstance(visible, Round):
        return _sets_shown(patch, shows.get("round", _NO_KEYS)) or _edits_touch(
            patch.events, visible.events, shows, plain_fives
        )
    return (
        _sets_shown(patch, shows.get("match", _NO_KEYS))
        or _edits_touch(patch.opening, visible.opening, shows, plain_fives)
        or _edits_touch(patch.closing, visible.closing, shows, plain_fives)
    )


_NO_KEYS: frozenset[str] = frozenset()


def _edits_touch(
    edits: Sequence[Edit], events: Sequence[Event], shows: Mapping[str, Keys], plain_fives: frozenset[str]
) -> bool:
    for edit in edits:
        if edit.delete:
            return True
        for message in edit.insert:
            if message.get("type") in shows:
                return True
        if (edit.set or edit.unset) and _touches_event(edit, events[edit.at], shows, plain_fives):
            return True
    return False


def _touches_event(edit: Edit, event: Event, shows: Mapping[str, Keys], plain_fives: frozenset[str]) -> bool:
    if "type" in edit.set or "type" in edit.unset:
        return True
    shown = shows.get(name_of(event), _NO_KEYS)
    if not _sets_shown(edit, shown) or plain_fives.isdisjoint(edit.set):
        return _sets_shown(edit, shown)
    changed = {
        key: value
        for key, value in edit.set.items()
        if key not in plain_fives or _without_reds(value) != _without_reds(getattr(event, key, UNSET))
    }
    return _sets_shown(structs.replace(edit, set=changed), shown)


def _without_reds(tiles: Any) -> Any:
    """Return a tile, or several tiles as a list, with plain fives. Other values stay as they are.

    >>> _without_reds("5mr"), _without_reds(("5pr", "E")), _without_reds(UNSET)
    ('5m', ['5p', 'E'], UNSET)
    """
    if isinstance(tiles, str):
        return plain(tiles)
    return [plain(tile) for tile in tiles] if isinstance(tiles, (list, tuple)) else tiles


def _sets_shown(change: Patch | Edit, shown: Keys) -> bool:
    """Return whether a change sets or removes one of the keys that are shown."""
    if shown is None:
        return bool(change.set or change.unset)
    return not (shown.isdisjoint(change.set) and shown.isdisjoint(change.unset))


def _contradicting(
    assembly: Assembly, suspects: Sequence[Key], form: Format, flavour: str, before: object
) -> list[Key] | None:
    """Return the suspects whose text would read otherwise; None where the match cannot be rendered."""
    notes = [one.note for one in assembly.applied.values()]
    options = WriteOptions(flavour, lossy=any(note.lossy for note in notes), fill=any(note.fill for note in notes))
    match = _with_play_of(suspects, assembly.reading.match)
    try:
        rendered = form.render(prepare(match, form, options).match, before, True, options)
        reading = read_back(form, rendered) if rendered.reading is None else rendered.reading
    except (MjconvError, AssertionError):
        return None
    if len(reading.rounds) != len(assembly.reading.match.rounds):
        return None
    wrong: list[Key] = []
    around = assembly.applied.get(None)
    visible_match = around.visible if around is not None else assembly.reading.match
    for key in suspects:
        visible = assembly.applied[key].visible
        same = False
        if isinstance(visible, Match):
            same = _around(reading) == _around(visible)
        elif key is not None:
            same = _comparable(reading.rounds[key]) == _comparable(visible)
            restored = assembly.reading.match.rounds[key]
            if same and not (restored.rules is restored.date is UNSET):
                # They may be shown as those of the match.
                same = _conditions(reading.rounds[key], reading) == _conditions(visible, visible_match)
        if not same:
            wrong.append(key)
    return wrong


#: What a deal states that a writer otherwise works out from the rounds before.
_CONTEXT: Final = ("bakaze", "kyoku", "honba", "kyotaku", "oya", "scores")


def _with_play_of(suspects: Sequence[Key], match: Match) -> Match:
    """Return the match with no play but that of the suspect rounds, where their deals state their context."""
    for key in suspects:
        game_round = None if key is None else match.rounds[key]
        start = None if game_round is None else game_round.start
        if (
            game_round is None
            or start is None
            or game_round.assumed
            or any(getattr(start, name) is UNSET for name in _CONTEXT)
        ):
            return match
    kept = set(suspects)
    rounds = [one if index in kept else _deal_of(one) for index, one in enumerate(match.rounds)]
    return structs.replace(match, rounds=rounds)


def _deal_of(game_round: Round) -> Round:
    start = game_round.start
    return game_round if start is None else Round([structs.replace(start, tehais=UNSET), EndRound()])


class _Alone(NamedTuple):
    """Checks one note of a match without the other notes."""

    assemble: Callable[[Collection[Key]], Assembly]
    assembly: Assembly
    form: Format
    flavour: str
    before: object
    report: Report

    def is_wrong(self, key: Key) -> bool:
        """Return whether the note of a round, or of the match for None, contradicts the text by itself."""
        mark = self.report.mark()
        alone = self.assemble(self.assembly.applied.keys() - {key})
        self.report.reset(mark)
        return key in alone.applied and _contradicting(alone, [key], self.form, self.flavour, self.before) != []


def _comparable(game_round: Round) -> Round:
    """Return a round without what its reader assumed, its remarks, and the layout of its text."""
    events = list(game_round.events)
    start = game_round.start
    if start is not None and game_round.assumed:
        events[events.index(start)] = structs.replace(start, **dict.fromkeys(game_round.assumed, UNSET))
    return structs.replace(game_round, events=events, assumed=(), annotations=(), extras={})


def _conditions(game_round: Round, match: Round | Match) -> tuple[object, object]:
    """Return the rules and the date of a round: its own, or those of the match."""
    rules = match.rules if game_round.rules is UNSET else game_round.rules
    return rules, match.date if game_round.date is UNSET else game_round.date


def _around(match: Match) -> Match:
    return structs.replace(match, rounds=[], annotations=(), extras={})
