"""The engine Dask: tasks run on a cluster of Dask, or on this machine. Loading this module loads distributed."""

from __future__ import annotations

import logging
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any

from distributed import Client, LocalCluster

from mjconv.fleet.engines import TaskEnd, Work


class DaskEngine:
    """Runs each task as a task of Dask. If a worker dies, Dask itself starts the task again, a few times."""

    inside = False

    def __init__(self, workers: int, address: str | None = None) -> None:
        self.workers = workers
        self.address = address
        self._cluster: Any = None
        self._client: Any = None
        self._futures: dict[int, Any] = {}
        self._ended: SimpleQueue[tuple[int, Any]] = SimpleQueue()
        self._tries = count()

    def __enter__(self) -> DaskEngine:
        if self.address is None:
            self._cluster = LocalCluster(
                n_workers=self.workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
        self._client = Client(self._cluster or self.address, set_as_default=False)
        if self.address is not None:
            self.workers = max(1, sum(self._client.nthreads().values()))
        return self

    def __exit__(self, *_: object) -> None:
        for future in self._futures.values():
            future.cancel()
        self._futures.clear()
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    def submit(self, number: int, work: Work, argument: Any) -> None:
        """Start a task of Dask."""
        key = f"mjconv-{number}-{next(self._tries)}"
        future = self._client.submit(work, argument, None, key=key, pure=False, retries=0)
        self._futures[number] = future
        future.add_done_callback(lambda ended: self._ended.put((number, ended)))

    def next_outcome(self, seconds: float) -> TaskEnd | None:
        """Wait for the end of a task."""
        try:
            number, future = self._ended.get(timeout=seconds)
        except Empty:
            return None
        self._futures.pop(number, None)
        error = future.exception()
        return TaskEnd(number, future.result() if error is None else error)
