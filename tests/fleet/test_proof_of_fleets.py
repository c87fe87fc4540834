"""Files of a fleet: parts are what was written, and no change of another program leads out of the output."""

import errno
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fleets import KINDS, command, contents, manifest_of, members, plain, table_of

import mjconv
from batch.archives import HELD, flip, game, games, held, laid_out, zipped
from batch.archives import run as run_command
from mjconv import fleet
from mjconv.batch.paths import SUMS
from mjconv.files import locks
from mjconv.fleet import store
from mjconv.fleet.api import Fleet
from mjconv.fleet.results import Manifest

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


# Files of a fleet that another program changed: no id and no name leads out of the output. Also locks.
COMMAND = (sys.executable, "-P", "-m", "mjconv", "fleet")


@pytest.fixture
def small(tmp_path: Path) -> fleet.Fleet:
    """Return a fleet of two shards with a broken member each."""
    (tmp_path / "a.zip").write_bytes(zipped({**games(2), "bad.mjson": b"{", "worse.mjson": b"}"}))
    return fleet.plan(tmp_path / "a.zip", tmp_path / "run", target="jmjp", shard_files=2)


def change(path: Path, line: int, edit: Callable[[dict[str, Any]], object]) -> None:
    """Change a line of a file of JSON objects."""
    lines = path.read_text().splitlines()
    values = json.loads(lines[line])
    edit(values)
    lines[line] = json.dumps(values)
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    "values",
    [{"id": "x/../../../../OUT"}, {"id": "0" * 24}, {"number": 1}, {"number": -1}],
    ids=["a path", "another digest", "a number twice", "a negative number"],
)
def test_a_shard_whose_id_is_not_its_digest_is_refused(values: dict[str, Any], small: fleet.Fleet) -> None:
    before = set(Path(small.output).parent.rglob("*"))
    change(Path(small.output, "plan.jsonl"), 1, lambda shard: shard.update(values))
    for words in (["run", "--jobs", "1"], ["status"], ["clean"]):
        assert "plan.jsonl: line 2 is damaged" in command(words[0], small.output, *words[1:], status=1)
    assert set(Path(small.output).parent.rglob("*")) == before


def test_a_shard_twice_is_refused(small: fleet.Fleet) -> None:
    plan = Path(small.output, "plan.jsonl")
    lines = plan.read_text().splitlines()
    plan.write_text("\n".join([*lines[:2], lines[1], *lines[2:]]) + "\n")
    assert "plan.jsonl: line 3 is damaged" in command("run", small.output, "--jobs", "1", status=1)


def test_a_plan_of_another_shape_is_refused(small: fleet.Fleet) -> None:
    change(Path(small.output, "plan.jsonl"), 0, lambda head: head["plan"].update(shape="folder"))
    assert ": make the plan again" in command("run", small.output, "--jobs", "1", status=1)


