"""Wins and their points: each rule, its sum, the value of the hand, honba, sticks, pao; stated scores."""

from decimal import Decimal
from typing import Any

from judged import READY, SCORES, check_cases, codes, dealt, findings, riichi, tiles, turn
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


def test_the_points_of_a_ron() -> None:
    for deltas, deal, expected in (
        ((2900, -2900, 0, 0), {}, ""),
        # The sum is what the sticks are.
        ((3900, -2900, 0, 0), {}, "R050"),
        ((3900, -2900, 0, 0), {"kyotaku": 1}, ""),
        ((2900, -2900, 0, 0), {"kyotaku": 1}, "R050"),
        # The value of the hand.
        ((2000, -2000, 0, 0), {}, "R051"),
        ((2900, 0, -2900, 0), {}, "R051"),
        ((-2900, 2900, 0, 0), {}, "R051"),
        # Honba.
        ((3500, -3500, 0, 0), {"honba": 2}, ""),
        ((2900, -2900, 0, 0), {"honba": 2}, "R051"),
        ((3500, -3500, 0, 0), {}, "R051"),
    ):
        assert "".join(won(*deltas, **deal)) == expected, (deltas, deal)


def test_the_finding_names_both() -> None:
    [finding] = findings(dealt({0: READY}), FIRST, THROWN, ev.Win(0, target=1, deltas=(2000, -2000, 0, 0)))
    assert finding.message == (
        "the deltas are (2000, -2000, 0, 0), but the hand of east (player 0), 2 han 30 fu, moves"
        " (2900, -2900, 0, 0)"
    )


def drawn(*deltas: int, oya: int = 0, honba: int = 0) -> list[str]:
    """Judge a self-drawn hand of 3 han 20 fu by player 0, after two turns."""
    order = [(oya + seat) % 4 for seat in range(4)]
    play = [turn(seat, "W" if seat == 0 else "9m", "W" if seat == 0 else "?") for seat in order]
    rest = [turn(seat, "1m", "?") for seat in order[: order.index(0)]]
    deal = dealt({0: READY}, oya=oya, kyoku=oya + 1, honba=honba)
    return codes(deal, *play, *rest, ev.Draw(0, "8s"), ev.Win(0, target=0, deltas=deltas))


def test_the_points_of_a_self_drawn_win() -> None:
    for deltas, deal, expected in (
        ((3900, -1300, -1300, -1300), {}, []),
        ((2700, -1300, -700, -700), {"oya": 1}, []),
        ((2700, -700, -1300, -700), {"oya": 1}, ["R051"]),
        ((4500, -1500, -1500, -1500), {"honba": 2}, []),
        ((4500, -1500, -1500, -1500), {}, ["R051"]),
    ):
        assert drawn(*deltas, **deal) == expected, (deltas, deal)


def test_sticks_and_ura_of_a_win_in_riichi() -> None:
    def play(**deal: str) -> tuple[Any, ...]:
        # Double riichi, ippatsu, pinfu, all simples.
        return dealt({1: READY}, **deal), turn(0, "W", "?"), riichi(1, "W"), turn(2, "8s", "?")

    def win(points: int, *, stick: int = 1000, **ura: Any) -> ev.Win:
        return ev.Win(1, target=2, deltas=(0, points + stick, -points, 0), **ura)

    shown = {"ura_markers": ("S",)}
    ron = ev.Draw(1, "?"), ev.Riichi(1), ev.Discard(1, "8s", tsumogiri=False)
    cases = {
        "the stick of this round goes to the winner": ("", *play(), win(8000, **shown)),
        "the stick goes to nobody": ("R050", *play(), win(8000, stick=0, **shown)),
        "no ura": ("", *play(), win(8000)),
        "one ura": ("", *play(), win(12000)),
        "three ura": ("", *play(), win(16000)),
        "less than without ura": ("R051", *play(), win(7700)),
        "more than with all ura": ("R051", *play(), win(24000)),
        "a dora that is not known leaves the value open": ("", *play(dora_marker="?"), win(16000, **shown)),
        "a riichi discard that is won on pays no stick": (
            *("", dealt({0: READY}), FIRST, ron, ev.Win(0, target=1, deltas=(2900, -2900, 0, 0))),
        ),
        "a stick of such a riichi": (
            *("R050", dealt({0: READY}), FIRST, ron, ev.Win(0, target=1, deltas=(3900, -2900, 0, 0))),
        ),
    }
    check_cases(cases)


