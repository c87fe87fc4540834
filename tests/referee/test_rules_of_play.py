"""The rules of play, each with play that breaks it and with its legal neighbour; one fault is reported once."""

from typing import Any

from judged import READY, check_cases, codes, dealt, errors, findings, flat, riichi, turn
from mjconv.ir import events as ev
from mjconv.ir.match import House, Match, Round
from mjconv.referee.referee import check


def around(tile: str, *seats: int) -> list[Any]:
    """Play turns in which players discard a tile that nobody saw them draw."""
    return [turn(seat, tile, "?") for seat in seats]


# What the table refuses.

DEAL = dealt({0: READY, 1: "1m 1m 1m 2m 3m 9m 9m 1p 1p 4p 9s N N"})
FIRST = turn(0, "W")
PON_N = turn(0, "N"), ev.Pon(1, 0, "N", ("N", "N"))
LATER = *PON_N, ev.Discard(1, "9s", tsumogiri=False), around("9s", 2, 3), turn(0, "W")
HIDDEN_THREE = dealt({}, seats=3), turn(0, "9p", "?")


def test_each_refusal_of_the_table_is_reported_once() -> None:
    cases = {
        "a discard that is not held": ("R005", DEAL, turn(0, "9m", "W")),
        "a discard that is held": ("", DEAL, turn(0, "2m", "W")),
        "a call with tiles that are not held": ("R005", DEAL, FIRST, ev.Pon(1, 0, "W", ("W", "W"))),
        "a call with tiles that are held": ("", DEAL, PON_N),
        # It is not known which tile was meant: neither the hand nor the call on it is checked any more.
        "play after a tile that is not held": (
            *("R005", DEAL, turn(0, "9m", "W"), ev.Pon(1, 0, "N", ("N", "N")), ev.Discard(1, "1m")),
            *(around("9s", 2, 3), turn(0, "9m", "C")),
        ),
        "tsumogiri of another tile": ("R006", DEAL, FIRST, ev.Draw(1, "W"), ev.Discard(1, "9s", tsumogiri=True)),
        "another tile of the hand": ("", DEAL, FIRST, ev.Draw(1, "W"), ev.Discard(1, "9s", tsumogiri=False)),
        "tsumogiri": ("", DEAL, FIRST, ev.Draw(1, "W"), ev.Discard(1, "W", tsumogiri=True)),
        "a tile that must be the one drawn": ("R006", DEAL, FIRST, ev.Draw(1, "W"), ev.Discard(1, "W", False)),
        "a tile like the one drawn": ("", DEAL, FIRST, ev.Draw(1, "N"), ev.Discard(1, "N", tsumogiri=False)),
        "the dealer's first tile counts to the hand": ("", DEAL, ev.Draw(0, "W"), ev.Discard(0, "W", False)),
        "tsumogiri after a call": ("R006", DEAL, PON_N, ev.Discard(1, "9s", tsumogiri=True)),
        "a discard of the hand after a call": ("", DEAL, PON_N, ev.Discard(1, "9s", tsumogiri=False)),
        "a call of another tile": ("R009", DEAL, FIRST, ev.Pon(1, 0, "N", ("N", "N"))),
        "a chi that is no run": ("R011", DEAL, turn(0, "4m"), ev.Chi(1, 0, "4m", ("3m", "9m"))),
        "a chi that is a run": ("", DEAL, turn(0, "4m"), ev.Chi(1, 0, "4m", ("2m", "3m"))),
        "a kan of two kinds": ("R011", DEAL, FIRST, ev.Draw(1, "1m"), ev.Ankan(1, ("1m", "1m", "1m", "2m"))),
        "a kakan without a pon": ("R012", DEAL, LATER, ev.Draw(1, "9m"), ev.Kakan(1, "9m", ("9m",) * 3)),
        "a kakan with a pon": ("", DEAL, LATER, ev.Draw(1, "N"), ev.Kakan(1, "N", ("N",) * 3)),
        # A win without a target is a self-drawn one, and nothing was drawn. The order allows it.
        "a win out of turn": ("R007", DEAL, FIRST, ev.Win(1)),
        "a liable player whom the game does not have": ("R008", HIDDEN_THREE, ev.Win(1, 0, liable=3)),
        "a liable player": ("", HIDDEN_THREE, ev.Win(1, 0, liable=2)),
        "a turn of a player whom the game does not have": ("O002", HIDDEN_THREE, turn(3, "9p", "?")),
    }
    check_cases(cases)


