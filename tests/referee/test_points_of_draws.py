"""Rounds without a win: tenpai and noten, nagashi mangan, and the draws that break a round off."""

from itertools import islice
from typing import Any

from msgspec import UNSET

from judged import HIDDEN, READY, check_cases, codes, dealt, tiles, turn
from mjconv.ir import events as ev
from mjconv.ir.match import House, Match, Round, Rules
from mjconv.ir.table import Table
from mjconv.referee.referee import check
from mjconv.rules.payments import nagashi_winners

OPEN = "1m 2m 3m 5p 6p 7p 2s 3s 4s 6s 8s E W"
#: What is discarded without a meaning: no wind first, four of a kind at most, no tile that READY waits for.
DISCARDS = [tile for tile in tiles("1p 2p 3p 4p 8p 9m 9s 1s P F C N S W 6m 7m 8m 8p") for _ in range(4)]


def play(seats: int = 4, first: list[str] | None = None) -> list[Any]:
    """Play all draws of a round by the turn, everybody discarding what they draw."""
    order = iter([*(first or []), *DISCARDS])
    draws = 70 if seats == 4 else 55
    return [event for number, tile in enumerate(islice(order, draws)) for event in turn(number % seats, tile)]


def ended(hands: dict[int, str], seats: int = 4, first: list[str] | None = None, **values: Any) -> list[str]:
    house = values.pop("house", None)
    found = codes(dealt(hands, seats=seats), *play(seats, first), ev.Ryukyoku(**values), house=house)
    # Hidden hands may hold what others show a fifth time; the walls of these rounds are not dealt from a set.
    return [code for code in found if code != "R001"]


#: Two are tenpai and two are not.
TWO = {0: READY, 1: READY, 2: OPEN, 3: OPEN}
ALL_READY = dict.fromkeys(range(4), READY)
#: The dealer waits for the fifth tile of a kind.
FIFTH = {0: "1m 1m 1m 1m 5p 6p 7p 2s 3s 4s 6s 7s 8s", 1: OPEN, 2: OPEN, 3: OPEN}
TWO_OF_THREE = {0: READY.replace("2m 3m 4m", "9m 9m 9m"), 1: OPEN.replace("2m 3m", "1m 1m")}
HALVES = (1500, 1500, -1500, -1500)
ZERO = (0, 0, 0, 0)
ONE = (3000, -1000, -1000, -1000)
OTHERS_ONE = (1000, 1000, 1000, -3000)


def test_the_payments_of_noten() -> None:
    said = (True, True, False, False)
    counts, counts_not = House(fifth_wait=True), House(fifth_wait=False)
    for name, hands, values, expected in (
        ("two are paid", TWO, {"deltas": HALVES}, ""),
        ("another sum of payments", TWO, {"deltas": (1000, 1000, -1000, -1000)}, "R053"),
        ("the sum is not zero", TWO, {"deltas": (1500, 1500, -1500, -1000)}, "R053"),
        ("nobody is paid", TWO, {"deltas": ZERO}, "R053"),
        ("nobody pays where all are tenpai", ALL_READY, {"deltas": ZERO}, ""),
        ("nobody pays where none are tenpai", dict.fromkeys(range(4), OPEN), {"deltas": ZERO}, ""),
        ("one who is paid and not tenpai", TWO, {"deltas": OTHERS_ONE}, "R054"),
        ("one who is paid with a hidden hand", {0: READY, 1: READY, 3: OPEN}, {"deltas": OTHERS_ONE}, ""),
        ("one who is tenpai and pays", TWO, {"deltas": ONE}, "R055"),
        ("one who pays with a hidden hand", {0: READY, 2: OPEN, 3: OPEN}, {"deltas": ONE}, ""),
        ("stated tenpai", TWO, {"tenpais": said}, ""),
        ("stated tenpai of a noten hand", TWO, {"tenpais": (True, True, True, False)}, "R054"),
        ("stated noten of a tenpai hand", TWO, {"tenpais": (True, False, False, False)}, "R055"),
        ("payments of stated tenpai", {}, {"tenpais": said, "deltas": HALVES}, ""),
        ("other payments than of stated tenpai", {}, {"tenpais": said, "deltas": ONE}, "R053"),
        ("a wait for a fifth tile", FIFTH, {"deltas": ONE}, "R052"),
        ("that wait in a house that does not count it", FIFTH, {"deltas": ONE, "house": counts_not}, "R054"),
        ("no payment where all are tenpai by it", ALL_READY | {0: FIFTH[0]}, {"deltas": ZERO}, "R052"),
        ("no payment for that wait", FIFTH, {"deltas": ZERO}, ""),
        ("that wait in a house that counts it", FIFTH, {"deltas": ONE, "house": counts}, ""),
        ("no payment in such a house", FIFTH, {"deltas": ZERO, "house": counts}, "R053"),
        ("two thousand of three players", TWO_OF_THREE, {"seats": 3, "deltas": (2000, -1000, -1000)}, ""),
        ("three thousand of three players", TWO_OF_THREE, {"seats": 3, "deltas": (3000, -1500, -1500)}, ""),
        ("four thousand of three players", TWO_OF_THREE, {"seats": 3, "deltas": (4000, -2000, -2000)}, "R053"),
        ("stated scores", TWO, {"deltas": HALVES, "scores": (26500, 26500, 23500, 23500)}, ""),
        ("wrong scores", TWO, {"deltas": HALVES, "scores": (26500, 26500, 23500, 23400)}, "R059"),
        ("shown hands", TWO, {"tehais": (tiles(READY), HIDDEN, (), HIDDEN)}, ""),
        ("another hand", TWO, {"tehais": (tiles(READY.replace("2m", "1m")), HIDDEN, HIDDEN, HIDDEN)}, "R058"),
    ):
        assert "".join(ended(hands, **values)) == expected, name


