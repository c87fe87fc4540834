"""Parquet in folders, tables and several files: a fleet leaves the files of batch, whatever happens on the way.

Decisions are in several files too.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fleets import command, contents, manifest_of
from typer.testing import CliRunner

from batch.archives import broken, dated, game, laid_out, run, zipped
from mjconv import fleet
from mjconv.command.cli import app
from mjconv.fleet.store import store_of

#: Workers start slowly, so they run in this process. A command in another process starts its own.
pytestmark = pytest.mark.usefixtures("workers_here")

COMMAND = (sys.executable, "-P", "-m", "mjconv", "fleet")
PARTED = ("--to", "parquet", "--partition-by", "month,players")
DECISIONS = ("--to", "decisions", "--shards", "3")


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Make two archives and some files: broken members, files of several months, and games without a month."""
    some = {f"{number:02}.mjson": dated(number, 9) for number in range(24)}
    some["several.mjson"] = b"".join(dated(number, 9) for number in range(30, 42)) + game(50)
    names = sorted(some)
    first, second = ({name: some[name] for name in part} for part in (names[:9], names[9:20]))
    archives = {"a.zip": zipped({**first, **broken()}), "b.zip": zipped(second), "c": b"no record"}
    return laid_out(tmp_path / "logs", {**archives, **{name: some[name] for name in names[20:]}})


def planned(logs: Path, output: str, *words: str, files: int = 5) -> fleet.Fleet:
    command("plan", logs, "-o", output, *words, "--files", str(files), "-q")
    return fleet.open_fleet(output)


def files_of(output: str) -> dict[str, list[bytes]]:
    """Return the parts of a fleet by their folders."""
    store, found = store_of(output), dict[str, list[bytes]]()
    manifest = manifest_of(fleet.open_fleet(output))
    for part in manifest.parts:
        found.setdefault(part.folder, []).append(store.read(part.path))
    assert sorted(store.sizes("parts")) == sorted(part.path for part in manifest.parts)
    assert not store.sizes("collected")
    return found


def files_of_batch(logs: Path, folder: Path, *words: str) -> dict[str, list[bytes]]:
    run(logs, "-o", "batch", *words, "--jobs", "2", "-q", folder=folder, status=1)
    found: dict[str, list[bytes]] = {}
    for path in sorted((folder / "batch").rglob("*.parquet")):
        place = path.parent.relative_to(folder / "batch") if "-of-" in path.name else path.with_suffix("").name
        found.setdefault(str(place).removeprefix("."), []).append(path.read_bytes())
    return found


OUTPUTS = {
    "folders": PARTED,
    "all": (*PARTED, "--tables", "games,events", "--shards", "3"),
    "files": ("--to", "parquet", "--shards", "4", "--derive", "dora"),
    "tables": ("--to", "parquet", "--tables", "games,rounds"),
    "splits and folders": (*PARTED, "--split", "train=0.5,val=0.5"),
    "splits and files": ("--to", "parquet", "--split", "train=0.5,val=0.5", "--shards", "2"),
    "decisions": DECISIONS,
    "splits of decisions": (*DECISIONS, "--split", "train=0.7,val=0.3"),
}
#: Workers and files of a shard. Each output is made in the first way, and in one of the others in turn.
WAYS = [("1", 5), ("2", 5), ("4", 100)]


@pytest.mark.parametrize("name", OUTPUTS)
def test_files_are_those_of_batch(name: str, logs: Path, tmp_path: Path) -> None:
    words, place = OUTPUTS[name], list(OUTPUTS).index(name)
    wanted = files_of_batch(logs, tmp_path, *words)
    for jobs, files in (WAYS[0], WAYS[1 + place % 2]):
        out = str(tmp_path / f"run-{jobs}")
        planned(logs, out, *words, files=files)
        command("run", out, "--jobs", jobs, "-q", status=1)
        assert files_of(out) == wanted
    if jobs == "2":
        assert contents(str(tmp_path / "run-1")) == contents(str(tmp_path / "run-2"))


def test_addresses(logs: Path, tmp_path: Path, memory: Any) -> None:
    """Batch writes to an address as a fleet does."""
    assert memory is not None
    out, words = "memory://out/run", (*PARTED, "--shards", "2")
    said = ["batch", str(logs), "-o", out, *words, "--jobs", "1", "-q"]
    assert CliRunner().invoke(app, said).exit_code == 1
    assert files_of(out) == files_of_batch(logs, tmp_path, *words)
    before = contents(out)
    assert CliRunner().invoke(app, [*said, "--resume"]).exit_code == 1
    assert contents(out) == before
    other = ["--partition-by", "players", "--force"]
    assert CliRunner().invoke(app, [*said, *other]).exit_code == 1
    assert list(files_of(out)) == ["players=4"]


def test_two_parts_at_once_then_the_files(logs: Path, tmp_path: Path) -> None:
    """`--part` converts the shards of the plan, and then joins rows. `status` names the next command."""
    whole, out = planned(logs, str(tmp_path / "whole"), *PARTED), str(tmp_path / "run")
    command("run", whole.output, "--jobs", "2", "-q", status=1)
    run = planned(logs, out, *PARTED)
    for shards in ("8 of 18 shards done", "18 of 18 shards done"):
        assert "shards have no result" in command("finish", out, status=1)
        words = (*COMMAND, "run", out, "--jobs", "1", "-q", "--part")
        parts = [subprocess.Popen([*words, f"{number}/2"]) for number in range(2)]
        assert [part.wait() for part in parts] == [0, 0]
        assert shards in command("status", out)
    assert "next: mjconv fleet finish" in command("status", out)
    for _ in range(2):
        command("finish", out, status=1)
        assert contents(out) == contents(whole.output)
        assert command("status", out).startswith("complete: 18 of 18 shards done")
    assert list(run.pending()) == []


