"""How far a run is: a bar on a terminal, a line now and then elsewhere, or nothing."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Final, Protocol

from mjconv.batch.summary import Summary
from mjconv.console import say

#: How often a line is written where there is no terminal, in seconds.
EVERY: Final = 10.0


class Progress(Protocol):
    """Is told after each member how far the run is; used in a ``with``."""

    def __enter__(self) -> Progress: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

    def tell(self, summary: Summary) -> None:
        """Say how far the run is, if it is time."""


class Silence:
    """Says nothing."""

    def __enter__(self) -> Silence:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def tell(self, summary: Summary) -> None:
        """Say nothing."""


class Lines:
    """Writes a line on standard error now and then."""

    def __init__(self, every: float = EVERY) -> None:
        self.every = every
        self.next = time.monotonic() + every

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def tell(self, summary: Summary) -> None:
        """Write a line if it is time."""
        if time.monotonic() >= self.next:
            self.next = time.monotonic() + self.every
            say(f"mjconv: {so_far(summary)}")


class Bar:
    """Draws a bar of the bytes read, where `total` is known, and what was in them."""

    def __init__(self, total: int | None) -> None:
        # Loaded here: only a long run on a terminal needs it.
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        shown = Console(stderr=True)
        columns: list[Any] = [BarColumn(), TaskProgressColumn(), TimeRemainingColumn()] if total else []
        self.progress = Progress(*columns, TextColumn("{task.description}"), console=shown, transient=True)
        self.task = self.progress.add_task("", total=total)

    def __enter__(self) -> Bar:
        self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.progress.stop()

    def tell(self, summary: Summary) -> None:
        """Draw how far the run is; the terminal gets it some times a second."""
        self.progress.update(self.task, completed=summary.read_bytes, description=so_far(summary))


def so_far(summary: Summary) -> str:
    """Say how far a run is.

    >>> so_far(Summary(members=1200, failed=3))
    '1,200 members, 0 games, 3 failed'
    """
    failed = f", {summary.failed:,} failed" if summary.failed else ""
    return f"{summary.members:,} members, {summary.counts.games:,} games{failed}"


def progress_for(total: int | None, *, quiet: bool) -> Progress:
    """Choose how to tell: a bar on a terminal, else lines; nothing when quiet."""
    if quiet:
        return Silence()
    return Bar(total) if sys.stderr is not None and sys.stderr.isatty() else Lines()
