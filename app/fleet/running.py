"""Run the shards of a fleet on an engine, and finish it."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

from mjconv.fleet.api import Fleet
from mjconv.fleet.convert import convert_shard
from mjconv.fleet.engines import Engine
from mjconv.fleet.results import Done, FailedShard
from mjconv.fleet.shards import Shard
from mjconv.fleet.tasks import run_tasks
from mjconv.ir.errors import MjconvError, UsageError, printable
from mjconv.storage.address import redacted


def run_shards(fleet: Fleet, engine: Engine, attempts: int) -> Iterator[tuple[Shard, Done | FailedShard]]:
    """Convert the shards that have no result, and yield each with its end. A shard that fails is recorded.

    Raises `UsageError` if the engine cannot convert any shard: its workers have other versions, or cannot read the
    storage.
    """
    if not fleet.store.shared and not engine.inside:
        raise UsageError(
            "memory:// is inside one process: only the engine local can use it", file=redacted(fleet.output)
        )
    fleet.forget(fleet.damaged())
    numbered = ((shard.number, shard) for shard in fleet.pending())
    for _, shard, end in run_tasks(engine, convert, numbered, attempts):
        if isinstance(end, UsageError):
            raise end
        if isinstance(end, BaseException):
            failed = FailedShard(shard.name, _reason(end), attempts)
            fleet.record_failure(failed)
            yield shard, failed
        else:
            yield shard, end


def convert(shard: Shard, stop: Event | None) -> Done:
    """Convert a shard, as a task of an engine."""
    return convert_shard(shard, stop=stop)


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return printable(redacted(f"{name}{error.strerror or error}"))
    text = str(error) if isinstance(error, MjconvError) else f"{type(error).__name__}: {error}"
    return printable(redacted(text))
