"""The referee judges any record, without an exception and soon; streams at a seat; games as they were played."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from msgspec import UNSET, structs

from judged import HIDDEN, READY, dealt, turn
from logs import Log, lines, logs
from looped import looped
from mjconv.converters import formats, hub
from mjconv.ir import events as ev
from mjconv.ir.answers import apart, overruled
from mjconv.ir.limits import Limits, using
from mjconv.ir.losses import Report
from mjconv.ir.match import Answer, Match, Round
from mjconv.ir.tiles import TILES
from mjconv.referee.codes import CODES
from mjconv.referee.findings import Finding
from mjconv.referee.referee import MOST_PICTURES, check
from test_streams import CASES, case_of, written_down
from trips import read, write

SPELLINGS = sorted(TILES)


def other_value(rng: random.Random, name: str, value: Any) -> Any:
    """Return another value that the field of an event may have when it is built in code."""
    if name in ("actor", "target", "liable", "oya"):
        return rng.randrange(6)
    if name in ("pai", "dora_marker"):
        return rng.choice(SPELLINGS)
    if isinstance(value, tuple) and value:
        changed = list(value)
        place = rng.randrange(len(changed))
        if rng.random() < 0.3:
            del changed[place]
        elif isinstance(changed[place], str):
            changed[place] = rng.choice(SPELLINGS)
        elif type(changed[place]) is int:
            changed[place] += rng.choice([100, -1000, ev.MOST_POINTS])
        return tuple(changed)
    if type(value) is int:
        return rng.choice([0, 1, 5, 99, ev.MOST_POINTS])
    return value if name in ("bakaze", "consumed") else UNSET


def swap(rng: random.Random, events: list[Any], at: int) -> None:
    other = rng.randrange(len(events))
    events[at], events[other] = events[other], events[at]


def break_off(rng: random.Random, events: list[Any], at: int) -> None:  # noqa: ARG001 - all take the same
    del events[at:]


def change(rng: random.Random, events: list[Any], at: int) -> None:
    fields = [name for name in events[at].__struct_fields__ if name != "extras"]
    if fields:
        name = rng.choice(fields)
        events[at] = structs.replace(events[at], **{name: other_value(rng, name, getattr(events[at], name))})


#: Leave out, repeat, swap, break off, and change.
CHANGES: list[Callable[[random.Random, list[Any], int], object]] = [
    lambda _, events, at: events.pop(at),
    lambda rng, events, at: events.insert(rng.randrange(len(events)), events[at]),
    swap,
    break_off,
    *[change] * 4,
]


@cache
def played(log: Log) -> Match:
    return read(log.data, "mjai").match


@looped("seed", *range(150))
def test_a_game_in_which_anything_was_changed(seed: int) -> None:
    rng = random.Random(seed)
    whole = played(rng.choice(logs(4) + logs(3)))
    # Two rounds, which are checked as a long game is.
    at = rng.randrange(max(1, len(whole.rounds) - 1))
    rounds = [structs.replace(each, events=each.events.copy()) for each in whole.rounds[at : at + 2]]
    match = structs.replace(whole, rounds=rounds)
    for _ in range(rng.choice([1, 2, 5, 20])):
        events = rng.choice(match.rounds).events
        if events:
            rng.choice(CHANGES)(rng, events, rng.randrange(len(events)))
    found = check(match, pictures=True)
    assert {finding.code for finding in found} <= set(CODES)
    places = [(finding.round, finding.event or 0) for finding in found if finding.round is not None]
    assert places == sorted(places)
    assert all(
        finding.event is None or finding.event < len(match.rounds[finding.round or 0].events) for finding in found
    )


def many(event: Any) -> Match:
    played = Round([dealt({0: READY}), *[event] * 400])
    return Match(opening=[ev.StartGame()], rounds=[played], closing=[ev.EndGame()])


def test_findings_and_pictures_are_bounded() -> None:
    found = check(many(ev.Draw(0, "1m")), pictures=True)
    assert len({(finding.round, finding.event) for finding in found if finding.picture}) == MOST_PICTURES
    assert len(found) > 2 * MOST_PICTURES
    with using(Limits(faults=30)):
        assert len(check(many(ev.Draw(0, "1m")))) == 30
    assert 0 < len(check(many(ev.Win(0, 0, deltas=(1, 2, 3, 4))))) < 100


def test_a_match_of_nothing() -> None:
    assert check(Match()) == []
    assert check(Match(rounds=[Round(), Round()])) != []


@looped("seats", 3, 4, 6)
def test_rounds_that_do_not_state_the_number_of_players(seats: int) -> None:
    stated = ev.StartRound(oya=0, scores=(25000,) * seats)
    unstated = Round([ev.StartRound(), ev.Draw(seats - 1, "1m"), ev.Discard(seats - 1, "1m"), ev.EndRound()])
    for finding in check(Match(rounds=[Round([stated]), unstated]), pictures=True):
        assert finding.code in CODES


# Streams recorded at a player's seat: the player's own messages are no play, and are not checked.
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


# No finding on games as they were played: those of the engine, and real logs where there are any.

#: What is true of real logs: games that break off, and one that shows a swap call on purpose.
BREAKS_OFF = {"O009", "O010", "O011"}
#: And of games by rules that count some yakuman twice.
OTHER_RULES = {"R052"}
SWAP_CALL = {"mjai/original-dialect-kuikae.mjson": ["R016"]}


@looped("log", *(logs(4) + logs(3)), ids=str, every=2)
def test_a_game_that_was_played_is_right(log: Log) -> None:
    found = [finding for match in read(log.data, "mjai").matches for finding in check(match, pictures=True)]
    assert [finding.code for finding in found if finding.severity == "error"] == SWAP_CALL.get(str(log), [])
    assert {finding.code for finding in found if finding.severity == "warning"} <= BREAKS_OFF | OTHER_RULES


@looped("target", "jmjp", "uzje")
@looped("log", *logs(4)[::6], *logs(3)[:1], ids=str)
def test_a_game_stays_right_in_other_formats(log: Log, target: str) -> None:
    if target == "jmjp" and log.seats == 3:
        target = "uzje"
    form = formats.find(target)[0]
    there = write(read(log.data, "mjai").matches, target).data
    for match in hub.read_matches(form, there, Report(lenient=True)):
        assert [finding.code for finding in check(match) if finding.severity == "error"] == []
