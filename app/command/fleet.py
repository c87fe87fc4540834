"""The actions of ``mjconv fleet``: plan, run, status and clean; each prints, and returns the exit status."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Final

import msgspec

from mjconv.command.batch import BatchOptions, cores, status_of
from mjconv.command.console import Exit, print_message, print_messages, print_note, quiet
from mjconv.command.options import ENGINES
from mjconv.command.progress import ProgressLine
from mjconv.files.address import joined, path_text
from mjconv.files.locks import remove_abandoned
from mjconv.files.reading import STANDARD
from mjconv.fleet.api import Fleet, Status, open_fleet, plan_for, write_plan
from mjconv.fleet.convert import run_shards
from mjconv.fleet.engines import ATTEMPTS, Engine, LocalEngine
from mjconv.fleet.results import DamagedShard, Done, FailedShard, Manifest
from mjconv.fleet.shards import SHARD_FILES, Shard
from mjconv.fleet.store import MANIFEST
from mjconv.ir.errors import UsageError, visible
from mjconv.ir.plural import counted
from mjconv.ir.suggestion import check_word
from mjconv.languages import translated
from mjconv.messages import json_line
from mjconv.options import ConvertOptions, Options
from mjconv.packages import check_packages

_counted: Final = partial(counted, grouped=True)


class EngineOptions(Options, frozen=True, kw_only=True):
    """The engine of a command: its name, the number of its workers (0: one a core), and its cluster's address."""

    engine: str = "local"
    jobs: int = 0
    address: str | None = None


class PlanOptions(EngineOptions, frozen=True, kw_only=True):
    """The arguments and options of ``mjconv fleet plan``; 0 `files` are the usual number of files of a shard."""

    INNER = ("convert", ConvertOptions)

    inputs: list[str]
    output: str
    convert: ConvertOptions
    lines: bool = False
    shards: int = 0
    files: int = 0
    force: bool = False
    as_json: bool = False


class RunOptions(EngineOptions, frozen=True, kw_only=True):
    """The options of ``mjconv fleet run``; 0 `attempts` are the usual number.

    `part` is the part of the shards to convert, as ``0/4``; without it, all are converted and the run is finished.
    """

    output: str
    attempts: int = 0
    part: str | None = None
    skip_failed: bool = False
    as_json: bool = False


def engine_of(options: EngineOptions) -> Engine:
    """Return the engine; raises `UsageError` if it is unknown or not installed."""
    workers = options.jobs or cores()
    check_word("--engine", options.engine, ENGINES)
    check_packages(f"--engine {options.engine}", *ENGINES[options.engine])
    if options.engine == "local":
        if options.address is not None:
            raise UsageError("--address needs --engine ray or dask")
        return LocalEngine(workers)
    # Loaded here: they are slow to load, and optional.
    if options.engine == "ray":
        from mjconv.fleet.engine_ray import RayEngine

        return RayEngine(workers, options.address)
    from mjconv.fleet.engine_dask import DaskEngine

    return DaskEngine(workers, options.address)


def make_plan(options: PlanOptions) -> Exit:
    """Write a plan and print its size."""
    check_standard(options.inputs, options.output)
    fleet = write_plan(
        options.inputs,
        options.output,
        options.convert,
        engine_of(options),
        lines=options.lines,
        shards=options.shards,
        shard_files=options.files or SHARD_FILES,
        force=options.force,
    )
    size = fleet.size()
    if options.as_json:
        print(json_line({"output": path_text(options.output), **msgspec.structs.asdict(size)}))
    else:
        numbers = f"{_counted(size.shards, 'shard')}, {_counted(size.entries, 'file')}, {size.weight / 1e6:.1f} MB"
        print_note(f"mjconv: {numbers}")
    return Exit.DONE


def check_standard(inputs: Iterable[str], output: str) -> None:
    """Raise `UsageError` for standard input or output."""
    if STANDARD in (*inputs, output):
        raise UsageError("fleet reads and writes files, folders and addresses, not standard input or output (-)")


def run_fleet(options: RunOptions) -> Exit:
    """Convert the shards that have no result, and write the manifest; of a part, convert its shards alone."""
    fleet, engine = open_fleet(options.output), engine_of(options)
    if options.part is not None:
        # Others convert other parts at the same time, so the output is not locked.
        number, parts = _part_of(options.part)
        shards = [shard for shard in fleet.pending() if shard.number % parts == number]
        failed = _convert(fleet, engine, options, _Progress(len(shards), 0), shards)
        return _failed(failed, len(shards), options) if failed else Exit.DONE
    remove_abandoned()
    with fleet.store.locked():
        return _run_locked(fleet, engine, options)