def test_turns_are_checked_by_the_order_alone() -> None:
    """The wrong player draws: the table would refuse that, and the discard that follows, as well."""
    wrong = ev.Draw(2, "C"), ev.Discard(1, "1m")
    assert [code[0] for code in errors(DEAL, FIRST, *wrong)] == ["O"]
    assert "R007" not in errors(DEAL, FIRST, ev.Draw(1, "9s"), ev.Win(1))


def test_points_of_another_number_of_players() -> None:
    for deltas, wrong in (((0, 0, 0), True), ((0, 0, 0, 0), False)):
        assert ("R008" in errors(dealt({0: READY}), FIRST, ev.Ryukyoku(deltas=deltas))) is wrong


def test_the_place_of_a_finding() -> None:
    [finding] = [one for one in findings(DEAL, FIRST, ev.Draw(1, "1m"), ev.Discard(1, "P")) if one.code == "R005"]
    assert finding.message == "south (player 1) does not hold P"
    place = finding.match, finding.round, finding.event, finding.label, finding.actor, finding.turn
    assert place == (0, 0, 4, "S1-0", 1, 1)


# Calls.

CALLER = "3p 4p 5p 5pr 1s 1s 2s 3s 4s 5s 6s N N"
CALLS = dealt({1: CALLER})
NORTHS = "9m 1p 2p 3p 4p 5p 6p 7p 8p 9p 1s N C"
ASIDE = ev.Draw(0, "P"), ev.Nukidora(0, "N"), ev.Draw(0, "?")


def called(call: ev.Chi | ev.Pon, discard: str) -> tuple[Any, ...]:
    return turn(0, call.pai, "?"), call, ev.Discard(1, discard, tsumogiri=False)


PON = called(ev.Pon(1, 0, "N", ("N", "N")), "1s")
RED = called(ev.Pon(1, 0, "5p", ("5p", "5pr")), "1s"), around("9m", 2, 3, 0), ev.Draw(1, "5p")


def drawn_out(last: int) -> list[Any]:
    """Play hidden tiles until `last` are left."""
    return [turn(number % 4, "?", "?") for number in range(70 - last)]


def kans(count: int) -> list[Any]:
    kan = ev.Ankan(0, ("?",) * 4), ev.Dora("?"), ev.Draw(0, "?")
    other = ev.Discard(0, "?"), ev.Draw(1, "?"), ev.Ankan(1, ("?",) * 4), ev.Dora("?"), ev.Draw(1, "?")
    return [ev.Draw(0, "?"), *[kan] * min(count, 4), *[other] * (count - 4)]


