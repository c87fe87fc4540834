"""Parquet in folders by facts, and in several files: each reader finds the same games, whatever their facts."""

import hashlib
import json
import time
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest
from archives import dated, files_of, game, laid_out, run, run_apart, started, tree
from msgspec.structs import replace

import mjconv
from mjconv.archive.partition import partition_of
from mjconv.batch import parquet_output

#: Names of rooms that try to leave the folder, to meet another one, to be one of Hive's, or not to be written.
ROOMS = ["houou", "Houou", "..", "../up", "a=b", "a%2Fb", "x.", "NUL", "*?", "鳳凰", "7", "007", "é ", "\n"]
#: Rooms that count as missing.
MISSING = ["", "x" * 41, "__HIVE_DEFAULT_PARTITION__x" * 2]

WORDS = ("logs", "-o", "out", "--to", "parquet", "-q")


def archive(folder: Path) -> None:
    """Write a file with a game in each room, and one file for each of them."""
    for number, room in enumerate([*ROOMS, *MISSING]):
        laid_out(folder, {"made.mjson": game(number)})
        match = replace(mjconv.read(folder / "made.mjson"), room=room)
        (folder / "logs").mkdir(exist_ok=True)
        mjconv.write(match, folder / "logs" / f"{number:02}.mjson")
    own = sorted((folder / "logs").iterdir())
    (folder / "logs" / "all.mjson").write_bytes(b"".join(one.read_bytes() for one in own))


def test_names_of_folders_are_safe_and_differ() -> None:
    folders = [partition_of({"room": room}, "room") for room in ROOMS]
    assert len({folder.lower() for folder in folders}) == len(ROOMS)
    assert all(folder.isascii() and folder.isprintable() for folder in folders)
    assert not any(set(folder[5:]) & set('/\\:*?"<>| =') or folder.endswith(".") for folder in folders)
    assert {partition_of({"room": room}, "room") for room in MISSING} == {"room=__HIVE_DEFAULT_PARTITION__"}


@pytest.mark.slow
@pytest.mark.parametrize("table", ["games", "events"])
def test_readers_find_each_room(table: str, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    archive(tmp_path)
    run(*WORDS, "--tables", "games,events", "--partition-by", "room,players", "--dedup", folder=tmp_path)
    run("logs", "-o", "one", "--to", "parquet", "-q", "--tables", "games,events", "--dedup", folder=tmp_path)
    games = pq.read_table(tmp_path / "one" / "games.parquet").to_pylist()
    rooms = {one["game"]: one["room"] if one["room"] in ROOMS else None for one in games}
    assert {*ROOMS, None} == {*rooms.values()}
    pattern = str(tmp_path / "out" / table / "**" / "*.parquet")
    typed = "hive_partitioning = true, hive_types = {'room': VARCHAR}"
    read = f"SELECT DISTINCT game, room, players FROM read_parquet('{pattern}', {typed})"
    found = [
        duckdb.sql(read).fetchall(),
        pl.scan_parquet(pattern, hive_schema={"room": pl.String, "players": pl.Int8}, hive_partitioning=True)
        .select("game", "room", "players").unique().collect().rows(),
    ]  # fmt: skip
    for rows in found:
        assert sorted(rows) == [(number, room, 4) for number, room in sorted(rooms.items())]


@pytest.mark.slow
def test_any_number_of_workers_and_of_files_gives_the_same_rows(tmp_path: Path) -> None:
    archive(tmp_path)
    for name, words, start in (("1", "--jobs 1", run), ("3", "--jobs 3", run_apart), ("n", "--shards 3", run)):
        said = ("logs", "-o", name, "--to", "parquet", "--partition-by", "room", *words.split(), "-q")
        start(*said, folder=tmp_path)
    trees = [tree(tmp_path / name) for name in "13"]
    one, three = ({name: data for name, data in each.items() if "room=" in name} for each in trees)
    assert one == three
    for folder in (tmp_path / "1").glob("room=*"):
        parts = sorted((tmp_path / "n" / folder.name).iterdir())
        assert [part.name for part in parts] == [f"{number:05}-of-00003.parquet" for number in range(3)]
        rows = [row for part in parts for row in pq.read_table(part, partitioning=None).to_pylist()]
        [whole] = folder.iterdir()
        assert rows == pq.read_table(whole, partitioning=None).to_pylist()


def test_too_many_folders_fail_their_members_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_output, "MOST", 1)
    laid_out(tmp_path / "logs", {"a.mjson": game(0), "c.mjson": game(2)})
    (tmp_path / "logs" / "b.mjson").write_bytes(dated(1))
    run(*WORDS, "--partition-by", "month", folder=tmp_path, status=1)
    assert [path.parent.name for path in tmp_path.glob("out/**/*.parquet")] == ["month=__HIVE_DEFAULT_PARTITION__"]
    assert '"kind":"name"' in (tmp_path / "out" / "failures.jsonl").read_text()


