"""The worker processes of a run; a thread for each worker sends its tasks and receives its outcomes.

`ProcessPoolExecutor` is not used: one worker that dies ends the whole executor and all its tasks. Here a worker
that dies, or takes too long, costs only the member that it was converting, and a new process takes its place.
`pebble` is not used: all its workers read one pipe behind one lock, and a worker that is killed while it holds the
lock breaks the whole pool. Version 5.2 did so at one of six kills of a worker.

Processes are started and not forked, so no lock of another thread is copied into them.
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
from typing import Any, Final

from mjconv.batch import protocol
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Failure, Outcome, Task
from mjconv.ir.errors import MjconvError

#: The command of a worker; with -P, a file in the current folder is never imported as a module.
COMMAND: Final = (sys.executable, "-P", "-m", "mjconv.batch.worker")
#: The longest time for one member, in seconds.
MEMBER_SECONDS: Final = 300.0
#: The run ends after this many processes in a row that do not start.
_FALSE_STARTS: Final = 3

#: Each core has a worker, so polars needs no threads in it: two of them take half as much time again.
_ONE_THREAD: Final = {"POLARS_MAX_THREADS": "1"}

DIED: Final = "died"
TIME: Final = "time"


class WorkerError(MjconvError):
    """No worker can be started."""


class WorkerPool:
    """Workers that convert chunks of tasks; a context manager that ends all processes."""

    def __init__(
        self, plan: Plan, jobs: int, *, command: Sequence[str] = COMMAND, seconds: float = MEMBER_SECONDS
    ) -> None:
        self.plan = plan
        self.command = command
        self.seconds = seconds
        self.inbox: SimpleQueue[list[Task] | None] = SimpleQueue()
        self.outbox: SimpleQueue[Outcome | WorkerError] = SimpleQueue()
        self.workers = [_Worker(self) for _ in range(jobs)]

    def __enter__(self) -> WorkerPool:
        for worker in self.workers:
            worker.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.stop()
            self.inbox.put(None)

    def submit(self, tasks: list[Task]) -> None:
        """Put a chunk of tasks in the queue; the first free worker takes it."""
        self.inbox.put(tasks)

    def next_outcome(self, timeout: float) -> Outcome | None:
        """Wait for the next outcome, in any order; returns None after `timeout` seconds.

        Raises `WorkerError` if workers cannot be started.
        """
        for worker in self.workers:
            worker.kill_if_late()
        try:
            outcome = self.outbox.get(timeout=timeout)
        except Empty:
            return None
        if isinstance(outcome, WorkerError):
            raise outcome
        return outcome

    def processes(self) -> list[int]:
        """Return the ids of the running processes."""
        return [worker.ready for worker in self.workers if worker.ready is not None]


class _Worker:
    """A thread of the pool and its current process."""

    def __init__(self, pool: WorkerPool) -> None:
        self.pool = pool
        self.thread = Thread(target=self._run, daemon=True)
        self.process: subprocess.Popen[bytes] | None = None
        #: The id of the process after its first message.
        self.ready: int | None = None
        self.lock = Lock()
        self.stopped = Event()
        #: The number of the current task and its start time; the number of a task that took too long.
        self.task: tuple[int, float] | None = None
        self.late: int | None = None

    def stop(self) -> None:
        """Kill the process and take no more tasks."""
        with self.lock:
            self.stopped.set()
            if self.process is not None:
                self.process.kill()

    def kill_if_late(self) -> None:
        """Kill the process if its task takes too long."""
        task = self.task
        if task is not None and time.monotonic() - task[1] > self.pool.seconds:
            with self.lock:
                if self.process is not None:
                    self.late, self.task = task[0], None
                    self.process.kill()

    def _run(self) -> None:
        try:
            while not self.stopped.is_set() and (chunk := self.pool.inbox.get()) is not None:
                self._convert(deque(chunk))
        except WorkerError as error:
            self.pool.outbox.put(error)
        except Exception as error:
            # Without a message the run would wait for an outcome forever.
            self.pool.outbox.put(WorkerError(f"the worker processes cannot be used ({error})"))
        finally:
            self._end_process()

    def _convert(self, tasks: deque[Task]) -> None:
        """Convert all tasks; if the process dies, start a new one and try the current task once more, alone."""
        retried: int | None = None
        while tasks and not self.stopped.is_set():
            alone = retried == tasks[0].number
            self._send([tasks[0]] if alone else list(tasks), tasks)
            if not tasks or (alone and retried != tasks[0].number):
                continue
            if self.stopped.is_set():
                return
            late, code = self.late, self._end_process()
            if late == tasks[0].number:
                self._fail(tasks.popleft(), TIME, f"took more than {self.pool.seconds:g} seconds")
            elif alone:
                how = f"signal {-code}" if code < 0 else f"status {code}"
                self._fail(tasks.popleft(), DIED, f"the process that read it died twice ({how})")
            else:
                retried = tasks[0].number

    def _send(self, chunk: list[Task], tasks: deque[Task]) -> None:
        """Send a chunk, and remove each task from `tasks` when its outcome arrives, until the process ends."""
        process = self._running_process()
        with suppress(OSError):
            protocol.send(process.stdin, chunk)  # type: ignore[arg-type]
            for task in chunk:
                self.task = (task.number, time.monotonic())
                outcome = protocol.receive(process.stdout, protocol.read_outcome)  # type: ignore[arg-type]
                if outcome is None:
                    break
                tasks.popleft()
                self.pool.outbox.put(outcome)
        self.task = None

    def _running_process(self) -> subprocess.Popen[bytes]:
        """Return the process, a new one if there is none; raises `WorkerError` if none can be started."""
        for _ in range(_FALSE_STARTS):
            if self.process is not None:
                return self.process
            with self.lock:
                if self.stopped.is_set():
                    break
                process = self.process = _start(self.pool.command)
            with suppress(OSError):
                protocol.send(process.stdin, self.pool.plan)  # type: ignore[arg-type]
                ready = protocol.receive(process.stdout, protocol.read_ready)  # type: ignore[arg-type]
                if ready is not None:
                    self.ready = ready
                    return process
            self._end_process()
        raise WorkerError("the worker processes cannot be started")

    def _end_process(self) -> int:
        """Kill the process if it is still running, and return its exit status."""
        with self.lock:
            process, self.process, self.ready, self.late = self.process, None, None, None
        if process is None:
            return 0
        process.kill()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                stream.close()  # type: ignore[union-attr]
        return process.wait()

    def _fail(self, task: Task, kind: str, error: str) -> None:
        self.pool.outbox.put(Outcome(task.number, failure=Failure(task.member.name, kind, error)))


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a process in a group of its own, so that Ctrl-C at the terminal reaches only the run."""
    own_group: dict[str, Any] = {"process_group": 0}
    if os.name == "nt":
        own_group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}  # type: ignore[attr-defined,unused-ignore]
    pipe = subprocess.PIPE
    process: subprocess.Popen[bytes] = subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=os.environ | _ONE_THREAD, **own_group
    )
    return process
