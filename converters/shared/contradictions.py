"""The check of notes against the text: a note must not contradict the text beside it.

`settle` checks the notes that change what the plain text shows. The match is rendered again. If its text no longer
reads as the text in the file does, the note is ignored with a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.converters import formats
from mjconv.converters.interface import Format, Keys, Reading, WriteOptions
from mjconv.converters.shared.carry import read_back
from mjconv.converters.shared.prepare import prepare
from mjconv.converters.shared.restore import Applied, Assembly, FoundNote, Key, MatchNotes
from mjconv.ir.errors import MjconvError, Place
from mjconv.ir.events import EndRound, Event, name_of
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round
from mjconv.ir.patch import Edit, Patch
from mjconv.ir.tiles import plain

#: The most notes that are checked one by one, where a check of all together fails.
_MOST_ALONE = 32


def settle(
    format_id: str,
    assemble: Callable[[Collection[Key]], Assembly],
    report: Report,
    number: int,
    flavour: str = "",
    before: object = None,
) -> Reading:
    """Assemble a match, and once more without the notes that contradict its text, each with a warning.

    `assemble` takes the rounds whose notes it ignores, None for the match's. `flavour` is the flavour of the file,
    `before` the `Rendered.after` of the match before it in the file.
    """
    mark = report.mark()
    assembly = assemble(())
    if not assembly.applied:
        return assembly.reading
    form = formats.find(format_id)[0]
    ignored: dict[Key, Applied] = {}

    def is_wrong_alone(key: Key, others: Collection[Key]) -> bool:
        """Return whether the note of a round, or of the match for None, contradicts the text by itself."""
        alone_mark = report.mark()
        alone = assemble(others)
        report.reset(alone_mark)
        return key in alone.applied and _contradicting(alone, [key], form, flavour, before) != []

    while suspects := _suspects(assembly, form):
        wrong = _contradicting(assembly, suspects, form, flavour, before)
        if wrong is None:
            wrong = suspects
        if not wrong:
            break
        if 1 < len(wrong) <= _MOST_ALONE and not ignored:
            # One note makes others look wrong, or the match impossible to render: each is checked alone.
            together = assembly.applied.keys()
            wrong = [key for key in wrong if is_wrong_alone(key, together - {key})] or wrong
        ignored |= {key: assembly.applied[key] for key in wrong}
        report.reset(mark)
        assembly = assemble(ignored.keys())

    def warn(key: Key, applied: Applied, message: str) -> None:
        label = applied.note.label or None
        report.warn(message, match=number, round=key, label=label, line=applied.place().line)

    for key, applied in ignored.items():
        whole = "match" if key is None else "round"
        warn(key, applied, f"the note of this {whole} contradicts the text. The note was ignored")
    for key, applied in assembly.applied.items():
        if "dealer" in applied.note.carried.hints:
            # The text cannot show it, and another dealer means that other players sit at all seats.
            warn(key, applied, "by its note, another player deals this round than its number states")
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
) -> Reading:
    """Return a reading with what its notes restore, for a format whose text is read without hints.

    `visible` is the reading of the text alone. `found_notes` are the notes. `tokens_of` returns the tokens of the
    text of a round, or of the match for None. `number` is the index of the match. `seats` is the largest number of
    players that the format holds.
    """
    if not found_notes:
        return visible
    plain = visible.match

    def assemble(ignored: Collection[Key]) -> Assembly:
        notes = MatchNotes(found_notes, len(plain.rounds), tokens_of, report, number, ignored)
        rounds = [notes.restore(one, index, seats=seats) for index, one in enumerate(plain.rounds)]
        match = notes.restore(structs.replace(plain, rounds=rounds), None, seats=seats)

        def locate(index: int | None, event: int, key: str) -> Place | None:
            return visible.locate(index, notes.visible_event(index, event), key)

        return Assembly(Reading(match, locate), notes.applied)

    return settle(format_id, assemble, report, number)


def _suspects(assembly: Assembly, form: Format) -> list[Key]:
    """Return the rounds whose notes delete events, or change what the text shows."""
    return [
        key
        for key, one in assembly.applied.items()
        if touches(one.note.carried, one.visible, form.shows, form.plain_fives)
        or _sets_extras(assembly, key, form)
    ]


def _sets_extras(assembly: Assembly, key: Key, form: Format) -> bool:
    """Return whether a note changes the format's own part of the extras, if the text shows all of it."""
    visible, match = assembly.applied[key].visible, assembly.reading.match
    restored = match if key is None else match.rounds[key]
    return bool(_own_extras(restored, form) != _own_extras(visible, form))


