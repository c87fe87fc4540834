"""The check of notes: a note counts if the match that it restores, written again, gives the text beside it.

`settle` asks it of each note that deletes an event, or that touches what the plain text shows (`Format.shows`).
The restored match is written once. The words of the written parts are compared with the words of the text, and so
is what the lines around a part state about it. Layout and comments are not compared.
"""

from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any

from msgspec import UNSET, structs

from mjconv.converters import formats
from mjconv.converters.interface import Format, Reading, WriteOptions
from mjconv.converters.shared.prepare import prepare
from mjconv.converters.shared.restore import Applied, Assembly, FoundNote, Key, MatchNotes, Shown
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


def settle(
    format_id: str,
    assemble: Callable[[Collection[Key]], Assembly],
    report: Report,
    number: int,
    flavour: Callable[[], str] = str,
    before: object = None,
) -> Reading:
    """Assemble a match, and once more without the notes that contradict its text, each with a warning.

    `assemble` takes the rounds whose notes it ignores, None for the match's. `flavour` returns the flavour of the
    file, `before` is the `Rendered.after` of the match before it in the file.
    """
    mark = report.mark()
    assembly = assemble(())
    if not assembly.notes.applied:
        return assembly.reading
    form = formats.find(format_id)[0]
    stated = [one.note for one in assembly.notes.applied.values()]
    ignored: dict[Key, Applied] = {}

    @cache
    def options() -> WriteOptions:
        noted = next((one.flavour for one in stated if one.flavour in form.flavours and one.flavour), "")
        lossy, fill = any(one.lossy for one in stated), any(one.fill for one in stated)
        return WriteOptions(noted or flavour(), lossy=lossy, fill=fill)

    def differing(assembly: Assembly, keys: Collection[Key]) -> set[Key] | None:
        """Return the rounds, None for the head, whose text is another if the match is written again.

        Returns None if the match cannot be written.
        """
        found = written_otherwise(assembly, assembly.reading.match, keys)
        # Before version 4 of the notes, some formats wrote no points of a round with a win among its answers.
        older = {key for key in found or () if key is not None and _is_mixed(assembly, key)}
        if not found or not older:
            return found
        rounds = assembly.reading.match.rounds
        silent = [_without_points(one) if key in older else one for key, one in enumerate(rounds)]
        match = structs.replace(assembly.reading.match, rounds=silent)
        return found - older | (written_otherwise(assembly, match, older) or set())

    def written_otherwise(assembly: Assembly, match: Match, keys: Collection[Key]) -> set[Key] | None:
        asked = structs.replace(options(), rounds={key for key in keys if key is not None} if keys else None)
        try:
            match = prepare(match, form, asked).match
            parts = form.render(match, before, True, asked).parts
        except MjconvError:
            return None
        notes = assembly.notes
        places = {key: parts[0 if key is None else key + 1] for key in keys}
        return {key for key, part in places.items() if (part.words(), part.around()) != notes.shown(key)}

    def without(keys: Collection[Key]) -> Assembly:
        silent = report.mark()
        other = assemble(keys)
        report.reset(silent)
        return other

    def contradicting(suspects: Sequence[Key]) -> Sequence[Key]:
        """Return the notes, mostly suspects, that contradict the text, or make the match impossible to write."""
        applied = assembly.notes.applied
        rounds = range(len(assembly.reading.match.rounds)) if None in suspects else ()
        found = differing(assembly, {*suspects, *rounds, None})
        if found is not None:
            wrong = [key for key in suspects if key in found]
            if None in found and None not in suspects:
                # Another dealer of the first round changes the order of the players in the head.
                wrong += [key for key in suspects if _is_turned(applied[key]) and key not in wrong]
            others = found.difference(suspects, {None})
            # A round that a person typed is perhaps never written as it is.
            if others and None not in wrong and others - (differing(without({*ignored, None}), others) or set()):
                wrong.append(None)
        else:
            wrong = list(suspects if differing(without(applied.keys()), ()) is None else applied)
        if 1 < len(wrong) <= _MOST_ALONE and not ignored:
            # One note makes others look wrong, or the match impossible to write: each is checked alone.
            return [key for key in wrong if differing(without(applied.keys() - {key}), {key}) != set()] or wrong
        return wrong

    for checks in range(_MOST_CHECKS + 1):
        suspects = _suspects(assembly, form)
        wrong = contradicting(suspects) if suspects and checks < _MOST_CHECKS else suspects
        if not wrong:
            break
        ignored |= {key: assembly.notes.applied[key] for key in wrong}
        report.reset(mark)
        assembly = assemble(ignored.keys())

    def warn(key: Key, applied: Applied, message: str) -> None:
        label = applied.note.label or None
        report.warn(message, match=number, round=key, label=label, line=applied.place().line)

    for key, applied in ignored.items():
        whole = "match" if key is None else "round"
        warn(key, applied, f"the note of this {whole} contradicts the text. The note was ignored")
    for key, applied in assembly.notes.applied.items():
        if _is_turned(applied):
            # The text cannot show it, and another dealer means that other players sit at all seats.
            warn(key, applied, "by its note, another player deals this round than its number states")
    edited = {warning.round for warning in report.warnings[mark[1] :]}
    for index in assembly.notes.read_otherwise:
        if index not in edited:
            message = "the round was edited, or another version of mjconv, which read it otherwise, wrote its file"
            report.warn(message, match=number, round=index, label=assembly.reading.match.rounds[index].label)
    return assembly.reading


