"""From round to round, and the end of the match."""

from decimal import Decimal
from typing import Any

from judged import READY, dealt, errors, flat, riichi, tiles, turn
from mjconv.ir import events as ev
from mjconv.ir.match import House, Match, Round, Rules, Tournament
from mjconv.referee.sequence import check_sequence

EVEN = (25000,) * 4
DEALER_WINS = ev.Win(0, target=1, deltas=(2900, -2900, 0, 0))
OTHER_WINS = ev.Win(1, target=0, deltas=(-2900, 2900, 0, 0))
DEALER_TENPAI = ev.Ryukyoku(deltas=(1500, 1500, -1500, -1500))
DEALER_NOTEN = ev.Ryukyoku(deltas=(-1500, 1500, 1500, -1500))
AFTER = {
    DEALER_WINS: (27900, 22100, 25000, 25000),
    OTHER_WINS: (22100, 27900, 25000, 25000),
    DEALER_TENPAI: (26500, 26500, 23500, 23500),
    DEALER_NOTEN: (23500, 26500, 26500, 23500),
}


def deal(name: str, scores: tuple[int, ...] | None = None, **values: Any) -> ev.StartRound:
    """Make a deal from a round's name: wind, number, honba."""
    number, honba = int(name[1]), int(name[3:])
    usual: dict[str, Any] = {"oya": number - 1, "kyotaku": 0, "dora_marker": "1m"}
    if scores is not None:
        usual["scores"] = scores
    return ev.StartRound(bakaze=name[0], kyoku=number, honba=honba, **{**usual, **values})


def reported(*rounds: Round, **values: Any) -> list[str]:
    found: list[str] = []
    check_sequence(Match(rounds=list(rounds), **values), lambda code, *_, **__: found.append(code), House())
    return found


def two(first: str, result: Any, second: ev.StartRound, **values: Any) -> list[str]:
    return reported(Round([deal(first, EVEN, **values), result, ev.EndRound()]), Round([second]))


def test_the_round_that_follows() -> None:
    for first, result, second in (
        ("E1-0", DEALER_WINS, "E1-1"),
        ("E1-2", DEALER_WINS, "E1-3"),
        ("E1-2", OTHER_WINS, "E2-0"),
        ("E1-1", DEALER_TENPAI, "E1-2"),
        ("E1-1", DEALER_NOTEN, "E2-2"),
        ("E1-1", ev.Ryukyoku("kyushu_kyuhai", deltas=(0,) * 4), "E1-2"),
    ):
        scores = AFTER.get(result, EVEN)
        assert two(first, result, deal(second, scores)) == [], second
        for other in {"E1-0", "E1-1", "E1-2", "E1-3", "E2-0", "E2-1", "E2-2", "E3-0", "S1-0"} - {second}:
            code = "R060" if other[:2] != second[:2] else "R062"
            assert two(first, result, deal(other, scores)) == [code], (first, other)


def test_after_a_chombo_the_riichi_sticks_of_the_round_may_be_returned() -> None:
    deltas = (2000, 2000, -8000, 4000)
    play = ev.Draw(2, "E"), ev.Riichi(2), ev.Discard(2, "E"), ev.RiichiAccepted(2)
    chombo = Round(
        [deal("E3-0", EVEN, kyotaku=1), *play, ev.Ryukyoku("chombo", deltas=deltas, actor=2), ev.EndRound()]
    )
    for points, sticks, codes in ((16000, 2, []), (17000, 1, []), (18000, 1, ["R064"]), (17000, 0, ["R063"])):
        for again in ("E3-0", "E3-1"):
            following = deal(again, (27000, 27000, points, 29000), kyotaku=sticks)
            assert reported(chombo, Round([following])) == codes, (points, sticks, again)


def test_a_chombo_states_the_scores_with_the_riichi_sticks_paid_or_returned() -> None:
    declared = dealt({0: READY}), riichi(0, "W"), turn(1, "N", "?")
    for points, codes in ((16000, []), (17000, []), (18000, ["R059"])):
        scores = points, 27000, 27000, 29000
        chombo = ev.Ryukyoku("chombo", deltas=(-8000, 2000, 2000, 4000), scores=scores, actor=0)
        assert errors(*declared, chombo) == codes, points


def test_the_wind_after_the_last_dealer() -> None:
    for first, second in (("E4-0", "S1-0"), ("S4-0", "W1-0"), ("W4-0", "N1-0"), ("N4-0", "E1-0")):
        assert two(first, OTHER_WINS, deal(second, AFTER[OTHER_WINS])) == []
    first = Round([deal("E3-0", (35000,) * 3), ev.Win(0, target=1, deltas=(2000, -2000, 0))])
    assert reported(first, Round([deal("S1-0", (37000, 33000, 35000))])) == []
    assert reported(first, Round([deal("E4-0", (37000, 33000, 35000))])) == ["R060"]