@pytest.mark.parametrize("harm", ["cut", "gone", "result", "plan"])
def test_damage_is_made_good(harm: str, logs: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    run = planned(logs, out, *PARTED)
    command("run", out, "--jobs", "2", "-q", status=1)
    whole, manifest = contents(out), manifest_of(run)
    part = Path(out, manifest.parts[2].path)
    if harm == "cut":
        part.write_bytes(part.read_bytes()[:-1] + b"?")
        # The rows of the file are collected again.
        *collected, name = command("verify", out, "-q", status=1).splitlines()
        assert name == f"{manifest.parts[2].path} is damaged or gone"
        assert all(line.startswith("collected/") for line in collected)
    elif harm == "gone":
        part.unlink()
        assert "not complete" in command("status", out, status=1)
    elif harm == "result":
        next(Path(out, "done").glob("000001-*")).unlink()
    else:
        planned(logs, out, *PARTED, "--shards", "2", "--force")
        command("run", out, "--jobs", "2", "-q", status=1)
        assert contents(out) != whole
        planned(logs, out, *PARTED, "--force")
    command("run", out, "--jobs", "2", "-q", status=1)
    assert (contents(out), run.clean()) == (whole, [])
    assert command("verify", out) == "mjconv: all parts have the contents that were written\n"


def test_a_shard_that_fails_is_left_out_and_tried_again(logs: Path, tmp_path: Path) -> None:
    out, away = str(tmp_path / "run"), tmp_path / "away"
    run, other = planned(logs, out, *PARTED), planned(logs, str(tmp_path / "other"), *PARTED)
    command("run", other.output, "--jobs", "2", "-q", status=1)
    (logs / "b.zip").rename(away)
    assert "5 of 8 shards done" in command("run", out, "--jobs", "2", "--attempts", "1", status=1)
    assert run.manifest() is None
    command("run", out, "--jobs", "2", "--attempts", "1", "--skip-failed", "-q", status=1)
    manifest = manifest_of(run)
    assert len(manifest.missing) == 3
    assert sum(part.matches for part in manifest.parts) == manifest.summary.counts.matches
    assert files_of(out)
    assert "is already complete" in command("run", out, "--skip-failed", status=1)
    away.rename(logs / "b.zip")
    command("run", out, "--jobs", "2", "-q", status=1)
    assert contents(out) == contents(other.output)


@pytest.mark.parametrize(("seed", "words"), [(0, PARTED), (2, DECISIONS)])
def test_a_kill_at_any_moment(seed: int, words: tuple[str, ...], logs: Path, tmp_path: Path) -> None:
    whole, out, random = planned(logs, str(tmp_path / "whole"), *words), str(tmp_path / "run"), Random(seed)
    began = time.monotonic()
    subprocess.run([*COMMAND, "run", whole.output, "--jobs", "2", "-q"], check=False, capture_output=True)
    seconds = time.monotonic() - began
    planned(logs, out, *words)
    for _ in range(2):
        process = subprocess.Popen([*COMMAND, "run", out, "--jobs", "2", "-q"], start_new_session=True)
        time.sleep(random.uniform(0.3, seconds))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for jobs in ("1", "4"):
        command("run", out, "--jobs", jobs, "-q", status=1)
        assert contents(out) == contents(whole.output)
    store_of(out).remove(store_of(out).leftovers())
    assert files_of(out)


def test_a_library_has_two_rounds(logs: Path, tmp_path: Path) -> None:
    run = fleet.plan(logs, tmp_path / "run", target="parquet", partition_by="month", tables="games", shard_files=9)
    done: list[int] = []
    while pending := list(run.pending()):
        done += [fleet.convert_shard(shard).number for shard in pending]
    assert done == list(range(len(done)))
    manifest = run.finish()
    assert {part.folder for part in manifest.parts} >= {"games/month=2000-01"}
    assert [part.first_match for part in manifest.parts] == [0] * len(manifest.parts)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--to mjai --partition-by month", "--partition-by needs --to parquet"),
        ("--to mjai --shards 2", "--shards needs --to parquet, decisions, decisions-3p here"),
        ("--to parquet --partition-by mont", "did you mean 'month'"),
    ],
)
def test_what_has_no_folders(words: str, reason: str, logs: Path, tmp_path: Path) -> None:
    assert reason in command("plan", logs, "-o", tmp_path / "run", *words.split(), status=2)
    assert not (tmp_path / "run").exists()


def test_a_folder_of_a_result_stays_below_the_parts(logs: Path, tmp_path: Path) -> None:
    run = planned(logs, str(tmp_path / "run"), *PARTED)
    command("run", run.output, "--jobs", "2", "-q", status=1)
    done = max(Path(run.output, "done").iterdir())
    whole = done.read_text()
    for folder in ("..", "a/../b", "/a", "a//b", "a/", ".a"):
        value = json.loads(whole)
        for part in value["parts"]:
            part.update(folder=folder, path=part["path"].replace(part["folder"], folder))
        value["sha256"] = {part["path"]: part["sha256"] for part in value["parts"]}
        done.write_text(json.dumps(value))
        assert done.stem in [one.shard for one in run.damaged()]
