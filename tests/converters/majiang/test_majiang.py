"""majiang: the reader of steps, seats, results and other spellings, the writer, and the errors of both."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, structs

import mjconv
import trips
from corpus_files import CORPUS
from faults import misread, pointed
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, UnsupportedError
from mjconv.ir.limits import LimitError, Limits, using
from mjconv.ir.match import Match, Name, Round, Text

REAL = os.environ.get("MJCONV_REAL_LOGS")
Step = dict[str, dict[str, Any]]

HANDS = ["m123456789p1234", "m111p222s333z111z2", "m19p19s19z1234567", "p123456789s1234"]


def deal(**values: Any) -> Step:
    """Make the step of a deal: east 1, 25000 points for all, but for these values."""
    usual = dict.fromkeys(["zhuangfeng", "jushu", "changbang", "lizhibang"], 0)
    return {"qipai": {**usual, "defen": [25000] * 4, "baopai": "s9", "shoupai": HANDS, **values}}


def zimo(player: int, tile: str) -> Step:
    return {"zimo": {"l": player, "p": tile}}


def dapai(player: int, tile: str) -> Step:
    return {"dapai": {"l": player, "p": tile}}


def pingju(name: str, hands: list[str] | None = None, gains: list[int] | None = None) -> Step:
    return {"pingju": {"name": name, "shoupai": hands or [""] * 4, "fenpei": gains or [0] * 4}}


def hule(player: int, **values: Any) -> Step:
    """Make the step of a self-drawn win of 1000 points, but for these values."""
    hand = {"l": player, "shoupai": "m123p1", "baojia": None, "fubaopai": None, "fu": 30, "fanshu": 1}
    worth = {"defen": 1000, "hupai": [{"name": "平和", "fanshu": 1}], "fenpei": [0, 0, 0, 0]}
    return {"hule": {**hand, **worth, **values}}


def game(*steps: Step, **keys: Any) -> dict[str, Any]:
    """Make a game of one round."""
    usual = {"title": "", "player": ["A", "B", "C", "D"], "qijia": 0, "log": [list(steps)]}
    return {**usual, "defen": [25000] * 4, "point": ["15", "5", "-15", "-5"], "rank": [1, 2, 4, 3], **keys}


def text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def read(value: Any) -> Match:
    return trips.read(text(value), "majiang").match


def events(*steps: Step) -> list[ev.Event]:
    """Read the events of a round, without its deal."""
    return read(game(*steps)).rounds[0].events[1:]


def written(*matches: Match, plain: bool = False) -> Any:
    """Write matches, and return the JSON value."""
    return json.loads(trips.write(matches, "majiang", plain=plain).data)


def test_players_of_a_step_are_counted_from_the_dealer_of_the_round() -> None:
    start, draw = read(game(deal(jushu=2, zhuangfeng=1, defen=[1, 2, 3, 4]), zimo(1, "m0"))).rounds[0].events
    assert isinstance(start, ev.StartRound)
    assert (start.bakaze, start.kyoku, start.oya, start.scores) == ("S", 3, 2, (3, 4, 1, 2))
    assert start.tehais != UNSET
    assert start.tehais[2][:2] == ("1m", "2m")
    assert draw == ev.Draw(3, "5mr")


def test_the_first_dealer_has_seat_0() -> None:
    match = read(game(deal(), qijia=3, defen=[1, 2, 3, 4], point=["-1", "2.5", "+3", "4"]))
    assert [player.name for player in match.players] == [Name(Text(name)) for name in "DABC"]
    assert match.closing == [ev.EndGame(scores=(4, 1, 2, 3))]
    assert match.final_scores == (4000, -1000, 2500, 3000)


def test_a_title_is_the_name_of_the_tournament_and_its_stage() -> None:
    tournament = read(game(deal(), title="cup\nfinal")).tournament
    assert tournament
    assert (tournament.name, tournament.stage) == (Text("cup"), Text("final"))


def test_a_file_without_rounds_is_recognised() -> None:
    results = (CORPUS / "club" / "tables.club").read_bytes()
    made = mjconv.convert(results, source="club", target="majiang")
    assert mjconv.convert(made.data, target="mjai").source == "majiang"
    made = mjconv.convert(results, source="club", target="tenhou-json")
    assert mjconv.convert(made.data, target="mjai").source == "tenhou"


def test_a_sign_names_the_player_whose_tile_is_called() -> None:
    for call, event in (
        ("m340-", ev.Chi(1, 0, "5mr", ("3m", "4m"))),
        ("m3-40", ev.Chi(1, 0, "3m", ("4m", "5mr"))),
        ("z777+", ev.Pon(1, 2, "C", ("C", "C"))),
        ("p505=", ev.Pon(1, 3, "5p", ("5p", "5pr"))),
        ("s5550-", ev.Daiminkan(1, 0, "5sr", ("5s", "5s", "5s"))),
    ):
        assert events(deal(), {"fulou": {"l": 1, "m": call}}) == [event], call


def test_a_kan_of_own_tiles() -> None:
    for call, event in (
        ("z1111", ev.Ankan(0, ("E",) * 4)),
        ("m5550", ev.Ankan(0, ("5m", "5m", "5m", "5mr"))),
        ("p505-5", ev.Kakan(0, "5p", ("5p", "5p", "5pr"))),
    ):
        kan = {"gang": {"l": 0, "m": call}}
        steps: list[Step] = [deal(), kan, {"gangzimo": {"l": 0, "p": "m1"}}, {"kaigang": {"baopai": "z5"}}]
        assert events(*steps) == [event, ev.Draw(0, "1m"), ev.Dora("P")], call


def test_a_riichi_is_accepted_at_the_next_draw_or_call_unless_somebody_wins_on_its_discard() -> None:
    declared = [ev.Draw(0, "E"), ev.Riichi(0), ev.Discard(0, "E", tsumogiri=True)]
    accepted = ev.RiichiAccepted(0)
    steps = [deal(), zimo(0, "z1"), dapai(0, "z1_*")]
    assert events(*steps, zimo(1, "m1")) == [*declared, accepted, ev.Draw(1, "1m")]
    assert events(*steps, {"fulou": {"l": 2, "m": "z111="}})[3] == accepted
    assert events(*steps, pingju("四家立直"))[3] == accepted
    # Nobody knows whether the discard passed.
    assert events(*steps) == declared
    steps = [deal(), zimo(0, "z1"), dapai(0, "z1_*")]
    assert ev.RiichiAccepted(0) not in events(*steps, hule(1, baojia=0))
    match = read(game(*steps, pingju("三家和", ["", "m1", "m1", "m1"])))
    assert not match.rounds[0].select(ev.RiichiAccepted)
    assert match.rounds[0].blocked == (1, 2, 3)


def test_a_win() -> None:
    hupai = [{"name": name, "fanshu": 1} for name in ("立直", "翻牌 白", "自風 南")]
    worth = {"hupai": hupai, "fanshu": 3, "fu": 40, "defen": 5200, "fenpei": [0, 6200, 0, -5200]}
    win = hule(1, baojia=3, shoupai="m123p05s11s1*", fubaopai=["z4"], **worth)
    found = events(deal(jushu=1), zimo(0, "z1"), dapai(0, "z1_"), win)[-2:]
    yakus = (("reach", 1), ("sangenpai", 1), ("jikaze", 1))
    expected = {"deltas": (-5200, 0, 6200, 0), "yakus": yakus, "fu": 40, "fan": 3, "hora_points": 5200}
    assert found == [ev.Win(2, 0, "1s", ura_markers=("N",), **expected), ev.EndRound()]


def test_a_yakuman_has_13_han_for_each_star_and_may_have_a_liable_player() -> None:
    win = hule(0, hupai=[{"name": "大三元", "fanshu": "*", "baojia": "+"}, {"name": "四暗刻単騎", "fanshu": "**"}])
    for key in ("fu", "fanshu"):
        del win["hule"][key]
    win["hule"]["damanguan"] = 3
    [found] = [event for event in events(deal(), win) if isinstance(event, ev.Win)]
    assert found.yakus == (("daisangen", 13), ("suanko", 26))
    assert (found.fan, found.fu, found.liable) == (39, UNSET, 1)


def test_several_wins_on_one_tile() -> None:
    found = events(deal(), hule(1, baojia=0), hule(2, baojia=0))
    assert [event.actor for event in found if isinstance(event, ev.Win)] == [1, 2]
    assert found[-1] == ev.EndRound()


def test_a_draw() -> None:
    tenpai, gains = (False, True, False, False), [-1000, 3000, -1000, -1000]
    for name, reason, tenpais in (
        ("荒牌平局", "exhaustive_draw", tenpai),
        ("流局", "exhaustive_draw", tenpai),
        ("流し満貫", "nagashimangan", tenpai),
        ("九種九牌", "kyushu_kyuhai", UNSET),
        ("四開槓", "suukansansen", UNSET),
        ("a rule of a house", "a rule of a house", UNSET),
    ):
        draw = ev.Ryukyoku(reason, tenpais=tenpais, deltas=tuple(gains))
        assert events(deal(), pingju(name, ["", "m123", "", ""], gains)) == [draw, ev.EndRound()], name


def test_a_game_that_is_played_has_no_end() -> None:
    was = trips.read(text(game(deal(), zimo(0, "m1"), rank=[], point=[])), "majiang")
    assert was.match.closing == []
    assert [str(one) for one in was.warnings] == ["match 1, round E1-0, line 1: the round has no result"]


def test_spellings_and_keys_of_other_programs_come_back() -> None:
    play = [{"gang": {"l": 0, "m": "z1111"}}, zimo(0, "m1"), dapai(0, "m1*_"), zimo(1, "m1")]
    win = hule(1, hupai=[{"name": "リーチ", "fanshu": 1}, {"name": "a yaku", "fanshu": 2}], time=3)
    keys = {"server": {"name": "a program"}, "rank": [1, 1, 1, 1]}
    value = game(deal(by="a program"), *play, win, **keys)
    del value["point"]
    was = trips.read(text(value), "majiang")
    assert was.match.rounds[0].select(ev.Win)[0].yakus == (("reach", 1), ("a yaku", 2))
    [said] = [warning.message for warning in was.warnings if "yaku" in warning.message]
    assert said == "the win has a yaku that mjconv does not know: 'a yaku'. It was kept"
    assert was.match.extras["majiang"]["keys"] == keys


def test_absent_keys_are_not_invented() -> None:
    match = read({"log": [[{"qipai": {"jushu": 0, "shoupai": ["_" * 13] * 4}}, {"hule": {"l": 0}}]]})
    start, win, _ = match.rounds[0].events
    assert start == ev.StartRound(kyoku=1, oya=0, tehais=(("?",) * 13,) * 4)
    assert win == ev.Win(0, 0, ura_markers=())
    assert (match.players, match.closing) == ([], [])


def test_an_error_has_its_place() -> None:
    for steps, message, at in (
        ([zimo(0, "m1")], "a round begins with qipai", '{"l": 0, "p": "m1"'),
        ([deal(), {"hello": {}}], "unknown kind of step 'hello'; known are qipai", "{}"),
        ([deal(), zimo(4, "m1")], "Expected `int` <= 3, not 4", "4"),
        ([deal(), zimo(0, "m10")], "expected a tile such as m1, p0 or z7, not 'm10'", '"m10"'),
        ([deal(), dapai(0, "_")], "expected a discard such as m1, m1_ or m1_*, not '_'", '"_"'),
        ([deal(), {"fulou": {"l": 0, "m": "m345"}}], "expected a chi, pon or kan of another player's", '"m345"'),
        ([deal(), {"gang": {"l": 0, "m": "m111+"}}], "expected a kan such as z1111 or p555-5", '"m111+"'),
        ([deal(), pingju("流局"), zimo(0, "m1")], "there is a zimo after the end of the round", '{"l": 0, "p"'),
        ([deal(shoupai=["m1"] * 4)], "expected a hand of 13 tiles such as m123p055…, not 'm1'", '"m1"'),
        ([deal(jushu=4)], "Expected `int` <= 3, not 4", "4, "),
        ([deal(), hule(0, fanshu=-1)], "Expected `int` >= 0, not -1", "-1"),
        ([deal(), hule(0, hupai=[{"name": "平和", "fanshu": "x"}])], "regex '^\\\\*{1,6}$', not 'x'", '"x"'),
        ([deal(), hule(0, fenpei=[1])], "Expected `array` of length >= 4, not 1 values", "[1]"),
        ([deal(), {"a": {}, "b": {}}], "expected an object with one kind of step", '{"a"'),
    ):
        found, shown = misread(text(game(*steps)), "majiang")
        assert message in found, steps
        assert shown.startswith(at), steps


def test_events_have_the_places_of_their_steps_and_keys() -> None:
    value = game(deal(), zimo(0, "m1"), dapai(0, "m1_*"), hule(1, baojia=0))
    find = trips.places("majiang", text(value))
    kinds = [ev.name_of(event) for event in read(value).rounds[0].events]
    assert kinds == ["start_kyoku", "tsumo", "reach", "dahai", "hora", "end_kyoku"]
    for index, key, shown in (
        (0, "honba", '0, "lizhib'),
        (1, "pai", '"m1"}}, {"'),
        (2, "", '{"l": 0, "'),
        (3, "pai", '"m1_*"}}, '),
        (4, "deltas", "[0, 0, 0, "),
        (4, "pao", '[{"name": '),
    ):
        assert pointed(find(0, 0, index, key)).startswith(shown), (index, key)


def test_a_file_is_an_object_a_list_or_an_object_a_line() -> None:
    one = game(deal(), zimo(0, "m1"))
    for data in (text([one, one]), text(one) + b"\n" + text(one) + b"\n"):
        assert len(trips.read(data, "majiang").matches) == 2


def test_limits_hold() -> None:
    with using(Limits(rounds=1)), pytest.raises(LimitError):
        read(game(deal()) | {"log": [[deal()], [deal()]]})
    steps = [deal(), *[zimo(0, "m1")] * 1000]
    with pytest.raises(InputError, match="expected a list of steps"):
        read(game(*steps))


@pytest.mark.skipif(REAL is None, reason="MJCONV_REAL_LOGS names no folder of real logs")
def test_games_of_the_engine_come_back_as_the_same_json() -> None:
    path = Path(REAL or "") / "majiang/rules.json"
    value = json.loads(path.read_bytes())
    was = trips.read(path.read_bytes(), "majiang")
    assert was.warnings == []
    # Every step and every final point is spelled as the engine spells it.
    assert all(not game_round.extras for match in was.matches for game_round in match.rounds)
    assert all(match.extras.get("majiang", {}).keys() <= {"first"} for match in was.matches)
    assert written(*was.matches, plain=True) == value


# The writer of majiang: stated values, derived values, trips back, and errors.


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
