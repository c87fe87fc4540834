"""The action of ``mjconv batch``: plan a run, run it, print its summary, and return the exit status."""

import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from mjconv.batch.plan import Plan, plan_of
from mjconv.batch.run import Run
from mjconv.batch.summary import REPORT_HEAD, Summary, progress_text
from mjconv.command.console import Exit, error_text, print_message, print_messages, print_note, quiet
from mjconv.command.paths import check_output
from mjconv.command.progress import ProgressLine
from mjconv.files.address import redacted
from mjconv.files.reading import STANDARD
from mjconv.files.walk import expand
from mjconv.files.writing import write_bytes
from mjconv.ir.errors import MjconvError, UsageError, visible
from mjconv.ir.plural import counted
from mjconv.options import ConvertOptions, Options

#: The kind of failure that ``--strict`` makes of a loss.
LOSS: Final = "loss"


class BatchOptions(Options, frozen=True, kw_only=True):
    """The arguments and options of ``mjconv batch``; 0 `jobs` are one for each core, and 0 `shards` none."""

    INNER = ("convert", ConvertOptions)

    inputs: list[str]
    output: str
    convert: ConvertOptions = ConvertOptions()
    jobs: int = 0
    resume: bool = False
    force: bool = False
    keep_bad: str | None = None
    report: str | None = None
    shards: int = 0


def run_batch(options: BatchOptions) -> Exit:
    """Run and return the exit status; raises `UsageError` and `OSError` if the run cannot start."""
    names = expand(options.inputs)
    _check(options, names)
    plan = plan_of(names, options.output, options.convert, shards=options.shards, keep_bad=options.keep_bad)
    run = Run(plan, options.output, options.keep_bad, options.report)
    inputs = run.survey(names)
    done = run.prepare(inputs, resume=options.resume, force=options.force)
    failures = run.paths.failures
    if done is not None:
        if run.damage:
            run.repair(names, options.jobs or cores())
            _say_damaged([one.output or "" for several in run.damage.members.values() for one in several])
        else:
            print_note(visible(f"mjconv: {plan.output} is already complete"))
        return _end(done.summary, done.summary.failed_lines(failures), plan, options)
    if run.damage:
        _say_damaged(run.damage.files)
    try:
        with ProgressLine(lambda: run.work(inputs.size)[2]) as progress:

            def watch(summary: Summary) -> None:
                progress.update(partial(progress_text, summary), *run.work(inputs.size)[:2])

            summary = run.execute(names, options.jobs or cores(), watch, inputs=inputs)
    except KeyboardInterrupt:
        _print_resume("mjconv: interrupted", run.progress)
        return Exit.INTERRUPTED
    except UsageError:
        raise
    except (MjconvError, OSError) as error:
        _print_resume(error_text(error), run.progress)
        return Exit.BAD_INPUT
    lines = summary.failed_lines(failures) if quiet.current() else summary.lines(plan.target, failures)
    return _end(summary, lines, plan, options)


def _say_damaged(names: Sequence[str]) -> None:
    """Print how many files of a complete run were damaged or gone, and the first of them."""
    number = counted(len(names), "file", grouped=True)
    print_note(visible(f"mjconv: {number} damaged or gone, written again: {names[0]}"))


def _end(summary: Summary, lines: Iterable[str], plan: Plan, options: BatchOptions) -> Exit:
    """Print these lines, write the report, and return the status of the run."""
    print_messages(lines)
    if options.report is not None:
        write_bytes(options.report, summary.report(plan.public()))
    return status_of(summary)


def status_of(summary: Summary) -> Exit:
    """Return the exit status of a run: 1 if members failed, 3 if they failed only because of ``--strict``."""
    if not summary.failed:
        return Exit.DONE
    return Exit.WOULD_LOSE if set(summary.failures) == {LOSS} else Exit.BAD_INPUT


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
        check_output(options.report, [*names, *_files_around(options.report, names)])


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
