"""Formats of mjconv broken on purpose: each breaks one promise of the contract, and the kit must find it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

from msgspec import UNSET, structs

from mjconv.converters.interface import (
    Format,
    Locate,
    Part,
    PlaceNote,
    Reader,
    Reading,
    Recogniser,
    Rendered,
    WriteOptions,
    Writer,
)
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Original, Round


class Wrapped(Format, frozen=True, kw_only=True):
    reader: Reader
    writer: Writer
    placer: PlaceNote
    recogniser: Recogniser

    @property
    def read(self) -> Reader:
        return self.reader

    @property
    def render(self) -> Writer:
        return self.writer

    @property
    def place_note(self) -> PlaceNote:
        return self.placer

    @property
    def recognise(self) -> Recogniser:
        return self.recogniser


def wrapped(form: Format, **changes: Any) -> Format:
    own = {name: getattr(form, name) for name in Format.__struct_fields__}
    functions = {"reader": form.read, "writer": form.render, "recogniser": form.recognise}
    return Wrapped(**{**own, **functions, "placer": form.place_note if form.notes else no_note, **changes})


Events: TypeAlias = list[ev.Event]


@dataclass(frozen=True)
class Breakage:
    """A format that is broken in one of the ways below, its sample, and the words by which the kit names it.

    `marks` is false if the kit does not know what the text of an event begins with. `view` is the game of the
    sample in another format.
    """

    way: str
    form: str
    sample: str
    finds: str
    marks: bool = True
    view: str = ""

    @property
    def name(self) -> str:
        return f"{self.way} in {self.form}"


# Writers.


def no_note(part: Part, note: bytes) -> bytes:
    del note
    return part.text


def _writing(form: Format, change: Callable[[Match, Rendered], Rendered]) -> Format:
    def write(match: Match, before: Any, last: bool, options: WriteOptions) -> Rendered:
        return change(match, form.render(match, before, last, options))

    return wrapped(form, writer=write)


def _refusing(
    form: Format, error: Exception, when: Callable[[Match, WriteOptions], bool] = lambda _, __: True
) -> Format:
    def write(match: Match, before: Any, last: bool, options: WriteOptions) -> Rendered:
        if when(match, options):
            raise error
        return form.render(match, before, last, options)

    return wrapped(form, writer=write)


def _refusing_one_flavour(form: Format, reason: str) -> Format:
    return _refusing(form, UnsupportedError(reason), lambda _, asked: asked.flavour == next(iter(form.flavours)))


def refuses_games_of_others(form: Format) -> Format:
    error = UnsupportedError("this format cannot hold the match of another format")
    return _refusing(form, error, lambda match, _: form.id not in match.extras)


def claims_to_lose_nothing(form: Format) -> Format:
    return _writing(form, lambda match, rendered: rendered._replace(reads_as=lambda: match))


def gives_hints_in_plain_texts(form: Format) -> Format:
    def write(match: Match, before: Any, last: bool, options: WriteOptions) -> Rendered:
        return form.render(match, before, last, structs.replace(options, plain=False))

    return wrapped(form, writer=write)


def _with_dice(match: Match, rendered: Rendered) -> Rendered:
    match.rounds[0].dice = (6, 6)
    return rendered


# Readers.


def _reading(form: Format, change: Callable[[Match, Report], Match], **changes: Any) -> Format:
    def read(data: bytes, report: Report) -> Iterator[Reading]:
        for match, locate in form.read(data, report):
            yield Reading(change(match, report), locate)

    return wrapped(form, reader=read, **changes)


def _each_round(form: Format, change: Callable[[Events], Events]) -> Format:
    return _reading(form, lambda match, _: _with_events(match, change))


def _with_events(match: Match, change: Callable[[Events], Events]) -> Match:
    return structs.replace(match, rounds=[structs.replace(one, events=change(one.events)) for one in match.rounds])


def _each_event(form: Format, kind: type[ev.Event], change: Callable[[Any], ev.Event]) -> Format:
    return _each_round(form, lambda events: [change(one) if isinstance(one, kind) else one for one in events])


def _with_other_scores(deal: ev.StartRound) -> ev.Event:
    return deal if deal.scores is UNSET else structs.replace(deal, scores=tuple(x + 1 for x in deal.scores))


def _with_sorted_hands(deal: ev.StartRound) -> ev.Event:
    return structs.replace(deal, tehais=tuple(tuple(sorted(hand)) for hand in deal.tehais))


def ignores_notes(form: Format) -> Format:
    def read(data: bytes, report: Report) -> Iterator[Reading]:
        report.notes = False
        return form.read(data, report)

    return wrapped(form, reader=read)


def _less_if_lenient(match: Match, report: Report) -> Match:
    rounds = match.rounds[:-1] if report.lenient else match.rounds
    return structs.replace(match, rounds=[*rounds, *[Round()] * (len(match.rounds) - len(rounds))])


def _whole_or_a_crash(match: Match, _: Report) -> Match:
    if match.rounds and not match.rounds[-1].events:
        raise KeyError("events")
    return match


def crashes_on_a_list_for_a_tile(form: Format) -> Format:
    def read(data: bytes, report: Report) -> Iterator[Reading]:
        if report.lenient and b'"pai": [' in data:
            raise TypeError("unhashable type: 'list'")
        return form.read(data, report)

    return wrapped(form, reader=read)


def _ended(match: Match, report: Report) -> Match:
    report.warnings.clear()
    return structs.replace(match, closing=[ev.EndGame()])


def _drawn(events: Events) -> Events:
    return events if isinstance(events[-1], ev.EndRound) else [*events, ev.Ryukyoku(), ev.EndRound()]


def takes_any_number(form: Format) -> Format:
    def read(data: bytes, report: Report) -> Iterator[Reading]:
        honba = max(map(int, re.findall(rb"E1-([0-9]+)", data)), default=0)
        for match, locate in form.read(re.sub(rb"E1-[0-9]{9,}", b"E1-0", data), report):
            if honba > 10**9 and match.rounds:
                match.rounds[0].events[0] = structs.replace(match.rounds[0].events[0], honba=honba)
            yield Reading(match, locate)

    return wrapped(form, reader=read)


def reports_no_fault(form: Format) -> Format:
    return wrapped(
        form, reader=lambda data, report: form.read(data, Report(lenient=True) if report.lenient else report)
    )


def _played_on(match: Match, report: Report) -> Match:
    for fault in report.faults:
        if fault.round is not None and not match.rounds[fault.round].events:
            match.rounds[fault.round] = match.rounds[fault.round - 1]
    return match


# Mistakes that a reader and a writer share.


def _sharing(
    form: Format, reads: Callable[[ev.Event], ev.Event], writes: Callable[[ev.Event], ev.Event]
) -> Format:
    """Return the format with a reader that changes events, and a writer that changes them back."""

    def write(match: Match, before: Any, last: bool, options: WriteOptions) -> Rendered:
        written = _with_events(match, lambda events: list(map(writes, events)))
        return form.render(written, before, last, options)._replace(reads_as=None)

    return _reading(form, lambda match, _: _with_events(match, lambda play: list(map(reads, play))), writer=write)


def exchanges_dragons(form: Format) -> Format:
    other = {"P": "C", "C": "P"}

    def tiles(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(tiles, value))
        return other.get(value, value) if isinstance(value, str) else value

    def exchanged(event: ev.Event) -> ev.Event:
        return structs.replace(event, **{name: tiles(getattr(event, name)) for name in event.__struct_fields__})

    return _sharing(form, exchanged, exchanged)


def _payments_turned(event: ev.Event, by: int) -> ev.Event:
    if not isinstance(event, ev.Win | ev.Ryukyoku) or not event.deltas:
        return event
    return structs.replace(event, deltas=(*event.deltas[by:], *event.deltas[:by]))


# Places.


def _placing(form: Format, change: Callable[[Locate, int | None, int, str], Place | None]) -> Format:
    def read(data: bytes, report: Report) -> Iterator[Reading]:
        for match, locate in form.read(data, report):
            yield Reading(match, partial(change, locate))

    return wrapped(form, reader=read)


def _moving(form: Format, change: Callable[[Place, int], Place]) -> Format:
    """Return the format with a change of every place that it has: of the place, and of the event's index."""

    def moved(locate: Locate, index: int | None, at: int, key: str) -> Place | None:
        place = locate(index, at, key)
        return place and change(place, at)

    return _placing(form, moved)


