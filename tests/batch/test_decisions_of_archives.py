"""Convert archives to decisions: one Parquet file, or rows of Kanachan, on any number of workers."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from archives import failures, laid_out, run

import mjconv
from engine import play
from mjconv.ir.losses import Report
from mjconv.source import source_of
from mjconv.train.features import legal_of
from mjconv.train.kanachan import kanachan_rows

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
def logs(tmp_path: Path) -> Path:
    return laid_out(tmp_path / "logs", FILES)


def test_an_archive_is_the_decisions_of_its_games(logs: Path, tmp_path: Path) -> None:
    run("logs", "-o", "out.parquet", "--to", "decisions", "--jobs", "2", folder=tmp_path, status=1)
    table = pq.read_table(tmp_path / "out.parquet")
    errors: list[Exception] = []
    expected = [
        (one.source, one.match, one.round, one.seat, one.taken.encode())
        for one in mjconv.decisions(logs, errors=errors.append)
        if "three" not in one.source
    ]
    rows = table.select(["source", "match", "round", "seat", "action"]).to_pylist()
    assert [(str(tmp_path / row["source"]), *list(row.values())[1:]) for row in rows] == expected
    failed = failures(tmp_path / "out.parquet.failures.jsonl")
    assert {failure["member"]: failure["kind"] for failure in failed} == {
        "logs/b/bad.mjson": "input", "logs/b/three.mjson": "unsupported"
    }  # fmt: skip
    assert b"mjconv.decisions" in table.schema.metadata


def test_decisions_of_three_players_have_their_own_target(logs: Path, tmp_path: Path) -> None:
    assert logs.is_dir()
    run("logs/b/three.mjson", "-o", "out.parquet", "--to", "decisions-3p", folder=tmp_path)
    table = pq.read_table(tmp_path / "out.parquet")
    assert legal_of(table).shape == (table.num_rows, 60)
    assert set(table.column("seat").to_pylist()) == {0, 1, 2}


def test_rows_of_kanachan_are_a_file_for_each_member(logs: Path, tmp_path: Path) -> None:
    done = run("logs", "-o", "rows", "--to", "kanachan", "--kanachan", "room=2", folder=tmp_path, status=1)
    files = {path.relative_to(tmp_path / "rows").as_posix() for path in (tmp_path / "rows").rglob("*.tsv")}
    assert files == {"a/one.tsv", "a/two.tsv", "b/both.tsv"}
    one = source_of(FOUR, None, "game.mjson").readings(Report())
    rows = "".join(kanachan_rows(one, Report(), source="logs/a/one.mjson", settings="room=2"))
    assert (tmp_path / "rows/a/one.tsv").read_text() == rows
    assert (tmp_path / "rows/a/two.tsv").read_text() == rows.replace("one.mjson", "two.mjlog")
    assert "logs/b/both.mjson#1\t" in (tmp_path / "rows/b/both.tsv").read_text()
    assert logs.is_dir()
    assert "assumed" in str(done)
    assert "kanachan.level" in str(done)
    assert "kanachan.room" not in str(done)


def test_strict_refuses_values_that_are_assumed(logs: Path, tmp_path: Path) -> None:
    assert logs.is_dir()
    words = ("logs/a", "-o", "rows", "--to", "kanachan", "--strict")
    run(*words, folder=tmp_path, status=3)
    run(*words, "--force", "--kanachan", "room=2,level=1,grading=0", folder=tmp_path)
