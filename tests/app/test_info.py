"""`mjconv info` and `mjconv formats`: contents of files, and the known formats."""

import json
from datetime import date, time
from pathlib import Path

from given import BAD_INPUT, BROKEN, DONE, GAME, ROUND, WRONG_USAGE, Run, put_files

from mjconv.command.info import lines
from mjconv.converters import formats
from mjconv.ir.events import Draw, Pass, Ryukyoku, StartRound, Win
from mjconv.ir.match import Answer, Match, Name, Player, Round, Text, Tournament
from mjconv.summary import FileSummary, summarise

PLAYERS = [Text(native="石橋"), Text(native="伸洋")], [Text(roman="Sasaki")], [], [Text(native="\x1b[2J")]
E1, E2, E3, E3_1, E4 = (
    StartRound(bakaze="E", kyoku=kyoku, honba=honba) for kyoku, honba in ((1, 0), (2, 0), (3, 0), (3, 1), (4, 0))
)
MATCH = Match(
    players=[Player(Name(*words) if words else None) for words in PLAYERS],
    rounds=[
        Round([E1, Win(1, 0, fu=30, fan=2, deltas=(-2000, 2000, 0, 0)), Win(2, 0)]),
        Round([E2, Win(1, 1, scores=(20000, 30000, 25000, 25000))]),
        Round([E3, Ryukyoku(reason="fanpai", deltas=(0, 0, 0, 0))]),
        Round([E3_1, Ryukyoku()]),
        Round([Win(3)]),
        Round([E4, Draw(3, "1m")], scores_after=(1, 2, 3, 4)),
    ],
    tournament=Tournament(Text(code="mlg"), 2023, Text(native="決勝")),
    date=date(2024, 5, 20),
    time=time(19, 0),
    place=Text(native="東京"),
    final_scores=(50, 10, -20, -40),
)


def test_the_text_has_players_date_place_and_results() -> None:
    assert list(lines(FileSummary("final.jmjp", "jmjp", (summarise(MATCH),)))) == [
        "final.jmjp: jmjp, 1 match",
        "match 1: 石橋 伸洋, Sasaki, seat 2, \\x1b[2J",
        "  game: riichi",
        "  2024-05-20, 19:00:00, 東京, mlg 2023 決勝",
        "  E1-0   Sasaki ron from 石橋 伸洋 2 han 30 fu: 石橋 伸洋 -2000, Sasaki +2000; seat 2 ron from 石橋 伸洋",
        "  E2-0   Sasaki tsumo",
        "  E3-0   draw (fanpai): no points move",
        "  E3-1   draw",
        "  ?      \\x1b[2J win",
        "  E4-0   no result",
        "  points: 石橋 伸洋 1, Sasaki 2, seat 2 3, \\x1b[2J 4",
        "  final scores: 石橋 伸洋 50, Sasaki 10, seat 2 -20, \\x1b[2J -40",
    ]


def test_an_empty_match_has_an_empty_summary() -> None:
    assert list(lines(FileSummary("x", "mjai", (summarise(Match()),)))) == [
        "x: mjai, 1 match",
        "match 1: seat 0, seat 1, seat 2, seat 3",
    ]


def test_the_command_summarises_each_file(run: Run) -> None:
    put_files({"one.mjson": ROUND, "two.mjson": GAME * 2})
    assert run("info", "one.mjson", "two.mjson").check(DONE).out.decode().splitlines() == [
        "one.mjson: mjai, 1 match",
        "match 1: A, B, C, D",
        "  game: riichi",
        "  S3-1   A ron from C 3 han 40 fu: A +5500, C -5500",
        "  points: A 30500, B 25000, C 19500, D 25000",
        "two.mjson: mjai, 2 matches",
        "match 1: A, B, C, D",
        "match 2: A, B, C, D",
    ]


def test_json_is_one_object_per_file(run: Run) -> None:
    Path("one.mjson").write_text(ROUND)
    first, second = map(json.loads, run("info", "--json", "one.mjson", "one.mjson").out.splitlines())
    assert first == second
    points = [30500, 25000, 19500, 25000]
    won = {"end": "ron", "winner": 0, "target": 2, "han": 3, "fu": 40, "deltas": [5500, 0, -5500, 0]}
    facts = {"format": "mjai", "game": "riichi", "names": ["A", "B", "C", "D"], "points": points}
    facts |= {"players": 4, "rounds": 1, "places": [1, 2, 4, 3], "whole": False}
    played = {"round": "S3-1", "events": 5, "results": [won]}
    match = {"players": list("ABCD"), "rounds": [played], "points": points, "game": "riichi", "facts": facts}
    assert first == {"file": "one.mjson", "format": "mjai", "matches": [match]}


def test_a_bad_file_does_not_hide_the_others(run: Run) -> None:
    put_files({"good.mjson": GAME, "bad.mjson": BROKEN})
    outcome = run("info", "missing.mjson", "bad.mjson", "good.mjson")
    outcome.check(BAD_INPUT, err="mjconv: error: missing.mjson: No such file or directory\n")
    outcome.check(BAD_INPUT, out="good.mjson: mjai, 1 match\n", err="mjconv: error: bad.mjson:2:")


def test_an_unknown_format_is_reported_once(run: Run) -> None:
    outcome = run("info", "a", "b", "--from", "mjia")
    assert (outcome.status, outcome.err.count("unknown format")) == (WRONG_USAGE, 1)


