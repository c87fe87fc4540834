"""The engine Ray: tasks run on a cluster of Ray, or on this machine. Loading this module loads ray."""

from __future__ import annotations

import logging
import os
from concurrent.futures import Future
from typing import Any, Final

import ray

from mjconv.fleet.engines import Work

#: The size of Ray's object store in bytes. It holds shards and results, which are small.
_STORE_BYTES: Final = 1 << 27


class RayEngine:
    """Runs each task as a task of Ray on one core. Ray itself does not try a task again."""

    inside = False

    def __init__(self, workers: int, address: str | None = None) -> None:
        self.workers = workers
        self.address = address or os.environ.get("RAY_ADDRESS")
        self._own = False
        self._running: dict[Future[Any], Any] = {}

    def __enter__(self) -> RayEngine:
        if not ray.is_initialized():
            self._own = True
            options: dict[str, Any] = {"address": self.address}
            if self.address is None:
                # "local" starts a new cluster. Without it, Ray may join another cluster on this machine.
                options = {"address": "local", "num_cpus": self.workers, "include_dashboard": False}
                options["object_store_memory"] = _STORE_BYTES
            ray.init(**options, log_to_driver=False, logging_level=logging.ERROR, configure_logging=False)
        if self.address is not None:
            self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._task = ray.remote(num_cpus=1, max_retries=0)(_run)
        return self

    def __exit__(self, *_: object) -> None:
        for running in list(self._running.values()):
            ray.cancel(running, force=True)
        if self._own:
            ray.shutdown()

    def submit(self, work: Work, argument: Any) -> Future[Any]:
        """Start a task of Ray."""
        running = self._task.remote(work, argument)
        future: Future[Any] = running.future()
        self._running[future] = running
        future.add_done_callback(self._running.pop)
        return future


def _run(work: Work, argument: Any) -> Any:
    """Return the error of a task as its value: Ray changes the type of an error that is raised."""
    try:
        return work(argument)
    except Exception as error:
        return error
