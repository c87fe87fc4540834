"""The table: its state after each event, the events that it refuses with the reasons, and its copies."""

import copy
from collections.abc import Sequence

import pytest

from mjconv.ir import events as ev
from mjconv.ir import table as phases
from mjconv.ir.match import Meld
from mjconv.ir.table import CALLED, DEALT, DECLARED, DISCARDED, DRAWN, KAN, OVER, WON, IllegalPlayError, Table

draw, discard = ev.Draw, ev.Discard
HANDS = [
    ["1m", "2m", "3m", "4m", "E", "E", "E", "5p", "5pr", "9s", "9s", "9s", "N"],
    ["2m", "3m", "5m", "5mr", "E", "6p", "7p", "1s", "1s", "1s", "1s", "P", "P"],
    ["1m", "1m", "1m", "9s", "5p", "5p", "5p", "C", "C", "F", "F", "W", "W"],
    ["9m", "9m", "9m", "4m", "6m", "2p", "2p", "3s", "4s", "5sr", "S", "S", "N"],
]
HIDDEN_HANDS = [["?"] * 13] * 4


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
    return str(caught.value).replace(", where the table waits for", " |")


#: The dealer draws and discards E.
E_DISCARDED = (draw(0, "8s"), discard(0, "E"))
CHI = ev.Chi(1, 0, "4m", ("2m", "3m"))
FOUR_DISCARDED = (draw(0, "8s"), discard(0, "4m"))
CHI_CALLED = (*FOUR_DISCARDED, CHI)
DECLARED_RIICHI = (draw(0, "8s"), ev.Riichi(0))
KAN_OF_1S = ev.Ankan(1, ("1s",) * 4)


def turns(*seats: int) -> list[ev.Event]:
    """Return turns in which players discard the 8s that they draw."""
    return [event for seat in seats for event in (draw(seat, "8s"), discard(seat, "8s"))]


ACCEPTED = (*DECLARED_RIICHI, discard(0, "8s"), ev.RiichiAccepted(0))
#: A pon of player 2 and turns up to that player's draw; and the same after a chi of player 1.
PON_LATER = (draw(0, "8s"), discard(0, "1m"), ev.Pon(2, 0, "1m", ("1m", "1m")))
TO_2 = (*turns(3, 0, 1), draw(2, "F"))
CHI_LATER = (*CHI_CALLED, discard(1, "P"), *turns(2, 3, 0), draw(1, "2m"))


def test_a_draw() -> None:
    """The dealer draws first, then each player after the one who discarded."""
    assert table().phase is DEALT
    played = table(draw(2, "8s"), oya=2)
    assert (played.phase, played.turn, played.drawn) == (DRAWN, 2, "8s")
    assert played.hands[2] == [*HANDS[2], "8s"]
    played = table(*turns(2, 3, 0, 1), oya=2)
    assert (played.last_actor, played.rivers) == (1, [["8s"]] * 4)


def test_draws_are_counted_with_replacements_of_kans_and_of_flowers() -> None:
    assert table(*E_DISCARDED, draw(1, "8s")).draws == 2
    assert table(draw(1, "1s"), KAN_OF_1S, draw(1, "9p"), oya=1).draws == 2
    assert table(ev.Nukidora(1, "1f"), draw(1, "9p"), hands=[["1m"], ["1f"], ["2m"], ["3m"]]).draws == 1
    with pytest.raises(IllegalPlayError):
        (played := table()).apply(draw(2, "8s"))
    assert played.draws == 0


def test_a_discard() -> None:
    played = table(*E_DISCARDED)
    assert (played.phase, played.last_actor, played.last_tile, played.drawn) == (DISCARDED, 0, "E", None)
    assert (played.rivers[0], played.hands[0]) == (["E"], [*HANDS[0][:4], *HANDS[0][5:], "8s"])
    # After a hidden draw, any tile may be the one just drawn.
    assert table(draw(0, "?"), discard(0, "C", tsumogiri=True)).hands[0] == HANDS[0]
    # Real logs have a discard of the hand of the only copy, which was drawn: it is unwise, but possible.
    assert table(draw(0, "8s"), discard(0, "8s", tsumogiri=False)).rivers[0] == ["8s"]


