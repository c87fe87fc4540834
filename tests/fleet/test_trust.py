"""Files of a fleet that another program changed: no id and no name leads out of the output. Also locks."""

import errno
import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fleets import command

import mjconv
from batch.archives import HELD, games, held, zipped
from mjconv import fleet
from mjconv.batch.paths import SUMS
from mjconv.files import locks
from mjconv.fleet import store
from mjconv.fleet.results import Manifest

pytestmark = pytest.mark.usefixtures("workers_here")

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
