"""Divide sources into shards; archives are divided by the tasks of an engine."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from threading import Event
from typing import Final

from mjconv.fleet.engines import Engine
from mjconv.fleet.shards import FileList, ListedFile
from mjconv.fleet.sources import Index, Piecewise, divide, grouped, listed_files
from mjconv.fleet.tasks import ATTEMPTS, run_tasks
from mjconv.ir.limits import Limits

#: The most archives whose shards wait for the shards of an earlier archive.
_WAITING: Final = 10_000


def pieces_of(
    sources: Iterable[str], games: int, limits: Limits, engine: Engine, avoid: Collection[str] = ()
) -> Iterator[Piecewise]:
    """Yield the shards of sources in order. Raises `OSError`, `StorageError` and `UsageError`."""
    return grouped(_in_order(listed_files(sources, avoid), games, limits, engine), games)


def _in_order(files: Iterator[ListedFile], games: int, limits: Limits, engine: Engine) -> Iterator[Piecewise]:
    ready: dict[int, list[Piecewise]] = {}
    first = 0

    def tasks() -> Iterator[tuple[int, Index]]:
        for number, file in enumerate(files):
            if file.archive:
                yield number, Index(file, games, limits)
            else:
                ready[number] = [Piecewise(FileList((file,)), 1, file.size)]

    for number, _, result in run_tasks(engine, index, tasks(), ATTEMPTS):
        if isinstance(result, BaseException):
            raise result
        ready[number] = result
        while first in ready:
            yield from ready.pop(first)
            first += 1
    while first in ready:
        yield from ready.pop(first)
        first += 1


def index(task: Index, stop: Event | None) -> list[Piecewise]:  # noqa: ARG001
    """Divide a file, as a task of an engine."""
    return divide(task)