def _at_the_beginning(locate: Locate, index: int | None, at: int, key: str) -> Place | None:
    begin = locate(None, -1, "")
    return locate(index, at, key) and begin and Place(1, 1, begin.text)


def _in_another_round(locate: Locate, index: int | None, at: int, key: str) -> Place | None:
    if index is None or at < 0:
        return locate(index, at, key)
    return locate(abs(index - 1), at, key)


def places_are_late_after_a_fault(form: Format) -> Format:
    def read(data: bytes, report: Report) -> Iterator[Reading]:
        for match, locate in form.read(data, report):
            by = 1 if report.faults else 0
            yield Reading(match, lambda index, at, key, by=by, locate=locate: locate(index, at + by, key))

    return wrapped(form, reader=read)


# Originals.


def keeps_originals(form: Format, cut: int = 0, *, declared: bool = True) -> Format:
    """Return the format with a reader that keeps originals, without their last bytes."""

    def read(data: bytes, report: Report) -> Iterator[Reading]:
        for match, locate in form.read(data, report):
            own = match.original is None and b"mjconv" not in data
            original = Original(form.id, data[: len(data) - cut]) if own else match.original
            yield Reading(structs.replace(match, original=original), locate)

    files = structs.replace(form.files, one_match_a_file=("",))
    return wrapped(form, reader=read, original="kept" if declared else "", files=files)


