"""The summary of a run as JSON and as text, and its progress on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from functools import partial
from types import TracebackType
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct, field

from mjconv.batch.journal import JournalEntry
from mjconv.batch.paths import RENAMED
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Counts
from mjconv.console import FATES, SHOWN, print_message
from mjconv.exits import Exit
from mjconv.ir.errors import visible
from mjconv.ir.plural import counted
from mjconv.verification import Verified

#: The kind of failure that ``--strict`` makes of a loss.
LOSS: Final = "loss"
#: The first bytes of a file of ``--report``.
REPORT_HEAD: Final = b'{\n  "inputs":'
#: The time between two lines of progress where there is no terminal, in seconds.
INTERVAL: Final = 10.0

_counted: Final = partial(counted, grouped=True)


class MemberWarning(Struct, frozen=True):
    """A warning and the name of its member."""

    member: str
    warning: str


class Summary(Struct):
    """The results of a run; `members` is the sum of `converted`, `failed` and `skipped`.

    `failures` counts failed members by kind, `skips` skipped members by reason; `counts` counts the contents of
    converted members. `renamed` members were written under another name. `warnings` are the first warnings.
    `read_bytes` counts the bytes of the inputs. After `--resume`, `seconds` and the fields `..._in_last_run` are
    for the last run only.
    """

    members: int = 0
    converted: int = 0
    failed: int = 0
    skipped: int = 0
    renamed: int = 0
    failures: dict[str, int] = field(default_factory=dict)
    skips: dict[str, int] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)
    warnings: list[MemberWarning] = field(default_factory=list)
    read_bytes: int = 0
    members_in_last_run: int = 0
    games_in_last_run: int = 0
    bytes_in_last_run: int = 0
    seconds: float = 0.0
    workers: int = 0

    def add(self, entry: JournalEntry) -> None:
        """Count a finished member."""
        self.members += 1
        self.read_bytes += entry.weight
        if entry.failed is not None:
            self.failed += 1
            self.failures[entry.failed] = self.failures.get(entry.failed, 0) + 1
        elif entry.skipped is not None:
            self.skipped += 1
            self.skips[entry.skipped] = self.skips.get(entry.skipped, 0) + 1
        else:
            self.converted += 1
            self.counts.add(entry.counts)
            self.renamed += RENAMED in entry.sizes
        room = SHOWN - len(self.warnings)
        self.warnings += [MemberWarning(entry.member, warning) for warning in entry.warnings[:room]]

    def merge(self, other: Summary) -> None:
        """Add the results of another run over other members, without its times."""
        self.members += other.members
        self.converted += other.converted
        self.failed += other.failed
        self.skipped += other.skipped
        self.renamed += other.renamed
        self.read_bytes += other.read_bytes
        for own, numbers in ((self.failures, other.failures), (self.skips, other.skips)):
            for kind, number in numbers.items():
                own[kind] = own.get(kind, 0) + number
        self.counts.add(other.counts)
        self.warnings += other.warnings[: SHOWN - len(self.warnings)]

    @property
    def status(self) -> Exit:
        """The exit status: 1 if members failed, 3 if they failed only because of ``--strict``."""
        if not self.failed:
            return Exit.DONE
        return Exit.WOULD_LOSE if set(self.failures) == {LOSS} else Exit.BAD_INPUT

    @property
    def rate(self) -> float:
        """Games per second in the last run."""
        return self.games_in_last_run / self.seconds if self.seconds else 0.0

    @property
    def megabytes(self) -> float:
        """Megabytes of input per second in the last run."""
        return self.bytes_in_last_run / 1e6 / self.seconds if self.seconds else 0.0

    def losses(self) -> list[tuple[str, str, int]]:
        """Return the losses as fate, name and number, the worst fate first."""
        split = [(*name.split(" ", 1), number) for name, number in self.counts.losses.items()]
        return sorted(split, key=lambda loss: (FATES.index(loss[0]), loss[1]))  # type: ignore[arg-type]

    def report(self, plan: Plan) -> bytes:
        """Return the summary as JSON, for ``--report``."""
        document = {
            "inputs": plan.inputs,
            "output": plan.output,
            "target": plan.target,
            "members": self.members,
            "converted": self.converted,
            "failed": self.failed,
            "skipped": self.skipped,
            "renamed": self.renamed,
            "games": self.counts.games,
            "rounds": self.counts.rounds,
            "messages": self.counts.messages,
            "verified": self.counts.verified,
            "losses": [{"what": what, "fate": fate, "count": number} for fate, what, number in self.losses()],
            "failures": dict(sorted(self.failures.items())),
            "skips": dict(sorted(self.skips.items())),
            "warning_count": self.counts.warnings,
            "warnings": self.warnings,
            "read_bytes": self.read_bytes,
            "seconds": round(self.seconds, 3),
            "members_in_last_run": self.members_in_last_run,
            "games_per_second": round(self.rate, 1),
            "megabytes_per_second": round(self.megabytes, 1),
            "workers": self.workers,
        }
        return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"

    def failed_lines(self, failures: str) -> Iterator[str]:
        """Return a line that counts the failed members, if there are any; `failures` is the path of the list."""
        if self.failed:
            failed = _counted(self.failed, "member")
            yield visible(f"mjconv: {failed} failed ({_kinds(self.failures)}): see {failures}")

    def lines(self, target: str, failures: str) -> Iterator[str]:
        """Return the summary as lines of text, safe for a terminal; `failures` is the path of the list."""
        for entry in self.warnings:
            yield visible(f"mjconv: warning: {entry.member}: {entry.warning}")
        if self.counts.warnings > len(self.warnings):
            yield f"mjconv: … and {_counted(self.counts.warnings - len(self.warnings), 'warning')} more"
        if losses := self.losses():
            yield f"mjconv: not expressible in {target}:"
        for fate, what, number in losses[:SHOWN]:
            yield visible(f"  {fate:<12} {number:>4} x {what}")
        if len(losses) > SHOWN:
            yield f"  … and {_counted(len(losses) - SHOWN, 'kind')} more; --report FILE lists all"
        yield from self.failed_lines(failures)
        if self.skipped:
            yield f"mjconv: {_counted(self.skipped, 'member')} skipped ({_kinds(self.skips)})"
        counts = self.counts
        inside = f"{_counted(counts.games, 'game')}, {_counted(counts.rounds, 'round')}"
        yield (
            f"mjconv: {_counted(self.converted, 'member')} converted: {inside}, "
            f"{_counted(counts.messages, 'message')}"
        )
        if self.workers:
            yield (
                f"mjconv: {self.seconds:.1f} seconds, {self.rate:.0f} games and {self.megabytes:.1f} MB a second, "
                f"{_counted(self.workers, 'worker')}"
            )
        if counts.verified:
            yield f"mjconv: verified: {Verified(counts.verified, counts.differing).line()}"


def _kinds(numbers: dict[str, int]) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in sorted(numbers.items()))


class Progress(Protocol):
    """Shows the progress of a run; a context manager, updated after each member."""

    def __enter__(self) -> Progress: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

    def update(self, summary: Summary) -> None:
        """Show the progress if it is time."""


class NoProgress:
    """Shows nothing."""

    def __enter__(self) -> NoProgress:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def update(self, summary: Summary) -> None:
        """Show nothing."""


class ProgressLines:
    """Writes a line on standard error every `interval` seconds, with the share of `total` bytes that is read."""

    def __init__(self, total: int = 0, interval: float = INTERVAL) -> None:
        self.total = total
        self.interval = interval
        self.next = time.monotonic() + interval

    def __enter__(self) -> ProgressLines:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def update(self, summary: Summary) -> None:
        """Write a line if it is time."""
        if time.monotonic() >= self.next:
            self.next = time.monotonic() + self.interval
            print_message(f"mjconv: {share_text(summary, self.total)}{progress_text(summary)}")


class ProgressBar:
    """Draws a bar of the bytes read of a `total`, and the numbers so far. Without any bytes there is no bar."""

    def __init__(self, total: int) -> None:
        # Loaded here: only a long run on a terminal needs it.
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        columns: list[Any] = [BarColumn(), TaskProgressColumn(), TimeRemainingColumn()] if total else []
        self.progress = Progress(*columns, TextColumn("{task.description}"), console=console, transient=True)
        self.task = self.progress.add_task("", total=total or None)

    def __enter__(self) -> ProgressBar:
        self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.progress.stop()

    def update(self, summary: Summary) -> None:
        """Set the values of the bar; it is drawn a few times per second."""
        self.progress.update(self.task, completed=summary.read_bytes, description=progress_text(summary))


def progress_text(summary: Summary) -> str:
    """Return the numbers so far as text.

    >>> progress_text(Summary(members=1200, failed=3))
    '1,200 members, 0 games, 3 failed'
    """
    failed = f", {summary.failed:,} failed" if summary.failed else ""
    return f"{summary.members:,} members, {summary.counts.games:,} games{failed}"


def share_text(summary: Summary, total: int) -> str:
    """Return the share of the bytes that is read, and the time left if the last run has read any of them.

    >>> share_text(Summary(read_bytes=450, bytes_in_last_run=300, seconds=60.0), 1000)
    '45 %, 2 minutes left, '
    """
    if not total:
        return ""
    share = f"{min(100, 100 * summary.read_bytes // total)} %, "
    if not summary.bytes_in_last_run or not summary.seconds:
        return share
    left = max(0, total - summary.read_bytes) * summary.seconds / summary.bytes_in_last_run
    return f"{share}{duration_text(left)} left, "


def duration_text(seconds: float) -> str:
    """Return a time in its largest unit, rounded.

    >>> duration_text(41), duration_text(110), duration_text(9000)
    ('41 seconds', '2 minutes', '2.5 hours')
    """
    if seconds < 99.5:
        return counted(round(seconds), "second")
    return counted(round(seconds / 60), "minute") if seconds < 5970 else f"{seconds / 3600:.1f} hours"


def progress_for(total: int, *, quiet: bool) -> Progress:
    """Choose the progress: a bar on a terminal, else lines; nothing if `quiet`. `total` is in bytes."""
    if quiet:
        return NoProgress()
    return ProgressBar(total) if sys.stderr is not None and sys.stderr.isatty() else ProgressLines(total)
