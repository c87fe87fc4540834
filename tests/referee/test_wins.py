"""Wins: each code with what breaks its rule, and with the legal neighbour."""

from __future__ import annotations

from typing import Any

import pytest
from judged import READY, codes, dealt, findings, riichi, tiles, turn

from mjconv.ir import events as ev
from mjconv.ir.match import House

DEAL = dealt({0: READY})
FIRST = turn(0, "W")
THROWN = turn(1, "8s", "?")
WON = ev.Win(0, target=1, deltas=(2900, -2900, 0, 0))


def test_a_win_as_it_should_be_is_not_told() -> None:
    assert codes(DEAL, FIRST, THROWN, WON) == []


def test_a_hand_that_is_not_complete() -> None:
    assert codes(DEAL, FIRST, turn(1, "9s", "?"), WON) == ["R040"]
    assert codes(DEAL, FIRST, turn(1, "5s", "?"), ev.Win(0, target=1)) == []


def test_an_incomplete_hand_is_listed_sorted() -> None:
    [finding] = findings(DEAL, FIRST, turn(1, "1m", "?"), WON)
    assert finding.message == (
        "east (player 0) wins with 1m 2m 3m 4m 5p 6p 7p 2s 3s 4s 5s 5s 6s 7s, which is no complete hand"
    )


def test_a_self_drawn_hand_that_is_not_complete() -> None:
    rest = [turn(seat, "9m", "?") for seat in (1, 2, 3)]
    assert codes(DEAL, FIRST, *rest, ev.Draw(0, "P"), ev.Win(0, target=0)) == ["R040"]
    assert codes(DEAL, FIRST, *rest, ev.Draw(0, "8s"), ev.Win(0, target=0)) == []


NO_YAKU = "2m 3m 4m 5p 6p 7p 2s 3s 4s 6s 7s N N"


def test_a_hand_without_yaku() -> None:
    deal = dealt({0: NO_YAKU.replace("N N", "E E")})
    assert codes(deal, FIRST, THROWN, ev.Win(0, target=1)) == ["R041"]
    # In riichi it has one.
    assert codes(deal, riichi(0, "W"), turn(1, "9m", "?"), turn(2, "8s", "?"), ev.Win(0, target=2)) == []
    # The pair of a wind that is nobody's is a pinfu.
    assert codes(dealt({0: NO_YAKU}), FIRST, THROWN, ev.Win(0, target=1)) == []


def test_open_simples_are_a_matter_of_the_house() -> None:
    deal = dealt({0: "2m 3m 4m 5p 6p 2s 3s 4s 5s 5s 6s 6s 7s", 3: "7p 1m 1m 1m 9m 9m 9m 1s 1s 1s E E E"})
    play = FIRST, turn(1, "9m", "?"), turn(2, "9p", "?"), turn(3, "7p", "P")
    called = ev.Chi(0, 3, "7p", ("5p", "6p")), ev.Discard(0, "6s", tsumogiri=False), THROWN, ev.Win(0, target=1)
    assert codes(deal, *play, *called) == []
    assert codes(deal, *play, *called, house=House(open_tanyao=False)) == ["R041"]


def test_a_winner_who_discarded_what_they_wait_for() -> None:
    round_two = turn(1, "9m", "?"), turn(2, "9m", "?"), turn(3, "9m", "?"), turn(0, "W")
    assert codes(DEAL, turn(0, "5sr"), *round_two, THROWN, ev.Win(0, target=1)) == ["R042"]
    assert codes(DEAL, turn(0, "4s"), *round_two, THROWN, ev.Win(0, target=1)) == []


def test_a_discard_that_was_called_keeps_its_player_in_furiten() -> None:
    called = ev.Pon(2, 0, "5s", ("?", "?")), ev.Discard(2, "9m", tsumogiri=False)
    rest = turn(3, "9m", "?"), turn(0, "W"), THROWN
    assert codes(DEAL, turn(0, "5s"), *called, *rest, ev.Win(0, target=1)) == ["R042"]


def test_furiten_is_no_matter_to_a_self_drawn_win() -> None:
    round_two = turn(1, "8s", "?"), turn(2, "9m", "?"), turn(3, "9m", "?")
    assert codes(DEAL, turn(0, "8s"), *round_two, ev.Draw(0, "5s"), ev.Win(0, target=0)) == []


