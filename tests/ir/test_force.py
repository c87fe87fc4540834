"""Play continues after an event that the table refuses."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.force import force
from mjconv.ir.match import Meld
from mjconv.ir.table import CALLED, DECLARED, DISCARDED, DRAWN, KAN, WON, IllegalPlayError, Table

HANDS = [
    ["1m", "2m", "3m", "5p", "5p", "5p", "E"],
    ["1s", "2s", "3s", "9p", "9p", "9p", "9p"],
    ["4m", "5m", "6m", "7m"],
    ["?", "?", "?", "?"],
]


@pytest.fixture
def table() -> Table:
    return Table(HANDS)


def refused(table: Table, event: ev.Event) -> Table:
    """Apply an event that the table must refuse."""
    with pytest.raises(IllegalPlayError):
        Table.apply(table, event)
    assert force(table, event)
    return table


def test_a_draw_out_of_turn_is_the_turn_of_who_draws(table: Table) -> None:
    refused(table, ev.Draw(2, "8m"))
    assert (table.turn, table.drawn, table.phase, table.hands[2][-1]) == (2, "8m", DRAWN, "8m")
    table.apply(ev.Discard(2, "8m", tsumogiri=True))


def test_a_tile_that_is_not_held_is_discarded_and_the_hand_keeps_its_own(table: Table) -> None:
    table.apply(ev.Draw(0, "9s"))
    refused(table, ev.Discard(0, "C", tsumogiri=False))
    assert table.rivers[0] == ["C"]
    assert table.hands[0] == [*HANDS[0], "9s"]
    assert (table.phase, table.last_actor, table.last_tile, table.drawn) == (DISCARDED, 0, "C", None)
    table.apply(ev.Draw(1, "4s"))


def test_a_hidden_hand_gives_any_tile_also_when_forced(table: Table) -> None:
    refused(table, ev.Discard(3, "C", tsumogiri=False))
    assert table.hands[3] == ["?", "?", "?"]


@pytest.mark.parametrize(
    ("call", "kind", "phase"),
    [
        (ev.Chi(0, 2, "4m", ("2m", "3m")), "chi", CALLED),
        (ev.Pon(0, 1, "5p", ("5p", "5p")), "pon", CALLED),
        (ev.Daiminkan(0, 1, "5p", ("5p", "5p", "5p")), "daiminkan", KAN),
    ],
)
def test_a_call_on_nothing_is_laid_out(table: Table, call: ev.Event, kind: str, phase: str) -> None:
    refused(table, call)
    [meld] = table.melds[0]
    assert meld.kind == kind
    assert (table.turn, table.phase) == (0, phase)
    assert len(table.hands[0]) == 7 - len(call.consumed)
    assert table.kans == (kind == "daiminkan")


def test_a_kakan_without_a_pon_is_a_kan_of_its_own(table: Table) -> None:
    refused(table, ev.Kakan(2, "7m", ("7m", "7m", "7m")))
    assert table.melds[2] == [Meld("kakan", ("7m", "7m"), "7m", UNSET, "7m")]
    table.apply(ev.Draw(2, "1m"))


def test_a_kakan_out_of_turn_joins_its_pon(table: Table) -> None:
    table.melds[1] = [Meld("pon", ("1s", "1s"), "1s", 0)]
    refused(table, ev.Kakan(1, "1s", ("1s", "1s", "1s")))
    assert table.melds[1] == [Meld("kakan", ("1s", "1s"), "1s", 0, "1s")]
    assert (table.kans, table.last_tile, table.hands[1]) == (1, "1s", HANDS[1][1:])


def test_an_ankan_out_of_turn_waits_for_its_draw(table: Table) -> None:
    refused(table, ev.Ankan(1, ("9p", "9p", "9p", "9p")))
    assert (table.turn, table.phase, table.kans) == (1, KAN, 1)
    assert table.hands[1] == ["1s", "2s", "3s"]


def test_a_north_that_is_not_held_is_set_aside_and_is_no_kan(table: Table) -> None:
    refused(table, ev.Nukidora(1))
    assert (table.melds[1][-1].own, table.kans, table.phase) == (("N",), 0, KAN)


def test_riichi_out_of_turn_waits_for_its_discard(table: Table) -> None:
    refused(table, ev.Riichi(2))
    assert (table.turn, table.phase) == (2, DECLARED)
    table.apply(ev.Discard(2, "7m", tsumogiri=False))
    table.apply(ev.RiichiAccepted(2))
    refused(table, ev.RiichiAccepted(2))


def test_a_win_that_cannot_be_is_followed_by_other_wins(table: Table) -> None:
    refused(table, ev.Win(1, 2))
    assert (table.winners, table.phase) == ([1], WON)


@pytest.mark.parametrize("event", [ev.Draw(4, "1m"), ev.Pon(0, 5, "1m", ("1m", "1m")), ev.Win(-1, 0)])
def test_a_player_whom_the_game_has_not_moves_nothing(table: Table, event: ev.Event) -> None:
    assert not force(table, event)
    assert table.hands == HANDS
    assert table.winners == []


def test_what_is_never_refused_is_played_as_ever(table: Table) -> None:
    assert force(table, ev.Dora("1m"))
    assert force(table, ev.EndRound())
    assert table.phase == "the end of the round"


@pytest.mark.parametrize(
    "event",
    [
        ev.Pon(3, 2, "7m", ("7m", "7m")),
        ev.Chi(0, 3, "4m", ("3m", "5m")),
        ev.Daiminkan(0, 3, "5p", ("5p", "5p", "5pr")),
    ],
)
def test_a_call_that_is_refused_has_taken_nothing(event: ev.Event) -> None:
    table = Table([HANDS[0], HANDS[1], HANDS[2], ["7m", "4m", "5p", "1s"]])
    table.turn = table.last_actor = event.target  # type: ignore[union-attr]
    table.last_tile, table.phase = event.pai, DISCARDED  # type: ignore[union-attr]
    hands = [list(hand) for hand in table.hands]
    with pytest.raises(IllegalPlayError, match="does not hold"):
        table.apply(event)
    assert table.hands == hands


def test_an_ankan_that_is_refused_has_taken_nothing(table: Table) -> None:
    table.apply(ev.Draw(0, "E"))
    with pytest.raises(IllegalPlayError, match="does not hold 5p"):
        table.apply(ev.Ankan(0, ("5p", "5p", "5p", "5p")))
    assert table.hands[0] == [*HANDS[0], "E"]
