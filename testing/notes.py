"""Check that the notes of a format restore what the text lacks, and never contradict what the text shows."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec import UNSET, structs

from mjconv.converters import hub
from mjconv.converters.interface import Format, WriteOptions
from mjconv.converters.shared.note_json import MARK
from mjconv.ir.errors import MjconvError
from mjconv.ir.events import Discard, Event, Ryukyoku, Win, name_of
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mjconv.testing.samples import Sample, without_original
from mjconv.testing.written import can_render, difference, first_byte, read, write

#: The fields of a kind of event.
_fields = cache(structs.fields)
_DIGEST = re.compile(rb'"digest":"[0-9a-f]{12}"')
#: The key of the extras that the checks put into rounds.
_MARKED = "conformance"


def check_notes(form: Format, sample: Sample) -> None:
    """Check that notes restore a match, and that contradicting notes and strange notes are ignored.

    A note is strange if its digest is that of another text. Each note that is ignored makes a warning.
    """
    if not (form.notes and can_render(form)):
        return
    for match in map(without_original, read(form, sample.data)):
        plain = write(form, [match], WriteOptions(plain=True))
        marked = _marked(match)
        noted = write(form, [marked], WriteOptions())
        assert (plain is None) == (noted is None), "the match is refused only with notes, or only without them"
        if plain is None or noted is None:
            continue
        [visible] = read(form, plain)
        [restored] = read(form, noted)
        assert restored == marked, f"the notes do not restore the match: {difference(restored, marked)}"
        if match.rounds:
            assert MARK.encode() in noted, "no note has the word by which mjconv finds its notes"
        for text in _lies(noted, visible):
            report = Report()
            try:
                back = hub.read_matches(form, text, report)
            except MjconvError:
                continue  # a note that is refused with its place does not lie
            again = write(form, back, WriteOptions(plain=True))
            assert again == plain, f"a note changes what the text shows: {first_byte(again, plain)}"
            assert report.warnings, "a note that contradicts the text is ignored without a warning"
        strange = _DIGEST.sub(rb'"digest":"000000000000"', noted)
        # The note of the match has digests of its fields.
        if strange != noted and match.rounds:
            report = Report()
            [ignored] = hub.read_matches(form, strange, report)
            assert report.warnings, "a note of another text is ignored without a warning"
            kept = [one for one in ignored.rounds if _MARKED in one.extras]
            assert not kept, "a note with the digest of another text is applied"


def check_shows(form: Format, sample: Sample) -> None:
    """Check that every key of an event which changes the plain text is declared in `shows`."""
    if not (form.notes and can_render(form)):
        return
    tried: set[tuple[str, str]] = set()
    for match in map(without_original, read(form, sample.data)):
        plain = write(form, [match], WriteOptions(plain=True))
        for index, game_round in enumerate(match.rounds):
            for at, event in enumerate(game_round.events):
                kind = name_of(event)
                for field in _fields(type(event)):
                    shown = form.shows.get(kind, frozenset())
                    if field.name == "extras" or (kind, field.name) in tried:
                        continue
                    if shown is None or field.encode_name in shown:
                        continue
                    tried.add((kind, field.name))
                    for value in _others(getattr(event, field.name), required=field.required):
                        changed = _with_event(match, index, at, structs.replace(event, **{field.name: value}))
                        text = write(form, [changed], WriteOptions(plain=True))
                        assert text in (plain, None), f"{kind}.{field.encode_name} changes the text"


def _others(value: Any, *, required: bool) -> list[Any]:
    """Return other values of the same kind, and the absence of the key where the event may lack it."""
    absent = [] if required else [UNSET]
    if value is UNSET:
        return []
    if isinstance(value, bool):
        return [not value, *absent]
    if isinstance(value, int):
        return [value + 1, max(value - 1, 0), *absent]
    if isinstance(value, tuple):
        return [value[::-1], *absent]
    return ["E", *absent]


def _with_event(match: Match, index: int, at: int, event: Event) -> Match:
    game_round = match.rounds[index]
    events = [*game_round.events[:at], event, *game_round.events[at + 1 :]]
    rounds = [*match.rounds]
    rounds[index] = structs.replace(game_round, events=events)
    return structs.replace(match, rounds=rounds)


def _marked(match: Match) -> Match:
    """Return the match with extras in each round that no format has words for, so that each has a note."""
    rounds = [structs.replace(one, extras={**one.extras, _MARKED: 1}) for one in match.rounds]
    return structs.replace(match, rounds=rounds)


_INVENTED = {"type": "hora", "actor": 1, "target": 0, "deltas": [-90000, 90000, 0, 0]}


def _lies(noted: bytes, visible: Match) -> Iterator[bytes]:
    """Return texts whose first note of a round changes what the text shows."""
    for at, event in enumerate(visible.rounds[0].events if visible.rounds else ()):
        if isinstance(event, Win | Ryukyoku | Discard):
            yield from _with_edit(noted, {"at": at, "delete": 1, "insert": [_INVENTED]})
        if isinstance(event, Discard):
            yield from _with_edit(noted, {"at": at, "set": {"actor": 0 if event.actor else 3}, "unset": []})
            break


def _with_edit(noted: bytes, edit: dict[str, Any]) -> Iterator[bytes]:
    """Return the text with an edit in the note of its first round, if it has such a note in one piece."""
    mark = noted.find(b'"round":{')
    if mark < 0 or MARK.encode() not in noted:
        return
    text = noted.decode("utf-8")
    at = len(noted[:mark].decode("utf-8")) + len('"round":')
    found, stop = json.JSONDecoder().raw_decode(text, at)
    found["events"] = [edit]
    yield (text[:at] + json.dumps(found, separators=(",", ":")) + text[stop:]).encode()
