"""Rounds without a win: tenpai and noten, nagashi mangan, and the draws that break a round off."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from judged import READY, codes, dealt, riichi, tiles, turn

from mjconv.ir import events as ev
from mjconv.ir.match import House, Match, Round, Rules
from mjconv.referee.referee import check

OPEN = "1m 2m 3m 5p 6p 7p 2s 3s 4s 6s 8s E W"
#: What is discarded without a meaning: no wind first, four of a kind at most, no tile that READY waits for.
DISCARDS = [tile for tile in tiles("1p 2p 3p 4p 8p 9m 9s 1s P F C N S W 6m 7m 8m 8p") for _ in range(4)]


def play(seats: int = 4, first: list[str] | None = None) -> list[Any]:
    """Play all draws of a round by the turn, everybody discarding what they draw."""
    order = iter([*(first or []), *DISCARDS])
    draws = 70 if seats == 4 else 55
    return [event for number, tile in enumerate(islice(order, draws)) for event in turn(number % seats, tile)]


def ended(
    hands: dict[int, str],
    seats: int = 4,
    first: list[str] | None = None,
    house: House | None = None,
    **values: Any,
) -> list[str]:
    found = codes(dealt(hands, seats=seats), *play(seats, first), ev.Ryukyoku(**values), house=house)
    # Hidden hands may hold what others show a fifth time; the walls of these rounds are not dealt from a set.
    return [code for code in found if code != "R001"]


#: Two are tenpai and two are not.
TWO = {0: READY, 1: READY, 2: OPEN, 3: OPEN}


def test_the_payments_of_noten() -> None:
    assert ended(TWO, deltas=(1500, 1500, -1500, -1500)) == []
    assert ended(TWO, deltas=(1000, 1000, -1000, -1000)) == ["R053"]
    assert ended(TWO, deltas=(1500, 1500, -1500, -1000)) == ["R053"]
    assert ended(TWO, deltas=(0, 0, 0, 0)) == ["R053"]


def test_nobody_pays_where_all_or_none_are_tenpai() -> None:
    assert ended(dict.fromkeys(range(4), READY), deltas=(0, 0, 0, 0)) == []
    assert ended(dict.fromkeys(range(4), OPEN), deltas=(0, 0, 0, 0)) == []


def test_one_who_is_paid_and_not_tenpai() -> None:
    assert ended(TWO, deltas=(1000, 1000, 1000, -3000)) == ["R054"]
    assert ended({0: READY, 1: READY, 3: OPEN}, deltas=(1000, 1000, 1000, -3000)) == []


def test_one_who_is_tenpai_and_pays() -> None:
    assert ended(TWO, deltas=(3000, -1000, -1000, -1000)) == ["R055"]
    assert ended({0: READY, 2: OPEN, 3: OPEN}, deltas=(3000, -1000, -1000, -1000)) == []


def test_tenpai_that_is_said() -> None:
    assert ended(TWO, tenpais=(True, True, False, False)) == []
    assert ended(TWO, tenpais=(True, True, True, False)) == ["R054"]
    assert ended(TWO, tenpais=(True, False, False, False)) == ["R055"]


def test_payments_follow_the_tenpai_that_is_said() -> None:
    assert ended({}, tenpais=(True, True, False, False), deltas=(1500, 1500, -1500, -1500)) == []
    assert ended({}, tenpais=(True, True, False, False), deltas=(3000, -1000, -1000, -1000)) == ["R053"]


def test_a_wait_for_a_fifth_tile_is_tenpai_by_a_rule_of_the_house() -> None:
    fifth = {0: "1m 1m 1m 1m 5p 6p 7p 2s 3s 4s 6s 7s 8s", 1: OPEN, 2: OPEN, 3: OPEN}
    counts = House(fifth_wait=True)
    assert ended(fifth, deltas=(3000, -1000, -1000, -1000)) == ["R052"]
    assert ended(fifth, deltas=(3000, -1000, -1000, -1000), house=House(fifth_wait=False)) == ["R054"]
    assert ended(fifth, deltas=(0, 0, 0, 0)) == []
    assert ended(fifth, deltas=(3000, -1000, -1000, -1000), house=counts) == []
    assert ended(fifth, deltas=(0, 0, 0, 0), house=counts) == ["R053"]


def test_a_round_is_not_drawn_before_the_last_discard() -> None:
    [*before, discard] = play()
    assert isinstance(discard, ev.Discard)
    for values, expected in (
        ({"reason": "fanpai"}, ["R056"]),
        ({"deltas": (1500, 1500, -1500, -1500)}, ["R056"]),
        # The record may break off here.
        ({}, []),
    ):
        found = codes(dealt(TWO), *before, ev.Ryukyoku(**values))
        assert [code for code in found if code != "R001"] == expected


def test_where_three_play_noten_is_two_thousand_or_three() -> None:
    hands = {0: READY.replace("2m 3m 4m", "9m 9m 9m"), 1: OPEN.replace("2m 3m", "1m 1m")}
    assert ended(hands, 3, deltas=(2000, -1000, -1000)) == []
    assert ended(hands, 3, deltas=(3000, -1500, -1500)) == []
    assert ended(hands, 3, deltas=(4000, -2000, -2000)) == ["R053"]


def test_rules_that_say_what_noten_pays() -> None:
    for total, expected in ((1000, []), (3000, ["R053"])):
        played = [dealt(TWO), *play(), ev.Ryukyoku(deltas=(500, 500, -500, -500)), ev.EndRound()]
        match = Match([], [Round(played)], [ev.StartGame()], [ev.EndGame()], rules=Rules(tenpai=total))
        assert [finding.code for finding in check(match) if finding.code != "R001"] == expected


def test_the_sum_is_zero_whatever_the_rules() -> None:
    assert "R053" in codes(dealt({}), ev.Ryukyoku(deltas=(1000, 0, 0, 0)))
    assert "R053" not in codes(dealt({}), ev.Ryukyoku("chombo", deltas=(-8000, 2000, 2000, 4000), actor=0))


ORPHANS = tiles("1m 9m 1p 9p 1s 9s E S W N P F C 1m 9m 1p 9p 1s")


def river() -> list[str]:
    """Return tiles in which the dealer discards only terminals and honours, and nobody else."""
    plain = iter([tile for tile in tiles("2p 3p 4p 8p 6m 7m 8m 2p 3p 4p 6m 7m 8m 3p") for _ in range(4)])
    orphans = iter(ORPHANS)
    return [next(orphans) if number % 4 == 0 else next(plain) for number in range(70)]


def test_nagashi_mangan() -> None:
    for reason in ({"reason": "nagashimangan"}, {}):
        assert ended({}, first=river(), deltas=(12000, -4000, -4000, -4000), **reason) == []
    assert ended({}, first=river(), reason="nagashimangan", deltas=(8000, -4000, -2000, -2000)) == ["R053"]
    # Not every house has it.
    assert ended({}, first=river(), deltas=(3000, -1000, -1000, -1000)) == []


def test_nagashi_mangan_that_nobody_has() -> None:
    assert ended({}, reason="nagashimangan", deltas=(12000, -4000, -4000, -4000)) == ["R056"]
    assert ended({}, deltas=(12000, -4000, -4000, -4000)) == ["R053"]


NINE = "1m 9m 1p 9p 1s 9s E S W 2m 3m 4m 5m"
EIGHT = NINE.replace("W", "6m")
ZERO = (0, 0, 0, 0)


def test_nine_terminals() -> None:
    for hand, expected in ((NINE, []), (EIGHT, ["R056"])):
        assert codes(dealt({0: hand}), ev.Draw(0, "7m"), ev.Ryukyoku("kyushu_kyuhai", deltas=ZERO)) == expected
    later = turn(0, "7m"), turn(1, "7m", "?"), turn(2, "7m", "?"), turn(3, "7m", "?"), ev.Draw(0, "8m")
    assert codes(dealt({0: NINE}), *later, ev.Ryukyoku("kyushu_kyuhai")) == ["R056"]


def test_nine_terminals_after_a_call() -> None:
    pon = ev.Pon(2, 0, "7m", ("?", "?")), ev.Discard(2, "?", tsumogiri=False)
    play = dealt({3: NINE}), turn(0, "7m", "?"), *pon, ev.Draw(3, "7m")
    assert codes(*play, ev.Ryukyoku("kyushu_kyuhai")) == ["R056"]


def test_four_winds() -> None:
    same = [turn(seat, "N", "?") for seat in range(4)]
    assert codes(dealt({}), *same, ev.Ryukyoku("sufuurenta", deltas=ZERO)) == []
    assert codes(dealt({}), *same[:3], turn(3, "S", "?"), ev.Ryukyoku("sufuurenta")) == ["R056"]
    dragons = [turn(seat, "P", "?") for seat in range(4)]
    assert codes(dealt({}), *dragons, ev.Ryukyoku("sufuurenta")) == ["R056"]


def test_four_riichi() -> None:
    all_four = [riichi(seat, "N" if seat else "S") for seat in range(4)]
    hidden = [ev.Draw(0, "?") if type(event) is ev.Draw else event for part in all_four for event in part]
    hidden = [ev.Draw(number // 4, "?") if number % 4 == 0 else event for number, event in enumerate(hidden)]
    hidden = [
        ev.Discard(event.actor, event.pai, tsumogiri=False) if isinstance(event, ev.Discard) else event
        for event in hidden
    ]
    assert codes(dealt({}), *hidden, ev.Ryukyoku("suucha_riichi", deltas=ZERO)) == []
    assert codes(dealt({}), *hidden[:12], turn(3, "N", "?"), ev.Ryukyoku("suucha_riichi")) == ["R056"]


def test_four_kans() -> None:
    def kan(seat: int, tile: str) -> list[Any]:
        return [ev.Draw(seat, "?"), ev.Ankan(seat, (tile,) * 4), ev.Dora("9p"), *turn(seat, "2m", "?")]

    kans = [event for seat, tile in enumerate(("1m", "1p", "1s", "9s")) for event in kan(seat, tile)]
    deal = dealt({}, dora_marker="8s")
    assert codes(deal, *kans, ev.Ryukyoku("suukansansen", deltas=ZERO)) == []
    assert codes(deal, *kans[:15], ev.Ryukyoku("suukansansen", deltas=ZERO)) == ["R056"]
    # Whoever plays on after the fourth has given up the right to break off.
    assert codes(deal, *kans, turn(0, "3p", "?"), ev.Ryukyoku("suukansansen", deltas=ZERO)) == ["R056"]


def test_three_rons() -> None:
    for hands, expected in (({}, []), ({0: READY}, []), ({0: READY, 2: OPEN}, ["R056"])):
        play = dealt(hands), turn(0, "9m", "9m" if hands else "?"), turn(1, "8s", "?")
        assert codes(*play, ev.Ryukyoku("sanchaho", deltas=ZERO)) == expected


def test_a_draw_that_nothing_explains() -> None:
    play = dealt({0: READY}), turn(0, "9m"), turn(1, "P", "?")
    assert codes(*play, ev.Ryukyoku(deltas=ZERO)) == ["R056"]
    assert codes(*play, ev.Ryukyoku("exhaustive_draw")) == ["R056"]
    # A record that states nothing may only break off, and houses have reasons of their own.
    assert codes(*play, ev.Ryukyoku()) == []
    assert codes(*play, ev.Ryukyoku("an earthquake", deltas=ZERO)) == []


@pytest.mark.parametrize("reason", ["kyushu_kyuhai", "kyushukyuhai", "yao9", None])
def test_a_round_that_is_broken_off_moves_no_points(reason: str | None) -> None:
    stated: dict[str, Any] = {} if reason is None else {"reason": reason}
    play = dealt({0: NINE}), ev.Draw(0, "7m")
    assert codes(*play, ev.Ryukyoku(**stated, deltas=(3000, -1000, -1000, -1000))) == ["R057"]
    assert codes(*play, ev.Ryukyoku(**stated, deltas=ZERO)) == []


def test_a_hand_that_is_shown() -> None:
    shown = tiles(READY)
    other = tiles(READY.replace("2m", "1m"))
    hidden = ("?",) * 13
    assert ended(TWO, tehais=(shown, hidden, (), hidden)) == []
    assert ended(TWO, tehais=(other, hidden, hidden, hidden)) == ["R058"]


def test_the_scores_of_a_draw_follow() -> None:
    deltas = (1500, 1500, -1500, -1500)
    assert ended(TWO, deltas=deltas, scores=(26500, 26500, 23500, 23500)) == []
    assert ended(TWO, deltas=deltas, scores=(26500, 26500, 23500, 23400)) == ["R059"]
