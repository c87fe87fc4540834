"""tenhou.net/6 JSON: calls, the order of turns, which is found by trying, and the words of results."""

import random
from typing import Any

import pytest

from looped import looped
from mjconv.converters.shared.json_values import WrongValueError
from mjconv.converters.tenhou.json_results import Value, differences_of_value, read_value, write_value
from mjconv.converters.tenhou.json_round import read_round, write_round
from mjconv.converters.tenhou.json_turns import Play, Take, Thrown, find_order, read_call, write_call
from mjconv.converters.tenhou.vocabulary import NUMBER_OF, TILE_OF
from mjconv.converters.tenhou.yaku import read_yaku, write_yaku
from mjconv.ir import events as ev
from mjconv.ir.match import Meld, Round
from mjconv.ir.play import play_of
from mjconv.ir.table import Table
from mjconv.ir.vocabulary import YAKU
from moments_made import deal, match_of, said, turn, won
from trips import known, read, write

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


# The words of results in tenhou.net/6 JSON: values of hands, yaku, draws.
VALUES = [
    # text, value, players, self-drawn, by the dealer
    ("30符4飜7700点", Value(7700, 30, 4), 4, False, False),
    ("30符2飜2900点", Value(2900, 30, 2), 4, False, True),
    ("40符2飜700-1300点", Value(2700, 40, 2), 4, True, False),
    ("40符3飜2600点∀", Value(7800, 40, 3), 4, True, True),
    ("40符3飜2600点∀", Value(5200, 40, 3), 3, True, True),
    ("25符3飜800-1600点", Value(3200, 25, 3), 4, True, False),
    ("満貫8000点", Value(8000, limit=1), 4, False, False),
    ("跳満3000-6000点", Value(12000, limit=2), 4, True, False),
    ("跳満3000-6000点", Value(9000, limit=2), 3, True, False),
    ("倍満8000点∀", Value(24000, limit=3), 4, True, True),
    ("三倍満24000点", Value(24000, limit=4), 4, False, False),
    ("役満32000点", Value(32000, limit=5), 4, False, False),
]


def test_a_value_is_read_and_written() -> None:
    for text, value, seats, tsumo, dealer in VALUES:
        assert read_value(text, seats) == value
        assert write_value(value, seats, tsumo=tsumo, dealer=dealer) == text


def test_values_in_the_words_of_other_programs_are_read() -> None:
    for text, value in (
        ("30Fu4Han7700Points", Value(7700, 30, 4)),
        ("30符4翻7700点", Value(7700, 30, 4)),
        ("Mangan 2000-4000点", Value(8000, limit=1)),
        ("切り上げ満貫8000点", Value(8000, limit=1)),
        ("数え役満32000点", Value(32000, limit=5)),
        ("8000点", Value(8000)),
    ):
        assert read_value(text, 4) == value, text


def test_every_yaku_is_read_as_it_is_written() -> None:
    for yaku in YAKU.values():
        if yaku.name not in ("nukidora", "paarenchan"):
            assert read_yaku(write_yaku(yaku.name, yaku.closed or 13)) == (yaku.name, yaku.closed or 13)


def test_yaku_in_the_words_of_other_programs_are_read() -> None:
    for text, yaku in (
        ("断幺九(1飜)", ("tanyao", 1)),
        ("All Simples(1Han)", ("tanyao", 1)),
        ("Tanyao(1翻)", ("tanyao", 1)),
        ("役牌:自風牌(1飜)", ("seat_wind", 1)),
        ("国士無双十三面待ち(役満)", ("kokushi_musou_13", 13)),
        ("裏ドラ(0飜)", ("ura_dora", 0)),
        ("流し目(2飜)", ("流し目", 2)),
    ):
        assert read_yaku(text) == yaku, text


HAND = [11, 12, 13, 14, 15, 16, 17, 18, 19, 41, 41, 42, 42]
#: A hand of green dragons and easts.
DRAGONS = [11, 12, 13, 14, 15, 16, 41, 41, 42, 42, 46, 46, 46]


def result_of(result: list[Any]) -> ev.Event:
    """Return the result of a round in which the dealer discards an east, and player 1 calls it."""
    lists = [HAND, [41], [60], DRAGONS, ["p414141"], [42], *[HAND, [], []] * 2]
    value = [[0, 0, 0], [25000] * 4, [47], [], *lists, result]
    events = read_round(value, 4).events
    deal = events[0]
    assert isinstance(deal, ev.StartRound)
    assert write_round(events, deal, play_of(Round(events)).table)[-1] == result
    return events[-2]


