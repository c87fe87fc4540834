"""From the words of the command to a run, and from its end to an exit status."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass
from typing import Final

import typer

from mjconv.batch.plan import PARQUET, Plan, shape_of
from mjconv.batch.progress import progress_for
from mjconv.batch.run import Run
from mjconv.batch.summary import Summary
from mjconv.columns import check_installed
from mjconv.console import say
from mjconv.converters import formats
from mjconv.files import STANDARD, check_writable, write_bytes
from mjconv.group import Exit, message
from mjconv.ir import limits
from mjconv.ir.errors import MjconvError, UsageError, visible
from mjconv.referee.house import house_of
from mjconv.sources.members import shown
from mjconv.sources.walk import expanded

#: The most workers, and the most shards.
_MOST: Final = 10_000


@dataclass(frozen=True)
class Words:
    """What the user asked for, word by word; without `jobs`, a worker a core."""

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
    quiet: bool = False


def launch(words: Words) -> None:
    """Run, and leave with the exit status; raises `UsageError`, and `OSError` where nothing was begun."""
    names = expanded(words.inputs)
    _check(words, names)
    plan = plan_of(words, names)
    jobs = _number("--jobs", words.jobs) or _cores()
    run = Run(plan, words.output, words.keep_bad)
    if not run.prepare(resume=words.resume, force=words.force):
        if not words.quiet:
            say(visible(f"mjconv: {plan.output} was done already"))
        return
    try:
        summary = run.go(names, jobs, progress_for(_total(names), quiet=words.quiet))
    except KeyboardInterrupt:
        _say_how_to_go_on("mjconv: interrupted", run.summary)
        raise typer.Exit(Exit.INTERRUPTED) from None
    except (MjconvError, OSError) as error:
        if isinstance(error, UsageError):
            raise
        _say_how_to_go_on(message(error), run.summary)
        raise typer.Exit(Exit.BAD_INPUT) from None
    if not words.quiet:
        for line in summary.lines(plan.target, run.places.failures):
            say(line)
    if words.report is not None:
        write_bytes(words.report, summary.report(plan))
    raise typer.Exit(summary.status)


def plan_of(words: Words, names: list[str]) -> Plan:
    """Give the plan that the words make; raises `UsageError` for formats, rules or shards that are none."""
    if words.target == PARQUET:
        check_installed()
    else:
        formats.find(words.target)
    if words.source is not None:
        formats.find(words.source)
    house_of(words.house or "")
    shards = _number("--shards", words.shards)
    return Plan(
        inputs=tuple(map(shown, names)),
        output=shown(words.output),
        target=words.target,
        shape=shape_of(words.output, shards, words.target),
        source=words.source,
        plain=words.plain,
        fill=words.fill,
        lossy=words.lossy,
        strict=words.strict,
        check=words.check,
        house=words.house,
        shards=shards,
        keep_bad=None if words.keep_bad is None else shown(words.keep_bad),
        limits=limits.current(),
    )


def _cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _number(option: str, word: str | None) -> int:
    """Read a number of things; 0 where none was given. Raises `UsageError`."""
    if word is None:
        return 0
    if not (word.isascii() and word.isdigit() and len(word) <= len(str(_MOST)) and 1 <= int(word) <= _MOST):
        raise UsageError(f"{option} takes a number from 1 to {_MOST}, and not {word!r}")
    return int(word)


def _check(words: Words, names: list[str]) -> None:
    if STANDARD in (*names, words.output, words.keep_bad):
        raise UsageError("a batch reads and writes files and folders, no standard input or output")
    if words.house is not None and not words.check:
        raise UsageError("--house says by which rules to check: give --check as well")
    if os.path.realpath(words.output) in map(os.path.realpath, names):
        raise UsageError(f"{words.output} is read and written: name another output")
    if words.keep_bad is not None and _is_within(words.keep_bad, words.output):
        raise UsageError("what is kept needs a folder of its own, outside of the output")
    if words.report is not None:
        if words.report != STANDARD and _is_within(words.report, words.output):
            raise UsageError("the report needs a file of its own, outside of the output")
        check_writable(words.report)


def _is_within(path: str, folder: str) -> bool:
    inner, outer = os.path.realpath(path), os.path.realpath(folder)
    return inner == outer or inner.startswith(os.path.join(outer, ""))


def _total(names: list[str]) -> int | None:
    """Add up the bytes of the inputs, where they are files; what is in folders is not known before."""
    return None if any(os.path.isdir(name) for name in names) else sum(map(os.path.getsize, names))


def _say_how_to_go_on(why: str, summary: Summary) -> None:
    """Say what stopped the run, and the command that goes on with it."""
    words = [word for word in sys.argv[1:] if word not in ("--force", "--resume")]
    done = f"{summary.members:,} member{'' if summary.members == 1 else 's'}"
    say(why)
    say(visible(f"mjconv: {done} done; go on with: mjconv {shlex.join([*words, '--resume'])}"))
