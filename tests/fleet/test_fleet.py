"""A fleet on this machine: its plan, its shards, what it leaves, and how it goes on."""

import json
import os
import pickle
import time
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import patch

import pytest
from fleets import (
    KINDS,
    batch_output,
    command,
    contents,
    failures_of,
    joined_parts,
    manifest_of,
    members,
    mixed,
    planned_in,
    without_root,
)
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import mjconv
from batch.archives import game, games, laid_out, tarred, zipped
from batch.archives import run as run_batch
from corpus_files import SAMPLE
from looped import looped
from mjconv import fleet
from mjconv.command.cli import app
from mjconv.command.fleet import EngineOptions, engine_of
from mjconv.files.remote import StorageError
from mjconv.fleet import sources as fleet_sources
from mjconv.fleet.convert import StoppedError, run_shards
from mjconv.fleet.engines import LocalEngine, run_tasks
from mjconv.fleet.results import Done
from mjconv.fleet.shards import ListedFile, ZipRange, digest_of
from mjconv.fleet.sources import Piecewise, grouped
from mjconv.fleet.store import STALE_SECONDS, store_of
from strategies import any_text

pytestmark = pytest.mark.usefixtures("workers_here")


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return laid_out(tmp_path_factory.mktemp("sources") / "logs", mixed())


