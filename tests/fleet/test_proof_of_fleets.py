"""The contents of a fleet's parts are what was written, and each split of a shard is a part of its own."""

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from fleets import KINDS, command, contents, manifest_of, members, plain, table_of

from batch.archives import flip, game, games, laid_out, zipped
from batch.archives import run as run_command
from mjconv import fleet
from mjconv.fleet.api import Fleet

pytestmark = pytest.mark.usefixtures("workers_here")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return the output of a complete fleet of three shards, one with a list of failures."""
    laid_out(tmp_path / "logs", {**games(5), "bad.mjson": b"{"})
    made = fleet.plan(tmp_path / "logs", tmp_path / "run", target="jmjp", shard_files=2)
    for shard in made.shards():
        fleet.convert_shard(shard)
    made.finish()
    return tmp_path / "run"


def files(run: Path) -> dict[str, bytes]:
    found = {path.relative_to(run).as_posix(): path for path in run.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith(".")}


def test_the_names_of_parts_come_from_their_contents(run: Path, tmp_path: Path) -> None:
    parts = sorted((run / "parts").iterdir())
    assert [path.name for path in parts] == [
        f"{number:06}-{hashlib.sha256(path.read_bytes()).hexdigest()[:16]}.zip"
        for number, path in enumerate(parts)
    ]
    # The same logs, copied later and to another place.
    (tmp_path / "later").mkdir()
    shutil.copytree(tmp_path / "logs", tmp_path / "later" / "logs", copy_function=shutil.copyfile)
    again = fleet.plan(tmp_path / "later" / "logs", tmp_path / "again", target="jmjp", shard_files=2)
    names = [part.path for shard in again.shards() for part in fleet.convert_shard(shard).parts]
    assert [Path(name).name for name in names] == [path.name for path in parts]


def test_sums_and_manifest_state_the_files(run: Path) -> None:
    lines = [line.split("  ") for line in (run / "SHA256SUMS").read_text().splitlines()]
    manifest = json.loads((run / "manifest.json").read_bytes())
    listed = [*(part["path"] for part in manifest["parts"]), "failures.jsonl", "manifest.json"]
    assert [name for _, name in lines] == listed
    assert all(hashlib.sha256((run / name).read_bytes()).hexdigest() == own for own, name in lines)
    assert {(part["sha256"], part["path"]) for part in manifest["parts"]} <= {*map(tuple, lines)}
    assert manifest["options"]["target"] == "jmjp"


@pytest.mark.parametrize("folder", ["parts", "failures", "."])
@pytest.mark.parametrize("hurt", [flip, Path.unlink], ids=["flipped", "gone"])
def test_damage_is_named_and_made_good(folder: str, hurt: object, run: Path) -> None:
    output, whole = str(run), files(run)
    assert "all parts have the contents" in command("verify", output)
    victim = run / "failures.jsonl" if folder == "." else sorted((run / folder).iterdir())[-1]
    name = victim.relative_to(run).as_posix()
    assert callable(hurt)
    hurt(victim)
    assert f"{name} is damaged or gone" in command("verify", output, status=1)
    shown = command("status", output, status=1)
    assert shown.startswith("not complete")
    assert f"{name} is damaged or gone" in shown
    [found] = json.loads(command("status", output, "--json", status=1))["damaged_shards"]
    assert found["object"] == name
    assert f"1 object damaged, made again: {name}" in command("run", output, "--jobs", "1", status=1)
    assert files(run) == whole
    assert command("status", output).startswith("complete")


def test_cleaning_keeps_the_parts(run: Path) -> None:
    whole = files(run)
    (run / "parts" / "000000-0123456789abcdef.zip").write_bytes(b"old")
    assert "1 object removed" in command("clean", str(run))
    assert files(run) == whole


@pytest.mark.parametrize("name", ["SHA256SUMS", "manifest.json"])
@pytest.mark.parametrize("hurt", ["gone", "flipped", "spaces"])
def test_lists_of_a_complete_run_are_verified_and_made_again(run: Path, name: str, hurt: str) -> None:
    before = files(run)
    path = run / name
    if hurt == "gone" and name == "manifest.json":
        # Without a manifest, the run is not complete.
        return
    path.unlink() if hurt == "gone" else flip(path) if hurt == "flipped" else path.write_bytes(before[name] + b" ")
    # If the manifest changed and can be read, the list of sums does not agree with it.
    assert {one.object for one in fleet.open_fleet(run).damaged(contents=True)} <= {name, "SHA256SUMS"}
    assert "is damaged or gone" in command("verify", run, status=1)
    command("run", run, "--jobs", "1", status=1)
    assert files(run) == before


# ``--dedup`` and ``--split`` in fleets: a part of each shard for each split.


BOTH = ("--dedup", "--split", "train=0.5,val=0.5")


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Make a zip archive of 24 matches of 18 games: six are twice, four of them in the same half of it."""
    files = {f"{number:02}.mjson": game(number) for number in range(16)}
    files["03+.mjson"] = game(3) + game(4) + game(20)
    files["05+.mjson"] = game(5) + game(1) + game(21) + game(10)
    files["15+.mjson"] = game(2)
    laid_out(tmp_path, {"logs.zip": zipped(dict(sorted(files.items())))})
    return tmp_path


