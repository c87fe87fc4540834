"""Points of wins: their sum, the value of the hand, honba, sticks, pao; and the stated scores."""

from __future__ import annotations

from decimal import Decimal

import pytest
from judged import READY, codes, dealt, findings, riichi, turn

from mjconv.ir import events as ev
from mjconv.ir.match import House, Match, Meld, Round, Rules
from mjconv.referee.referee import check
from mjconv.rules.payments import Stakes, liability, nagashi_deltas, win_deltas
from mjconv.rules.riichi_values import HandValue, Payment, payment
from mjconv.rules.tenpai import tenpai_deltas

FIRST = turn(0, "W")
THROWN = turn(1, "8s", "?")


def won(*deltas: int, **deal: int) -> list[str]:
    """Judge a ron of 2 han 30 fu by the dealer from player 1."""
    return codes(dealt({0: READY}, **deal), FIRST, THROWN, ev.Win(0, target=1, deltas=deltas))


def test_the_sum_is_what_the_sticks_are() -> None:
    assert won(2900, -2900, 0, 0) == []
    assert won(3900, -2900, 0, 0) == ["R050"]
    assert won(3900, -2900, 0, 0, kyotaku=1) == []
    assert won(2900, -2900, 0, 0, kyotaku=1) == ["R050"]


def test_the_value_of_the_hand() -> None:
    assert won(2000, -2000, 0, 0) == ["R051"]
    assert won(2900, 0, -2900, 0) == ["R051"]
    assert won(-2900, 2900, 0, 0) == ["R051"]


def test_the_finding_names_both() -> None:
    [finding] = findings(dealt({0: READY}), FIRST, THROWN, ev.Win(0, target=1, deltas=(2000, -2000, 0, 0)))
    assert finding.message == (
        "the deltas are (2000, -2000, 0, 0), but the hand of east (player 0), 2 han 30 fu, moves"
        " (2900, -2900, 0, 0)"
    )


def test_honba() -> None:
    assert won(3500, -3500, 0, 0, honba=2) == []
    assert won(2900, -2900, 0, 0, honba=2) == ["R051"]
    assert won(3500, -3500, 0, 0) == ["R051"]


def test_stated_honba() -> None:
    deal = dealt({0: READY}, honba=2)
    played = [deal, *FIRST, *THROWN, ev.Win(0, target=1, deltas=(5900, -5900, 0, 0)), ev.EndRound()]
    for honba, expected in ((1500, []), (300, ["R051"])):
        match = Match([], [Round(played)], [ev.StartGame()], [ev.EndGame()], rules=Rules(honba=honba))
        assert [finding.code for finding in check(match)] == expected


def drawn(*deltas: int, oya: int = 0, honba: int = 0) -> list[str]:
    """Judge a self-drawn hand of 3 han 20 fu by player 0, after two turns."""
    order = [(oya + seat) % 4 for seat in range(4)]
    play = [turn(seat, "W" if seat == 0 else "9m", "W" if seat == 0 else "?") for seat in order]
    rest = [turn(seat, "1m", "?") for seat in order[: order.index(0)]]
    deal = dealt({0: READY}, oya=oya, kyoku=oya + 1, honba=honba)
    return codes(deal, *play, *rest, ev.Draw(0, "8s"), ev.Win(0, target=0, deltas=deltas))


def test_self_drawn_wins() -> None:
    assert drawn(3900, -1300, -1300, -1300) == []
    assert drawn(2700, -1300, -700, -700, oya=1) == []
    assert drawn(2700, -700, -1300, -700, oya=1) == ["R051"]
    assert drawn(4500, -1500, -1500, -1500, honba=2) == []
    assert drawn(4500, -1500, -1500, -1500) == ["R051"]


def test_the_riichi_stick_of_this_round_goes_to_the_winner() -> None:
    play = dealt({1: READY}), turn(0, "W", "?"), riichi(1, "W"), turn(2, "8s", "?")
    # Double riichi, ippatsu, pinfu, all simples.
    assert codes(*play, ev.Win(1, target=2, deltas=(0, 9000, -8000, 0), ura_markers=("S",))) == []
    assert codes(*play, ev.Win(1, target=2, deltas=(0, 8000, -8000, 0), ura_markers=("S",))) == ["R050"]


