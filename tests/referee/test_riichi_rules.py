"""The rules of riichi: each code with what breaks its rule, and with the legal neighbour."""

from __future__ import annotations

from typing import Any

from judged import READY, codes, dealt, findings, riichi, turn

from mjconv.ir import events as ev
from mjconv.ir.match import House

DEAL = dealt({0: READY})
AROUND = [turn(seat, "9m", "?") for seat in (1, 2, 3)]


def errors(*events: Any, house: House | None = None) -> list[str]:
    return [code for code in codes(*events, house=house) if code != "O009"]


def test_riichi_as_it_should_be_is_not_told() -> None:
    assert errors(DEAL, riichi(0, "W"), *AROUND, turn(0, "N")) == []


def test_an_open_hand() -> None:
    beside = "4m 1m 1m 1m 9m 9m 1s 1s 9s 9s E E E"
    open_hand = dealt({0: READY.replace("2m 3m 4m", "2m 3m 9p"), 3: beside})
    chi = (
        turn(0, "9p", "W"),
        *(turn(seat, "8p", "?") for seat in (1, 2)),
        turn(3, "4m", "?"),
        ev.Chi(0, 3, "4m", ("2m", "3m")),
    )
    played = *chi, ev.Discard(0, "W", tsumogiri=False), *(turn(seat, "1p", "?") for seat in (1, 2, 3))
    assert errors(open_hand, *played, riichi(0, "N")) == ["R030"]
    assert errors(open_hand, *played, turn(0, "N")) == []


def test_a_concealed_kan_leaves_the_hand_closed() -> None:
    four = dealt({0: "1m 1m 1m 2p 3p 4p 6p 7p 8p 3s 4s 9s 9s"})
    kan = ev.Draw(0, "1m"), ev.Ankan(0, ("1m",) * 4), ev.Dora("N")
    assert errors(four, *kan, riichi(0, "W")) == []


def test_a_hand_that_is_not_tenpai() -> None:
    apart = dealt({0: READY.replace("5s 5s", "1p 9p")})
    found = [each for each in findings(apart, riichi(0, "W")) if each.code == "R031"]
    assert [(each.event, each.message) for each in found] == [
        (2, "east (player 0) declares riichi, but the hand is not tenpai")
    ]


def test_a_riichi_discard_that_leaves_tenpai() -> None:
    play = ev.Draw(0, "W"), ev.Riichi(0), ev.Discard(0, "2m", tsumogiri=False), ev.RiichiAccepted(0)
    found = [each for each in findings(DEAL, *play) if each.code == "R031"]
    assert [(each.event, each.message) for each in found] == [
        (3, "east (player 0) declares riichi and discards 2m, but the hand is not tenpai")
    ]


def test_a_record_that_breaks_off_at_the_riichi() -> None:
    apart = dealt({0: READY.replace("5s 5s", "1p 9p")})
    assert "R031" in errors(apart, ev.Draw(0, "W"), ev.Riichi(0))
    assert "R031" not in errors(DEAL, ev.Draw(0, "W"), ev.Riichi(0))


def test_hidden_hands_are_not_judged() -> None:
    assert errors(dealt({}), riichi(0, "W"), *AROUND, ev.Draw(0, "?"), ev.Discard(0, "1m")) == []


def test_fewer_than_a_thousand_points() -> None:
    poor = dealt({0: READY}, scores=(900, 33700, 32700, 32700))
    rich = dealt({0: READY}, scores=(1000, 33000, 33000, 33000))
    assert errors(poor, riichi(0, "W")) == ["R032"]
    assert errors(rich, riichi(0, "W")) == []
    assert errors(poor, riichi(0, "W"), house=House(riichi_in_debt=True)) == []


def test_no_draw_left() -> None:
    def late(left: int) -> tuple[Any, ...]:
        """Draw until so many tiles are left, and declare."""
        draws = 70 - left - 1
        waiting = [turn(number % 4, "?", "?") for number in range(draws)]
        return *waiting, riichi(draws % 4, "W")

    assert errors(dealt({}), *late(4)) == []
    assert errors(dealt({}), *late(3)) == ["R033"]
    assert errors(dealt({}), *late(3), house=House(late_riichi=True)) == []


def test_another_tile_than_the_one_drawn() -> None:
    assert errors(DEAL, riichi(0, "W"), *AROUND, turn(0, "2m", "N")) == ["R034"]
    drawn = ev.Draw(0, "2m")
    assert errors(DEAL, riichi(0, "W"), *AROUND, drawn, ev.Discard(0, "2m", tsumogiri=False)) == ["R034"]
    assert errors(DEAL, riichi(0, "W"), *AROUND, drawn, ev.Discard(0, "2m", tsumogiri=True)) == []


def test_a_north_of_the_hand_in_riichi() -> None:
    norths = "2p 3p 4p 5p 6p 7p 2s 3s 4s 6s 7s N N"
    deal = dealt({0: norths}, seats=3)
    others = [turn(seat, "9m", "?") for seat in (1, 2)]
    aside = ev.Nukidora(0, "N"), ev.Draw(0, "?")
    assert errors(deal, riichi(0, "W"), *others, ev.Draw(0, "N"), *aside) == []
    assert errors(deal, riichi(0, "W"), *others, ev.Draw(0, "C"), *aside) == ["R034"]


KAN = "1m 1m 1m 2p 3p 4p 6p 7p 8p 3s 4s 9s 9s"


def test_a_kan_in_riichi_that_keeps_the_waits() -> None:
    deal = dealt({0: KAN})
    kan = ev.Ankan(0, ("1m",) * 4), ev.Dora("N"), ev.Draw(0, "?")
    assert errors(deal, riichi(0, "W"), *AROUND, ev.Draw(0, "1m"), *kan) == []


def test_a_kan_in_riichi_that_changes_the_waits() -> None:
    deal = dealt({0: KAN.replace("1m 1m 1m 2p", "2p 2p 2p 2s")})
    kan = ev.Ankan(0, ("2p",) * 4), ev.Dora("N"), ev.Draw(0, "?")
    assert errors(deal, riichi(0, "W"), *AROUND, ev.Draw(0, "2p"), *kan) == ["R035"]


def test_a_kan_in_riichi_of_another_tile_than_the_one_drawn() -> None:
    deal = dealt({0: KAN.replace("6p 7p 8p", "1m 7p 8p")})
    kan = ev.Ankan(0, ("1m",) * 4), ev.Dora("N"), ev.Draw(0, "?")
    assert "R035" in errors(deal, riichi(0, "W"), *AROUND, ev.Draw(0, "C"), *kan)


def test_a_second_riichi() -> None:
    assert errors(DEAL, riichi(0, "W"), *AROUND, ev.Draw(0, "N"), ev.Riichi(0)) == ["R036"]
