"""The engine Ray: tasks run on a cluster of Ray, or on this machine. Loading this module loads ray."""

from __future__ import annotations

import logging
import os
from typing import Any, Final

import ray

from mjconv.fleet.engines import TaskEnd, Work

#: The size of Ray's object store in bytes. It holds shards and results, which are small.
_STORE_BYTES: Final = 1 << 27


class RayEngine:
    """Runs each task as a task of Ray on one core. Ray itself does not try a task again."""

    inside = False

    def __init__(self, workers: int, address: str | None = None) -> None:
        self.workers = workers
        self.address = address or os.environ.get("RAY_ADDRESS")
        self._own = False
        self._numbers: dict[Any, int] = {}

    def __enter__(self) -> RayEngine:
        if not ray.is_initialized():
            self._own = True
            options: dict[str, Any] = {"address": self.address}
            if self.address is None:
                # "local" starts a new cluster. Without it, Ray may join another cluster on this machine.
                options = {
                    "address": "local",
                    "num_cpus": self.workers,
                    "include_dashboard": False,
                    "object_store_memory": _STORE_BYTES,
                }
            ray.init(**options, log_to_driver=False, logging_level=logging.ERROR, configure_logging=False)
        if self.address is not None:
            self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._task = ray.remote(num_cpus=1, max_retries=0)(_run)
        return self

    def __exit__(self, *_: object) -> None:
        for running in self._numbers:
            ray.cancel(running, force=True)
        self._numbers.clear()
        if self._own:
            ray.shutdown()

    def submit(self, number: int, work: Work, argument: Any) -> None:
        """Start a task of Ray."""
        self._numbers[self._task.remote(work, argument)] = number

    def next_outcome(self, seconds: float) -> TaskEnd | None:
        """Wait for the end of a task."""
        ended, _ = ray.wait(list(self._numbers), num_returns=1, timeout=seconds)
        if not ended:
            return None
        number = self._numbers.pop(ended[0])
        try:
            return TaskEnd(number, ray.get(ended[0]))
        except ray.exceptions.RayTaskError as error:
            return TaskEnd(number, error.cause)
        except ray.exceptions.RayError as error:
            return TaskEnd(number, error)


def _run(work: Work, argument: Any) -> Any:
    return work(argument, None)
