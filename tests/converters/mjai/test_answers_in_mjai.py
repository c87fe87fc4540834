"""Answers in files of mjai: which messages are answers, which answers are lines, and where each of them is."""

import re
from pathlib import Path

import pytest
from msgspec import structs

import mjconv
from corpus_files import CORPUS, SAMPLE
from faults import leniently
from logs import messages
from looped import looped
from mjconv.converters import formats, hub
from mjconv.ir import events as ev
from mjconv.ir import limits
from mjconv.ir.answers import together
from mjconv.ir.errors import InputError
from mjconv.ir.losses import Report
from mjconv.ir.match import Answer, Match
from trips import known, read, write

STREAMS = ["seat.mjson", "open.mjson"]
SEAT = (CORPUS / "stream" / "seat.mjson").read_bytes()
#: The formats that hold a game of riichi and have notes.
NOTED = [form.id for form in formats.FORMATS if form.notes and form.writes and form.holds.has("riichi")]
NONE = ev.Pass()


def of_round(*answers: Answer) -> Match:
    """Return the match of the sample, where all hands are seen, with these answers in its first round."""
    match = read(SAMPLE.read_bytes(), "mjai").match
    match.rounds[0].answers = answers
    return match


@looped("name", *STREAMS)
@looped("flavour", "mjai", "mjai-batch")
def test_a_stream_in_standard_spelling_stays_the_same_bytes(name: str, flavour: str) -> None:
    data = (CORPUS / "stream" / name).read_bytes()
    assert write(read(data, "mjai").matches, "mjai").data == data
    away = write(read(data, "mjai").matches, flavour)
    assert away.losses == []
    assert write(read(away.data, "mjai").matches, "mjai").data == data


def test_the_events_are_the_game_alone() -> None:
    for name in STREAMS:
        match = read((CORPUS / "stream" / name).read_bytes(), "mjai").match
        assert not any(ev.CONVERSATION & {type(event) for event in one.events} for one in match.rounds)
        assert [finding for finding in mjconv.check(match) if finding.severity == "error"] == []
        # The last step is the result, before `end_kyoku`.
        assert list(mjconv.steps(match))[-1].event == len(match.rounds[-1].events) - 2


#: Answers that are no lines, because the reader would read them otherwise.
IN_NOTES = {
    "two seats": (Answer(1, NONE, 0), Answer(1, NONE, 1)),
    "another seat than the id": (Answer(1, NONE, 2),),
    "no seat": (Answer(1, NONE),),
    "a hello": (Answer(1, ev.Hello()),),
    "a win without a target": (Answer(2, ev.Win(0), 0), Answer(2, NONE, 0)),
    "before the deal": (Answer(0, NONE, 0),),
    "an action of another seat": (Answer(3, ev.Pon(1, 0, "9p", ("9p", "9p")), 1), Answer(3, NONE, 0)),
    "two answers to one message": (*(Answer(2, ev.Discard(0, tile), 0) for tile in "EW"), Answer(3, NONE, 0)),
}
_EVENTS = of_round().rounds[0].events
#: What player 0 did, as their answers.
DONE = [Answer(at, event, 0) for at, event in enumerate(_EVENTS) if type(event) in ev.ANSWERS and event.actor == 0]
FIRST = DONE[0].index
#: More answers, with which all are lines: the log of player 0.
AS_LINES = {
    "a pass": [Answer(1, NONE, 0)],
    "an overruled claim": [Answer(FIRST + 3, ev.Pon(0, 1, "9p", ("9p", "9p")), 0), Answer(FIRST + 3, NONE, 0)],
    "passes with meta": [Answer(1, structs.replace(NONE, extras=ev.Extras({"meta": {"q_values": [0.5]}})), 0)],
    "an error of the host": [Answer(1, ev.ErrorMessage("late")), Answer(1, NONE, 0)],
    "after the end": [Answer(len(_EVENTS), NONE, 0)],
}


def with_all(more: list[Answer]) -> tuple[Answer, ...]:
    return tuple(sorted([*DONE, *more], key=lambda answer: answer.index))


IN_NOTES |= {
    "before the deal in the log of a player": with_all([Answer(0, NONE, 0)]),
    "actions without a pass": tuple(DONE),
    "a pass without the actions": (Answer(1, NONE, 0),),
    "a win without a target in the log of a player": with_all([Answer(4, ev.Win(0), 0), Answer(5, NONE, 0)]),
}