def put(system: Any, root: str, folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            system.pipe_file(f"{root}/{path.relative_to(folder).as_posix()}", path.read_bytes())


# The same as batch.


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_parts_and_failures_are_those_of_batch(kind: str, logs: Path, tmp_path: Path) -> None:
    wanted, failed = batch_output(tmp_path, str(logs), kind)
    words, _, _ = KINDS[kind]
    out = str(tmp_path / "run")
    command("plan", str(logs), "-o", out, *words, "--files", "8", "-q")
    command("run", out, "--jobs", "2", "-q", status=1)
    assert joined_parts(out, kind) == wanted
    assert without_root(failures_of(store_of(out)), "") == without_root(failed, "")
    assert len(store_of(out).sizes("parts")) > 5


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_addresses_give_what_disks_give(kind: str, logs: Path, tmp_path: Path, memory: Any) -> None:
    put(memory, "memory://logs", logs)
    words, _, _ = KINDS[kind]
    for source, out in (("memory://logs", "memory://out/run"), (str(logs), str(tmp_path / "run"))):
        command("plan", source, "-o", out, *words, "--files", "8", "-q")
        command("run", out, "--jobs", "1", "-q", status=1)
    remote, disk = joined_parts("memory://out/run", kind), joined_parts(str(tmp_path / "run"), kind)
    if kind == "parquet":
        remote, disk = remote.drop_columns("source"), disk.drop_columns("source")
    assert remote == disk
    there, here = failures_of(store_of("memory://out/run")), failures_of(store_of(str(tmp_path / "run")))
    assert without_root(there, "memory://logs") == without_root(here, str(logs))


@pytest.mark.slow
def test_two_runs_leave_the_same_bytes(logs: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        command("plan", str(logs), "-o", str(tmp_path / name), "--to", "jmjp", "--files", "8", "-q")
        command("run", str(tmp_path / name), "--jobs", "2" if name == "one" else "1", "-q", status=1)
    one, two = contents(str(tmp_path / "one")), contents(str(tmp_path / "two"))
    assert one == two
    assert len(one) > 10


@pytest.mark.slow
def test_rows_of_kanachan_are_those_of_batch(tmp_path: Path) -> None:
    words = ("--to", "kanachan", "--kanachan", "room=2,level=7,grading=0", "--strict")
    run_batch("a.zip", "-o", "out.zip", *words, folder=laid_out(tmp_path, {"a.zip": zipped(games(3))}))
    command("plan", str(tmp_path / "a.zip"), "-o", str(tmp_path / "run"), *words, "--files", "2", "-q")
    command("run", str(tmp_path / "run"), "--jobs", "1", "-q")
    rows = joined_parts(str(tmp_path / "run"), "zip")
    wanted = members((tmp_path / "out.zip").read_bytes())
    assert rows == [(name, data.replace(b"a.zip", os.fsencode(tmp_path / "a.zip"))) for name, data in wanted]
    assert [name for name, _ in rows] == ["0/0000.tsv", "1/0001.tsv", "2/0002.tsv"]


def test_batch_writes_to_addresses(logs: Path, tmp_path: Path, memory: Any) -> None:
    put(memory, "memory://logs", logs)
    words = ["batch", "memory://logs", "-o", "memory://out/run", "--to", "jmjp", "-q"]
    assert CliRunner().invoke(app, words).exit_code == 1
    wanted, _ = batch_output(tmp_path, str(logs), "zip")
    assert joined_parts("memory://out/run", "zip") == wanted
    assert "Has a plan already" in CliRunner().invoke(app, words).output
    assert CliRunner().invoke(app, [*words, "--resume"]).exit_code == 1
    other = CliRunner().invoke(app, [*words, "--resume", "--plain"])
    assert "started with other values of --plain: use the same again, or start again with --force" in other.output
    kept = CliRunner().invoke(app, [*words, "--keep-bad", str(tmp_path / "bad")])
    assert "--keep-bad needs an output on disk" in kept.output


def test_several_sources_and_patterns(tmp_path: Path) -> None:
    run = planned_in(tmp_path, {"x/1.zip": zipped(games(3)), "x/2.zip": zipped(games(4))})
    for shard in run.shards():
        fleet.convert_shard(shard)
    assert run.finish().summary.counts.matches == 7
    names = [name for name, _ in joined_parts(run.output, "zip")]
    assert (names[0], names[-1][:2]) == ("1/0/0000.jmjp", "2/")


def test_an_output_inside_the_source_is_not_a_source(tmp_path: Path) -> None:
    laid_out(tmp_path, {"a.zip": zipped(games(3))})
    first = fleet.plan(tmp_path, tmp_path / "out", target="jmjp")
    for shard in first.shards():
        fleet.convert_shard(shard)
    first.finish()
    again = fleet.plan(tmp_path, tmp_path / "out", target="jmjp", force=True)
    assert [shard.id for shard in again.shards()] == [shard.id for shard in first.shards()]


# The plan.


def test_a_shard_is_pickled_and_has_everything(logs: Path, tmp_path: Path) -> None:
    run = fleet.plan(logs, tmp_path / "out", target="jmjp", shard_files=8)
    again = pickle.loads(pickle.dumps(shard := next(run.shards())))
    assert (again, fleet.convert_shard(again)) == (shard, fleet.convert_shard(shard))


def ids(source: Path, out: Path, **options: Any) -> list[str]:
    return [shard.id for shard in fleet.plan(source, out, force=True, **options).shards()]


def test_the_id_changes_with_everything_that_bytes_depend_on(tmp_path: Path) -> None:
    source, out = tmp_path / "a.zip", tmp_path / "out"
    source.write_bytes(zipped(games(4)))
    first = ids(source, out, target="jmjp")
    assert ids(source, tmp_path / "elsewhere", target="jmjp") == first
    assert ids(source, out, target="jmjp", plain=True) != first
    assert ids(source, out, target="uzje") != first
    assert ids(source, out, target="jmjp", shard_files=2)[0] != first[0]
    for version in ("mjconv.fleet.api.VERSION", "zlib.ZLIB_RUNTIME_VERSION"):
        with patch(version, "9.9"):
            assert ids(source, out, target="jmjp") != first
    source.write_bytes(zipped({**games(3), "x.mjson": game(77)}))
    assert ids(source, out, target="jmjp") != first


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [shard] = planned_in(tmp_path, {"a.zip": zipped(games(2))}).shards()
    monkeypatch.setattr("mjconv.fleet.shards.VERSION", "9.9")
    with pytest.raises(mjconv.UsageError, match=r"the plan was made with mjconv .*, and this process has 9\.9"):
        fleet.convert_shard(shard)


def test_the_output_of_a_plan_is_no_input(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "link").symlink_to("logs")
    (tmp_path / "logs" / "a.mjson").write_bytes(game(0))
    said = command("plan", str(tmp_path / "logs"), "-o", str(tmp_path / "link"), "--to", "jmjp", status=2)
    assert "link is both an input and the output: name another output" in said
    assert [path.name for path in (tmp_path / "logs").iterdir()] == ["a.mjson"]


@looped(
    ("words", "part"),
    (("-o", "out.zip", "--to", "jmjp"), "out.zip is the name of a file, and a fleet writes a folder"),
    (("-o", "out.parquet", "--to", "parquet"), "out.parquet is the name of a file"),
    (("-o", "out", "--to", "jmjp", "--lines"), "--lines needs a format with one match per line: --to mjai"),
    (("-o", "out", "--to", "parquet", "--lines"), "--lines needs a format with one match per line: --to mjai"),
)
def test_a_plan_names_a_folder_and_a_format_that_its_parts_can_have(
    words: tuple[str, ...], part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    laid_out(tmp_path / "logs", games(1))
    assert part in command("plan", "logs", *words, status=2)
    assert not list(tmp_path.glob("out*"))


def test_a_plan_is_written_once(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped(games(2)))
    words = ("plan", str(tmp_path / "a.zip"), "-o", str(tmp_path / "out"), "--to", "jmjp")
    command(*words)
    assert "Has a plan already" in command(*words, status=1)
    command(*words, "--force")


@pytest.mark.parametrize("cut", [0, 1, 40, -1, -30])
def test_a_damaged_plan_is_refused(cut: int, tmp_path: Path) -> None:
    planned_in(tmp_path, {"a.zip": zipped(games(2))}, shard_files=1)
    path = tmp_path / "out" / "plan.jsonl"
    path.write_bytes(path.read_bytes()[:cut])
    command("status", str(tmp_path / "out"), status={-1: 0, 0: 2}.get(cut, 1))
    assert "has no plan" in command("run", str(tmp_path / "nowhere"), status=2)


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 400)), max_size=60), st.integers(1, 9))
def test_grouping_keeps_every_file_in_order(pieces: list[tuple[bool, int]], most: int) -> None:
    made = []
    for number, (is_list, weight) in enumerate(pieces):
        file = ListedFile(b"%d" % number, "", "", "", weight)
        made.append(Piecewise((file if is_list else ZipRange(file, 0, 1, 0, ""),), weight % most + 1, weight))
    groups = list(grouped(iter(made), most))
    flat = [one.file if isinstance(one, ZipRange) else one for group in groups for one in group.source]
    assert [file.path for file in flat] == [b"%d" % number for number in range(len(pieces))]
    assert all(group.entries <= most for group in groups)
    # A shard ends only where the next source does not fit.
    begins = {file.path: made[number].entries for number, file in enumerate(flat)}
    for one, other in pairwise(groups):
        first = other.source[0]
        path = first.file.path if isinstance(first, ZipRange) else first.path
        assert one.entries + begins[path] > most
    assert sum(group.weight for group in groups) == sum(weight for _, weight in pieces)


