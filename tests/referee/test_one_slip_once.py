"""One fault is reported once: a finding that only follows from it is not reported."""

from typing import Any

from judged import READY, check_cases, dealt, flat, riichi, turn
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.referee.referee import check

DEAL = dealt({0: READY})


def test_a_finding_that_follows_from_another_is_not_reported() -> None:
    draw, discard = turn(0, "W")
    # Player 1 is in riichi by the record, and plays on as if they were not.
    of_another = draw, ev.Riichi(1), discard, ev.RiichiAccepted(0)
    known = dealt({0: READY, 1: "1m 2m 9m 1p 4p 7p 1s 4s 7s E S C C"})
    rest = [turn(1, "1m", "N"), turn(2, "9m", "?"), turn(3, "9m", "?"), turn(0, "P"), turn(1, "2m", "N")]
    hidden = [turn(seat, "?", "?") for seat in (1, 2, 3)]
    other = dealt({0: READY, 1: "1m 1m 1m 2m 3m 9m 9m 1p 1p 4p 9s N N"})
    every = flat([turn(number % 4, "?", "?") for number in range(70)])
    drawn = ev.Ryukyoku(deltas=(0, 0, 0, 0))
    three = dealt({0: READY.replace("2m 3m 4m", "S S S")})
    cases = {
        "a riichi of the wrong player": ("O002", known, of_another, rest),
        "two turns against riichi": (
            *("R034", DEAL, riichi(0, "W"), hidden, turn(0, "2m", "N"), hidden, turn(0, "3m", "P")),
        ),
        "a draw that is missing": ("O001", dealt({}), every[:40], every[41:], drawn),
        "a draw that is written twice": ("O001", dealt({}), every[:41], every[40:], drawn),
        "a draw of a fourth tile that is written twice": ("O001", three, ev.Draw(0, "S"), turn(0, "S")),
        "a win on a discard that is not held": (
            *("R005", other, turn(0, "W"), ev.Draw(1, "E"), ev.Discard(1, "F"), ev.Win(0, target=1)),
        ),
    }
    check_cases(cases)


def match_of(*rounds: list[Any]) -> list[str]:
    played = [Round([*events, ev.EndRound()]) for events in rounds]
    return [each.code for each in check(Match(opening=[ev.StartGame()], rounds=played, closing=[ev.EndGame()]))]


THROWN = [DEAL, *turn(0, "W"), *turn(1, "8s", "?")]
WON = [*THROWN, ev.Win(0, target=1, deltas=(2900, -2900, 0, 0))]


def after(*scores: int) -> list[Any]:
    return [dealt({}, honba=1, scores=scores), ev.Ryukyoku(deltas=(0, 0, 0, 0), tenpais=(False,) * 4)]


def test_deltas_that_do_not_add_up_are_not_reported_again_at_the_next_deal() -> None:
    wrong = [*THROWN, ev.Win(0, target=1, deltas=(2900, -2800, 0, 0))]
    assert match_of(wrong, after(27900, 22100, 25000, 25000)) == ["R050"]
    assert match_of(WON, after(27900, 22200, 25000, 25000)) == ["R064"]


def test_a_deal_that_is_missing() -> None:
    lost = [*turn(0, "W"), *turn(1, "9m", "W"), *turn(2, "W"), ev.Win(0, target=2, deltas=(1000, 0, -1000, 0))]
    assert match_of([*WON, ev.EndRound(), *lost], after(28900, 22100, 24000, 25000)) == ["O007"]


def test_wrong_honba_and_sticks_of_a_deal_are_reported_there_alone() -> None:
    scores = (27900, 22100, 25000, 25000)
    for values, code in (({"honba": 2}, "R062"), ({"honba": 1, "kyotaku": 1}, "R063")):
        second = [dealt({0: READY}, scores=scores, **values), *THROWN[1:]]
        assert match_of(WON, [*second, ev.Win(0, target=1, deltas=(3200, -3200, 0, 0))]) == [code]