def _part_of(text: str) -> tuple[int, int]:
    """Read a part of the shards: its number, from 0, and the number of parts."""
    match = re.fullmatch("([0-9]{1,9})/([0-9]{1,9})", text)
    part = (int(match[1]), int(match[2])) if match else (0, 0)
    if not part[0] < part[1]:
        raise UsageError(f"--part takes I/N, for example 0/4 for the first of four parts, not {text!r}")
    return part


def _run_locked(fleet: Fleet, engine: Engine, options: RunOptions) -> Exit:
    manifest = fleet.manifest()
    broken = fleet.damaged(contents=True)
    fleet.forget(one.shard for one in broken)
    if broken:
        print_note(visible(f"mjconv: {_counted(len(broken), 'object')} damaged, made again: {broken[0].object}"))
    if manifest is not None and (options.skip_failed or not manifest.missing) and not broken:
        if not options.as_json:
            print_note(visible(f"mjconv: {path_text(options.output)} is already complete"))
        return _ended(manifest, options)
    progress = _Progress(fleet.size().shards, fleet.status().done)
    failed = _convert(fleet, engine, options, progress)
    if failed and not options.skip_failed:
        return _failed(failed, progress.shards, options)
    return _ended(fleet.finish(without_failed=options.skip_failed), options, progress)


def _convert(
    fleet: Fleet, engine: Engine, options: RunOptions, progress: _Progress, shards: Iterable[Shard] | None = None
) -> list[FailedShard]:
    """Convert shards as `run_shards` does, and show the progress. Return the shards that failed."""
    failed: list[FailedShard] = []
    before, attempts = progress.done, options.attempts or ATTEMPTS
    with ProgressLine(lambda: progress.shards, quiet=options.as_json) as line, engine:
        for shard, end in run_shards(fleet, engine, attempts, shards, without_failed=options.skip_failed):
            progress.shards = max(progress.shards, shard.number + 1)
            if isinstance(end, Done):
                progress.add(end)
            else:
                failed.append(end)
            if options.as_json:
                print(json_line(_event(shard.name, end)), flush=True)
            line.update(progress.text, progress.done, progress.done - before)
    for one in failed:
        print_message(visible(f"mjconv: shard {one.shard} failed {_counted(one.attempts, 'time')}: {one.error}"))
    return failed


def _failed(failed: list[FailedShard], shards: int, options: RunOptions) -> Exit:
    done = f"{shards - len(failed)} of {_counted(shards, 'shard')} done"
    again = "the same command tries the others again"
    if any(one.changed for one in failed):
        again = "mjconv fleet plan IN... -o OUT --force makes a new plan"
    leave = "mjconv fleet finish --skip-failed" if options.part else "--skip-failed"
    print_message(f"mjconv: {done}; {again}, {leave} leaves them out")
    return Exit.BAD_INPUT


def finish_fleet(options: RunOptions) -> Exit:
    """Write the manifest of shards that are converted."""
    fleet = open_fleet(options.output)
    with fleet.store.locked():
        return _ended(fleet.finish(without_failed=options.skip_failed), options)


def _event(shard: str, end: Done | FailedShard) -> dict[str, object]:
    if isinstance(end, FailedShard):
        return {"shard": shard, "error": end.error, "attempts": end.attempts}
    numbers = {"matches": end.summary.counts.matches, "failed": end.summary.failed}
    return {"shard": shard, **numbers, "parts": [part.path for part in end.parts]}


class _Progress:
    """Counts shards and matches of a run."""

    def __init__(self, shards: int, done: int) -> None:
        self.shards = shards
        self.done = done
        self.matches = 0
        self.failed = 0
        self.began = time.monotonic()

    def add(self, done: Done) -> None:
        self.done += 1
        self.matches += done.summary.counts.matches
        self.failed += done.summary.failed

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    @property
    def rate(self) -> float:
        return self.matches / self.seconds if self.seconds else 0.0

    def text(self) -> str:
        shards, failed = _counted(self.shards, "shard"), f", {self.failed:,} failed" if self.failed else ""
        numbers = f"{self.done:,} of {shards}, {self.matches:,} matches, {self.rate:.0f} matches/s"
        return f"{numbers}{failed}"


