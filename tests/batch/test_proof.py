"""The sums and the manifest of a complete run, and ``--resume`` where something is damaged or gone."""

import hashlib
import json
import os
from pathlib import Path

import pytest
from archives import files_of, flip, games, laid_out, run, tree

from mjconv.batch.paths import FINISHED, SUMS

LOGS = games(6)
BAD = {"bad.mjson": b"{"}
FOLDER = ("logs", "-o", "out", "--to", "jmjp")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def sums(path: Path) -> dict[str, str]:
    lines = [line.split("  ", 1) for line in path.read_text().splitlines()]
    return {name: own for own, name in lines}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    laid_out(tmp_path / "logs", {**LOGS, **BAD})
    return tmp_path


def test_the_sums_are_those_of_all_files(folder: Path) -> None:
    run(*FOLDER, folder=folder, status=1)
    files = files_of(folder / "out")
    assert len(files) == len(LOGS) + 1
    files[FINISHED] = (folder / "out" / FINISHED).read_bytes()
    assert sums(folder / "out" / SUMS) == {name: sha256(data) for name, data in files.items()}


@pytest.mark.parametrize("name", ["out.zip", "out.tar.zst", "out.parquet"])
def test_the_sums_of_an_archive_are_beside_it(name: str, folder: Path) -> None:
    run("logs", "-o", name, "--to", "parquet" if name == "out.parquet" else "jmjp", folder=folder, status=1)
    own = [name, f"{name}.failures.jsonl", f"{name}.{FINISHED}"]
    assert sums(folder / f"{name}.{SUMS}") == {one: sha256((folder / one).read_bytes()) for one in own}


def test_the_manifest_has_options_versions_and_inputs(folder: Path) -> None:
    run(*FOLDER, "--fill", folder=folder, status=1)
    head, *members = [json.loads(line) for line in (folder / "out" / FINISHED).read_bytes().splitlines()]
    assert head["version"]
    assert head["plan"]["options"]["write"]["fill"] is True
    assert head["summary"]["failed"] == 1
    by_name = {one["member"]: one for one in members}
    assert {name.removeprefix("logs/"): one["read"] for name, one in by_name.items()} == {
        name: sha256(data) for name, data in {**LOGS, **BAD}.items()
    }
    for one in members:
        if "failed" not in one:
            assert sha256((folder / "out" / one["output"]).read_bytes()) == one["written"]


def test_damaged_and_missing_files_of_a_folder_are_written_again(folder: Path) -> None:
    run(*FOLDER, folder=folder, status=1)
    whole = tree(folder / "out")
    times = {path: path.stat().st_mtime_ns for path in (folder / "out").rglob("*.jmjp")}
    flipped, gone, *others = sorted(times)
    flip(flipped)
    gone.unlink()
    assert "2 files damaged or gone, written again" in run(*FOLDER, "--resume", folder=folder, status=1).stderr
    assert tree(folder / "out") == whole
    assert all(path.stat().st_mtime_ns == times[path] for path in others)
    assert "already complete" in run(*FOLDER, "--resume", folder=folder, status=1).stderr


def test_a_damaged_list_means_that_everything_is_written_again(folder: Path) -> None:
    run(*FOLDER, folder=folder, status=1)
    whole = tree(folder / "out")
    flip(folder / "out" / "failures.jsonl")
    done = run(*FOLDER, "--resume", folder=folder, status=1)
    assert "1 file damaged or gone, written again: failures.jsonl" in done.stderr
    assert tree(folder / "out") == whole


@pytest.mark.parametrize("hurt", [flip, Path.unlink])
@pytest.mark.parametrize("words", [("out.zip", "jmjp"), ("shards", "mjai", "--shards", "2")])
def test_a_damaged_archive_is_written_again(hurt: object, words: tuple[str, ...], folder: Path) -> None:
    output, target, *more = words
    command = ("logs", "-o", output, "--to", target, *more)
    run(*command, folder=folder, status=1)
    whole = tree(folder / output)
    path = folder / output if output.endswith(".zip") else folder / output / "matches-00001-of-00002.jsonl"
    assert callable(hurt)
    hurt(path)
    assert "1 file damaged or gone" in run(*command, "--resume", folder=folder, status=1).stderr
    assert tree(folder / output) == whole


def test_an_input_that_changed_is_no_repair(folder: Path) -> None:
    run(*FOLDER, folder=folder, status=1)
    victim = next((folder / "out").rglob("*.jmjp"))
    victim.unlink()
    log = folder / "logs" / victim.relative_to(folder / "out").with_suffix(".mjson")
    before = log.stat()
    log.write_bytes(LOGS[max(LOGS)] if log.read_bytes() != LOGS[max(LOGS)] else LOGS[min(LOGS)])
    os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "changed" in run(*FOLDER, "--resume", folder=folder, status=2).stderr
    assert not victim.exists()


@pytest.mark.parametrize("text", [None, "other\n"])
def test_a_lost_or_changed_list_of_sums_is_written_again(text: str | None, folder: Path) -> None:
    run(*FOLDER, folder=folder, status=1)
    path = folder / "out" / SUMS
    before = path.read_text()
    path.unlink() if text is None else path.write_text(text)
    run(*FOLDER, "--resume", folder=folder, status=1)
    assert path.read_text() == before


def test_two_runs_have_the_same_manifest(folder: Path) -> None:
    """Neither the time nor the number of workers is in it."""
    manifests = []
    for jobs in ("1", "2"):
        run(*FOLDER, "--force", "--jobs", jobs, folder=folder, status=1)
        manifests.append((folder / "out" / FINISHED).read_bytes())
    assert manifests[0] == manifests[1]


def test_a_manifest_that_was_changed_is_refused(folder: Path) -> None:
    run(*FOLDER, folder=folder, status=1)
    path = folder / "out" / FINISHED
    path.write_bytes(path.read_bytes().replace(b'"failed":1', b'"failed":0', 1))
    refused = run(*FOLDER, "--resume", folder=folder, status=2).stderr
    assert "MANIFEST: is damaged: its SHA-256 is not the one in SHA256SUMS; --force starts again" in refused


def test_a_folder_in_the_place_of_a_file_is_named(folder: Path) -> None:
    (folder / "out" / "logs").mkdir(parents=True)
    run(*FOLDER, "--force", folder=folder, status=1)
    name = next(name for name in sums(folder / "out" / SUMS) if name.endswith(".jmjp"))
    (folder / "out" / name).unlink()
    (folder / "out" / name / "inside").mkdir(parents=True)
    run(*FOLDER, "--force", folder=folder, status=1)
    assert f"the output {name}: Is a directory" in (folder / "out" / "failures.jsonl").read_text()