def test_calls() -> None:
    played = table(*CHI_CALLED)
    assert (played.phase, played.turn, played.drawn, played.rivers[0]) == (CALLED, 1, None, ["4m"])
    assert played.melds[1] == [Meld("chi", ("2m", "3m"), "4m", 0)]
    assert "2m" not in played.hands[1]
    anyone = (draw(0, "8s"), discard(0, "9s"), draw(1, "1m"), discard(1, "1m"), ev.Pon(2, 1, "1m", ("1m", "1m")))
    played = table(*anyone)
    assert (played.phase, played.turn) == (CALLED, 2)
    assert played.melds[2] == [Meld("pon", ("1m", "1m"), "1m", 1)]
    # Red and plain fives are alike.
    red = ev.Pon(1, 0, "5m", ("5mr", "5m"))
    assert table(draw(0, "5m"), discard(0, "5m"), red).melds[1] == [Meld("pon", ("5mr", "5m"), "5m", 0)]
    # A daiminkan is followed by a draw of its own.
    played = table(draw(0, "8s"), discard(0, "1m"), ev.Daiminkan(2, 0, "1m", ("1m", "1m", "1m")))
    assert (played.phase, played.turn, played.kans) == (KAN, 2, 1)
    played.apply(draw(2, "3p"))
    assert played.phase is DRAWN


def test_the_left_of_the_first_player_is_the_last() -> None:
    for seats, tile in ((4, "3s"), (3, "9s")):
        last, hands = seats - 1, [["?"] * 13, *HANDS[1:seats]]
        chi = ev.Chi(0, last, tile, ("?", "?"))
        assert table(draw(last, "8s"), discard(last, tile), chi, hands=hands, oya=last).turn == 0


def test_own_kans() -> None:
    played = table(draw(1, "8s"), KAN_OF_1S, oya=1)
    assert (played.phase, played.kans, played.melds[1]) == (KAN, 1, [Meld("ankan", ("1s",) * 4)])
    assert "1s" not in played.hands[1]
    played = table(*PON_LATER, discard(2, "W"), *TO_2, ev.Kakan(2, "1m", ("1m", "1m", "1m")))
    assert played.melds[2] == [Meld("kakan", ("1m", "1m"), "1m", 0, "1m")]
    assert (played.phase, played.last_actor, played.last_tile, played.kans) == (KAN, 2, "1m", 1)
    # A north that is set aside is replaced and is no kan.
    for aside in (ev.Nukidora(0, "N"), ev.Nukidora(0)):
        played = table(draw(0, "8s"), aside, hands=HANDS[:3])
        assert (played.phase, played.kans, played.melds[0]) == (KAN, 0, [Meld("nukidora", ("N",))])
        played.apply(draw(0, "9p"))
        assert played.phase is DRAWN


def test_riichi_is_declared_discarded_and_accepted() -> None:
    played = table(*DECLARED_RIICHI)
    assert (played.phase, played.riichi) == (DECLARED, [phases.RIICHI_DECLARED, *[phases.NO_RIICHI] * 3])
    played.apply(discard(0, "8s", tsumogiri=True))
    played.apply(ev.RiichiAccepted(0))
    assert (played.phase, played.riichi[0]) == (DISCARDED, phases.RIICHI_ACCEPTED)
    # Dora may be turned between.
    assert table(*DECLARED_RIICHI, ev.Dora("1m"), discard(0, "8s"), ev.Dora("1m")).phase is DISCARDED


