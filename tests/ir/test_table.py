"""The table: its state after each event, the events that it refuses, and the reasons."""

from collections.abc import Sequence

import pytest

from logs import Log, logs
from mjconv.ir import events as ev
from mjconv.ir.match import Meld
from mjconv.ir.stream import host_events
from mjconv.ir.table import (
    CALLED,
    DEALT,
    DECLARED,
    DISCARDED,
    DRAWN,
    KAN,
    NO_RIICHI,
    OVER,
    RIICHI_ACCEPTED,
    RIICHI_DECLARED,
    WON,
    IllegalPlayError,
    Table,
)
from mjconv.rules.succession import starts
from trips import read

HANDS = [
    ["1m", "2m", "3m", "4m", "E", "E", "E", "5p", "5pr", "9s", "9s", "9s", "N"],
    ["2m", "3m", "5m", "5mr", "E", "6p", "7p", "1s", "1s", "1s", "1s", "P", "P"],
    ["1m", "1m", "1m", "9s", "5p", "5p", "5p", "C", "C", "F", "F", "W", "W"],
    ["9m", "9m", "9m", "4m", "6m", "2p", "2p", "3s", "4s", "5sr", "S", "S", "N"],
]
HIDDEN_HANDS = [["?"] * 13] * 4

draw, discard = ev.Draw, ev.Discard


def table(*events: ev.Event, hands: Sequence[Sequence[str]] = HANDS, oya: int = 0) -> Table:
    played = Table(hands, oya)
    for event in events:
        played.apply(event)
    return played


def refusal(*events: ev.Event, hands: Sequence[Sequence[str]] = HANDS, oya: int = 0) -> str:
    """Play all events except the last one. Return the reason for which the table refuses that one."""
    played = table(*events[:-1], hands=hands, oya=oya)
    with pytest.raises(IllegalPlayError) as caught:
        played.apply(events[-1])
    return str(caught.value)


#: The dealer draws and discards E.
E_DISCARDED = (draw(0, "8s"), discard(0, "E"))
PON = (*E_DISCARDED, ev.Pon(1, 0, "E", ("?", "?")))


class TestDraw:
    def test_the_dealer_draws_first(self) -> None:
        assert table().phase is DEALT
        played = table(draw(2, "8s"), oya=2)
        assert (played.phase, played.turn, played.drawn) == (DRAWN, 2, "8s")
        assert played.hands[2] == [*HANDS[2], "8s"]

    def test_then_each_after_the_one_who_discarded(self) -> None:
        played = table(
            *[event for seat in (2, 3, 0, 1) for event in (draw(seat, "8s"), discard(seat, "8s"))], oya=2
        )
        assert (played.last_actor, played.rivers) == (1, [["8s"]] * 4)

    def test_draws_are_counted_with_replacements_of_kans_and_of_flowers(self) -> None:
        assert table(*E_DISCARDED, draw(1, "8s")).draws == 2
        assert table(draw(1, "1s"), ev.Ankan(1, ("1s",) * 4), draw(1, "9p"), oya=1).draws == 2
        assert table(ev.Nukidora(1, "1f"), draw(1, "9p"), hands=[["1m"], ["1f"], ["2m"], ["3m"]]).draws == 1
        with pytest.raises(IllegalPlayError):
            (played := table()).apply(draw(2, "8s"))
        assert played.draws == 0

    def test_another_than_the_dealer_is_refused(self) -> None:
        assert refusal(draw(1, "8s")) == "player 1 draws, where player 0 is next"

    def test_another_than_the_next_is_refused(self) -> None:
        assert refusal(*E_DISCARDED, draw(2, "8s")) == "player 2 draws, where player 1 is next"

    def test_a_second_draw_is_refused(self) -> None:
        assert refusal(draw(0, "8s"), draw(0, "8s")) == "player 0 draws, where the table waits for a discard"

    def test_after_a_call_it_is_refused(self) -> None:
        chi = ev.Chi(1, 0, "4m", ("2m", "3m"))
        assert refusal(draw(0, "8s"), discard(0, "4m"), chi, draw(1, "8s")) == (
            "player 1 draws, where the table waits for a discard after a call"
        )

    def test_after_a_win_or_the_end_it_is_refused(self) -> None:
        assert refusal(*E_DISCARDED, ev.Win(1, 0), draw(1, "8s")) == (
            "player 1 draws, where the table waits for another win or the end of the round"
        )
        assert (
            refusal(ev.Ryukyoku(), draw(0, "8s"))
            == "player 0 draws, where the table waits for the end of the round"
        )