@given(st.lists(any_text()), st.lists(any_text()))
def test_two_lists_have_two_digests(one: list[str], other: list[str]) -> None:
    assert (digest_of(one) == digest_of(other)) == (one == other)


def test_every_entry_is_in_one_shard(tmp_path: Path) -> None:
    names = {f"{number}.mjson": b"%d" % number for number in range(100)}
    run = planned_in(tmp_path, {"a.zip": zipped({**names, "dir/": b""})}, shard_files=7)
    found = [member for shard in run.shards() for member in fleet_sources.members_of(shard.source)]
    assert {member.inner: member.read() for member in found} == names
    assert len(found) == len(names)


def test_small_archives_share_a_shard(tmp_path: Path) -> None:
    some = list(games(9).items())
    archives = {f"{number}.zip": zipped({**dict(some[number : number + 1]), "x.txt": b""}) for number in range(9)}
    laid_out(tmp_path / "logs", {**archives, "4+.mjson": game(40), "5.tar": tarred(dict(some[:3]))})
    parts = []
    for most in (6, 100):
        out = tmp_path / f"out{most}"
        command("plan", tmp_path / "logs", "-o", out, "--to", "mjai", "--lines", "--files", str(most))
        command("run", out, "--jobs", "1", "-q")
        run = fleet.open_fleet(out)
        assert all(shard.entries <= most for shard in run.shards())
        parts.append(joined_parts(run.output, "lines"))
    assert (run.size().shards, parts[0]) == (1, parts[1])
    assert parts[0].count(b"start_game") == 13


