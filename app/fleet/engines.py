"""Engines run tasks at the same time. The contract of an engine, and the one for the cores of this machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Event, Thread
from types import TracebackType
from typing import Any, NamedTuple, Protocol, TypeAlias

#: A function that tasks run, in any process: it takes the argument of the task, and an event that asks it to stop.
Work: TypeAlias = Callable[[Any, Event | None], Any]


class Outcome(NamedTuple):
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

    def next_outcome(self, seconds: float) -> Outcome | None:
        """Wait for the end of a task; return None after this time. An error is the value of an `Outcome`."""


class LocalEngine:
    """Runs tasks in threads of this process; each shard has a process of its own for its conversions."""

    inside = True

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._stop = Event()
        self._tasks: SimpleQueue[tuple[int, Work, Any] | None] = SimpleQueue()
        self._outcomes: SimpleQueue[Outcome] = SimpleQueue()
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

    def next_outcome(self, seconds: float) -> Outcome | None:
        """Wait for the end of a task."""
        try:
            return self._outcomes.get(timeout=seconds)
        except Empty:
            return None

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None and not self._stop.is_set():
            number, work, argument = task
            try:
                self._outcomes.put(Outcome(number, work(argument, self._stop)))
            except BaseException as error:
                self._outcomes.put(Outcome(number, error))