class TestDiscard:
    def test_a_tile_of_the_hand_goes_to_the_river(self) -> None:
        played = table(*E_DISCARDED)
        assert (played.phase, played.last_actor, played.last_tile, played.drawn) == (DISCARDED, 0, "E", None)
        assert played.rivers[0] == ["E"]
        assert played.hands[0] == [
            tile for place, tile in enumerate([*HANDS[0], "8s"]) if place != HANDS[0].index("E")
        ]

    def test_before_the_first_draw_it_is_refused(self) -> None:
        assert refusal(discard(0, "E")) == "player 0 discards, where the table waits for the dealer's first draw"

    def test_out_of_turn_it_is_refused(self) -> None:
        assert refusal(draw(0, "8s"), discard(1, "E")) == (
            "player 1 discards, where the table waits for a discard of player 0"
        )

    def test_twice_it_is_refused(self) -> None:
        assert refusal(*E_DISCARDED, discard(0, "E")) == (
            "player 0 discards, where the table waits for a draw, a call or a win"
        )

    def test_of_a_tile_that_is_not_held_it_is_refused(self) -> None:
        assert refusal(draw(0, "8s"), discard(0, "C")) == "player 0 does not hold C"
        assert refusal(draw(0, "8s"), discard(0, "5m")) == "player 0 does not hold 5m"

    def test_a_red_five_is_not_a_plain_one(self) -> None:
        assert refusal(draw(1, "8s"), discard(1, "5m"), draw(2, "8s"), discard(2, "5pr"), oya=1) == (
            "player 2 does not hold 5pr"
        )

    def test_as_drawn_of_another_tile_than_drawn_it_is_refused(self) -> None:
        assert refusal(draw(0, "8s"), discard(0, "E", tsumogiri=True)) == (
            "player 0 discards E as the tile just drawn, but drew 8s"
        )

    def test_as_drawn_after_a_call_it_is_refused(self) -> None:
        called = (draw(0, "8s"), discard(0, "4m"), ev.Chi(1, 0, "4m", ("2m", "3m")))
        assert refusal(*called, discard(1, "P", tsumogiri=True)) == (
            "player 1 discards P as the tile just drawn, but drew nothing"
        )

    def test_as_drawn_after_a_hidden_draw_any_tile_may_be(self) -> None:
        played = table(draw(0, "?"), discard(0, "C", tsumogiri=True))
        assert played.hands[0] == HANDS[0]

    def test_from_the_hand_of_the_only_copy_that_was_drawn_is_let_pass(self) -> None:
        """Real logs have such play: it is unwise, but possible."""
        assert table(draw(0, "8s"), discard(0, "8s", tsumogiri=False)).rivers[0] == ["8s"]