def test_one_winner_who_deals_keeps_the_deal() -> None:
    both = [DEALER_WINS, ev.Win(2, target=1, deltas=(0, -1000, 1000, 0))]
    assert reported(Round([deal("E1-0", EVEN), *both]), Round([deal("E1-1", (27900, 21100, 26000, 25000))])) == []


def test_a_draw_that_does_not_state_who_was_tenpai_leaves_the_dealer_open() -> None:
    nobody_knows = ev.Ryukyoku(deltas=(0, 0, 0, 0))
    for second in ("E1-1", "E2-1"):
        assert two("E1-0", nobody_knows, deal(second, EVEN)) == []
    assert two("E1-0", nobody_knows, deal("E2-0", EVEN)) == ["R062"]
    assert two("E1-0", ev.Ryukyoku(tenpais=(True,) * 4, deltas=(0, 0, 0, 0)), deal("E2-1", EVEN)) == ["R060"]


def test_the_dealer_s_hand_decides_where_no_points_move() -> None:
    ready = tiles(READY)
    play = flat([turn(number % 4, "W") for number in range(70)])
    for hand, second, other in ((ready, "E1-1", "E2-1"), ((*ready[:-1], "E"), "E2-1", "E1-1")):
        start = deal("E1-0", EVEN, tehais=(hand, *[("?",) * 13] * 3))
        first = Round([start, *play, ev.Ryukyoku(deltas=(0,) * 4)])
        assert reported(first, Round([deal(second, EVEN)])) == []
        assert reported(first, Round([deal(other, EVEN)])) == ["R060"]


def test_the_dealer_the_sticks_and_the_scores() -> None:
    assert two("E1-0", OTHER_WINS, deal("E2-0", AFTER[OTHER_WINS], oya=2)) == ["R061"]
    drawn, noten = AFTER[DEALER_TENPAI], AFTER[DEALER_NOTEN]
    assert two("E1-0", DEALER_TENPAI, deal("E1-1", drawn, kyotaku=2), kyotaku=2)[-1:] == ["R066"]
    assert two("E2-0", DEALER_NOTEN, deal("E2-1", noten, kyotaku=1), kyotaku=1) == []
    assert two("E2-0", DEALER_NOTEN, deal("E2-1", noten, kyotaku=0), kyotaku=1) == ["R063"]
    assert two("E1-0", OTHER_WINS, deal("E2-0", AFTER[OTHER_WINS], kyotaku=1)) == ["R063"]
    assert two("E1-0", DEALER_WINS, deal("E1-1", EVEN)) == ["R064"]


def test_a_riichi_of_the_round_before_lies_on_the_table() -> None:
    riichi = ev.Riichi(1), ev.Discard(1, "N", tsumogiri=True), ev.RiichiAccepted(1)
    first = Round([deal("E1-0", EVEN), ev.Draw(0, "W"), *riichi, DEALER_TENPAI])
    after = (26500, 25500, 23500, 23500)
    assert reported(first, Round([deal("E1-1", after, kyotaku=1)])) == []
    assert reported(first, Round([deal("E1-1", after, kyotaku=0)])) == ["R063"]
    assert reported(first, Round([deal("E1-1", AFTER[DEALER_TENPAI], kyotaku=1)])) == ["R064"]


def test_a_slip_or_a_missing_round_is_reported_once() -> None:
    third = ev.Win(2, target=0, deltas=(-1000, 0, 1000, 0))
    first, last = Round([deal("E1-0", EVEN), OTHER_WINS]), Round([deal("E3-0", (21100, 27900, 26000, 25000))])
    for second, code in (
        (deal("E3-0", (22100, 27900, 25000, 25000), oya=1), "R060"),
        (deal("E2-0", (22100, 27900, 25000, 25100)), "R064"),
    ):
        assert reported(first, Round([second, third]), last) == [code]
    rounds = [Round([deal(name, EVEN), ev.Win(seat, target=seat)]) for name, seat in (("E1-0", 1), ("E3-0", 3))]
    assert reported(*rounds) == ["R060"]


def test_rounds_on_both_sides_of_one_that_breaks_off_are_not_compared() -> None:
    first, last = Round([deal("E1-0", EVEN), OTHER_WINS]), Round([deal("S3-2", (1,) * 4)])
    for between in (Round(), Round([deal("E2-0")]), Round([ev.EndRound()])):
        assert reported(first, between, last) == []
    # A draw without values may be a record that breaks off.
    assert reported(Round([deal("E1-0", EVEN), ev.Draw(0, "?"), ev.Ryukyoku()]), last) == []


def test_a_value_that_a_reader_filled_in_is_not_compared() -> None:
    second = Round([deal("E2-0", AFTER[OTHER_WINS], kyotaku=3)], assumed=("kyotaku",))
    assert reported(Round([deal("E1-0", EVEN), OTHER_WINS]), second) == []


