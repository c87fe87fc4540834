"""The worker process that tries inputs, with limits of memory and time. Each input is made from its number."""

from __future__ import annotations

import ctypes
import hashlib
import resource
import signal
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final

from fuzz.minimise import minimise
from fuzz.subjects import subject
from fuzz.trial import MOST_SECONDS, Outcome, PromiseError
from mjconv.converters import formats

#: The memory limit of a worker, in bytes. More raises `MemoryError`, which is a crash.
MOST_MEMORY: Final = 300 * 10**6
#: The limit of one trial, in seconds of processor time.
_BROKEN_OFF: Final = 10.0
#: How long to shorten an input, in seconds.
_MINIMISING: Final = 20.0
#: The interval between reports of progress, in seconds.
_TELLING: Final = 1.0
#: How many of the last lines of a traceback to report, and how many characters of each.
_LINES: Final = 12
_LINE: Final = 500
_ROOT: Final = str(Path(__file__).parents[1])


NOTHING: Final = Outcome(whole=False, slowest="", seconds=0.0)


@dataclass
class Progress:
    """The progress of a worker: how many inputs it tried, and their results."""

    tried: int = 0
    whole: int = 0
    slowest: Outcome = NOTHING
    slowest_bytes: int = 0
    slowest_input: str = ""
    memory: int = 0


@dataclass(frozen=True)
class Crash:
    """An input that did harm, with details. All inputs with the same `mark` show the same mistake."""

    mark: str
    details: str
    data: bytes


def input_of(reader: str, seed: int, number: int) -> tuple[bytes, Random]:
    """Make an input from its number. Returns it with the generator for later choices."""
    rng = Random(f"{seed} {reader} {number}")
    return subject(reader).make(rng), rng


class Examiner:
    """Tries inputs, and sends each mistake to the parent once."""

    def __init__(self, reader: str, parent: Connection) -> None:
        self.subject = subject(reader)
        self.parent = parent
        self.progress = Progress()
        self.seen: set[str] = set()
        warnings.simplefilter("ignore")

    def test(self, data: bytes, rng: Random, name: str) -> None:
        """Try one input; the format to write is chosen at random."""
        target = rng.choice(formats.known_names())

        def harm(data: bytes) -> Crash | None:
            return harm_of(lambda: self.subject.trial(data, (target,)).run(), data, self.progress)

        def same(data: bytes) -> bool:
            again = harm(data)
            self.parent.send(self.progress)
            return again is not None and again.mark == mark

        self.progress.tried += 1
        slowest = self.progress.slowest
        found = harm(data)
        if self.progress.slowest is not slowest:
            self.progress.slowest_input = name
        if found is not None and found.mark not in self.seen:
            mark = found.mark
            self.seen.add(mark)
            # The whole input first, because shortening may end the process.
            self.parent.send(Crash(mark, f"{name}, {target}: {found.details}", data))
            self.parent.send(Crash(mark, found.details, minimise(data, same, _MINIMISING)))


def work(reader: str, seed: int, number: ctypes.c_longlong, minutes: float, parent: Connection) -> None:
    """Try inputs for `minutes`, and send progress and crashes to the parent.

    `number` is the number of the current input; the parent shares it.
    """
    bound()
    examiner = Examiner(reader, parent)
    told = monotonic()
    until = told + 60 * minutes
    while (now := monotonic()) < until:
        if now - told > _TELLING:
            parent.send(examiner.progress)
            told = now
        data, rng = input_of(reader, seed, number.value)
        examiner.test(data, rng, f"input {number.value} of seed {seed}")
        number.value += 1
    parent.send(examiner.progress)
    parent.close()


def bound() -> None:
    """Limit the memory of this process, and interrupt a trial that takes too long."""
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    signal.signal(signal.SIGPROF, _interrupt)


def _interrupt(signum: int, frame: Any) -> None:
    del signum
    raise PromiseError(f"not done after {_BROKEN_OFF} s, in {frame.f_code.co_filename}:{frame.f_lineno}")


def harm_of(trial: Callable[[], Outcome], data: bytes, progress: Progress) -> Crash | None:
    """Run a trial. Returns the crash, or None if it did no harm."""
    try:
        outcome = _in_time(trial)
        if outcome.seconds > MOST_SECONDS:
            # The machine may have been busy; a slow step is slow again.
            outcome = min(outcome, _in_time(trial), _in_time(trial), key=lambda one: one.seconds)
    except Exception as error:
        details = "".join(line[:_LINE] for line in traceback.format_exception(error)[-_LINES:])
        return Crash(_mark(error), details, data)
    progress.whole += outcome.whole
    progress.memory = max(progress.memory, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    if outcome.seconds > progress.slowest.seconds:
        progress.slowest, progress.slowest_bytes = outcome, len(data)
    if outcome.seconds > MOST_SECONDS:
        return Crash(f"slow {outcome.slowest}", f"{outcome.slowest} takes {outcome.seconds:.1f} s", data)
    return None


def _in_time(trial: Callable[[], Outcome]) -> Outcome:
    signal.setitimer(signal.ITIMER_PROF, _BROKEN_OFF)
    try:
        return trial()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _mark(error: BaseException) -> str:
    """Name a mistake by the type of the error and the last function of mjconv in the traceback."""
    if isinstance(error, PromiseError) and error.__cause__ is None:
        words = str(error).partition(":")[0]
        return "PromiseError " + "".join(letter for letter in words if not letter.isdigit())[:80]
    cause = error.__cause__ if isinstance(error, PromiseError) and error.__cause__ is not None else error
    ours = [
        f"{path.relative_to(_ROOT)}:{frame.name}"
        for frame in traceback.extract_tb(cause.__traceback__)
        # An editable install has links in build/: the mark is the same for every installation of this tree.
        for path in [Path(frame.filename).resolve()]
        if path.is_relative_to(_ROOT) and "/fuzz/" not in frame.filename
    ]
    return f"{type(error).__name__} {type(cause).__name__} {ours[-1] if ours else ''}"


def name_of(crash: Crash) -> str:
    """Return a short name for a crash; it is the same for the same mistake."""
    return hashlib.sha1(crash.mark.encode(), usedforsecurity=False).hexdigest()[:8]