def test_calls() -> None:
    chi = around("9m", 1, 2), turn(3, "5s", "?"), ev.Chi(0, 3, "5s", ("6s", "7s"))
    chi = *chi, ev.Discard(0, "2m", tsumogiri=False)
    four, no_dora = dealt({1: CALLER.replace("6s", "N")}), dealt({1: CALLER}, dora_marker="?")
    three, norths = dealt({1: CALLER}, seats=3), dealt({0: NORTHS}, seats=3)
    pon_of = {seat: (ev.Pon(3, seat, "?", ("?", "?")), ev.Discard(3, "?")) for seat in (0, 1)}
    cases = {
        "a kakan of the tiles of its pon": ("", CALLS, RED, ev.Kakan(1, "5p", ("5p", "5pr", "5p"))),
        "a kakan of other tiles": ("R013", CALLS, RED, ev.Kakan(1, "5p", ("5p", "5p", "5p"))),
        "a call when no tile is left": ("R014", dealt({}), drawn_out(0), *pon_of[1]),
        "a call when a tile is left": ("", dealt({}), drawn_out(1), *pon_of[0]),
        "a kan when no tile is left": ("R014", dealt({}), drawn_out(1), ev.Draw(1, "?"), ev.Ankan(1, ("?",) * 4)),
        "a kan when a tile is left": ("", dealt({}), drawn_out(2), ev.Draw(0, "?"), ev.Ankan(0, ("?",) * 4)),
        "a call in riichi": ("R015", dealt({0: READY}), riichi(0, "W"), chi),
        "a call without riichi": ("", dealt({0: READY}), FIRST, chi),
        "the fourth tile of a pon at once": ("R016", four, called(ev.Pon(1, 0, "N", ("N", "N")), "N")),
        "the fourth tile of a pon later": ("", four, PON, around("9m", 2, 3, 0), turn(1, "N", "9m")),
        "a chi where three play": ("R018", three, called(ev.Chi(1, 0, "3s", ("1s", "2s")), "N")),
        "a pon where three play": ("", three, PON),
        "a north where three play": ("", norths, ASIDE),
        "a north where four play": ("R020", dealt({0: NORTHS}), ASIDE),
        "another honour set aside": ("R020", norths, ev.Draw(0, "P"), ev.Nukidora(0, "C"), ev.Draw(0, "?")),
        # A game without dora is played by general rules alone.
        "swap calling without dora": ("", no_dora, called(ev.Chi(1, 0, "6s", ("4s", "5s")), "3s")),
        "a discard of a ready hand": ("", dealt({0: READY}), turn(0, "2m", "W")),
    }
    check_cases(cases)
    assert "R017" not in errors(dealt({}), *kans(4))
    assert errors(dealt({}), *kans(5)).count("R017") == 1


def test_swap_calling() -> None:
    for call, discard, swapped in (
        (ev.Chi(1, 0, "3s", ("1s", "2s")), "3s", True),
        (ev.Chi(1, 0, "6s", ("4s", "5s")), "3s", True),
        (ev.Chi(1, 0, "3s", ("4s", "5s")), "6s", True),
        (ev.Chi(1, 0, "3s", ("2s", "4s")), "3s", True),
        (ev.Chi(1, 0, "3s", ("2s", "4s")), "6s", False),
        (ev.Chi(1, 0, "3s", ("4s", "5s")), "2s", False),
        (ev.Chi(1, 0, "5p", ("3p", "4p")), "5pr", True),
        (ev.Chi(1, 0, "5p", ("3p", "4p")), "N", False),
        (ev.Pon(1, 0, "5p", ("5p", "5pr")), "4p", False),
        (ev.Pon(1, 0, "1s", ("1s", "1s")), "2s", False),
    ):
        assert errors(CALLS, *called(call, discard)) == (["R016"] if swapped else []), (call, discard)
        assert errors(CALLS, *called(call, discard), house=House(swap_calling=True)) == [], (call, discard)
    assert errors(dealt({}), *called(ev.Pon(1, 0, "5p", ("5p", "5p")), "5pr")) == ["R016"]


# Riichi.

RIICHI = dealt({0: READY})
KAN = "1m 1m 1m 2p 3p 4p 6p 7p 8p 3s 4s 9s 9s"
IN_RIICHI = riichi(0, "W"), around("9m", 1, 2, 3)
APART = dealt({0: READY.replace("5s 5s", "1p 9p")})


def deal_and_chi(*last: Any) -> tuple[Any, ...]:
    """Deal a hand that is ready after a chi, call, play a turn, and continue with the last events."""
    beside = "4m 1m 1m 1m 9m 9m 1s 1s 9s 9s E E E"
    deal = dealt({0: READY.replace("2m 3m 4m", "2m 3m 9p"), 3: beside})
    chi = turn(0, "9p", "W"), around("8p", 1, 2), turn(3, "4m", "?"), ev.Chi(0, 3, "4m", ("2m", "3m"))
    return deal, chi, ev.Discard(0, "W", tsumogiri=False), around("1p", 1, 2, 3), *last


def late(left: int) -> tuple[Any, ...]:
    """Draw until so many tiles are left, and declare."""
    return *drawn_out(left + 1), riichi((69 - left) % 4, "W")


def kan_in_riichi(hand: str, drawn: str, tile: str) -> tuple[Any, ...]:
    kan = ev.Draw(0, drawn), ev.Ankan(0, (tile,) * 4), ev.Dora("N"), ev.Draw(0, "?")
    return dealt({0: hand}), IN_RIICHI, kan


