"""Wins: each code with play that breaks its rule, and with the legal neighbour."""

from typing import Any

from judged import READY, check_cases, codes, dealt, findings, riichi, tiles, turn
from mjconv.ir import events as ev
from mjconv.ir.match import House

DEAL = dealt({0: READY})
FIRST = turn(0, "W")
THROWN = turn(1, "8s", "?")
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
