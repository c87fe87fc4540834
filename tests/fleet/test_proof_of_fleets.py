"""The contents of a fleet's parts are what was written: names, sums, `verify`, `status` and `run`."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from fleets import command

from batch.archives import flip, games, laid_out
from mjconv import fleet

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
