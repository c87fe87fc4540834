"""The benchmarks measure what they say, on any game; how fast anything is, no test asks."""

from __future__ import annotations

import json
from pathlib import Path

import orjson
import pytest

import mjconv
from benchmarks import games, report
from benchmarks.__main__ import main
from benchmarks.games import Game
from benchmarks.measure import Result, measure
from benchmarks.peers import FLOOR, JSONSCHEMA
from benchmarks.rows import ROWS, Row
from benchmarks.scores import scores_file
from benchmarks.sides import Side, in_file, in_format
from benchmarks.targets import at_least, at_most_ms, times
from engine import play


@pytest.fixture
def game(tmp_path: Path) -> Game:
    path = tmp_path / "one-round.mjson"
    path.write_bytes(play(7, length="round"))
    return games.game_of(path, tmp_path)


def nothing(name: str) -> Side:
    return Side(name, lambda game: game, lambda _: None)


RESULT = Result(
    Row(nothing("ours"), nothing("theirs"), times(2)),
    games=4,
    lines=2000,
    ours_ms=(2.0, 8.0, 3.0),
    peer_ms=(1.0, 2.0, 2.0),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.ours.name)
def test_each_row_runs_on_a_game(row: Row, game: Game) -> None:
    result = measure(row, [game], repetitions=2, warm_up=0)
    assert len(result.ours_ms) == len(result.peer_ms) == 2
    assert (result.games, result.lines) == (1, game.messages if row.lines is None else row.lines)
    assert min(result.ours_ms + result.peer_ms) > 0


def test_each_row_is_there_once() -> None:
    names = [row.ours.name for row in ROWS]
    assert len(names) == len(set(names))


def test_the_rows_that_are_to_reach_something() -> None:
    targets = {row.ours.name: (row.peer.name, str(row.target)) for row in ROWS if row.target is not None}
    assert targets["read mjai"] == ("riichienv MjaiReplay", "1 x")
    assert targets["mjai -> jmjp"] == ("orjson loads + dumps", "3 x")
    assert targets["jmjp -> mjai"] == ("orjson loads + dumps", "5 x")
    assert targets["mjai -> uzje"] == targets["uzje -> mjai"] == ("orjson loads + dumps", "5 x")
    assert targets["score HK, 16 games a sitting"] == ("str.split", "340,000/s")
    assert targets["check mjai messages"] == ("python jsonschema", "1,000,000/s")
    assert targets["command mjai -> jmjp"] == ("python -c pass", "250 ms")


def test_both_sides_run_in_turn_over_all_games_after_a_warm_up(game: Game) -> None:
    done: list[str] = []
    ours = Side("ours", lambda _: "ours", done.append)
    peer = Side("peer", lambda _: "peer", done.append)
    measure(Row(ours, peer), [game, game], repetitions=2, warm_up=1)
    assert done == ["ours", "ours", "peer", "peer"] * 3


def test_what_is_prepared_is_not_timed_again(game: Game) -> None:
    prepared: list[Game] = []
    side = Side("ours", prepared.append, lambda _: None)
    measure(Row(side, nothing("peer")), [game], repetitions=3)
    assert prepared == [game]


def test_a_row_of_one_takes_the_game_of_the_middle_length(tmp_path: Path) -> None:
    short, middle, long = (Game(tmp_path, b"", (b"{}",) * length, tmp_path) for length in (1, 5, 99))
    seen: list[Game] = []
    side = Side("ours", lambda game: game, seen.append)
    result = measure(Row(side, nothing("peer"), one=True), [long, short, middle], repetitions=1, warm_up=0)
    assert seen == [middle]
    assert (result.games, result.lines) == (1, 5)


def test_ratios_are_of_times_that_stand_next_to_each_other() -> None:
    assert RESULT.ratios == (2.0, 4.0, 1.5)


def test_figures_are_medians_a_game() -> None:
    assert RESULT.figures == {"ratio": 2.0, "ms": 3.0, "rate": pytest.approx(500 / 0.003)}


@pytest.mark.parametrize(
    ("target", "said", "reached"),
    [
        (times(2), "2 x", True),
        (times(1.9), "1.9 x", False),
        (at_most_ms(3), "3 ms", True),
        (at_most_ms(2.9), "2.9 ms", False),
        (at_least(166_000), "166,000/s", True),
        (at_least(167_000), "167,000/s", False),
    ],
)
def test_a_target_is_reached_or_not(target: object, said: str, reached: bool) -> None:
    row = Row(nothing("ours"), nothing("theirs"), target)  # type: ignore[arg-type]
    result = Result(row, RESULT.games, RESULT.lines, RESULT.ours_ms, RESULT.peer_ms)
    assert str(target) == said
    assert result.reached is reached


def test_a_row_without_target_reaches_none() -> None:
    assert Result(Row(nothing("ours"), nothing("theirs")), 1, 1, (1.0,), (1.0,)).reached is None


def test_the_table_has_a_line_a_row_under_its_heads() -> None:
    heads, line = report.table([RESULT]).splitlines()
    assert [head.strip() for head in heads.split("  ") if head] == [
        *("work", "ms", "lines/s", "against", "its ms", "ratio", "min-max", "target", "reached")
    ]
    assert [cell.strip() for cell in line.split("  ") if cell] == [
        *("ours", "3.00", "166,667", "theirs", "2.00", "2.00", "1.50-4.00", "2 x", "yes")
    ]