def test_a_plan_of_an_earlier_version_is_refused(tmp_path: Path) -> None:
    """Its sources are another kind of value."""
    run = planned_in(tmp_path, {"a.mjson": game(0)})
    plan = tmp_path / "out" / "plan.jsonl"
    head, line, *rest = plan.read_bytes().splitlines(keepends=True)
    old = {**json.loads(line), "source": {"type": "files", "files": json.loads(line)["source"]}}
    plan.write_bytes(b"".join([head, json.dumps(old).encode() + b"\n", *rest]))
    reason = r"line 2 is damaged, or of another version of mjconv \(.*\): make the plan again"
    with pytest.raises(mjconv.InputError, match=reason):
        list(run.shards())


# Changes, failures, and going on.


@pytest.fixture
def small(tmp_path: Path) -> fleet.Fleet:
    """Return a fleet of four shards."""
    return planned_in(tmp_path, {"a.zip": zipped({**games(7), "bad.mjson": b"{"})}, shard_files=2)


def finished(run: fleet.Fleet) -> dict[str, bytes]:
    with LocalEngine(2) as engine:
        ends = [end for _, end in run_shards(run, engine, 3)]
    assert all(isinstance(end, Done) for end in ends)
    run.finish()
    return contents(run.output)


def test_a_source_that_changed_fails_its_shards(small: fleet.Fleet, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped(games(8)))
    with pytest.raises(StorageError, match="changed after the plan was made"):
        fleet.convert_shard(next(small.shards()))
    (tmp_path / "a.zip").unlink()
    done = command("run", small.output, "--jobs", "1", status=1)
    assert done.count("changed after the plan was made, or is missing") == 4
    assert "0 of 4 shards done" in done
    assert json.loads(command("status", small.output, "--json", status=1))["done"] == 0


def test_a_converted_shard_is_not_converted_again(small: fleet.Fleet, tmp_path: Path) -> None:
    shard = next(small.shards())
    done = fleet.convert_shard(shard)
    (tmp_path / "a.zip").unlink()
    assert (fleet.convert_shard(shard), len(list(small.pending()))) == (done, 3)


def test_a_shard_whose_part_is_gone_is_converted_again(small: fleet.Fleet) -> None:
    done = fleet.convert_shard(shard := next(small.shards()))
    part = Path(small.output, done.parts[0].path)
    data = part.read_bytes()
    part.unlink()
    assert shard in list(small.pending())
    assert (fleet.convert_shard(shard), part.read_bytes()) == (done, data)


@pytest.mark.slow
@pytest.mark.parametrize("harm", ["cut", "missing", "no result", "broken result", "half"])
def test_harm_is_repaired_by_the_next_run(harm: str, small: fleet.Fleet) -> None:
    whole = finished(small)
    root = Path(small.output)
    name = next(small.shards()).name
    [part], done = root.glob("parts/000000-*.zip"), root / f"done/{name}.json"
    if harm == "cut":
        part.write_bytes(part.read_bytes()[:-5])
    elif harm == "missing":
        part.unlink()
    elif harm == "no result":
        done.unlink()
    elif harm == "broken result":
        done.write_bytes(done.read_bytes()[:20])
    else:
        done.unlink()
        part.write_bytes(b"PK")
    assert finished(small) == whole
    assert (small.clean(), contents(small.output)) == ([], whole)


