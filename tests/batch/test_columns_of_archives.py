"""Convert archives to columns, one file of all events, and to decisions: Parquet, or rows of Kanachan."""

import json
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest
from archives import failures, game, games, laid_out, own_run, run, tree, unwatched

import mjconv
from engine import play
from mjconv.batch import parquet_join
from mjconv.batch.shapes import TARGETS
from mjconv.ir.losses import Report
from mjconv.source import source_of
from mjconv.train.features import legal_of
from mjconv.train.kanachan import kanachan_rows

LOGS = games(9)
BAD = {"0/0001x.mjson": b"{", "0/9.txt": b"no record"}


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return laid_out(tmp_path / "logs", {**LOGS, **BAD, "2/two.mjson": game(20) + game(21)})


def test_an_archive_is_the_columns_of_its_games(logs: Path, tmp_path: Path) -> None:
    run("logs", "-o", "out.parquet", "--to", "parquet", "--jobs", "2", folder=tmp_path, status=1)
    table = pq.read_table(tmp_path / "out.parquet")
    alone = [
        mjconv.to_arrow(mjconv.read_all(path), source=f"logs/{path.relative_to(logs)}")
        for path in sorted(logs.rglob("*.mjson"))
        if path.name != "0001x.mjson"
    ]
    rows, expected, begun = table.to_pylist(), [], 0
    for part in alone:
        expected += [{**row, "game": row["game"] + begun} for row in part.to_pylist()]
        begun = expected[-1]["game"] + 1
    for row in expected:
        # Matches in memory do not know their format.
        row["facts"] = row["facts"] and row["facts"] | {"format": "mjai"}
    assert (rows, begun) == (expected, len(LOGS) + 2)
    assert table.schema.equals(alone[0].schema)
    [failure] = failures(tmp_path / "out.parquet.failures.jsonl")
    assert failure["member"] == "logs/0/0001x.mjson"


