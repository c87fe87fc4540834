"""Every loss is named: a plain trip differs in what its report lists, there and nowhere else."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from msgspec import structs

from comparison import check, compare, plain_trip
from handmade import DIALECTS, LOG
from logs import Log, alternating, lines, logs, messages, short_logs
from looped import looped
from mjconv.converters import formats
from mjconv.converters.shared import note_json
from mjconv.converters.shared.carry import without_layout
from mjconv.ir.events import Pass, StartRound
from mjconv.ir.limits import Limits, using
from mjconv.ir.losses import Fate
from mjconv.ir.match import Answer, Round, Rules
from mjconv.ir.patch import diff
from trips import read, write

each_log = looped(("log", "version"), *alternating(logs(4), ["jmjp", "jmjp-0"]), every=3)
both_versions = looped("version", "jmjp", "jmjp-0")


@both_versions
@looped("dialect", *DIALECTS)
def test_a_plain_trip_of_each_dialect_differs_only_in_what_the_report_lists(dialect: str, version: str) -> None:
    """The comparison finds losses that a report leaves out or names wrongly."""
    data = lines(DIALECTS[dialect])
    trip = plain_trip(data, version)
    compare(data, trip)
    assert trip.losses
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


def named_without_layout(source: Round, reading: Round) -> list[str]:
    _, differences = diff(reading, source)
    found = without_layout(differences, source, reading, formats.find("jmjp")[0])
    return [one.what for one in found]


def test_the_layout_of_the_target_alone_is_no_loss() -> None:
    layout = {"jmjp": {"comments": [[0, " x"]]}}
    assert named_without_layout(Round(), Round(extras=layout)) == []
    assert named_without_layout(Round(extras={"own": 1}), Round(extras=layout)) == ["round.extras"]
    assert named_without_layout(Round(extras={"jmjp": {}}), Round(extras=layout)) == ["round.extras"]
    assert named_without_layout(Round(dice=(1, 2)), Round(extras=layout)) == ["round.dice"]


def test_an_assumed_value_that_the_target_leaves_out_is_no_loss_and_another_value_is_one() -> None:
    source = Round([StartRound(kyotaku=1)], assumed=("kyotaku",))
    assert named_without_layout(source, Round([StartRound()])) == []
    assert named_without_layout(source, Round([StartRound(kyotaku=2)])) == ["start_kyoku.kyotaku"]


def test_a_stated_game_that_the_play_shows_is_no_loss_and_another_game_is_one() -> None:
    match = read(lines(DIALECTS["original server"]), "mjai").match
    for game, expected in (("riichi", []), ("hongkong", ["match.rules"])):
        match.rules = Rules(game=game)
        assert [loss.what for loss in write([match], "mjai").losses if loss.what == "match.rules"] == expected, (
            game
        )


def test_answers_that_are_too_long_for_a_note_are_dropped_also_of_a_round_that_the_text_leaves_out() -> None:
    match = read(lines(LOG), "mjai").match
    for answered in (match.rounds[0], Round()):
        answered = structs.replace(answered, answers=tuple(Answer(0, Pass(), 0) for _ in range(99)))
        with using(Limits(note_bytes=4000)):
            written = write([structs.replace(match, rounds=[answered])], "hk")
        [loss] = [loss for loss in written.losses if loss.what == "round.answers"]
        assert (loss.fate, loss.detail) == ("dropped", "they are too long for a note")
        assert read(written.data, "hk").match.rounds[0].answers == ()
