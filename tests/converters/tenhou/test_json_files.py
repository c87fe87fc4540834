"""Files of tenhou.net/6 JSON: what an object states, several objects, layout, errors and notes."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

import mjconv
from faults import leniently, refused, refused_at
from looped import looped
from mjconv.converters.shared import note_json
from mjconv.converters.tenhou.json_reader import head_tokens
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match, Round, Rules, Text, Tournament
from trips import read, write

GAME = Path(__file__).parents[3] / "corpus" / "tenhou" / "game.json"

HAND = [11, 12, 13, 14, 15, 16, 17, 18, 19, 41, 41, 42, 42]
#: Two rounds: nobody moves points in the first.
ABORTED = [[0, 0, 0], [25000] * 4, [47], [], HAND, [41], [], *[HAND, [], []] * 3, ["九種九牌"]]
SECOND = [[0, 1, 0], [25000] * 4, [46], [], HAND, [41], [60], *[HAND, [], []] * 3, ["流局", [3000, *[-1000] * 3]]]


def an_object(*log: Any, **keys: Any) -> dict[str, Any]:
    usual = {"title": ["", ""], "name": ["A", "B", "C", "D"], "rule": {"disp": "般南喰赤", "aka": 1}}
    return {**usual, **keys, "log": list(log)}


def lines(*objects: Any) -> bytes:
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in objects)


def written(matches: list[Match], to: str = "tenhou-json", *, plain: bool = False) -> bytes:
    return write(matches, to, plain=plain).data


def objects(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.splitlines()]


def test_the_head_states_names_rules_and_title() -> None:
    data = lines(an_object(ABORTED, title=["名人戦", "第１節"], rule={"disp": "鳳東喰", "aka": 0}))
    match = read(data, "tenhou").match
    assert [player.name.shown for player in match.players if player.name] == ["A", "B", "C", "D"]
    assert match.rules == Rules(reds=(0, 0, 0), open_tanyao=True, length="east", players=4)
    assert match.tournament == Tournament(name=Text("名人戦"), stage=Text("第１節"))
    assert match.opening == [ev.StartGame(kyoku_first=4, aka_flag=False)]


def test_the_keys_of_the_server_are_ranks_ratings_and_final_points() -> None:
    ranks, ratings = ["七段", "八段", "九段", "天鳳"], [1500, 1500.0, 1500.1, 1500.25]
    final = [30000, 15, 27000, 5.5, 23000, -10.5, 20000, -10]
    data = lines(an_object(ABORTED, dan=ranks, rate=ratings, sx=["M", "F", "M", "M"], lobby=1234, sc=final))
    match = read(data, "tenhou").match
    assert [player.rank for player in match.players] == ranks
    # Ratings keep their decimals.
    assert [str(player.rating) for player in match.players] == ["1500", "1500.00", "1500.10", "1500.25"]
    assert b'"rate":[1500,1500.0,1500.1,1500.25]' in written([match])
    assert match.final_scores == (15000, 5500, -10500, -10000)
    assert match.closing == [ev.EndGame(scores=(30000, 27000, 23000, 20000))]
    assert objects(written([match])) == objects(data)


def test_three_players_have_an_empty_fourth_seat() -> None:
    game = [[1, 0, 0], [35000, 35000, 35000, 0], [11], [], HAND, [], [], HAND, [44, 11], ["f44", 60]]
    game += [HAND, [], [], [], [], [], ["流局", [1000, 1000, -2000, 0]]]
    data = lines(an_object(game, name=["A", "B", "C", ""], rule={"disp": "三般南喰赤", "aka": 1}))
    match = read(data, "tenhou").match
    assert match.seats == 3
    assert match.rules == Rules(reds=(0, 1, 1), open_tanyao=True, length="south", players=3)
    assert ev.Nukidora(1, "N") in match.rounds[0].events
    drawn = ev.Ryukyoku("exhaustive_draw", tenpais=(True, True, False), deltas=(1000, 1000, -2000))
    assert match.rounds[0].events[-2] == drawn
    assert objects(written([match])) == objects(data)


def test_a_round_that_breaks_off_has_no_result() -> None:
    cut = [*ABORTED[:-1], ["中断"]]
    match = read(lines(an_object(cut)), "tenhou").match
    assert [type(event) for event in match.rounds[0].events] == [ev.StartRound, ev.Draw]
    assert match.closing == []
    assert objects(written([match])) == [an_object(cut)]


def test_objects_that_continue_each_other_are_one_match() -> None:
    data = lines(an_object(ABORTED), an_object(SECOND))
    match = read(data, "tenhou").match
    assert [game_round.label for game_round in match.rounds] == ["E1-0", "E1-1"]
    assert objects(written([match])) == objects(data)


def test_objects_of_other_players_or_points_and_the_same_again_are_matches_of_their_own() -> None:
    richer = [SECOND[0], [26000, 24000, 25000, 25000], *SECOND[2:]]
    for second in (an_object(SECOND, name=["A", "B", "C", "E"]), an_object(richer), an_object(ABORTED)):
        data = lines(an_object(ABORTED), second)
        assert len(read(data, "tenhou").matches) == 2
        assert objects(written(read(data, "tenhou").matches)) == objects(data)


def test_a_warning_names_the_match_of_its_object() -> None:
    won = [*ABORTED[:-1], ["和了", [1500, -500, -500, -500], [0, 0, 0, "30符1飜500点∀", "?"]]]
    was = read(lines(an_object(ABORTED), an_object(won)), "tenhou")
    assert [(warning.match, warning.line) for warning in was.warnings] == [(1, 2)]


def test_an_array_of_objects_is_read() -> None:
    data = json.dumps([an_object(ABORTED), an_object(ABORTED)], indent=1).encode()
    assert len(read(data, "tenhou").matches) == 2


def test_matches_that_would_be_read_as_one_are_not_written_to_one_file() -> None:
    matches = [read(lines(an_object(one)), "tenhou").match for one in (ABORTED, SECOND)]
    with pytest.raises(UnsupportedError, match="match 2: it continues the match before it"):
        written(matches)


def test_what_the_writer_would_write_otherwise_comes_back_as_it_was() -> None:
    won = [0, 1, 0, "30Fu3Han3900Points", "Tanyao(1Han)", "White Dragon(1飜)", "Dora(1飜)"]
    spelled = [
        *([1, 0, 0], [25000] * 4, [47], [37], HAND[::-1], ["4141p41"], [42]),
        *(HAND, [41, 31], [60, 60], HAND, [], [], HAND, [], [], ["和了", [3900, -3900, 0, 0], won]),
    ]
    rule = {"disp": "Mortal", "aka51": 1, "aka52": 1, "aka53": 1}
    data = lines({"name": ["A", "B", "C", "D"], "rule": rule, "ref": "x", "log": [spelled]})
    match = read(data, "tenhou").match
    yakus, points = (("tanyaochu", 1), ("sangenpai", 1), ("dora", 1)), (3900, -3900, 0, 0)
    win = ev.Win(0, 1, deltas=points, ura_markers=(), yakus=yakus, fu=30, fan=3, hora_points=3900)
    assert match.rounds[0].events[-2] == win
    assert objects(written([match])) == objects(data)
    through = read(written([match], to="mjai"), "mjai").matches
    assert objects(written(through)) == objects(data)


def test_an_edited_round_loses_the_layout_of_what_was_edited_only() -> None:
    match = read(lines(an_object([*ABORTED[:4], HAND[::-1], *ABORTED[5:]])), "tenhou").match
    match.rounds[0].events[-2] = ev.Ryukyoku("sufuurenta", deltas=(0,) * 4)
    [back] = objects(written([match], plain=True))
    assert back["log"][0][4] == HAND[::-1]
    assert back["log"][0][-1] == ["四風連打"]


def test_unknown_words_of_a_win_are_kept_with_a_warning() -> None:
    result = ["和了", [3900, -3900, 0, 0], [0, 1, 0, "3900", "国士"]]
    data = lines(an_object([*ABORTED[:4], HAND, [], [], HAND, [41], [60], *[HAND, [], []] * 2, result]))
    data = data.replace(b"[[0, 0, 0]", b"[[1, 0, 0]")
    was = read(data, "tenhou")
    said = "match 1, round E2-0, line 1: the win has words that mjconv does not know: '{}'. They were kept"
    found = [(str(warning), warning.column) for warning in was.warnings]
    assert found == [(said.format("3900"), 437), (said.format("国士"), 445)]
    assert objects(written(was.matches)) == objects(data)


def test_a_wrong_value_has_a_place() -> None:
    for part, value, message, shown in (
        (4, [10, *HAND[1:]], "expected a tile, not 10", "10"),
        (4, HAND[:5], "expected a hand of 13 tiles, not 5 values", "[11"),
        (5, ["c41"], "expected a tile, or a chi, pon or kan of another player's tile, not 'c41'", '"c41"'),
        (6, ["p414141"], "expected a discard, or a kan of the player's own tiles, not 'p414141'", '"p414141"'),
        (6, [60, 60], "no order of the turns comes to this after the last turn of player 0", "60]"),
        (0, [16, 0, 0], "expected a round from 0 to 15, not 16", "16"),
        (1, [25000, "x", 0, 0], "expected the points of each player, not 'x'", '"x"'),
        (2, [11] * 6, "expected at most 5 indicators, not 6 values", "[11"),
        (16, [], "expected a result, not 0 values", "[]"),
        (16, ["和了"], "expected the points of all players and the win, of each winner", '["和了"]'),
        (16, ["和了", [0] * 4, [4, 0, 0]], "expected the seat of a player, not 4", "4"),
    ):
        wrong = [*ABORTED]
        wrong[part] = value
        text = lines(an_object(SECOND), an_object(wrong))
        line, column, said = refused_at(text, "tenhou")
        assert said == message
        assert line == 2, part
        assert text.decode().splitlines()[1].startswith(shown, column - 1), part


def test_what_is_no_record_is_an_error() -> None:
    for data, message in (
        (b"[1]", "expected an object with the key log, not 1"),
        (b'{"name":[]}', "the object has no key log with the rounds"),
        (b'{"log":[', "this is no JSON: "),
        (b'{"log":[],"log":[]}', "an object has the key 'log' twice"),
        (b'{"log":[],"name":"A"}', "expected a list of names, not 'A'"),
        (b'{"log":[],"rule":{"disp":"","aka":"x"}}', "expected 1 for red fives, or 0, not 'x'"),
        (b'{"log":' + b"[" * 300 + b"]" * 300 + b"}", "nested more than 200 deep"),
    ):
        assert message in refused(data, "tenhou").message, data


def test_faults_name_their_match_and_reading_continues() -> None:
    wrong = [*ABORTED[:4], [10], *ABORTED[5:]]
    was = leniently(lines(an_object(wrong, SECOND)), "tenhou")
    assert [len(game_round.events) for game_round in was.rounds] == [0, 5]
    assert [(fault.match, fault.round) for fault in was.faults] == [(0, 0)]
    noted = {**an_object(ABORTED), "mjconv": {"v": []}}
    was = leniently(lines(noted, an_object(wrong)), "tenhou")
    assert len(was.matches) == 2
    found = sorted((fault.match or 0, fault.error.message[:27]) for fault in was.faults)
    assert found == [(0, "the note is not well-formed"), (1, "expected a hand of 13 tiles")]


def test_a_play_that_the_table_refuses_is_read_and_judged() -> None:
    unheld = [*ABORTED[:6], [29], *ABORTED[7:-1], ["流局"]]
    findings = mjconv.check(read(lines(an_object(unheld)), "tenhou").match)
    assert "R005" in {finding.code for finding in findings}


@looped(
    ("event", "values"),
    (0, {"dora_marker": "1f"}),
    (-2, {"ura_markers": ("1f",)}),
    (0, {"tehais": (("H",) * 13, *[("1m",) * 13] * 3)}),
)
@looped("to", "tenhou-json", "tenhou-url")
def test_a_tile_without_a_number_is_refused_with_its_event(event: int, values: dict[str, Any], to: str) -> None:
    match = Match(rounds=mjconv.read(GAME).rounds[:1])
    events = match.rounds[0].events
    del events[1 : len(events) if event == 0 else 0]
    events[event] = structs.replace(events[event], **values)
    with pytest.raises(UnsupportedError, match=r"has no number for the tile (1f|H); --lossy hides the tiles"):
        written([match], to=to)


def test_a_round_of_results_alone_is_refused() -> None:
    deal = ev.StartRound("E", kyoku=1, honba=0, kyotaku=0, oya=0, scores=(25000,) * 4, dora_marker="1m")
    game = Match(rounds=[Round([deal, ev.Win(1, 2, fan=2), ev.EndRound()])])
    with pytest.raises(UnsupportedError, match="holds rounds with their play only"):
        written([game])


def test_what_the_source_does_not_state_is_worked_out() -> None:
    # The first game of the sample, of which mjai states neither yaku nor fu.
    game = mjconv.read(GAME.parents[1] / "sample" / "game.mjson")
    done = write([game], "tenhou-json", plain=True)
    [found] = objects(done.data)
    results = [game_round[-1] for game_round in found["log"]]
    assert [result[0] for result in results] == ["和了", "和了", "九種九牌"]
    assert all(isinstance(result[2][3], str) for result in results[:2])
    assert {loss.what for loss in done.losses if loss.fate == "assumed"} >= {"match.rules", "hora.yakus"}


def test_hidden_tiles_are_zeros() -> None:
    match = read(lines(an_object(ABORTED)), "tenhou").match
    deal = match.rounds[0].events[0]
    assert isinstance(deal, ev.StartRound)
    hidden = Match(match.players, [*match.rounds])
    hidden.rounds[0].events = [
        ev.StartRound("E", "C", 1, 0, 0, 0, (25000,) * 4, (deal.tehais[0], *(("?",) * 13,) * 3)),  # type: ignore[index]
        *(ev.Draw(0, "E"), ev.Discard(0, "E", tsumogiri=True), ev.Draw(1, "?"), ev.Discard(1, "S")),
        *(ev.Ryukyoku(deltas=(0,) * 4), ev.EndRound()),
    ]
    [found] = objects(written([hidden], plain=True))
    assert found["log"][0][7:10] == [[0] * 13, [0], [42]]
    assert read(written([hidden]), "tenhou").match == hidden


def test_values_that_json_has_no_place_for_are_under_the_key_mjconv() -> None:
    match = read(lines(an_object(ABORTED, SECOND)), "tenhou").match
    match.rounds[1].dice = (3, 4)
    match.place = Text("Tokyo")
    done = write([match], "tenhou-json")
    [found] = objects(done.data)
    keys = [["digest", "flavour", "match", "readers", "rounds", "v"], ["digest", "label", "round", "v"]]
    assert [sorted(note) for note in found["mjconv"]] == keys
    assert {loss.what for loss in done.losses} == {"round.dice", "match.place"}
    assert {loss.fate for loss in done.losses} == {"carried"}
    assert read(done.data, "tenhou").matches == [match]
    # The layout of the text does not count.
    assert read(json.dumps(found, indent=2).encode(), "tenhou").matches == [match]


def test_keys_of_a_note_that_the_object_states_otherwise_are_ignored() -> None:
    rules = ({"keys": {"rule": {"disp": disp, "aka": 1}}} for disp in ("鳳南喰赤", "般東喰赤"))
    for extras in (*rules, {"keys": {"title": ["x", "y"]}}, {"absent": ["title"]}):
        # The hub holds the room, and not the speed.
        game = an_object(ABORTED, rule={"disp": "特南喰赤速", "aka": 1})
        digest = note_json.digest(head_tokens({key: value for key, value in game.items() if key != "log"}))
        note = {"v": 4, "digest": digest, "match": {"set": {"extras": {"tenhou": extras}}}}
        was = read(lines({**game, "mjconv": note}), "tenhou")
        assert was.matches == read(lines(game), "tenhou").matches, extras
        assert ["extras.tenhou" in warning.message for warning in was.warnings] == [True]
        assert json.loads(written(was.matches, plain=True)) == game, extras


def test_dora_that_another_program_turns_later_need_a_hint() -> None:
    kan = [*HAND[:9], 43, 43, 43, 44]
    game = [[0, 0, 0], [25000] * 4, [47, 46], [], HAND, [43], [60], HAND, [], [], HAND, [], []]
    game += [kan, ["434343m43", 44], [0, 60], ["流局"]]
    match = read(lines(an_object(game)), "tenhou").match
    events = match.rounds[0].events
    assert [ev.name_of(event) for event in events[3:7]] == ["daiminkan", "tsumo", "dora", "dahai"]
    events[5], events[6] = events[6], events[5]
    done = write([match], "tenhou-json")
    assert objects(done.data)[0]["mjconv"][1]["round"] == {"hints": {"dora": "after-discard"}}
    assert objects(done.data)[0]["log"] == [game]
    assert [(loss.what, loss.fate) for loss in done.losses] == [("round.dora", "carried")]
    assert read(done.data, "tenhou").matches == [match]
