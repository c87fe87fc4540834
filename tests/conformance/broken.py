"""Formats of mjconv broken on purpose: each breaks one promise of the contract, and the kit must find it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

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


@dataclass(frozen=True)
class Breakage:
    """A way to break a format: the format that is broken, its sample, and the words by which the kit names it.

    `marks` is false if the kit does not know what the text of an event begins with. `view` is the game of the
    sample in another format.
    """

    make: Callable[[Format], Format]
    form: str
    sample: str
    finds: str
    marks: bool = True
    view: str = ""

    @property
    def name(self) -> str:
        return f"{self.make.__name__.replace('_', ' ')} in {self.form}"


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


def refuses_every_match(form: Format) -> Format:
    return _refusing(form, UnsupportedError("this format cannot hold the match at all"))


def refuses_one_flavour(form: Format) -> Format:
    return _refusing_one_flavour(form, "this flavour cannot hold the match at all")


def refuses_games_of_others(form: Format) -> Format:
    error = UnsupportedError("this format cannot hold the match of another format")
    return _refusing(form, error, lambda match, _: form.id not in match.extras)


def refuses_without_a_reason(form: Format) -> Format:
    return _refusing_one_flavour(form, "no")


def raises_an_error_of_a_reader(form: Format) -> Format:
    return _refusing(form, InputError("the hand of the dealer has a tile too many"))


def claims_to_lose_nothing(form: Format) -> Format:
    return _writing(form, lambda match, rendered: rendered._replace(reads_as=lambda: match))


def states_hints_without_a_reading(form: Format) -> Format:
    return _writing(form, lambda _, rendered: rendered._replace(reads_as=None))


def gives_hints_in_plain_texts(form: Format) -> Format:
    def write(match: Match, before: Any, last: bool, options: WriteOptions) -> Rendered:
        return form.render(match, before, last, structs.replace(options, plain=False))

    return wrapped(form, writer=write)


def leaves_out_a_part(form: Format) -> Format:
    return _writing(form, lambda _, rendered: rendered._replace(parts=rendered.parts[:-1]))


def changes_the_match_that_it_writes(form: Format) -> Format:
    def change(match: Match, rendered: Rendered) -> Rendered:
        match.rounds[0].dice = (6, 6)
        return rendered

    return _writing(form, change)


def leaves_notes_out(form: Format) -> Format:
    return wrapped(form, placer=no_note)


def puts_notes_outside(form: Format) -> Format:
    return wrapped(form, placer=lambda part, note: part.text + b"\n" + note + b"\n")


# Readers.


def _reading(form: Format, change: Callable[[Match, Report], Match], **changes: Any) -> Format:
    def read(data: bytes, report: Report) -> Iterator[Reading]:
        for match, locate in form.read(data, report):
            yield Reading(change(match, report), locate)

    return wrapped(form, reader=read, **changes)


def _each_round(form: Format, change: Callable[[list[ev.Event]], list[ev.Event]]) -> Format:
    return _reading(form, lambda match, _: _with_events(match, change))


def _with_events(match: Match, change: Callable[[list[ev.Event]], list[ev.Event]]) -> Match:
    return structs.replace(match, rounds=[structs.replace(one, events=change(one.events)) for one in match.rounds])


def _each_event(form: Format, kind: type[ev.Event], change: Callable[[Any], ev.Event]) -> Format:
    return _each_round(form, lambda events: [change(one) if isinstance(one, kind) else one for one in events])


def drops_the_last_event(form: Format) -> Format:
    return _each_round(form, lambda events: events[:-1])


def turns_tsumogiri_round(form: Format) -> Format:
    return _each_event(form, ev.Discard, lambda one: structs.replace(one, tsumogiri=not one.tsumogiri))


def rotates_the_seats_of_deals(form: Format) -> Format:
    return _each_event(form, ev.StartRound, lambda one: structs.replace(one, oya=(one.oya + 1) % 4))


def reads_scores_off_by_one(form: Format) -> Format:
    def off(deal: ev.StartRound) -> ev.Event:
        return deal if deal.scores is UNSET else structs.replace(deal, scores=tuple(x + 1 for x in deal.scores))

    return _each_event(form, ev.StartRound, off)


def sorts_hands(form: Format) -> Format:
    def in_order(deal: ev.StartRound) -> ev.Event:
        return structs.replace(deal, tehais=tuple(tuple(sorted(hand)) for hand in deal.tehais))

    return _each_event(form, ev.StartRound, in_order)


def reads_the_first_match_only(form: Format) -> Format:
    return wrapped(form, reader=lambda data, report: islice(form.read(data, report), 1))


def ignores_notes(form: Format) -> Format:
    def read(data: bytes, report: Report) -> Iterator[Reading]:
        report.notes = False
        return form.read(data, report)

    return wrapped(form, reader=read)


def reads_less_leniently(form: Format) -> Format:
    def changed(match: Match, report: Report) -> Match:
        rounds = match.rounds[:-1] if report.lenient else match.rounds
        return structs.replace(match, rounds=[*rounds, *[Round()] * (len(match.rounds) - len(rounds))])

    return _reading(form, changed)


def crashes_on_half_a_file(form: Format) -> Format:
    def read(match: Match, _: Report) -> Match:
        if match.rounds and not match.rounds[-1].events:
            raise KeyError("events")
        return match

    return _reading(form, read)


def crashes_on_a_list_for_a_tile(form: Format) -> Format:
    def read(data: bytes, report: Report) -> Iterator[Reading]:
        if report.lenient and b'"pai": [' in data:
            raise TypeError("unhashable type: 'list'")
        return form.read(data, report)

    return wrapped(form, reader=read)


def ends_what_breaks_off(form: Format) -> Format:
    def changed(match: Match, report: Report) -> Match:
        report.warnings.clear()
        return structs.replace(match, closing=[ev.EndGame()])

    return _reading(form, changed)


def draws_what_breaks_off(form: Format) -> Format:
    def closed(events: list[ev.Event]) -> list[ev.Event]:
        return events if isinstance(events[-1], ev.EndRound) else [*events, ev.Ryukyoku(), ev.EndRound()]

    return _each_round(form, closed)


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


def plays_on_after_a_fault(form: Format) -> Format:
    def changed(match: Match, report: Report) -> Match:
        for fault in report.faults:
            if fault.round is not None and not match.rounds[fault.round].events:
                match.rounds[fault.round] = match.rounds[fault.round - 1]
        return match

    return _reading(form, changed)


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


def turns_no_seats_of_payments(form: Format) -> Format:
    def turned(event: ev.Event, by: int) -> ev.Event:
        if not isinstance(event, ev.Win | ev.Ryukyoku) or not event.deltas:
            return event
        return structs.replace(event, deltas=(*event.deltas[by:], *event.deltas[:by]))

    return _sharing(form, partial(turned, by=1), partial(turned, by=-1))


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


def places_all_at_the_beginning(form: Format) -> Format:
    def first(locate: Locate, index: int | None, at: int, key: str) -> Place | None:
        begin = locate(None, -1, "")
        return locate(index, at, key) and begin and Place(1, 1, begin.text)

    return _placing(form, first)


def places_one_column_behind(form: Format) -> Format:
    return _moving(form, lambda place, _: structs.replace(place, column=place.column + 1))


def places_events_one_column_before(form: Format) -> Format:
    return _moving(form, lambda place, at: structs.replace(place, column=max(place.column - (at >= 0), 1)))


def places_events_in_another_round(form: Format) -> Format:
    def other(locate: Locate, index: int | None, at: int, key: str) -> Place | None:
        if index is None or at < 0:
            return locate(index, at, key)
        return locate(index + 1, at, key) or locate(index, at, key)

    return _placing(form, other)


def places_the_event_before(form: Format) -> Format:
    return _placing(form, lambda locate, index, at, key: locate(index, max(at - 1, -1), key))


def places_the_event_behind(form: Format) -> Format:
    return _placing(form, lambda locate, index, at, key: locate(index, at + 1 if at >= 0 else at, key))


def places_rounds_that_are_not_there(form: Format) -> Format:
    return _placing(form, lambda locate, index, at, key: locate(index, at, key) or locate(0, at, key))


def places_are_late_after_a_fault(form: Format) -> Format:
    def read(data: bytes, report: Report) -> Iterator[Reading]:
        for match, locate in form.read(data, report):
            by = 1 if report.faults else 0
            yield Reading(match, lambda index, at, key, by=by, locate=locate: locate(index, at + by, key))

    return wrapped(form, reader=read)


def shows_another_line(form: Format) -> Format:
    return _moving(form, lambda place, _: structs.replace(place, text=place.text[:-1]))


# Declarations.


def recognises_everything(form: Format) -> Format:
    return wrapped(form, recogniser=lambda _: True)


def recognises_every_object(form: Format) -> Format:
    return wrapped(form, recogniser=lambda head: head.startswith(b"{"))


def recognises_the_lines_of_another_format(form: Format) -> Format:
    return wrapped(form, recogniser=lambda head: form.recognise(head) or b'"type":"start_game"' in head)


def declares_to_show_nothing(form: Format) -> Format:
    return wrapped(form, shows={})


# Originals.


def _keeping(form: Format, cut: int, *, declared: bool = True) -> Format:
    """Return the format with a reader that keeps originals, without their last bytes."""

    def read(data: bytes, report: Report) -> Iterator[Reading]:
        for match, locate in form.read(data, report):
            own = match.original is None and b"mjconv" not in data
            original = Original(form.id, data[: len(data) - cut]) if own else match.original
            yield Reading(structs.replace(match, original=original), locate)

    files = structs.replace(form.files, one_match_a_file=("",))
    return wrapped(form, reader=read, original="kept" if declared else "", files=files)


def keeps_originals(form: Format) -> Format:
    return _keeping(form, 0)


def keeps_no_original(form: Format) -> Format:
    return wrapped(form, original="kept")


def keeps_half_an_original(form: Format) -> Format:
    return _keeping(form, 3000)


def keeps_a_changed_original(form: Format) -> Format:
    kept = keeps_originals(form)

    def changed(match: Match, _: Report) -> Match:
        original = match.original
        longer = original and structs.replace(original, data=original.data.replace(b",", b", ", 1))
        return structs.replace(match, original=longer)

    return _reading(kept, changed, original="kept", files=kept.files)


def does_not_declare_its_originals(form: Format) -> Format:
    return _keeping(form, 0, declared=False)


def hides_a_broken_writer_behind_originals(form: Format) -> Format:
    return wrapped(keeps_originals(form), writer=claims_to_lose_nothing(form).render)


JMJP, MJAI, MAJIANG, TENHOU = "sample/game.jmjp", "sample/game.mjson", "majiang/game.json", "tenhou/game.json"
BREAKAGES = (
    Breakage(refuses_every_match, "majiang", MAJIANG, "flavour majiang: no sample is written"),
    Breakage(refuses_every_match, "tenhou", TENHOU, "flavour tenhou: no sample is written"),
    Breakage(refuses_every_match, "jmjp", JMJP, "flavour jmjp: no sample is written"),
    Breakage(refuses_one_flavour, "jmjp", JMJP, "flavour jmjp-0: no sample is written"),
    Breakage(refuses_games_of_others, "majiang", MAJIANG, r"check_corpus.*games of the corpus are written"),
    Breakage(refuses_without_a_reason, "jmjp", JMJP, "the refusal names no reason"),
    Breakage(raises_an_error_of_a_reader, "jmjp", JMJP, "raises UnsupportedError or PlayError, not InputError"),
    Breakage(claims_to_lose_nothing, "jmjp", JMJP, "the output does not read as the source"),
    Breakage(claims_to_lose_nothing, "hk", "hk/example.hk", "check_notes.*the notes do not restore the match"),
    Breakage(states_hints_without_a_reading, "jmjp", JMJP, "check_all_claims.*a writer with hints"),
    Breakage(states_hints_without_a_reading, "hk", "hk/example.hk", "check_all_claims.*a writer with hints"),
    Breakage(gives_hints_in_plain_texts, "jmjp", JMJP, "check_all_claims.*no note carries them in a plain text"),
    Breakage(leaves_out_a_part, "majiang", MAJIANG, "parts of|ValueError"),
    Breakage(changes_the_match_that_it_writes, "jmjp", JMJP, "the writer changes the match"),
    Breakage(leaves_notes_out, "jmjp", JMJP, "the output does not read as the source"),
    Breakage(leaves_notes_out, "majiang", MAJIANG, "the output does not read|the notes do not restore"),
    Breakage(puts_notes_outside, "jmjp", JMJP, "the output cannot be read again"),
    Breakage(drops_the_last_event, "hk", "hk/example.hk", "the output does not read as the source"),
    # What its own reader makes of a game cannot be played.
    Breakage(turns_tsumogiri_round, "majiang", MAJIANG, "no sample is written"),
    Breakage(turns_tsumogiri_round, "mjai", MJAI, "the output does not read as the source.*dahai.tsumogiri"),
    Breakage(rotates_the_seats_of_deals, "jmjp", JMJP, "no sample is written"),
    Breakage(rotates_the_seats_of_deals, "mjai", MJAI, "the output does not read as the source"),
    Breakage(reads_scores_off_by_one, "majiang", MAJIANG, "the output does not read as the source"),
    Breakage(sorts_hands, "majiang", MAJIANG, r"check_all_claims.*rounds.0.\.events.0.\.tehais.\d.\[\d+\]: '"),
    Breakage(reads_the_first_match_only, "hk", "hk/evenings.hk", "check_corpus.*fewer matches than the source"),
    Breakage(ignores_notes, "jmjp", JMJP, "check_notes.*the notes do not restore the match"),
    Breakage(ignores_notes, "uzje", "uzje/short.uzje", "check_notes.*the notes do not restore the match"),
    Breakage(reads_less_leniently, "majiang", MAJIANG, "check_places|check_lenient.*a lenient reading"),
    Breakage(ends_what_breaks_off, "mjai", MJAI, "check_broken_off.*has an end_game, and no warning"),
    Breakage(draws_what_breaks_off, "mjai", MJAI, "check_broken_off.*an event that is not in it: ryukyoku"),
    Breakage(takes_any_number, "jmjp", JMJP, "check_numbers.*40 digits, and .*rounds.0..events.0..honba has it"),
    Breakage(reports_no_fault, "jmjp", JMJP, "check_after_faults.*does not report what a strict one does"),
    Breakage(plays_on_after_a_fault, "jmjp", JMJP, "check_after_faults.*has events, and no event is named"),
    Breakage(crashes_on_half_a_file, "mjai", MJAI, "check_hostile.*KeyError.*; the sample cut after byte"),
    Breakage(places_all_at_the_beginning, "majiang", MAJIANG, "check_places"),
    Breakage(places_all_at_the_beginning, "jmjp", JMJP, "check_places"),
    Breakage(places_all_at_the_beginning, "tenhou", TENHOU, "check_places"),
    Breakage(places_one_column_behind, "jmjp", JMJP, "check_places.*does not begin as"),
    Breakage(places_one_column_behind, "mjai", MJAI, "check_places.*does not begin as"),
    Breakage(places_events_one_column_before, "majiang", MAJIANG, "check_places.*does not begin as"),
    Breakage(places_events_in_another_round, "jmjp", JMJP, "check_places.*is outside its round"),
    Breakage(places_the_event_before, "mjai", MJAI, "check_places.*does not begin as"),
    Breakage(places_the_event_before, "majiang", MAJIANG, "check_places.*does not begin as"),
    Breakage(places_rounds_that_are_not_there, "jmjp", JMJP, "check_places.*which is not there, has a place"),
    Breakage(places_are_late_after_a_fault, "jmjp", JMJP, "check_after_faults.*is wrong: round 1, event"),
    Breakage(shows_another_line, "jmjp", JMJP, "check_places.*another text"),
    Breakage(places_the_event_before, "mjai", MJAI, "check_places.*at the place of the act behind", marks=False),
    Breakage(places_the_event_behind, "mjai", MJAI, "check_places.*at the place of the act before", marks=False),
    Breakage(crashes_on_a_list_for_a_tile, "mjai", MJAI, r"check_types.*TypeError.*the sample with \[\] at .*pai"),
    Breakage(exchanges_dragons, "mjai", MJAI, "check_view.*does not read as", marks=False, view=JMJP),
    Breakage(exchanges_dragons, "jmjp", JMJP, "check_view.*does not read as the source", view=MJAI),
    Breakage(turns_no_seats_of_payments, "mjai", MJAI, "check_referee.*the referee finds R"),
    Breakage(recognises_everything, "jmjp", JMJP, "an empty file is recognised"),
    Breakage(recognises_every_object, "majiang", MAJIANG, "check_recognised.*an empty object is recognised"),
    Breakage(recognises_the_lines_of_another_format, "jmjp", JMJP, "check_recogniser.*game.mjson is recognised"),
    Breakage(declares_to_show_nothing, "jmjp", JMJP, "check_shows.*changes the text"),
    Breakage(keeps_no_original, "mjai", MJAI, "no sample has one"),
    Breakage(keeps_half_an_original, "mjai", MJAI, "check_originals"),
    Breakage(keeps_a_changed_original, "mjai", MJAI, r"check_originals.*byte \d+ differs: b'"),
    Breakage(does_not_declare_its_originals, "mjai", MJAI, "does not declare it"),
    Breakage(hides_a_broken_writer_behind_originals, "majiang", MAJIANG, "check_notes.*do not restore the match"),
)