class TestCalls:
    CHI = ev.Chi(1, 0, "4m", ("2m", "3m"))
    FOUR = (draw(0, "8s"), discard(0, "4m"))

    def test_a_chi_takes_two_tiles_and_the_turn(self) -> None:
        played = table(*self.FOUR, self.CHI)
        assert (played.phase, played.turn, played.drawn) == (CALLED, 1, None)
        assert played.melds[1] == [Meld("chi", ("2m", "3m"), "4m", 0)]
        assert "2m" not in played.hands[1]
        assert played.rivers[0] == ["4m"]

    def test_a_pon_may_be_made_by_anyone_else(self) -> None:
        played = table(
            draw(0, "8s"), discard(0, "9s"), draw(1, "1m"), discard(1, "1m"), ev.Pon(2, 1, "1m", ("1m", "1m"))
        )
        assert (played.phase, played.turn) == (CALLED, 2)
        assert played.melds[2] == [Meld("pon", ("1m", "1m"), "1m", 1)]

    def test_a_pon_takes_red_and_plain_fives_alike(self) -> None:
        played = table(draw(0, "5m"), discard(0, "5m"), ev.Pon(1, 0, "5m", ("5mr", "5m")))
        assert played.melds[1] == [Meld("pon", ("5mr", "5m"), "5m", 0)]

    def test_a_daiminkan_is_followed_by_a_draw_of_its_own(self) -> None:
        kan = ev.Daiminkan(2, 0, "1m", ("1m", "1m", "1m"))
        played = table(draw(0, "8s"), discard(0, "1m"), kan)
        assert (played.phase, played.turn, played.kans) == (KAN, 2, 1)
        played.apply(draw(2, "3p"))
        assert played.phase is DRAWN

    @pytest.mark.parametrize(
        ("call", "reason"),
        [
            (ev.Chi(2, 0, "4m", ("2m", "3m")), "player 2 makes a chi from player 0, not its left"),
            (ev.Chi(0, 0, "4m", ("2m", "3m")), "player 0 makes a chi from player 0, not its left"),
            (ev.Chi(1, 0, "4m", ("2m", "5m")), "4m with 2m 5m is no run"),
            (ev.Chi(1, 0, "4m", ("4m", "5m")), "4m with 4m 5m is no run"),
            (ev.Chi(1, 0, "4m", ("5m", "5mr")), "4m with 5m 5mr is no run"),
            (ev.Chi(1, 0, "4m", ("2p", "3p")), "4m with 2p 3p is no run"),
            (ev.Chi(1, 0, "E", ("S", "W")), "E with S W is no run"),
            (ev.Chi(1, 0, "3m", ("2m", "4m")), "player 1 calls 3m, where 4m was discarded"),
            (ev.Chi(1, 0, "4m", ("5m", "6m")), "player 1 does not hold 6m"),
            (ev.Pon(1, 0, "4m", ("4m", "3m")), "4m with 4m 3m are not alike"),
            (ev.Pon(1, 0, "4m", ("4m", "4m")), "player 1 does not hold 4m"),
            (ev.Pon(1, 2, "4m", ("4m", "4m")),
             "player 1 calls pon on player 2, where the table waits for a draw, a call or a win"),
            (ev.Pon(0, 0, "4m", ("4m", "4m")),
             "player 0 calls pon on player 0, where the table waits for a draw, a call or a win"),
            (ev.Daiminkan(1, 0, "4m", ("4m", "4m", "4s")), "4m with 4m 4m 4s are not alike"),
            (ev.Daiminkan(1, 0, "5m", ("5m", "5m", "5m")), "player 1 calls 5m, where 4m was discarded"),
            (ev.Pon(7, 0, "4m", ("4m", "4m")), "there is no player 7: the game has 4"),
            (ev.Daiminkan(-1, 0, "4m", ("4m",) * 3), "there is no player -1: the game has 4"),
        ],
    )  # fmt: skip
    def test_calls_that_cannot_be_are_refused(self, call: ev.Event, reason: str) -> None:
        assert refusal(*self.FOUR, call) == reason

    def test_a_call_on_nothing_is_refused(self) -> None:
        assert refusal(self.CHI) == (
            "player 1 calls chi on player 0, where the table waits for the dealer's first draw"
        )
        assert refusal(draw(0, "8s"), self.CHI) == (
            "player 1 calls chi on player 0, where the table waits for a discard of player 0"
        )

    def test_a_tile_is_called_once(self) -> None:
        assert refusal(*self.FOUR, self.CHI, ev.Pon(3, 0, "4m", ("4m", "4m"))) == (
            "player 3 calls pon on player 0, where the table waits for a discard after a call of player 1"
        )

    def test_after_a_kan_nothing_can_be_called(self) -> None:
        kan = ev.Ankan(1, ("1s", "1s", "1s", "1s"))
        assert refusal(draw(1, "8s"), kan, ev.Pon(0, 1, "1s", ("1s", "1s")), oya=1) == (
            "player 0 calls pon on player 1, where the table waits for a replacement draw of player 1"
        )

    def test_the_left_of_the_first_player_is_the_last(self) -> None:
        played = table(
            draw(3, "8s"), discard(3, "3s"), ev.Chi(0, 3, "3s", ("?", "?")), hands=[["?"] * 13, *HANDS[1:]], oya=3
        )
        assert played.turn == 0
        three = table(
            draw(2, "8s"), discard(2, "9s"), ev.Chi(0, 2, "9s", ("?", "?")), hands=[["?"] * 13, *HANDS[1:3]], oya=2
        )
        assert three.turn == 0


