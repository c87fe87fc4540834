"""The server as a process: real requests, a worker that is killed, a request that takes too long, and its end."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus_files import CORPUS
from mjconv.serve import server as module
from mjconv.serve.server import Workers
from mjconv.serve.worker import Request

pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")
GAME = (CORPUS / "tenhou/hex.mjlog").read_bytes()
BOT = (Path(__file__).parents[1] / "reviewer/bots.py").resolve()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    command = [sys.executable, "-m", "mjconv", "serve", "--jobs", "1", "--port", str(free_port())]
    folder = tmp_path_factory.mktemp("served")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        for _ in range(100):
            try:
                urllib.request.urlopen(address).close()
                break
            except urllib.error.URLError:
                time.sleep(0.1)
        yield address, process
        process.kill()


def children(process: int) -> list[int]:
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False
    )
    return [int(word) for word in found.stdout.split()]


def test_it_answers_lives_on_when_a_worker_dies_and_leaves_no_process(
    served: tuple[str, subprocess.Popen[str]],
) -> None:
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


SLOW = "import sys, time; from mjconv.batch.worker import main; main(lambda task, plan: time.sleep(60))"


def test_a_request_that_takes_too_long_is_ended_and_a_full_queue_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "COMMAND", (sys.executable, "-c", SLOW))

    async def ask(workers: Workers) -> list[int]:
        answers = await asyncio.gather(*(workers.answer(Request("info", {}, "", GAME)) for _ in range(2)))
        return [found.status for found in answers]

    workers = Workers(1, 0.5, 1)
    with workers.pool:
        assert asyncio.run(ask(workers)) == [503, 429]