def _ended(manifest: Manifest, options: RunOptions, progress: _Progress | None = None) -> Exit:
    """Print the sums of a complete run, and return its status."""
    summary = manifest.summary
    where = joined(path_text(options.output), manifest.failures)
    whole = joined(path_text(options.output), MANIFEST)
    if options.as_json:
        print(json_line({"manifest": MANIFEST, "matches": summary.counts.matches, "failed": summary.failed}))
    brief = quiet.current() or options.as_json
    print_messages(summary.failed_lines(where) if brief else summary.lines(manifest.target, where, whole))
    if progress is not None and not brief:
        print_message(f"mjconv: {progress.seconds:.1f} seconds, {progress.rate:.0f} matches a second")
    return Exit.BAD_INPUT if manifest.missing else status_of(summary)


def show_status(output: str, *, as_json: bool) -> Exit:
    """Print the state of a fleet. Other processes may run it at the same time."""
    status = open_fleet(output).status()
    print(json_line(_as_json(status)) if as_json else "\n".join(map(translated, _status_lines(status, output))))
    return Exit.BAD_INPUT if status.failed or status.damaged else Exit.DONE


def _as_json(status: Status) -> dict[str, object]:
    summary = status.summary
    return {
        "shards": status.shards,
        "done": status.done,
        "complete": status.complete,
        "files": status.entries,
        "bytes": status.weight,
        "members": summary.members,
        "matches": summary.counts.matches,
        "failed_members": summary.failed,
        "failed_shards": [msgspec.structs.asdict(one) for one in status.failed],
        "damaged_shards": [one._asdict() for one in status.damaged],
    }


def _status_lines(status: Status, output: str) -> Iterable[str]:
    state = "complete" if status.complete else "not complete"
    yield f"{state}: {status.done:,} of {_counted(status.shards, 'shard')} done"
    summary = status.summary
    matches = _counted(summary.counts.matches, "match")
    yield f"{_counted(summary.members, 'member')}, {matches}, {summary.failed:,} failed"
    for one in status.failed:
        yield visible(f"shard {one.shard} failed: {one.error}")
    yield from _damaged_lines(status.damaged)
    if not status.complete:
        done = status.done == status.shards and not status.damaged
        yield f"next: mjconv fleet {'finish' if done else 'run'} {shlex.quote(path_text(output))}"


def _damaged_lines(damaged: Iterable[DamagedShard]) -> Iterator[str]:
    for one in damaged:
        yield visible(f"{one.object} is damaged or gone")


def verify(output: str, *, as_json: bool) -> Exit:
    """Compare the contents of all parts and lists with their SHA-256. Print the names of damaged objects."""
    damaged = open_fleet(output).damaged(contents=True)
    for text in [json_line(one._asdict()) for one in damaged] if as_json else _damaged_lines(damaged):
        print(text if as_json else translated(text))
    whole = "all parts have the contents that were written"
    print_note(f"mjconv: {'mjconv fleet run converts them again' if damaged else whole}")
    return Exit.BAD_INPUT if damaged else Exit.DONE


def clean(output: str) -> Exit:
    """Remove the objects that `Fleet.clean` does not keep, and print their number."""
    print_note(f"mjconv: {_counted(len(open_fleet(output).clean()), 'object')} removed")
    return Exit.DONE


def batch_to_address(batch: BatchOptions) -> Exit:
    """Run a batch whose output is at an address: a plan, its shards on this machine, and the manifest."""
    for option, given in (("--keep-bad", batch.keep_bad), ("--report", batch.report)):
        if given is not None:
            raise UsageError(f"{option} needs an output on disk, and {path_text(batch.output)} is an address")
    check_standard(batch.inputs, batch.output)
    fleet = None
    if batch.resume and not batch.force:
        with suppress(UsageError):
            fleet = open_fleet(batch.output)
    if fleet is None:
        engine = engine_of(EngineOptions(jobs=batch.jobs))
        write_plan(batch.inputs, batch.output, batch.convert, engine, shards=batch.shards, force=batch.force)
    else:
        fleet.head.plan.check_same(plan_for(batch.inputs, batch.output, batch.convert, shards=batch.shards))
    return run_fleet(RunOptions(output=batch.output, jobs=batch.jobs))