class TestOwnKans:
    def test_an_ankan_lays_four_tiles(self) -> None:
        played = table(draw(1, "8s"), ev.Ankan(1, ("1s",) * 4), oya=1)
        assert (played.phase, played.kans, played.melds[1]) == (KAN, 1, [Meld("ankan", ("1s",) * 4)])
        assert "1s" not in played.hands[1]

    def test_a_kakan_adds_to_its_pon(self) -> None:
        called = (draw(0, "8s"), discard(0, "1m"), ev.Pon(2, 0, "1m", ("1m", "1m")), discard(2, "W"))
        turn = [event for seat in (3, 0, 1) for event in (draw(seat, "8s"), discard(seat, "8s"))]
        played = table(*called, *turn, draw(2, "F"), ev.Kakan(2, "1m", ("1m", "1m", "1m")))
        assert played.melds[2] == [Meld("kakan", ("1m", "1m"), "1m", 0, "1m")]
        assert (played.phase, played.last_actor, played.last_tile, played.kans) == (KAN, 2, "1m", 1)

    @pytest.mark.parametrize(
        ("kan", "reason"),
        [
            (ev.Ankan(1, ("1s", "1s", "1s", "2s")), "1s with 1s 1s 1s 2s are not alike"),
            (ev.Ankan(1, ("P", "P", "P", "P")), "player 1 does not hold P"),
            (ev.Ankan(0, ("E",) * 4), "player 0 makes an ankan, where the table waits for a discard of player 1"),
            (ev.Kakan(1, "1s", ("1s",) * 3), "player 1 has no pon that 1s can join"),
            (
                ev.Kakan(2, "1m", ("1m",) * 3),
                "player 2 makes a kakan, where the table waits for a discard of player 1",
            ),
            (ev.Nukidora(1, "N"), "player 1 does not hold N"),
            (ev.Nukidora(3, "N"), "player 3 sets N aside, where the table waits for a discard of player 1"),
        ],
    )
    def test_kans_that_cannot_be_are_refused(self, kan: ev.Event, reason: str) -> None:
        assert refusal(draw(1, "8s"), kan, oya=1) == reason

    def test_a_kakan_needs_the_fourth_tile(self) -> None:
        called = (draw(0, "8s"), discard(0, "1m"), ev.Pon(2, 0, "1m", ("1m", "1m")), discard(2, "1m"))
        turn = [event for seat in (3, 0, 1) for event in (draw(seat, "8s"), discard(seat, "8s"))]
        assert refusal(*called, *turn, draw(2, "F"), ev.Kakan(2, "1m", ("1m",) * 3)) == "player 2 does not hold 1m"

    def test_a_chi_does_not_grow_to_a_kan(self) -> None:
        called = (draw(0, "8s"), discard(0, "4m"), ev.Chi(1, 0, "4m", ("2m", "3m")), discard(1, "P"))
        turn = [event for seat in (2, 3, 0) for event in (draw(seat, "8s"), discard(seat, "8s"))]
        with pytest.raises(IllegalPlayError, match="player 1 has no pon that 2m can join"):
            table(*called, *turn, draw(1, "2m"), ev.Kakan(1, "2m", ("2m", "3m", "4m")))

    def test_right_after_a_call_no_kan_can_be_made(self) -> None:
        called = (draw(0, "8s"), discard(0, "4m"), ev.Chi(1, 0, "4m", ("2m", "3m")))
        assert refusal(*called, ev.Ankan(1, ("1s",) * 4)) == (
            "player 1 makes an ankan, where the table waits for a discard after a call of player 1"
        )

    def test_the_replacement_is_drawn_by_who_made_the_kan(self) -> None:
        kan = (draw(1, "8s"), ev.Ankan(1, ("1s",) * 4))
        assert refusal(*kan, draw(2, "8s"), oya=1) == "player 2 draws, where player 1 is next"
        assert refusal(*kan, discard(1, "8s"), oya=1) == (
            "player 1 discards, where the table waits for a replacement draw of player 1"
        )

    def test_a_north_set_aside_is_replaced_and_is_no_kan(self) -> None:
        for said in (ev.Nukidora(0, "N"), ev.Nukidora(0)):
            played = table(draw(0, "8s"), said, hands=HANDS[:3])
            assert (played.phase, played.kans, played.melds[0]) == (KAN, 0, [Meld("nukidora", ("N",))])
            played.apply(draw(0, "9p"))
            assert played.phase is DRAWN


