"""The check of notes against the text: a note must not contradict the text beside it.

`settle` checks the notes that change what the plain text shows. The match is rendered again. If its text no longer
reads as the text in the file does, the note is ignored with a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import UNSET, structs

from mjconv.converters import formats
from mjconv.converters.interface import Format, Keys, Reading, WriteOptions
from mjconv.converters.shared.carry import read_back
from mjconv.converters.shared.prepare import prepare
from mjconv.converters.shared.restore import Applied, Assembly, Key
from mjconv.ir.errors import MjconvError
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
    # A format may refuse rounds without play: then all rounds are rendered.
    reading = (
        _reread(assembly, form, options)
        or _rendered(_with_play_of(suspects, whole), form, options, before)
        or _rendered(whole, form, options, before)
    )
    if reading is None:
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


def _reread(assembly: Assembly, form: Format, options: WriteOptions) -> Match | None:
    """Return what the plain text of a match is read as, if the format knows that without rendering it."""
    reread = form.reread
    if reread is None:
        return None
    match = assembly.reading.match
    applied = {key: one.visible for key, one in assembly.applied.items() if isinstance(one.visible, Round)}
    visible = [applied.get(index, one) for index, one in enumerate(match.rounds)]
    try:
        return reread(prepare(match, form, options).match, visible, options)
    except MjconvError:
        return None


def _rendered(match: Match, form: Format, options: WriteOptions, before: object) -> Match | None:
    """Return what the plain text of a match is read as; None where the match cannot be rendered."""
    try:
        rendered = form.render(prepare(match, form, options).match, before, True, options)
        return read_back(form, rendered) if rendered.reading is None else rendered.reading
    except (MjconvError, AssertionError):
        return None


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