def _own_extras(whole: Round | Match, form: Format) -> Any:
    """Return the format's own part of the extras, if the text shows all of it. None for no such part."""
    shown = form.shows.get("match" if isinstance(whole, Match) else "round") or _NO_KEYS
    return whole.extras.get(form.id) if "extras" in shown else None


def touches(
    patch: Patch, visible: Round | Match, shows: Mapping[str, Keys], plain_fives: frozenset[str] = frozenset()
) -> bool:
    """Return whether a patch deletes an event, or inserts or sets what the plain text shows.

    Of the keys `plain_fives`, the text does not show which fives are red. Extras are left to `_sets_extras`.

    >>> touches(Patch(set={"dice": [1, 2]}), Round(), {"round": frozenset({"comment"})})
    False
    >>> touches(Patch(events=(Edit(0, delete=1),)), Round(), {})
    True
    """
    if isinstance(visible, Round):
        return _sets_field(patch, shows, "round") or _edits_touch(patch.events, visible.events, shows, plain_fives)
    return (
        _sets_field(patch, shows, "match")
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
    if not _sets_shown(edit, shown):
        return False
    if plain_fives.isdisjoint(edit.set):
        return True
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


def _sets_field(patch: Patch, shows: Mapping[str, Keys], whole: str) -> bool:
    """Return whether a patch sets or removes a field of a round or match that is shown, other than its extras."""
    return _sets_shown(patch, (shows.get(whole) or _NO_KEYS) - {"extras"})


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
    whole = assembly.reading.match
    completed = _completed_as_shown(assembly, suspects, form, options) if form.completes else frozenset()
    suspects = [
        key
        for key in suspects
        if key not in completed or _sets_field(assembly.applied[key].note.carried, form.shows, "round")
    ]
    if not suspects:
        return []
    played = [*(key for key in suspects if key not in completed), *_under_note_of_match(assembly)]
    part = _with_play_of(played, whole)
    wrong = _reading_otherwise(assembly, suspects, _rendered(part, form, options, before), form, completed)
    if part is whole or wrong == []:
        return wrong
    # A format may refuse rounds without play, or read another head from them.
    return _reading_otherwise(assembly, suspects, _rendered(whole, form, options, before), form)


def _reading_otherwise(
    assembly: Assembly,
    suspects: Sequence[Key],
    reading: Match | None,
    form: Format,
    completed: Collection[Key] = (),
) -> list[Key] | None:
    """Return the suspects that `reading` has otherwise than the text; None where there is nothing to compare.

    The events of the rounds `completed` are not compared.
    """
    if reading is None or len(reading.rounds) != len(assembly.reading.match.rounds):
        return None
    around = assembly.applied.get(None)
    visible_match = around.visible if around is not None else assembly.reading.match
    assert isinstance(visible_match, Match)
    rounds = assembly.reading.match.rounds

    def same_round(key: int, visible: Round) -> bool:
        written, events = reading.rounds[key], key not in completed
        ours, theirs = (_comparable(one, form, events=events) for one in (written, visible))
        if ours != theirs:
            return False
        # The rules and the date may be shown as those of the match.
        unstated = rounds[key].rules is rounds[key].date is UNSET
        return unstated or _conditions(written, reading) == _conditions(visible, visible_match)

    def same(key: Key) -> bool:
        visible = assembly.applied[key].visible
        if isinstance(visible, Match):
            others = _under_note_of_match(assembly)
            same = _around(reading, form) == _around(visible, form)
            return same and all(same_round(one, rounds[one]) for one in others)
        return key is not None and same_round(key, visible)

    return [key for key in suspects if not same(key)]


def _under_note_of_match(assembly: Assembly) -> list[int]:
    """Return the rounds without a note, if the note of the match changes the rules or the date of all rounds."""
    around = assembly.applied.get(None)
    if around is None or not _sets_shown(around.note.carried, _CONDITIONS):
        return []
    return [index for index in range(len(assembly.reading.match.rounds)) if index not in assembly.applied]


def _completed_as_shown(
    assembly: Assembly, suspects: Sequence[Key], form: Format, options: WriteOptions
) -> frozenset[Key]:
    """Return the suspect rounds whose events, completed by the rules, are the events of the text.

    Most notes only remove values that the writer fills in again. This finds them without rendering the match.
    """
    # Imported here: few formats need the values of hands.
    from mjconv.converters.shared.completed import complete

    try:
        match = prepare(assembly.reading.match, form, options).match
        completed = complete(match)
    except MjconvError:
        return frozenset()
    unordered = options.flavour in form.unordered

    def is_shown(key: Key) -> bool:
        visible = assembly.applied[key].visible
        if key is None or not isinstance(visible, Round) or visible.assumed or _sets_extras(assembly, key, form):
            return False
        written, stated = completed[key].events, match.rounds[key].events
        return len(written) == len(visible.events) and all(
            _may_show(shown, event, stated[origin], form.shows, unordered)
            for shown, event, origin in zip(visible.events, written, completed[key].origins, strict=True)
        )

    return frozenset(filter(is_shown, suspects))


def _may_show(shown: Event, completed: Event, stated: Event, shows: Mapping[str, Keys], unordered: bool) -> bool:
    """Return whether a text that is written for `completed` may show the event `shown`.

    `stated` is the event before it was completed. `shows` is `Format.shows`. The text need not show
    a value that follows from others. It may show such a value, and if `unordered` any value, in its own order.
    """
    if completed is shown or completed == shown:
        return True
    if type(completed) is not type(shown):
        return False
    keys = shows.get(name_of(shown), _NO_KEYS)
    for name, key in zip(type(shown).__struct_fields__, type(shown).__struct_encode_fields__, strict=True):
        ours, theirs = getattr(completed, name), getattr(shown, name)
        if ours == theirs or not (keys is None or key in keys):
            continue
        follows = getattr(stated, name, UNSET) is UNSET
        if follows and theirs is UNSET:
            continue
        if not ((follows or unordered) and key in _UNORDERED and _unordered(ours) == _unordered(theirs)):
            return False
    return True


#: The keys whose values a text may show in an order of its own.
_UNORDERED: Final = frozenset({"tehais", "yakus"})


def _unordered(value: Any) -> Any:
    """Return the tiles of each hand, or the yaku, in one order.

    >>> _unordered((("2m", "1m"), ("E",))), _unordered((("riichi", 1), ("dora", 2)))
    ([['1m', '2m'], ['E']], [('dora', 2), ('riichi', 1)])
    """
    if value is UNSET:
        return value
    return [sorted(hand) for hand in value] if all(isinstance(hand[-1], str) for hand in value) else sorted(value)


def _rendered(match: Match, form: Format, options: WriteOptions, before: object) -> Match | None:
    """Return what the plain text of a match is read as; None where the match cannot be rendered."""
    try:
        rendered = form.render(prepare(match, form, options).match, before, True, options)
        return read_back(form, rendered)
    except (MjconvError, AssertionError):
        return None


#: The fields of a match that count for its rounds.
_CONDITIONS: Final = frozenset({"rules", "date"})
#: What a deal states that a writer otherwise works out from the rounds before.
_CONTEXT: Final = ("bakaze", "kyoku", "honba", "kyotaku", "oya", "scores")


def _with_play_of(keys: Sequence[Key], match: Match) -> Match:
    """Return the match with the play of these rounds alone, where their deals state their context.

    The end of a match follows from its last round.
    """
    kept = {len(match.rounds) - 1 if key is None else key for key in keys}
    for key in kept:
        game_round = match.rounds[key] if match.rounds else Round()
        start = game_round.start
        if start is None or game_round.assumed or any(getattr(start, name) is UNSET for name in _CONTEXT):
            return match
    rounds = [one if index in kept else _deal_of(one) for index, one in enumerate(match.rounds)]
    return structs.replace(match, rounds=rounds)


def _deal_of(game_round: Round) -> Round:
    start = game_round.start
    if start is None:
        return game_round
    return structs.replace(game_round, events=[start, EndRound()], annotations=())


def _comparable(game_round: Round, form: Format, *, events: bool) -> Round:
    """Return a round without what its reader assumed, its remarks, and the layout of its text.

    It keeps its events only if these are to be compared, and of its extras the part that the text shows.
    """
    kept = list(game_round.events) if events else []
    start = game_round.start
    if events and start is not None and game_round.assumed:
        kept[kept.index(start)] = structs.replace(start, **dict.fromkeys(game_round.assumed, UNSET))
    extras = {"": _own_extras(game_round, form)}
    return structs.replace(game_round, events=kept, assumed=(), annotations=(), extras=extras)


def _conditions(game_round: Round, match: Match) -> tuple[object, object]:
    return match.rules_of(game_round), match.date_of(game_round)


def _around(match: Match, form: Format) -> Match:
    return structs.replace(match, rounds=[], annotations=(), extras={"": _own_extras(match, form)})