class TestRiichi:
    DECLARED = (draw(0, "8s"), ev.Riichi(0))

    def test_it_is_declared_discarded_and_accepted(self) -> None:
        played = table(*self.DECLARED)
        assert (played.phase, played.riichi) == (DECLARED, [RIICHI_DECLARED, *[NO_RIICHI] * 3])
        played.apply(discard(0, "8s", tsumogiri=True))
        played.apply(ev.RiichiAccepted(0))
        assert (played.phase, played.riichi[0]) == (DISCARDED, RIICHI_ACCEPTED)

    def test_dora_may_be_turned_between(self) -> None:
        assert table(*self.DECLARED, ev.Dora("1m"), discard(0, "8s"), ev.Dora("1m")).phase is DISCARDED

    @pytest.mark.parametrize(
        ("events", "reason"),
        [
            ([ev.Riichi(0)], "player 0 declares riichi, where the table waits for the dealer's first draw"),
            ([draw(0, "8s"), ev.Riichi(1)],
             "player 1 declares riichi, where the table waits for a discard of player 0"),
            ([*DECLARED, ev.Riichi(0)],
             "player 0 declares riichi, where the table waits for the riichi discard of player 0"),
            ([*DECLARED, discard(1, "E")],
             "player 1 discards, where the table waits for the riichi discard of player 0"),
            ([*DECLARED, ev.Ankan(0, ("E",) * 4)],
             "player 0 makes an ankan, where the table waits for the riichi discard of player 0"),
            ([*DECLARED, ev.RiichiAccepted(0)], "player 0 has declared no riichi that waits to be accepted"),
            ([*E_DISCARDED, ev.RiichiAccepted(0)], "player 0 has declared no riichi that waits to be accepted"),
            ([*E_DISCARDED, ev.RiichiAccepted(4)], "there is no player 4: the game has 4"),
            ([*DECLARED, discard(0, "8s"), ev.RiichiAccepted(0), ev.RiichiAccepted(0)],
             "player 0 has declared no riichi that waits to be accepted"),
        ],
    )  # fmt: skip
    def test_what_cannot_be_is_refused(self, events: list[ev.Event], reason: str) -> None:
        assert refusal(*events) == reason

    def test_twice_it_is_refused(self) -> None:
        turn = [event for seat in (1, 2, 3) for event in (draw(seat, "8s"), discard(seat, "8s"))]
        again = (*self.DECLARED, discard(0, "8s"), ev.RiichiAccepted(0), *turn, draw(0, "8s"), ev.Riichi(0))
        assert refusal(*again) == "player 0 declares riichi twice"