def restored(
    format_id: str,
    visible: Reading,
    found_notes: Sequence[FoundNote],
    tokens_of: Callable[[Key], bytes],
    report: Report,
    number: int,
    *,
    seats: int,
    outside_of: Callable[[Key], bytes] = lambda _: b"",
    shown_of: Callable[[Any], Shown] | None = None,
    before: object = None,
    hints: type[Frozen] | None = None,
) -> Reading:
    """Return a reading with what its notes restore, for a format whose text is read without hints.

    `visible` is the reading of the text alone. `found_notes` are the notes. `tokens_of` returns the tokens of the
    text of a round, or of the match for None. `number` is the index of the match. `seats` is the largest number of
    players that the format holds. `outside_of` and `shown_of` are as `MatchNotes` has them, `before` as `settle`.
    `hints` are those of a round where many rounds have the same text: then a note belongs to the round beside it.
    """
    if not found_notes:
        return visible
    plain = visible.match
    seat = recorded_seat(plain.opening)

    def assemble(ignored: Collection[Key]) -> Assembly:
        notes = MatchNotes(
            *(found_notes, len(plain.rounds), tokens_of, report, number, ignored),
            moved=hints is None,
            outside_of=outside_of,
            seat=seat,
        )
        rounds = []
        for index, one in enumerate(plain.rounds):
            if hints is not None:
                notes.hints(index, hints)  # reports hints that are wrong
            rounds.append(notes.restore(one, index, seats=seats, shown_of=shown_of))
        match = notes.restore(structs.replace(plain, rounds=rounds), None, seats=seats, shown_of=shown_of)

        def locate(index: int | None, event: int, key: str) -> Place | None:
            return visible.locate(index, notes.visible_event(index, event), key)

        return Assembly(Reading(match, locate), notes)

    return settle(format_id, assemble, report, number, before=before)


def _is_mixed(assembly: Assembly, key: int) -> bool:
    """Return whether the note of a round is of a version that kept answers among the events, and holds answers."""
    applied = assembly.notes.applied.get(key)
    return applied is not None and applied.note.mixed and bool(assembly.reading.match.rounds[key].answers)


def _without_points(game_round: Round) -> Round:
    events = [
        structs.replace(event, deltas=UNSET, scores=UNSET) if isinstance(event, Win | Ryukyoku) else event
        for event in game_round.events
    ]
    return structs.replace(game_round, events=events)


def _is_turned(applied: Applied) -> bool:
    """Return whether another player deals, by the note of a round, than its number states."""
    return "dealer" in applied.note.carried.hints


def _suspects(assembly: Assembly, form: Format) -> list[Key]:
    """Return the rounds whose notes delete events, or change what the text shows."""
    match = assembly.reading.match
    return [
        key
        for key, one in assembly.notes.applied.items()
        if touches(one.note.carried, one.visible, match if key is None else match.rounds[key], form)
        or _is_turned(one)
    ]


def touches(patch: Patch, visible: Round | Match, restored: Round | Match, form: Format) -> bool:
    """Return whether a patch deletes an event, or inserts or sets what the plain text shows.

    >>> jmjp = formats.find("jmjp")[0]
    >>> touches(Patch(set={"wall": []}), Round(), Round(wall=()), jmjp)
    False
    >>> touches(Patch(set={"dice": [1, 2]}), Round(), Round(dice=(1, 2)), jmjp)
    True
    >>> touches(Patch(events=(Edit(0, delete=1),)), Round(), Round(), jmjp)
    True
    """
    whole, lists = ("round", ("events",)) if isinstance(visible, Round) else ("match", ("opening", "closing"))
    return any(
        _shows(form, whole, {name}) and _seen(visible, name, form) != _seen(restored, name, form)
        for name in {*patch.set, *patch.unset}
    ) or any(_edit_touches(edit, getattr(visible, name), form) for name in lists for edit in getattr(patch, name))


def _seen(whole: Round | Match, name: str, form: Format) -> object:
    """Return the part of a field of a round or match that the text shows.

    >>> from mjconv.ir.match import Player
    >>> match = Match([Player(rank="1"), Player(rank="2")])
    >>> [_seen(match, "players", formats.find(form)[0]) for form in ("mjai", "tenhou")]
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


def _edit_touches(edit: Edit, events: Sequence[Event], form: Format) -> bool:
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
