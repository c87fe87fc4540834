"""What hands wait for, when they are complete, and what they are worth."""

import subprocess
import sys
from typing import Any

from mjconv.ir.match import House, Meld
from mjconv.rules.circumstances import Circumstances
from mjconv.rules.hands import countable, is_complete, waits
from mjconv.rules.riichi_values import Payment, dora_of, hand_value, payment

ORPHANS = "1m 9m 1p 9p 1s 9s E S W N P F C"
PON_E = Meld("pon", ("E", "E"), "E", 1)


def circumstances(**values: Any) -> Circumstances:
    return Circumstances(**{"tsumo": False, "seat_wind": "S", "round_wind": "E", **values})


def value(hand: str, winning: str, *melds: Meld, house: House | None = None, **values: Any) -> Any:
    found = hand_value(hand.split(), melds, winning, circumstances(**values), house)
    assert found is not None
    return found


def test_what_a_hand_waits_for() -> None:
    for hand, waited in (
        ("2m 3m 1p 2p 3p 7s 8s 9s E E E W W", "1m 4m"),
        ("1m 2m 1p 2p 3p 7s 8s 9s E E E W W", "3m"),
        ("2m 4m 1p 2p 3p 7s 8s 9s E E E W W", "3m"),
        ("1m 2m 3m 1p 2p 3p 7s 8s 9s E E E 5pr", "5p"),
        ("1m 2m 3m 1p 2p 3p 7s 8s 9s E E W W", "E W"),
        ("1m 1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 9m 9m", "1m 2m 3m 4m 5m 6m 7m 8m 9m"),
        ("1m 1m 9m 9m 1p 1p 9p 9p 1s 1s E E F", "F"),
        (ORPHANS, ORPHANS),
        ("1m 1m 9m 1p 9p 1s 9s E S W N P F", "C"),
        ("1m 4m 7m 1p 4p 7p 1s 4s 7s E S W N", ""),
    ):
        assert waits(hand.split()) == set(waited.split()), hand


def test_waits_with_melds_norths_and_four_copies() -> None:
    assert waits(["2m", "3m", "5s", "5s", "7p", "8p", "9p", "1s", "2s", "3s"], [PON_E]) == {"1m", "4m"}
    assert waits(["C"], [Meld("ankan", ("1m",) * 4), PON_E, PON_E, PON_E]) == {"C"}
    assert waits(["C", "C"], [PON_E] * 4) == frozenset()
    hand = ["2p", "3p", "5s", "5s", "7p", "8p", "9p", "1s", "2s", "3s", "1m", "1m", "1m"]
    assert waits(hand, [Meld("nukidora", ("N",))]) == {"1p", "4p"}
    # A tile of which the hand has all four is no wait.
    hand = ["1m", "1m", "1m", "1m", "2p", "3p", "4p", "5p", "6p", "7p", "2s", "3s", "4s"]
    assert waits(hand) == frozenset()
    assert waits(hand, fifth=True) == {"1m"}
    kan = [Meld("ankan", ("8p",) * 4)]
    assert waits(["7p", "9p", "3m", "3m", "3m", "6s", "6s", "C", "C", "C"], kan) == frozenset()
    assert waits(["7p", "9p", "3m", "3m", "3m", "6s", "6s", "C", "C", "C"], kan, fifth=True) == {"8p"}
    assert waits(["2m", "3m", "1p", "2p", "3p", "7s", "8s", "9s", "E", "E", "E", "W"]) == frozenset()


def test_complete_hands() -> None:
    for hand, complete in (
        ("1m 2m 3m 4m 5mr 6m 7m 8m 9m E E E S S", True),
        ("1m 2m 3m 4m 5mr 6m 7m 8m 9m E E E S W", False),
        ("1m 1m 9m 9m 1p 1p 9p 9p 1s 1s E E F F", True),
        ("1m 1m 9m 9m 1p 1p 9p 9p E E E E F F", False),
        (f"{ORPHANS} C", True),
        ("2m 9m 1p 9p 1s 9s E S W N P F C C", False),
        ("1m 2m 3m 4m 5m 6m 7m 8m 9m E E E E S S", False),
    ):
        assert is_complete(hand.split()) is complete, hand


