"""The workers of a run: processes that convert, each with a thread that feeds it.

A worker that dies, or takes too long over a member, costs that member, and another takes its place. Processes are
started anew, not forked: nothing that another thread holds is copied into them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Final

from mjconv.batch import protocol
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Chunk
from mjconv.batch.work import Failure, Outcome, Task
from mjconv.ir.errors import MjconvError

#: What is run as a worker; -P, so that no file in the current folder is taken for a module.
COMMAND: Final = (sys.executable, "-P", "-m", "mjconv.batch.worker")
#: The longest that one member may take, in seconds.
MEMBER_SECONDS: Final = 300.0
#: So many workers in a row that do not even start end the run.
_FALSE_STARTS: Final = 3

DIED: Final = "died"
TIME: Final = "time"


class WorkerError(MjconvError):
    """No worker can be started."""


class Crew:
    """Workers that take chunks of tasks; used in a ``with``, which leaves none of them behind."""

    def __init__(
        self,
        plan: Plan,
        jobs: int,
        *,
        command: Sequence[str] = COMMAND,
        seconds: float = MEMBER_SECONDS,
    ) -> None:
        self.plan = plan
        self.command = command
        self.seconds = seconds
        self.inbox: SimpleQueue[Chunk | None] = SimpleQueue()
        self.outbox: SimpleQueue[Outcome | WorkerError] = SimpleQueue()
        self.workers = [_Worker(self) for _ in range(jobs)]

    def __enter__(self) -> Crew:
        for worker in self.workers:
            worker.thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self.workers:
            worker.end()
            self.inbox.put(None)

    def give(self, tasks: list[Task]) -> None:
        """Have a chunk done by whoever is free first."""
        self.inbox.put(Chunk(tasks))

    def outcome(self, timeout: float) -> Outcome | None:
        """Wait for the next outcome, in whatever order they come; none when there is none in time.

        Raises `WorkerError` when workers cannot be started.
        """
        for worker in self.workers:
            worker.hurry()
        try:
            outcome = self.outbox.get(timeout=timeout)
        except Empty:
            return None
        if isinstance(outcome, WorkerError):
            raise outcome
        return outcome

    def processes(self) -> list[int]:
        """Give the ids of the processes that are at work."""
        return [worker.ready for worker in self.workers if worker.ready is not None]


class _Worker:
    """One place in the crew: a thread, and the process that it feeds at the time."""

    def __init__(self, crew: Crew) -> None:
        self.crew = crew
        self.thread = Thread(target=self._run, daemon=True)
        self.process: subprocess.Popen[bytes] | None = None
        #: The id of the process, once it has said that it is there.
        self.ready: int | None = None
        self.lock = Lock()
        self.ended = Event()
        #: The task that the process is at, and since when; the one that it was killed over.
        self.task: tuple[int, float] | None = None
        self.late: int | None = None

    def end(self) -> None:
        """Let go of the process, whatever it does."""
        with self.lock:
            self.ended.set()
            if self.process is not None:
                self.process.kill()

    def hurry(self) -> None:
        """Kill a process that takes too long."""
        task = self.task
        if task is not None and time.monotonic() - task[1] > self.crew.seconds:
            with self.lock:
                if self.process is not None:
                    self.late, self.task = task[0], None
                    self.process.kill()

    def _run(self) -> None:
        try:
            while not self.ended.is_set() and (chunk := self.crew.inbox.get()) is not None:
                self._do(deque(chunk.tasks))
        except WorkerError as error:
            self.crew.outbox.put(error)
        except Exception as error:
            # Whoever waits for an outcome must hear of it.
            self.crew.outbox.put(WorkerError(f"the processes that convert cannot be used ({error})"))
        finally:
            self._let_go()

    def _do(self, tasks: deque[Task]) -> None:
        """Have tasks done, with a new process for one that dies; its task is tried once more, alone."""
        tried: int | None = None
        while tasks and not self.ended.is_set():
            alone = tried == tasks[0].number
            self._send([tasks[0]] if alone else list(tasks), tasks)
            if not tasks or (alone and tried != tasks[0].number):
                continue
            if self.ended.is_set():
                return
            late, code = self.late, self._let_go()
            if late == tasks[0].number:
                said = f"took more than {self.crew.seconds:g} seconds"
                self._fail(tasks.popleft(), TIME, said)
            elif alone:
                self._fail(tasks.popleft(), DIED, f"the process that read it died twice ({_how(code)})")
            else:
                tried = tasks[0].number

    def _send(self, chunk: list[Task], tasks: deque[Task]) -> None:
        """Send tasks and take in what comes of them, off `tasks`: all, or up to where the process ends."""
        process = self._started()
        with suppress(OSError):
            protocol.send(process.stdin, Chunk(chunk))  # type: ignore[arg-type]
            for task in chunk:
                self.task = (task.number, time.monotonic())
                outcome = protocol.receive(process.stdout, protocol.read_outcome)  # type: ignore[arg-type]
                if outcome is None:
                    break
                tasks.popleft()
                self.crew.outbox.put(outcome)
        self.task = None

    def _started(self) -> subprocess.Popen[bytes]:
        """Give the process, a new one where there is none; raises `WorkerError` where none can be started."""
        for _ in range(_FALSE_STARTS):
            if self.process is not None:
                return self.process
            with self.lock:
                if self.ended.is_set():
                    break
                process = self.process = _start(self.crew.command)
            with suppress(OSError):
                protocol.send(process.stdin, self.crew.plan)  # type: ignore[arg-type]
                ready = protocol.receive(process.stdout, protocol.read_ready)  # type: ignore[arg-type]
                if ready is not None:
                    self.ready = ready.process
                    return process
            self._let_go()
        raise WorkerError("the processes that convert cannot be started")

    def _let_go(self) -> int:
        """End the process if it has not ended itself, and tell its exit status."""
        with self.lock:
            process, self.process, self.ready, self.late = self.process, None, None, None
        if process is None:
            return 0
        process.kill()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                stream.close()  # type: ignore[union-attr]
        return process.wait()

    def _fail(self, task: Task, kind: str, said: str) -> None:
        self.crew.outbox.put(Outcome(task.number, failure=Failure(task.member.name, kind, said)))


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a process of a group of its own: Ctrl-C at the terminal is for the run alone."""
    if os.name == "nt":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP  # type: ignore[attr-defined,unused-ignore]
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, creationflags=flags
        )
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, process_group=0
    )


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"status {code}"
