"""Engines run tasks at the same time: their contract, the one for the cores of this machine, and the loop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from threading import Event, Thread
from types import TracebackType
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from mjconv.ir.errors import UsageError

#: A function that tasks run, in any process: it takes the argument of the task, and an event that asks it to stop.
Work: TypeAlias = Callable[[Any, Event | None], Any]


class TaskEnd(NamedTuple):
    """The end of a task: its number, and its value or its error."""

    number: int
    value: Any


class Engine(Protocol):
    """Runs tasks; a context manager."""

    #: The number of tasks that run at the same time.
    workers: int
    #: Whether the tasks run in this process, and see its memory.
    inside: bool

    def __enter__(self) -> Engine: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

    def submit(self, number: int, work: Work, argument: Any) -> None:
        """Start a task, now or when a worker is free. The engine does not repeat a task that raised an error."""

    def next_outcome(self, seconds: float) -> TaskEnd | None:
        """Wait for the end of a task; return None after this time. An error is the value of an `TaskEnd`."""


class LocalEngine:
    """Runs tasks in threads of this process; each shard has a process of its own for its conversions."""

    inside = True

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._stop = Event()
        self._tasks: SimpleQueue[tuple[int, Work, Any] | None] = SimpleQueue()
        self._outcomes: SimpleQueue[TaskEnd] = SimpleQueue()
        self._threads: list[Thread] = []

    def __enter__(self) -> LocalEngine:
        self._threads = [Thread(target=self._run, daemon=True) for _ in range(self.workers)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for _thread in self._threads:
            self._tasks.put(None)
        end = time.monotonic() + 10
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def submit(self, number: int, work: Work, argument: Any) -> None:
        """Put a task in the queue."""
        self._tasks.put((number, work, argument))

    def next_outcome(self, seconds: float) -> TaskEnd | None:
        """Wait for the end of a task."""
        try:
            return self._outcomes.get(timeout=seconds)
        except Empty:
            return None

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None and not self._stop.is_set():
            number, work, argument = task
            try:
                self._outcomes.put(TaskEnd(number, work(argument, self._stop)))
            except BaseException as error:
                self._outcomes.put(TaskEnd(number, error))


#: The number of times that a task is tried.
ATTEMPTS: Final = 3
#: The most tasks that are submitted for each worker. Some tasks wait, so that no worker waits.
_WINDOW: Final = 3
#: The longest wait for an outcome, in seconds. After it, Python can handle an interruption.
_PATIENCE: Final = 0.5


def run_tasks(
    engine: Engine, work: Work, tasks: Iterator[tuple[int, Any]], attempts: int
) -> Iterator[tuple[int, Any, Any]]:
    """Run tasks, each a number and an argument. Yield number, argument, and value or error as each task ends.

    A task that fails is tried again after others. After `attempts` times its error is the result. A `UsageError`
    is the result at once, because another attempt would raise it again.
    """
    running: dict[int, tuple[Any, int]] = {}
    again: list[tuple[int, Any, int]] = []
    more = True
    while more or running or again:
        while more and len(running) < _WINDOW * engine.workers:
            task = next(tasks, None)
            more = task is not None
            if task is not None:
                number, argument = task
                running[number] = argument, 1
                engine.submit(number, work, argument)
        while again and len(running) < _WINDOW * engine.workers:
            number, argument, tried = again.pop(0)
            running[number] = argument, tried
            engine.submit(number, work, argument)
        if not running:
            continue
        outcome = engine.next_outcome(_PATIENCE)
        if outcome is None:
            continue
        argument, tried = running.pop(outcome.number)
        error = outcome.value
        if isinstance(error, BaseException) and not isinstance(error, UsageError) and tried < attempts:
            again.append((outcome.number, argument, tried + 1))
        else:
            yield outcome.number, argument, outcome.value
