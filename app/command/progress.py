"""The progress of long work on standard error: a bar on a terminal, elsewhere a line every ten seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Final

from mjconv.command.console import print_message
from mjconv.command.console import quiet as hushed
from mjconv.ir.plural import counted

if TYPE_CHECKING:
    from rich.progress import Progress

#: The time before progress is shown first, and between two times, in seconds: on a terminal, and elsewhere.
ON_TERMINAL: Final = 0.2
ELSEWHERE: Final = 10.0


class ProgressLine(AbstractContextManager["ProgressLine"]):
    """Shows how much of some work is done; a context manager, at whose end the bar is erased.

    `total` returns the amount of the work, None or 0 if it is not known. It is called when progress is shown
    first, because it may take long. If `quiet`, nothing is shown.
    """

    def __init__(
        self,
        total: Callable[[], float | None],
        *,
        quiet: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._count = total
        self._quiet = quiet or hushed.current() or sys.stderr is None
        self._terminal = not self._quiet and sys.stderr.isatty()
        self._interval = ON_TERMINAL if self._terminal else ELSEWHERE
        self._clock = clock
        self._next = clock() + self._interval
        #: The time of the first call of `update`, and the work that this process had done: its start is not work.
        self._first: tuple[float, float] | None = None
        self._total: float | None = None
        self._bar: Progress | None = None

    def __exit__(self, *_: object) -> None:
        self.erase()

    def update(self, text: Callable[[], str], done: float, here: float | None = None) -> None:
        """Show the progress if it is time: the text, safe for a terminal, and the share of the work that is done.

        `done` is the part of the total that is done, and `here` the part of it that this process did, if that is
        less. `text` is called only if it is time.
        """
        if self._quiet:
            return
        now, here = self._clock(), done if here is None else here
        began, before = self._first = self._first or (now, here)
        if now < self._next:
            return
        if self._total is None:
            self._total = self._count() or 0
        if self._terminal:
            self._draw(text(), done)
        else:
            # A shorter time is no measure of the speed.
            measured = here - before if now - began >= ELSEWHERE else 0
            share = share_text(done, measured, self._total, now - began)
            print_message(f"mjconv: {', '.join(filter(None, (text(), share)))}")
        self._next = self._clock() + self._interval

    def erase(self) -> None:
        """Erase the bar, if it is drawn, so that other text can be printed."""
        if self._bar is not None and self._bar.live.is_started:
            self._bar.stop()

    def _draw(self, text: str, done: float) -> None:
        if self._bar is None:
            self._bar = _bar(self._total)
        self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done, description=f"mjconv: {text}", refresh=True)


def _bar(total: float | None) -> Progress:
    # Loaded here: only a long run on a terminal needs it.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns: list[Any] = [BarColumn(), TaskProgressColumn(), TimeRemainingColumn()] if total else []
    bar = Progress(
        *columns,
        TextColumn("{task.description}", markup=False),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        # Standard output may be a file or a pipe: nothing of it goes to the terminal.
        redirect_stdout=False,
        redirect_stderr=False,
    )
    bar.add_task("", total=total or None)
    return bar


def share_text(done: float, here: float, total: float, seconds: float) -> str:
    """Return the share of the work that is done, and the time left if this process has done a part of it.

    `seconds` is the time that this process took for its part, `here`. The text is empty without a total.

    >>> share_text(450, 300, 1000, 60.0), share_text(450, 0, 1000, 60.0), share_text(450, 300, 0, 60.0)
    ('45 %, 2 minutes left', '45 %', '')
    """
    if not total or not done:
        return ""
    share = f"{min(100, int(100 * done / total))} %"
    if not here or not seconds:
        return share
    return f"{share}, {duration_text(max(0, total - done) * seconds / here)} left"


def duration_text(seconds: float) -> str:
    """Return a time in its largest unit, rounded.

    >>> duration_text(41), duration_text(110), duration_text(9000)
    ('41 seconds', '2 minutes', '2.5 hours')
    """
    if seconds < 99.5:
        return counted(round(seconds), "second")
    return counted(round(seconds / 60), "minute") if seconds < 5970 else f"{seconds / 3600:.1f} hours"
