"""Every loss is named: a plain trip differs in what its report lists, there and nowhere else."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from msgspec import structs

from comparison import check, compare, plain_trip
from handmade import DIALECTS
from logs import Log, alternating, lines, logs, messages, short_logs
from looped import looped
from mjconv.converters.shared import note_json
from mjconv.ir.losses import Fate
from trips import read, write

each_log = looped(("log", "version"), *alternating(logs(4), ["jmjp", "jmjp-0"]), every=3)
both_versions = looped("version", "jmjp", "jmjp-0")


@looped("dialect", *DIALECTS)
def test_the_comparison_finds_losses_that_a_report_leaves_out_or_names_wrongly(dialect: str) -> None:
    data = lines(DIALECTS[dialect])
    trip = plain_trip(data, "jmjp")
    compare(data, trip)
    wrong: dict[Fate, Fate] = {"dropped": "approximated", "approximated": "dropped", "assumed": "dropped"}
    for place, loss in enumerate(trip.losses):
        others = trip.losses[:place] + trip.losses[place + 1 :]
        elsewhere = structs.replace(loss, event=(loss.event or 0) + 1)
        for said in ([], [structs.replace(loss, fate=wrong[loss.fate])], [loss, loss], [elsewhere]):
            with pytest.raises(AssertionError):
                compare(data, replace(trip, losses=[*others, *said]))


@each_log
def test_a_plain_trip_differs_only_in_what_the_report_lists(log: Log, version: str) -> None:
    check(log.data, version)


@both_versions
@looped("dialect", *DIALECTS)
def test_a_plain_trip_of_each_dialect_differs_only_in_what_the_report_lists(dialect: str, version: str) -> None:
    assert check(lines(DIALECTS[dialect]), version)


@each_log
def test_notes_carry_what_plain_text_would_drop_and_are_nowhere_else(log: Log, version: str) -> None:
    """The same losses, in the same order, with a kinder fate; what the reader assumes it still assumes."""
    match = read(log.data, "mjai").match
    plain, noted = write([match], version, plain=True), write([match], version)
    fates = {"dropped": "carried", "approximated": "carried", "assumed": "assumed"}
    said = Counter((fates[loss.fate], loss.what, loss.round) for loss in plain.losses)
    kept = Counter((loss.fate, loss.what, loss.round) for loss in noted.losses)
    assert {loss.fate for loss in noted.losses} <= {"carried", "assumed"}
    # A note states when dora were turned, so with it less has to be carried.
    assert kept <= said
    text = noted.data.decode()
    notes = [note_json.loads(line.encode())[0] for line in re.findall("//@mjconv (.*)", text)]
    assert sum(note.round is not None for note in notes) == len({loss.round for loss in plain.losses} - {None})
    assert any(note.match is not None for note in notes) == bool(notes)
    assert [line for line in text.splitlines() if "@mjconv" not in line] == plain.data.decode().splitlines()
    assert b"mjconv" not in plain.data


@both_versions
def test_a_plain_trip_of_a_log_that_breaks_off_differs_only_in_what_the_report_lists(version: str) -> None:
    whole = messages(min(short_logs(), key=lambda log: abs(log.length - 100)).data)
    for end in range(1, len(whole)):
        check(lines(whole[:end]), version)
