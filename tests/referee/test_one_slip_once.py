"""One thing that is wrong is reported once: a finding that only follows from it is not reported."""

from __future__ import annotations

from typing import Any

import pytest
from judged import READY, codes, dealt, riichi, turn

from mjconv.ir import events as ev
from mjconv.ir.match import House, Match, Round
from mjconv.referee.referee import check

DEAL = dealt({0: READY})


def reported(*events: Any, house: House | None = None) -> list[str]:
    return [code for code in codes(*events, house=house) if code != "O009"]


def test_a_riichi_of_the_wrong_player() -> None:
    """Player 1 is in riichi by the record, and plays on as they are not."""
    draw, discard = turn(0, "W")
    of_another = draw, ev.Riichi(1), discard, ev.RiichiAccepted(0)
    known = dealt({0: READY, 1: "1m 2m 9m 1p 4p 7p 1s 4s 7s E S C C"})
    rounds = [turn(1, "1m", "N"), turn(2, "9m", "?"), turn(3, "9m", "?"), turn(0, "P"), turn(1, "2m", "N")]
    assert reported(known, of_another, *rounds) == ["O002"]


def test_a_player_in_riichi_goes_astray_once() -> None:
    hidden = [turn(seat, "?", "?") for seat in (1, 2, 3)]
    assert reported(DEAL, riichi(0, "W"), *hidden, turn(0, "2m", "N"), *hidden, turn(0, "3m", "P")) == ["R034"]


def test_a_riichi_that_waits_on_the_fifth_tile_of_a_kind() -> None:
    own_fifth = dealt({0: "1s 1s 1s 1s 2m 3m 4m 5m 6m 7m 7p 8p 9p"})
    assert reported(own_fifth, riichi(0, "E"), house=House(fifth_wait=False)) == ["R031"]
    assert reported(own_fifth, riichi(0, "E"), house=House(fifth_wait=True)) == []


@pytest.mark.parametrize("slip", ["missing", "twice"])
def test_a_draw_that_is_missing_or_told_twice_leaves_the_wall_unknown(slip: str) -> None:
    play: list[ev.Event] = [event for number in range(70) for event in turn(number % 4, "?", "?")]
    play[40:41] = [] if slip == "missing" else [play[40]] * 2
    assert reported(dealt({}), *play, ev.Ryukyoku(deltas=(0, 0, 0, 0))) == ["O001"]


def test_a_draw_told_twice_is_no_fifth_tile() -> None:
    three = dealt({0: READY.replace("2m 3m 4m", "S S S")})
    assert reported(three, ev.Draw(0, "S"), ev.Draw(0, "S"), ev.Discard(0, "S", tsumogiri=True)) == ["O001"]


def test_a_win_on_a_discard_that_is_not_held() -> None:
    other = dealt({0: READY, 1: "1m 1m 1m 2m 3m 9m 9m 1p 1p 4p 9s N N"})
    assert reported(other, turn(0, "W"), ev.Draw(1, "E"), ev.Discard(1, "F"), ev.Win(0, target=1)) == ["R005"]


def match_of(*rounds: list[Any]) -> list[str]:
    played = [Round([*events, ev.EndRound()]) for events in rounds]
    return [each.code for each in check(Match(opening=[ev.StartGame()], rounds=played, closing=[ev.EndGame()]))]


WON = [DEAL, *turn(0, "W"), *turn(1, "8s", "?")]


def after(*scores: int) -> list[Any]:
    return [dealt({}, honba=1, scores=scores), ev.Ryukyoku(deltas=(0, 0, 0, 0), tenpais=(False,) * 4)]


def test_deltas_that_do_not_add_up_are_not_told_again_at_the_next_deal() -> None:
    wrong = [*WON, ev.Win(0, target=1, deltas=(2900, -2800, 0, 0))]
    assert match_of(wrong, after(27900, 22100, 25000, 25000)) == ["R050"]
    right = [*WON, ev.Win(0, target=1, deltas=(2900, -2900, 0, 0))]
    assert match_of(right, after(27900, 22200, 25000, 25000)) == ["R064"]


def test_a_deal_that_is_missing() -> None:
    won = [*WON, ev.Win(0, target=1, deltas=(2900, -2900, 0, 0)), ev.EndRound()]
    lost = [*turn(0, "W"), *turn(1, "9m", "W"), *turn(2, "W"), ev.Win(0, target=2, deltas=(1000, 0, -1000, 0))]
    assert match_of([*won, *lost], after(28900, 22100, 24000, 25000)) == ["O007"]


def test_honba_and_sticks_of_a_deal_that_do_not_follow_are_told_there_alone() -> None:
    first = [*WON, ev.Win(0, target=1, deltas=(2900, -2900, 0, 0))]
    scores = (27900, 22100, 25000, 25000)
    for values, code in (({"honba": 2}, "R062"), ({"honba": 1, "kyotaku": 1}, "R063")):
        second = [dealt({0: READY}, scores=scores, **values), *turn(0, "W"), *turn(1, "8s", "?")]
        assert match_of(first, [*second, ev.Win(0, target=1, deltas=(3200, -3200, 0, 0))]) == [code]