def two_rons(first: tuple[int, ...], second: tuple[int, ...], honba: int = 0) -> list[str]:
    """Judge two rons on one discard of player 3, by players 0 and 1, with one stick on the table."""
    first_hand, second_hand = "2m 3m 4m 5p 6p 7p 2s 3s 4s 6s 7s 8p 8p", "2m 3m 4m 5p 6p 7p 2p 3p 4p 6s 7s 8p 8p"
    deal = dealt({0: first_hand, 1: second_hand}, kyotaku=1, honba=honba)
    play = FIRST, turn(1, "9m"), turn(2, "9m", "?"), turn(3, "8s", "?")
    return codes(deal, *play, ev.Win(0, target=3, deltas=first), ev.Win(1, target=3, deltas=second))


def test_of_two_winners_the_first_in_turn_has_the_sticks_and_the_honba_unless_each_has_them() -> None:
    assert two_rons((3900, 0, 0, -2900), (0, 2000, 0, -2000)) == []
    assert two_rons((2900, 0, 0, -2900), (0, 3000, 0, -2000)) == ["R050", "R050"]
    assert two_rons((4200, 0, 0, -3200), (0, 2000, 0, -2000), honba=1) == []
    assert two_rons((4200, 0, 0, -3200), (0, 2300, 0, -2300), honba=1) == []
    assert two_rons((3900, 0, 0, -2900), (0, 2000, 0, -2000), honba=1) == ["R051"]


def test_the_pair_of_both_winds_may_count_two() -> None:
    deal = dealt({0: "2m 3m 4m 5p 6p 7p 1s 1s 1s 7s 8s E E"}, bakaze="E")
    closed = deal, riichi(0, "W"), turn(1, "N", "?"), turn(2, "6s", "?")
    # Double riichi and ippatsu: 3 han, of 50 fu or of 40.
    for points, expected in ((9600, []), (7700, []), (5800, ["R051"])):
        win = ev.Win(0, target=2, deltas=(points + 1000, 0, -points, 0), ura_markers=("S",))
        assert codes(*closed, win) == expected


def test_where_three_play_honba_of_a_ron_are_two_shares_or_three() -> None:
    deal = dealt({0: "5p 6p 7p 2p 3p 4p 2s 3s 4s 5s 5s 6s 7s"}, seats=3, honba=2)
    for points, expected in ((3300, []), (3500, []), (3200, ["R051"])):
        assert codes(deal, FIRST, THROWN, ev.Win(0, target=1, deltas=(points, -points, 0))) == expected


def test_games_without_values_of_riichi() -> None:
    # A hand of larger sets: nobody knows what it is worth.
    deal = ev.StartRound(oya=0, tehais=(("1m",) * 13, *(("?",) * 13,) * 3), scores=(0,) * 4)
    play = ev.Draw(0, "E"), ev.Discard(0, "E", tsumogiri=True), *turn(1, "1m", "?")
    for deltas, expected in (((10, -10, 0, 0), False), ((10, -9, 0, 0), True)):
        assert ("R050" in codes(deal, play, ev.Win(0, target=1, deltas=deltas))) is expected
    # Results of hong kong without points are not checked.
    rounds = [Round([ev.Win(0, target=1, fan=3)]), Round([ev.Ryukyoku()]), Round([ev.Ryukyoku("chombo", actor=1)])]
    match = Match(rounds=rounds, rules=Rules(base=Decimal(1)))
    assert [finding.code for finding in check(match) if finding.code[0] == "R"] == []