class TestWin:
    def test_by_self_draw(self) -> None:
        for win in (ev.Win(0, 0), ev.Win(0)):
            played = table(draw(0, "8s"), win)
            assert (played.phase, played.winners) == (WON, [0])

    def test_from_a_discard_by_one_or_more(self) -> None:
        played = table(*E_DISCARDED, ev.Win(1, 0), ev.Win(3, 0))
        assert (played.phase, played.winners) == (WON, [1, 3])

    def test_by_robbing_a_kan(self) -> None:
        played = table(draw(1, "8s"), ev.Ankan(1, ("1s",) * 4), ev.Win(2, 1), oya=1)
        assert played.winners == [2]

    def test_of_a_round_known_only_by_its_result(self) -> None:
        assert table(ev.Win(2, 1), hands=HIDDEN_HANDS).winners == [2]
        assert table(ev.Win(2), hands=HIDDEN_HANDS).winners == [2]

    @pytest.mark.parametrize(
        ("events", "reason"),
        [
            ([ev.Win(0, 0)], "player 0 wins by self-draw, where the table waits for the dealer's first draw"),
            ([ev.Win(1, 0)], "player 1 wins from player 0, where the table waits for the dealer's first draw"),
            ([draw(0, "8s"), ev.Win(1, 1)],
             "player 1 wins by self-draw, where the table waits for a discard of player 0"),
            ([draw(0, "8s"), ev.Win(1, 0)],
             "player 1 wins from player 0, where the table waits for a discard of player 0"),
            ([*E_DISCARDED, ev.Win(0, 0)],
             "player 0 wins by self-draw, where the table waits for a draw, a call or a win"),
            ([*E_DISCARDED, ev.Win(1, 2)],
             "player 1 wins from player 2, where player 0 discarded last"),
            ([*E_DISCARDED, ev.Win(1, 0), ev.Win(1, 0)],
             "player 1 wins from player 0, where the table waits for another win or the end of the round"),
            ([*E_DISCARDED, ev.EndRound(), ev.Win(1, 0)],
             "player 1 wins from player 0, where the table waits for the end of the round"),
            ([*E_DISCARDED, ev.Win(9, 0)], "there is no player 9: the game has 4"),
        ],
    )  # fmt: skip
    def test_what_cannot_be_is_refused(self, events: list[ev.Event], reason: str) -> None:
        assert refusal(*events) == reason


class TestHiddenTiles:
    def test_any_tile_may_come_out_of_a_hidden_hand(self) -> None:
        played = table(
            draw(0, "?"), discard(0, "C"), ev.Pon(2, 0, "C", ("C", "C")), discard(2, "F"), hands=HIDDEN_HANDS
        )
        assert played.hands[0] == ["?"] * 13
        assert played.hands[2] == ["?"] * 10

    def test_a_tile_that_is_held_goes_before_a_hidden_one(self) -> None:
        hands = [["1m", "?"], *HANDS[1:]]
        assert table(draw(0, "8s"), discard(0, "1m"), hands=hands).hands[0] == ["?", "8s"]
        assert table(draw(0, "8s"), discard(0, "2m"), hands=hands).hands[0] == ["1m", "8s"]

    def test_where_nobody_saw_what_left_a_hand_all_of_it_becomes_unknown(self) -> None:
        assert table(draw(0, "8s"), discard(0, "?")).hands[0] == ["?"] * 13

    def test_a_hidden_discard_may_be_called_as_anything(self) -> None:
        played = table(draw(0, "8s"), discard(0, "?"), ev.Pon(1, 0, "1s", ("1s", "1s")))
        assert played.melds[1] == [Meld("pon", ("1s", "1s"), "1s", 0)]

    def test_a_call_of_hidden_tiles_is_let_pass(self) -> None:
        played = table(
            draw(0, "8s"), discard(0, "4m"), ev.Chi(1, 0, "4m", ("?", "?")), hands=[HANDS[0], *HIDDEN_HANDS[1:]]
        )
        assert len(played.hands[1]) == 11

    def test_a_kakan_joins_a_pon_whose_own_tiles_nobody_saw(self) -> None:
        called = (draw(0, "C"), discard(0, "C"), ev.Pon(1, 0, "C", ("?", "?")), discard(1, "1m"))
        turn = [event for seat in (2, 3, 0) for event in (draw(seat, "?"), discard(seat, "8s"))]
        played = table(*called, *turn, draw(1, "?"), ev.Kakan(1, "C", ("C", "?", "?")), hands=HIDDEN_HANDS)
        assert played.melds[1] == [Meld("kakan", ("?", "?"), "C", 0, "C")]


