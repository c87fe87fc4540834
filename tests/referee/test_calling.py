"""The rules of calls: each code with what breaks its rule, and with the legal neighbour."""

from __future__ import annotations

from typing import Any

import pytest
from judged import READY, codes, dealt, riichi, turn

from mjconv.ir import events as ev
from mjconv.ir.match import House

CALLER = "3p 4p 5p 5pr 1s 1s 2s 3s 4s 5s 6s N N"
DEAL = dealt({1: CALLER})


def errors(*events: Any, house: House | None = None) -> list[str]:
    return [code for code in codes(*events, house=house) if code != "O009"]


def called(call: ev.Chi | ev.Pon, discard: str) -> tuple[Any, ...]:
    return turn(0, call.pai, "?"), call, ev.Discard(1, discard, tsumogiri=False)


PON = called(ev.Pon(1, 0, "N", ("N", "N")), "1s")
AROUND = [turn(seat, "9m", "?") for seat in (2, 3, 0)]


def test_a_kakan_of_the_tiles_of_its_pon() -> None:
    red = called(ev.Pon(1, 0, "5p", ("5p", "5pr")), "1s")
    added = ev.Draw(1, "5p")
    assert errors(DEAL, *red, *AROUND, added, ev.Kakan(1, "5p", ("5p", "5pr", "5p"))) == []
    assert errors(DEAL, *red, *AROUND, added, ev.Kakan(1, "5p", ("5p", "5p", "5p"))) == ["R013"]


def drawn_out(last: int, *, seats: int = 4) -> list[Any]:
    """Play hidden tiles until `last` are left."""
    total = {4: 70, 3: 55}[seats] - last
    return [turn(number % seats, "?", "?") for number in range(total)]


def test_no_call_when_no_tile_is_left() -> None:
    pon = ev.Pon(3, 1, "?", ("?", "?")), ev.Discard(3, "?")
    assert errors(dealt({}), *drawn_out(0), *pon) == ["R014"]
    assert errors(dealt({}), *drawn_out(1), ev.Pon(3, 0, "?", ("?", "?")), ev.Discard(3, "?")) == []


def test_no_kan_when_no_tile_is_left() -> None:
    last = ev.Draw(1, "?"), ev.Ankan(1, ("?",) * 4)
    assert errors(dealt({}), *drawn_out(1), *last) == ["R014"]
    assert errors(dealt({}), *drawn_out(2), ev.Draw(0, "?"), ev.Ankan(0, ("?",) * 4)) == []


WAITING = "2m 3m 4m 5p 6p 7p 2s 3s 4s 5s 5s 6s 7s"


def test_no_call_by_a_player_in_riichi() -> None:
    deal = dealt({0: WAITING})
    chi = ev.Chi(0, 3, "5s", ("6s", "7s")), ev.Discard(0, "2m", tsumogiri=False)
    others = [turn(1, "9m", "?"), turn(2, "9m", "?"), turn(3, "5s", "?")]
    assert errors(deal, riichi(0, "W"), *others, *chi) == ["R015"]
    assert errors(deal, turn(0, "W"), *others, *chi) == []


@pytest.mark.parametrize(
    ("call", "discard", "swapped"),
    [
        (ev.Chi(1, 0, "3s", ("1s", "2s")), "3s", True),
        (ev.Chi(1, 0, "6s", ("4s", "5s")), "3s", True),
        (ev.Chi(1, 0, "3s", ("4s", "5s")), "6s", True),
        (ev.Chi(1, 0, "3s", ("2s", "4s")), "3s", True),
        (ev.Chi(1, 0, "3s", ("2s", "4s")), "6s", False),
        (ev.Chi(1, 0, "3s", ("4s", "5s")), "2s", False),
        (ev.Chi(1, 0, "5p", ("3p", "4p")), "5pr", True),
        (ev.Chi(1, 0, "5p", ("3p", "4p")), "N", False),
        (ev.Pon(1, 0, "5p", ("5p", "5pr")), "4p", False),
        (ev.Pon(1, 0, "1s", ("1s", "1s")), "2s", False),
    ],
)
def test_swap_calling(call: ev.Chi | ev.Pon, discard: str, swapped: bool) -> None:
    assert errors(DEAL, *called(call, discard)) == (["R016"] if swapped else [])
    assert errors(DEAL, *called(call, discard), house=House(swap_calling=True)) == []


def test_a_pon_and_its_fourth_tile() -> None:
    deal = dealt({1: CALLER.replace("6s", "N")})
    assert errors(deal, *called(ev.Pon(1, 0, "N", ("N", "N")), "N")) == ["R016"]
    later = [*AROUND, turn(1, "N", "9m")]
    assert errors(deal, *PON, *later) == []


def test_a_fifth_kan() -> None:
    def kans(count: int) -> list[Any]:
        kan = ev.Ankan(0, ("?",) * 4), ev.Dora("?"), ev.Draw(0, "?")
        other = ev.Discard(0, "?"), ev.Draw(1, "?"), ev.Ankan(1, ("?",) * 4), ev.Dora("?"), ev.Draw(1, "?")
        return [ev.Draw(0, "?"), *[kan] * min(count, 4), *[other] * (count - 4)]

    assert "R017" not in errors(dealt({}), *kans(4))
    assert errors(dealt({}), *kans(5)).count("R017") == 1


def test_no_chi_where_three_play() -> None:
    three = dealt({1: CALLER}, seats=3)
    assert errors(three, *called(ev.Chi(1, 0, "3s", ("1s", "2s")), "N")) == ["R018"]
    assert errors(three, *PON) == []


def test_what_is_set_aside() -> None:
    norths = "9m 1p 2p 3p 4p 5p 6p 7p 8p 9p 1s N C"
    aside = ev.Draw(0, "P"), ev.Nukidora(0, "N"), ev.Draw(0, "?")
    assert errors(dealt({0: norths}, seats=3), *aside) == []
    assert errors(dealt({0: norths}), *aside) == ["R020"]
    assert errors(dealt({0: norths}, seats=3), ev.Draw(0, "P"), ev.Nukidora(0, "C"), ev.Draw(0, "?")) == ["R020"]


def test_a_game_without_dora_is_played_by_general_rules_alone() -> None:
    general = dealt({1: CALLER}, dora_marker="?")
    assert errors(general, *called(ev.Chi(1, 0, "6s", ("4s", "5s")), "3s")) == []


def test_a_hand_that_is_ready_may_be_called_from() -> None:
    assert errors(dealt({0: READY}), turn(0, "2m", "W")) == []
