"""Play continues after an event that the table refuses."""

import pytest
from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.match import Meld
from mjconv.ir.table import CALLED, DECLARED, DISCARDED, DRAWN, KAN, RIICHI_ACCEPTED, WON, IllegalPlayError, Table

HANDS = list(map(str.split, ("1m 2m 3m 5p 5p 5p E", "1s 2s 3s 9p 9p 9p 9p", "4m 5m 6m 7m", "? ? ? ?")))


@pytest.fixture
def table() -> Table:
    return Table(HANDS)


def refused(table: Table, event: ev.Event) -> Table:
    """Apply an event that a strict table must refuse. Return a table that is not strict, after the event."""
    with pytest.raises(IllegalPlayError) as caught:
        table.apply(event)
    lenient = table.copy()
    lenient.strict = False
    lenient.apply(event)
    [noted] = lenient.impossible
    assert (noted.event, str(noted.error), noted.error.rule) == (event, str(caught.value), caught.value.rule)
    assert table.play_anyway(event)
    assert state(table) == {**state(lenient), "strict": True, "impossible": []}
    return table


def state(table: Table) -> dict[str, object]:
    return {name: getattr(table, name) for name in Table.__slots__}


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


def test_a_hidden_hand_gives_any_tile_also_out_of_turn(table: Table) -> None:
    refused(table, ev.Discard(3, "C", tsumogiri=False))
    assert table.hands[3] == ["?", "?", "?"]


def test_a_call_on_nothing_is_laid_out() -> None:
    for call, kind, phase in (
        (ev.Chi(0, 2, "4m", ("2m", "3m")), "chi", CALLED),
        (ev.Pon(0, 1, "5p", ("5p", "5p")), "pon", CALLED),
        (ev.Daiminkan(0, 1, "5p", ("5p", "5p", "5p")), "daiminkan", KAN),
    ):
        table = refused(Table(HANDS), call)
        [meld] = table.melds[0]
        assert meld.kind == kind, call
        assert (table.turn, table.phase) == (0, phase), call
        assert len(table.hands[0]) == 7 - len(call.consumed), call
        assert table.kans == (kind == "daiminkan"), call


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
    assert not table.play_anyway(event)
    lenient = Table(HANDS, strict=False)
    lenient.apply(event)
    [noted] = lenient.impossible
    assert noted.event is event
    assert table.hands == lenient.hands == HANDS
    assert table.winners == []


def test_what_is_never_refused_is_played_as_ever(table: Table) -> None:
    assert table.play_anyway(ev.Dora("1m"))
    assert table.play_anyway(ev.EndRound())
    assert table.phase == "the end of the round"


def test_a_call_that_is_refused_has_taken_nothing() -> None:
    chi, kan = ev.Chi(0, 3, "4m", ("3m", "5m")), ev.Daiminkan(0, 3, "5p", ("5p", "5p", "5pr"))
    for event in (ev.Pon(3, 2, "7m", ("7m", "7m")), chi, kan):
        table = Table([HANDS[0], HANDS[1], HANDS[2], ["7m", "4m", "5p", "1s"]])
        table.turn = table.last_actor = event.target  # type: ignore[union-attr]
        table.last_tile, table.phase = event.pai, DISCARDED  # type: ignore[union-attr]
        hands = [list(hand) for hand in table.hands]
        with pytest.raises(IllegalPlayError, match="does not hold"):
            table.apply(event)
        assert table.hands == hands, event


def test_an_ankan_that_is_refused_has_taken_nothing(table: Table) -> None:
    table.apply(ev.Draw(0, "E"))
    with pytest.raises(IllegalPlayError, match="does not hold 5p"):
        table.apply(ev.Ankan(0, ("5p", "5p", "5p", "5p")))
    assert table.hands[0] == [*HANDS[0], "E"]


class TestTableThatIsNotStrict:
    def test_possible_play_is_not_noted(self) -> None:
        table = Table(HANDS, strict=False)
        for event in (ev.Draw(0, "9s"), ev.Discard(0, "9s", tsumogiri=True), ev.Draw(1, "5p")):
            table.apply(event)
        assert table.impossible == []
        assert (table.turn, table.drawn) == (1, "5p")

    def test_each_impossible_event_is_noted_once_with_its_first_fault(self) -> None:
        table = Table(HANDS, strict=False)
        # Out of turn, and the tile is not held.
        table.apply(ev.Discard(2, "C", tsumogiri=False))
        table.apply(ev.Draw(3, "E"))
        table.apply(ev.Kakan(3, "E", ("E", "E", "E")))
        assert [(type(noted.event), noted.error.rule) for noted in table.impossible] == [
            (ev.Discard, "turn"), (ev.Kakan, "pon"),
        ]  # fmt: skip

    def test_a_deal_can_be_played_leniently(self) -> None:
        table = Table.dealt(ev.StartRound(oya=1, tehais=(("1m",) * 13,) * 4), strict=False)
        table.apply(ev.Draw(0, "E"))
        assert table.hands[0][-1] == "E"
        assert [str(noted.error) for noted in table.impossible] == ["player 0 draws, where player 1 is next"]

    def test_melds_kans_and_riichi_after_impossible_play(self) -> None:
        table = Table(HANDS, strict=False)
        table.apply(ev.Pon(0, 1, "5p", ("5p", "5pr")))
        assert table.hands[0] == ["1m", "2m", "3m", "5p", "5p", "E"]
        # A self drawn win after a kakan leaves the kan.
        table = Table(HANDS, strict=False)
        table.melds[1] = [Meld("pon", ("1s", "1s"), "1s", 0)]
        table.apply(ev.Kakan(1, "1s", ("1s", "1s", "1s")))
        table.apply(ev.Win(1, 1))
        assert table.melds[1][0].kind == "kakan"
        assert len(table.impossible) == 2
        # A second riichi leaves the first accepted.
        table = Table(HANDS, strict=False)
        for event in (ev.Draw(0, "9s"), ev.Riichi(0), ev.Discard(0, "9s"), ev.RiichiAccepted(0), ev.Riichi(0)):
            table.apply(event)
        assert table.riichi[0] == RIICHI_ACCEPTED
        assert [type(noted.event) for noted in table.impossible] == [ev.Riichi]
