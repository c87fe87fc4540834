"""Archives for the tests of batch: small games, all different, and broken members."""

import gzip
import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
import typer.main
import zstandard

from engine import play
from mjconv.batch.paths import FINISHED, SUMS
from mjconv.batch.plan import plan_of
from mjconv.batch.protocol import Outcome, read_chunk, read_outcome, read_plan
from mjconv.batch.run import Run
from mjconv.batch.summary import Summary
from mjconv.batch.worker import convert_member
from mjconv.batch.worker_pool import WorkerPool
from mjconv.command.cli import main
from mjconv.options import ConvertOptions
from mjconv.settings import ReadSettings

Files = Mapping[str, bytes]
_DEALS = 8
_SUITS = (b"mps", b"psm", b"smp", b"msp", b"pms", b"spm")

#: The command as a separate process.
COMMAND = (sys.executable, "-P", "-m", "mjconv", "batch")


@cache
def _played(deal: int) -> bytes:
    return play(deal, length="round")


def game(number: int, rounds: int = 1) -> bytes:
    """Return a unique log, with its own names and tiles, and the same deal in each round."""
    names = ",".join(f'"{seat}{number}"' for seat in "東南西北")
    log = _played(number % _DEALS).replace(
        b'{"type":"start_game"}', f'{{"type":"start_game","names":[{names}]}}'.encode()
    )
    suits = bytes.maketrans(b"mps", _SUITS[number // _DEALS % len(_SUITS)])
    lines = [
        b'"'.join(part.translate(suits) if part[:1].isdigit() else part for part in line.split(b'"'))
        for line in log.splitlines(keepends=True)
    ]
    return b"".join(lines[:1] + lines[1:-1] * rounds + lines[-1:])


def dated(number: int, months: int = 12) -> bytes:
    """Return a game of Tenhou in one of so many months."""
    year, month = divmod(number % months, 12)
    uri = f'"uri":"http://tenhou.net/0/?log={2000 + year}{month + 1:02}0112gm-0089-0000-{number:08x}"'
    return game(number).replace(b'{"type":"start_game"', b'{"type":"start_game",' + uri.encode())


def games(count: int, rounds: int = 1) -> dict[str, bytes]:
    return {f"{number % 5}/{number:04}.mjson": game(number, rounds) for number in range(count)}


@cache
def broken() -> dict[str, bytes]:
    """Return members that cannot be converted, each for another reason."""
    whole = game(0)
    # The first draw is made twice.
    lines = whole.splitlines(keepends=True)
    return {
        "bad/cut.mjson.gz": gzip.compress(whole, mtime=0)[:-200],
        "bad/truncated.mjson": whole[: len(whole) // 2],
        "bad/random.mjson": bytes(number * 73 % 251 for number in range(3000)),
        "bad/other-format.mjson": b"jmjp[1.0]\n",
        "bad/illegal.mjson": b"".join(lines[:3] + lines[2:]),
        "bad/bomb.mjson": gzip.compress(b" " * (1 << 25), mtime=0),
        "bad/nested.zip": zipped({"inner.mjson": whole}),
        "bad/control\x1b[2J\n.mjson": b"{",
        "../../bad/escape.mjson": b"}",
    }


def zipped(files: Files) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def tarred(files: Files) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, content in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
    return data.getvalue()


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


def laid_out(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def flip(path: Path) -> None:
    """Change one bit of a file, and neither its size nor its time."""
    data, before = bytearray(path.read_bytes()), path.stat()
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def tree(*paths: Path) -> dict[str, bytes]:
    """Return all files below the paths, with hidden files, and the paths that are files themselves.

    The manifest of a complete run, which has its times and paths, and the sums are left out.
    """
    found = {}
    for path in paths:
        if path.is_file():
            found[path.name] = path.read_bytes()
        for folder, folders, names in os.walk(path):
            for name in names:
                if name.endswith((FINISHED, SUMS)):
                    continue
                file = Path(folder, name)
                found[file.relative_to(path).as_posix()] = file.read_bytes()
            for name in folders:
                found[Path(folder, name).relative_to(path).as_posix() + "/"] = b""
    return found


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files of `tree` without its folders."""
    return {name: data for name, data in tree(folder).items() if not name.endswith("/")}


def failures(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def report_of(folder: Path) -> Any:
    return json.loads((folder / "report.json").read_bytes())


def own_run(folder: Path, output: str = "out", target: str = "jmjp") -> Run:
    """Return a run of this process: of `logs`, to an output in a folder."""
    return Run(plan_of(["logs"], output, ConvertOptions(target=target)), str(folder / output))


def run(*words: str | Path, folder: Path, status: int | None = 0) -> subprocess.CompletedProcess[str]:
    """Run the command in this process: its workers too, which start slowly. `run_apart` starts all processes."""
    argv = ["mjconv", "batch", *map(str, words)]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with ExitStack() as here:
        for change in (
            *(chdir(folder), redirect_stdout(out), redirect_stderr(err), patch.object(sys, "argv", argv)),
            *(patch("typer.main.get_command", command_of), working_here()),
        ):
            here.enter_context(change)
        with pytest.raises(SystemExit) as left:
            main()
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
    done = subprocess.CompletedProcess(argv, int(left.value.code or 0), *texts)
    assert status is None or done.returncode == status, done.stderr
    return done


#: Typer builds all commands anew at each run, which takes longer than most runs.
command_of = cache(typer.main.get_command)


@contextmanager
def working_here() -> Iterator[None]:
    """Let this process do the tasks of each pool, with the messages of a worker. Restore its settings."""
    before = ReadSettings.current()

    def next_outcome(pool: WorkerPool, _: float) -> Outcome:
        if pool.outbox.empty():
            plan = read_plan.decode(msgspec.msgpack.encode(pool.plan))
            plan.settings.install()
            for task in read_chunk.decode(msgspec.msgpack.encode(pool.inbox.get_nowait())):
                pool.outbox.put(read_outcome.decode(msgspec.msgpack.encode(convert_member(task, plan))))
        outcome = pool.outbox.get_nowait()
        assert isinstance(outcome, Outcome)
        return outcome

    try:
        with patch.multiple(WorkerPool, __enter__=lambda pool: pool, next_outcome=next_outcome):
            yield
    finally:
        before.install()


def run_apart(*words: str | Path, folder: Path, status: int | None = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*COMMAND, *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
    assert status is None or done.returncode == status, done.stderr
    return done


def started(words: Sequence[str | Path], folder: Path) -> subprocess.Popen[str]:
    """Start the command in a folder as a shell does: in a process group of its own, which Ctrl-C reaches."""
    return subprocess.Popen(
        [*COMMAND, *map(str, words)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Processes in the background of a shell ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def unwatched(_: Summary) -> None:
    """Show no progress of a run."""


#: The error of an output that another process writes.
HELD = "Another mjconv process writes here: wait until it has ended"
#: A process that holds a lock, reports it, and waits for the end of its input.
HOLDER = """
import sys
from mjconv.files import locks
handle = locks.take(sys.argv[1])
print(handle is not None, flush=True)
sys.stdin.read()
"""


@contextmanager
def held(lock: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a process that holds a lock until it is killed."""
    command = [sys.executable, "-P", "-c", HOLDER, str(lock)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        yield process
        process.kill()