def test_melds_make_a_hand_complete() -> None:
    assert is_complete(["2m", "3m", "4m", "5s", "5s"], [PON_E, PON_E, Meld("chi", ("1p", "2p"), "3p", 3)])
    assert not is_complete(["2m", "3m", "4m", "5s", "5s"], [PON_E])


SIMPLES = "2m 3m 4m 5p 6p 7p 2s 3s 4s 6s 7s 8s 5s 5s"
TERMINALS = "1m 1m 1m 9m 9m 9m 1p 1p 1p 9p 9p 9p 1s 1s"


def test_yaku_han_and_fu() -> None:
    for hand, winning, values, han, fu, yaku in (
        (SIMPLES, "8s", {}, 2, 30, "pinfu tanyao"),
        (SIMPLES, "8s", {"tsumo": True}, 3, 20, "menzen_tsumo pinfu tanyao"),
        (SIMPLES, "8s", {"riichi": True, "ippatsu": True}, 4, 30, "riichi ippatsu pinfu tanyao"),
        (SIMPLES, "8s", {"double_riichi": True, "riichi": True}, 4, 30, "double_riichi pinfu tanyao"),
        (SIMPLES, "8s", {"last_tile": True}, 3, 30, "houtei pinfu tanyao"),
        (
            SIMPLES, "8s", {"last_tile": True, "tsumo": True}, 4, 20,
            "menzen_tsumo haitei pinfu tanyao",
        ),
        (
            SIMPLES, "8s", {"last_tile": True, "rinshan": True, "tsumo": True}, 4, 20,
            "menzen_tsumo rinshan pinfu tanyao",
        ),
        (SIMPLES, "8s", {"chankan": True, "last_tile": True}, 3, 30, "chankan pinfu tanyao"),
        (SIMPLES, "8s", {"dora": ("4s", "1m"), "ura": ("7s",)}, 5, 30, "pinfu tanyao dora"),
        (SIMPLES, "8s", {"riichi": True, "ura": ("4s",)}, 5, 30, "riichi pinfu tanyao ura_dora"),
        (SIMPLES.replace("5s 5s", "5sr 5s"), "8s", {}, 3, 30, "pinfu tanyao red_dora"),
        ("1m 1m 9m 9m 1p 1p 9p 9p 1s 1s E E F F", "F", {}, 4, 25, "chiitoitsu honroutou"),
        ("1m 2m 3m 7p 8p 9p 1s 2s 3s P P P F F", "P", {}, 3, 40, "haku chanta"),
        ("1m 2m 3m 4m 5m 6m 7m 8m 9m S S S E E", "9m", {}, 6, 40, "seat_wind_south ittsu honitsu"),
        ("2m 3m 4m 5m 6m 7m 2s 3s 4s 6s 7s 8s E E", "8s", {}, 0, 0, ""),
    ):  # fmt: skip
        found = value(hand, winning, **values)
        assert (found.han, found.fu) == (han, fu), hand
        assert {name for name, _ in found.yaku} == set(yaku.split()), hand
        assert sum(count for _, count in found.yaku) == han, hand


def test_yakuman() -> None:
    for hand, winning, values, yaku, count in (
        (TERMINALS, "1s", {"tsumo": True}, {"chinroutou", "suuankou_tanki"}, 2),
        (f"{ORPHANS} C", "1m", {}, {"kokushi_musou"}, 1),
        (SIMPLES, "8s", {"tsumo": True, "first_turn": True}, {"chiihou"}, 1),
        (SIMPLES, "8s", {"tsumo": True, "first_turn": True, "seat_wind": "E"}, {"tenhou"}, 1),
        ("P P P F F F C C C 1m 2m 3m S S", "3m", {}, {"daisangen"}, 1),
    ):
        found = value(hand, winning, **values)
        assert {name for name, _ in found.yaku} == yaku, hand
        assert found.yakuman == count, hand