def test_the_manifest_needs_every_shard(small: fleet.Fleet) -> None:
    for shard in list(small.shards())[1:]:
        fleet.convert_shard(shard)
    with pytest.raises(mjconv.InputError, match="1 of 4 shards have no result"):
        small.finish()
    assert small.manifest() is None
    fleet.convert_shard(next(small.shards()))
    manifest = small.finish()
    assert [part.first_match for part in manifest.parts] == [0, 2, 4, 6]
    assert (manifest.summary.counts.matches, manifest.summary.failed) == (7, 1)
    assert small.manifest() == manifest


def test_a_shard_that_always_fails_is_named_and_left_out(tmp_path: Path) -> None:
    run = planned_in(tmp_path, {"a.zip": zipped(games(4)), "b.zip": zipped(games(3))}, shard_files=2)
    names = [shard.name for shard in list(run.shards())[2:]]
    (tmp_path / "b.zip").write_bytes(b"PK")
    words = ("run", run.output, "--jobs", "2", "--attempts")
    done = command(*words, "2", status=1)
    assert f"shard {names[0]} failed 2 times: {tmp_path / 'b.zip'}: changed after the plan" in done
    assert "2 of 4 shards done" in done
    assert run.manifest() is None
    assert [one.shard for one in run.failed()] == names
    command(*words, "1", "--skip-failed", status=1)
    manifest = manifest_of(run)
    assert ([one.shard for one in manifest.missing], manifest.summary.counts.matches) == (names, 4)
    assert "is already complete" in command("run", run.output, "--jobs", "2", "--skip-failed", status=1)
    assert f"shard {names[0]} failed 1 time: " in command(*words, "1", status=1)


def test_a_shard_that_was_left_out_is_tried_again(tmp_path: Path) -> None:
    run = planned_in(tmp_path, {"a.zip": zipped(games(2)), "b.zip": zipped(games(3))})
    (tmp_path / "b.zip").rename(tmp_path / "away")
    command("run", run.output, "--jobs", "2", "--attempts", "1", "--skip-failed", status=1)
    (tmp_path / "away").rename(tmp_path / "b.zip")
    command("run", run.output, "--jobs", "2")
    manifest = manifest_of(run)
    assert (manifest.summary.counts.matches, manifest.missing) == (5, [])


def test_clean_removes_the_parts_of_another_plan(small: fleet.Fleet, tmp_path: Path) -> None:
    finished(small)
    other = fleet.plan(tmp_path / "a.zip", tmp_path / "out", target="uzje", shard_files=4, force=True)
    fleet.convert_shard(next(other.shards()))
    assert "8 objects removed" in command("clean", small.output)
    assert len(list(other.pending())) == 1
    finished(other)
    # A part of a shard without a result was kept.
    assert "1 object removed" in command("clean", small.output)
    assert len(store_of(small.output).sizes("parts")) == 2


def test_clean_leaves_what_a_run_may_need(small: fleet.Fleet) -> None:
    done, parts = fleet.convert_shard(next(small.shards())), Path(small.output, "parts")
    laid_out(parts, dict.fromkeys((".mjconv-new.tmp", ".mjconv-old.tmp", "000009-0.zip"), b"PK"))
    before = time.time() - STALE_SECONDS - 60
    os.utime(parts / ".mjconv-old.tmp", (before, before))
    assert small.clean() == ["parts/000009-0.zip", "parts/.mjconv-old.tmp"]
    assert sorted(path.name for path in parts.iterdir()) == [".mjconv-new.tmp", Path(done.parts[0].path).name]


