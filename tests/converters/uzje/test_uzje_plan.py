"""Games that are dealt, cut or noted in unusual ways come back; play that cannot happen is refused."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import UNSET, structs

from engine import play
from faults import leniently
from mjconv.converters.uzje.round_writer import plan_game
from mjconv.ir import events as ev
from mjconv.ir.events import to_message
from mjconv.ir.illegal import PlayedWrongError
from mjconv.ir.match import Match, Round
from trips import known, read, write

from .random_games import random_game


def comes_back(match: Match) -> None:
    for flavour in ("uzje", "uzje-commands"):
        assert read(write([match], flavour).data, "uzje").matches == [match]


@given(seed=st.integers(0, 10**6), players=st.sampled_from([3, 4, 6]))
def test_hands_in_another_order_than_the_wall_deals_them_come_back(seed: int, players: int) -> None:
    match = read(random_game(seed, players).text.encode(), "uzje").match
    for game_round in match.rounds:
        start = known(game_round.start)
        hands = tuple(tuple(sorted(hand)) for hand in start.tehais or ())
        game_round.events[game_round.events.index(start)] = structs.replace(start, tehais=hands)
    comes_back(match)


@given(seed=st.integers(0, 10**6), end=st.floats(0, 1))
def test_a_round_that_breaks_off_comes_back(seed: int, end: float) -> None:
    match = read(play(seed, length="round", chooser="caller"), "mjai").match
    events = match.rounds[0].events
    match.rounds[0] = Round(events[: 1 + int(end * len(events))])
    comes_back(match)


@pytest.mark.parametrize("how", ["as the tile drawn", "as one held", "unsaid"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=min(25, settings().max_examples))
def test_whichever_copy_the_record_names_as_discarded(seed: int, how: str) -> None:
    """A discard of the tile just drawn may be of another copy; said of any other it is put right by the note."""
    match = read(play(seed, length="round"), "mjai").match
    said = {"as the tile drawn": True, "as one held": False, "unsaid": UNSET}[how]
    events = match.rounds[0].events
    for place, (before, event) in enumerate(pairwise(events), 1):
        if isinstance(event, ev.Discard) and isinstance(before, ev.Draw) and before.pai == event.pai:
            events[place] = structs.replace(event, tsumogiri=said)
    comes_back(match)


def refusal(events: list[ev.Event]) -> tuple[str, int]:
    hands = tuple(
        (*(f"{rank}{suit}" for suit in "mps" for _ in range(4)), wind) for rank, wind in enumerate("ESWN", 1)
    )
    start = ev.StartRound(bakaze="E", kyoku=1, honba=0, oya=0, tehais=hands)
    with pytest.raises(PlayedWrongError) as caught:
        plan_game(Round([start, *events]), start, 4)
    return str(caught.value), caught.value.event


def test_what_cannot_be_played_is_refused_at_its_event() -> None:
    draw, discard = ev.Draw(0, "9p"), ev.Discard(0, "9p", tsumogiri=True)
    assert refusal([draw, ev.Draw(1, "9s")]) == ("player 1 draws, where the table waits for a discard", 2)
    assert refusal([draw, ev.Discard(0, "5p", tsumogiri=False)]) == ("player 0 does not hold 5p", 2)
    assert refusal([draw, ev.Discard(1, "2p", tsumogiri=False)])[1] == 2
    assert refusal([draw, discard, ev.Discard(1, "2p", tsumogiri=False)])[1] == 3
    assert refusal([draw, discard, ev.Draw(2, "9s"), ev.Discard(2, "9s", tsumogiri=True)])[1] == 3
    assert refusal([draw, discard, ev.Draw(1, "9s"), ev.Discard(1, "5s", tsumogiri=False)])[1] == 4
    assert refusal([draw, ev.Ankan(0, ("1m",) * 4), ev.Discard(0, "1p", tsumogiri=False)])[1] == 3
    assert refusal([draw, ev.Win(0, 0), ev.Draw(1, "9s")]) == ("no move may follow a win", 3)
    assert refusal([draw, discard, ev.Win(1, 1)])[1] == 3
    assert refusal([draw, discard, ev.Draw(7, "5p"), ev.Discard(7, "5p", tsumogiri=True)])[1] == 3
    assert refusal([ev.Draw(7, "9p")]) == ("there is no player 7: the game has 4", 1)
    assert refusal([draw, discard, ev.Draw(1, "1m")])[0].startswith("a set has 4 of 1m")


# Random games that only Ùzje can hold


FLAVOURS = ["uzje", "uzje-long", "uzje-commands"]


def as_json(message: dict[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in message.items()}


@given(seed=st.integers(0, 10**6), players=st.sampled_from([3, 4, 6]), whole_wall=st.booleans())
@example(seed=1, players=6, whole_wall=True)
def test_a_game_is_read_as_it_was_played_and_written_back_equal_in_every_form(
    seed: int, players: int, whole_wall: bool
) -> None:
    played = random_game(seed, players, whole_wall=whole_wall)
    matches = read(played.text, "uzje").matches
    lenient = leniently(played.text, "uzje")
    assert (lenient.matches, lenient.faults) == (matches, [])
    [game_round] = matches[0].rounds
    assert [list(hand) for hand in known(game_round.start).tehais or ()] == played.hands
    assert [as_json(to_message(event)) for event in game_round.events[1:-1]] == played.events
    assert list(game_round.wall or ()) == (played.wall if whole_wall else [])
    for flavour in FLAVOURS:
        written = write(matches, flavour)
        assert written.losses == []
        assert read(written.data, "uzje").matches == matches
    tiles = [word for word in played.text.split()[4:] if "." not in word]
    assert written.data.decode().split()[4 : 4 + len(tiles)] == tiles
