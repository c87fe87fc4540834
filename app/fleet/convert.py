"""Convert shards: the work of a task, on any machine, any number of times, and all tasks of a fleet."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from threading import Event
from typing import Final

from mjconv.batch.digests import sha256_in
from mjconv.batch.run import Run
from mjconv.batch.shapes import PARQUET
from mjconv.batch.summary import Summary
from mjconv.files.address import redacted
from mjconv.files.locks import temporary_folder
from mjconv.files.remote import StorageError
from mjconv.fleet.api import Fleet
from mjconv.fleet.engines import Engine, run_tasks
from mjconv.fleet.joining import PartFile, join
from mjconv.fleet.results import Done, FailedShard, Part, part_name
from mjconv.fleet.shards import ENDINGS, Joining, Shard, check_same_versions
from mjconv.fleet.sources import ChangedError, members_of
from mjconv.fleet.store import DONE, FAILED, FAILURES, RENAMED, Store, store_of
from mjconv.ir import limits
from mjconv.ir.errors import MjconvError, UsageError, file_of, printable
from mjconv.messages import json_record


class StoppedError(MjconvError):
    """The run ends before the shard is converted."""


def convert_shard(shard: Shard, *, jobs: int = 1, stop: Event | None = None) -> Done:
    """Convert a shard: write its part, its lists, and at the end its result. Return the result.

    The same shard makes the same bytes, so it may run more than once, also at the same time. A shard that has its
    part and its result is not converted again. `jobs` processes convert the members. If one dies, only the member
    that it was converting fails. If `stop` is set, raises `StoppedError` soon. Raises `UsageError` if this process
    has other versions than the plan, `StorageError` if a source changed or storage does not answer, and `OSError`.
    """
    check_same_versions(shard.head)
    store = store_of(shard.output)
    if (done := result_of(shard, store)) is not None and all(store.has(part.path) for part in done.parts):
        return done
    plan, source = shard.head.plan, shard.source

    def watch(_: Summary) -> None:
        if stop is not None and stop.is_set():
            raise StoppedError("the run was stopped")

    with temporary_folder() as folder, limits.using(plan.settings.limits):
        if isinstance(source, Joining):
            return _written(shard, store, join(plan, source, shard.id, store, folder))
        path = os.path.join(folder, "part" + ("" if plan.in_folder else ENDINGS[plan.shape]))
        run = Run(plan, path, durable=False)
        run.prepare()
        run.convert(members_of(source), jobs, watch)
        counts, read = run.summary.splits or {"": run.summary.counts.matches}, run.read.hexdigest()
        files = run.output.files() if run.paths.in_folder else [("", path)]
        parts = (PartFile(own, plan.shape, split, read, counts.get(split, 0)) for split, own in files)
        return _written(shard, store, parts, run)


def result_of(shard: Shard, store: Store) -> Done | None:
    """Return the result of a shard; None if it has none, or a damaged one."""
    try:
        return Done.of(store.read(f"{DONE}/{shard.name}.json"), shard.name)
    except FileNotFoundError:
        return None


def _written(shard: Shard, store: Store, files: Iterable[PartFile], run: Run | None = None) -> Done:
    """Write the parts of a shard, the lists of its run, and its result."""
    parts = []
    for own in files:
        # A split without matches has no file of lines: its part is an empty file.
        with open(own.path, "ab"):
            sha256 = sha256_in(own.path)
        part = Part(
            path=part_name(shard.number, sha256, own.shape, own.split, own.folder),
            shard=shard.name,
            size=os.path.getsize(own.path),
            sha256=sha256,
            read=own.read,
            matches=own.matches,
            first_match=0,
            rows=_rows(own.path) if own.shape == PARQUET else 0,
            split=own.split,
            folder=own.folder,
        )
        store.put(part.path, own.path)
        parts.append(part)
    sums, lists = {part.path: part.sha256 for part in parts}, {}
    for folder, path in ((FAILURES, run.paths.failures), (RENAMED, run.paths.renamed)) if run else ():
        if os.path.exists(path):
            lists[folder] = f"{folder}/{shard.name}.jsonl"
            sums[lists[folder]] = sha256_in(path)
            store.put(lists[folder], path)
    done = Done(
        number=shard.number,
        id=shard.id,
        parts=tuple(parts),
        sha256=sums,
        summary=run.summary.without_run() if run else Summary(),
        failures=lists.get(FAILURES, ""),
        renamed=lists.get(RENAMED, ""),
        collected=tuple(run.output.collected()) if run else (),
    )
    store.write(f"{DONE}/{shard.name}.json", json_record(done))
    return done


def _rows(path: str) -> int:
    import pyarrow.parquet as pq

    return int(pq.read_metadata(path).num_rows)


#: The shards of the plan, those of them whose collected rows are gone, and the shards that join rows.
_ROUNDS: Final = 3


def run_shards(
    fleet: Fleet,
    engine: Engine,
    attempts: int,
    shards: Iterable[Shard] | None = None,
    *,
    without_failed: bool = False,
) -> Iterator[tuple[Shard, Done | FailedShard]]:
    """Convert shards, and yield each with its end. A shard that fails is recorded.

    Without `shards`, damaged results are forgotten, and all shards without a result are converted. Then rows are
    joined, `without_failed` also if shards failed. Raises `UsageError` if the engine cannot convert any shard: its
    workers have other versions, or cannot read the storage.
    """
    if not fleet.store.shared and not engine.inside:
        reason = "memory:// is inside one process: only the engine local can use it"
        raise UsageError(reason, file=redacted(fleet.output))
    if shards is None:
        fleet.forget(one.shard for one in fleet.damaged())
        failed: set[str] = set()
        for number in range(_ROUNDS if fleet.joins else 1):
            pending = fleet.pending(without_failed=without_failed and number > 0)
            rest = (shard for shard in pending if shard.name not in failed)
            for shard, end in run_shards(fleet, engine, attempts, rest):
                failed |= {shard.name} if isinstance(end, FailedShard) else set()
                yield shard, end
        return
    for shard, end in run_tasks(engine, convert_shard, shards, attempts):
        if isinstance(end, UsageError):
            raise end
        if isinstance(end, BaseException):
            end = FailedShard(shard.name, _reason(end), attempts, isinstance(end, ChangedError))
            # On a full disk, the other shards still say why they failed.
            with suppress(OSError, StorageError):
                fleet.store.write(f"{FAILED}/{end.shard}.json", json_record(end))
        yield shard, end


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError):
        text = ": ".join(filter(None, (file_of(error), error.strerror or str(error))))
    else:
        text = str(error) if isinstance(error, MjconvError) else f"{type(error).__name__}: {error}"
    return printable(redacted(text))
