"""The check of notes: a note counts if the match that it restores, written again, gives the text beside it.

`prove` asks it of each note that deletes an event, or that changes what the plain text shows (`Format.shows`).
The restored match is written once. The words of the written parts are compared with the words of the text, and so
is what the lines around a part state about it (`Part.compared`). Layout and comments are not compared.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import UNSET, Struct, structs

from mjconv.converters import formats
from mjconv.converters.interface import Format, Part, Reading, WriteOptions
from mjconv.converters.shared.note_json import round_digest
from mjconv.converters.shared.prepare import prepare
from mjconv.converters.shared.restore import (
    AnnotationLines,
    Applied,
    Assembly,
    FoundNote,
    Ignored,
    MatchNotes,
    Scope,
)
from mjconv.converters.shared.walls import disagreement_with_wall
from mjconv.ir.answers import recorded_seat
from mjconv.ir.errors import MjconvError, Place
from mjconv.ir.events import Event, Ryukyoku, Win, name_of
from mjconv.ir.losses import Report
from mjconv.ir.match import Frozen, Match, Round
from mjconv.ir.patch import Edit, Patch
from mjconv.ir.tiles import plain

#: The most notes that are checked one by one, where a check of all together fails.
_MOST_ALONE = 32
#: The most checks of all notes together. Then all notes that need a check are ignored.
_MOST_CHECKS = 4
_EDITED = "the text was edited. For the match, the text counts for what it shows, and the note for the rest"


def prove(
    format_id: str,
    assemble: Callable[[Ignored], Assembly],
    report: Report,
    number: int,
    flavour: Callable[[], str] = str,
    before: object = None,
) -> Reading:
    """Assemble a match, and once more without the notes that contradict its text, each with a warning.

    `assemble` takes what it ignores. `number` is the index of the match. `flavour` returns the flavour of the
    file, `before` is the `Rendered.after` of the match before it in the file.
    """
    mark = report.mark()
    assembly = assemble(Ignored())
    if not assembly.notes.applied:
        return assembly.reading
    proof = _Proof(formats.find(format_id)[0], assembly.notes.applied, assemble, report, flavour, before)
    ignored: dict[Scope, Applied] = {}
    #: The note of the match, if it yields to all that the edited text shows.
    yielding: Applied | None = None
    for checks in range(_MOST_CHECKS + 1):
        suspects = _suspects(assembly, proof.form)
        wrong = proof.contradicting(assembly, suspects) if checks < _MOST_CHECKS else suspects
        if not wrong:
            break
        ignored |= {scope: assembly.notes.applied[scope] for scope in wrong}
        if None in wrong:
            yields = yielding is None and checks < _MOST_CHECKS and proof.is_edited(assembly)
            yielding = ignored.pop(None) if yields else None
        report.reset(mark)
        assembly = assemble(Ignored(frozenset(ignored), shown_values=yielding is not None))
    _warn(assembly, ignored, yielding, report, number, since=mark[1], is_text_written=proof.is_text_written)
    return assembly.reading


def _warn(
    assembly: Assembly,
    ignored: Mapping[Scope, Applied],
    yielding: Applied | None,
    report: Report,
    number: int,
    *,
    since: int,
    is_text_written: bool,
) -> None:
    """Warn of ignored notes, of rounds that another player deals, and of rounds that are read otherwise now.

    `yielding` is the note of the match, if the text counts for all that it shows. `since` is the number of
    warnings before the match was assembled. `is_text_written` is false if the text without notes cannot be
    written again.
    """

    def warn(scope: Scope, applied: Applied, message: str) -> None:
        label = applied.note.label or None
        report.warn(message, match=number, round=scope, label=label, line=applied.place().line)

    if yielding is not None:
        warn(None, yielding, _EDITED)
    for scope, applied in ignored.items():
        whole = "match" if scope is None else "round"
        if is_text_written:
            message = f"the note of this {whole} contradicts the text. The note was ignored"
        else:
            message = (
                f"the note of this {whole} cannot be checked: its match cannot be written. The note was ignored"
            )
        warn(scope, applied, message)
    for scope, applied in assembly.notes.applied.items():
        if _states_dealer(applied):
            # The text cannot show it, and another dealer means that other players sit at all seats.
            warn(scope, applied, "by its note, another player deals this round than its number states")
        if report.lenient and scope is not None and "wall" in applied.note.carried.set:
            # Only a check needs it: it takes a tenth of the time of reading.
            wrong = disagreement_with_wall(assembly.reading.match.rounds[scope])
            if wrong is not None:
                warn(scope, applied, f"the {wrong} differ from the wall in the note of this round")
    named = {warning.round for warning in report.warnings[since:]}
    for index in assembly.notes.read_otherwise:
        if index not in named:
            message = "the round was edited, or another version of mjconv, which read it otherwise, wrote its file"
            report.warn(message, match=number, round=index, label=assembly.reading.match.rounds[index].label)


class _Proof(Struct, dict=True):
    """Writes a match that was assembled with its notes again, and compares it with the text."""

    form: Format
    applied: Mapping[Scope, Applied]
    assemble: Callable[[Ignored], Assembly]
    report: Report
    flavour: Callable[[], str]
    before: object
    #: Whether the text without notes can be written again, as far as this was tried.
    is_text_written: bool = True

    @cached_property
    def options(self) -> WriteOptions:
        """The options by which the file was written. Most files need none: no note is suspect."""
        notes = [one.note for one in self.applied.values()]
        noted = next((one.flavour for one in notes if one.flavour and one.flavour in self.form.flavours), "")
        lossy, fill = any(one.lossy for one in notes), any(one.fill for one in notes)
        return WriteOptions(noted or self.flavour(), lossy=lossy, fill=fill)

    def is_edited(self, assembly: Assembly) -> bool:
        """Return whether the text is another one than when the note of the match was made."""
        notes = assembly.notes
        of_match = notes.attached[None]
        if notes.has_strays or not notes.fits_as_whole(of_match):
            return True
        rounds = self._without(self.applied.keys()).reading.match.rounds
        return not {*map(round_digest, rounds)} <= {*of_match.note.rounds}

    def contradicting(self, assembly: Assembly, suspects: Sequence[Scope]) -> Sequence[Scope]:
        """Return the notes, mostly suspects, that contradict the text, or make the match impossible to write."""
        if not suspects:
            return ()
        applied, ignored = assembly.notes.applied, assembly.notes.ignored
        # The note of a match concerns all rounds.
        rounds = range(len(assembly.reading.match.rounds)) if None in suspects else ()
        found = self._differing(assembly, {*suspects, *rounds, None})
        if found is not None:
            wrong = [scope for scope in suspects if scope in found]
            if None in found and None not in suspects:
                # Another dealer of the first round changes the order of the players in the head.
                wrong += [scope for scope in suspects if _states_dealer(applied[scope]) and scope not in wrong]
            others = found.difference(suspects, {None})
            if others and None not in wrong:
                # A round that a person typed is perhaps never written as it is. The note must not change its text.
                unnoted = self._without({*ignored.scopes, None})
                if self._words(assembly, others) != self._words(unnoted, others):
                    wrong.append(None)
        else:
            self.is_text_written = self._differing(self._without(applied.keys()), ()) is not None
            wrong = list(applied if self.is_text_written else suspects)
        if 1 < len(wrong) <= _MOST_ALONE and ignored == Ignored():
            # One note makes others look wrong, or the match impossible to write: each is checked alone.
            return [scope for scope in wrong if self._differs_alone(assembly, scope)] or wrong
        return wrong

    def _differs_alone(self, assembly: Assembly, scope: Scope) -> bool:
        others = assembly.notes.applied.keys() - {scope}
        return self._differing(self._without(others), {scope}) != set()

    def _without(self, scopes: Collection[Scope]) -> Assembly:
        """Return the match without these notes. Reports nothing."""
        mark = self.report.mark()
        assembly = self.assemble(Ignored(scopes))
        self.report.reset(mark)
        return assembly

    def _differing(self, assembly: Assembly, scopes: Collection[Scope]) -> set[Scope] | None:
        """Return the scopes whose text is another if the match is written again.

        Returns None if the match cannot be written.
        """
        match = assembly.reading.match
        found = self._written_otherwise(assembly, match, scopes)
        # Before version 4 of the notes, some formats wrote no points of a round with a win among its answers.
        older = {scope for scope in found or () if scope is not None and _has_old_answers(assembly, scope)}
        if not found or not older:
            return found
        rounds = [_without_points(one) if index in older else one for index, one in enumerate(match.rounds)]
        silent = self._written_otherwise(assembly, structs.replace(match, rounds=rounds), older)
        return found - older | (silent or set())

    def _written_otherwise(self, assembly: Assembly, match: Match, scopes: Collection[Scope]) -> set[Scope] | None:
        parts = self._parts(match, {scope for scope in scopes if scope is not None} if scopes else None)
        if parts is None:
            return None
        places = {scope: parts[0 if scope is None else scope + 1] for scope in scopes}
        found = {scope for scope, part in places.items() if part.compared() != assembly.notes.compared(scope)}
        # No match holds some values around the rounds, such as `sx` of an mjlog: then no note contradicts them.
        return found - {None} if None in found and parts[0].compared() == self._head_without_notes else found

    def _words(self, assembly: Assembly, rounds: Collection[Scope]) -> list[object]:
        """Return the words of some rounds of a match that is written again, and what the lines outside state."""
        numbers = {number for number in rounds if number is not None}
        parts = self._parts(assembly.reading.match, numbers)
        return [None if parts is None else parts[number + 1].compared() for number in sorted(numbers)]

    @cached_property
    def _head_without_notes(self) -> tuple[bytes, bytes] | None:
        """The words around the rounds, and what the lines outside state, of the match without any notes."""
        parts = self._parts(self._without(self.applied.keys()).reading.match, set())
        return parts[0].compared() if parts else None

    def _parts(self, match: Match, rounds: Collection[int] | None) -> Sequence[Part] | None:
        """Write a match, and return its parts, at least these rounds; None if it cannot be written."""
        options = structs.replace(self.options, rounds=rounds)
        try:
            match = prepare(match, self.form, options).match
            return self.form.render(match, self.before, True, options).parts
        except MjconvError:
            return None


def with_notes(
    format_id: str,
    visible: Reading,
    found_notes: Sequence[FoundNote],
    tokens_of: Callable[[Scope], bytes],
    report: Report,
    number: int,
    *,
    seats: int,
    outside_of: Callable[[Scope], bytes] = lambda _: b"",
    annotation_lines: Callable[[Any], AnnotationLines] | None = None,
    flavour: Callable[[], str] = str,
    before: object = None,
    hints: type[Frozen] | None = None,
    reread: Callable[[MatchNotes], Reading] | None = None,
) -> Reading:
    """Return a reading with what its notes restore, for a format that reads each round without the one before it.

    `visible` is the reading of the text alone. `found_notes` are the notes. `tokens_of` returns the tokens of the
    text of a round, or of the match for None. `number` is the index of the match. `seats` is the largest number of
    players that the format holds. `outside_of` is as `MatchNotes` has it, `annotation_lines` as its methods have
    it, and `flavour` and `before` as `prove`. `hints` are those of a round where many rounds have the same text:
    then a note belongs to the round beside it. `reread` returns the reading of the text by the hints of the notes.
    """
    if not found_notes:
        return visible
    seat = recorded_seat(visible.match.opening)

    def assemble(ignored: Ignored) -> Assembly:
        notes = MatchNotes(
            *(found_notes, len(visible.match.rounds), tokens_of, report, number, ignored),
            moved=hints is None,
            outside_of=outside_of,
            seat=seat,
        )
        plain = visible if reread is None else reread(notes)
        rounds = []
        for index, one in enumerate(plain.match.rounds):
            if hints is not None:
                notes.hints(index, hints)  # reports hints that are wrong
            rounds.append(notes.restore_round(one, index, seats=seats, annotation_lines=annotation_lines))
        whole = structs.replace(plain.match, rounds=rounds)
        match = notes.restore_match(whole, seats=seats, annotation_lines=annotation_lines)

        def locate(index: int | None, event: int, key: str) -> Place | None:
            return plain.locate(index, notes.visible_event(index, event), key)

        return Assembly(Reading(match, locate), notes)

    return prove(format_id, assemble, report, number, flavour, before)


def _has_old_answers(assembly: Assembly, index: int) -> bool:
    """Return whether the note of a round is of a version that kept answers among the events, and holds answers."""
    applied = assembly.notes.applied.get(index)
    return applied is not None and applied.note.mixed and bool(assembly.reading.match.rounds[index].answers)


def _without_points(game_round: Round) -> Round:
    events = [
        structs.replace(event, deltas=UNSET, scores=UNSET) if isinstance(event, Win | Ryukyoku) else event
        for event in game_round.events
    ]
    return structs.replace(game_round, events=events)


def _states_dealer(applied: Applied) -> bool:
    """Return whether the note of a round states another dealer than the number of the round."""
    return "dealer" in applied.note.carried.hints


def _suspects(assembly: Assembly, form: Format) -> list[Scope]:
    """Return the scopes of the notes that need a check."""
    match = assembly.reading.match
    return [
        scope
        for scope, one in assembly.notes.applied.items()
        if needs_check(one.note.carried, one.visible, match if scope is None else match.rounds[scope], form)
        or _states_dealer(one)
    ]


def needs_check(patch: Patch, visible: Round | Match, restored: Round | Match, form: Format) -> bool:
    """Return whether a patch deletes an event, or inserts or sets what the plain text shows.

    >>> jmjp = formats.find("jmjp")[0]
    >>> needs_check(Patch(set={"wall": []}), Round(), Round(wall=()), jmjp)
    False
    >>> needs_check(Patch(set={"dice": [1, 2]}), Round(), Round(dice=(1, 2)), jmjp)
    True
    >>> needs_check(Patch(events=(Edit(0, delete=1),)), Round(), Round(), jmjp)
    True
    """
    whole, lists = ("round", ("events",)) if isinstance(visible, Round) else ("match", ("opening", "closing"))
    return any(
        _shows(form, whole, {name}) and _shown_part(visible, name, form) != _shown_part(restored, name, form)
        for name in {*patch.set, *patch.unset}
    ) or any(
        _edit_needs_check(edit, getattr(visible, name), form) for name in lists for edit in getattr(patch, name)
    )


def _shown_part(whole: Round | Match, name: str, form: Format) -> object:
    """Return the part of a field of a round or match that the text shows.

    >>> from mjconv.ir.match import Player
    >>> match = Match([Player(rank="1"), Player(rank="2")])
    >>> [_shown_part(match, "players", formats.find(form)[0]) for form in ("mjai", "tenhou")]
    [None, [Player(rank='1'), Player(rank='2')]]
    """
    value, shown = getattr(whole, name), form.shows.get(name)
    if name == "extras":
        return value.get(form.id)
    if shown is None or value is UNSET:
        return None if value is UNSET else value
    if name == "annotations":
        return [one for one in value if one.kind in shown]
    parts = enumerate(value if isinstance(value, list) else [value])
    return {
        (at, key): seen for at, part in parts for key in shown if (seen := getattr(part, key)) is not UNSET
    } or None


def _shows(form: Format, kind: str, keys: Collection[str]) -> bool:
    """Return whether the text shows one of these keys of a kind of event, of a round, or of a match."""
    shown = form.shows.get(kind, _NO_KEYS)
    return bool(keys) if shown is None else not shown.isdisjoint(keys)


_NO_KEYS: frozenset[str] = frozenset()


def _edit_needs_check(edit: Edit, events: Sequence[Event], form: Format) -> bool:
    if edit.delete or any(message.get("type") in form.shows for message in edit.insert):
        return True
    if not (edit.set or edit.unset):
        return False
    event = events[edit.at]
    fives = form.notes.plain_fives if form.notes else ()
    changed = set(edit.unset).union(
        key
        for key, value in edit.set.items()
        if key not in fives or _without_reds(value) != _without_reds(getattr(event, key, UNSET))
    )
    return "type" in changed or _shows(form, name_of(event), changed)


def _without_reds(tiles: Any) -> Any:
    """Return a tile, or several tiles as a list, with plain fives. Other values stay as they are.

    >>> _without_reds("5mr"), _without_reds(("5pr", "E")), _without_reds(UNSET)
    ('5m', ['5p', 'E'], UNSET)
    """
    if isinstance(tiles, str):
        return plain(tiles)
    return [plain(tile) for tile in tiles] if isinstance(tiles, (list, tuple)) else tiles