def test_wins() -> None:
    for win in (ev.Win(0, 0), ev.Win(0)):
        played = table(draw(0, "8s"), win)
        assert (played.phase, played.winners) == (WON, [0])
    played = table(*E_DISCARDED, ev.Win(1, 0), ev.Win(3, 0))
    assert (played.phase, played.winners) == (WON, [1, 3])
    # A kan is robbed.
    assert table(draw(1, "8s"), KAN_OF_1S, ev.Win(2, 1), oya=1).winners == [2]
    kakan = ev.Kakan(2, "1m", ("1m", "1m", "?"))
    robbed = table(*PON_LATER, discard(2, "?"), *TO_2, kakan, ev.Win(3, 2), hands=HIDDEN_HANDS)
    assert robbed.melds[2] == [Meld("pon", ("1m", "1m"), "1m", 0)]
    # A round may be known only by its result.
    assert table(ev.Win(2, 1), hands=HIDDEN_HANDS).winners == [2]
    assert table(ev.Win(2), hands=HIDDEN_HANDS).winners == [2]


NOT_WAITING, LATE_PON = (
    "player 0 has declared no riichi that waits to be accepted",
    ev.Pon(3, 0, "4m", ("4m", "4m")),
)
#: Of each player who begins: the events, of which the last one is refused, and the reason.
#: A bar is ``, where the table waits for``.
REFUSED: dict[int, list[tuple[Sequence[ev.Event], str]]] = {
    0: [
        # Draws.
        ([draw(1, "8s")], "player 1 draws, where player 0 is next"),
        ([*E_DISCARDED, draw(2, "8s")], "player 2 draws, where player 1 is next"),
        ([draw(0, "8s"), draw(0, "8s")], "player 0 draws | a discard"),
        ([*CHI_CALLED, draw(1, "8s")], "player 1 draws | a discard after a call"),
        ([*E_DISCARDED, ev.Win(1, 0), draw(1, "8s")], "player 1 draws | another win or the end of the round"),
        ([ev.Ryukyoku(), draw(0, "8s")], "player 0 draws | the end of the round"),
        # Discards.
        ([discard(0, "E")], "player 0 discards | the dealer's first draw"),
        ([draw(0, "8s"), discard(1, "E")], "player 1 discards | a discard of player 0"),
        ([*E_DISCARDED, discard(0, "E")], "player 0 discards | a draw, a call or a win"),
        ([draw(0, "8s"), discard(0, "C")], "player 0 does not hold C"),
        ([draw(0, "8s"), discard(0, "5m")], "player 0 does not hold 5m"),
        ([draw(0, "8s"), discard(0, "E", True)], "player 0 discards E as the tile just drawn, but drew 8s"),
        ([*CHI_CALLED, discard(1, "P", True)], "player 1 discards P as the tile just drawn, but drew nothing"),
        # Calls.
        *[
            ([*FOUR_DISCARDED, call], reason)
            for call, reason in (
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
                (ev.Pon(1, 2, "4m", ("4m", "4m")), "player 1 calls pon on player 2 | a draw, a call or a win"),
                (ev.Pon(0, 0, "4m", ("4m", "4m")), "player 0 calls pon on player 0 | a draw, a call or a win"),
                (ev.Daiminkan(1, 0, "4m", ("4m", "4m", "4s")), "4m with 4m 4m 4s are not alike"),
                (ev.Daiminkan(1, 0, "5m", ("5m", "5m", "5m")), "player 1 calls 5m, where 4m was discarded"),
                (ev.Pon(7, 0, "4m", ("4m", "4m")), "there is no player 7: the game has 4"),
                (ev.Daiminkan(-1, 0, "4m", ("4m",) * 3), "there is no player -1: the game has 4"),
            )
        ],
        ([CHI], "player 1 calls chi on player 0 | the dealer's first draw"),
        ([draw(0, "8s"), CHI], "player 1 calls chi on player 0 | a discard of player 0"),
        ([*CHI_CALLED, LATE_PON], "player 3 calls pon on player 0 | a discard after a call of player 1"),
        # Kans.
        ([*PON_LATER, discard(2, "1m"), *TO_2, ev.Kakan(2, "1m", ("1m",) * 3)], "player 2 does not hold 1m"),
        ([*CHI_LATER, ev.Kakan(1, "2m", ("2m", "3m", "4m"))], "player 1 has no pon that 2m can join"),
        ([*CHI_CALLED, KAN_OF_1S], "player 1 makes an ankan | a discard after a call of player 1"),
        # Riichi.
        ([ev.Riichi(0)], "player 0 declares riichi | the dealer's first draw"),
        ([draw(0, "8s"), ev.Riichi(1)], "player 1 declares riichi | a discard of player 0"),
        ([*DECLARED_RIICHI, ev.Riichi(0)], "player 0 declares riichi | the riichi discard of player 0"),
        ([*DECLARED_RIICHI, discard(1, "E")], "player 1 discards | the riichi discard of player 0"),
        ([*DECLARED_RIICHI, ev.Ankan(0, ("E",) * 4)], "player 0 makes an ankan | the riichi discard of player 0"),
        *[([*before, ev.RiichiAccepted(0)], NOT_WAITING) for before in (DECLARED_RIICHI, E_DISCARDED, ACCEPTED)],
        ([*E_DISCARDED, ev.RiichiAccepted(4)], "there is no player 4: the game has 4"),
        ([*ACCEPTED, *turns(1, 2, 3), draw(0, "8s"), ev.Riichi(0)], "player 0 declares riichi twice"),
        # Wins.
        ([ev.Win(0, 0)], "player 0 wins by self-draw | the dealer's first draw"),
        ([ev.Win(1, 0)], "player 1 wins from player 0 | the dealer's first draw"),
        ([draw(0, "8s"), ev.Win(1, 1)], "player 1 wins by self-draw | a discard of player 0"),
        ([draw(0, "8s"), ev.Win(1, 0)], "player 1 wins from player 0 | a discard of player 0"),
        ([*E_DISCARDED, ev.Win(0, 0)], "player 0 wins by self-draw | a draw, a call or a win"),
        ([*E_DISCARDED, ev.Win(1, 2)], "player 1 wins from player 2, where player 0 discarded last"),
        ([*E_DISCARDED, *[ev.Win(1, 0)] * 2], "player 1 wins from player 0 | another win or the end of the round"),
        ([*E_DISCARDED, ev.EndRound(), ev.Win(1, 0)], "player 1 wins from player 0 | the end of the round"),
        ([*E_DISCARDED, ev.Win(9, 0)], "there is no player 9: the game has 4"),
        ([draw(0, "9p"), ev.Win(0, target=0, pai="8p")], "player 0 wins on 8p, but the tile is 9p"),
        ([draw(0, "9p"), discard(0, "9p"), ev.Win(1, 0, "1m")], "player 1 wins on 1m, but the tile is 9p"),
    ],
    1: [
        ([draw(1, "8s"), discard(1, "5m"), draw(2, "8s"), discard(2, "5pr")], "player 2 does not hold 5pr"),
        *[
            ([draw(1, "8s"), kan], reason)
            for kan, reason in (
                (ev.Ankan(1, ("1s", "1s", "1s", "2s")), "1s with 1s 1s 1s 2s are not alike"),
                (ev.Ankan(1, ("P", "P", "P", "P")), "player 1 does not hold P"),
                (ev.Ankan(0, ("E",) * 4), "player 0 makes an ankan | a discard of player 1"),
                (ev.Kakan(1, "1s", ("1s",) * 3), "player 1 has no pon that 1s can join"),
                (ev.Kakan(2, "1m", ("1m",) * 3), "player 2 makes a kakan | a discard of player 1"),
                (ev.Nukidora(1, "N"), "player 1 does not hold N"),
                (ev.Nukidora(3, "N"), "player 3 sets N aside | a discard of player 1"),
            )
        ],
        *[
            ([draw(1, "8s"), KAN_OF_1S, event], reason)
            for event, reason in (
                (
                    ev.Pon(0, 1, "1s", ("1s", "1s")),
                    "player 0 calls pon on player 1 | a replacement draw of player 1",
                ),
                (draw(2, "8s"), "player 2 draws, where player 1 is next"),
                (discard(1, "8s"), "player 1 discards | a replacement draw of player 1"),
            )
        ],
    ],
}


