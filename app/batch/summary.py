"""The summary of a run as JSON and as text, and the numbers of its progress."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec import Struct, field, structs

from mjconv.batch.journal import JournalEntry
from mjconv.batch.paths import RENAMED
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Counts, add_numbers
from mjconv.ir.errors import visible
from mjconv.ir.plural import counted
from mjconv.messages import FATES, REPORT, SHOWN, indented_json, kind_lines
from mjconv.verification import Verified

#: The first bytes of a file of ``--report``.
REPORT_HEAD: Final = b'{\n  "inputs":'

_counted: Final = partial(counted, grouped=True)


class MemberWarning(Struct, frozen=True):
    """A warning and the name of its member."""

    member: str
    warning: str


class Summary(Struct):
    """The results of a run; `members` is the sum of `converted`, `failed` and `skipped`.

    `failures` counts failed members by kind, `skips` skipped members by reason; `counts` counts the contents of
    converted members, and `splits` their matches by split. `renamed` members were written under another name.
    `warnings` are the first warnings.
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
    splits: dict[str, int] = field(default_factory=dict)
    warnings: list[MemberWarning] = field(default_factory=list)
    read_bytes: int = 0
    members_in_last_run: int = 0
    matches_in_last_run: int = 0
    bytes_in_last_run: int = 0
    seconds: float = 0.0
    workers: int = 0

    def add(self, entry: JournalEntry) -> None:
        """Count a finished member, or an output of it before its last."""
        self.members += not entry.more
        self.read_bytes += entry.weight
        # Those of a failed member are empty.
        self.counts.add(entry.counts)
        if entry.failed is not None:
            self.failed += 1
            add_numbers(self.failures, {entry.failed: 1})
        elif entry.skipped is not None:
            self.skipped += 1
            add_numbers(self.skips, {entry.skipped: 1})
        else:
            self.converted += not entry.more
            if entry.split:
                add_numbers(self.splits, {entry.split: entry.counts.matches})
            self.renamed += RENAMED in entry.sizes
        room = SHOWN - len(self.warnings)
        self.warnings += [MemberWarning(entry.member, warning) for warning in entry.warnings[:room]]

    def merge(self, other: Summary) -> None:
        """Add the results of another run over other members, without its times."""
        for name in ("members", "converted", "failed", "skipped", "renamed", "read_bytes"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        add_numbers(self.failures, other.failures)
        add_numbers(self.skips, other.skips)
        add_numbers(self.splits, other.splits)
        self.counts.add(other.counts)
        self.warnings += other.warnings[: SHOWN - len(self.warnings)]

    def without_run(self) -> Summary:
        """Return the summary without the values of the last run: these differ from run to run."""
        own = dict.fromkeys(("members_in_last_run", "matches_in_last_run", "bytes_in_last_run", "workers"), 0)
        return structs.replace(self, seconds=0.0, **own)

    @property
    def rate(self) -> float:
        """Games per second in the last run."""
        return self.matches_in_last_run / self.seconds if self.seconds else 0.0

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
            "matches": self.counts.matches,
            "left_out": self.counts.left_out,
            "duplicates": self.counts.duplicates,
            "splits": self.splits,
            "rounds": self.counts.rounds,
            "messages": self.counts.messages,
            "verified": self.counts.verified,
            "losses": [{"what": what, "fate": fate, "count": number} for fate, what, number in self.losses()],
            "failures": dict(sorted(self.failures.items())),
            "skips": dict(sorted(self.skips.items())),
            "impossible": self.counts.impossible,
            "warning_count": self.counts.warnings,
            "warnings": self.warnings,
            "read_bytes": self.read_bytes,
            "seconds": round(self.seconds, 3),
            "members_in_last_run": self.members_in_last_run,
            "matches_per_second": round(self.rate, 1),
            "megabytes_per_second": round(self.megabytes, 1),
            "workers": self.workers,
        }
        return indented_json(document)

    def failed_lines(self, failures: str) -> Iterator[str]:
        """Return a line that counts the failed members, if there are any; `failures` is the path of the list."""
        if self.failed:
            failed = _counted(self.failed, "member")
            yield visible(f"mjconv: {failed} failed ({_kinds(self.failures)}): see {failures}")

    def lines(self, target: str, failures: str, whole: str = REPORT) -> Iterator[str]:
        """Return the summary as lines of text, safe for a terminal.

        `failures` is the path of the list of failures, and `whole` the file or option that lists all losses.
        """
        for entry in self.warnings:
            yield visible(f"mjconv: warning: {entry.member}: {entry.warning}")
        if self.counts.warnings > len(self.warnings):
            yield f"mjconv: … and {_counted(self.counts.warnings - len(self.warnings), 'warning')} more"
        yield from kind_lines([(*loss, "") for loss in self.losses()], target, whole)
        yield from self.failed_lines(failures)
        if self.skipped:
            yield f"mjconv: {_counted(self.skipped, 'member')} skipped ({_kinds(self.skips)})"
        counts = self.counts
        if counts.left_out:
            yield f"mjconv: {_counted(counts.left_out, 'match')} left out by --where"
        if counts.duplicates:
            yield f"mjconv: {_counted(counts.duplicates, 'match')} left out by --dedup"
        inside = f"{_counted(counts.matches, 'match')}, {_counted(counts.rounds, 'round')}"
        yield (
            f"mjconv: {_counted(self.converted, 'member')} converted: {inside}, "
            f"{_counted(counts.messages, 'message')}"
        )
        if self.splits:
            yield f"mjconv: matches by split: {_kinds(self.splits)}"
        if counts.impossible:
            yield f"mjconv: {_counted(counts.impossible, 'impossible event')} written: see mjconv validate"
        if self.workers:
            yield (
                f"mjconv: {self.seconds:.1f} seconds, {self.rate:.0f} matches and {self.megabytes:.1f} MB a second"
                f", {_counted(self.workers, 'worker')}"
            )
        if counts.verified:
            yield f"mjconv: verified: {Verified(counts.verified, counts.differing).line()}"


def _kinds(numbers: dict[str, int]) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in sorted(numbers.items()))


def progress_text(summary: Summary) -> str:
    """Return the numbers so far as text.

    >>> progress_text(Summary(members=1200, failed=3))
    '1,200 members, 0 matches, 3 failed'
    """
    failed = f", {summary.failed:,} failed" if summary.failed else ""
    return f"{_counted(summary.members, 'member')}, {_counted(summary.counts.matches, 'match')}{failed}"