def test_stated_scores_follow() -> None:
    deal = dealt({0: READY})
    declared = deal, riichi(0, "W")[:3]
    end = THROWN[0], ev.Discard(1, "9m", tsumogiri=False)
    stick, paid = (-1000, 0, 0, 0), (24000, 25000, 25000, 25000)
    unpaid = ev.RiichiAccepted(0, deltas=stick, scores=SCORES)

    def win(*scores: int) -> ev.Win:
        return ev.Win(0, target=1, deltas=(2900, -2900, 0, 0), scores=scores)

    late = ev.Win(0, target=2, deltas=(13000, 0, -12000, 0), scores=(38000, 25000, 13000, 25000))
    cases = {
        "of a win": ("", deal, FIRST, THROWN, win(27900, 22100, 25000, 25000)),
        "not of a win": ("R059", deal, FIRST, THROWN, win(27900, 22100, 25000, 24000)),
        "of another player": ("R059", deal, FIRST, THROWN, win(28900, 21100, 26000, 24000)),
        "of riichi": ("", declared, ev.RiichiAccepted(0, deltas=stick, scores=paid), end),
        "of the riichi of another": ("R059", declared, ev.RiichiAccepted(0, deltas=(0, -1000, 0, 0)), end),
        "not of riichi": ("R059", declared, unpaid, end),
        "a wrong score is reported once a round": (
            *("R059", declared, ev.RiichiAccepted(0, scores=SCORES), turn(1, "9m", "?"), turn(2, "8s", "?")),
            late,
        ),
    }
    check_cases(cases)


STAKES = Stakes(4, actor=0, target=3, oya=1, honba=1, sticks=1)
DRAGONS = HandValue(13, 40, (("daisangen", 13),), 1, payment(0, 0, 1), 40)


def test_the_liable_player_pays_half_of_a_ron_and_all_of_a_self_draw_and_of_their_own_discard() -> None:
    ron = win_deltas(STAKES, DRAGONS, liable=2, part=1)
    assert {(33300, 0, -16000 - 300, -16000), (33300, 0, -16000, -16000 - 300)} <= set(ron)
    assert all(deltas[0] == 33300 for deltas in ron)
    drawn_worth = HandValue(13, 40, (("daisangen", 13),), 1, payment(0, 0, 1, tsumo=True), 40)
    assert win_deltas(STAKES._replace(target=0), drawn_worth, 2, 1)[0] == (33300, 0, -32300, 0)
    assert win_deltas(STAKES, DRAGONS, 3, 1)[0] == (33300, 0, 0, -32300)


def test_where_three_play_the_liable_player_pays_what_two_would_pay_for_a_self_draw() -> None:
    drawn = Stakes(3, actor=2, target=2, oya=0, honba=1)
    worth = HandValue(13, 40, (("daisangen", 13),), 1, payment(0, 0, 1, tsumo=True), 40)
    assert win_deltas(drawn, worth, liable=1, part=1)[0] == (0, -24200, 24200)
    dealer_worth = HandValue(13, 40, (("daisangen", 13),), 1, payment(0, 0, 1, True, tsumo=True), 40)
    assert win_deltas(drawn._replace(oya=2), dealer_worth, liable=1, part=1)[0] == (0, -32200, 32200)
    assert win_deltas(drawn._replace(target=0), DRAGONS, liable=1, part=1)[0] == (-16000, -16200, 32200)


def test_liability_is_for_the_yakuman_that_was_fed_and_in_some_houses_for_all() -> None:
    both = HandValue(26, 40, (("daisangen", 13), ("tsuiso", 13)), 2, payment(0, 0, 2), 40)
    half, all_of_it = (64000, 0, -16000, -48000), (64000, 0, -32000, -32000)
    assert win_deltas(STAKES._replace(honba=0, sticks=0), both, 2, 1) == [half, half, all_of_it, all_of_it]


def called(*groups: tuple[str, str, int | None]) -> list[Meld]:
    return [
        Meld("ankan", (tile,) * 4) if target is None else Meld(kind, (tile, tile), tile, target)  # type: ignore[arg-type]
        for kind, tile, target in groups
    ]