def test_play_that_cannot_happen_is_refused_with_the_reason() -> None:
    for oya, cases in REFUSED.items():
        for events, reason in cases:
            assert refusal(*events, oya=oya) == reason


def test_any_tile_may_come_out_of_a_hidden_hand() -> None:
    called = (draw(0, "?"), discard(0, "C"), ev.Pon(2, 0, "C", ("C", "C")), discard(2, "F"))
    played = table(*called, hands=HIDDEN_HANDS)
    assert (played.hands[0], played.hands[2]) == (["?"] * 13, ["?"] * 10)
    # A tile that is held goes before a hidden one.
    hands = [["1m", "?"], *HANDS[1:]]
    assert table(draw(0, "8s"), discard(0, "1m"), hands=hands).hands[0] == ["?", "8s"]
    assert table(draw(0, "8s"), discard(0, "2m"), hands=hands).hands[0] == ["1m", "8s"]
    # After a hidden discard, all of the hand becomes unknown.
    assert table(draw(0, "8s"), discard(0, "?")).hands[0] == ["?"] * 13
    # A hidden discard may be called as anything, and with hidden tiles.
    played = table(draw(0, "8s"), discard(0, "?"), ev.Pon(1, 0, "1s", ("1s", "1s")))
    assert played.melds[1] == [Meld("pon", ("1s", "1s"), "1s", 0)]
    hidden_chi = (*FOUR_DISCARDED, ev.Chi(1, 0, "4m", ("?", "?")))
    assert len(table(*hidden_chi, hands=[HANDS[0], *HIDDEN_HANDS[1:]]).hands[1]) == 11
    # A kakan joins a pon whose own tiles nobody saw.
    hidden_pon = (draw(0, "C"), discard(0, "C"), ev.Pon(1, 0, "C", ("?", "?")), discard(1, "1m"), *turns(2, 3, 0))
    played = table(*hidden_pon, draw(1, "?"), ev.Kakan(1, "C", ("C", "?", "?")), hands=HIDDEN_HANDS)
    assert played.melds[1] == [Meld("kakan", ("?", "?"), "C", 0, "C")]


