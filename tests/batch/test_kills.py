"""Runs that are interrupted or meet another: --resume ends in the bytes of an uninterrupted run.

Of two processes on one output, one writes, and the other is refused. A lock ends with its process.
``pytest tests/batch --kills 100`` cuts off a hundred runs in each way.
"""

import errno
import os
import re
import resource
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from threading import Thread
from unittest.mock import patch

import pytest
from archives import (
    COMMAND,
    HELD,
    broken,
    games,
    held,
    laid_out,
    own_run,
    run,
    run_apart,
    started,
    tarred,
    tree,
    unwatched,
    working_here,
    zipped,
    zstd,
)

from mjconv.batch import journal
from mjconv.batch.plan import plan_of
from mjconv.batch.run import Run
from mjconv.batch.worker_pool import WorkerPool
from mjconv.files import locks
from mjconv.options import ConvertOptions

Wholes = Callable[[str], "Whole"]
INPUTS = ("logs", "more.zip", "most.tar.zst")
#: The output of each shape: its name, and the other arguments.
SHAPES = {
    "folder": ("out", "--to", "jmjp"),
    "zip": ("out.zip", "--to", "jmjp"),
    "parquet": ("out.parquet", "--to", "parquet"),
    "tar": ("out.tar", "--to", "uzje"),
    "tar.zst": ("out.tar.zst", "--to", "jmjp"),
    "tar.gz": ("out.tar.gz", "--to", "jmjp"),
    "lines": ("out", "--to", "mjai", "--shards", "3"),
    "folders": ("out", "--to", "parquet", "--shards", "2", "--partition-by", "format,players"),
}


@dataclass(frozen=True)
class Whole:
    """An uninterrupted run: its output, and its time in seconds."""

    files: dict[str, bytes]
    seconds: float