@looped("answers", *IN_NOTES.values(), *map(with_all, AS_LINES.values()))
def test_answers_are_lines_or_in_the_note_of_the_round(answers: tuple[Answer, ...]) -> None:
    match = of_round(*answers)
    match.opening = [ev.StartGame(id=0)]
    away = write([match], "mjai")
    noted = answers in IN_NOTES.values()
    assert [(loss.what, loss.fate) for loss in away.losses] == [("round.answers", "carried")] * noted
    assert read(away.data, "mjai").matches == [match]
    assert len(messages(away.data)) == len(messages(write([of_round()], "mjai").data)) + (not noted) * len(answers)
    plain = write([match], "mjai", plain=True)
    assert [(loss.what, loss.fate) for loss in plain.losses] == [("round.answers", "dropped")] * noted
    assert read(plain.data, "mjai").match.rounds[0].answers == (() if noted else answers)


@looped("target", *NOTED)
def test_answers_of_all_seats_go_through_each_format_and_back(target: str) -> None:
    every = tuple(Answer(index, NONE, seat) for index in range(5) for seat in range(4))
    match = of_round(*every, Answer(5, ev.Riichi(2), 2), Answer(5, ev.Ryukyoku(), 1))
    away = write([match], target)
    [back] = read(away.data, target).matches
    assert back == match
    assert read(write([back], "mjai").data, "mjai").matches == [match]
    # A sheet of results has no rounds: each of them is a loss as a whole.
    whats = ("round.answers", "match.rounds")
    assert [loss.fate for loss in away.losses if loss.what in whats and loss.round == 0] == ["carried"]


def test_formats_without_notes_drop_answers_as_one_loss_a_round() -> None:
    away = write([of_round(Answer(1, NONE, 0), Answer(1, NONE, 1))], "mjx")
    assert [loss.fate for loss in away.losses if loss.what == "round.answers"] == ["dropped"]
    assert read(away.data, "mjx").match.rounds[0].answers == ()


def test_an_event_and_an_answer_have_the_place_of_their_own_line() -> None:
    text = SEAT.decode().splitlines()
    [reading] = hub.read(formats.find("mjai")[0], SEAT, Report())
    game_round = reading.match.rounds[0]
    for index, event in enumerate(game_round.events):
        place = known(reading.locate(0, index, ""))
        assert ev.from_message(messages(text[place.line - 1].encode())[0]) == event
    for number, answer in enumerate(game_round.answers):
        place = known(reading.locate(0, answer.index - 1, f"answers.{number}"))
        assert ev.from_message(messages(text[place.line - 1].encode())[0]) == answer.message
    assert reading.locate(0, 3, f"answers.{len(game_round.answers)}") == reading.locate(0, 3, "")


def test_a_finding_about_an_answer_is_at_its_line(tmp_path: Path) -> None:
    wrong = SEAT.replace(b'"pai":"9p","tsumogiri":false,"meta"', b'"pai":"1s","tsumogiri":false,"meta"')
    assert wrong != SEAT
    file = tmp_path / "wrong.mjson"
    file.write_bytes(wrong)
    [finding] = [one for one in mjconv.validate(file) if one.severity == "error"]
    assert (finding.code, finding.event, finding.answer) == ("R005", 7, 7)
    assert '"meta"' in wrong.decode().splitlines()[known(finding.place).line - 1]


def test_an_error_after_answers_has_the_index_of_its_event() -> None:
    text = SEAT.splitlines(keepends=True)
    first = next(number for number, line in enumerate(text) if b'"dahai"' in line)
    text.insert(first + 2, b'{"type":"dahai","actor":9}\n')
    was = leniently(b"".join(text), "mjai")
    assert was.matches == read(SEAT, "mjai").matches
    assert (was.fault.round, was.fault.event) == (0, 3)


def test_a_record_that_is_cut_keeps_the_answers_before() -> None:
    whole = SEAT.splitlines(keepends=True)
    for end in range(6, len(whole), 7):
        data = b"".join(whole[:end])
        [match] = read(data, "mjai").matches
        assert write([match], "mjai").data == data
        if match.rounds:
            kept = together(match.rounds[0])
            assert kept == [ev.from_message(one) for one in messages(data)[4:]][: len(kept)]


