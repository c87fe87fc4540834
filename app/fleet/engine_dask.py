"""The engine Dask: tasks run on a cluster of Dask, or on this machine. Loading this module loads distributed."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from contextlib import ExitStack
from typing import Any

from distributed import Client, LocalCluster

from mjconv.fleet.engines import Work


class DaskEngine:
    """Runs each task as a task of Dask. If a worker dies, Dask itself starts the task again, a few times."""

    inside = False

    def __init__(self, workers: int, address: str | None = None) -> None:
        self.workers = workers
        self.address = address
        self._stack = ExitStack()

    def __enter__(self) -> DaskEngine:
        cluster: Any = self.address or self._stack.enter_context(
            LocalCluster(
                n_workers=self.workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
        )
        client = self._stack.enter_context(Client(cluster, set_as_default=False))
        if self.address is not None:
            self.workers = max(1, sum(client.nthreads().values()))
        self._executor = client.get_executor(retries=0)
        self._stack.callback(self._executor.shutdown, wait=False)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def submit(self, work: Work, argument: Any) -> Future[Any]:
        """Start a task of Dask."""
        future: Future[Any] = self._executor.submit(work, argument)
        return future
