"""Ray and Dask leave what the cores of this machine leave, on an S3 server, whatever dies on the way.

They need the extra `test-fleet`: Ray, Dask, s3fs, and moto, whose server is S3 on this machine. A cluster takes
seconds to start, so all tests share one of Ray and one of Dask.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from fleets import KINDS, batch_output, contents, failures_of, joined_parts, mixed, without_root

from batch.archives import games, laid_out, working_here, zipped
from batch.archives import run as batch
from mjconv import fleet
from mjconv.command.fleet import EngineOptions, engine_of
from mjconv.fleet.convert import run_shards
from mjconv.fleet.engines import Engine
from mjconv.fleet.results import Done, FailedShard
from mjconv.fleet.store import store_of

Start = Callable[[str], Engine]
Address = Callable[[str], str | None]
#: The engines, and the modules that each needs.
NEEDED = {"local": (), "ray": ("ray",), "dask": ("distributed",)}
COMMAND = (sys.executable, "-P", "-m", "mjconv", "fleet")
#: A member whose conversion kills its process.
DEADLY = b'{"type":"deadly"}'


def missing(*modules: str) -> str:
    without = [name for name in modules if find_spec(name) is None]
    return f"needs {', '.join(without)}: pip install -e '.[test-fleet]'" if without else ""


def of_engine(name: str, *others: str) -> Any:
    """Return the parameters of a test with this engine, which is skipped where a module is missing."""
    reason = missing(*NEEDED[name])
    return pytest.param(name, *others, marks=pytest.mark.skipif(bool(reason), reason=reason))


engines = pytest.mark.parametrize("engine", [of_engine(name) for name in NEEDED])
needs_s3 = pytest.mark.skipif(bool(missing("s3fs", "moto")), reason=missing("s3fs", "moto"))

# What all tests share. Processes of the clusters have the environment of this process when the cluster starts.


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run an S3 server that refuses every tenth request, if there is one, and return its address; fsspec finds it.

    Each process that converts members dies over the member `DEADLY`.
    """
    site = tmp_path_factory.mktemp("site")
    # Each Python imports this module when it starts.
    (site / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "if 'mjconv.batch.worker' in sys.orig_argv:\n"
        "    import mjconv.batch.worker as worker\n"
        "    def deadly(data, *rest, plain=worker.source_of):\n"
        f"        data == {DEADLY!r} and os.kill(os.getpid(), signal.SIGKILL)\n"
        "        return plain(data, *rest)\n"
        "    worker.source_of = deadly\n"
        "    worker.main()\n"
        "    sys.exit()\n"
    )
    kept = dict(os.environ)
    os.environ["PYTHONPATH"] = str(site)
    server = None
    if not missing("s3fs", "moto"):
        from faulty_s3 import FaultyS3

        server = FaultyS3(every=10)
        os.environ.update(
            AWS_ENDPOINT_URL=server.address,
            AWS_ACCESS_KEY_ID="test",
            AWS_SECRET_ACCESS_KEY="test",
            AWS_DEFAULT_REGION="us-east-1",
            # s3fs makes a refused request again after a tenth of a second, botocore after some seconds.
            AWS_MAX_ATTEMPTS="1",
        )
    try:
        yield "" if server is None else server.address
        assert server is None or server.refused == len(server.requests) // server.every
    finally:
        if server is not None:
            server.stop()
        os.environ.clear()
        os.environ.update(kept)


@pytest.fixture(scope="module")
def address_of(surroundings: str) -> Iterator[Address]:  # noqa: ARG001 - the environment
    """Return a function that returns the address of the cluster of an engine, and starts it at its first use."""
    started: dict[str, Any] = {}

    def address(engine: str) -> str | None:
        if engine == "local":
            return None
        if engine == "ray":
            import ray

            if engine not in started:
                started[engine] = ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
            return str(started[engine].address_info["gcs_address"])
        from distributed import LocalCluster

        if engine not in started:
            started[engine] = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        return str(started[engine].scheduler_address)

    yield address
    if "ray" in started:
        import ray

        ray.shutdown()
    if "dask" in started:
        started["dask"].close()


@pytest.fixture
def start(address_of: Address) -> Start:
    """Return a function that returns an engine with two workers, on the shared cluster."""
    return lambda name: engine_of(EngineOptions(engine=name, jobs=2, address=address_of(name)))


def ended(run: fleet.Fleet, engine: Engine) -> list[Done | FailedShard]:
    with engine:
        return [end for _, end in run_shards(run, engine, 3)]


def ended_here(run: fleet.Fleet, engine: Engine) -> list[Done | FailedShard]:
    """Run shards as `ended`. The engine of this machine starts no processes, as nothing dies."""
    with working_here():
        return ended(run, engine)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return laid_out(tmp_path_factory.mktemp("sources") / "logs", mixed(10))


@pytest.fixture(scope="module")
def bucket(surroundings: str, logs: Path) -> str:
    """Return the address of a folder with the sources."""
    assert surroundings
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
        with suppress(OSError):
            return call()
    return call()


