"""Ray and Dask leave what the cores of this machine leave, on an S3 server, whatever dies on the way.

They need the extra `test-fleet`: Ray, Dask, s3fs, and moto, whose server is S3 on this machine.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from fleets import KINDS, batch_output, contents, failures_of, joined_parts, mixed, without_root

from batch.archives import games, laid_out, zipped
from mjconv import fleet
from mjconv.fleet.store import store_of

pytestmark = pytest.mark.slow

#: The engines, and the modules that each needs.
NEEDED = {"local": (), "ray": ("ray",), "dask": ("distributed",)}
COMMAND = (sys.executable, "-P", "-m", "mjconv", "fleet")


def missing(*modules: str) -> str:
    without = [name for name in modules if find_spec(name) is None]
    return f"{', '.join(without)} not installed: pip install -e '.[test-fleet]' tests it" if without else ""


engines = pytest.mark.parametrize(
    "engine",
    [
        pytest.param(name, marks=pytest.mark.skipif(bool(missing(*modules)), reason=missing(*modules)))
        for name, modules in NEEDED.items()
    ],
)
needs_s3 = pytest.mark.skipif(bool(missing("s3fs", "moto")), reason=missing("s3fs", "moto"))


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """Run an S3 server that refuses every tenth request, and return its address; fsspec finds it."""
    from faulty_s3 import FaultyS3

    server = FaultyS3(every=10)
    kept = dict(os.environ)
    os.environ.update(
        AWS_ENDPOINT_URL=server.address,
        AWS_ACCESS_KEY_ID="test",
        AWS_SECRET_ACCESS_KEY="test",
        AWS_DEFAULT_REGION="us-east-1",
    )
    try:
        yield server.address
        assert server.refused > 0
    finally:
        server.stop()
        os.environ.clear()
        os.environ.update(kept)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return laid_out(tmp_path_factory.mktemp("sources") / "logs", mixed(16))


@pytest.fixture(scope="module")
def bucket(s3: str, logs: Path) -> str:  # noqa: ARG001 - the server
    """Return the address of a folder with the sources."""
    import fsspec

    system = fsspec.filesystem("s3", use_listings_cache=False)
    retried(lambda: system.mkdir("games"))
    for path in sorted(logs.rglob("*")):
        if path.is_file():
            name = f"games/logs/{path.relative_to(logs).as_posix()}"
            retried(partial(system.pipe_file, name, path.read_bytes()))
    return "s3://games"


def retried(call: Callable[[], Any]) -> Any:
    for _ in range(5):
        try:
            return call()
        except OSError:
            continue
    return call()


def run_words(*words: str, status: int | None = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False, timeout=240)
    assert status is None or done.returncode == status, (done.stdout, done.stderr)
    return done


@needs_s3
@engines
def test_every_engine_leaves_what_batch_leaves(
    engine: str, bucket: str, logs: Path, wanted: Callable[[str], Any], first: dict[str, dict[str, bytes]]
) -> None:
    for kind, (words, _, _) in KINDS.items():
        out = f"{bucket}/{engine}-{kind}"
        run_words("plan", f"{bucket}/logs", "-o", out, *words, "--games", "6", "-q")
        run_words("run", out, "--engine", engine, "--jobs", "2", "-q", status=1)
        whole, failed = wanted(kind)
        found = joined_parts(out, kind)
        if kind == "parquet":
            found, whole = found.drop_columns("source"), whole.drop_columns("source")
        assert found == whole
        there = without_root(failures_of(store_of(out)), f"{bucket}/logs")
        assert there == without_root(failed, str(logs))
        assert contents(out) == first.setdefault(kind, contents(out))


@pytest.fixture(scope="module")
def first() -> dict[str, dict[str, bytes]]:
    """Return the objects of the first engine, by the kind of output."""
    return {}


@pytest.fixture(scope="module")
def wanted(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    known: dict[str, Any] = {}

    def of(kind: str) -> Any:
        if kind not in known:
            known[kind] = batch_output(tmp_path_factory.mktemp("batch"), str(logs), kind)
        return known[kind]

    return of


# Deaths. The sources are on disk: what dies is not the storage.


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """Return a source of eight shards, and what an undisturbed run leaves."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "a.zip").write_bytes(zipped({**games(31, rounds=8), "bad.mjson": b"{"}))
    planned(folder / "a.zip", folder / "out")
    run_words("run", str(folder / "out"), "--jobs", "2", "-q", status=1)
    return folder / "a.zip", contents(str(folder / "out"))


def planned(source: Path, out: Path) -> str:
    fleet.plan(source, out, target="jmjp", shard_games=4)
    return str(out)


def descendants(process: int) -> list[tuple[int, str]]:
    """Return the processes below a process, each with its command line."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, todo = [], [process]
    while todo:
        for child in children.get(todo.pop(), []):
            todo.append(child)
            try:
                words = Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                continue
            found.append((child, words))
    return found


#: A part of the command line of the processes that convert shards.
WORKERS = {"local": "mjconv.batch.worker", "ray": "ray::_run", "dask": "spawn_main"}


@engines
def test_a_worker_that_is_killed_costs_nothing(
    engine: str, whole: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    source, undisturbed = whole
    out = planned(source, tmp_path / "out")
    process = subprocess.Popen([*COMMAND, "run", out, "--engine", engine, "--jobs", "2", "-q"])
    killed = 0
    while process.poll() is None:
        if killed < 2 and killed < len(store_of(out).sizes("done")) < 7:
            for worker, words in descendants(process.pid):
                if WORKERS[engine] in words:
                    os.kill(worker, signal.SIGKILL)
                    killed += 1
                    break
        time.sleep(0.02)
    assert killed
    assert process.returncode == 1
    assert contents(out) == undisturbed


@engines
def test_a_driver_that_is_killed_is_started_again(
    engine: str, whole: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    source, undisturbed = whole
    out = planned(source, tmp_path / "out")
    process = subprocess.Popen([*COMMAND, "run", out, "--engine", engine, "--jobs", "2", "-q"])
    while len(store_of(out).sizes("done")) < 2:
        assert process.poll() is None
        time.sleep(0.02)
    below = descendants(process.pid)
    process.kill()
    process.wait()
    status = json.loads(run_words("status", out, "--json").stdout)
    assert 2 <= status["done"] < 8
    assert not status["complete"]
    run_words("run", out, "--engine", engine, "--jobs", "2", "-q", status=1)
    run_words("clean", out, "-q")
    assert contents(out) == undisturbed
    assert not left_behind(below)


def left_behind(below: list[tuple[int, str]]) -> list[str]:
    """Return the processes that still run half a minute after their driver."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        left = [words for process, words in below if is_same(process, words)]
        if not left:
            return []
        time.sleep(0.2)
    return left


def is_same(process: int, words: str) -> bool:
    try:
        now = Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return False
    return bool(now) and now == words


@engines
def test_a_member_that_kills_its_process_each_time_is_named(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.zip").write_bytes(
        zipped({**games(6), "deadly.mjson": b"{", "last.mjson": games(1)["0/0000.mjson"]})
    )
    site = tmp_path / "site"
    site.mkdir()
    # Each Python imports this module when it starts: the processes that convert members die over one of them.
    (site / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "if 'mjconv.batch.worker' in sys.orig_argv:\n"
        "    import builtins\n"
        "    import mjconv.batch.worker as worker\n"
        "    def deadly(data, *rest, plain=worker.source_of):\n"
        "        data == b'{' and os.kill(os.getpid(), signal.SIGKILL)\n"
        "        return plain(data, *rest)\n"
        "    worker.source_of = deadly\n"
        "    sys.modules.pop('mjconv.batch.worker')\n"
        "    import runpy\n"
        "    os.environ.pop('PYTHONPATH', None)\n"
        "    worker.main()\n"
        "    sys.exit()\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(site))
    out = str(tmp_path / "out")
    fleet.plan(tmp_path / "a.zip", out, target="jmjp", shard_games=4)
    run_words("run", out, "--engine", engine, "--jobs", "2", "-q", status=1)
    manifest = fleet.open_fleet(out).manifest()
    assert manifest is not None
    assert (manifest.games, manifest.failure_kinds) == (7, {"died": 1})
    assert b"deadly.mjson" in failures_of(store_of(out))


@engines
def test_a_shard_that_always_fails_is_named(engine: str, tmp_path: Path) -> None:
    laid_out(tmp_path, {"a.zip": zipped(games(6)), "b.zip": zipped(games(3))})
    run = fleet.plan([tmp_path / "a.zip", tmp_path / "b.zip"], tmp_path / "out", target="jmjp", shard_games=3)
    (tmp_path / "b.zip").write_bytes(b"PK")
    done = run_words("run", run.output, "--engine", engine, "--jobs", "2", "--json", status=1)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert sum(line.get("games", 0) for line in lines) == 6
    [poison] = [line for line in lines if "error" in line]
    assert poison["attempts"] == 3
    assert "b.zip: changed after the plan was made" in poison["error"]
