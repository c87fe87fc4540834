"""The words of results in tenhou.net/6 JSON: values of hands, yaku, draws."""

from typing import Any

from looped import looped
from mjconv.converters.tenhou.json_results import Value, differences_of_value, read_value, write_value
from mjconv.converters.tenhou.json_round import read_round, write_round
from mjconv.converters.tenhou.yaku import read_yaku, write_yaku
from mjconv.ir import events as ev
from mjconv.ir.match import Round
from mjconv.ir.play import play_of
from mjconv.ir.table import Table
from mjconv.ir.vocabulary import YAKU
from moments_made import deal, match_of, turn, won
from trips import known, read, write

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
