"""The review of a match: rows, faults, and the match with the answers beside its events."""

import json
from contextlib import nullcontext
from types import MappingProxyType

import pytest
from bots import short_match

import mjconv
from corpus_files import CORPUS
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.match import Answer
from mjconv.reviewer.bot import AnswerError, answer_of
from mjconv.reviewer.play import review, seats_of
from mjconv.reviewer.summary import Comparison, ReviewSummary

DISCARD = {"type": "dahai", "actor": 0, "pai": "C", "tsumogiri": True}

DRAW = {"type": "tsumo", "actor": 0, "pai": "C"}


def row_of(answer: object) -> mjconv.reviewer.rows.ReviewRow:
    """Return the row of the decision of seat 0 that this answers."""
    [row] = [one for one in review(short_match(), 0, lambda _: answer).rows if one.event == 2]
    return row


def test_a_row_compares_the_answer_with_the_record() -> None:
    row = row_of({**DISCARD, "meta": {"q_values": [0.5, 1]}})
    assert json.loads(row.answered or "") == DISCARD
    assert json.loads(row.values or "") == {"meta": {"q_values": [0.5, 1]}}
    assert (row.round, row.seat, row.kind, row.choices) == (0, 0, "discard", 14)
    assert (row.same, row.legal, row.fault, row.problem) == (False, True, None, None)
    assert row_of({"type": "dahai", "actor": 0, "pai": "7m"}).same


@looped(
    ("answer", "problem"),
    (None, "none is not among the choices: dahai"),
    ({**DISCARD, "pai": "9p"}, "R0"),
    ({"type": "reach", "actor": 0}, "R0"),
    ({"type": "hora", "actor": 0, "target": 0, "pai": "C"}, "R0"),
    ({"type": "ankan", "actor": 0, "consumed": ["C"] * 4}, "R0"),
    ({"type": "pon", "actor": 0, "target": 3, "pai": "E", "consumed": ["E", "E"]}, "O0"),
)
def test_an_illegal_answer_has_the_rule_in_the_words_of_validate(answer: object, problem: str) -> None:
    row = row_of(answer)
    assert (row.legal, row.fault) == (False, "illegal")
    assert (row.problem or "").startswith(problem)


def test_an_answer_without_a_decision_is_illegal() -> None:
    rows = review(short_match(), 1, lambda _: {"type": "reach", "actor": 1}).rows
    # The last messages of a round are one more call.
    assert [(row.event, row.choices, row.fault) for row in rows] == [(4, 14, "illegal"), (5, 0, "illegal")]


def test_the_match_has_the_answers_beside_its_events() -> None:
    match = short_match(2)
    found = review(match, "all", lambda messages: {**DISCARD, "meta": 1} if messages[-1] == DRAW else None)
    assert [one.events for one in found.match.rounds] == [one.events for one in match.rounds]
    extras = ev.Extras({"meta": 1})
    assert found.match.rounds[1].answers == (
        Answer(2, ev.Discard(0, "C", tsumogiri=True, extras=extras), seat=0),
        Answer(4, ev.Pass(), seat=1),
    )
    assert not match.rounds[0].answers
    # Another bot's answers join them.
    assert [answer.index for answer in review(found.match, 1, lambda _: None).match.rounds[0].answers] == [2, 4, 4]


def test_agreement_counts_decisions_with_two_choices() -> None:
    assert review(short_match(), 3, lambda _: None).agreement is None


@looped(
    ("answer", "same", "faults"),
    # The last messages of a round open no decision.
    ({"type": "dahai", "actor": 1, "pai": "C"}, 2, 3),
    ({"type": "dahai", "actor": 1, "pai": "9p"}, 0, 6),
    ({"type": "reach", "actor": 1}, 0, 6),
    (None, 0, 3),
    ('{"type":"none","meta":{"q_values":[NaN]}}', 0, 6),
)
def test_answers_with_faults_do_not_agree_and_add_no_decisions(
    answer: mjconv.reviewer.bot.Given, same: int, faults: int
) -> None:
    match = short_match(3)
    # The record breaks the rules here: not even the same answer agrees.
    match.rounds[2].events[-1] = ev.Discard(1, "9p")
    found = review(match, 1, lambda messages: None if messages[-1]["type"] == "start_game" else answer)
    summary, comparison = ReviewSummary(), Comparison(found.rows, found.rows)
    for row in found.rows:
        summary.add_row(row)
    assert (summary.decisions, summary.faults.total()) == (3, faults)
    for counted in (summary.counted, comparison.counted):
        assert counted.total() == 3
    for agreed in (summary.same, *comparison.same):
        assert agreed.total() == same
    assert found.agreement == same / 3


def test_all_are_the_seats_whose_tiles_the_record_shows() -> None:
    match = mjconv.read(CORPUS / "tenhou" / "hanchan.mjlog")
    assert seats_of(match, "all") == [0, 1, 2, 3]
    stream = mjconv.read(mjconv.write_bytes(match, "mjai", seat=2), format="mjai")
    assert (seats_of(stream, "all"), seats_of(stream, None)) == ([2], [2])
    with pytest.raises(mjconv.UnsupportedError, match="hides tiles of the player at seat 1"):
        review(stream, 1, lambda _: None)


def test_a_game_that_is_no_riichi_is_refused() -> None:
    match = mjconv.read(CORPUS / "hk" / "example.hk")
    with pytest.raises(mjconv.MjconvError):
        review(match, 0, lambda _: None)


def test_a_match_without_play_starts_no_bot() -> None:
    match = mjconv.read_all(CORPUS / "club/tables.club")[0]
    with pytest.raises(
        mjconv.UnsupportedError, match="nothing to decide: the match has no rounds with their play"
    ):
        review(match, 0, lambda _: 1 / 0)  # type: ignore[arg-type,return-value]


def test_an_error_of_the_function_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        review(short_match(), 0, lambda _: 1 / 0)  # type: ignore[arg-type,return-value]


@looped(
    ("meta", "problem"),
    ({1: 2}, None),
    (object(), "not JSON (Encoding objects of type object"),
    ("\ud800", "not JSON ('utf-8'"),
    (10**400, "not JSON (a number has more than 300 digits)"),
)
def test_an_answer_of_a_function_is_read_as_one_of_a_program(meta: object, problem: str | None) -> None:
    with pytest.raises(AnswerError) if problem else nullcontext() as error:
        assert answer_of(MappingProxyType({"type": "none", "meta": meta}), 0).extras == {"meta": {"1": 2}}
    assert error is None or str(error.value).startswith(problem or "")
