"""The referee checks any record at all, without an exception and without taking long."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

from msgspec import UNSET, structs

from judged import READY, dealt
from logs import Log, logs
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.limits import Limits, using
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import TILES
from mjconv.referee.codes import CODES
from mjconv.referee.referee import MOST_PICTURES, check
from trips import read

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
