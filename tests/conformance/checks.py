"""What every format must do, checked on samples of it: one function a promise, and one for all of them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET, structs

from mjconv.converters import flow, formats
from mjconv.converters.interface import Format, WriteOptions
from mjconv.converters.shared.carry import MARK
from mjconv.converters.shared.prepare import prepare
from mjconv.ir import events as ev
from mjconv.ir.errors import MjconvError
from mjconv.ir.events import Discard, Event, Ryukyoku, Win, name_of
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Name, Player, Round, Text

#: How many hostile inputs are made of one sample.
_HOSTILE = 60


def check_format(form: Format, samples: Sequence[bytes]) -> None:
    """Check everything on every sample. Raises `AssertionError` at the first promise that is broken."""
    assert samples
    check_foreign(form)
    for data in samples:
        check_recognised(form, data)
        check_text(form, data)
        check_trips(form, data)
        check_lenient(form, data)
        check_claims(form, data)
        check_places(form, data)
        check_notes(form, data)
        check_shows(form, data)
        check_hostile(form, data)


def check_recognised(form: Format, data: bytes) -> None:
    """Check that this format recognises the sample, and that no other does."""
    others = {other.id: other for other in (*formats.all_formats(), form)}
    found = [other.id for other in others.values() if other.recognise(data)]
    assert found == [form.id]


def check_text(form: Format, data: bytes) -> None:
    """Check that the matches of a text, written and read again, are the same, in every flavour."""
    matches = _read(form, data)
    for flavour in _flavours(form) if form.writes else ():
        assert _whole(form, matches, flavour)


def check_trips(form: Format, data: bytes) -> None:
    """Check that the matches come back from every format that holds them and has notes."""
    matches = _read(form, data)
    for other in formats.all_formats():
        if other.writes and other.reads and other.notes and other.id != form.id:
            assert _whole(other, matches, "")


def check_foreign(form: Format) -> None:
    """Check that a match of another format comes back from this one, if it has notes."""
    if form.writes and form.reads and form.notes and form.seats.count(len(_FOREIGN.players)):
        assert _whole(form, [_FOREIGN], "")


_FOREIGN = Match(
    [Player(Name(Text(name))) for name in "ABCD"],
    [
        Round(
            [
                ev.StartRound("E", "1m", 1, 0, 0, 0, (25000,) * 4, (("9p",) * 2 + ("1s",) * 3 + ("?",) * 8,) * 4),
                ev.Draw(0, "9p"),
                ev.Discard(0, "9p", tsumogiri=True),
                ev.Draw(1, "E"),
                ev.Win(1, 1, deltas=(-1000, 3000, -1000, -1000), yakus=(("riichi", 1),), fu=30),
                ev.EndRound(),
            ],
            dice=(2, 3),
        )
    ],
    opening=[ev.StartGame()],
    closing=[ev.EndGame()],
    place=Text("somewhere"),
)


def check_lenient(form: Format, data: bytes) -> None:
    """Check that a lenient reading of a right record is that of a strict one, without a fault."""
    report = Report(lenient=True)
    assert flow.read_matches(form, data, report) == _read(form, data)
    assert report.faults == []


def check_claims(form: Format, data: bytes) -> None:
    """Check that a writer's reading is what its reader makes of the plain text."""
    for flavour in _flavours(form) if form.writes else ():
        for match in _read(form, data):
            options = WriteOptions(flavour, plain=True)
            try:
                rendered = form.render(prepare(match, form, options).match, None, True, options)
            except MjconvError:
                continue
            if rendered.reading is not None:
                text = b"".join(part.text for part in rendered.parts)
                [truth] = _read(form, text)
                kept = [index for index, part in enumerate(rendered.parts[1:-1]) if part.text]
                rendered.reading.rounds = [rendered.reading.rounds[index] for index in kept]
                assert rendered.reading == truth