def test_who_is_liable() -> None:
    open_last = [("kakan", "P", 1), ("ankan", "F", None), ("ankan", "C", None), ("daiminkan", "1m", 2)]
    added_last = [("daiminkan", "P", 1), ("ankan", "F", None), ("ankan", "C", None), ("kakan", "1m", 2)]
    cases: list[tuple[str, list[tuple[str, str, int | None]], int | None, list[tuple[int, int]]]] = [
        ("daisangen", [("pon", "P", 1), ("pon", "F", 2), ("pon", "C", 3)], None, [(3, 1)]),
        ("daisangen", [("pon", "P", 1), ("pon", "9m", 3), ("ankan", "F", None), ("pon", "C", 2)], None, [(2, 1)]),
        ("daisangen", [("pon", "P", 1), ("pon", "C", 2), ("ankan", "F", None)], None, []),
        ("daisangen", [("pon", "P", 1), ("pon", "C", 2)], None, []),
        ("daisuushii", [("pon", wind, 1) for wind in "ESWN"], None, [(1, 1)]),
        ("suanko", [], None, []),
        ("suukantsu", open_last, 2, [(2, 1)]),
        ("suukantsu", added_last, None, []),
    ]
    for name, melds, giver, liable in cases:
        found = liability(HandValue(13, 40, ((name, 13),), 1, Payment(), 40), called(*melds), giver)
        assert [(each.seat, each.yakuman) for each in found] == liable, (name, melds)


def test_pao_at_the_table() -> None:
    others = {2: "P P F F C C 1m 2m 3m 7m 8m 9p W", 3: "P F C 1p 1p 1p 9p 9p 2p 1s 1s 1s 9s"}
    play = [dealt(others), turn(0, "9m", "?"), turn(1, "9m", "?"), turn(2, "9m")]
    for tile, discard in (("P", "9p"), ("F", "W"), ("C", "8m")):
        play += [turn(3, tile, "N"), ev.Pon(2, 3, tile, (tile,) * 2), ev.Discard(2, discard, tsumogiri=False)]
    play += [turn(3, "9s", "E"), turn(0, "7m", "?")]
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
        assert codes(*play, win) == expected, win


def test_nobody_is_liable_for_a_plain_hand() -> None:
    assert codes(dealt({0: READY}), FIRST, THROWN, ev.Win(0, target=1, liable=3)) == ["R049"]


def test_payments_of_draws() -> None:
    assert tenpai_deltas({1}, 4, 3000) == (-1000, 3000, -1000, -1000)
    assert tenpai_deltas({0, 1}, 3, 2000) == (1000, 1000, -2000)
    assert tenpai_deltas({0, 1, 2, 3}, 4, 3000) == (0, 0, 0, 0)
    assert nagashi_deltas([0, 1], 4, oya=0) == (8000, 4000, -6000, -6000)
    assert nagashi_deltas([1], 3, oya=0) == (-4000, 6000, -2000)


# Wins: each code with play that breaks its rule, and with the legal neighbour.
DEAL = dealt({0: READY})
WON = ev.Win(0, target=1, deltas=(2900, -2900, 0, 0))
RON = ev.Win(0, target=1)
TSUMO = ev.Win(0, target=0)


def around(*discards: str) -> list[Any]:
    """Play turns of players 1, 2 and 3."""
    return [turn(seat, tile, "?") for seat, tile in enumerate(discards, start=1)]


def test_the_hand_is_complete_and_has_a_yaku() -> None:
    no_yaku = dealt({0: "2m 3m 4m 5p 6p 7p 2s 3s 4s 6s 7s E E"})
    # The pair of a wind that is nobody's is a pinfu.
    pinfu = dealt({0: "2m 3m 4m 5p 6p 7p 2s 3s 4s 6s 7s N N"})
    simples = dealt({0: "2m 3m 4m 5p 6p 2s 3s 4s 5s 5s 6s 6s 7s", 3: "7p 1m 1m 1m 9m 9m 9m 1s 1s 1s E E E"})
    called = FIRST, around("9m", "9p"), turn(3, "7p", "P"), ev.Chi(0, 3, "7p", ("5p", "6p"))
    called = simples, *called, ev.Discard(0, "6s", tsumogiri=False), THROWN, RON
    rest = DEAL, FIRST, around("9m", "9m", "9m")
    cases = {
        "a win": ("", DEAL, FIRST, THROWN, WON),
        "an incomplete hand": ("R040", DEAL, FIRST, turn(1, "9s", "?"), WON),
        "a complete hand": ("", DEAL, FIRST, turn(1, "5s", "?"), RON),
        "an incomplete hand that was drawn": ("R040", rest, ev.Draw(0, "P"), TSUMO),
        "a complete hand that was drawn": ("", rest, ev.Draw(0, "8s"), TSUMO),
        "no yaku": ("R041", no_yaku, FIRST, THROWN, RON),
        "riichi is a yaku": ("", no_yaku, riichi(0, "W"), around("9m", "8s"), ev.Win(0, target=2)),
        "pinfu is a yaku": ("", pinfu, FIRST, THROWN, RON),
        "open simples": ("", *called),
        "open simples in a house without them": ("R041", *called, House(open_tanyao=False)),
        "a hidden hand": ("", dealt({}), FIRST, THROWN, ev.Win(0, target=1, fan=99, pai="8s")),
        "a win from another than the discarder": ("O003", DEAL, FIRST, THROWN, ev.Win(0, 2, deltas=(1, 2, 3, 4))),
    }
    check_cases(cases)