class TestOtherSets:
    """Games other than riichi: ranks to 16, the zero, flowers, six players."""

    SIX = (["15m", "16m", "Z", "1p", "2p"], ["9m", "10m", "1f"], ["H"] * 3, ["V"] * 3, ["3f"], ["Z", "Z", "8f"])

    def test_six_players_take_turns(self) -> None:
        turn = [event for seat in (4, 5, 0, 1) for event in (draw(seat, "V"), discard(seat, "V"))]
        assert table(*turn, hands=self.SIX, oya=4).rivers == [["V"], ["V"], [], [], ["V"], ["V"]]

    def test_runs_of_larger_sets(self) -> None:
        chi = ev.Chi(0, 5, "14m", ("15m", "16m"))
        played = table(draw(5, "14m"), discard(5, "14m"), chi, hands=self.SIX, oya=5)
        assert played.melds[0] == [Meld("chi", ("15m", "16m"), "14m", 5)]
        over_nine = ev.Chi(1, 0, "8m", ("9m", "10m"))
        assert table(draw(0, "8m"), discard(0, "8m"), over_nine, hands=self.SIX).turn == 1
        # The zero is before the one of any suit.
        zero = ev.Chi(0, 5, "Z", ("1p", "2p"))
        assert table(draw(5, "9p"), discard(5, "Z"), zero, hands=self.SIX, oya=5).turn == 0
        # No run skips a rank or comes round, and flowers and winds make none.
        for tiles in ("1m 15m 1p", "1m Z 16m", "1m Z 2p", "1f 2f 3f", "H V E"):
            tile, *own = tiles.split()
            call = ev.Chi(0, 5, tile, (own[0], own[1]))
            reason = refusal(draw(5, tile), discard(5, tile), call, hands=self.SIX, oya=5)
            assert reason == f"{tile} with {' '.join(own)} is no run"

    def test_compressed_winds_make_triplets(self) -> None:
        pon = ev.Pon(2, 0, "H", ("H", "H"))
        assert table(draw(0, "H"), discard(0, "H"), pon, hands=self.SIX).melds[2][0].own == ("H", "H")