def keeps_a_changed_original(form: Format) -> Format:
    kept = keeps_originals(form)

    def changed(match: Match, _: Report) -> Match:
        original = match.original
        longer = original and structs.replace(original, data=original.data.replace(b",", b", ", 1))
        return structs.replace(match, original=longer)

    return _reading(kept, changed, original="kept", files=kept.files)


#: The ways to break a format, by their names.
WAYS: dict[str, Callable[[Format], Format]] = {
    "refuses every match": lambda form: _refusing(
        form, UnsupportedError("this format cannot hold the match at all")
    ),
    "refuses one flavour": lambda form: _refusing_one_flavour(form, "this flavour cannot hold the match at all"),
    "refuses games of others": refuses_games_of_others,
    "refuses without a reason": lambda form: _refusing_one_flavour(form, "no"),
    "raises an error of a reader": lambda form: _refusing(form, InputError("the dealer has a tile too many")),
    "claims to lose nothing": claims_to_lose_nothing,
    "states hints without a reading": lambda form: _writing(form, lambda _, out: out._replace(reads_as=None)),
    "gives hints in plain texts": gives_hints_in_plain_texts,
    "leaves out a part": lambda form: _writing(form, lambda _, out: out._replace(parts=out.parts[:-1])),
    "changes the match that it writes": lambda form: _writing(form, _with_dice),
    "leaves notes out": lambda form: wrapped(form, placer=no_note),
    "puts notes outside": lambda form: wrapped(form, placer=lambda part, note: part.text + b"\n" + note + b"\n"),
    "drops the last event": lambda form: _each_round(form, lambda events: events[:-1]),
    "turns tsumogiri round": lambda form: _each_event(
        form, ev.Discard, lambda one: structs.replace(one, tsumogiri=not one.tsumogiri)
    ),
    "rotates the seats of deals": lambda form: _each_event(
        form, ev.StartRound, lambda one: structs.replace(one, oya=(one.oya + 1) % 4)
    ),
    "reads scores off by one": lambda form: _each_event(form, ev.StartRound, _with_other_scores),
    "sorts hands": lambda form: _each_event(form, ev.StartRound, _with_sorted_hands),
    "reads the first match only": lambda form: wrapped(form, reader=lambda *given: islice(form.read(*given), 1)),
    "ignores notes": ignores_notes,
    "reads less leniently": lambda form: _reading(form, _less_if_lenient),
    "crashes on half a file": lambda form: _reading(form, _whole_or_a_crash),
    "crashes on a list for a tile": crashes_on_a_list_for_a_tile,
    "ends what breaks off": lambda form: _reading(form, _ended),
    "draws what breaks off": lambda form: _each_round(form, _drawn),
    "takes any number": takes_any_number,
    "reports no fault": reports_no_fault,
    "plays on after a fault": lambda form: _reading(form, _played_on),
    "exchanges dragons": exchanges_dragons,
    "turns no seats of payments": lambda form: _sharing(
        form, partial(_payments_turned, by=1), partial(_payments_turned, by=-1)
    ),
    "places all at the beginning": lambda form: _placing(form, _at_the_beginning),
    "places one column behind": lambda form: _moving(
        form, lambda place, _: structs.replace(place, column=place.column + 1)
    ),
    "places events one column before": lambda form: _moving(
        form, lambda place, at: structs.replace(place, column=max(place.column - (at >= 0), 1))
    ),
    "places events in another round": lambda form: _placing(form, _in_another_round),
    "places the event before": lambda form: _placing(
        form, lambda locate, index, at, key: locate(index, max(at - 1, -1), key)
    ),
    "places the event behind": lambda form: _placing(
        form, lambda locate, index, at, key: locate(index, at + 1 if at >= 0 else at, key)
    ),
    "places are late after a fault": places_are_late_after_a_fault,
    "shows another line": lambda form: _moving(
        form, lambda place, _: structs.replace(place, text=place.text[:-1])
    ),
    "recognises everything": lambda form: wrapped(form, recogniser=lambda _: True),
    "recognises every object": lambda form: wrapped(form, recogniser=lambda head: head.startswith(b"{")),
    "recognises the lines of another format": lambda form: wrapped(
        form, recogniser=lambda head: form.recognise(head) or b'"type":"start_game"' in head
    ),
    "declares to show nothing": lambda form: wrapped(form, shows={}),
    "keeps no original": lambda form: wrapped(form, original="kept"),
    "keeps half an original": lambda form: keeps_originals(form, 3000),
    "keeps a changed original": keeps_a_changed_original,
    "does not declare its originals": lambda form: keeps_originals(form, declared=False),
    "hides a broken writer behind originals": lambda form: wrapped(
        keeps_originals(form), writer=claims_to_lose_nothing(form).render
    ),
}
JMJP, MJAI, MAJIANG, TENHOU = "sample/game.jmjp", "sample/game.mjson", "majiang/game.json", "tenhou/game.json"
BREAKAGES = (
    Breakage("refuses every match", "majiang", MAJIANG, "flavour majiang: no sample is written"),
    Breakage("refuses every match", "tenhou", TENHOU, "flavour tenhou: no sample is written"),
    Breakage("refuses every match", "jmjp", JMJP, "flavour jmjp: no sample is written"),
    Breakage("refuses one flavour", "jmjp", JMJP, "flavour jmjp-0: no sample is written"),
    Breakage("refuses games of others", "majiang", MAJIANG, r"check_corpus.*games of the corpus are written"),
    Breakage("refuses without a reason", "jmjp", JMJP, "the refusal names no reason"),
    Breakage("raises an error of a reader", "jmjp", JMJP, "raises UnsupportedError or PlayError, not InputError"),
    Breakage("claims to lose nothing", "jmjp", JMJP, "the output does not read as the source"),
    Breakage("claims to lose nothing", "hk", "hk/example.hk", "check_notes.*the notes do not restore the match"),
    Breakage("states hints without a reading", "jmjp", JMJP, "check_all_claims.*a writer with hints"),
    Breakage("states hints without a reading", "hk", "hk/example.hk", "check_all_claims.*a writer with hints"),
    Breakage("gives hints in plain texts", "jmjp", JMJP, "check_all_claims.*no note carries them in a plain text"),
    Breakage(
        "leaves out a part", "majiang", MAJIANG, r"the writer of majiang returns \d+ parts, and owes \d+ parts"
    ),
    Breakage("changes the match that it writes", "jmjp", JMJP, "the writer changes the match"),
    Breakage("leaves notes out", "jmjp", JMJP, "the output does not read as the source"),
    Breakage("leaves notes out", "majiang", MAJIANG, "the output does not read|the notes do not restore"),
    Breakage("puts notes outside", "jmjp", JMJP, "the output cannot be read again"),
    Breakage("drops the last event", "hk", "hk/example.hk", "the output cannot be read again"),
    # What its own reader makes of a game cannot be played.
    Breakage("turns tsumogiri round", "majiang", MAJIANG, "no sample is written"),
    Breakage("turns tsumogiri round", "mjai", MJAI, "the output does not read as the source.*dahai.tsumogiri"),
    Breakage("rotates the seats of deals", "jmjp", JMJP, "no sample is written"),
    Breakage("rotates the seats of deals", "mjai", MJAI, "the output does not read as the source"),
    Breakage("reads scores off by one", "majiang", MAJIANG, "the output does not read as the source"),
    Breakage("sorts hands", "majiang", MAJIANG, r"check_all_claims.*rounds.0.\.events.0.\.tehais.\d.\[\d+\]: '"),
    Breakage("reads the first match only", "hk", "hk/evenings.hk", "check_corpus.*fewer matches than the source"),
    Breakage("ignores notes", "jmjp", JMJP, "check_notes.*the notes do not restore the match"),
    Breakage("ignores notes", "uzje", "uzje/short.uzje", "check_notes.*the notes do not restore the match"),
    Breakage("reads less leniently", "majiang", MAJIANG, "check_places|check_lenient.*a lenient reading"),
    Breakage("ends what breaks off", "mjai", MJAI, "check_broken_off.*has an end_game, and no warning"),
    Breakage("draws what breaks off", "mjai", MJAI, "check_broken_off.*an event that is not in it: ryukyoku"),
    Breakage("takes any number", "jmjp", JMJP, "check_numbers.*40 digits, and .*rounds.0..events.0..honba has it"),
    Breakage("reports no fault", "jmjp", JMJP, "check_after_faults.*does not report what a strict one does"),
    Breakage("plays on after a fault", "jmjp", JMJP, "check_after_faults.*has events, and no event is named"),
    Breakage("crashes on half a file", "mjai", MJAI, "check_hostile.*KeyError.*; the sample cut after byte"),
    Breakage("places all at the beginning", "majiang", MAJIANG, "check_places"),
    Breakage("places all at the beginning", "jmjp", JMJP, "check_places"),
    Breakage("places all at the beginning", "tenhou", TENHOU, "check_places"),
    Breakage("places one column behind", "jmjp", JMJP, "check_places.*does not begin as"),
    Breakage("places one column behind", "mjai", MJAI, "check_places.*does not begin as"),
    Breakage("places events one column before", "majiang", MAJIANG, "check_places.*does not begin as"),
    Breakage("places events in another round", "jmjp", JMJP, "check_places.*is outside its round"),
    Breakage("places the event before", "mjai", MJAI, "check_places.*does not begin as"),
    Breakage("places the event before", "majiang", MAJIANG, "check_places.*does not begin as"),
    Breakage("places are late after a fault", "jmjp", JMJP, "check_after_faults.*is wrong: round 1, event"),
    Breakage("shows another line", "jmjp", JMJP, "check_places.*another text"),
    Breakage("places the event before", "mjai", MJAI, "check_places.*at the place of the act behind", marks=False),
    Breakage("places the event behind", "mjai", MJAI, "check_places.*at the place of the act before", marks=False),
    Breakage(
        "crashes on a list for a tile", "mjai", MJAI, r"check_types.*TypeError.*the sample with \[\] at .*pai"
    ),
    Breakage("exchanges dragons", "mjai", MJAI, "check_view.*does not read as", marks=False, view=JMJP),
    Breakage("exchanges dragons", "jmjp", JMJP, "check_view.*does not read as the source", view=MJAI),
    Breakage("turns no seats of payments", "mjai", MJAI, "check_referee.*the referee finds R"),
    Breakage("recognises everything", "jmjp", JMJP, "an empty file is recognised"),
    Breakage("recognises every object", "majiang", MAJIANG, "check_recognised.*an empty object is recognised"),
    Breakage("recognises the lines of another format", "jmjp", JMJP, "check_recogniser.*game.mjson is recognised"),
    Breakage("declares to show nothing", "jmjp", JMJP, "check_shows.*changes the text"),
    Breakage("keeps no original", "mjai", MJAI, "no sample has one"),
    Breakage("keeps half an original", "mjai", MJAI, "check_originals"),
    Breakage("keeps a changed original", "mjai", MJAI, r"check_originals.*byte \d+ differs: b'"),
    Breakage("does not declare its originals", "mjai", MJAI, "does not declare it"),
    Breakage(
        "hides a broken writer behind originals", "majiang", MAJIANG, "check_notes.*do not restore the match"
    ),
)