def test_a_riichi_discard_that_is_won_on_pays_no_stick() -> None:
    play = dealt({0: READY}), FIRST, ev.Draw(1, "?"), ev.Riichi(1), ev.Discard(1, "8s", tsumogiri=False)
    assert codes(*play, ev.Win(0, target=1, deltas=(2900, -2900, 0, 0))) == []
    assert codes(*play, ev.Win(0, target=1, deltas=(3900, -2900, 0, 0))) == ["R050"]


def test_ura_that_are_not_said_leave_the_value_open() -> None:
    play = dealt({1: READY}), turn(0, "W", "?"), riichi(1, "W"), turn(2, "8s", "?")
    for points in (8000, 12000, 16000):
        assert codes(*play, ev.Win(1, target=2, deltas=(0, points + 1000, -points, 0))) == []
    for points in (7700, 24000):
        assert codes(*play, ev.Win(1, target=2, deltas=(0, points + 1000, -points, 0))) == ["R051"]


def test_a_dora_that_is_not_known_leaves_the_value_open() -> None:
    play = dealt({1: READY}, dora_marker="?"), turn(0, "W", "?"), riichi(1, "W"), turn(2, "8s", "?")
    won_more = ev.Win(1, target=2, deltas=(0, 17000, -16000, 0), ura_markers=("S",))
    assert codes(*play, won_more) == []


RIICHI_FIRST = "2m 3m 4m 5p 6p 7p 2s 3s 4s 6s 7s 8p 8p"


def two_rons(first: tuple[int, ...], second: tuple[int, ...], honba: int = 0) -> list[str]:
    """Judge two rons on one discard of player 3, by players 0 and 1, with one stick on the table."""
    other = "2m 3m 4m 5p 6p 7p 2p 3p 4p 6s 7s 8p 8p"
    deal = dealt({0: RIICHI_FIRST, 1: other}, kyotaku=1, honba=honba)
    play = FIRST, turn(1, "9m"), turn(2, "9m", "?"), turn(3, "8s", "?")
    return codes(deal, *play, ev.Win(0, target=3, deltas=first), ev.Win(1, target=3, deltas=second))


def test_of_two_winners_the_first_in_turn_has_the_sticks() -> None:
    assert two_rons((3900, 0, 0, -2900), (0, 2000, 0, -2000)) == []
    assert two_rons((2900, 0, 0, -2900), (0, 3000, 0, -2000)) == ["R050", "R050"]


def test_of_two_winners_the_first_has_the_honba_or_each() -> None:
    assert two_rons((4200, 0, 0, -3200), (0, 2000, 0, -2000), honba=1) == []
    assert two_rons((4200, 0, 0, -3200), (0, 2300, 0, -2300), honba=1) == []
    assert two_rons((3900, 0, 0, -2900), (0, 2000, 0, -2000), honba=1) == ["R051"]


KIRIAGE = "2m 3m 4m 5p 6p 7p 2s 3s 4s 5sr 5s 6s 7s"


def test_values_of_other_houses_are_told_as_that_unless_the_house_is_known() -> None:
    deal = dealt({0: KIRIAGE}, dora_marker="1m")
    for house, points, expected in (
        (House(), 11600, []),
        (House(), 12000, ["R052"]),
        (House(kiriage=True), 12000, []),
        (House(kiriage=True), 11600, ["R051"]),
        (House(kiriage=False), 12000, ["R051"]),
    ):
        win = ev.Win(0, target=1, deltas=(points, -points, 0, 0))
        assert codes(deal, FIRST, THROWN, win, house=house) == expected


def test_the_pair_of_both_winds_may_count_two() -> None:
    deal = dealt({0: "2m 3m 4m 5p 6p 7p 1s 1s 1s 7s 8s E E"}, bakaze="E")
    closed = deal, riichi(0, "W"), turn(1, "N", "?"), turn(2, "6s", "?")
    # Double riichi and ippatsu: 3 han, of 50 fu or of 40.
    for points in (9600, 7700):
        win = ev.Win(0, target=2, deltas=(points + 1000, 0, -points, 0), ura_markers=("S",))
        assert codes(*closed, win) == []
    win = ev.Win(0, target=2, deltas=(6800, 0, -5800, 0), ura_markers=("S",))
    assert codes(*closed, win) == ["R051"]


def test_where_three_play_honba_of_a_ron_are_two_shares_or_three() -> None:
    hand = "5p 6p 7p 2p 3p 4p 2s 3s 4s 5s 5s 6s 7s"
    for points, expected in ((3300, []), (3500, []), (3200, ["R051"])):
        deal = dealt({0: hand}, seats=3, honba=2)
        assert codes(deal, FIRST, THROWN, ev.Win(0, target=1, deltas=(points, -points, 0))) == expected