def made(logs: Path, kind: str, files: int) -> Fleet:
    output = logs / f"{kind}-{files}"
    command("plan", logs / "logs.zip", "-o", output, *KINDS[kind][0], *BOTH, "--files", str(files), "-q")
    command("run", output, "--jobs", "1", "-q")
    return fleet.open_fleet(output)


@pytest.mark.parametrize("kind", KINDS)
def test_one_shard_is_what_batch_writes(kind: str, logs: Path) -> None:
    whole = made(logs, kind, 100)
    manifest = manifest_of(whole)
    counts = manifest.summary.counts
    assert (counts.matches, counts.duplicates, manifest.summary.failed) == (18, 6, 0)
    assert sum(manifest.summary.splits.values()) == 18
    _, name, words = KINDS[kind]
    run_command(logs / "logs.zip", "-o", name.removesuffix(".parquet"), *words, *BOTH, "-q", folder=logs)
    parts = {part.split: (Path(whole.output) / part.path).read_bytes() for part in manifest.parts}
    if kind == "zip":
        assert members(parts[""]) == members((logs / name).read_bytes())
        return
    assert {part.split: part.matches for part in manifest.parts} == manifest.summary.splits
    for split, data in parts.items():
        if kind == "lines":
            assert data == (logs / name / f"{split}-00000-of-00001.jsonl").read_bytes()
        else:
            assert plain(table_of(data)) == plain(table_of((logs / "out" / f"{split}.parquet").read_bytes()))


def test_each_shard_has_a_part_of_each_split(logs: Path) -> None:
    whole = made(logs, "parquet", 10)
    manifest = manifest_of(whole)
    assert [part.split for part in manifest.parts] == ["train", "val"] * 2
    assert [part.path.endswith(f"-{part.split}.parquet") for part in manifest.parts] == [True] * 4
    # Only doubles in one shard are found.
    assert (manifest.summary.counts.matches, manifest.summary.counts.duplicates) == (20, 4)
    for split in ("train", "val"):
        first, second = (part for part in manifest.parts if part.split == split)
        assert (first.first_match, second.first_match) == (0, first.matches)
        assert manifest.summary.splits[split] == first.matches + second.matches
    assert "20 matches" in command("status", whole.output)
    assert "6 matches left out" not in command("run", whole.output)


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_part_of_a_split_is_found_and_made_again(kind: str, logs: Path) -> None:
    whole = made(logs, kind, 10)
    before, manifest = contents(whole.output), manifest_of(whole)
    damaged = Path(whole.output, manifest.parts[-1].path)
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
    assert command("verify", whole.output, "-q", status=1) == f"{manifest.parts[-1].path} is damaged or gone\n"
    command("run", whole.output, "--jobs", "1", "-q")
    assert contents(whole.output) == before
    assert command("verify", whole.output) == "mjconv: all parts have the contents that were written\n"
    assert whole.clean() == []


def test_a_touched_zip_archive_has_the_same_shards(logs: Path) -> None:
    whole = made(logs, "zip", 10)
    before = [shard.id for shard in whole.shards()]
    os.utime(logs / "logs.zip", (1, 1))
    words = (*KINDS["zip"][0], *BOTH, "--files", "10", "--force", "-q")
    command("plan", logs / "logs.zip", "-o", whole.output, *words)
    again = fleet.open_fleet(whole.output)
    assert ([shard.id for shard in again.shards()], list(again.pending())) == (before, [])


def test_a_wrong_split_makes_no_plan(logs: Path) -> None:
    command("plan", logs / "logs.zip", "-o", logs / "out", "--to", "mjai", "--split", "train=0.9", status=2)
    assert not (logs / "out").exists()
