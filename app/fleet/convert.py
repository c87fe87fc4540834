"""Convert shards: the work of a task, on any machine, any number of times, and all tasks of a fleet."""

import os
from collections.abc import Iterable, Iterator
from threading import Event

from mjconv.batch.finished import sha256_of
from mjconv.batch.run import Run
from mjconv.batch.shapes import PARQUET
from mjconv.batch.summary import Summary
from mjconv.files.address import redacted
from mjconv.files.locks import temporary_folder
from mjconv.fleet.api import Fleet
from mjconv.fleet.engines import Engine, run_tasks
from mjconv.fleet.results import DONE, FAILURES, RENAMED, Done, FailedShard, Part, part_name
from mjconv.fleet.shards import ENDINGS, Shard, check_same_versions
from mjconv.fleet.sources import ChangedError, members_of
from mjconv.fleet.store import Store, store_of
from mjconv.ir import limits
from mjconv.ir.errors import MjconvError, UsageError, file_of, printable


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
    plan = shard.head.plan

    def watch(_: Summary) -> None:
        if stop is not None and stop.is_set():
            raise StoppedError("the run was stopped")

    with temporary_folder() as folder, limits.using(plan.settings.limits):
        path = os.path.join(folder, "part" + ("" if plan.in_folder else ENDINGS[plan.shape]))
        run = Run(plan, path, durable=False)
        run.prepare()
        run.convert(members_of(shard.source), jobs, watch)
        return _written(shard, store, run, path)


def result_of(shard: Shard, store: Store) -> Done | None:
    """Return the result of a shard; None if it has none, or a damaged one."""
    try:
        return Done.of(store.read(f"{DONE}/{shard.name}.json"), shard.name)
    except FileNotFoundError:
        return None


def _written(shard: Shard, store: Store, run: Run, path: str) -> Done:
    ending, counts = ENDINGS[shard.head.plan.shape], run.summary.counts
    parts, lists = [], {}
    for split, own in run.output.files() if run.paths.in_folder else [("", path)]:
        # A split without matches has no file of lines: its part is an empty file.
        with open(own, "ab"):
            sha256 = sha256_of(own)
        parts.append(
            Part(
                path=part_name(shard.number, sha256, ending, split),
                shard=shard.name,
                size=os.path.getsize(own),
                sha256=sha256,
                read=run.read.hexdigest(),
                matches=run.summary.splits.get(split, 0) if split else counts.matches,
                first_match=0,
                rows=_rows(own) if shard.head.plan.shape == PARQUET else 0,
                split=split,
            )
        )
        store.put(parts[-1].path, own)
    sums = {part.path: part.sha256 for part in parts}
    for folder, own in ((FAILURES, run.paths.failures), (RENAMED, run.paths.renamed)):
        if os.path.exists(own):
            lists[folder] = f"{folder}/{shard.name}.jsonl"
            sums[lists[folder]] = sha256_of(own)
            store.put(lists[folder], own)
    done = Done(
        number=shard.number,
        id=shard.id,
        parts=tuple(parts),
        sha256=sums,
        summary=run.summary.without_run(),
        failures=lists.get(FAILURES, ""),
        renamed=lists.get(RENAMED, ""),
    )
    store.write(f"{DONE}/{shard.name}.json", done.encoded())
    return done


def _rows(path: str) -> int:
    import pyarrow.parquet as pq

    return int(pq.read_metadata(path).num_rows)


def run_shards(
    fleet: Fleet, engine: Engine, attempts: int, shards: Iterable[Shard] | None = None
) -> Iterator[tuple[Shard, Done | FailedShard]]:
    """Convert shards, and yield each with its end. A shard that fails is recorded.

    Without `shards`, damaged results are forgotten, and all shards without a result are converted.
    Raises `UsageError` if the engine cannot convert any shard: its workers have other versions, or cannot read the
    storage.
    """
    if not fleet.store.shared and not engine.inside:
        raise UsageError(
            "memory:// is inside one process: only the engine local can use it", file=redacted(fleet.output)
        )
    if shards is None:
        fleet.forget(one.shard for one in fleet.damaged())
        shards = fleet.pending()
    for shard, end in run_tasks(engine, convert, shards, attempts):
        if isinstance(end, UsageError):
            raise end
        if isinstance(end, BaseException):
            failed = FailedShard(shard.name, _reason(end), attempts, isinstance(end, ChangedError))
            fleet.record_failure(failed)
            yield shard, failed
        else:
            yield shard, end


def convert(shard: Shard, stop: Event | None) -> Done:
    """Convert a shard, as a task of an engine."""
    return convert_shard(shard, stop=stop)


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError):
        file = file_of(error)
        name = f"{file}: " if file else ""
        return printable(redacted(f"{name}{error.strerror or error}"))
    text = str(error) if isinstance(error, MjconvError) else f"{type(error).__name__}: {error}"
    return printable(redacted(text))