def north_in_riichi(drawn: str) -> tuple[Any, ...]:
    deal = dealt({0: "2p 3p 4p 5p 6p 7p 2s 3s 4s 6s 7s N N"}, seats=3)
    return deal, riichi(0, "W"), around("9m", 1, 2), ev.Draw(0, drawn), ev.Nukidora(0, "N"), ev.Draw(0, "?")


def test_riichi() -> None:
    poor = dealt({0: READY}, scores=(900, 33700, 32700, 32700))
    concealed = ev.Draw(0, "1m"), ev.Ankan(0, ("1m",) * 4), ev.Dora("N")
    fifth = dealt({0: "1s 1s 1s 1s 2m 3m 4m 5m 6m 7m 7p 8p 9p"})
    cases = {
        "riichi": ("", RIICHI, IN_RIICHI, turn(0, "N")),
        "an open hand": ("R030", *deal_and_chi(riichi(0, "N"))),
        "an open hand without riichi": ("", *deal_and_chi(turn(0, "N"))),
        "a hand with a concealed kan": ("", dealt({0: KAN}), concealed, riichi(0, "W")),
        "hidden hands": ("", dealt({}), IN_RIICHI, ev.Draw(0, "?"), ev.Discard(0, "1m")),
        "fewer than a thousand points": ("R032", poor, riichi(0, "W")),
        "a thousand points": ("", dealt({0: READY}, scores=(1000, 33000, 33000, 33000)), riichi(0, "W")),
        "fewer in a house that allows it": ("", poor, riichi(0, "W"), House(riichi_in_debt=True)),
        "a draw left": ("", dealt({}), *late(4)),
        "no draw left": ("R033", dealt({}), *late(3)),
        "no draw left in a house that allows it": ("", dealt({}), *late(3), House(late_riichi=True)),
        "another tile than the one drawn": ("R034", RIICHI, IN_RIICHI, turn(0, "2m", "N")),
        "a tile like the one drawn": ("R034", RIICHI, IN_RIICHI, ev.Draw(0, "2m"), ev.Discard(0, "2m", False)),
        "the tile drawn": ("", RIICHI, IN_RIICHI, ev.Draw(0, "2m"), ev.Discard(0, "2m", tsumogiri=True)),
        "a north that was drawn": ("", *north_in_riichi("N")),
        "a north of the hand": ("R034", *north_in_riichi("C")),
        "a kan that keeps the waits": ("", *kan_in_riichi(KAN, "1m", "1m")),
        "a kan that changes the waits": (
            *("R035", *kan_in_riichi(KAN.replace("1m 1m 1m 2p", "2p 2p 2p 2s"), "2p", "2p")),
        ),
        "a second riichi": ("R036", RIICHI, IN_RIICHI, ev.Draw(0, "N"), ev.Riichi(0)),
        "a wait for the fifth tile of a kind": ("R031", fifth, riichi(0, "E"), House(fifth_wait=False)),
        "such a wait in a house that counts it": ("", fifth, riichi(0, "E"), House(fifth_wait=True)),
    }
    check_cases(cases)
    other = kan_in_riichi(KAN.replace("6p 7p 8p", "1m 7p 8p"), "C", "1m")
    assert "R035" in errors(*other), "a kan of another tile than the one drawn"


def test_a_riichi_that_is_not_tenpai_names_its_discard_if_that_is_the_fault() -> None:
    discards = ev.Draw(0, "W"), ev.Riichi(0), ev.Discard(0, "2m", tsumogiri=False), ev.RiichiAccepted(0)
    for events, at, message in (
        ((APART, riichi(0, "W")), 2, "declares riichi, but the hand is not tenpai"),
        ((RIICHI, discards), 3, "declares riichi and discards 2m, but the hand is not tenpai"),
    ):
        found = [(each.event, each.message) for each in findings(*events) if each.code == "R031"]
        assert found == [(at, f"east (player 0) {message}")]
    # A record may break off at the riichi.
    assert "R031" in errors(APART, ev.Draw(0, "W"), ev.Riichi(0))
    assert "R031" not in errors(RIICHI, ev.Draw(0, "W"), ev.Riichi(0))


# The set of tiles.