@pytest.mark.parametrize("key", ["failures", "renamed", "path", "split"])
def test_a_result_names_only_its_own_objects(key: str, small: fleet.Fleet, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret\n")
    command("run", small.output, "--jobs", "1", "-q", status=1)
    whole = Path(small.output, "failures.jsonl").read_bytes()
    Path(small.output, "manifest.json").unlink()
    [first, _] = small.shards()
    done = Path(small.output, "done", f"{first.name}.json")

    def name_another(result: dict[str, Any]) -> None:
        named = result if key in result else result["parts"][0]
        named.update({key: "../secret", "size": secret.stat().st_size})

    change(done, 0, name_another)
    with pytest.raises(mjconv.InputError, match="is damaged"):
        small.finish()
    command("run", small.output, "--jobs", "1", "-q", status=1)
    assert Path(small.output, "failures.jsonl").read_bytes() == whole
    assert "secret" not in done.read_text()


def test_the_result_of_another_shard_is_damaged(small: fleet.Fleet) -> None:
    command("run", small.output, "--jobs", "1", "-q", status=1)
    first, second = (Path(small.output, "done", f"{shard.name}.json") for shard in small.shards())
    first.write_bytes(second.read_bytes())
    assert [one.shard for one in small.damaged()] == [next(small.shards()).name]


def test_a_damaged_manifest_is_written_again(small: fleet.Fleet) -> None:
    command("run", small.output, "--jobs", "1", "-q", status=1)
    manifest = Path(small.output, "manifest.json")
    whole = manifest.read_bytes()
    manifest.write_bytes(whole[:50])
    command("run", small.output, "--jobs", "1", "-q", status=1)
    assert manifest.read_bytes() == whole


def test_a_damaged_object_of_a_failure_is_shown(small: fleet.Fleet) -> None:
    name = next(small.shards()).name
    small.store.write(f"failed/{name}.json", b"{")
    said = f"shard {name} failed: the object with its error is damaged"
    assert said in command("status", small.output, status=1)


@pytest.mark.parametrize("words", [("plan", "a.zip", "-o", "run", "--to", "mjai", "--force"), ("run", "run")])
def test_one_process_at_a_time_plans_or_runs_a_fleet(
    words: tuple[str, ...], small: fleet.Fleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = Path(small.output, "plan.jsonl").read_bytes()
    with held(Path(small.output, locks.LOCK)) as process:
        assert HELD in command(*words, status=1)
        assert "0 of 2 shards done" in command("status", "run")
        command("clean", "run")
        assert HELD in command(*words, status=1)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=300)
    assert Path(small.output, "plan.jsonl").read_bytes() == before
    command("clean", "run")
    assert not Path(small.output, locks.LOCK).exists()
    command(*words, status=1 if words[0] == "run" else 0)


def test_a_plan_that_fails_leaves_no_folder(tmp_path: Path) -> None:
    command("plan", str(tmp_path / "missing.zip"), "-o", str(tmp_path / "run"), "--to", "jmjp", status=1)
    assert list(tmp_path.iterdir()) == []


#: A run of a fleet, which is killed while its first shard is converted.
KILLED = """
import os, signal, sys
import mjconv.fleet.convert as convert
def die(source):
    print(os.listdir(os.environ["TMPDIR"]), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
convert.members_of = die
sys.argv[1:] = ["fleet", "run", "run", "--jobs", "1"]
from mjconv.command.start import main
main()
"""


@pytest.mark.parametrize("later", ["run", "clean"])
def test_a_killed_run_leaves_nothing_for_ever(
    later: str, small: fleet.Fleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    killed = subprocess.run([sys.executable, "-P", "-c", KILLED], cwd=tmp_path, capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL
    assert "mjconv-fleet-" in killed.stdout
    assert list(temporary.iterdir())
    done = subprocess.run([*COMMAND, later, "run"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == (1 if later == "run" else 0), done.stderr
    assert list(temporary.iterdir()) == []
    assert not list(Path(small.output).rglob(".mjconv-*"))


def test_a_changed_source_needs_a_new_plan(small: fleet.Fleet, tmp_path: Path) -> None:
    """`fleet run` would fail again."""
    (tmp_path / "a.zip").write_bytes(zipped(games(3)))
    output = command("run", small.output, "--jobs", "1", "--attempts", "1", status=1)
    said = "mjconv: 0 of 2 shards done; mjconv fleet plan IN... -o OUT --force makes a new plan, --skip-failed"
    assert said in output
    assert "tries the others again" not in output


def test_a_fleet_proposes_no_option_that_it_lacks(small: fleet.Fleet) -> None:
    command("run", small.output, "--jobs", "1", "-q", status=1)
    manifest = Path(small.output, "manifest.json")
    values = json.loads(manifest.read_text())
    # These are more kinds of losses than are shown.
    values["summary"]["counts"]["losses"] = {f"dropped key{number}": 1 for number in range(25)}
    changed = msgspec.json.decode(json.dumps(values), type=Manifest)
    manifest.write_bytes(changed.encoded())
    manifest.with_name(SUMS).write_bytes(changed.sums())
    output = command("run", small.output, "--jobs", "1", status=1)
    assert re.search(r"  … and 5 kinds more; \S*manifest.json lists all", output)
    assert "--report" not in output


def test_a_full_disk_is_named_and_the_run_continues(small: fleet.Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(paths: list[str]) -> None:
        if not paths[0].endswith("/parts") and "/parts/" not in paths[0]:
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as here:
        here.setattr(store, "sync_paths", full)
        said = command("run", small.output, "--jobs", "1", "--attempts", "1", status=1)
    reason = re.escape(f"{small.output}/") + r"\S+: No space left on device"
    assert len(re.findall(f"mjconv: shard \\S+ failed 1 time: {reason}", said)) == 2
    assert "0 of 2 shards done; the same command tries the others again" in said
    assert not list(Path(small.output).rglob(f"*{store.TEMPORARY}*.tmp"))
    command("run", small.output, "--jobs", "1", "-q", status=1)
    assert small.status().complete
