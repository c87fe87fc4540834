"""Writing of majiang: what the source states, what is worked out, what comes back, and what is refused."""

import json
from typing import Any

import pytest
from majiang_rounds import dapai, deal, game, hule, pingju, read, written, zimo
from msgspec import UNSET, structs

import mjconv
import trips
from corpus_files import CORPUS
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match, Name, Round, Text


@looped("name", "game", "endings", "list", "spelled")
def test_a_file_comes_back_as_the_same_json(name: str) -> None:
    data = (CORPUS / f"majiang/{name}.json").read_bytes()
    assert written(*trips.read(data, "majiang").matches, plain=True) == json.loads(data)
    for other in ("mjai", "jmjp"):
        there = mjconv.convert(data, source="majiang", target=other).data
        back = mjconv.convert(there, source=other, target="majiang").data
        assert json.loads(back) == json.loads(data)


def test_keys_and_spellings_of_other_programs_are_written_again() -> None:
    dealt = deal(by="a program", shoupai=["m1111p123456789", *["_" * 13] * 3])
    play = [zimo(0, "z1"), {"gang": {"l": 0, "m": "m1111"}}, zimo(0, "m2"), dapai(0, "m2*_")]
    win = hule(1, baojia=0, shoupai="p1m2", hupai=[{"name": "リーチ", "fanshu": 1}], time=3)
    value = game(dealt, *play, win, server=[1], rank=[1, 1, 1, 1])
    del value["point"]
    assert written(read(value), plain=True) == value


@looped("other", "mjai", "jmjp", "majsoul")
def test_numbers_that_no_float_has_come_back_as_numbers(other: str) -> None:
    data = (CORPUS / "majiang/game.json").read_bytes().replace(b"}]]", b'}]],"odd":1e-400', 1)
    assert b'"odd":1e-400' in data
    there = mjconv.convert(data, source="majiang", target=other).data
    back = mjconv.convert(there, source=other, target="majiang").data
    assert b'"odd":1e-400' in back


def test_a_kept_spelling_does_not_hide_a_change() -> None:
    draw = pingju("流局", ["m1", "", "", ""], [3000, -1000, -1000, -1000])
    match = read(game(deal(), zimo(0, "z1"), dapai(0, "z1_*"), draw, player=["A", "B", "C"]))
    changed = [*match.rounds[0].events[:-2], ev.Ryukyoku("sufuurenta", deltas=(0, 0, 0, 0)), ev.EndRound()]
    match.rounds[0] = structs.replace(match.rounds[0], events=changed)
    match.players[0] = structs.replace(match.players[0], name=Name(Text("E")))
    found = written(match, plain=True)
    assert found["log"][0][-1] == pingju("四風連打")
    assert found["player"] == ["E", "B", "C", ""]


def test_the_end_of_a_game_follows_from_its_last_round() -> None:
    draw = pingju("荒牌平局")
    match = read(game(deal(lizhibang=2, defen=[24000, 25000, 25000, 24000]), zimo(0, "z1"), dapai(0, "z1_"), draw))
    match.final_scores, match.closing = UNSET, [ev.EndGame()]
    found = written(match, plain=True)
    # The leader takes the sticks that are left; of equal points the earlier seat leads.
    assert found["defen"] == [24000, 27000, 25000, 24000]
    assert found["point"] == ["-16", "37", "5", "-26"]
    assert found["rank"] == [3, 1, 2, 4]
    match.closing = []
    found = written(match, plain=True)
    assert (found["point"], found["rank"]) == ([], [])


def test_winds_and_dragons_are_named_by_the_hand() -> None:
    start = deal(jushu=1, zhuangfeng=1, shoupai=["m123p1z222555666", *["_" * 13] * 3])
    yaku = [{"name": name, "fanshu": 1} for name in ("場風 南", "翻牌 白", "翻牌 發")]
    match = read(game(start, zimo(0, "p1"), hule(0, shoupai="m123p1z222555666p1", hupai=yaku)))
    assert match.rounds[0].extras == {}
    assert match.rounds[0].select(ev.Win)[0].yakus == (("bakaze", 1), ("sangenpai", 1), ("sangenpai", 1))
    assert written(match, plain=True)["log"][0][-1]["hule"]["hupai"] == yaku


def test_the_hands_of_results_have_the_order_of_the_engine() -> None:
    dealt = "m504p1z11s905p32m6z7"
    match = read(game(deal(shoupai=[dealt, *["_" * 13] * 3]), zimo(0, "m9"), pingju("九種九牌")))
    match.rounds[0] = structs.replace(match.rounds[0], extras={})
    steps = written(match, plain=True)["log"][0]
    # The deal keeps the order of the source; in a result the tile drawn is the last one.
    assert steps[0]["qipai"]["shoupai"][0] == dealt
    assert steps[-1]["pingju"]["shoupai"][0] == "m4056p123s059z117m9"


def test_several_matches_are_a_list() -> None:
    match = read(game(deal(), zimo(0, "m1")))
    assert [one["log"] for one in written(match, match, match)] == [written(match)["log"]] * 3


def test_a_note_holds_what_majiang_has_no_place_for() -> None:
    match = read(game(deal(), zimo(0, "m1")))
    match.place = Text("somewhere")
    match.rounds[0].dice = (2, 3)
    found = written(match)
    assert len(found["mjconv"]) == 2
    assert read(found) == match
    found["log"][0][1]["zimo"]["p"] = "m2"
    edited = trips.read(json.dumps(found), "majiang")
    assert edited.match.rounds[0].events[1] == ev.Draw(0, "2m")
    assert edited.match.place == Text("somewhere")
    assert ["the round was edited" in warning.message for warning in edited.warnings] == [False, True]


def _with(*events: Any, hands: int = 4) -> Match:
    start = ev.StartRound("E", "1m", 1, 0, 0, 0, (25000,) * hands, (("1m",) * 13,) * hands)
    return Match(rounds=[Round([start, *events])])


def test_what_is_refused() -> None:
    for match, message in (
        (_with(hands=3), "majiang records games of four players"),
        (_with(ev.Draw(0, "?"), ev.Discard(0, "?")), "majiang cannot hold a discard of a hidden tile"),
        (_with(ev.Draw(0, "?"), ev.Win(0, 0)), "the points that the win moves are not known"),
        (Match(rounds=[Round([ev.StartRound("E", kyoku=1), ev.Win(0, 0)])]), "rounds with their play only"),
        (Match(rounds=[Round()]), "the deal is missing"),
    ):
        with pytest.raises(UnsupportedError) as caught:
            written(match)
        assert message in caught.value.message, match


def test_a_game_is_written_on_one_line_in_the_order_of_the_engine() -> None:
    value = game(deal(), zimo(0, "m1"), dapai(0, "m1_"))
    line = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    assert trips.write([read(value)], "majiang", plain=True).data == line