def test_a_round_is_not_drawn_before_the_last_discard() -> None:
    [*before, discard] = play()
    assert isinstance(discard, ev.Discard)
    for values, expected in (
        ({"reason": "fanpai"}, ["R056"]),
        ({"deltas": (1500, 1500, -1500, -1500)}, ["R056"]),
        # The record may break off here.
        ({}, []),
    ):
        assert [code for code in codes(dealt(TWO), *before, ev.Ryukyoku(**values)) if code != "R001"] == expected


def test_rules_that_state_the_payment_of_noten() -> None:
    for total, expected in ((1000, []), (3000, ["R053"])):
        played = [dealt(TWO), *play(), ev.Ryukyoku(deltas=(500, 500, -500, -500)), ev.EndRound()]
        match = Match([], [Round(played)], [ev.StartGame()], [ev.EndGame()], rules=Rules(tenpai=total))
        assert [finding.code for finding in check(match) if finding.code != "R001"] == expected


def test_the_sum_is_zero_whatever_the_rules() -> None:
    assert "R053" in codes(dealt({}), ev.Ryukyoku(deltas=(1000, 0, 0, 0)))
    assert "R053" not in codes(dealt({}), ev.Ryukyoku("chombo", deltas=(-8000, 2000, 2000, 4000), actor=0))


def river() -> list[str]:
    """Return tiles in which the dealer discards only terminals and honours, and nobody else."""
    plain = iter([tile for tile in tiles("2p 3p 4p 8p 6m 7m 8m 2p 3p 4p 6m 7m 8m 3p") for _ in range(4)])
    orphans = iter(tiles("1m 9m 1p 9p 1s 9s E S W N P F C 1m 9m 1p 9p 1s"))
    return [next(orphans) if number % 4 == 0 else next(plain) for number in range(70)]


def test_nagashi_mangan_and_whether_somebody_has_it() -> None:
    for reason in ({"reason": "nagashimangan"}, {}):
        assert ended({}, first=river(), deltas=(12000, -4000, -4000, -4000), **reason) == []
    assert ended({}, first=river(), reason="nagashimangan", deltas=(8000, -4000, -2000, -2000)) == ["R053"]
    # Not every house has it.
    assert ended({}, first=river(), deltas=(3000, -1000, -1000, -1000)) == []
    assert ended({}, reason="nagashimangan", deltas=(12000, -4000, -4000, -4000)) == ["R056"]
    assert ended({}, deltas=(12000, -4000, -4000, -4000)) == ["R053"]


def test_a_called_discard_is_no_nagashi_mangan() -> None:
    table = Table.dealt(dealt({}))
    for events, winners in ((turn(0, "N"), [0]), ([ev.Pon(1, 0, "N", ("N", "N"))], [])):
        for event in events:
            table.apply(event)
        assert nagashi_winners(table) == winners


NINE = "1m 9m 1p 9p 1s 9s E S W 2m 3m 4m 5m"
EIGHT = NINE.replace("W", "6m")