def test_points_without_a_result() -> None:
    for after, codes in (
        ((30000, 20000, 25000, 25000), []),
        ((29000, 20000, 25000, 25000), []),
        ((29500, 20000, 25000, 25000), ["R065"]),
        ((31000, 20000, 25000, 25000), ["R065"]),
    ):
        assert reported(Round([deal("E1-0", EVEN)], scores_after=after)) == codes
    first = Round([deal("E1-0", EVEN)], scores_after=(30000, 20000, 25000, 25000))
    assert reported(first, Round([deal("E2-0", (30000, 20000, 25000, 25000))])) == []
    assert reported(first, Round([deal("E2-0", (30000, 20000, 25000, 24000))])) == ["R064"]
    # The points that nobody has are riichi sticks.
    left = 29000, 20000, 25000, 25000
    first = Round([deal("E1-0", EVEN)], scores_after=left)
    for sticks, codes in ((1, []), (0, ["R063"])):
        assert reported(first, Round([deal("E2-0", left, kyotaku=sticks)])) == codes


def test_the_first_round() -> None:
    assert reported(Round([deal("E1-0", (25000, 25000, 25000, 24000))])) == ["R066"]
    assert reported(Round([deal("E1-0", EVEN, kyotaku=1)])) == ["R066"]
    # A record may begin with a later round.
    assert reported(Round([deal("S1-0", (25000, 25000, 25000, 24000), kyotaku=1)])) == []


def test_the_scores_at_the_end_and_the_sticks_that_are_left() -> None:
    last = Round([deal("E1-0", EVEN), OTHER_WINS])
    assert reported(last, closing=[ev.EndGame(scores=AFTER[OTHER_WINS])]) == []
    assert reported(last, closing=[ev.EndGame(scores=EVEN)]) == ["R067"]
    last = Round([deal("E2-0", (24000,) * 4, kyotaku=4), DEALER_NOTEN])
    for scores in ((22500, 25500, 25500, 22500), (22500, 29500, 25500, 22500), (22500, 25500, 29500, 22500)):
        assert reported(last, closing=[ev.EndGame(scores=scores)]) == []
    assert reported(last, closing=[ev.EndGame(scores=(26500, 25500, 25500, 22500))]) == ["R067"]


LEAGUE = Rules(start=25000, returning=30000, uma=(30000, 10000))
LAST = Round([deal("S1-0", EVEN), ev.Win(1, target=2, deltas=(-500, 8500, -8000, 0))])


def final(*points: int, rules: Rules = LEAGUE, last: Round = LAST) -> list[str]:
    return reported(last, rules=rules, final_scores=points)


def test_final_points() -> None:
    tied = Round([deal("S1-0", EVEN), ev.Ryukyoku(deltas=(0,) * 4, tenpais=(True,) * 4)])
    thirds = Round([deal("S1-0", EVEN), ev.Ryukyoku(deltas=(1000, 1000, 1000, -3000))])
    for name, points, last, expected in (
        # Before oka and uma: 33.5, 25.0, 24.5, 17.0.
        ("oka and uma", (-15500, 53500, -43000, 5000), LAST, []),
        ("no oka", (-15500, 33500, -43000, 5000), LAST, ["R068"]),
        ("uma of another", (5000, 53500, -43000, -15500), LAST, ["R068"]),
        # Some write what a player has, without taking off what is returned.
        ("nothing taken off", (14500, 83500, -13000, 35000), LAST, []),
        ("players with equal points", (45000, 5000, -15000, -35000), tied, []),
        ("their other order", (-15000, 5000, 45000, -35000), tied, []),
        ("their shares", (0, 0, 0, 0), tied, []),
        ("more than their shares", (1000, 0, 0, 0), tied, ["R068"]),
        ("rounded thirds", (12700, 12700, 12700, -38000), thirds, []),
        ("wrong thirds", (12800, 12800, 12700, -38000), thirds, ["R068"]),
    ):
        assert final(*points, last=last) == expected, name
    assert final(1, 2, 3, 4, rules=Rules(start=25000)) == []


def test_play_after_a_player_had_less_than_nothing() -> None:
    ron = ev.Win(1, target=0, deltas=(-26000, 26000, 0, 0))
    first, second = Round([deal("E1-0", EVEN), ron]), Round([deal("E2-0", (-1000, 51000, 25000, 25000))])
    assert reported(first, second) == ["R069"]
    third = Round([deal("E3-0", (-1000, 51000, 25000, 25000))])
    assert reported(first, Round([*second.events, ev.Win(2, target=0, deltas=(0,) * 4)]), third) == ["R069"]
    # Leagues play on.
    assert reported(first, second, tournament=Tournament(year=2021)) == []


def test_games_of_other_rules_than_riichi_are_not_checked() -> None:
    rounds = [Round([deal("E1-0", (0,) * 4), DEALER_WINS]), Round([deal("W3-7", (5,) * 4)])]
    assert reported(*rounds, rules=Rules(base=Decimal(1))) == []
    assert reported(*rounds) != []
