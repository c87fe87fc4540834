"""Runs ``mjconv batch``: turns its options into a plan, runs it, and exits with the status."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NoReturn

import typer

from mjconv import encoding, train, walls
from mjconv.batch.plan import Plan, shape_of
from mjconv.batch.run import Run
from mjconv.batch.shapes import KANACHAN, TARGETS, is_one_table
from mjconv.batch.summary import REPORT_HEAD, Summary, progress_for
from mjconv.columns import check_installed
from mjconv.console import print_message
from mjconv.converters import formats
from mjconv.exits import Exit, error_text
from mjconv.files import STANDARD, check_writable, write_bytes
from mjconv.house_option import house_for_check
from mjconv.ir import limits
from mjconv.ir.errors import MjconvError, UsageError, visible
from mjconv.ir.plural import counted
from mjconv.output_paths import check_spares
from mjconv.sources.members import path_text
from mjconv.sources.walk import expand
from mjconv.storage.address import redacted
from mjconv.verification import check_verifiable

#: The most workers, and the most shards.
_MOST: Final = 10_000


@dataclass(frozen=True)
class BatchOptions:
    """The arguments and options of ``mjconv batch`` as typed; without `jobs`, one worker for each core."""

    inputs: list[str]
    output: str
    target: str
    source: str | None = None
    jobs: str | None = None
    resume: bool = False
    force: bool = False
    keep_bad: str | None = None
    report: str | None = None
    shards: str | None = None
    plain: bool = False
    fill: bool = False
    lossy: bool = False
    strict: bool = False
    check: bool = False
    house: str | None = None
    verify: bool = False
    quiet: bool = False
    kanachan: str | None = None


def launch(options: BatchOptions) -> None:
    """Run and exit with the status; raises `UsageError` and `OSError` if the run cannot start."""
    names = expand(options.inputs)
    _check(options, names)
    plan = plan_of(options, names)
    jobs = number_of("--jobs", options.jobs) or cores()
    run = Run(plan, options.output, options.keep_bad, options.report)
    inputs = run.survey(names)
    done = run.prepare(inputs, resume=options.resume, force=options.force)
    if done is not None:
        if not options.quiet:
            print_message(visible(f"mjconv: {plan.output} is already complete"))
        _end(done.summary, done.summary.failed_lines(run.paths.failures), plan, options)
    try:
        summary = run.execute(names, jobs, progress_for(inputs.size, quiet=options.quiet), inputs=inputs)
    except KeyboardInterrupt:
        _print_resume("mjconv: interrupted", run.summary)
        raise typer.Exit(Exit.INTERRUPTED) from None
    except UsageError:
        raise
    except (MjconvError, OSError) as error:
        _print_resume(error_text(error), run.summary)
        raise typer.Exit(Exit.BAD_INPUT) from None
    failures = run.paths.failures
    _end(
        summary,
        summary.failed_lines(failures) if options.quiet else summary.lines(plan.target, failures),
        plan,
        options,
    )


def _end(summary: Summary, lines: Iterable[str], plan: Plan, options: BatchOptions) -> NoReturn:
    """Print these lines, write the report, and exit with the status of the run."""
    for line in lines:
        print_message(line)
    if options.report is not None:
        write_bytes(options.report, summary.report(plan))
    raise typer.Exit(summary.status)


def plan_of(options: BatchOptions, names: list[str]) -> Plan:
    """Return the plan for the options, of `mjconv batch` or `mjconv fleet plan`.

    Raises `UsageError` for an unknown format, rule or number of shards, and for options that do not fit together.
    """
    if options.kanachan is not None and options.target != KANACHAN:
        raise UsageError(f"--kanachan needs --to {KANACHAN}: it sets values of its rows")
    if options.target in TARGETS:
        _check_own_target(options)
    else:
        form, _ = formats.find(options.target)
        if options.verify:
            check_verifiable(form)
    if options.source is not None:
        formats.find(options.source)
    house_for_check(options.house, check=options.check)
    shards = number_of("--shards", options.shards)
    return Plan(
        inputs=tuple(map(path_text, names)),
        output=path_text(options.output),
        target=options.target,
        shape=shape_of(options.output, shards, options.target),
        source=options.source,
        plain=options.plain,
        fill=options.fill,
        lossy=options.lossy,
        strict=options.strict,
        check=options.check,
        house=options.house,
        verify=options.verify,
        shards=shards,
        keep_bad=None if options.keep_bad is None else path_text(options.keep_bad),
        kanachan=options.kanachan or "",
        limits=limits.current(),
        encoding=encoding.current(),
        walls=walls.current(),
    )


def _check_own_target(options: BatchOptions) -> None:
    """Raise `UsageError` if a package for the target is missing, or an option does not fit it."""
    if options.verify:
        raise UsageError(f"cannot verify: {options.target} is written only, and no reader reads it again")
    if is_one_table(options.target):
        check_installed()
    if TARGETS[options.target].players is not None:
        train.check_installed()
    if options.target == KANACHAN and options.kanachan:
        # Loaded here: the engine loads slowly and is optional.
        from mjconv.train.kanachan import settings_of

        settings_of(options.kanachan)


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def number_of(option: str, text: str | None) -> int:
    """Read the number of an option; 0 without the option. Raises `UsageError`."""
    if text is None:
        return 0
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(_MOST)) and 1 <= int(text) <= _MOST):
        raise UsageError(f"{option} takes a number from 1 to {_MOST}, not {text!r}")
    return int(text)


def _check(options: BatchOptions, names: list[str]) -> None:
    if STANDARD in (*names, options.output, options.keep_bad):
        raise UsageError("batch reads and writes files and folders, not standard input or output (-)")
    if os.path.realpath(options.output) in map(os.path.realpath, names):
        raise UsageError(f"{options.output} is both an input and the output: name another output")
    if options.keep_bad is not None and _is_within(options.keep_bad, options.output):
        raise UsageError("the folder of --keep-bad must be outside the output")
    if options.report is not None:
        if options.report != STANDARD and _is_within(options.report, options.output):
            raise UsageError("the file of --report must be outside the output")
        check_spares(options.report, [*names, *_files_around(options.report, names)])
        check_writable(options.report)


def _files_around(report: str, names: list[str]) -> list[str]:
    """Return the file at the path of a report if it is a file of an input folder, and not an earlier report."""
    if not os.path.isfile(report) or not any(os.path.isdir(name) and _is_within(report, name) for name in names):
        return []
    with open(report, "rb") as stream:
        return [] if stream.read(len(REPORT_HEAD)) == REPORT_HEAD else [report]


def _is_within(path: str, folder: str) -> bool:
    inner, outer = os.path.realpath(path), os.path.realpath(folder)
    return inner == outer or inner.startswith(os.path.join(outer, ""))


def _print_resume(reason: str, summary: Summary) -> None:
    """Print why the run stopped, and the command that continues it."""
    words = [redacted(word) for word in sys.argv[1:] if word not in ("--force", "--resume")]
    done = counted(summary.members, "member", grouped=True)
    print_message(reason)
    print_message(visible(f"mjconv: {done} done; continue with: mjconv {shlex.join([*words, '--resume'])}"))