def test_force_leaves_no_table_of_an_earlier_run(tmp_path: Path) -> None:
    """It removes the files that mjconv wrote, if nobody changed them since."""
    laid_out(tmp_path / "logs", {f"{number}.mjson": dated(number, 5) for number in range(5)})
    run(*WORDS, "--tables", "games,events", "--partition-by", "month", folder=tmp_path)
    changed, mine = "out/games/month=2000-01/00000-of-00001.parquet", "out/games/month=2000-02/mine.parquet"
    laid_out(tmp_path, {changed: b"changed", mine: b"mine", "out/notes.txt": b"notes"})
    words = (*WORDS, "--tables", "games", "--partition-by", "players")
    assert "Is not empty; --force" in run(*words, folder=tmp_path, status=1).stderr
    run(*words, "--force", folder=tmp_path)
    kept = {name.removeprefix("out/") for name in (changed, mine, "out/notes.txt")}
    assert set(files_of(tmp_path / "out")) == {"games/players=4/00000-of-00001.parquet"} | kept
    assert not (tmp_path / "out" / "events").exists()
    run("logs", "-o", "out", "--to", "mjai", "--shards", "2", "--force", "-q", folder=tmp_path)
    run("logs", "-o", "out", "--to", "mjai", "--shards", "1", "--force", "-q", folder=tmp_path)
    assert set(files_of(tmp_path / "out")) == {"matches-00000-of-00001.jsonl"} | kept
    # A damaged manifest names nothing.
    (tmp_path / "out" / "MANIFEST").write_bytes(b"{")
    run("logs", "-o", "out", "--to", "jmjp", "--force", "-q", folder=tmp_path)
    run("logs", "-o", "out", "--to", "uzje", "--force", "-q", folder=tmp_path)
    assert {"matches-00000-of-00001.jsonl", "0.jmjp", "0.uzje", *kept} <= set(files_of(tmp_path / "out"))


def test_force_removes_nothing_outside_of_the_folder(tmp_path: Path) -> None:
    laid_out(tmp_path, {"logs/a.mjson": game(0), "secret": b"secret"})
    run(*WORDS, "--partition-by", "month", folder=tmp_path)
    manifest = tmp_path / "out" / "MANIFEST"
    first, _, rest = manifest.read_bytes().partition(b"\n")
    whole = json.loads(first)
    whole["sums"] = {"../secret": hashlib.sha256(b"secret").hexdigest()}
    manifest.write_bytes(json.dumps(whole).encode() + b"\n" + rest)
    run(*WORDS, "--partition-by", "players", "--force", folder=tmp_path)
    assert (tmp_path / "secret").read_bytes() == b"secret"


def killed_while_it_writes(folder: Path, files: int, *words: str) -> int:
    """Kill a run and its workers when it has written this number of files. Return how many were written."""
    process = started([*words, "--jobs", "2"], folder)
    written: list[Path] = []
    while process.poll() is None and len(written) < files:
        time.sleep(0.005)
        written = list((folder / "out").rglob("*.parquet"))
    process.kill()
    process.communicate()
    return len(list((folder / "out").rglob("*.parquet")))


@pytest.mark.slow
def test_a_kill_among_many_folders(tmp_path: Path) -> None:
    """A run that is killed is continued to the same bytes, or `--force` starts again without its files."""
    laid_out(tmp_path / "logs", {f"{number:03}.mjson": dated(number, 16) for number in range(32)})
    words = (*WORDS, "--tables", "games,events", "--partition-by", "month", "--shards", "2")
    run(*words, "--jobs", "1", folder=tmp_path)
    (tmp_path / "out").rename(tmp_path / "whole")
    whole = tree(tmp_path / "whole")
    assert len(files_of(tmp_path / "whole")) == 2 * 2 * 16
    for files in (1, 40):
        assert files <= killed_while_it_writes(tmp_path, files, *words, "--resume") < 2 * 2 * 16
    run(*words, "--resume", folder=tmp_path)
    assert tree(tmp_path / "out") == whole
    killed_while_it_writes(tmp_path, 25, *words, "--force")
    run(*WORDS, "--partition-by", "players", "--force", folder=tmp_path)
    assert set(files_of(tmp_path / "out")) == {"players=4/00000-of-00001.parquet"}