#: Three of the white dragon, and both fives of characters that are not dealt elsewhere.
WHITE = "1m 2m 3m 4m 5m 5mr 7m 8m 9m 1p P P P"
FOURTH = dealt({0: WHITE}), turn(0, "P")
THREE = "1m 9m 1p 2p 3p 4p 5p 6p 7p 8p 9p 1s 2s"
FLOWERS = (
    ev.StartRound("E", kyoku=1, oya=0, tehais=(("1f", "16m", "10p", *("?",) * 10), *(("?",) * 13,) * 3)),
    *(ev.Nukidora(0, "1f"), ev.Draw(0, "16m")),
)


def test_tiles_are_those_of_one_set() -> None:
    red = dealt({0: READY.replace("5p", "5pr")})
    unseen = dealt({0: WHITE}), ev.Draw(0, "C"), ev.Discard(0, "?"), around("9s", 1, 2, 3)
    cases = {
        "a fifth copy": ("R001", FOURTH, turn(1, "9s", "?"), turn(2, "P", "?")),
        "four copies": ("", FOURTH, turn(1, "9s", "?"), turn(2, "C", "?")),
        "an indicator that is a fifth copy": ("R001", dealt({0: WHITE}, dora_marker="P"), turn(0, "P")),
        "an indicator that is a copy": ("", dealt({0: READY}, dora_marker="P"), turn(0, "P")),
        "a fifth copy of a hidden hand": ("R001", FOURTH, ev.Pon(2, 0, "P", ("P", "P")), ev.Discard(2, "9s")),
        # It is not known which tile of the hand was discarded.
        "a hand of which a hidden tile was discarded": ("", unseen, turn(0, "P", "?"), turn(1, "P", "?")),
        "a second red five": ("R002", red, turn(0, "5pr")),
        "a plain five": ("", red, turn(0, "5p")),
        "a second red five of a house with two": ("", red, turn(0, "5pr"), House(reds=(1, 2, 1))),
        "a tile that three players lack": ("R004", dealt({0: THREE}, seats=3), turn(0, "5m")),
        "a tile that three players have": ("", dealt({0: THREE}, seats=3), turn(0, "9m")),
        "a tile of four players": ("", dealt({0: THREE}), turn(0, "5m")),
        "a hand of twelve": ("R019", dealt({0: READY.removesuffix(" 7s")}), FIRST),
        "flowers and high ranks": ("", FLOWERS, turn(0, "16m")),
        "a flower twice": ("R001", FLOWERS, ev.Draw(0, "1f"), ev.Nukidora(0, "1f"), ev.Draw(0, "9p")),
    }
    check_cases(cases)


def test_a_tile_too_many_is_reported_once_at_its_first_place() -> None:
    """Where four hold what one hand of a set can, the second is one too many of the red five already."""
    found = findings(dealt({0: WHITE, 1: WHITE}), turn(0, "P"), turn(1, "P"))
    assert [(each.code, each.event, each.actor) for each in found if each.code[0] == "R"] == [
        ("R002", 0, 1),
        ("R001", 0, 1),
    ]


def test_ura_indicators_are_counted_once_for_all_winners() -> None:
    three = turn(0, "C"), riichi(1, "W"), riichi(2, "W"), turn(3, "8s", "?")
    deal = dealt({0: WHITE.replace("5mr", "6m"), 1: READY.replace("4m", "6m"), 2: READY.replace("4m", "6m")})
    assert "R001" not in codes(deal, *three, *[ev.Win(seat, 3, ura_markers=("P",)) for seat in (1, 2)])


def match_of(*events: Any, aka: bool = True, wall: Any = ()) -> list[str]:
    played = Round([dealt({0: READY}), *events, ev.EndRound()], wall=wall)
    match = Match(opening=[ev.StartGame(aka_flag=aka)], rounds=[played], closing=[ev.EndGame()])
    return [finding.code for finding in check(match)]


def test_a_game_that_states_that_it_has_no_red_fives() -> None:
    for aka in (False, True):
        assert ("R002" in match_of(*turn(0, "5mr"), ev.Ryukyoku(), aka=aka)) is not aka


