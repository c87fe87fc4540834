"""Where a run puts things: its output, what it lists beside it, and what it keeps until it is done."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from mjconv.batch.plan import FOLDER, LINES, Plan

#: Ends the name of the folder that a run works in; it is beside an archive, and inside a folder.
WORK: Final = ".mjconv-batch"
FAILURES: Final = "failures.jsonl"
RENAMED: Final = "renamed.jsonl"


@dataclass(frozen=True)
class Places:
    """The paths of a run. `work` is there as long as the run is not done."""

    output: str
    in_folder: bool

    @classmethod
    def of(cls, plan: Plan, output: str) -> Places:
        """Tell them by the output's path."""
        return cls(output, plan.shape in (FOLDER, LINES))

    @property
    def work(self) -> str:
        """The folder of what is kept until the run is done."""
        return os.path.join(self.output, WORK) if self.in_folder else self.output + WORK

    @property
    def failures(self) -> str:
        """The list of what could not be converted."""
        return self._listed(FAILURES)

    @property
    def renamed(self) -> str:
        """The list of what was written under another name."""
        return self._listed(RENAMED)

    @property
    def data(self) -> str:
        """An archive until it is whole."""
        return os.path.join(self.work, "data")

    @property
    def temporary(self) -> str:
        """A file until it is whole."""
        return os.path.join(self.work, "file.tmp")

    @property
    def whole(self) -> str:
        """Is there from when all is written to when the folder of the run goes."""
        return os.path.join(self.work, "whole")

    @property
    def gone(self) -> str:
        """What the folder of the run is called while it is removed."""
        return self.work + ".gone"

    def _listed(self, name: str) -> str:
        return os.path.join(self.output, name) if self.in_folder else f"{self.output}.{name}"

    def check_free(self) -> None:
        """Refuse to write where something is already: raises `FileExistsError`."""
        if os.path.lexists(self.work):
            reason = "Holds a run that is not done: --resume goes on with it, --force begins anew"
            raise FileExistsError(errno.EEXIST, reason, self.output)
        if self.in_folder and os.path.isdir(self.output) and os.listdir(self.output):
            raise FileExistsError(errno.EEXIST, "Is not empty; --force writes into it all the same", self.output)
        if os.path.lexists(self.output) and not (self.in_folder and os.path.isdir(self.output)):
            raise FileExistsError(errno.EEXIST, "Is there already; --force writes over it", self.output)

    def make(self) -> None:
        """Make the folders; raises `OSError`."""
        self.sweep()
        if not self.in_folder and os.path.isdir(self.output):
            raise IsADirectoryError(errno.EISDIR, "Is a folder, where an archive is to be written", self.output)
        above = os.path.dirname(os.path.abspath(self.output))
        if not os.path.isdir(above):
            raise FileNotFoundError(errno.ENOENT, "There is no such folder to write to", above)
        os.makedirs(self.work, exist_ok=True)

    def remove(self) -> None:
        """Remove the folder of the run, at once as others see it."""
        with suppress(FileNotFoundError):
            os.rename(self.work, self.gone)
        self.sweep()

    def sweep(self) -> bool:
        """Remove what is left of the folder of a run that was done; tell whether there was anything."""
        there = os.path.lexists(self.gone)
        shutil.rmtree(self.gone, ignore_errors=True)
        return there
