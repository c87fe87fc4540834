"""Mistakes in hands of Chinese Official are found, and play that only riichi forbids is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import pytest
from msgspec import UNSET, structs

import mjconv
from mcr_made import hand, match_of
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round, Rules

Events: TypeAlias = list[Any]
#: A hand with flowers and calls that is won on a discard, one that is won on a draw, and one with an added kong.
RON, DRAWN, KONG = hand(1, ready=1, flowers=True), hand(5, ready=1, flowers=True), hand(4)


def codes(*rounds: Sequence[ev.Event], game: str = "mcr") -> set[str]:
    match = match_of(*(Round([*events]) for events in rounds))
    found = mjconv.check(structs.replace(match, rules=Rules(game=game)))
    return {finding.code for finding in found if finding.severity in ("error", "warning")}


def at(events: Sequence[ev.Event], kind: type, number: int = 0) -> int:
    """Return the index of an event of a kind; `number` counts from 0."""
    return [index for index, event in enumerate(events) if type(event) is kind][number]


def change(events: Events, index: int, **values: Any) -> None:
    events[index] = structs.replace(events[index], **values)


def deal(events: Events, seat: int, tiles: Callable[[tuple[str, ...]], tuple[str, ...]]) -> None:
    hands = [tiles(one) if number == seat else one for number, one in enumerate(events[0].tehais)]
    change(events, 0, tehais=tuple(hands))


def fifth(events: Events) -> None:
    deal(events, 1, lambda tiles: ("E",) * 3 + tiles[3:])
    deal(events, 2, lambda tiles: ("E",) * 2 + tiles[2:])


def red_five(events: Events) -> None:
    deal(events, 0, lambda tiles: ("5mr", *tiles[1:]))


def zero(events: Events) -> None:
    deal(events, 0, lambda tiles: ("Z", *tiles[1:]))


def same_flower(events: Events) -> None:
    first, second = at(events, ev.Nukidora), at(events, ev.Nukidora, 1)
    change(events, second - 1, pai=events[first].pai)
    change(events, second, pai=events[first].pai)


def north_aside(events: Events) -> None:
    index = at(events, ev.Nukidora)
    change(events, index - 1, pai="N")
    change(events, index, pai="N")


def riichi(events: Events) -> None:
    events.insert(at(events, ev.Discard), ev.Riichi(events[at(events, ev.Discard)].actor))


def dora(events: Events) -> None:
    events.insert(at(events, ev.Discard) + 1, ev.Dora("9s"))


def fourteen(events: Events) -> None:
    deal(events, 3, lambda tiles: (*tiles, tiles[0]))


def discard_unheld(events: Events) -> None:
    index = at(events, ev.Discard)
    missing = next(tile for tile in ("S", "W", "N", "1m", "9m", "9p") if tile not in events[0].tehais[0])
    change(events, index, pai=missing)


def another_draws(events: Events) -> None:
    index = at(events, ev.Draw, 2)
    change(events, index, actor=(events[index].actor + 1) % 4)


def another_is_called(events: Events) -> None:
    index = at(events, ev.Pon)
    tile = "1s" if events[index].pai != "1s" else "9s"
    change(events, index, pai=tile, consumed=(tile, tile))


def no_run(events: Events) -> None:
    index = at(events, ev.Chi)
    change(events, index, consumed=(events[index].consumed[0],) * 2)


def kong_without_pung(events: Events) -> None:
    kong = events[at(events, ev.Kakan)]
    index = next(index for index, event in enumerate(events) if type(event) is ev.Pon and event.pai == kong.pai)
    del events[index]


def other_winning_tile(events: Events) -> None:
    change(events, at(events, ev.Win), pai="6p")


def other_discarder(events: Events) -> None:
    index = at(events, ev.Win)
    change(events, index, target=next(seat for seat in (2, 3) if seat != events[index].target))


def other_winner(events: Events) -> None:
    index = at(events, ev.Win)
    win = events[index]
    change(events, index, actor=next(seat for seat in (2, 3) if seat != win.target))


def points_from_nowhere(events: Events) -> None:
    index = at(events, ev.Win)
    change(events, index, deltas=tuple(points + (seat == 3) for seat, points in enumerate(events[index].deltas)))


def points_at_a_draw(events: Events) -> None:
    change(events, at(events, ev.Ryukyoku), deltas=(3, -1, -1, 0))


@pytest.mark.parametrize(
    ("played", "mistake", "found"),
    [
        (RON, fifth, "R001"),
        (RON, same_flower, "R001"),
        (RON, red_five, "R002"),
        (RON, zero, "R004"),
        (RON, discard_unheld, "R005"),
        (RON, another_draws, "O002"),
        (RON, another_is_called, "R009"),
        (RON, no_run, "R011"),
        (KONG, kong_without_pung, "R012"),
        (RON, fourteen, "R019"),
        (RON, north_aside, "R020"),
        (RON, riichi, "R021"),
        (RON, dora, "R021"),
        (RON, other_winner, "R040"),
        (DRAWN, other_winning_tile, "R044"),
        (RON, other_winning_tile, "R044"),
        (RON, other_discarder, "O003"),
        (RON, points_from_nowhere, "R050"),
        (KONG, points_at_a_draw, "R053"),
    ],
)
def test_a_mistake_is_found(played: Round, mistake: Callable[[Events], None], found: str) -> None:
    events = [*played.events]
    assert codes(events) == set()
    mistake(events)
    assert found in codes(events)


class TestFair:
    """Nothing is found in fair play, whatever riichi would say."""

    def test_the_rounds_of_a_session_may_have_any_dealer_and_wind(self) -> None:
        rounds = [hand(4, wind=wind, oya=oya).events for wind, oya in (("E", 0), ("E", 2), ("N", 1), ("E", 1))]
        assert codes(*rounds) == set()

    def test_the_name_of_a_round_may_be_any(self) -> None:
        named = [structs.replace(RON.events[0], bakaze="E", kyoku=1, honba=0, kyotaku=0), *RON.events[1:]]
        again = [structs.replace(KONG.events[0], bakaze="E", kyoku=1, honba=0, kyotaku=0), *KONG.events[1:]]
        assert codes(named, again) == set()
        assert "R060" in codes(named, again, game="riichi")

    def test_a_player_may_discard_the_tile_that_was_called(self) -> None:
        hands = ((*["1m", "2m", "4p", "4p", "4p", "7s", "7s", "E", "E", "S", "W", "N", "P"],), *(("?",) * 13,) * 3)
        play = [ev.StartRound("E", oya=3, tehais=hands), ev.Draw(3, "3m"), ev.Discard(3, "3m")]
        play += [ev.Chi(0, 3, "3m", ("1m", "2m")), ev.Discard(0, "4p"), ev.Draw(1, "?"), ev.Discard(1, "4p")]
        play += [ev.Pon(0, 1, "4p", ("4p", "4p")), ev.Discard(0, "7s"), ev.Ryukyoku(), ev.EndRound()]
        assert codes(play) == set()

    def test_a_player_may_win_on_a_tile_that_they_discarded(self) -> None:
        ready = (*(f"{rank}s" for rank in range(1, 10)), "2p", "2p", "2p", "5p")
        deal = ev.StartRound("E", kyoku=2, oya=1, tehais=(("?",) * 13, ready, *(("?",) * 13,) * 2))
        play = [deal, ev.Draw(1, "5p"), ev.Discard(1, "5p"), ev.Draw(2, "?"), ev.Discard(2, "5p")]
        play += [ev.Win(1, 2, "5p", deltas=(-8, 45, -29, -8), fan=21), ev.EndRound()]
        assert codes(play) == set()
        assert "R042" in codes(play, game="riichi")

    def test_results_alone_follow_in_any_order(self) -> None:
        win = ev.Win(0, 1, deltas=(8, -8, 0, 0))
        rounds = [Round([ev.StartRound("E", kyoku=kyoku, oya=kyoku - 1), win]) for kyoku in (4, 4, 2, 1)]
        match = Match(rounds=rounds, opening=[ev.StartGame()], closing=[ev.EndGame()])
        for rules in (UNSET, Rules(game="mcr"), Rules(game="hongkong")):
            found = {finding.code for finding in mjconv.check(structs.replace(match, rules=rules))}
            assert found <= {"O010"}
