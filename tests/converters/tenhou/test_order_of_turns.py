"""Calls in tenhou.net/6 JSON, and the order of its turns: it is not stated, and is found by trying."""

import random
from typing import Any

import pytest

from mjconv.converters.shared.json_values import WrongValueError
from mjconv.converters.tenhou.json_round import read_round
from mjconv.converters.tenhou.json_turns import Play, Take, Thrown, find_order, read_call, write_call
from mjconv.converters.tenhou.vocabulary import NUMBER_OF, TILE_OF
from mjconv.ir import events as ev
from mjconv.ir.match import Meld
from moments_made import said

#: A hand of each player; the tests discard from them.
HANDS = [
    [11, 11, 12, 13, 21, 22, 23, 31, 32, 33, 41, 41, 42],
    [14, 14, 15, 16, 24, 25, 26, 34, 35, 36, 43, 43, 44],
    [17, 17, 18, 19, 27, 28, 29, 37, 38, 39, 45, 45, 46],
    [11, 12, 14, 14, 21, 22, 24, 31, 32, 34, 47, 47, 44],
]


def a_round(*lists: list[Any], result: list[Any] | None = None, dealer: int = 0) -> list[Any]:
    """Return a round with these takes and plays, in turn for each player."""
    value: list[Any] = [[dealer, 0, 0], [25000] * 4, [15], []]
    for hand, takes, plays in zip(HANDS, lists[::2], lists[1::2], strict=True):
        value += [hand, takes, plays]
    return [*value, result or ["流局", [0, 0, 0, 0]]]


def moves(value: list[Any]) -> str:
    """Return the moves of a round in words."""
    events = read_round(value, 4).events[1:]
    return said(event for event in events if not isinstance(event, ev.Ryukyoku | ev.EndRound))


def test_the_dealer_begins_and_the_next_player_follows() -> None:
    value = a_round([], [], [41], [41], [42], [60], [], [], dealer=1)
    assert moves(value) == "tsumo 1 E, dahai 1 E, tsumo 2 S, dahai 2 S drawn"


def test_a_call_takes_the_turn() -> None:
    # Player 3 takes the 4m of player 0 for a pon; players 1 and 2 do not draw.
    value = a_round([14, 29], [60, 60], [], [], [], [], ["1414p14"], [47])
    assert "dahai 0 4m drawn, pon 3 0 4m 4m 4m, dahai 3 C, tsumo 0 9p" in moves(value)


def test_of_two_like_discards_the_one_that_is_called_follows_from_the_rest() -> None:
    # Player 1 discards 4m twice. Player 3, who sits opposite, calls the second one: before it, player 3 draws.
    value = a_round([29, 28], [60, 60], [14, 14], [60, 60], [41], [60], [43, "14p1414"], [60, 47])
    assert [move for move in moves(value).split(", ") if move.split()[1] in "13"] == [
        *("tsumo 1 4m", "dahai 1 4m drawn", "tsumo 3 W", "dahai 3 W drawn"),
        *("tsumo 1 4m", "dahai 1 4m drawn", "pon 3 1 4m 4m 4m", "dahai 3 C"),
    ]


def test_a_riichi_is_accepted_if_nobody_wins_on_its_discard() -> None:
    played = [[29], ["r60"], [28], [60], [], [], [], []]
    assert "reach_accepted 0" in moves(a_round(*played))
    won = a_round([29], ["r60"], [], [], [], [], [], [], result=["和了", [-1000, 1000, 0, 0], [1, 0, 1]])
    assert "reach_accepted 0" not in moves(won)


def test_the_zero_after_an_open_kan_is_no_discard() -> None:
    hand = [14, 14, 14, *HANDS[3][2:12]]
    value = a_round([14, 11], [60, 60], [], [], [], [], ["141414m14", 46], [0, 60])
    value[13] = hand
    assert "daiminkan 3 0 4m 4m 4m 4m, tsumo 3 F, dahai 3 F drawn" in moves(value)
    # At the end of the list Tenhou leaves it out.
    won = a_round([14], [60], [], [], [], [], ["141414m14", 46], [], result=["和了", [0] * 4, [3, 3, 3]])
    won[13] = hand
    assert "daiminkan 3 0 4m 4m 4m 4m, tsumo 3 F" in moves(won)