def test_warnings_of_the_reader_are_printed_unless_quiet(run: Run) -> None:
    Path("cut.mjson").write_text(GAME.splitlines()[0])
    assert run("info", "cut.mjson").err.startswith("mjconv: warning: cut.mjson: match 1")
    assert run("info", "cut.mjson", "-q").err == ""


def test_the_table_of_formats_lists_each_with_extensions_flavours_and_description(run: Run) -> None:
    head, *rows = run("formats").check(DONE).out.decode().splitlines()
    assert head.split() == ["FORMAT", "EXTENSIONS", "DESCRIPTION"]
    by_name = {row.split()[0]: row for row in rows}
    known = [name for form in formats.all_formats() for name in (form.id, *form.flavours)]
    assert list(by_name) == [*known, "parquet", "decisions", "decisions-3p", "kanachan"]
    assert by_name["parquet"].endswith("columns of all events, one row an event (mjconv batch)")
    for form in formats.all_formats():
        assert by_name[form.id].endswith(form.description)
        assert all(extension in by_name[form.id] for extension in form.files.extensions)
        assert all(by_name[flavour].endswith(text) for flavour, text in form.flavours.items())


def test_hong_kong_games_have_faan_points_and_all_dates(run: Run) -> None:
    Path("club.hk").write_text(
        "2024-01-20\nB=0.5\nA B C D\n- 2 d -\n1 - - -\n2024-01-27\nM=3\n- - - f\n2024-02-03\n- - - -\n"
    )
    assert run("info", "club.hk").out.decode().splitlines() == [
        "club.hk: hk, 1 match",
        "match 1: A, B, C, D",
        "  game: Hong Kong",
        "  2024-01-20",
        "  1      B ron from C 2 faan: B +4, C -4",
        "  2      A tsumo 1 faan: A +3, B -1, C -1, D -1",
        "  2024-01-27",
        "  3      draw (chombo): A +12, B +12, C +12, D -36",
        "  2024-02-03",
        "  4      draw: no points move",
        "  points: A 15, B 15, C 7, D -37",
    ]
    [match] = json.loads(run("info", "--json", "club.hk").out)["matches"]
    assert match["points"] == [15, 15, 7, -37]
    assert [played.get("date") for played in match["rounds"]] == [None, None, "2024-01-27", "2024-02-03"]
    won = {"end": "ron", "winner": 1, "target": 2, "faan": 2, "deltas": [0, 4, -4, 0]}
    assert match["rounds"][0]["results"] == [won]


def test_half_points_of_hong_kong_games_are_fractions(run: Run) -> None:
    Path("club.hk").write_text("B=0.5\nR=half\nA B C D\n0 d - -\n")
    assert run("info", "club.hk").out.decode().splitlines()[2:] == [
        "  game: Hong Kong",
        "  1      A ron from B 0 faan: A +1, B -0.5, C -0.25, D -0.25",
        "  points: A 1, B -0.5, C -0.25, D -0.25",
    ]


def test_where_shows_the_matches_that_fit_and_counts_the_others(run: Run) -> None:
    put_files({"one.mjson": ROUND, "two.mjson": ROUND.replace('"A"', '"Z"')})
    outcome = run("info", "--json", "one.mjson", "two.mjson", "--where", "names = 'Z'")
    [shown] = map(json.loads, outcome.out.splitlines())
    assert (shown["file"], outcome.err) == ("two.mjson", "mjconv: 1 match left out by --where\n")


def test_validation_checks_the_matches_that_fit(run: Run) -> None:
    put_files({"one.mjson": ROUND.replace('"actor":0', '"actor":7'), "two.mjson": ROUND.replace('"A"', '"Z"')})
    assert "1 match:" in run("validate", "two.mjson", "--where", "names = 'Z'").err
    outcome = run("validate", "two.mjson", "--where", "names = 'A'")
    outcome.check(DONE, out="", err="mjconv: 1 match left out by --where")


def test_a_record_of_tenhou_has_its_room_and_the_date_of_its_id(tmp_path: Path, run: Run) -> None:
    (tmp_path / "game.json").write_text(
        '{"ref":"2021030415gm-00a9-0000-0a1b2c3d","rule":{"disp":"鳳南喰赤","aka":1},"name":["A","B","C","D"],"log":[]}'
    )
    assert "  2021-03-04, 15:00:00, houou" in run("info", str(tmp_path / "game.json")).out.decode()


def test_answers_are_counted_beside_the_events() -> None:
    answers = (Answer(1, Pass(), 0), Answer(2, Pass(), 0))
    rounds = [Round([StartRound(), Win(1, 1)], answers=answers), Round(answers=answers[:1])]
    summary = summarise(Match(rounds=rounds))
    assert [(each.events, each.answers, len(each.results)) for each in summary.rounds] == [(2, 2, 1), (0, 1, 0)]
    assert "  answers of players: 3" in lines(FileSummary("a.mjson", "mjai", (summary,)))
    assert not any("answers" in line for line in lines(FileSummary("a.mjson", "mjai", (summarise(MATCH),))))


def test_formats_takes_names(run: Run) -> None:
    lines = run("formats", "jmjp").out.decode().splitlines()
    assert [line.split()[0] for line in lines] == ["FORMAT", "jmjp", "jmjp-0"]