def thrown(*discards: str) -> list[Any]:
    """Play turns from the dealer on, in which tiles are discarded that nobody saw drawn."""
    return [turn(seat % 4, tile, "?") for seat, tile in enumerate(discards)]


def declared(tile: str, seat: int) -> list[Any]:
    return [ev.Draw(seat, "?"), ev.Riichi(seat), ev.Discard(seat, tile, tsumogiri=False), ev.RiichiAccepted(seat)]


def kan(seat: int, tile: str) -> list[Any]:
    return [ev.Draw(seat, "?"), ev.Ankan(seat, (tile,) * 4), ev.Dora("9p"), *turn(seat, "2m", "?")]


def test_draws_that_break_a_round_off() -> None:
    hidden, nine = dealt({}), dealt({0: NINE})
    nines, winds, riichis = "kyushu_kyuhai", "sufuurenta", "suucha_riichi"
    pon = turn(0, "7m", "?"), ev.Pon(2, 0, "7m", ("?", "?")), ev.Discard(2, "?", tsumogiri=False)
    all_four = [declared("N" if seat else "S", seat) for seat in range(4)]
    kans = [kan(seat, tile) for seat, tile in enumerate(("1m", "1p", "1s", "9s"))]
    kan_deal, later = dealt({}, dora_marker="8s"), thrown("", "7m", "7m", "7m")[1:]
    rons, four_kans = ev.Ryukyoku("sanchaho", deltas=ZERO), ev.Ryukyoku("suukansansen", deltas=ZERO)
    ready = dealt({0: READY}), turn(0, "9m"), turn(1, "P", "?")
    cases = {
        "nine terminals": ("", nine, ev.Draw(0, "7m"), ev.Ryukyoku(nines, deltas=ZERO)),
        "eight terminals": ("R056", dealt({0: EIGHT}), ev.Draw(0, "7m"), ev.Ryukyoku(nines, deltas=ZERO)),
        "nine terminals later": ("R056", nine, turn(0, "7m"), later, ev.Draw(0, "8m"), ev.Ryukyoku(nines)),
        "nine terminals after a call": ("R056", dealt({3: NINE}), pon, ev.Draw(3, "7m"), ev.Ryukyoku(nines)),
        "four winds": ("", hidden, thrown("N", "N", "N", "N"), ev.Ryukyoku(winds, deltas=ZERO)),
        "three winds and another": ("R056", hidden, thrown("N", "N", "N", "S"), ev.Ryukyoku(winds)),
        "four dragons": ("R056", hidden, thrown("P", "P", "P", "P"), ev.Ryukyoku(winds)),
        "four riichi": ("", hidden, all_four, ev.Ryukyoku(riichis, deltas=ZERO)),
        "three riichi": ("R056", hidden, all_four[:3], turn(3, "N", "?"), ev.Ryukyoku(riichis)),
        "four kans": ("", kan_deal, kans, four_kans),
        "three kans": ("R056", kan_deal, kans[:3], four_kans),
        # Whoever plays on after the fourth has given up the right to break off.
        "four kans and a turn": ("R056", kan_deal, kans, turn(0, "3p", "?"), four_kans),
        "three rons of hidden hands": ("", hidden, thrown("9m", "8s"), rons),
        "three rons with a ready hand": ("", dealt({0: READY}), turn(0, "9m"), turn(1, "8s", "?"), rons),
        "three rons and a hand that does not win": ("R056", dealt({0: READY, 2: OPEN}), thrown("9m", "8s"), rons),
        "a draw that nothing explains": ("R056", ready, ev.Ryukyoku(deltas=ZERO)),
        "an exhaustive draw too early": ("R056", ready, ev.Ryukyoku("exhaustive_draw")),
        # A record that states nothing may only break off, and houses have reasons of their own.
        "a draw without values": ("", ready, ev.Ryukyoku()),
        "a reason of a house": ("", ready, ev.Ryukyoku("an earthquake", deltas=ZERO)),
    }
    check_cases(cases)


def test_a_round_that_is_broken_off_moves_no_points() -> None:
    play = dealt({0: NINE}), ev.Draw(0, "7m")
    for reason in ("kyushu_kyuhai", "kyushukyuhai", "yao9", UNSET):
        assert codes(*play, ev.Ryukyoku(reason, deltas=ONE)) == ["R057"]
        assert codes(*play, ev.Ryukyoku(reason, deltas=ZERO)) == []