def test_points_that_no_rules_of_riichi_value_add_up() -> None:
    # A hand of larger sets: nobody knows what it is worth.
    deal = ev.StartRound(oya=0, tehais=(("1m",) * 13, *(("?",) * 13,) * 3), scores=(0,) * 4)
    play = ev.Draw(0, "E"), ev.Discard(0, "E", tsumogiri=True), *turn(1, "1m", "?")
    for deltas, expected in (((10, -10, 0, 0), False), ((10, -9, 0, 0), True)):
        assert ("R050" in codes(deal, play, ev.Win(0, target=1, deltas=deltas))) is expected


def test_hk_results_without_points_are_nothing_to_look_at() -> None:
    rounds = [Round([ev.Win(0, target=1, fan=3)]), Round([ev.Ryukyoku()]), Round([ev.Ryukyoku("chombo", actor=1)])]
    match = Match(rounds=rounds, rules=Rules(base=Decimal(1)))
    assert [finding.code for finding in check(match) if finding.code[0] == "R"] == []


SCORES = (25000, 25000, 25000, 25000)


def test_scores_of_a_win_follow() -> None:
    deal = dealt({0: READY})
    for scores, expected in (((27900, 22100, 25000, 25000), []), ((27900, 22100, 25000, 24000), ["R059"])):
        win = ev.Win(0, target=1, deltas=(2900, -2900, 0, 0), scores=scores)
        assert codes(deal, FIRST, THROWN, win) == expected


def test_scores_of_riichi_follow() -> None:
    draw, declared, discard, _ = riichi(0, "W")
    stick = (-1000, 0, 0, 0)
    paid = (24000, 25000, 25000, 25000)
    play = dealt({0: READY}), draw, declared, discard
    end = THROWN[0], ev.Discard(1, "9m", tsumogiri=False)
    for accepted, expected in (
        (ev.RiichiAccepted(0, deltas=stick, scores=paid), []),
        (ev.RiichiAccepted(0, deltas=(0, -1000, 0, 0)), ["R059"]),
        (ev.RiichiAccepted(0, deltas=stick, scores=SCORES), ["R059"]),
    ):
        assert [code for code in codes(*play, accepted, *end) if code[0] == "R"] == expected


def test_a_wrong_score_is_told_once_in_a_round() -> None:
    draw, declared, discard, _ = riichi(0, "W")
    wrong = ev.RiichiAccepted(0, scores=SCORES)
    win = ev.Win(0, target=2, deltas=(13000, 0, -12000, 0), scores=(38000, 25000, 13000, 25000))
    play = dealt({0: READY}), draw, declared, discard, wrong, turn(1, "9m", "?"), turn(2, "8s", "?"), win
    assert codes(*play) == ["R059"]


STAKES = Stakes(4, actor=0, target=3, oya=1, honba=1, sticks=1)
DRAGONS = HandValue(13, 40, (("daisangen", 13),), 1, payment(0, 0, 1), 40)


def test_whoever_is_liable_pays_half_of_a_ron() -> None:
    assert (33300, 0, -16000 - 300, -16000) in win_deltas(STAKES, DRAGONS, liable=2, part=1)
    assert (33300, 0, -16000, -16000 - 300) in win_deltas(STAKES, DRAGONS, liable=2, part=1)
    assert all(deltas[0] == 33300 for deltas in win_deltas(STAKES, DRAGONS, liable=2, part=1))


def test_whoever_is_liable_pays_all_of_a_self_draw_and_of_their_own_discard() -> None:
    drawn_worth = HandValue(13, 40, (("daisangen", 13),), 1, payment(0, 0, 1, tsumo=True), 40)
    assert win_deltas(STAKES._replace(target=0), drawn_worth, 2, 1)[0] == (33300, 0, -32300, 0)
    assert win_deltas(STAKES, DRAGONS, 3, 1)[0] == (33300, 0, 0, -32300)


def test_liability_is_for_the_yakuman_that_was_fed_and_in_some_houses_for_all() -> None:
    both = HandValue(26, 40, (("daisangen", 13), ("tsuiso", 13)), 2, payment(0, 0, 2), 40)
    stakes = STAKES._replace(honba=0, sticks=0)
    assert win_deltas(stakes, both, 2, 1) == [
        (64000, 0, -16000, -48000), (64000, 0, -16000, -48000), (64000, 0, -32000, -32000),
        (64000, 0, -32000, -32000),
    ]  # fmt: skip


