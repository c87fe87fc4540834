"""The tiles are those of one set: each code with what breaks its rule, and with the legal neighbour."""

from __future__ import annotations

from typing import Any

from judged import READY, codes, dealt, findings, turn

from mjconv.ir import events as ev
from mjconv.ir.match import House, Match, Round
from mjconv.referee.referee import check

#: Three of the white dragon, and both fives of characters that are not dealt elsewhere.
WHITE = "1m 2m 3m 4m 5m 5mr 7m 8m 9m 1p P P P"


def test_a_fifth_copy() -> None:
    deal = dealt({0: WHITE})
    fourth = turn(0, "P"), turn(1, "9s", "?")
    assert codes(deal, *fourth, turn(2, "P", "?")) == ["R001", "O009"]
    assert codes(deal, *fourth, turn(2, "C", "?")) == ["O009"]


def test_a_tile_too_many_is_told_where_it_is_first_seen_and_once() -> None:
    """Where four hold what one hand of a set can, the second is one too many of the red five already."""
    found = findings(dealt({0: WHITE, 1: WHITE}), turn(0, "P"), turn(1, "P"))
    assert [(each.code, each.event, each.actor) for each in found if each.code[0] == "R"] == [
        ("R002", 0, 1),
        ("R001", 0, 1),
    ]


def test_indicators_are_tiles_of_the_set() -> None:
    assert codes(dealt({0: WHITE}, dora_marker="P"), turn(0, "P")) == ["R001", "O009"]
    assert codes(dealt({0: READY}, dora_marker="P"), turn(0, "P")) == ["O009"]


def test_ura_indicators_are_counted_once_for_all_winners() -> None:
    in_riichi = [
        (ev.Draw(seat, "W"), ev.Riichi(seat), ev.Discard(seat, "W", tsumogiri=True), ev.RiichiAccepted(seat))
        for seat in (1, 2)
    ]
    wins = [ev.Win(seat, 3, ura_markers=("P",)) for seat in (1, 2)]
    three = turn(0, "C"), *in_riichi, turn(3, "8s", "?")
    deal = dealt({0: WHITE.replace("5mr", "6m"), 1: READY.replace("4m", "6m"), 2: READY.replace("4m", "6m")})
    assert codes(deal, *three, *wins).count("R001") == 0


def test_a_fifth_copy_that_a_hidden_hand_shows() -> None:
    deal = dealt({0: WHITE})
    pon = turn(0, "P"), ev.Pon(2, 0, "P", ("P", "P"))
    assert codes(deal, *pon, ev.Discard(2, "9s")) == ["R001", "O009"]


def test_a_hand_of_which_a_hidden_tile_was_discarded_is_counted_no_more() -> None:
    unseen = ev.Draw(0, "C"), ev.Discard(0, "?")
    around = [turn(seat, "9s", "?") for seat in (1, 2, 3)]
    assert codes(dealt({0: WHITE}), unseen, *around, turn(0, "P", "?"), turn(1, "P", "?")) == ["O009"]


def test_red_fives() -> None:
    deal = dealt({0: READY.replace("5p", "5pr")})
    assert codes(deal, turn(0, "5pr")) == ["R002", "O009"]
    assert codes(deal, turn(0, "5p")) == ["O009"]
    assert codes(deal, turn(0, "5pr"), house=House(reds=(1, 2, 1))) == ["O009"]


def test_a_game_that_says_it_has_no_red_fives() -> None:
    def judged(*, aka: bool) -> list[str]:
        played = Round([dealt({0: READY}), *turn(0, "5mr"), ev.Ryukyoku(), ev.EndRound()])
        match = Match(opening=[ev.StartGame(aka_flag=aka)], rounds=[played], closing=[ev.EndGame()])
        return [finding.code for finding in check(match) if finding.code == "R002"]

    assert judged(aka=False) == ["R002"]
    assert judged(aka=True) == []


def on_the_wall(wall: tuple[str, ...], *events: Any) -> list[str]:
    played = Round([dealt({0: READY}), *events, ev.EndRound()], wall=wall)
    match = Match(opening=[ev.StartGame()], rounds=[played], closing=[ev.EndGame()])
    return [finding.code for finding in check(match)]


def test_a_tile_that_the_wall_does_not_hold() -> None:
    wall = (*READY.split(), "9p", "W", "N")
    assert on_the_wall(wall, *turn(0, "W")) == ["O009"]
    assert on_the_wall(wall, *turn(0, "S")) == ["R003", "O009"]
    assert on_the_wall((*wall, "?"), *turn(0, "S")) == ["O009"]


def test_tiles_that_three_players_lack() -> None:
    three = "1m 9m 1p 2p 3p 4p 5p 6p 7p 8p 9p 1s 2s"
    assert codes(dealt({0: three}, seats=3), turn(0, "5m")) == ["R004", "O009"]
    assert codes(dealt({0: three}, seats=3), turn(0, "9m")) == ["O009"]
    assert codes(dealt({0: three}), turn(0, "5m")) == ["O009"]


def test_a_hand_that_is_not_of_thirteen() -> None:
    assert codes(dealt({0: READY.removesuffix(" 7s")}), turn(0, "W")) == ["R019", "O009"]


def test_a_set_of_flowers_and_high_ranks() -> None:
    hands = (("1f", "16m", "10p", *("?",) * 10), *(("?",) * 13,) * 3)
    deal = ev.StartRound("E", kyoku=1, oya=0, tehais=hands)
    replaced = ev.Nukidora(0, "1f"), ev.Draw(0, "16m")
    assert codes(deal, *replaced, turn(0, "16m")) == ["O009"]
    assert codes(deal, *replaced, ev.Draw(0, "1f"), ev.Nukidora(0, "1f"), ev.Draw(0, "9p")) == ["R001", "O009"]