def test_the_rules_of_the_house() -> None:
    chi = Meld("chi", ("6s", "7s"), "8s", 0)
    hand = "2m 3m 4m 5p 6p 7p 2s 3s 4s 5s 5s"
    assert value(hand, "4m", chi).yaku == (("tanyao", 1),)
    assert value(hand, "4m", chi, house=House(open_tanyao=False)).yaku == ()
    four = {"riichi": True, "ippatsu": True}
    assert value(SIMPLES, "8s", **four).payment == Payment(discarder=7700)
    assert value(SIMPLES, "8s", **four, house=House(kiriage=True)).payment == Payment(discarder=8000)
    single = "1m 1m 1m 9m 9m 9m 1p 1p 1p 9p 9p 9p 5s 5s"
    assert value(single, "5s").yakuman == 1
    assert value(single, "5s", house=House(double_yakuman=True)).yakuman == 2


def test_a_pair_of_both_winds_counts_four_fu_and_in_some_houses_two() -> None:
    found = value("2m 3m 4m 5p 6p 7p 1s 1s 1s 7s 8s 9s E E", "9s", seat_wind="E", riichi=True)
    assert (found.fu, found.fu_less) == (50, 40)
    assert value(SIMPLES, "8s").fu_less == 30


def test_where_three_play() -> None:
    hand = "9m 9m 2p 3p 4p 5p 6p 7p 2s 3s 4s 6s 7s 8s"
    assert value(hand, "8s", seats=3, riichi=True, dora=("1m",)).han == 4
    assert value(hand, "8s", seats=4, riichi=True, dora=("1m",)).han == 2
    norths = Meld("nukidora", ("N",)), Meld("nukidora", ("N",))
    assert value(hand, "8s", *norths, seats=3, riichi=True).han == 4
    assert value(hand, "8s", *norths, seats=3, riichi=True, dora=("W",), ura=("W",)).han == 8
    assert (dora_of("1m", 3), dora_of("9m", 3)) == ("9m", "1m")


def test_han_that_the_record_does_not_show() -> None:
    assert value(SIMPLES, "8s", unseen=3).han == 5
    assert value("2m 3m 4m 5m 6m 7m 2s 3s 4s 6s 7s 8s E E", "8s", unseen=3).yaku == ()


def test_what_cannot_be_a_win_has_no_worth() -> None:
    assert hand_value(["1m", "2m", "3m"], [], "3m", circumstances()) is None
    opened = [Meld("chi", ("6s", "7s"), "8s", 0)]
    assert (
        hand_value(
            ["2m", "3m", "4m", "5p", "6p", "7p", "2s", "3s", "4s", "5s", "5s"],
            opened,
            "4m",
            circumstances(riichi=True),
        )
        is None
    )


def test_the_dearest_reading_counts() -> None:
    # Three like runs or three like triplets: three concealed triplets are dearer than a double run.
    found = value("2p 2p 2p 3p 3p 3p 4p 4p 4p 7s 8s 9s S S", "7s", tsumo=True)
    assert ("sanankou", 2) in found.yaku


def test_payments() -> None:
    for han, fu, values, paid in (
        (1, 30, {}, Payment(discarder=1000)),
        (1, 30, {"dealer": True}, Payment(discarder=1500)),
        (1, 30, {"tsumo": True}, Payment(dealer=500, other=300)),
        (1, 30, {"tsumo": True, "dealer": True}, Payment(other=500)),
        (4, 40, {}, Payment(discarder=8000)),
        (6, 30, {}, Payment(discarder=12000)),
        (13, 30, {}, Payment(discarder=32000)),
        (26, 30, {}, Payment(discarder=32000)),
        (0, 0, {"yakuman": 2, "tsumo": True}, Payment(dealer=32000, other=16000)),
    ):
        assert payment(han, fu, **values) == paid, han


def test_only_riichi_tiles_that_are_shown_count() -> None:
    assert countable(["1m", "5pr", "C"], [PON_E])
    assert not countable(["1m", "?"])
    assert not countable(["10m"])
    assert not countable(["1m"], [Meld("nukidora", ("1f",))])


def test_the_library_is_loaded_when_first_used() -> None:
    code = (
        "import sys, mjconv.referee.referee; print(any(name.split('.')[0] == 'mahjong' for name in sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
