"""Each refusal of the table is reported once: each code with an event that breaks its rule, and a legal one."""

from __future__ import annotations

from judged import READY, codes, dealt, findings, turn

from mjconv.ir import events as ev

DEAL = dealt({0: READY, 1: "1m 1m 1m 2m 3m 9m 9m 1p 1p 4p 9s N N"})
AROUND = [turn(seat, "9s", "?") for seat in (2, 3)]


def errors(*events: object) -> list[str]:
    return [code for code in codes(*events) if code != "O009"]


def test_a_discard_that_is_not_held() -> None:
    assert errors(DEAL, turn(0, "9m", "W")) == ["R005"]
    assert errors(DEAL, turn(0, "2m", "W")) == []


def test_a_call_with_tiles_that_are_not_held() -> None:
    assert errors(DEAL, turn(0, "W"), ev.Pon(1, 0, "W", ("W", "W"))) == ["R005"]
    assert errors(DEAL, turn(0, "N"), ev.Pon(1, 0, "N", ("N", "N"))) == []


def test_what_follows_from_a_tile_that_is_not_held_is_not_told_again() -> None:
    """It is not known which tile was meant: neither the hand nor the call on it is checked any more."""
    wrong = turn(0, "9m", "W")
    assert errors(
        DEAL, wrong, ev.Pon(1, 0, "N", ("N", "N")), ev.Discard(1, "1m"), *AROUND, turn(0, "9m", "C")
    ) == ["R005"]


def test_tsumogiri_of_another_tile() -> None:
    draw = ev.Draw(1, "W")
    assert errors(DEAL, turn(0, "W"), draw, ev.Discard(1, "9s", tsumogiri=True)) == ["R006"]
    assert errors(DEAL, turn(0, "W"), draw, ev.Discard(1, "9s", tsumogiri=False)) == []
    assert errors(DEAL, turn(0, "W"), draw, ev.Discard(1, "W", tsumogiri=True)) == []


def test_a_tile_of_the_hand_that_can_only_be_the_one_drawn() -> None:
    assert errors(DEAL, turn(0, "W"), ev.Draw(1, "W"), ev.Discard(1, "W", tsumogiri=False)) == ["R006"]
    assert errors(DEAL, turn(0, "W"), ev.Draw(1, "N"), ev.Discard(1, "N", tsumogiri=False)) == []


def test_the_dealer_s_first_tile_may_count_to_the_hand() -> None:
    assert errors(DEAL, ev.Draw(0, "W"), ev.Discard(0, "W", tsumogiri=False)) == []


def test_tsumogiri_after_a_call() -> None:
    pon = turn(0, "N"), ev.Pon(1, 0, "N", ("N", "N"))
    assert errors(DEAL, *pon, ev.Discard(1, "9s", tsumogiri=True)) == ["R006"]
    assert errors(DEAL, *pon, ev.Discard(1, "9s", tsumogiri=False)) == []


def test_a_call_of_another_tile() -> None:
    assert errors(DEAL, turn(0, "W"), ev.Pon(1, 0, "N", ("N", "N"))) == ["R009"]


def test_tiles_that_make_no_meld() -> None:
    assert errors(DEAL, turn(0, "4m"), ev.Chi(1, 0, "4m", ("3m", "9m"))) == ["R011"]
    assert errors(DEAL, turn(0, "4m"), ev.Chi(1, 0, "4m", ("2m", "3m"))) == []
    assert errors(DEAL, turn(0, "W"), ev.Draw(1, "1m"), ev.Ankan(1, ("1m", "1m", "1m", "2m"))) == ["R011"]


def test_a_kakan_without_a_pon() -> None:
    pon = turn(0, "N"), ev.Pon(1, 0, "N", ("N", "N")), ev.Discard(1, "9s", tsumogiri=False), *AROUND, turn(0, "W")
    assert errors(DEAL, *pon, ev.Draw(1, "9m"), ev.Kakan(1, "9m", ("9m", "9m", "9m"))) == ["R012"]
    assert errors(DEAL, *pon, ev.Draw(1, "N"), ev.Kakan(1, "N", ("N", "N", "N"))) == []


def test_turns_are_told_by_the_order_alone() -> None:
    """The wrong player draws: the table would refuse that, and the discard that follows, as well."""
    wrong = ev.Draw(2, "C"), ev.Discard(1, "1m")
    assert [code[0] for code in errors(DEAL, turn(0, "W"), *wrong)] == ["O"]


def test_an_act_out_of_turn_that_the_order_allows() -> None:
    """A win without a target is a self-drawn one, and nothing was drawn."""
    assert errors(DEAL, turn(0, "W"), ev.Win(1)) == ["R007"]
    assert "R007" not in errors(DEAL, turn(0, "W"), ev.Draw(1, "9s"), ev.Win(1))


def test_players_that_the_game_does_not_have() -> None:
    won = dealt({}, seats=3), turn(0, "9p", "?")
    assert errors(*won, ev.Win(1, 0, liable=3)) == ["R008"]
    assert errors(*won, ev.Win(1, 0, liable=2)) == []


def test_a_player_that_the_game_does_not_have_is_told_once() -> None:
    assert errors(dealt({}, seats=3), turn(0, "9p", "?"), turn(3, "9p", "?")) == ["O002"]


def test_points_of_another_number_of_players() -> None:
    drawn = dealt({0: READY}), turn(0, "W")
    short, whole = ev.Ryukyoku(deltas=(0, 0, 0)), ev.Ryukyoku(deltas=(0, 0, 0, 0))
    assert "R008" in errors(*drawn, short)
    assert "R008" not in errors(*drawn, whole)


def test_where_a_finding_is() -> None:
    [finding] = [
        each for each in findings(DEAL, turn(0, "W"), ev.Draw(1, "1m"), ev.Discard(1, "P")) if each.code == "R005"
    ]
    assert finding.message == "south (player 1) does not hold P"
    assert (finding.match, finding.round, finding.event, finding.label, finding.actor, finding.turn) == (
        0,
        0,
        4,
        "S1-0",
        1,
        1,
    )