class TestDeal:
    def test_hands_of_a_deal(self) -> None:
        dealt = Table.dealt(ev.StartRound(oya=1, tehais=tuple(tuple(hand) for hand in HANDS)))
        assert (dealt.hands, dealt.oya, dealt.turn, dealt.all_hidden) == (HANDS, 1, 1, False)
        hidden = Table.dealt(ev.StartRound())
        assert (hidden.hands, hidden.all_hidden) == (HIDDEN_HANDS, True)
        assert Table.dealt(ev.StartRound(scores=(0, 0, 0))).hands == HIDDEN_HANDS[:3]
        # A dealer whom four do not have shows that six play.
        assert Table.dealt(ev.StartRound(oya=5)).seats == 6
        assert Table.dealt(ev.StartRound(oya=3)).seats == 4
        played = Table.dealt(ev.StartRound())
        played.apply(draw(0, "1m"))
        assert [len(hand) for hand in played.hands] == [14, 13, 13, 13]

    def test_a_dealer_who_is_not_there_is_refused(self) -> None:
        with pytest.raises(IllegalPlayError, match="the dealer is player 3, and there are 3 players"):
            Table.dealt(ev.StartRound(oya=3, scores=(0, 0, 0)))

    def test_the_dealt_hands_stay_and_can_be_asked(self) -> None:
        before = [list(hand) for hand in HANDS]
        table(*E_DISCARDED)
        assert before == HANDS
        assert [table().holds(seat, "5pr") for seat in (0, 1)] == [True, False]


def test_messages_that_are_no_play_change_nothing() -> None:
    talk = ev.Pass(), ev.Hello(), ev.Join(), ev.ErrorMessage()
    for event in (ev.StartGame(), ev.StartRound(), ev.Dora("1m"), *talk, ev.EndGame()):
        played = table(draw(0, "8s"), event)
        assert (played.phase, played.hands) == (DRAWN, table(draw(0, "8s")).hands)


def test_a_round_may_end_anywhere() -> None:
    for event in (ev.Ryukyoku(), ev.EndRound()):
        for before in ((), (draw(0, "8s"),), E_DISCARDED, (draw(0, "8s"), ev.Riichi(0))):
            assert table(*before, event).phase is OVER
    assert table(ev.Ryukyoku(), ev.EndRound()).phase is OVER


def test_a_win_may_name_its_tile_or_a_hidden_one() -> None:
    assert table(draw(0, "9p"), ev.Win(0, target=0, pai="9p")).winners == [0]
    assert table(draw(0, "9p"), discard(0, "9p"), ev.Win(1, target=0, pai="?")).winners == [1]


def test_a_draw_that_names_no_player_is_played_anyway() -> None:
    played = table()
    assert played.play_anyway(ev.Ryukyoku())
    assert played.phase is OVER


def played() -> Table:
    hands = [["1m", "2m", "5m", "5m"], ["3m", "4m"], ["5p", "6p"], ["E", "E"]]
    riichi = [draw(0, "9p"), ev.Riichi(0), discard(0, "9p"), ev.RiichiAccepted(0)]
    return table(*riichi, draw(1, "E"), discard(1, "E"), ev.Pon(3, 1, "E", ("E", "E")), hands=hands)


def state(table: Table) -> dict[str, object]:
    return {name: copy.deepcopy(getattr(table, name)) for name in Table.__slots__}


def test_a_copy_has_the_same_state() -> None:
    table = played()
    table.winners.append(2)
    assert state(table.copy()) == state(table)


def test_a_change_of_a_list_of_a_seat_stays_where_it_is() -> None:
    for name in ("hands", "melds", "rivers"):
        for seat in range(4):
            table = played()
            before = state(table)
            getattr(table.copy(), name)[seat].append("1s")
            assert state(table) == before, (name, seat)
            again = table.copy()
            getattr(table, name)[seat].clear()
            assert state(again) == before, (name, seat)


def test_a_change_of_any_list_stays_where_it_is() -> None:
    lists = [name for name in Table.__slots__ if isinstance(getattr(played(), name), list)]
    assert len(lists) == 6
    for name in lists:
        table = played()
        before = state(table)
        getattr(table.copy(), name).append(1)
        assert state(table) == before, name