def test_draws() -> None:
    none, three = (0,) * 4, [-1000] * 3
    for result, draw in (
        (["流局", [3000, *three]], ("exhaustive_draw", (True, *[False] * 3), (3000, *three))),
        (["全員聴牌"], ("exhaustive_draw", (True,) * 4, none)),
        (["全員不聴"], ("exhaustive_draw", (False,) * 4, none)),
        (["九種九牌"], ("kyushu_kyuhai", None, none)),
        (["四風連打"], ("sufuurenta", None, none)),
        (["四家立直"], ("suucha_riichi", None, none)),
        (["四槓散了"], ("suukansansen", None, none)),
        (["三家和了"], ("sanchaho", None, none)),
        (["停電"], ("停電", None, None)),
        (["流し満貫", [12000, *[-4000] * 3]], ("nagashimangan", None, (12000, *[-4000] * 3))),
        # A nagashi mangan under the usual name: its points do not show who is in tenpai.
        (["流局", [12000, *[-4000] * 3]], ("exhaustive_draw", None, (12000, *[-4000] * 3))),
        (["流局", [-4000, 8000, -2000, -2000]], ("exhaustive_draw", None, (-4000, 8000, -2000, -2000))),
    ):
        found = result_of(result)
        assert isinstance(found, ev.Ryukyoku), result
        assert (found.reason, found.tenpais or None, found.deltas or None) == draw, result


@looped(
    ("name", "reason"),
    ("三家和", "sanchaho"),
    ("四開槓", "suukansansen"),
    ("Exhaustive Draw", "exhaustive_draw"),
    ("Four Wind Abortion", "sufuurenta"),
)
def test_draws_in_the_words_of_other_programs_are_read(name: str, reason: str) -> None:
    lists = [HAND, [41], [60], *[HAND, [], []] * 3]
    draw = read_round([[0, 0, 0], [25000] * 4, [47], [], *lists, [name]], 4).events[-2]
    assert isinstance(draw, ev.Ryukyoku)
    assert draw.reason == reason


def test_a_win_states_seats_points_and_yaku() -> None:
    words = ["満貫8000点", "役牌 發(1飜)", "場風 東(1飜)", "混一色(2飜)", "ドラ(1飜)"]
    win = result_of(["和了", [0, 8000, 0, -8000], [1, 3, 1, *words]])
    yakus = (("sangenpai", 1), ("bakaze", 1), ("honiso", 2), ("dora", 1))
    assert win == ev.Win(1, 3, deltas=(0, 8000, 0, -8000), ura_markers=(), yakus=yakus, fan=5, hora_points=8000)


def test_a_win_of_three_items_states_no_value() -> None:
    win = result_of(["和了", [-8000, 8000, 0, 0], [1, 0, 1]])
    assert isinstance(win, ev.Win)
    assert not any((win.hora_points, win.yakus, win.fu, win.fan))


def test_the_liable_player_is_named() -> None:
    win = result_of(["和了", [-16000, 32000, -16000, 0], [1, 0, 2, "役満32000点", "大三元(役満)"]])
    assert isinstance(win, ev.Win)
    assert win.liable == 2


def test_the_han_of_a_value_are_those_of_the_yaku_and_its_limit_has_its_points() -> None:
    table, win = Table(((), (), (), ()), oya=0), ev.Win(1, 2)
    for text, han, message in (
        ("40符2飜2600点", 2, None),
        ("40符2飜2600点", 3, "the value of the win states 2 han, but its yaku have 3"),
        ("40符2飜2600点", 0, None),
        ("満貫8000点", 4, None),
        ("30符5飜8000点", 5, None),
        ("満貫2600点", 2, "the win is named 満貫, but its 2600 points are another value"),
        ("跳満8000点", 5, "the win is named 跳満, but its 8000 points are another value"),
        ("役満64000点", 26, None),
        ("?", 2, None),
    ):
        yaku = [("riichi", han)] if han else []
        assert list(differences_of_value(text, yaku, win, table)) == ([] if message is None else [message]), text


def test_a_reader_warns_of_a_value_that_its_yaku_do_not_have() -> None:
    hands = "2m 3m 4m 5m 6m 7m 3s 4s 5s 8p 8p 6s 7s", *("1p 4p 7p 1s 4s 9s E S W N P F C",) * 3
    right = match_of(won([deal(*hands), *turn(0, "9p"), *turn(1, "8s")], ev.Win(0, 1)))
    text = write([right], "tenhou-json", plain=True).data.decode()
    assert read(text, "tenhou-json").warnings == []
    [warning] = read(text.replace("30符2飜", "30符3飜"), "tenhou-json").warnings
    assert warning.message == "the value of the win states 3 han, but its yaku have 2"
    assert known(warning.column) == text.index('"30符2飜') + 1