@needs_s3
@pytest.mark.parametrize(
    ("engine", "kind"),
    [*(of_engine("local", kind) for kind in KINDS), of_engine("ray", "parquet"), of_engine("dask", "lines")],
)
def test_every_engine_leaves_what_batch_leaves(
    engine: str,
    kind: str,
    bucket: str,
    logs: Path,
    wanted: Callable[[str], Any],
    first: dict[str, dict[str, bytes]],
    start: Start,
) -> None:
    out = f"{bucket}/{engine}-{kind}"
    target, lines = KINDS[kind][0][1], "--lines" in KINDS[kind][0]
    run = fleet.plan(f"{bucket}/logs", out, target=target, lines=lines, shard_files=8, engine=start(engine))
    assert all(isinstance(end, Done) for end in ended_here(run, start(engine)))
    run.finish()
    whole, failed = wanted(kind)
    found = joined_parts(out, kind)
    if kind == "parquet":
        found, whole = found.drop_columns("source"), whole.drop_columns("source")
    assert found == whole
    there = without_root(failures_of(store_of(out)), f"{bucket}/logs")
    assert there == without_root(failed, str(logs))
    left = contents(out)
    assert left == first.setdefault(kind, left)


@needs_s3
def test_files_of_decisions_are_those_of_batch(bucket: str, logs: Path, tmp_path: Path, start: Start) -> None:
    source, out = logs / "a.zip", f"{bucket}/decisions"
    run = fleet.plan(source, out, target="decisions", shards=3, shard_files=6, engine=start("local"))
    assert all(isinstance(end, Done) for end in ended_here(run, start("local")))
    found = [store_of(run.output).read(part.path) for part in run.finish().parts]
    words = (str(source), "-o", "out", "--to", "decisions", "--shards", "3", "--jobs", "2", "-q")
    batch(*words, folder=tmp_path, status=None)
    assert found == [path.read_bytes() for path in sorted((tmp_path / "out").glob("*.parquet"))]
    assert len(found) == 3


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
def whole(tmp_path_factory: pytest.TempPathFactory, address_of: Address) -> tuple[Path, dict[str, bytes]]:
    """Return a source of eight shards, and what an undisturbed run leaves."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "a.zip").write_bytes(zipped({**games(31, rounds=8), "bad.mjson": b"{"}))
    run = planned(folder / "a.zip", folder / "out")
    ended_here(run, engine_of(EngineOptions(engine="local", jobs=2, address=address_of("local"))))
    run.finish()
    return folder / "a.zip", contents(run.output)


def planned(source: Path, out: Path) -> fleet.Fleet:
    return fleet.plan(source, out, target="jmjp", shard_files=4)


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
#: The processes of Ray that end only a minute after their cluster. They convert nothing.
AGENTS = ("ray::DashboardAgent", "ray::RuntimeEnvAgent")


@engines
def test_a_driver_and_then_a_worker_that_are_killed_cost_nothing(
    engine: str, whole: tuple[Path, dict[str, bytes]], tmp_path: Path, address_of: Address
) -> None:
    source, undisturbed = whole
    run = planned(source, tmp_path / "out")
    words = [*COMMAND, "run", run.output, "--engine", engine, "--jobs", "2", "-q"]
    # This run has a cluster of its own, which ends when the driver is killed.
    process = subprocess.Popen(words)
    while run.status().done < 2:
        assert process.poll() is None
        time.sleep(0.02)
    below = [(child, text) for child, text in descendants(process.pid) if not text.startswith(AGENTS)]
    process.kill()
    process.wait()
    done = run.status().done
    assert 2 <= done < 7
    assert not run.status().complete
    # The shared cluster continues it.
    address = address_of(engine)
    process = subprocess.Popen([*words, *([] if address is None else ["--address", address])])
    # One kill only: a file at which two workers die is a failure of that file.
    killed = False
    while process.poll() is None:
        if not killed and done < len(store_of(run.output).sizes("done")) < 8:
            for worker, text in descendants(process.pid if address is None else os.getpid()):
                if WORKERS[engine] in text:
                    os.kill(worker, signal.SIGKILL)
                    killed = True
                    break
        time.sleep(0.02)
    assert killed
    assert (process.returncode, contents(run.output)) == (1, undisturbed)
    run.clean()
    assert contents(run.output) == undisturbed
    assert not left_behind(below)


def left_behind(below: list[tuple[int, str]]) -> list[str]:
    end = time.monotonic() + 60
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
def test_members_that_kill_and_shards_that_fail_are_named(engine: str, tmp_path: Path, start: Start) -> None:
    members = {**games(6), "deadly.mjson": DEADLY, "last.mjson": games(1)["0/0000.mjson"]}
    laid_out(tmp_path, {"a.zip": zipped(members), "b.zip": zipped(games(3))})
    run = fleet.plan([tmp_path / "a.zip", tmp_path / "b.zip"], tmp_path / "out", target="jmjp", shard_files=4)
    (tmp_path / "b.zip").write_bytes(b"PK")
    ends = ended(run, start(engine))
    assert sum(end.summary.counts.matches for end in ends if isinstance(end, Done)) == 7
    [poison] = [end for end in ends if isinstance(end, FailedShard)]
    assert poison.attempts == 3
    assert "b.zip: changed after the plan was made" in poison.error
    manifest = run.finish(without_failed=True)
    assert (manifest.summary.counts.matches, manifest.summary.failures) == (7, {"died": 1})
    assert b"deadly.mjson" in failures_of(store_of(run.output))
