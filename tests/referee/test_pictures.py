"""Pictures of the table at a finding: round, hands, calls, rivers, in tiles that a person can read."""

from typing import Any

from judged import READY, dealt, riichi, turn
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.referee.picture import short
from mjconv.referee.referee import check

SHOWN = """
S1-0, 66 tiles left to draw, dora indicators 9p
E (player 0), 24000 points, in riichi
  hand   234m 567p 2345567s + N
  river  W*
S (player 1), 25000 points
  hand   ?????????????
  river  (E)
W (player 2), 25000 points
  hand   40m 667p PPPC?
  calls  pon EE + E from S (player 1)
  river  9s
N (player 3), 25000 points
  hand   ?????????????
  river  P
"""
DEAL = dealt({0: READY, 2: "4m 5mr 6p 6p 7p E E P P P C 9s ?"})


def pictures(*events: Any, level: Any = "rules") -> list[str]:
    flat = [event for part in (DEAL, *events) for event in (part if isinstance(part, tuple) else (part,))]
    match = Match(opening=[ev.StartGame()], rounds=[Round(flat)], closing=[ev.EndGame()])
    found = check(match, level=level, pictures=True)
    return [finding.picture or "" for finding in found if finding.severity == "error"]


def test_tiles_of_a_suit_are_together_and_a_red_five_is_0() -> None:
    assert short(["1m", "2m", "5mr", "9m", "1p", "5sr", "9s", "E", "C"]) == "1209m 1p 09s EC"
    assert short([]) == ""
    assert short(["16m", "9p", "?", "?"]) == "(16)m 9p ??"


def test_the_table_before_an_impossible_act() -> None:
    called = turn(1, "E", "?"), ev.Pon(2, 1, "E", ("E", "E")), ev.Discard(2, "9s")
    then = ev.Draw(3, "?"), ev.Discard(3, "P"), ev.Draw(0, "N"), ev.Discard(0, "1m")
    [shown] = pictures(riichi(0, "W"), *called, *then)
    assert f"\n{shown}\n" == SHOWN


def test_findings_of_the_order_have_pictures_too() -> None:
    wrong = turn(0, "W"), ev.Draw(2, "1s")
    by_order, by_rules = pictures(*wrong, level="order"), pictures(*wrong)
    assert by_order == by_rules
    assert "E (player 0), 25000 points\n  hand   234m 567p 2345567s\n  river  W\n" in by_order[0]


def test_without_being_asked_for_there_is_none() -> None:
    match = Match(opening=[ev.StartGame()], rounds=[Round([DEAL, *turn(0, "9m", "W")])], closing=[ev.EndGame()])
    assert {finding.picture for finding in check(match)} == {None}