def test_clean_keeps_the_part_of_a_shard_that_is_tried_again(small: fleet.Fleet, tmp_path: Path) -> None:
    fleet.convert_shard(next(small.shards()))
    (tmp_path / "a.zip").rename(tmp_path / "away")
    command("run", small.output, "--jobs", "1", "--attempts", "1", "--skip-failed", status=1)
    (tmp_path / "away").rename(tmp_path / "a.zip")
    assert len([fleet.convert_shard(shard) for shard in small.pending()]) == 3
    assert (small.clean(), small.finish().summary.counts.matches) == ([], 7)


def test_clean_keeps_the_parts_of_a_manifest_of_an_earlier_plan(small: fleet.Fleet, tmp_path: Path) -> None:
    whole = finished(small)
    fleet.plan(tmp_path / "a.zip", tmp_path / "out", target="uzje", force=True)
    # A run of the earlier plan ends after the new plan was written.
    store_of(small.output).write("manifest.json", whole["manifest.json"])
    assert (fleet.open_fleet(small.output).clean(), contents(small.output)) == ([], whole)


def test_a_shard_stops_when_it_is_asked_to(small: fleet.Fleet) -> None:
    stop = Event()
    stop.set()
    with pytest.raises(StoppedError):
        fleet.convert_shard(next(small.shards()), stop=stop)
    assert store_of(small.output).sizes("parts") == {}


def test_status_while_shards_are_missing(small: fleet.Fleet) -> None:
    fleet.convert_shard(next(small.shards()))
    state = "not complete: 1 of 4 shards done\n2 members, 2 matches, 0 failed\n"
    assert command("status", small.output) == f"{state}next: mjconv fleet run {small.output}\n"
    found = json.loads(command("status", small.output, "--json"))
    assert (found["shards"], found["done"], found["complete"], found["matches"]) == (4, 1, False, 2)


def test_parts_of_a_job_make_what_one_run_makes(small: fleet.Fleet, tmp_path: Path) -> None:
    whole = finished(fleet.plan(tmp_path / "a.zip", tmp_path / "one", target="jmjp", shard_files=2))
    out = small.output
    assert f"next: mjconv fleet run {out}" in command("status", out)
    command("run", out, "--part", "1/2", "--jobs", "1", "-q")
    assert (small.status().done, small.manifest()) == (2, None)
    assert "2 of 4 shards have no result" in command("finish", out, status=1)
    # Another process writes the plan or runs all shards, and locks the output. A part needs no lock.
    with small.store.locked():
        command("run", out, "--part", "0/2", "--jobs", "1", "-q")
    assert f"next: mjconv fleet finish {out}" in command("status", out)
    command("finish", out, "-q", status=1)
    assert "next:" not in command("status", out)
    assert {name for name, _ in contents(out).items() ^ whole.items()} <= {"manifest.json", "SHA256SUMS"}


@pytest.mark.parametrize("part", ["2/2", "1", "-1/2", "a/b", "0/0"])
def test_a_wrong_part_is_refused(part: str, small: fleet.Fleet) -> None:
    assert "--part takes I/N" in command("run", small.output, f"--part={part}", status=2)


def test_json_of_a_run(small: fleet.Fleet) -> None:
    done = CliRunner().invoke(app, ["fleet", "run", small.output, "--json"])
    assert done.exit_code == 1
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert sum(line.get("matches", 0) for line in lines[:-1]) == 7
    assert lines[-1] == {"manifest": "manifest.json", "matches": 7, "failed": 1}


def test_strict_losses_have_their_own_status(tmp_path: Path) -> None:
    source = SAMPLE
    planned_in(tmp_path, {"a.zip": zipped({"a.mjson": source.read_bytes()})}, strict=True, plain=True)
    command("run", str(tmp_path / "out"), status=3)


