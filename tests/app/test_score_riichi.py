"""`mjconv score` of riichi: places, points after oka and uma, seasons of paper and platform, names and teams."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from given import Run, table

from corpus_files import CORPUS
from looped import looped

EVENING = """2024-05-03
start 25 return 30 uma 20 10 ties share chombo 20
Ann Ben Cho Dee
42.3 31 18.2 8.5
30 30 20 20
2024-06-01
20 45 25 chombo 10
50 20 10 20
"""
HEAD = ["name", "game_count", "first", "second", "third", "fourth", "average_place", "net_score"]
HEAD += ["net_score_per_game", "best", "worst", "chombo", "streak"]


def data_of(html: str) -> dict[str, Any]:
    packed = max(re.findall(r"[A-Za-z0-9+/=]{1000,}", html), key=len)
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(packed)).decode().split("\0")[-1])
    return data


@pytest.fixture(autouse=True)
def _evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("may.club").write_text(EVENING)


def test_the_table_has_places_points_and_streaks(run: Run) -> None:
    assert table(run("score", "may.club").out) == [
        HEAD,
        ["Ann", "4", "3", "0", "1", "0", "1.5", "117.3", "29.325", "60", "-20", "0", "2"],
        ["Ben", "4", "2", "2", "0", "0", "1.5", "81", "20.25", "55", "-10", "0", "2"],
        ["Cho", "4", "0", "1", "2", "1", "3", "-101.8", "-25.45", "-15", "-40", "1", "0"],
        ["Dee", "4", "0", "1", "1", "2", "3.25", "-116.5", "-29.125", "-10", "-41.5", "0", "0"],
    ]


@looped(
    ("words", "rows"),
    ("--since 2024-06", {"Ben": "45", "Ann": "40", "Dee": "-50", "Cho": "-55"}),
    ("--sort average_place", {"Ann": "117.3", "Ben": "81", "Cho": "-101.8", "Dee": "-116.5"}),
    ("--sort name --min-games 4", {"Ann": "117.3", "Ben": "81", "Cho": "-101.8", "Dee": "-116.5"}),
)
def test_options_choose_games_and_rows(run: Run, words: str, rows: dict[str, str]) -> None:
    found = table(run("score", "may.club", *words.split()).out)[1:]
    assert [(row[0], row[7]) for row in found] == list(rows.items())


def test_months_and_running_sums(run: Run) -> None:
    months = table(run("score", "may.club", "--by", "month").out)
    shown = [row[:3] for row in months if row[1] in ("month", "name", "Ann")]
    assert shown == [["month", "name", "game_count"], ["2024-05", "Ann", "2"], ["2024-06", "Ann", "2"]]
    running = json.loads(run("score", "may.club", "--running", "--format", "json").out)
    assert [row["points"]["Ann"] for row in running] == [52.3, 77.3, 57.3, 117.3]


def test_a_season_names_players_and_teams_and_states_the_rules_of_all_games(run: Run) -> None:
    Path("more.club").write_text("2024-07-01\nAnne 40 Ben 30 Cho 20 Dee 10\n")
    warned = run("score", "may.club", "more.club").err
    assert "more.club: its games state no uma, and those of other files do" in warned
    rows = table(run("score", "may.club", "more.club", "--min-games", "2").out)[1:]
    assert [row[0] for row in rows] == ["Ann", "Ben", "Cho", "Dee"]
    Path("season.txt").write_text(
        "uma 10 5 ties share  # for all\nAnn = Anne, アン\nteam Red = Ann, Cho\nteam Blue=Ben\n"
    )
    found = table(run("score", "may.club", "more.club", "--season", "season.txt").out)
    assert found[1][:2] + found[1][7:8] == ["Ann", "5", "119.8"]
    teams = table(run("score", "may.club", "more.club", "--season", "season.txt", "--teams").out)
    assert [row[:2] for row in teams[1:]] == [["Blue", "5"], ["Red", "10"]]


@looped(
    ("settings", "games", "season", "rows"),
    ("uma 20 10 ties share", "30 30 30 10,40 20 20 20", "", "Ann 1 47/Ben 1.5 0/Cho 1.5 0/Dee 3 -47"),
    ("ties dealer", "25 25 25 25", "", "Ann 1 0/Ben 2 0/Cho 3 0/Dee 4 0"),
    ("chombo 20", "25 25 chombo 25 25", "", "Ann 1 0/Cho 1 0/Dee 1 0/Ben 1 -20"),
    ("uma 20 10 chombo 20", "40 chombo 30 20 10", "return 30", "Ann 1 30/Ben 2 10/Cho 3 -20/Dee 4 -40"),
    ("uma 20 10 return 30", "40 30 chombo 20 10", "chombo 20", None),
    ("uma 20 10 chombo 20", "40 chombo 30 20 10", "chombo 0", "Ann 1 35/Ben 2 15/Cho 3 -15/Dee 4 -35"),
    ("uma 20 10 return 30 ties share", "30 30 20 20", "ties dealer", "Ann 1 40/Ben 2 10/Cho 3 -20/Dee 4 -30"),
    ("uma 15 0 -15", "50 30 25 -", "uma 20 10 return 30", "Ann 1 30/Ben 2 -5/Cho 3 -25"),
    ("uma 15 0 -15", "50 30 25 -", "uma 30 0 -30 return 40", "Ann 1 55/Ben 2 -10/Cho 3 -45"),
    ("start 30 return 30", "45 35 25 15", "oka 20", "Ann 1 30/Ben 2 0/Cho 3 -10/Dee 4 -20"),
)
def test_places_are_by_points_and_a_season_replaces_what_it_states(
    run: Run, settings: str, games: str, season: str, rows: str | None
) -> None:
    Path("may.club").write_text("\n".join([settings, "Ann Ben Cho Dee", *games.split(","), ""]))
    Path("season.txt").write_text(season)
    outcome = run("score", "may.club", "--season", "season.txt")
    if rows is None:
        assert "the cost of a chombo is not stated" in outcome.err
    else:
        found = [[row[0], row[6], str(round(float(row[7])))] for row in table(outcome.out)[1:]]
        assert "/".join(map(" ".join, found)) == rows


@looped(
    ("text", "place", "message"),
    ("uma 10\n", "season.txt:1:1", "two numbers"),
    ("Ann = Ben\nBen = Ann\n", "season.txt:2:1", "'Ben' belongs to 'Ann' already"),
    ("Ann = Ben\nTom = Ann\n", "season.txt:2:1", "'Ann' belongs to 'Ann' already"),
    ("Ann = Anne\nBen = Anne\n", "season.txt:2:1", "'Anne' belongs to 'Ann' already"),
    ("\nAnn\n", "season.txt:2:1", "expected a setting"),
    ("team Red =\n", "season.txt:1:1", "expected a setting"),
)
def test_a_mistake_in_a_season_has_its_place(run: Run, text: str, place: str, message: str) -> None:
    Path("season.txt").write_text(text)
    assert message in run("score", "may.club", "--season", "season.txt").check(1, err=f"{place}: ").err


def test_names_of_a_season_that_nobody_has_are_warned_of(run: Run) -> None:
    Path("season.txt").write_text("Ben = Benjamin\nAnnie = Ann\nteam Red = Annie, Choo\nteam Blue = Ben\n")
    outcome = run("score", "may.club", "--season", "season.txt")
    message = "the season names 'Benjamin', 'Choo': no player of these files is called so"
    assert outcome.err == f"mjconv: warning: {message}\n"
    assert [row[0] for row in table(outcome.out)[1:]] == ["Annie", "Ben", "Cho", "Dee"]


def test_a_player_of_a_season_who_sits_at_a_table_twice_is_warned_of(run: Run) -> None:
    Path("season.txt").write_text("Ann = Ben\nteam Red = Ann, Cho\n")
    warning = "mjconv: warning: in the season 'Ann' is several players of one game\n"
    assert run("score", "may.club", "--season", "season.txt").err == warning
    assert run("score", "may.club", "--season", "season.txt", "--teams").err == ""


@looped(
    ("file", "column", "columns"),
    ("may.club", "win_count", "streak"),
    ("may.hk", "best", "win_fraction, net_score"),
    ("may.hk", "x", "name"),
    ("missing.hk", "x", "name"),
)
def test_a_table_is_sorted_by_its_own_columns(run: Run, file: str, column: str, columns: str) -> None:
    Path("may.hk").write_text("A B C D\n1 - - -\n")
    outcome = run("score", file, "--sort", column)
    outcome.check(2, err=f"--sort takes a column of the table, not '{column}': name, game_count, ")
    assert columns in outcome.err


@looped(("uma", "game"), ("15 0 -15", "40 30 20 10"), ("20 10", "50 30 25 -"))
def test_an_uma_for_another_number_of_players_is_warned_of_once(run: Run, uma: str, game: str) -> None:
    Path("may.club").write_text(f"uma {uma}\nAnn Ben Cho Dee\n\n{game}\n{game}\n")
    players = 4 - game.count("-")
    warning = (
        f"may.club:4: a game of {players} players has no uma: the uma above it is for other numbers of players"
    )
    assert run("score", "may.club").err.count(warning) == 1
    assert "may.club:4:1: S010 warning" in run("validate", "may.club").out.decode()
    Path("may.csv").write_text(f"uma,{uma}\n\nAnn,Ben,Cho,Dee\n\n\n{game.replace(' ', ',')}\n".replace("0 ", "0,"))
    assert warning.replace("may.club:4", "may.csv:6") in run("score", "may.csv").err
    Path("may.club").write_text(f"uma 20 10\numa 15 0 -15\nAnn Ben Cho Dee\n{game}\n")
    assert run("score", "may.club").err == ""


@looped(("sample", "best"), ("tenhou/hanchan.mjlog", "60.2"), ("tenhou/game.json", "60.2"))
def test_records_of_platforms_join_the_table(run: Run, sample: str, best: str) -> None:
    found = table(run("score", "may.club", str(CORPUS / sample)).out)
    assert len(found) == 9
    assert best in [row[9] for row in found]


def test_a_game_without_an_end_does_not_count(run: Run) -> None:
    Path("more.club").write_text("Ann ? Ben ? Cho ? Dee ?\n")
    outcome = run("score", "may.club", "more.club")
    assert "more.club: 1 game of 1 without points at the end: not counted" in outcome.err
    assert table(outcome.out)[1][:2] == ["Ann", "4"]


def test_points_that_do_not_add_up_are_refused_with_their_line(run: Run) -> None:
    Path("may.club").write_text(EVENING.replace("8.5", "8.3"))
    outcome = run("score", "may.club")
    outcome.check(1, out="", err="may.club:4:1: the points add up to 99.8, and should add up to 100: 0.2 too few")
    assert "may.club:4:1" in run("may.club", "--to", "mjai", "--fill").err


@looped(
    ("text", "error"),
    ("Sunday 5 May\nAnn 42.3, Ben 31, Cho 18.2, Dee 8.5\n", "a.txt:1:1: a date begins with the year"),
    (
        "Ann 42300\n",
        "a game has points of three or four players, not of 1; write all players of a game in one line",
    ),
    ("# B=0.5\nAnn Ben Cho Dee\n- 4.2 0 0\n", "the points add up to 4.2"),
    ("2024-05-03\nAnn Ben Cho Dee\nAnn - 3 -\n", "'Ann' is no result"),
    ("Ann Ben Cho Dee\nAnn won 8 points\n", "'Ann' is no result"),
)
def test_an_error_is_about_the_notation_that_the_numbers_show(run: Run, text: str, error: str) -> None:
    hint = "; docs/score-an-evening.md shows the lines of riichi and of Hong Kong scores\n"
    Path("a.txt").write_text(text)
    assert error in run("score", "a.txt").check(1, err=hint).err


def test_a_page_has_standings_a_graph_and_each_game(run: Run) -> None:
    assert run("score", "may.club", "-o", "may.html").status == 0
    data = data_of(Path("may.html").read_text())
    assert data["title"] == "may"
    assert data["standings"]["columns"][:3] == ["score.name", "score.net_score", "score.game_count"]
    assert [row[:3] for row in data["standings"]["rows"]] == [
        ["Ann", "117.3", "4"],
        ["Ben", "81", "4"],
        ["Cho", "-101.8", "4"],
        ["Dee", "-116.5", "4"],
    ]
    assert data["table"]["lines"][0] == [0, 52.3, 77.3, 57.3, 117.3]
    assert [(game["brief"], game["gains"][0]) for game in data["table"]["games"]][:2] == [
        (["game.places", [0, 1, 2, 3]], "52.3"),
        (["game.places", [0, 1, 2, 3]], "25"),
    ]
    assert all("score.streak" in words for words in data["words"].values())


def test_a_page_of_hong_kong_games_has_points_and_draws(run: Run) -> None:
    Path("may.hk").write_text("A B C D\n1 - - -\n- - - -\n")
    assert run("score", "may.hk", "-o", "may.html").status == 0
    data = data_of(Path("may.html").read_text())
    assert data["standings"]["rows"][0][:3] == ["A", "6", "2"]
    assert [game["brief"] for game in data["table"]["games"]] == [["game.first", 0], ["game.draw"]]
