"""Convert archives to columns: one file of all events, with the games numbered in order."""

import json
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest
from archives import failures, game, games, laid_out, own_run, run, tree, unwatched

import mjconv
from mjconv.batch import parquet_join
from mjconv.batch.shapes import TARGETS

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