def check_places(form: Format, data: bytes) -> None:
    """Check that every event has a place in the data, in order of rounds, and that what is not there has none."""
    lines = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")
    for lenient in (False, True):
        for match, locate in flow.read(form, data, Report(lenient=lenient)):
            for index, game_round in enumerate(match.rounds):
                for at in range(-1, len(game_round.events) + 1):
                    for key in ("", "pai", "deltas"):
                        place = locate(index, at, key)
                        assert place is not None
                        assert 1 <= place.line <= len(lines)
            assert locate(len(match.rounds), 0, "") is None
            assert locate(-1, 0, "") is None


def check_notes(form: Format, data: bytes) -> None:
    """Check that a note which changes what the text shows is ignored with a warning."""
    if not (form.notes and form.writes):
        return
    for match in _read(form, data):
        plain = _written(form, [match], WriteOptions(plain=True))
        noted = _written(form, [_marked(match)], WriteOptions())
        if plain is None or noted is None:
            continue
        [visible] = _read(form, plain)
        for text in _lies(noted, visible):
            report = Report()
            try:
                read = flow.read_matches(form, text, report)
            except MjconvError:
                continue  # a note that is refused with its place does not lie
            assert _written(form, read, WriteOptions(plain=True)) == plain
            assert report.warnings


def check_shows(form: Format, data: bytes) -> None:
    """Check that every key of an event which changes the plain text is declared in `shows`."""
    if not (form.notes and form.writes):
        return
    tried: set[tuple[str, str]] = set()
    for match in _read(form, data):
        plain = _written(form, [match], WriteOptions(plain=True))
        for index, game_round in enumerate(match.rounds):
            for at, event in enumerate(game_round.events):
                kind = name_of(event)
                for field in structs.fields(event):
                    shown = form.shows.get(kind, frozenset())
                    if field.name == "extras" or (kind, field.name) in tried:
                        continue
                    if shown is None or field.encode_name in shown:
                        continue
                    tried.add((kind, field.name))
                    for value in _others(getattr(event, field.name), required=field.required):
                        changed = _with_event(match, index, at, structs.replace(event, **{field.name: value}))
                        text = _written(form, [changed], WriteOptions(plain=True))
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


def check_hostile(form: Format, data: bytes) -> None:
    """Check that changed bytes make an error of mjconv or a reading, and nothing else."""
    for text in _hostile(data):
        for lenient in (False, True):
            try:
                for match, locate in flow.read(form, text, Report(lenient=lenient)):
                    locate(len(match.rounds) - 1, 0, "")
            except MjconvError:
                # Only a strict reading raises.
                assert not lenient


def _flavours(form: Format) -> Sequence[str]:
    return ("", *form.flavours)


def _read(form: Format, data: bytes) -> list[Match]:
    return flow.read_matches(form, data, Report())


def _written(form: Format, matches: list[Match], options: WriteOptions) -> bytes | None:
    try:
        return flow.written(form, matches, Report(), options)
    except MjconvError:
        return None


def _whole(form: Format, matches: list[Match], flavour: str) -> bool:
    """Return whether matches come back from a format that holds them, or its losses say that they do not."""
    report = Report()
    try:
        text = flow.written(form, matches, report, WriteOptions(flavour))
    except MjconvError:
        return True  # it does not hold them, and says so
    back = _read(form, text)
    return back == matches or (not form.notes and bool(report.losses))


def _marked(match: Match) -> Match:
    """Return the match with something in each round that no format has words for, so that each has a note."""
    for game_round in match.rounds:
        game_round.extras = {**game_round.extras, "conformance": 1}
    return match


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


def _hostile(data: bytes) -> Iterator[bytes]:
    """Return the data cut, doubled, and with bytes changed, the same each time."""
    rng = random.Random(len(data))
    yield b""
    yield data + data
    for _ in range(_HOSTILE):
        at = rng.randrange(len(data) or 1)
        yield data[:at]
        yield data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        yield data[:at] + data[at + rng.randrange(1, 40) :]
