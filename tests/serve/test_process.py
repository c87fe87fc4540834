"""The server as a process: real requests, a worker that is killed, a request that takes too long, and its end."""

import asyncio
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from corpus_files import CORPUS
from mjconv.serve import server as module
from mjconv.serve.server import Workers
from mjconv.serve.worker import Request
from served import serving

pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")
GAME = (CORPUS / "tenhou/hex.mjlog").read_bytes()


class Served(NamedTuple):
    address: str
    process: subprocess.Popen[str]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as (address, process):
        yield Served(address, process)


def children(process: int) -> list[int]:
    command = ["ps", "-o", "pid=", "--ppid", str(process)]
    return [int(word) for word in subprocess.run(command, capture_output=True, text=True).stdout.split()]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_calls_of_the_page_answer(served: Served, tmp_path: Path) -> None:
    calls = re.findall("^curl .*$", (CORPUS.parent / "docs/serve.md").read_text("utf-8"), re.MULTILINE)
    assert len(calls) == 3
    begins = []
    for call in calls:
        words = shlex.split(
            call.replace("http://127.0.0.1:8000/", served.address).replace("corpus/", f"{CORPUS}/")
        )
        done = subprocess.run([*words, "--silent", "--fail"], cwd=tmp_path, capture_output=True, check=True)
        begins.append(done.stdout[:20])
    assert (tmp_path / "game.mjson").read_bytes().startswith(b'{"type":"start_game"')
    assert begins == [b"", b"upload:4:27: R005 er", b"name,game_count,firs"]


SLOW = "import sys, time; from mjconv.batch.worker import main; main(lambda task, plan: time.sleep(60))"


def test_a_request_that_takes_too_long_is_ended_and_a_full_queue_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "COMMAND", (sys.executable, "-c", SLOW))

    async def ask(workers: Workers) -> list[int]:
        answers = await asyncio.gather(*(workers.answer(Request("info", {}, "", GAME)) for _ in range(2)))
        return [found.status for found in answers]

    workers = Workers(1, 0.5, 1)
    with workers:
        assert asyncio.run(ask(workers)) == [503, 429]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--host", "0.0.0.0"], "add --public"),
        (["--bot", "python3 bot.py"], "NAME=COMMAND"),
        (["--bot", "x=no-such-program"], "no program"),
        (["--limit", "bytes=1"], "no limit 'bytes'"),
    ],
)
def test_wrong_options_are_refused_before_it_starts(words: list[str], part: str) -> None:
    command = [sys.executable, "-m", "mjconv", "serve", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert part in done.stderr


def test_a_port_in_use_is_named(served: Served) -> None:
    port = served.address.rstrip("/").rpartition(":")[2]
    command = [sys.executable, "-m", "mjconv", "serve", "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "cannot be used" in done.stderr) == (2, True)


def test_it_answers_lives_on_when_a_worker_dies_and_leaves_no_process(served: Served) -> None:
    address, process = served
    ask = urllib.request.Request(f"{address}convert?to=mjai", GAME)
    with urllib.request.urlopen(ask) as found:
        first = found.read()
    [worker] = children(process.pid)
    os.kill(worker, signal.SIGKILL)
    with urllib.request.urlopen(ask) as found:
        assert found.read() == first
    with socket.create_connection((address.split("/")[2].split(":")[0], int(address.split(":")[2][:-1]))) as slow:
        slow.sendall(b"POST /info HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab")
    workers = children(process.pid)
    process.send_signal(signal.SIGINT)
    process.wait(20)
    deadline = time.monotonic() + 10
    while any(map(os.path.exists, (f"/proc/{worker}" for worker in workers))) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(os.path.exists(f"/proc/{worker}") for worker in workers)