@pytest.fixture(scope="session")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a folder, a zip and a tar archive, with some broken members."""
    folder = tmp_path_factory.mktemp("inputs")
    logs = list(games(48, rounds=5).items())
    bad = {f"{number}{name.replace('..', '')}": data for number, (name, data) in enumerate(broken().items())}
    laid_out(folder / "logs", {**dict(logs[:16]), **{name: bad[name] for name in list(bad)[:3]}})
    (folder / "more.zip").write_bytes(zipped({**bad, **dict(logs[16:32])}))
    (folder / "most.tar.zst").write_bytes(zstd(tarred({**dict(logs[32:]), **broken()})))
    return folder


@pytest.fixture(scope="session")
def wholes(inputs: Path, tmp_path_factory: pytest.TempPathFactory) -> Wholes:
    """Return the uninterrupted run for a shape of output; each is run once."""
    known: dict[str, Whole] = {}

    def whole(shape: str) -> Whole:
        if shape not in known:
            folder = tmp_path_factory.mktemp("whole")
            began = time.monotonic()
            run_apart(*words(inputs, shape, folder), folder=folder, status=1)
            known[shape] = Whole(tree(folder), time.monotonic() - began)
            assert len(known[shape].files) > 2
        return known[shape]

    return whole


def words(inputs: Path, shape: str, folder: Path) -> list[str]:
    """Return the arguments; copies of bad members are kept beside the output."""
    output, *rest = SHAPES[shape]
    return [
        *(str(inputs / name) for name in INPUTS),
        *("-o", str(folder / output), *rest, "--jobs", "2", "-q", "--keep-bad", str(folder / "bad")),
    ]


def shape_of(kill: int) -> str:
    return list(SHAPES)[kill % len(SHAPES)]


def test_sigkill_at_any_moment(kill: int, inputs: Path, wholes: Wholes, tmp_path: Path) -> None:
    shape, random = shape_of(kill), Random(kill)
    said = words(inputs, shape, tmp_path)
    for _ in range(random.randint(1, 3)):
        process = started([*said, "--resume"], tmp_path)
        time.sleep(random.uniform(0.1, wholes(shape).seconds))
        process.kill()
        process.communicate()
    run(*said, "--resume", folder=tmp_path, status=None)
    assert tree(tmp_path) == wholes(shape).files


def asked_for(inputs: Path, shape: str, folder: Path) -> tuple[Run, list[str]]:
    """Return the run for `words` in this process, and the names of its inputs."""
    output, _, target, *shards = SHAPES[shape]
    names = [str(inputs / name) for name in INPUTS]
    bad = str(folder / "bad")
    out, number = str(folder / output), int(shards[1]) if shards else 0
    options = ConvertOptions(target=target, partition_by=shards[3] if shards[2:] else None)
    return Run(plan_of(names, out, options, shards=number, keep_bad=bad), out, bad), names


def test_a_worker_that_is_killed_at_any_moment_costs_nothing(
    kill: int, inputs: Path, wholes: Wholes, tmp_path: Path
) -> None:
    shape, random = shape_of(kill), Random(kill)
    killed: list[int] = []
    killers: list[Thread] = []

    class Watched(WorkerPool):
        def __enter__(self) -> WorkerPool:
            killers.append(Thread(target=kill_one, args=(self,), daemon=True))
            killers[0].start()
            return super().__enter__()

    def kill_one(pool: WorkerPool) -> None:
        while not (processes := pool.processes()):
            time.sleep(0.01)
        time.sleep(random.uniform(0, 0.1))
        killed.append(random.choice(pool.processes() or processes))
        with suppress(ProcessLookupError):
            os.kill(killed[0], signal.SIGKILL)

    own, names = asked_for(inputs, shape, tmp_path)
    own.prepare()
    with patch("mjconv.batch.run.WorkerPool", Watched):
        own.execute(names, 2, unwatched)
    killers[0].join()
    assert killed
    assert tree(tmp_path) == wholes(shape).files


def frail(marks: Path, seed: int) -> list[str]:
    return [sys.executable, "-P", str(Path(__file__).with_name("frail_worker.py")), str(marks), str(seed)]


def test_a_full_disk(
    kill: int, inputs: Path, wholes: Wholes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full after any number of bytes; the last write is partial."""
    # The shapes that the other tests do not reach with few kills.
    shape = shape_of(kill + len(SHAPES) // 2)
    write, left = os.write, [Random(kill).randrange(sum(map(len, wholes(shape).files.values())))]

    def write_some(handle: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = write(handle, bytes(data)[: left[0]])
        left[0] -= written
        return written

    cut_off, names = asked_for(inputs, shape, tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(journal, "_WRITE_SECONDS", 0.1)
        patched.setattr(journal.os, "write", write_some)
        with pytest.raises(OSError, match="No space left on device"):
            begin_and_go(cut_off, names)
    run(*words(inputs, shape, tmp_path), "--resume", folder=tmp_path, status=1)
    assert tree(tmp_path) == wholes(shape).files


class PowerCutError(Exception):
    """The power fails."""


def test_a_power_failure(
    kill: int, inputs: Path, wholes: Wholes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file then has the bytes of its last `fsync`; one without any is empty."""
    shape = shape_of(kill)
    synced: dict[str, bytes] = {}
    sync, left = os.fsync, [Random(kill).randrange(5, 30)]

    def sync_until_then(handle: int) -> None:
        path = os.readlink(f"/proc/self/fd/{handle}")
        left[0] -= 1
        if left[0] < 0:
            raise PowerCutError
        sync(handle)
        if os.path.isfile(path):
            synced[path] = Path(path).read_bytes()

    cut_off, names = asked_for(inputs, shape, tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(journal, "_WRITE_SECONDS", 0.0)
        patched.setattr(journal.os, "fsync", sync_until_then)
        with pytest.raises(PowerCutError):
            begin_and_go(cut_off, names)
    # The system ends the lock with the process.
    cut_off.unlock()
    for path in tmp_path.rglob("*"):
        if path.is_file() and "bad" not in path.relative_to(tmp_path).parts:
            path.write_bytes(synced.get(str(path), b""))
    run(*words(inputs, shape, tmp_path), "--resume", folder=tmp_path, status=1)
    assert tree(tmp_path) == wholes(shape).files


def begin_and_go(own: Run, names: list[str]) -> None:
    own.prepare()
    with working_here():
        own.execute(names, 2, unwatched)


def test_a_system_limit_prints_how_to_go_on(inputs: Path, wholes: Wholes, tmp_path: Path) -> None:
    most = len(wholes("tar").files["out.tar"]) // 2
    said = words(inputs, "tar", tmp_path)
    limited = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (most, most))
    done = subprocess.run([*COMMAND, *said], cwd=tmp_path, capture_output=True, text=True, preexec_fn=limited)
    assert done.returncode == 1
    first, second, _ = done.stderr.split("\n")
    assert re.fullmatch("mjconv: error: .*File too large", first)
    assert re.fullmatch(".*members done; continue with: mjconv batch .*--resume", second)
    assert not (tmp_path / "out.tar").exists()
    run(*said, "--resume", folder=tmp_path, status=1)
    assert tree(tmp_path) == wholes("tar").files


def test_ctrl_c(kill: int, inputs: Path, wholes: Wholes, tmp_path: Path) -> None:
    shape = shape_of(kill)
    said = words(inputs, shape, tmp_path)
    process = started(said, tmp_path)
    assert is_true_within(60, lambda: bool(list(tmp_path.rglob("journal.jsonl"))))
    time.sleep(Random(kill).uniform(0, 0.3))
    # All processes of the terminal receive it.
    os.killpg(process.pid, signal.SIGINT)
    _, printed = process.communicate(timeout=60)
    assert process.returncode == 130
    first, second, _ = printed.split("\n")
    assert first == "mjconv: interrupted"
    assert " done; continue with: mjconv batch " in second
    run(*said, "--resume", folder=tmp_path, status=1)
    assert tree(tmp_path) == wholes(shape).files


def test_no_worker_is_left_behind() -> None:
    """The standard output of the workers is a pipe, which closes when they end."""
    script = (
        "import os, sys\n"
        "from mjconv.batch.worker_pool import WorkerPool\n"
        "from mjconv.batch.plan import Plan\n"
        "from mjconv.options import ConvertOptions\n"
        "pool = WorkerPool(Plan(inputs=(), output='', options=ConvertOptions(target='jmjp')), 2)\n"
        "from mjconv.batch.protocol import Task\n"
        "from mjconv.files.members import Member, WholeFile\n"
        "pool.__enter__()\n"
        "for number in range(2): pool.submit([Task(number, Member('none', WholeFile(b'nowhere')))])\n"
        "while len(pool.processes()) < 2: pass\n"
        "print(*pool.processes(), flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    ids = [int(word) for word in done.stdout.split()]
    assert len(ids) == 2
    assert is_true_within(60, lambda: not any(map(is_running, ids)))


def is_true_within(seconds: float, holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # A process that has ended stays listed until its parent reads its status.
    try:
        state = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


# Two processes on one output: one writes, and the other is refused. A lock ends with its process.


def lock_of(output: Path) -> Path:
    return output / locks.LOCK if not output.suffix else output.with_name(output.name + locks.LOCK)


@pytest.mark.parametrize("name", ["out", "out.zip"])
@pytest.mark.parametrize("words", [(), ("--resume",), ("--force",)])
def test_a_second_run_changes_nothing(name: str, words: tuple[str, ...], tmp_path: Path) -> None:
    laid_out(tmp_path / "logs", games(3))
    if name == "out":
        (tmp_path / "out").mkdir()
    before = tree(tmp_path)
    with held(lock_of(tmp_path / name)) as process:
        done = run("logs", "-o", name, "--to", "jmjp", *words, folder=tmp_path, status=1)
        assert done.stderr == f"mjconv: error: {name}: {HELD}\n"
        assert set(tree(tmp_path)) - set(before) == {lock_of(Path(name)).as_posix()}
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=300)
        # The file of the lock is there still, and nobody holds it.
        assert lock_of(tmp_path / name).exists()
        run("logs", "-o", name, "--to", "jmjp", "-q", *words, folder=tmp_path)
    assert not lock_of(tmp_path / name).exists()


def test_runs_at_the_same_time_leave_a_whole_output(tmp_path: Path) -> None:
    """Of several runs that start together, one writes. The others are refused, or find it complete."""
    (tmp_path / "logs.zip").write_bytes(zipped(games(30)))
    run("logs.zip", "-o", "whole.zip", "--to", "jmjp", "-q", folder=tmp_path)
    words = [*COMMAND, "logs.zip", "-o", "out.zip", "--to", "jmjp", "--resume", "--jobs", "1"]
    with ExitStack() as stack:
        pipe = subprocess.PIPE
        started = [
            stack.enter_context(subprocess.Popen(words, cwd=tmp_path, stderr=pipe, text=True)) for _ in range(4)
        ]
        ends = [(process.communicate(timeout=600)[1], process.returncode) for process in started]
    assert any(status == 0 for _, status in ends)
    for printed, status in ends:
        assert (HELD in printed) == (status == 1), printed
        assert "Traceback" not in printed
    assert (tmp_path / "out.zip").read_bytes() == (tmp_path / "whole.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert archive.testzip() is None
    assert not [path.name for path in tmp_path.iterdir() if path.name.endswith(locks.LOCK)]


def test_the_lock_of_a_run_ends_with_its_error(tmp_path: Path) -> None:
    laid_out(tmp_path, {"logs/a.mjson": b"{", "out/mine": b"mine"})
    own = own_run(tmp_path)
    for _ in range(2):
        with pytest.raises(FileExistsError, match="Is not empty"):
            own.prepare()
    assert not lock_of(tmp_path / "out").exists()


def test_a_link_in_place_of_a_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="lock"):
        locks.take(str(tmp_path / "lock"))
    assert not (tmp_path / "elsewhere").exists()


def test_a_lock_whose_file_was_removed_is_taken_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The holder removes the file after another process opened it: that lock would be of no use."""
    path, lock, removed = tmp_path / "lock", locks._lock, []

    def remove_once(handle: int) -> None:
        lock(handle)
        if not removed:
            removed.append(path.stat().st_ino)
            path.unlink()

    monkeypatch.setattr(locks, "_lock", remove_once)
    handle = locks.take(str(path))
    assert handle is not None
    assert removed
    assert os.fstat(handle).st_ino == path.stat().st_ino
    os.close(handle)


def test_temporary_folders_of_dead_processes_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks.tempfile, "tempdir", str(tmp_path))
    others = laid_out(tmp_path, {"mjconv-fleet-other/file": b"", "other/.mjconv-lock": b""})
    with locks.temporary_folder() as own:
        dead = laid_out(tmp_path / "mjconv-fleet-dead", {locks.LOCK: b"", "part": b"part"})
        with held(dead / locks.LOCK) as process:
            locks.remove_abandoned()
            assert (dead / "part").exists()
            process.kill()
            process.wait(timeout=300)
            locks.remove_abandoned()
            assert not dead.exists()
        assert Path(own).is_dir()
    assert sorted(path.name for path in others.iterdir()) == ["mjconv-fleet-other", "other"]
