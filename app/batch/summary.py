"""What a run came to: in numbers, as JSON, in lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct, field

from mjconv.batch.journal import Entry
from mjconv.batch.places import RENAMED
from mjconv.batch.plan import Plan
from mjconv.batch.work import Counts
from mjconv.console import FATES, SHOWN
from mjconv.group import Exit
from mjconv.ir.errors import visible

#: The kind of failure that ``--strict`` makes of a loss.
LOSS: Final = "loss"


class Said(Struct, frozen=True):
    """A warning, and the member it is about."""

    member: str
    warning: str


class Summary(Struct):
    """What became of the members: `converted`, `failed` and `skipped` are all of them.

    `failures` and `skips` count them by kind, `counts` what was in those that were converted. `renamed` are
    written under another name than theirs. `warnings` are the first ones. `read_bytes` is what was taken of the
    inputs. Where a run was gone on with, `seconds` and what ends in `here` are of the last one.
    """

    members: int = 0
    converted: int = 0
    failed: int = 0
    skipped: int = 0
    renamed: int = 0
    failures: dict[str, int] = field(default_factory=dict)
    skips: dict[str, int] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)
    warnings: list[Said] = field(default_factory=list)
    read_bytes: int = 0
    here: int = 0
    games_here: int = 0
    bytes_here: int = 0
    seconds: float = 0.0
    workers: int = 0

    def add(self, entry: Entry) -> None:
        """Count a member that is done."""
        self.members += 1
        self.read_bytes += entry.weight
        if entry.failed is not None:
            self.failed += 1
            self.failures[entry.failed] = self.failures.get(entry.failed, 0) + 1
        elif entry.passed is not None:
            self.skipped += 1
            self.skips[entry.passed] = self.skips.get(entry.passed, 0) + 1
        else:
            self.converted += 1
            self.counts.add(entry.counts)
            self.renamed += RENAMED in entry.grown
        if len(self.warnings) < SHOWN:
            self.warnings += [Said(entry.member, said) for said in entry.said[: SHOWN - len(self.warnings)]]

    @property
    def status(self) -> Exit:
        """The exit status: 1 where members failed, 3 where ``--strict`` alone stopped them."""
        if not self.failed:
            return Exit.DONE
        return Exit.WOULD_LOSE if set(self.failures) == {LOSS} else Exit.BAD_INPUT

    @property
    def rate(self) -> float:
        """Games a second, in the last run."""
        return self.games_here / self.seconds if self.seconds else 0.0

    @property
    def megabytes(self) -> float:
        """Megabytes of the inputs a second, in the last run."""
        return self.bytes_here / 1e6 / self.seconds if self.seconds else 0.0

    def losses(self) -> list[tuple[str, str, int]]:
        """Give the losses as fate, name and number, the worst first."""
        split = [(*name.split(" ", 1), number) for name, number in self.counts.losses.items()]
        return sorted(split, key=lambda loss: (FATES.index(loss[0]), loss[1]))  # type: ignore[arg-type]

    def report(self, plan: Plan) -> bytes:
        """Give all of it as JSON."""
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
            "losses": [{"what": what, "fate": fate, "count": number} for fate, what, number in self.losses()],
            "failures": dict(sorted(self.failures.items())),
            "skips": dict(sorted(self.skips.items())),
            "warning_count": self.counts.warnings,
            "warnings": self.warnings,
            "read_bytes": self.read_bytes,
            "seconds": round(self.seconds, 3),
            "members_in_last_run": self.here,
            "games_per_second": round(self.rate, 1),
            "megabytes_per_second": round(self.megabytes, 1),
            "workers": self.workers,
        }
        return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"

    def lines(self, target: str, failures: str) -> Iterator[str]:
        """Give it in lines for people, nothing in them that a terminal would act on."""
        for said in self.warnings:
            yield visible(f"mjconv: warning: {said.member}: {said.warning}")
        if self.counts.warnings > len(self.warnings):
            yield f"mjconv: … and {_many(self.counts.warnings - len(self.warnings), 'warning')} more"
        if losses := self.losses():
            yield f"mjconv: what {target} does not say by itself:"
        for fate, what, number in losses[:SHOWN]:
            yield visible(f"  {fate:<12} {number:>4} x {what}")
        if len(losses) > SHOWN:
            yield f"  … and {_many(len(losses) - SHOWN, 'kind')} more; --report FILE tells all"
        if self.failed:
            kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(self.failures.items()))
            yield visible(f"mjconv: {_many(self.failed, 'member')} failed ({kinds}): see {failures}")
        if self.skipped:
            kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(self.skips.items()))
            yield f"mjconv: {_many(self.skipped, 'member')} passed over ({kinds})"
        inside = f"{_many(self.counts.games, 'game')}, {_many(self.counts.rounds, 'round')}"
        yield (
            f"mjconv: {_many(self.converted, 'member')} converted: {inside}, "
            f"{_many(self.counts.messages, 'message')}"
        )
        yield (
            f"mjconv: {self.seconds:.1f} seconds, {self.rate:.0f} games and {self.megabytes:.1f} MB a second, "
            f"{_many(self.workers, 'worker')}"
        )


def _many(number: int, what: str) -> str:
    """Count things.

    >>> _many(1, "game"), _many(1200, "game")
    ('1 game', '1,200 games')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"
