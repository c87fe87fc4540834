"""Streams recorded at a player's seat: the player's own messages are no play, and are not checked."""

import pytest
from judged import HIDDEN, READY, dealt, turn

from logs import lines
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.stream import overruled, recorded_seat
from mjconv.referee.findings import Finding
from mjconv.referee.host_stream import host_indices
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
        assert finding.event in overruled(game_round, recorded_seat(match.opening))


@pytest.mark.parametrize("case", [case for case in CASES if case.startswith("game")])
def test_a_stream_without_passes_is_right(case: str) -> None:
    """A message that the host ignores has no echo. Only the passes show that it is no play."""
    _, messages = case_of(case)
    silent = [(who, message) for who, message in messages if message["type"] not in ("none", "hello", "join")]
    assert errors(read(lines(written_down(silent)), "mjai").match) == []


def at_seat(*events: ev.Event | tuple[ev.Event, ...], seat: int | None = 1) -> Match:
    flat = [event for part in events for event in (part if isinstance(part, tuple) else (part,))]
    opening = ev.StartGame() if seat is None else ev.StartGame(id=seat)
    return Match(opening=[opening], rounds=[Round([dealt({1: READY}), *flat])], closing=[ev.EndGame()])


SAID, HOSTS = ev.Discard(1, "W", tsumogiri=True), ev.Discard(1, "W", tsumogiri=True)


def test_findings_have_the_event_of_the_record() -> None:
    """Between the two there are answers, which count."""
    wrong = ev.Draw(2, "?"), NONE, ev.Discard(2, "5sr"), NONE, ev.Draw(3, "?"), NONE, ev.Discard(3, "5sr"), NONE
    match = at_seat(turn(0, "9p", "?"), NONE, ev.Draw(1, "W"), SAID, HOSTS, NONE, *wrong)
    [finding] = errors(match)
    assert (finding.code, finding.actor) == ("R002", 3)
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
        assert (finding.code, finding.actor) == (code, 1)
        assert match.rounds[0].events[finding.event or 0] is answer
    assert errors(at_seat(*drawn, ev.Discard(1, "2m", tsumogiri=False), HOSTS, NONE)) == []


def test_a_second_discard_is_wrong_without_a_seat_and_of_another_player() -> None:
    twice = turn(0, "9p", "?"), ev.Draw(1, "W"), SAID, HOSTS
    assert [finding.code for finding in errors(at_seat(*twice, seat=None))] == ["O001"]
    assert errors(at_seat(*twice)) == []
    twice = ev.Draw(0, "?"), ev.Discard(0, "9p"), NONE, ev.Discard(0, "9p"), NONE
    assert [finding.code for finding in errors(at_seat(*twice))] == ["O001"]


def test_a_log_that_shows_all_hands_is_no_stream() -> None:
    shown = Round([dealt(dict.fromkeys(range(4), READY)), *turn(0, "9p"), *turn(1, "9p")])
    assert host_indices(shown, 1) == list(range(5))
    assert recorded_seat(Match(rounds=[shown]).opening) is None
    hidden = ev.StartRound(oya=0, tehais=(HIDDEN,) * 4)
    assert host_indices(Round([hidden, ev.Draw(1, "W"), SAID, HOSTS]), 1) == [0, 1, 3]