def test_a_tile_that_the_wall_does_not_hold() -> None:
    wall = (*READY.split(), "9p", "W", "N")
    assert match_of(*turn(0, "W"), wall=wall) == ["O009"]
    assert match_of(*turn(0, "S"), wall=wall) == ["R003", "O009"]
    assert match_of(*turn(0, "S"), wall=(*wall, "?")) == ["O009"]


# One fault is reported once: a finding that only follows from it is not reported.

READY_DEAL = dealt({0: READY})


def test_a_finding_that_follows_from_another_is_not_reported() -> None:
    draw, discard = turn(0, "W")
    # Player 1 is in riichi by the record, and plays on as if they were not.
    of_another = draw, ev.Riichi(1), discard, ev.RiichiAccepted(0)
    known = dealt({0: READY, 1: "1m 2m 9m 1p 4p 7p 1s 4s 7s E S C C"})
    rest = [turn(1, "1m", "N"), turn(2, "9m", "?"), turn(3, "9m", "?"), turn(0, "P"), turn(1, "2m", "N")]
    hidden = [turn(seat, "?", "?") for seat in (1, 2, 3)]
    other = dealt({0: READY, 1: "1m 1m 1m 2m 3m 9m 9m 1p 1p 4p 9s N N"})
    every = flat([turn(number % 4, "?", "?") for number in range(70)])
    drawn = ev.Ryukyoku(deltas=(0, 0, 0, 0))
    three = dealt({0: READY.replace("2m 3m 4m", "S S S")})
    cases = {
        "a riichi of the wrong player": ("O002", known, of_another, rest),
        "two turns against riichi": (
            *("R034", READY_DEAL, riichi(0, "W"), hidden, turn(0, "2m", "N"), hidden, turn(0, "3m", "P")),
        ),
        "a draw that is missing": ("O001", dealt({}), every[:40], every[41:], drawn),
        "a draw that is written twice": ("O001", dealt({}), every[:41], every[40:], drawn),
        "a draw of a fourth tile that is written twice": ("O001", three, ev.Draw(0, "S"), turn(0, "S")),
        "a win on a discard that is not held": (
            *("R005", other, turn(0, "W"), ev.Draw(1, "E"), ev.Discard(1, "F"), ev.Win(0, target=1)),
        ),
    }
    check_cases(cases)


def codes_of_rounds(*rounds: list[Any]) -> list[str]:
    played = [Round([*events, ev.EndRound()]) for events in rounds]
    return [each.code for each in check(Match(opening=[ev.StartGame()], rounds=played, closing=[ev.EndGame()]))]


THROWN = [READY_DEAL, *turn(0, "W"), *turn(1, "8s", "?")]
WON = [*THROWN, ev.Win(0, target=1, deltas=(2900, -2900, 0, 0))]


def after(*scores: int) -> list[Any]:
    return [dealt({}, honba=1, scores=scores), ev.Ryukyoku(deltas=(0, 0, 0, 0), tenpais=(False,) * 4)]


def test_deltas_that_do_not_add_up_are_not_reported_again_at_the_next_deal() -> None:
    wrong = [*THROWN, ev.Win(0, target=1, deltas=(2900, -2800, 0, 0))]
    assert codes_of_rounds(wrong, after(27900, 22100, 25000, 25000)) == ["R050"]
    assert codes_of_rounds(WON, after(27900, 22200, 25000, 25000)) == ["R064"]


def test_a_deal_that_is_missing() -> None:
    lost = [*turn(0, "W"), *turn(1, "9m", "W"), *turn(2, "W"), ev.Win(0, target=2, deltas=(1000, 0, -1000, 0))]
    assert codes_of_rounds([*WON, ev.EndRound(), *lost], after(28900, 22100, 24000, 25000)) == ["O007"]


def test_wrong_honba_and_sticks_of_a_deal_are_reported_there_alone() -> None:
    scores = (27900, 22100, 25000, 25000)
    for values, code in (({"honba": 2}, "R062"), ({"honba": 1, "kyotaku": 1}, "R063")):
        second = [dealt({0: READY}, scores=scores, **values), *THROWN[1:]]
        assert codes_of_rounds(WON, [*second, ev.Win(0, target=1, deltas=(3200, -3200, 0, 0))]) == [code]
