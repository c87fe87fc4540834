"""Run tasks on an engine: a bounded number at a time, and each a finite number of times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mjconv.fleet.engines import Engine, Work
from mjconv.ir.errors import UsageError

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
