"""Engines run tasks at the same time: their contract, the one for the cores of this machine, and the loop."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from threading import Event
from typing import Any, Final, Protocol, TypeAlias

from mjconv.ir.errors import UsageError

#: A function that tasks run, in any process: it takes the argument of the task. In threads of this process it also
#: takes an event as `stop`, which asks it to stop.
Work: TypeAlias = Callable[..., Any]


class Engine(AbstractContextManager[object], Protocol):
    """Runs tasks; a context manager."""

    #: The number of tasks that run at the same time.
    workers: int
    #: Whether the tasks run in this process, and see its memory.
    inside: bool

    def submit(self, work: Work, argument: Any, /) -> Future[Any]:
        """Start a task, now or when a worker is free. The engine does not repeat a task that raised an error.

        The error of a task is the exception of its future, or its result.
        """


class LocalEngine:
    """Runs tasks in threads of this process; each shard has a process of its own for its conversions."""

    inside = True

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def __enter__(self) -> LocalEngine:
        self._stop = Event()
        self._pool = ThreadPoolExecutor(self.workers)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def submit(self, work: Work, argument: Any) -> Future[Any]:
        """Start a task in a thread."""
        return self._pool.submit(work, argument, stop=self._stop)


#: The number of times that a task is tried.
ATTEMPTS: Final = 3
#: The most tasks that are submitted for each worker. Some tasks wait, so that no worker waits.
_WINDOW: Final = 3
#: The longest wait for the end of a task, in seconds. After it, Python can handle an interruption.
_PATIENCE: Final = 0.5


def run_tasks(engine: Engine, work: Work, arguments: Iterable[Any], attempts: int) -> Iterator[tuple[Any, Any]]:
    """Run a task for each argument. Yield the argument, and the value or the error, as each task ends.

    A task that fails is tried again after others. After `attempts` times its error is the result. A `UsageError`
    is the result at once, because another attempt would raise it again.
    """
    first = ((argument, 1) for argument in arguments)
    again: deque[tuple[Any, int]] = deque()
    running: dict[Future[Any], tuple[Any, int]] = {}
    while True:
        while len(running) < _WINDOW * engine.workers:
            task = next(first, None) or (again.popleft() if again else None)
            if task is None:
                break
            running[engine.submit(work, task[0])] = task
        if not running:
            return
        for future in wait(running, _PATIENCE, FIRST_COMPLETED).done:
            argument, tried = running.pop(future)
            end = _end_of(future)
            if isinstance(end, BaseException) and not isinstance(end, UsageError) and tried < attempts:
                again.append((argument, tried + 1))
            else:
                yield argument, end


def _end_of(future: Future[Any]) -> Any:
    """Return the value or the error of a task that ended."""
    if future.cancelled():
        return CancelledError("the cluster ended the task")
    error = future.exception()
    return future.result() if error is None else error