def test_an_incomplete_hand_is_listed_sorted() -> None:
    [finding] = findings(DEAL, FIRST, turn(1, "1m", "?"), WON)
    hand = "1m 2m 3m 4m 5p 6p 7p 2s 3s 4s 5s 5s 6s 7s"
    assert finding.message == f"east (player 0) wins with {hand}, which is no complete hand"


def test_furiten() -> None:
    later = around("9m", "9m", "9m"), FIRST, THROWN, RON
    called = ev.Pon(2, 0, "5s", ("?", "?")), ev.Discard(2, "9m", tsumogiri=False), turn(3, "9m", "?")
    passed = DEAL, FIRST, turn(1, "5sr", "?")
    in_riichi = DEAL, riichi(0, "W"), around("5s", "9m", "9m"), turn(0, "N")
    concealed = ev.Draw(1, "?"), ev.Ankan(1, ("8s",) * 4), ev.Dora("1m"), turn(1, "?", "9m")
    cases = {
        "a discard of a wait": ("R042", DEAL, turn(0, "5sr"), later),
        "a discard of another tile": ("", DEAL, turn(0, "4s"), later),
        "a discard of a wait that was called": ("R042", DEAL, turn(0, "5s"), called, FIRST, THROWN, RON),
        "a self-drawn win": ("", DEAL, turn(0, "8s"), around("8s", "9m", "9m"), ev.Draw(0, "5s"), TSUMO),
        "a tile passed in the same turn": ("R043", passed, turn(2, "8s", "?"), ev.Win(0, target=2)),
        "a tile passed in an earlier turn": ("", passed, around("9m", "9m", "9m")[1:], turn(0, "N"), THROWN, RON),
        "a tile passed in riichi": ("R043", in_riichi, THROWN, RON),
        "a self-drawn win after that": ("", in_riichi, around("1m", "1m", "1m"), ev.Draw(0, "8s"), TSUMO),
        "a concealed kan that was passed": ("", DEAL, FIRST, concealed, turn(2, "5s", "?"), ev.Win(0, target=2)),
    }
    check_cases(cases)


def test_a_call_does_not_end_a_turn_before_the_discard() -> None:
    """The tile was passed, then the player called and discarded: the turn is another one."""
    called = ev.Chi(0, 3, "4s", ("2s", "3s")), ev.Discard(0, "4s", tsumogiri=False)
    assert "R043" not in codes(DEAL, FIRST, *around("9m", "5s", "4s"), *called, THROWN, RON)


def test_a_kakan_that_was_passed_counts() -> None:
    others = {2: "8s 8s 1m 1m 1m 9m 9m 9m 1p 1p 1p E E", 3: "8s 9p 9p 9p 1s 1s 1s 9s 9s 9s E E P"}
    pon = ev.Pon(2, 3, "8s", ("8s", "8s")), ev.Discard(2, "1m", tsumogiri=False), turn(3, "P", "S")
    kan = ev.Draw(2, "8s"), ev.Kakan(2, "8s", ("8s",) * 3), *turn(2, "N"), ev.Dora("1m")
    play = dealt({0: READY, **others}), FIRST, turn(1, "9m", "?"), turn(2, "E", "C"), turn(3, "8s", "F")
    play = *play, *pon, riichi(0, "N"), turn(1, "S", "?"), *kan, turn(3, "S", "N"), turn(0, "9s")
    assert "R043" in codes(*play, turn(1, "5s", "?"), RON)


def robbed(tile: str) -> tuple[Any, ...]:
    """Seat 1 makes a concealed kan."""
    return ev.Draw(1, "?"), ev.Ankan(1, (tile,) * 4)