def test_rows_are_in_groups(logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert logs.is_dir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(TARGETS, "parquet", TARGETS["parquet"]._replace(group_rows=200))
    own = own_run(tmp_path, "out.parquet", "parquet")
    own.prepare()
    own.execute(["logs"], 1, unwatched)
    file = pq.ParquetFile(tmp_path / "out.parquet")
    # All readers find the same rows at the offsets of the joined file.
    assert pl.read_parquet(tmp_path / "out.parquet").to_arrow().num_rows == file.read().num_rows
    for number in range(file.num_row_groups):
        assert file.read_row_group(number).num_rows == file.metadata.row_group(number).num_rows
    groups = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
    assert len(groups) > 2
    assert all(rows >= 200 for rows in groups[:-1])
    assert file.read().column("game").unique().to_pylist() == list(range(len(LOGS) + 2))


def test_a_run_stopped_in_the_file_continues(logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert logs.is_dir()
    run("logs", "-o", "whole.parquet", "--to", "parquet", folder=tmp_path, status=1)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(TARGETS, "parquet", TARGETS["parquet"]._replace(group_rows=200))
    full = OSError(28, "No space left")
    monkeypatch.setattr(parquet_join.JoinedParquet, "add", lambda *_: (_ for _ in ()).throw(full))
    own = own_run(tmp_path, "out.parquet", "parquet")
    own.prepare()
    with pytest.raises(OSError, match="No space left"):
        own.execute(["logs"], 1, unwatched)
    monkeypatch.undo()
    assert not (tmp_path / "out.parquet").exists()
    run("logs", "-o", "out.parquet", "--to", "parquet", "--resume", folder=tmp_path, status=1)
    assert (tmp_path / "out.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()
    written = {name for name in tree(tmp_path) if name.startswith("out")}
    assert written == {"out.parquet", "out.parquet.failures.jsonl"}


def test_an_archive_without_games_is_a_file_without_rows(tmp_path: Path) -> None:
    laid_out(tmp_path / "logs", {"a.txt": b"nothing"})
    run("logs", "-o", "out.parquet", "--to", "parquet", folder=tmp_path)
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 0


def test_data_without_a_column_is_reported_as_lost(tmp_path: Path) -> None:
    league = Path(__file__).parents[2] / "corpus" / "grammar" / "league.jmjp"
    words = (league, "-o", "out.parquet", "--to", "parquet")
    run(*words, "--report", "report.json", folder=tmp_path)
    losses = json.loads((tmp_path / "report.json").read_bytes())["losses"]
    assert {"match.tournament", "match.players"} <= {loss["what"] for loss in losses}
    assert {loss["fate"] for loss in losses} == {"dropped"}
    run(*words, "--strict", "--force", folder=tmp_path, status=3)


# Convert archives to decisions: one Parquet file, or rows of Kanachan, on any number of workers.

FOUR = play(31, length="east")
FILES = {
    "a/one.mjson": FOUR,
    "a/two.mjlog": mjconv.convert(FOUR, target="tenhou").data,
    "b/both.mjson": FOUR + play(32, length="round"),
    "b/three.mjson": play(33, players=3, length="round"),
    "b/bad.mjson": b"{",
    "readme.txt": b"no record",
}


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return laid_out(tmp_path / "logs", FILES)


def test_an_archive_is_the_decisions_of_its_games(records: Path, tmp_path: Path) -> None:
    run("logs", "-o", "out.parquet", "--to", "decisions", "--jobs", "2", folder=tmp_path, status=1)
    table = pq.read_table(tmp_path / "out.parquet")
    errors: list[Exception] = []
    expected = [
        (one.source, one.match, one.round, one.seat, one.taken.encode())
        for one in mjconv.decisions(records, errors=errors.append)
        if "three" not in one.source
    ]
    rows = table.select(["source", "match", "round", "seat", "action"]).to_pylist()
    assert [(str(tmp_path / row["source"]), *list(row.values())[1:]) for row in rows] == expected
    failed = failures(tmp_path / "out.parquet.failures.jsonl")
    assert {failure["member"]: failure["kind"] for failure in failed} == {
        "logs/b/bad.mjson": "input", "logs/b/three.mjson": "unsupported"
    }  # fmt: skip
    assert b"mjconv.decisions" in table.schema.metadata


def test_decisions_of_three_players_have_their_own_target(records: Path, tmp_path: Path) -> None:
    assert records.is_dir()
    run("logs/b/three.mjson", "-o", "out.parquet", "--to", "decisions-3p", folder=tmp_path)
    table = pq.read_table(tmp_path / "out.parquet")
    assert legal_of(table).shape == (table.num_rows, 60)
    assert set(table.column("seat").to_pylist()) == {0, 1, 2}


def test_rows_of_kanachan_are_a_file_for_each_member(records: Path, tmp_path: Path) -> None:
    done = run("logs", "-o", "rows", "--to", "kanachan", "--kanachan", "room=2", folder=tmp_path, status=1)
    files = {path.relative_to(tmp_path / "rows").as_posix() for path in (tmp_path / "rows").rglob("*.tsv")}
    assert files == {"a/one.tsv", "a/two.tsv", "b/both.tsv"}
    one = source_of(FOUR, None, "game.mjson").readings(Report())
    rows = "".join(kanachan_rows(one, Report(), source="logs/a/one.mjson", settings="room=2"))
    assert (tmp_path / "rows/a/one.tsv").read_text() == rows
    assert (tmp_path / "rows/a/two.tsv").read_text() == rows.replace("one.mjson", "two.mjlog")
    assert "logs/b/both.mjson#1\t" in (tmp_path / "rows/b/both.tsv").read_text()
    assert records.is_dir()
    assert "assumed" in str(done)
    assert "kanachan.level" in str(done)
    assert "kanachan.room" not in str(done)


def test_strict_refuses_values_that_are_assumed(records: Path, tmp_path: Path) -> None:
    assert records.is_dir()
    words = ("logs/a", "-o", "rows", "--to", "kanachan", "--strict")
    run(*words, folder=tmp_path, status=3)
    run(*words, "--force", "--kanachan", "room=2,level=1,grading=0", folder=tmp_path)