def test_a_winner_who_passed_a_tile_in_the_same_turn() -> None:
    passed = DEAL, FIRST, turn(1, "5sr", "?")
    assert codes(*passed, turn(2, "8s", "?"), ev.Win(0, target=2)) == ["R043"]
    rest = turn(2, "9m", "?"), turn(3, "9m", "?"), turn(0, "N")
    assert codes(*passed, *rest, THROWN, ev.Win(0, target=1)) == []


def test_a_call_does_not_end_a_turn_before_the_discard() -> None:
    passed = DEAL, FIRST, turn(1, "9m", "?"), turn(2, "5s", "?"), turn(3, "4s", "?")
    called = ev.Chi(0, 3, "4s", ("2s", "3s")), ev.Discard(0, "4s", tsumogiri=False)
    # Passed, and then called and discarded: the turn is another one.
    assert "R043" not in codes(*passed, *called, THROWN, ev.Win(0, target=1))


def test_a_winner_who_passed_a_tile_in_riichi() -> None:
    passed = DEAL, riichi(0, "W"), turn(1, "5s", "?"), turn(2, "9m", "?"), turn(3, "9m", "?"), turn(0, "N")
    assert codes(*passed, THROWN, ev.Win(0, target=1)) == ["R043"]
    drawn = turn(1, "1m", "?"), turn(2, "1m", "?"), turn(3, "1m", "?"), ev.Draw(0, "8s"), ev.Win(0, target=0)
    assert codes(*passed, *drawn) == []


def test_a_kakan_that_was_passed_counts_and_a_concealed_kan_does_not() -> None:
    others = {2: "8s 8s 1m 1m 1m 9m 9m 9m 1p 1p 1p E E", 3: "8s 9p 9p 9p 1s 1s 1s 9s 9s 9s E E P"}
    pon = ev.Pon(2, 3, "8s", ("8s", "8s")), ev.Discard(2, "1m", tsumogiri=False), turn(3, "P", "S")
    kan = (
        ev.Draw(2, "8s"),
        ev.Kakan(2, "8s", ("8s", "8s", "8s")),
        ev.Draw(2, "N"),
        ev.Discard(2, "N", tsumogiri=True),
    )
    play = (
        dealt({0: READY, **others}), FIRST, turn(1, "9m", "?"), turn(2, "E", "C"), turn(3, "8s", "F"),
        *pon, riichi(0, "N"), turn(1, "S", "?"), *kan, ev.Dora("1m"), turn(3, "S", "N"), turn(0, "9s"),
    )  # fmt: skip
    assert "R043" in codes(*play, turn(1, "5s", "?"), ev.Win(0, target=1))
    hidden = ev.Draw(1, "?"), ev.Ankan(1, ("8s",) * 4), ev.Dora("1m"), ev.Draw(1, "?")
    play = DEAL, FIRST, *hidden, ev.Discard(1, "9m", tsumogiri=False), turn(2, "5s", "?")
    assert codes(*play, ev.Win(0, target=2)) == []


#: Thirteen orphans that wait for C; four groups and a pair that wait for 6m and 9m.
ORPHANS = "1m 1m 9m 1p 9p 1s 9s E S W N P F"
GROUPS = "7m 8m 5p 6p 7p 2s 3s 4s 6s 7s 8s 2p 2p"


def robbed(tile: str) -> tuple[Any, ...]:
    """Seat 1 makes a concealed kan."""
    return ev.Draw(1, "?"), ev.Ankan(1, (tile,) * 4)


def test_only_thirteen_orphans_rob_a_concealed_kan() -> None:
    win = ev.Win(0, target=1)
    thrown = turn(0, "3p")
    assert codes(dealt({0: ORPHANS}), thrown, robbed("C"), win) == []
    assert codes(dealt({0: GROUPS}), thrown, robbed("9m"), win) == ["R048"]
    assert codes(DEAL, FIRST, robbed("8s"), win) == ["R048"]
    # The indicator may be turned before the win.
    assert codes(DEAL, FIRST, robbed("8s"), ev.Dora("1m"), win) == ["R048"]
    # The value of such a win is not compared.
    assert codes(DEAL, FIRST, robbed("8s"), ev.Win(0, target=1, fan=3, deltas=(7700, -7700, 0, 0))) == ["R048"]


def test_a_hidden_hand_that_robs_a_concealed_kan_may_be_thirteen_orphans() -> None:
    win = ev.Win(0, target=1)
    assert codes(dealt({}), FIRST, robbed("C"), win) == []
    assert codes(dealt({}), FIRST, robbed("8s"), win) == ["R048"]
    called = turn(1, "N", "?"), ev.Pon(0, 1, "N", ("?", "?")), ev.Discard(0, "W", tsumogiri=False)
    assert codes(dealt({}), turn(0, "W", "?"), *called, robbed("C"), win) == ["R048"]


