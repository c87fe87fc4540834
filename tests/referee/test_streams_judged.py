"""Streams recorded at a player's seat: the player's own messages are no play, and are not checked."""

import pytest

from judged import HIDDEN, READY, dealt, turn
from logs import lines
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.answers import apart, overruled
from mjconv.ir.match import Answer, Match, Round
from mjconv.referee.findings import Finding
from mjconv.referee.referee import check
from test_streams import CASES, case_of, written_down
from trips import read

NONE = ev.Pass()


def errors(match: Match) -> list[Finding]:
    return [finding for finding in check(match) if finding.severity == "error"]


@pytest.mark.parametrize("case", CASES)
def test_a_stream_of_a_game_is_right(case: str) -> None:
    _, messages = case_of(case)
    match = read(lines(written_down(messages)), "mjai").match
    found = errors(match)
    assert bool(found) == case.startswith("overruled")
    # The player of these cases gives answers that cannot happen: the play itself is right.
    for finding in found:
        game_round = match.rounds[finding.round or 0]
        assert finding.answer in overruled(game_round)
        assert finding.event == game_round.answers[finding.answer or 0].index - 1


@looped("case", *[case for case in CASES if case.startswith("game")])
def test_a_stream_without_passes_is_right(case: str) -> None:
    """A message that the host ignores has no echo. Only the passes show that it is no play."""
    _, messages = case_of(case)
    silent = [(who, message) for who, message in messages if message["type"] not in ("none", "hello", "join")]
    assert errors(read(lines(written_down(silent)), "mjai").match) == []


def at_seat(*messages: ev.Event | tuple[ev.Event, ...], seat: int | None = 1) -> Match:
    flat = [message for part in messages for message in (part if isinstance(part, tuple) else (part,))]
    opening = ev.StartGame() if seat is None else ev.StartGame(id=seat)
    events, answers = apart([dealt({1: READY}), *flat], seat)
    return Match(opening=[opening], rounds=[Round(events, answers=answers)], closing=[ev.EndGame()])


SAID, HOSTS = ev.Discard(1, "W", tsumogiri=True), ev.Discard(1, "W", tsumogiri=True)


def test_findings_have_the_event_of_the_record() -> None:
    """Answers between the events do not count."""
    wrong = ev.Draw(2, "?"), NONE, ev.Discard(2, "5sr"), NONE, ev.Draw(3, "?"), NONE, ev.Discard(3, "5sr"), NONE
    match = at_seat(turn(0, "9p", "?"), NONE, ev.Draw(1, "W"), SAID, HOSTS, NONE, *wrong)
    [finding] = errors(match)
    assert (finding.code, finding.actor, finding.answer) == ("R002", 3, None)
    assert match.rounds[0].events[finding.event or 0] is wrong[6]


def test_an_answer_that_breaks_the_rules_is_reported_though_the_host_overrules_it() -> None:
    """The player holds no 9m, and the host discards the tile drawn. The hand is not complete for a win either."""
    drawn = turn(0, "9p", "?"), NONE, ev.Draw(1, "W")
    for answer, code in (
        (ev.Discard(1, "9m", tsumogiri=False), "R005"),
        (ev.Win(1, target=1), "R040"),
        (ev.Kakan(1, "W", ("W", "W", "W")), "R012"),
    ):
        match = at_seat(*drawn, answer, HOSTS, NONE)
        [finding] = errors(match)
        assert (finding.code, finding.actor, finding.event) == (code, 1, 3)
        assert match.rounds[0].answers[finding.answer or 0].message is answer
    assert errors(at_seat(*drawn, ev.Discard(1, "2m", tsumogiri=False), HOSTS, NONE)) == []


def test_an_answer_of_a_seat_that_the_game_does_not_have_is_reported() -> None:
    match = at_seat(turn(0, "9p", "?"))
    match.rounds[0].answers = (Answer(3, ev.Pon(5, 0, "9p", ("9p", "9p")), 5),)
    [finding] = errors(match)
    assert (finding.code, finding.event, finding.answer) == ("R008", 2, 0)


@looped("call", ev.Pon(1, 0, "9p", ("?", "?")), ev.Chi(1, 0, "9p", ("7p", "8p")), ids=type)
def test_a_pass_after_the_own_call_is_reported(call: ev.Event) -> None:
    """Everybody else passes there, and the host may repeat whatever it likes."""
    [finding] = [finding for finding in errors(at_seat(turn(0, "9p", "?"), NONE, call, NONE)) if finding.answer]
    assert (finding.code, finding.actor, finding.event, finding.answer) == ("O001", 1, 3, 1)
    assert not [one for one in errors(at_seat(turn(0, "9p", "?"), NONE, call, NONE, seat=2)) if one.answer]


def test_a_second_discard_is_wrong_without_a_seat_and_of_another_player() -> None:
    twice = turn(0, "9p", "?"), ev.Draw(1, "W"), SAID, HOSTS
    assert [finding.code for finding in errors(at_seat(*twice, seat=None))] == ["O001"]
    assert errors(at_seat(*twice)) == []
    twice = ev.Draw(0, "?"), ev.Discard(0, "9p"), NONE, ev.Discard(0, "9p"), NONE
    assert [finding.code for finding in errors(at_seat(*twice))] == ["O001"]


def test_a_log_that_shows_all_hands_is_no_stream() -> None:
    deal = dealt(dict.fromkeys(range(4), READY))
    shown = [deal, *turn(0, "9p"), *turn(1, "9p"), ev.Discard(1, "9p", tsumogiri=True)]
    assert apart(shown, 1) == (shown, ())
    hidden = [ev.StartRound(oya=0, tehais=(HIDDEN,) * 4), ev.Draw(1, "W"), SAID, HOSTS]
    assert apart(hidden, 1)[0] == [*hidden[:2], HOSTS]