class TestTasks:
    @given(st.lists(st.integers(0, 4), max_size=30), st.integers(1, 3), st.integers(1, 4))
    def test_each_task_is_tried_a_finite_number_of_times(self, fails: list[int], workers: int, most: int) -> None:
        tried: dict[int, int] = {}

        def work(number: int, stop: Event | None) -> int:  # noqa: ARG001
            tried[number] = tried.get(number, 0) + 1
            if tried[number] <= fails[number]:
                raise OSError("no answer")
            return number * 2

        with LocalEngine(workers) as engine:
            ends = dict(run_tasks(engine, work, range(len(fails)), most))
        for number, count in enumerate(fails):
            assert tried[number] == min(count + 1, most)
            assert isinstance(ends[number], OSError) if count >= most else ends[number] == number * 2

    def test_wrong_usage_is_not_tried_again(self) -> None:
        tried = []

        def work(number: int, stop: Event | None) -> None:  # noqa: ARG001
            tried.append(number)
            raise mjconv.UsageError("another version")

        with LocalEngine(1) as engine:
            [(_, end)] = run_tasks(engine, work, [0], 3)
        assert (type(end), tried) == (mjconv.UsageError, [0])


def test_a_plan_stores_no_secret(tmp_path: Path, memory: Any) -> None:
    memory.pipe_file("memory://logs/a.zip", zipped(games(2)))
    for source, out in (
        ("memory://me:topsecret@logs/a.zip", str(tmp_path / "out")),
        ("memory://logs/a.zip?token=topsecret", str(tmp_path / "out")),
        ("memory://logs/a.zip", "memory://me:topsecret@out"),
    ):
        done = command("plan", source, "-o", out, "--to", "jmjp", status=2)
        assert "password or parameters" in done
        assert "topsecret" not in done
    assert not any(b"topsecret" in bytes(data.getvalue()) for data in memory.store.values())


def test_engines_and_options_that_do_not_exist(small: fleet.Fleet, tmp_path: Path) -> None:
    run = ("run", small.output)
    plan = ("plan", str(tmp_path / "a.zip"), "-o", str(tmp_path / "x"), "--to")
    for words, reason in (
        ((*run, "--engine", "spark"), "--engine is one of local, ray, dask, not 'spark'"),
        ((*run, "--jobs", "0"), "--jobs takes a number"),
        ((*run, "--address", "x"), "--address needs"),
        (("plan", "-", "-o", str(tmp_path), "--to", "jmjp"), "not standard input"),
        ((*plan, "jmjp", "--lines"), "one match per line"),
        ((*plan, "kanachan", "--kanachan", "room=9"), "--kanachan takes room=0..4"),
        ((*plan, "jmjp", "--kanachan", "room=1"), "--kanachan needs --to kanachan"),
        ((*plan, "jmjp", "--house", "kiriage"), "--house needs --check"),
    ):
        assert reason in command(*words, status=2)


def test_tar_archives_are_one_shard(tmp_path: Path) -> None:
    [shard] = planned_in(tmp_path, {"a.tar": tarred(games(9))}, shard_files=2).shards()
    assert fleet.convert_shard(shard).summary.counts.matches == 9


@pytest.mark.parametrize(("name", "module"), [("ray", "ray"), ("dask", "distributed")])
def test_storage_inside_a_process_is_refused(name: str, module: str, memory: Any) -> None:
    if find_spec(module) is None:
        pytest.skip(f"{name} is not installed: pip install -e '.[test-fleet]', and pytest -m slow tests/fleet")
    memory.pipe_file("memory://logs/a.zip", zipped(games(2)))
    run = fleet.plan("memory://logs/a.zip", "memory://out", target="jmjp")
    with pytest.raises(mjconv.UsageError, match="memory:// is inside one process"):
        list(run_shards(run, engine_of(EngineOptions(engine=name, jobs=1)), 1))


@looped(("name", "module"), ("ray", "ray"), ("dask", "distributed"))
def test_an_engine_that_is_not_installed(name: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjconv.packages.find_spec", lambda wanted: None if wanted == module else wanted)
    with pytest.raises(mjconv.UsageError, match=f"--engine {name} needs {module}: .*pip install {module}"):
        engine_of(EngineOptions(engine=name))