def called(*groups: tuple[str, str, int | None]) -> list[Meld]:
    return [
        Meld("ankan", (tile,) * 4) if target is None else Meld(kind, (tile, tile), tile, target)  # type: ignore[arg-type]
        for kind, tile, target in groups
    ]


@pytest.mark.parametrize(
    ("name", "melds", "giver", "liable"),
    [
        ("daisangen", [("pon", "P", 1), ("pon", "F", 2), ("pon", "C", 3)], None, [(3, 1)]),
        ("daisangen", [("pon", "P", 1), ("pon", "9m", 3), ("ankan", "F", None), ("pon", "C", 2)], None, [(2, 1)]),
        ("daisangen", [("pon", "P", 1), ("pon", "C", 2), ("ankan", "F", None)], None, []),
        ("daisangen", [("pon", "P", 1), ("pon", "C", 2)], None, []),
        ("daisuushii", [("pon", wind, 1) for wind in "ESWN"], None, [(1, 1)]),
        ("suanko", [], None, []),
        (
            "suukantsu",
            [("kakan", "P", 1), ("ankan", "F", None), ("ankan", "C", None), ("daiminkan", "1m", 2)],
            2,
            [(2, 1)],
        ),
        (
            "suukantsu",
            [("daiminkan", "P", 1), ("ankan", "F", None), ("ankan", "C", None), ("kakan", "1m", 2)],
            None,
            [],
        ),
    ],
)
def test_who_is_liable(
    name: str, melds: list[tuple[str, str, int | None]], giver: int | None, liable: list[tuple[int, int]]
) -> None:
    found = liability(HandValue(13, 40, ((name, 13),), 1, Payment(), 40), called(*melds), giver)
    assert [(each.seat, each.yakuman) for each in found] == liable


def test_pao_at_the_table() -> None:
    others = {
        2: "P P F F C C 1m 2m 3m 7m 8m 9p W",
        3: "P F C 1p 1p 1p 9p 9p 2p 1s 1s 1s 9s",
    }
    fed = [
        (ev.Pon(2, 3, "P", ("P", "P")), ev.Discard(2, "9p", tsumogiri=False), turn(3, "F", "N")),
        (ev.Pon(2, 3, "F", ("F", "F")), ev.Discard(2, "W", tsumogiri=False), turn(3, "C", "N")),
        (ev.Pon(2, 3, "C", ("C", "C")), ev.Discard(2, "8m", tsumogiri=False)),
    ]
    play = dealt(others), turn(0, "9m", "?"), turn(1, "9m", "?"), turn(2, "9m"), turn(3, "P", "N")
    rest = turn(3, "9s", "E"), turn(0, "7m", "?")
    flat = [event for part in fed for step in part for event in (step if isinstance(step, tuple) else (step,))]
    for win, expected in (
        (ev.Win(2, target=0, deltas=(-16000, 0, 32000, -16000)), []),
        (ev.Win(2, target=0, deltas=(-32000, 0, 32000, 0)), ["R051"]),
        (ev.Win(2, target=0, deltas=(-16000, -16000, 32000, 0), liable=1), ["R049"]),
        (ev.Win(2, target=0, deltas=(-16000, 0, 32000, -16000), liable=3), []),
        # The names of yakuman are compared, and their han are not.
        (ev.Win(2, target=0, yakus=(("daisangen", 1),)), []),
        (ev.Win(2, target=0, yakus=(("suanko", 13),)), ["R046"]),
        (ev.Win(2, target=0, yakus=(("tanyaochu", 1),)), ["R046"]),
    ):
        assert codes(*play, *flat, *rest, win) == expected


def test_nobody_is_liable_for_a_plain_hand() -> None:
    play = dealt({0: READY}), turn(0, "W"), turn(1, "8s", "?")
    assert codes(*play, ev.Win(0, target=1, liable=3)) == ["R049"]


def test_payments_of_draws() -> None:
    assert tenpai_deltas({1}, 4, 3000) == (-1000, 3000, -1000, -1000)
    assert tenpai_deltas({0, 1}, 3, 2000) == (1000, 1000, -2000)
    assert tenpai_deltas({0, 1, 2, 3}, 4, 3000) == (0, 0, 0, 0)
    assert nagashi_deltas([0, 1], 4, oya=0) == (8000, 4000, -6000, -6000)
    assert nagashi_deltas([1], 3, oya=0) == (-4000, 6000, -2000)