def test_answers_of_a_round_without_a_deal_are_dropped_with_the_fault() -> None:
    text = re.sub(rb".*start_kyoku.*", b'{"type":"start_kyoku"}', SEAT)
    was = leniently(text, "mjai")
    assert was.faults
    assert all(one.answers == () for one in was.rounds if not one.events)


def test_answers_that_are_too_long_for_a_note_are_dropped_and_named() -> None:
    meta = ev.Extras({"meta": "x" * 3000})
    match = of_round(Answer(1, structs.replace(NONE, extras=meta), 0))
    for size, fate in ((20_000, "carried"), (4000, "dropped")):
        with limits.using(limits.Limits(note_bytes=size)):
            for target in ("jmjp", "mjx"):
                away = write([match], target)
                named = [loss.fate for loss in away.losses if loss.what == "round.answers"]
                noted = target == "jmjp"
                assert named == [fate if noted else "dropped"]
                assert (read(away.data, target).match == match) == (noted and fate == "carried")


@looped("target", "mjai", "jmjp", "tenhou")
@looped(
    ("old", "new", "fault"),
    ('"index":1,', '"index":-1,', "from 0 to"),
    ('"index":1,', '"index":1e6,', "Expected `int`"),
    ('"index":1,', '"index":99999,', "the indices of answers rise"),
    ('"index":1,', '"index":18446744073709551616,', "int|rise"),
    ('"index":1,', '"index":3,', "the indices of answers rise from 3"),
    ('"type":"none"', '"type":"tsumo","actor":0,"pai":"?"', "which is no answer"),
    ('"type":"none"', '"type":"reach","actor":2', "is an action of player 2, and its seat is 0"),
    ('"seat":0', '"seat":9', "Expected `int` <= 5|Expected `int` < 6"),
)  # fmt: skip
def test_a_hostile_note_is_a_fault_with_its_place(target: str, old: str, new: str, fault: str) -> None:
    match = of_round(Answer(1, NONE, 0), Answer(2, NONE, 1))
    text = write([match], target).data.decode()
    assert old in text
    data = text.replace(old, new, 1)
    with pytest.raises(InputError, match=fault):
        read(data, target)
    was = leniently(data, target)
    # A note counts as a whole or not at all.
    assert (len(was.rounds[0].events), was.rounds[0].answers) == (len(match.rounds[0].events), ())
    assert was.faults


def test_a_note_cannot_make_the_play_of_a_text_an_answer() -> None:
    """The text has a discard, which the note deletes and makes an answer of its player."""
    match = of_round()
    away = write([of_round(Answer(1, NONE, 0))], "jmjp").data.decode()
    events = match.rounds[0].events
    first = next(index for index, event in enumerate(events) if isinstance(event, ev.Discard))
    forged = away.replace('"round":{', f'"round":{{"events":[{{"at":{first},"delete":1}}],', 1)
    assert forged != away
    was = read(forged.encode(), "jmjp")
    assert was.match == match
    assert ["contradicts the text" in warning.message for warning in was.warnings] == [True]


@looped("name", *STREAMS)
def test_a_note_of_version_3_may_not_begin_another_round(name: str) -> None:
    golden = CORPUS.parent / "tests" / "golden" / "notes-v3" / f"{name.replace('.', '-')}.jmjp"
    before, none, after = golden.read_text("utf-8").rpartition('{"type":"none"}')
    assert none
    for message in ('{"type":"start_game"}', '{"type":"end_game"}', '{"type":"start_kyoku","oya":0}'):
        text = before + message + after
        was = leniently(text, "jmjp")
        assert was.faults or was.warnings


def test_seats_turn_through_a_hand_of_chinese_official() -> None:
    match = read((CORPUS / "botzone" / "session.botzone").read_bytes(), "botzone").match
    number = next(number for number, one in enumerate(match.rounds) if one.start and one.start.oya)
    game_round = match.rounds[number]
    at, event = next((at, event) for at, event in enumerate(game_round.events) if isinstance(event, ev.Discard))
    game_round.answers = (Answer(at, event, event.actor), Answer(at + 1, NONE, 3))
    for target in ("botzone", "pmn", "uzje", "jmjp"):
        [back] = read(write([match], target).data, target).matches
        assert back == match