class TestOtherSets:
    """Games other than riichi: ranks to 16, the zero, flowers, six players."""

    SIX = (["15m", "16m", "Z", "1p", "2p"], ["9m", "10m", "1f"], ["H"] * 3, ["V"] * 3, ["3f"], ["Z", "Z", "8f"])

    def test_six_players_take_turns(self) -> None:
        turn = [event for seat in (4, 5, 0, 1) for event in (draw(seat, "V"), discard(seat, "V"))]
        assert table(*turn, hands=self.SIX, oya=4).rivers == [["V"], ["V"], [], [], ["V"], ["V"]]

    def test_the_left_of_the_first_of_six_is_the_last(self) -> None:
        chi = ev.Chi(0, 5, "14m", ("15m", "16m"))
        played = table(draw(5, "14m"), discard(5, "14m"), chi, hands=self.SIX, oya=5)
        assert played.melds[0] == [Meld("chi", ("15m", "16m"), "14m", 5)]

    def test_runs_go_over_nine_by_rank(self) -> None:
        chi = ev.Chi(1, 0, "8m", ("9m", "10m"))
        assert table(draw(0, "8m"), discard(0, "8m"), chi, hands=self.SIX).turn == 1

    def test_the_zero_stands_before_the_one_of_any_suit(self) -> None:
        chi = ev.Chi(0, 5, "Z", ("1p", "2p"))
        assert table(draw(5, "9p"), discard(5, "Z"), chi, hands=self.SIX, oya=5).turn == 0

    @pytest.mark.parametrize("consumed", [("15m", "1p"), ("Z", "16m"), ("Z", "2p")])
    def test_no_run_skips_a_rank_or_comes_round(self, consumed: tuple[str, ...]) -> None:
        reason = refusal(draw(5, "1m"), discard(5, "1m"), ev.Chi(0, 5, "1m", consumed), hands=self.SIX, oya=5)
        assert reason == f"1m with {' '.join(consumed)} is no run"

    def test_flowers_and_winds_make_no_run(self) -> None:
        for tile, consumed in (("1f", ("2f", "3f")), ("H", ("V", "E"))):
            reason = refusal(draw(5, tile), discard(5, tile), ev.Chi(0, 5, tile, consumed), hands=self.SIX, oya=5)
            assert reason == f"{tile} with {' '.join(consumed)} is no run"

    def test_compressed_winds_make_triplets(self) -> None:
        pon = ev.Pon(2, 0, "H", ("H", "H"))
        assert table(draw(0, "H"), discard(0, "H"), pon, hands=self.SIX).melds[2][0].own == ("H", "H")


