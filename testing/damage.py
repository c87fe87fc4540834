"""Check how damaged records are read: nothing is invented, numbers have bounds, other rounds keep their places."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from mjconv.converters import hub
from mjconv.converters.interface import Format, Reading, WriteOptions
from mjconv.converters.shared.note_json import MARK
from mjconv.ir.errors import MjconvError, Place, PlayError
from mjconv.ir.events import Discard, EndGame, EndRound, Event, Ryukyoku, name_of
from mjconv.ir.losses import Fault, Report
from mjconv.testing.samples import Sample, without_original
from mjconv.testing.written import can_render, write

#: The digits of a number that no record has.
_LONG = b"9" * 40
#: The largest number that a match may have outside of its extras.
_LARGEST = 2**63 - 1
#: How many kinds of numbers of a sample are made long.
_NUMBERS = 40
#: How many rounds of a sample are damaged.
_ROUNDS = 2
#: The fields of values that are kept as the record has them.
_AS_THEY_ARE = {"extras", "original", "annotations"}


def check_broken_off(form: Format, sample: Sample) -> None:
    """Check that a text which ends before a discard of its last round reads without events that it lacks.

    It may be refused. Draws that the format never shows may follow the last event. Of a sample with notes, the
    text without them is cut: a note may be behind its round.
    """
    data = _without_notes(form, sample.data)
    readings = list(hub.read(form, data, Report())) if data else []
    if not (readings and readings[-1].match.rounds):
        return
    match, locate = readings[-1]
    events = match.rounds[-1].events
    discards = [at for at, event in enumerate(events) if isinstance(event, Discard)]
    own = locate(len(match.rounds) - 1, -1, "")
    for at in {discards[len(discards) // 2], discards[-1]} if discards else ():
        place = locate(len(match.rounds) - 1, at, "")
        # An event that a note holds has the place of its round.
        if place is None or place == own:
            continue
        report = Report()
        try:
            cut = hub.read_matches(form, data[: _byte(data, place)], report)
        except MjconvError:
            continue
        if len(cut) == len(readings) and len(cut[-1].rounds) == len(match.rounds):
            name = f"the text that ends before event {at} ({name_of(events[at])})"
            _check_cut(form, cut[-1].rounds[-1].events, events[: at + 1], name)
            closed = any(isinstance(event, EndRound) for event in cut[-1].rounds[-1].events)
            ended = any(isinstance(event, EndGame) for event in cut[-1].closing)
            # A text that states no end of the game may have one, with a warning that it stops.
            right = closed or not ended or report.warnings
            assert right, f"{name} has an end_game, and no warning: its last round has no end_kyoku"


def _without_notes(form: Format, data: bytes) -> bytes:
    """Return a sample as it is, or the last match of one with notes as plain text: empty if that fails."""
    if MARK.encode() not in data:
        return data
    matches = [without_original(match) for match in hub.read_matches(form, data, Report())[-1:]]
    return (write(form, matches, WriteOptions(plain=True)) or b"") if matches and can_render(form) else b""


def _check_cut(form: Format, found: Sequence[Event], whole: Sequence[Event], name: str) -> None:
    """Check that the events of a round that is cut are the first ones of the whole round."""
    states_draws = form.notes is None or "ryukyoku" in form.shows
    for index, event in enumerate(found):
        if isinstance(event, Ryukyoku | EndRound) and not states_draws:
            return
        known = whole[index] if index < len(whole) else None
        assert event == known, f"{name} has an event that is not in it: {name_of(event)}, event {index}"


def check_numbers(form: Format, sample: Sample) -> None:
    """Check that a number of 40 digits is refused, or is no value of the match: readers bound their numbers."""
    for number in _numbers(sample.data):
        text = sample.data[: number.start()] + _LONG + sample.data[number.end() :]
        try:
            matches = hub.read_matches(form, text, Report())
        except MjconvError:
            continue
        except Exception as error:
            error.add_note(f"byte {number.start()} begins a number of 40 digits")
            raise
        for match in matches:
            beyond = _beyond(match, "match")
            assert not beyond, f"byte {number.start()} begins a number of 40 digits, and {beyond} has it"


def _numbers(data: bytes) -> list[re.Match[bytes]]:
    """Return a number of each kind. Numbers are of one kind if the bytes around them are the same."""
    kinds: dict[tuple[bytes, bytes], re.Match[bytes]] = {}
    for number in re.finditer(rb"\d+", data):
        before = re.sub(rb"\d+", b"0", data[max(number.start() - 4, 0) : number.start()])
        kinds.setdefault((before, data[number.end() : number.end() + 1]), number)
    return list(kinds.values())[:_NUMBERS]


def _beyond(value: Any, name: str) -> str:
    """Return the name of the first number inside a value that is too large, or an empty text."""
    inner: Iterator[tuple[Any, str]] = iter(())
    if isinstance(value, int):
        return name if abs(value) > _LARGEST else ""
    if isinstance(value, Struct):
        names = [field for field in value.__struct_fields__ if field not in _AS_THEY_ARE]
        inner = ((getattr(value, field), f"{name}.{field}") for field in names)
    elif isinstance(value, list | tuple):
        inner = ((each, f"{name}[{index}]") for index, each in enumerate(value))
    return next(filter(None, (_beyond(each, called) for each, called in inner)), "")


def check_after_faults(form: Format, sample: Sample) -> None:
    """Check that a fault in one round does not move the places of the events in the others.

    One character of a round is changed, so that all others are at the same places. A round that reads otherwise is
    not compared.
    """
    readings = list(hub.read(form, sample.data, Report()))
    for number, (match, locate) in enumerate(readings):
        for index, game_round in enumerate(match.rounds[: min(_ROUNDS, len(match.rounds) - 1)]):
            for at in sorted({1, len(game_round.events) // 2} & {*range(len(game_round.events))}):
                place = locate(index, at, "")
                begin = place and re.compile(rb"[A-Za-z0-9]").search(sample.data, _byte(sample.data, place))
                if not begin:
                    continue
                text = sample.data[: begin.start()] + b"~" + sample.data[begin.end() :]
                name = f"byte {begin.start()} is wrong"
                found, faults = _read_both(form, text)
                _check_stops(found, faults, name)
                if faults and len(found) == len(readings):
                    _check_same_places(readings[number], found[number], index, name)


def _check_same_places(right: Reading, found: Reading, damaged: int, name: str) -> None:
    if len(right.match.rounds) != len(found.match.rounds):
        return
    for index, (one, other) in enumerate(zip(right.match.rounds, found.match.rounds, strict=True)):
        if index == damaged or one.events != other.events:
            continue
        for at in range(-1, len(one.events), max(1, len(one.events) // 5)):
            own, kept = right.locate(index, at, ""), found.locate(index, at, "")
            spots = [None if place is None else (place.line, place.column) for place in (own, kept)]
            assert spots[0] == spots[1], f"{name}: round {index}, event {at} is at {spots[0]}, not at {spots[1]}"


def check_faults(form: Format, text: bytes) -> None:
    """Check that a lenient reading reports what a strict one refuses, and does not play on after it.

    Raises whatever the reader raises but the errors of mjconv.
    """
    found, faults = _read_both(form, text)
    # A fault of a note does not concern the play, which the text has.
    if MARK.encode() not in text:
        _check_stops(found, faults, "the text is damaged")


def _read_both(form: Format, text: bytes) -> tuple[list[Reading], list[Fault]]:
    """Read a text strictly and leniently. Return the lenient readings and their faults.

    A strict reading refuses impossible play too; a lenient one plays it.
    """
    refused: MjconvError | None = None
    try:
        _read_to_the_end(form, text, Report())
    except MjconvError as error:
        refused = error
    report = Report(lenient=True)
    try:
        found = _read_to_the_end(form, text, report)
    except MjconvError as error:
        raise AssertionError(f"a lenient reading raises {error}") from error
    if not isinstance(refused, PlayError):
        first = report.faults[0].error if report.faults else None
        assert refused or not first, f"only a lenient reading has a fault: {first}"
        assert first or not refused, f"a lenient reading does not report what a strict one does: {refused}"
    return found, report.faults


def _read_to_the_end(form: Format, text: bytes, report: Report) -> list[Reading]:
    """Return all readings, each asked for the place of its last round."""
    readings = []
    for reading in hub.read(form, text, report):
        reading.locate(len(reading.match.rounds) - 1, 0, "")
        readings.append(reading)
    return readings


def _check_stops(found: Sequence[Reading], faults: Sequence[Fault], name: str) -> None:
    """Check that a round with a fault has no events, unless the fault names the first one in doubt."""
    for fault in faults:
        if fault.match is None or fault.round is None or fault.event is not None or fault.mended:
            continue
        rounds = found[fault.match].match.rounds if fault.match < len(found) else []
        events = rounds[fault.round].events if fault.round < len(rounds) else ()
        assert not events, (
            f"{name}: a round with a fault has events, and no event is named in doubt: {fault.error}"
        )


def _byte(data: bytes, place: Place) -> int:
    """Return the offset of a place."""
    lines = data.split(b"\n")
    begin = sum(len(line) + 1 for line in lines[: place.line - 1])
    line = lines[place.line - 1]
    mark = 3 if place.line == 1 and line.startswith(b"\xef\xbb\xbf") else 0
    return begin + mark + len(line[mark:].decode("utf-8", "replace")[: place.column - 1].encode())