@pytest.mark.parametrize("own", [("8s", "8s", "?"), ("8s", "8s", "8s")])
def test_an_added_kan_is_robbed_by_any_hand_and_counts_chankan(own: tuple[str, ...]) -> None:
    called = ev.Pon(1, 3, "8s", ("8s", "8s")), ev.Discard(1, "9m", tsumogiri=False), turn(2, "9m", "?")
    play = DEAL, FIRST, turn(1, "1m", "?"), turn(2, "1m", "?"), turn(3, "8s", "?"), *called, turn(3, "9m", "?")
    play = *play, turn(0, "9s"), ev.Draw(1, "8s"), ev.Kakan(1, "8s", own)
    # Pinfu, all simples and chankan. The hand passed an 8s, but in an earlier turn.
    assert "R046" not in codes(*play, ev.Win(0, target=1, fan=3))
    assert "R046" in codes(*play, ev.Win(0, target=1, fan=2))


def test_another_winning_tile() -> None:
    win = ev.Win(0, target=1, pai="7s")
    assert codes(DEAL, FIRST, THROWN, win) == ["R044"]
    assert codes(DEAL, FIRST, THROWN, ev.Win(0, target=1, pai="8s")) == []
    assert codes(DEAL, FIRST, THROWN, ev.Win(0, target=1, pai="?")) == []


def test_another_hand_shown() -> None:
    other = tiles(READY.replace("2m", "1m"))
    assert codes(DEAL, FIRST, THROWN, ev.Win(0, target=1, hora_tehais=other)) == ["R045"]
    for shown in (tiles(READY), (*tiles(READY), "8s"), ("?",) * 13):
        assert codes(DEAL, FIRST, THROWN, ev.Win(0, target=1, hora_tehais=shown)) == []


@pytest.mark.parametrize(
    "values",
    [
        {"fan": 3},
        {"fu": 40},
        {"yakus": (("pinfu", 1),)},
        {"yakus": (("pinfu", 1), ("ipeko", 1))},
    ],
)
def test_another_value(values: dict[str, Any]) -> None:
    assert codes(DEAL, FIRST, THROWN, ev.Win(0, target=1, **values)) == ["R046"]


@pytest.mark.parametrize(
    "values",
    [
        {"fan": 2, "fu": 30, "yakus": (("tanyaochu", 1), ("pinfu", 1))},
        {"yakus": (("Tanyao", 1), ("Pinfu", 1))},
    ],
)
def test_the_value_as_it_is(values: dict[str, Any]) -> None:
    assert codes(DEAL, FIRST, THROWN, ev.Win(0, target=1, **values)) == []


def test_other_points() -> None:
    assert codes(DEAL, FIRST, THROWN, ev.Win(0, target=1, hora_points=2000)) == ["R047"]
    assert codes(DEAL, FIRST, THROWN, ev.Win(0, target=1, hora_points=2900)) == []
    honba = dealt({0: READY}, honba=2)
    for points in (2900, 3500):
        assert codes(honba, FIRST, THROWN, ev.Win(0, target=1, hora_points=points)) == []


def test_ura_that_is_not_said_may_be_any() -> None:
    play = dealt({0: READY}), riichi(0, "W"), turn(1, "9m", "?"), turn(2, "8s", "?")
    # Double riichi, ippatsu, pinfu, all simples: five, and the ura.
    for fan in (5, 6, 7, 8):
        assert codes(*play, ev.Win(0, target=2, fan=fan)) == []
    assert codes(*play, ev.Win(0, target=2, fan=4)) == ["R046"]
    assert codes(*play, ev.Win(0, target=2, fan=6, ura_markers=("1m",))) == []
    assert codes(*play, ev.Win(0, target=2, fan=7, ura_markers=("1m",))) == ["R046"]


def test_a_hand_that_is_not_known_is_not_judged() -> None:
    assert codes(dealt({}), FIRST, THROWN, ev.Win(0, target=1, fan=99, pai="8s")) == []


def test_a_win_that_cannot_be_is_told_once() -> None:
    assert codes(DEAL, FIRST, THROWN, ev.Win(0, target=2, deltas=(1, 2, 3, 4))) == ["O003"]