class TestDeal:
    def test_hands_are_those_of_the_deal(self) -> None:
        dealt = Table.dealt(ev.StartRound(oya=1, tehais=tuple(tuple(hand) for hand in HANDS)))
        assert (dealt.hands, dealt.oya, dealt.turn, dealt.all_hidden) == (HANDS, 1, 1, False)

    def test_hands_that_are_not_told_are_hidden_ones(self) -> None:
        assert Table.dealt(ev.StartRound()).hands == HIDDEN_HANDS
        assert Table.dealt(ev.StartRound(scores=(0, 0, 0))).hands == [["?"] * 13] * 3
        assert Table.dealt(ev.StartRound()).all_hidden

    def test_hidden_hands_are_not_one_and_the_same(self) -> None:
        played = Table.dealt(ev.StartRound())
        played.apply(draw(0, "1m"))
        assert [len(hand) for hand in played.hands] == [14, 13, 13, 13]

    def test_a_dealer_who_is_not_there_is_refused(self) -> None:
        with pytest.raises(IllegalPlayError, match="the dealer is player 3, and there are 3 players"):
            Table.dealt(ev.StartRound(oya=3, scores=(0, 0, 0)))

    def test_the_hands_dealt_are_left_as_they_were(self) -> None:
        before = [list(hand) for hand in HANDS]
        table(*E_DISCARDED)
        assert before == HANDS

    def test_a_tile_can_be_asked_for(self) -> None:
        assert table().holds(0, "5pr")
        assert not table().holds(1, "5pr")


def test_what_is_no_play_changes_nothing() -> None:
    talk: list[ev.Event] = [
        ev.StartGame(),
        ev.StartRound(),
        ev.Dora("1m"),
        ev.Pass(),
        ev.Hello(),
        ev.Join(),
        ev.ErrorMessage(),
        ev.EndGame(),
    ]
    for event in talk:
        played = table(draw(0, "8s"), event)
        assert (played.phase, played.hands) == (DRAWN, table(draw(0, "8s")).hands)


def test_a_round_may_end_anywhere() -> None:
    for event in (ev.Ryukyoku(), ev.EndRound()):
        for before in ((), (draw(0, "8s"),), E_DISCARDED, (draw(0, "8s"), ev.Riichi(0))):
            assert table(*before, event).phase is OVER
    assert table(ev.Ryukyoku(), ev.EndRound()).phase is OVER


@pytest.mark.parametrize("log", logs(4) + logs(3), ids=str)
def test_every_log_can_be_played(log: Log) -> None:
    for match in read(log.data, "mjai").matches:
        for deal, game_round in zip(starts(match), match.rounds, strict=True):
            played = Table.dealt(deal)
            for event in host_events(game_round.events):
                played.apply(event)
            tiles = [len(hand) + 3 * sum(meld.kind != "nukidora" for meld in melds)
                     for hand, melds in zip(played.hands, played.melds, strict=True)]  # fmt: skip
            assert set(tiles) <= {13, 14}


def test_a_dealer_whom_four_would_not_have_tells_that_six_play() -> None:
    assert Table.dealt(ev.StartRound(oya=5)).seats == 6
    assert Table.dealt(ev.StartRound(oya=3)).seats == 4


def test_a_win_names_the_tile_that_was_drawn_or_discarded() -> None:
    def play() -> Table:
        table = Table([["1m"], ["2m"], ["3m"], ["4m"]])
        table.apply(ev.Draw(0, "9p"))
        return table

    with pytest.raises(IllegalPlayError, match="player 0 wins on 8p, but the tile is 9p"):
        play().apply(ev.Win(0, target=0, pai="8p"))
    play().apply(ev.Win(0, target=0, pai="9p"))
    table = play()
    table.apply(ev.Discard(0, "9p", tsumogiri=True))
    with pytest.raises(IllegalPlayError, match="player 1 wins on 1m, but the tile is 9p"):
        table.apply(ev.Win(1, target=0, pai="1m"))
    table.apply(ev.Win(1, target=0, pai="?"))


def test_a_draw_that_names_no_player_is_played_anyway() -> None:
    table = Table([["1m"], ["2m"], ["3m"], ["4m"]])
    assert table.play_anyway(ev.Ryukyoku())
    assert table.phase == "the end of the round"