def test_only_thirteen_orphans_rob_a_concealed_kan() -> None:
    orphans = dealt({0: "1m 1m 9m 1p 9p 1s 9s E S W N P F"}), turn(0, "3p")
    groups = dealt({0: "7m 8m 5p 6p 7p 2s 3s 4s 6s 7s 8s 2p 2p"}), turn(0, "3p")
    pon = turn(1, "N", "?"), ev.Pon(0, 1, "N", ("?", "?")), ev.Discard(0, "W", tsumogiri=False)
    valued = ev.Win(0, target=1, fan=3, deltas=(7700, -7700, 0, 0))
    cases = {
        "thirteen orphans": ("", orphans, robbed("C"), RON),
        "groups and a pair": ("R048", groups, robbed("9m"), RON),
        "the usual hand": ("R048", DEAL, FIRST, robbed("8s"), RON),
        # The indicator may be turned before the win.
        "a win after the indicator": ("R048", DEAL, FIRST, robbed("8s"), ev.Dora("1m"), RON),
        # The value of such a win is not compared.
        "a value": ("R048", DEAL, FIRST, robbed("8s"), valued),
        "a hidden hand that may be orphans": ("", dealt({}), FIRST, robbed("C"), RON),
        "a hidden hand and another tile": ("R048", dealt({}), FIRST, robbed("8s"), RON),
        "a hidden hand that called": ("R048", dealt({}), turn(0, "W", "?"), pon, robbed("C"), RON),
    }
    check_cases(cases)


def test_an_added_kan_is_robbed_by_any_hand_and_counts_chankan() -> None:
    called = ev.Pon(1, 3, "8s", ("8s", "8s")), ev.Discard(1, "9m", tsumogiri=False), turn(2, "9m", "?")
    play = DEAL, FIRST, *around("1m", "1m", "8s"), *called, turn(3, "9m", "?"), turn(0, "9s"), ev.Draw(1, "8s")
    for own in (("8s", "8s", "?"), ("8s", "8s", "8s")):
        kan = ev.Kakan(1, "8s", own)
        # Pinfu, all simples and chankan. The hand passed an 8s, but in an earlier turn.
        assert "R046" not in codes(*play, kan, ev.Win(0, target=1, fan=3))
        assert "R046" in codes(*play, kan, ev.Win(0, target=1, fan=2))


def test_values_that_a_win_states_are_compared() -> None:
    other = tiles(READY.replace("2m", "1m"))
    for code, *stated in (
        ("R044", {"pai": "7s"}),
        ("", {"pai": "8s"}, {"pai": "?"}),
        ("R045", {"hora_tehais": other}),
        ("", *({"hora_tehais": shown} for shown in (tiles(READY), (*tiles(READY), "8s"), ("?",) * 13))),
        ("R046", {"fan": 3}, {"fu": 40}, {"yakus": (("pinfu", 1),)}, {"yakus": (("pinfu", 1), ("ipeko", 1))}),
        ("", {"fan": 2, "fu": 30, "yakus": (("tanyaochu", 1), ("pinfu", 1))}),
        ("", {"yakus": (("Tanyao", 1), ("Pinfu", 1))}),
    ):
        for values in stated:
            assert "".join(codes(DEAL, FIRST, THROWN, ev.Win(0, target=1, **values))) == code, values


def test_stated_points_may_include_honba() -> None:
    honba = dealt({0: READY}, honba=2)
    for points, expected in ((2000, ["R047"]), (2900, []), (3200, ["R047"]), (3500, [])):
        assert codes(honba, FIRST, THROWN, ev.Win(0, target=1, hora_points=points)) == expected


def test_ura_that_the_record_does_not_state_may_be_any() -> None:
    play = DEAL, riichi(0, "W"), *around("9m", "8s")
    # Double riichi, ippatsu, pinfu, all simples: five, and the ura.
    for fan in (5, 6, 7, 8):
        assert codes(*play, ev.Win(0, target=2, fan=fan)) == []
    assert codes(*play, ev.Win(0, target=2, fan=4)) == ["R046"]
    assert codes(*play, ev.Win(0, target=2, fan=6, ura_markers=("1m",))) == []
    assert codes(*play, ev.Win(0, target=2, fan=7, ura_markers=("1m",))) == ["R046"]