def test_lists_without_an_order_are_errors_with_their_places() -> None:
    for value, message, path in (
        # The takes of player 1, the first of them.
        (a_round([41], [60], ["14p1414"], [15], [], [], [], []), "no order of the turns comes to this", (8, 0)),
        (a_round([14], [60], [], [], [], [], ["1414p14"], [60]), "no tile was drawn", (15, 0)),
    ):
        with pytest.raises(WrongValueError, match=message) as raised:
            read_round(value, 4)
        assert raised.value.path == path


def test_the_order_is_found_where_many_discards_could_be_called() -> None:
    # Games of two tiles in which half of the discards are called.
    rng = random.Random(14)
    for _ in range(300):
        takes, plays, order = a_game_of_calls(rng)
        assert [event.actor for event in find_order(takes, plays, 0).events] == order  # type: ignore[union-attr]


def a_game_of_calls(rng: random.Random) -> tuple[list[list[Take]], list[list[Play]], list[int]]:
    """Return the takes and plays of a game without rules of tiles, and the seats in the order of their events."""
    takes: list[list[Take]] = [[] for _ in range(4)]
    plays: list[list[Play]] = [[] for _ in range(4)]
    seat, order = 0, [0, 0]
    takes[0].append(ev.Draw(0, "N"))
    plays[0].append(Thrown(ev.Discard(0, "E", False)))
    for _ in range(rng.randrange(4, 20)):
        tile = plays[seat][-1].discard.pai  # type: ignore[union-attr]
        if rng.random() < 0.5:
            caller = rng.choice([other for other in range(4) if other != seat])
            takes[caller].append(ev.Pon(caller, seat, tile, (tile, tile)))
            seat = caller
        else:
            seat = (seat + 1) % 4
            takes[seat].append(ev.Draw(seat, "N"))
        plays[seat].append(Thrown(ev.Discard(seat, rng.choice("ES"), False)))
        order += [seat, seat]
    return takes, plays, order


def test_the_search_is_bounded() -> None:
    # Each discard of player 0 can be called or not, and no order fits.
    many = 60
    calls: list[Any] = ["41p4141"] * many
    lists = [[41] * many, [41] * many, calls, [42] * many, calls, [42] * many, calls, [42] * many]
    with pytest.raises(WrongValueError):
        read_round(a_round(*lists), 4)


def test_every_tile_has_a_number() -> None:
    numbers = (11, 29, 35, 41, 45, 46, 47, 51, 52, 53, 0)
    assert " ".join(TILE_OF[number] for number in numbers) == "1m 9p 5s E P F C 5mr 5pr 5sr ?"
    assert len(NUMBER_OF) == 38


def test_a_call_is_read_and_written() -> None:
    for text, call in (
        ("c275226", Meld("chi", ("5pr", "6p"), "7p", 3)),
        ("p252552", Meld("pon", ("5p", "5pr"), "5p", 3)),
        ("25p2552", Meld("pon", ("5p", "5pr"), "5p", 2)),
        ("2552p25", Meld("pon", ("5p", "5pr"), "5p", 1)),
        ("2525p52", Meld("pon", ("5p", "5p"), "5pr", 1)),
        ("m39393939", Meld("daiminkan", ("9s",) * 3, "9s", 3)),
        ("39m393939", Meld("daiminkan", ("9s",) * 3, "9s", 2)),
        ("222222m22", Meld("daiminkan", ("2p",) * 3, "2p", 1)),
        ("3737k3737", Meld("kakan", ("7s", "7s"), "7s", 1, "7s")),
        ("k51151515", Meld("kakan", ("5m", "5m"), "5m", 3, "5mr")),
        ("151515a51", Meld("ankan", ("5m", "5m", "5m", "5mr"))),
        ("f44", Meld("nukidora", ("N",))),
    ):
        assert read_call(text, 0) == call, text
        assert write_call(call, 0) == text, text


def test_what_is_no_call_is_not_read() -> None:
    for text in ("c2752p26", "c27", "27c2628", "2727m2727", "x272727", "p9999", "p606060", "", "p" * 99):
        assert read_call(text, 0) is None, text


def test_calls_in_another_order_of_tiles_are_read() -> None:
    assert read_call("p255225", 0) == Meld("pon", ("5p", "5pr"), "5p", 3)
    assert read_call("a12121212", 0) == read_call("121212a12", 0)