def test_the_floor_reads_and_writes_every_line(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[object] = []
    monkeypatch.setattr(orjson, "dumps", written.append)
    FLOOR.run(FLOOR.prepare(game))
    assert written == [json.loads(line) for line in game.data.splitlines()]


def test_the_schemas_take_every_message_or_say_so(game: Game) -> None:
    JSONSCHEMA.run(JSONSCHEMA.prepare(game))
    with pytest.raises(ValueError, match="refuses a message"):
        JSONSCHEMA.run([*game.lines, b'{"type":"reach","actor":4}'])


def test_a_row_may_be_of_lines_that_are_no_messages(game: Game) -> None:
    result = measure(Row(nothing("ours"), nothing("peer"), one=True, lines=10_000), [game], repetitions=1)
    assert result.lines == 10_000


def test_scores_are_of_sittings_with_a_date_and_names_each(tmp_path: Path) -> None:
    path = Path(scores_file(tmp_path, lines=200, games=16))
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) == 200
    assert lines[::18] == sorted(set(lines[::18]))
    assert all(len(names.split()) == 4 for names in lines[1::18])
    played = mjconv.hk_score_files([path]).everyone
    assert played.games == 4 * (200 - len(lines[::18]) - len(lines[1::18]))
    assert 0 < played.blames < played.games


def test_scores_are_the_same_each_time(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    one, other = (Path(scores_file(folder, lines=500, games=8)).read_bytes() for folder in folders)
    assert one == other


def test_a_game_stands_prepared_in_each_format(game: Game) -> None:
    assert in_format(game, "mjai") == game.data
    assert (
        mjconv.convert(in_format(game, "jmjp"), source="jmjp", target="mjai").data
        == mjconv.convert(game.data, source="mjai", target="mjai").data
    )
    assert Path(in_file(game, "jmjp")).read_bytes() == in_format(game, "jmjp")
    assert in_file(game, "mjai") == str(game.path)


@pytest.fixture
def real_logs(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay out a folder of logs: three whole games of four, one that breaks off, one of three players."""
    logs = tmp_path / "logs"
    broken = b"\n".join(game.lines[:-1])
    for name, data in {
        "tenhou/mjai/2010010100gm-a.mjson": game.data,
        "tenhou/mjai/2010010100gm-a-no-game-end.mjson": broken,
        "tenhou/mjai/double-ron.mjson": game.data,
        "mjai/engine/4p-0.mjson": game.data,
        "mjai/engine/3p-0.mjson": game.data,
        "mjai/selfplay-hanchan.jsonl": game.data,
    }.items():
        path = logs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    monkeypatch.setenv(games.REAL_LOGS, str(logs))
    return logs


def test_real_logs_are_whole_games_of_four(real_logs: Path, tmp_path: Path) -> None:
    source, found = games.load(tmp_path)
    assert source == "real logs"
    assert [str(game.path.relative_to(real_logs)) for game in found] == [
        "tenhou/mjai/2010010100gm-a.mjson",
        "mjai/engine/4p-0.mjson",
        "mjai/selfplay-hanchan.jsonl",
    ]


@pytest.mark.usefixtures("real_logs")
def test_fewer_real_logs_are_some_of_each_kind(tmp_path: Path) -> None:
    _, found = games.load(tmp_path, 2)
    assert [game.path.parent.name for game in found] == ["mjai", "mjai"]
    assert len({game.path for game in found}) == 2


def test_a_folder_without_games_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(games.REAL_LOGS, str(tmp_path))
    with pytest.raises(FileNotFoundError, match="there is no whole game of four in it"):
        games.load(tmp_path)


def test_without_logs_whole_games_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(games.REAL_LOGS, raising=False)
    source, played = games.load(tmp_path, 2)
    assert source == "played on riichienv"
    assert [games.is_whole(game) for game in played] == [True, True]
    assert played[0].data != played[1].data


@pytest.mark.usefixtures("real_logs")
def test_the_command_prints_the_table_and_writes_all_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    main(["--quick", "--only", "read", "--json", str(file)])
    told, heads, *lines = capsys.readouterr().out.splitlines()
    expected = [row.ours.name for row in ROWS if "read" in row.ours.name]
    assert told.startswith("3 games (real logs)")
    assert heads.startswith("work")
    assert [line.split("  ")[0] for line in lines] == expected
    figures = json.loads(file.read_bytes())
    assert figures["games"]["count"] == 3
    assert set(figures) == {"python", "machine", "cores", "load", "versions", "games", "rows"}
    assert [row["work"] for row in figures["rows"]] == expected
    lines_of = {row.ours.name: row.lines or figures["games"]["messages"] for row in ROWS}
    for row in figures["rows"]:
        times = row["repetitions"]
        assert row["lines"] == lines_of[row["work"]]
        assert len(times["ms"]) == len(times["peer_ms"]) == len(times["ratio"]) == 3
        assert min(times["ratio"]) <= row["ratio"] <= max(times["ratio"])
    assert figures["rows"][0]["target"] == {"ratio": 1}
