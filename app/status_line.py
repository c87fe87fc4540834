"""The progress of a long check: one line of a terminal, drawn again and again, or a line every ten seconds."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from typing import Final, TextIO

from mjconv.files import STANDARD

#: The time before the first line, and between two lines, in seconds: on a terminal, and elsewhere.
ON_TERMINAL: Final = 0.2
ELSEWHERE: Final = 10.0
_ERASE: Final = "\r\x1b[2K"


class StatusLine:
    """Shows a text on standard error while work goes on. A context manager; at its end the line is erased.

    Without a terminal, the text is a line of its own every `ELSEWHERE` seconds. If `quiet`, nothing is shown.
    """

    def __init__(self, *, quiet: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream: TextIO | None = None if quiet else sys.stderr
        self._terminal = self._stream is not None and self._stream.isatty()
        self._interval = ON_TERMINAL if self._terminal else ELSEWHERE
        self._clock = clock
        self._next = clock() + self._interval
        self._drawn = False

    def __enter__(self) -> StatusLine:
        return self

    def __exit__(self, *_: object) -> None:
        self.erase()

    def update(self, text: Callable[[], str]) -> None:
        """Show the text if it is time. `text` is called only then, and returns text safe for a terminal."""
        if self._stream is None or self._clock() < self._next:
            return
        self._next = self._clock() + self._interval
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            self._write(f"{_ERASE}mjconv: {text()}"[: width + len(_ERASE)])
            self._drawn = True
        else:
            self._write(f"mjconv: {text()}\n")

    def erase(self) -> None:
        """Erase the line, if it is drawn, so that other text can be printed."""
        if self._drawn:
            self._write(_ERASE)
            self._drawn = False

    def _write(self, text: str) -> None:
        with suppress(BrokenPipeError):
            if self._stream is not None:
                print(text, end="", file=self._stream, flush=True)


class Share:
    """The share of the inputs that is done, and the time left, by their sizes in bytes.

    `total` is called when the share is shown first, because it may take long. `done` counts the bytes so far.

    >>> share = Share(lambda: 4000, clock=iter([0.0, 90.0]).__next__)
    >>> share.done = 1000
    >>> share.text()
    '25 %, 4:30 left'
    """

    def __init__(self, total: Callable[[], int | None], clock: Callable[[], float] = time.monotonic) -> None:
        self._count = total
        self.done = 0
        self._clock = clock
        self._begin = clock()

    @cached_property
    def total(self) -> int | None:
        """The size of the inputs, None if it is not known."""
        return self._count()

    def text(self) -> str:
        """Return the share and the time left in words; an empty string if the size of the inputs is not known."""
        if not self.done or not self.total:
            return ""
        share = min(self.done / self.total, 1.0)
        left = round((self._clock() - self._begin) * (1 - share) / share)
        return f"{100 * share:.0f} %, {left // 60}:{left % 60:02} left"


def total_bytes(paths: Iterable[str]) -> int | None:
    """Return the size of files and of all files in folders; None for standard input or what does not exist."""
    total = 0
    try:
        for path in paths:
            if path == STANDARD:
                return None
            if os.path.isdir(path):
                total += _folder_bytes(path)
            else:
                total += os.path.getsize(path)
    except OSError:
        return None
    return total


def _folder_bytes(folder: str) -> int:
    total = 0
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.startswith("."):
                with suppress(OSError):
                    total += os.lstat(os.path.join(path, name)).st_size
    return total
