"""The process that tries inputs: bounded in memory, each input in time; an input can be made from its number."""

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

from fuzz.breaking import broken
from fuzz.minimise import minimise
from fuzz.seeds import records
from fuzz.trial import MOST_SECONDS, Outcome, PromiseError, Trial
from mjconv.converters import formats

#: What a process may take for its data, in bytes; it is refused more, which is a crash.
MOST_MEMORY: Final = 300 * 10**6
#: After so many seconds of the processor a trial is broken off.
_BROKEN_OFF: Final = 10.0
#: So long, in seconds, an input is made shorter.
_MINIMISING: Final = 20.0
#: So often, in seconds, the process tells how far it is.
_TELLING: Final = 1.0
#: How much of a traceback is told: its last lines, and of each so many characters.
_LINES: Final = 12
_LINE: Final = 500
_ROOT: Final = str(Path(__file__).parents[1])


NOTHING: Final = Outcome(whole=False, slowest="", seconds=0.0)


@dataclass
class Progress:
    """How far a worker is: how many inputs it tried, and what came of them."""

    tried: int = 0
    whole: int = 0
    slowest: Outcome = NOTHING
    slowest_bytes: int = 0
    slowest_input: str = ""
    memory: int = 0


@dataclass(frozen=True)
class Crash:
    """An input that did harm, and how: one `mark` is one mistake, however many inputs bring it to light."""

    mark: str
    told: str
    data: bytes


def input_of(reader: str, seed: int, number: int) -> tuple[bytes, Random]:
    """Make an input by its number; what is chosen after it is chosen by the same dice."""
    rng = Random(f"{seed} {reader} {number}")
    return broken(records(reader), rng), rng


class Examiner:
    """Puts inputs to the test, and tells the parent of each mistake that they bring to light, once."""

    def __init__(self, reader: str, parent: Connection) -> None:
        self.form, _ = formats.find(reader)
        self.parent = parent
        self.progress = Progress()
        self.seen: set[str] = set()
        warnings.simplefilter("ignore")

    def test(self, data: bytes, rng: Random, name: str) -> None:
        """Put one input to the test, written in a format that is chosen at random."""
        target = rng.choice(formats.known_names())

        def harm(data: bytes) -> Crash | None:
            return harm_of(lambda: Trial(self.form, data, (target,)).run(), data, self.progress)

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
            # First as it is: making it shorter may end the process.
            self.parent.send(Crash(mark, f"{name}, {target}: {found.told}", data))
            self.parent.send(Crash(mark, found.told, minimise(data, same, _MINIMISING)))


def work(reader: str, seed: int, number: ctypes.c_longlong, minutes: float, parent: Connection) -> None:
    """Try inputs from a number on for so long, and tell the parent of progress and crashes.

    `number` is shared with the parent: it is always that of the input at hand.
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
    """Bound what this process may take; what runs on for too long is interrupted."""
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    signal.signal(signal.SIGPROF, _interrupt)


def _interrupt(signum: int, frame: Any) -> None:
    del signum
    raise PromiseError(f"not done after {_BROKEN_OFF} s, in {frame.f_code.co_filename}:{frame.f_lineno}")


def harm_of(trial: Callable[[], Outcome], data: bytes, progress: Progress) -> Crash | None:
    """Run a trial: gives how it did harm, if it did."""
    try:
        outcome = _in_time(trial)
        if outcome.seconds > MOST_SECONDS:
            # The machine may have been busy: what is slow is slow again.
            outcome = min(outcome, _in_time(trial), _in_time(trial), key=lambda one: one.seconds)
    except Exception as error:
        told = "".join(line[:_LINE] for line in traceback.format_exception(error)[-_LINES:])
        return Crash(_mark(error), told, data)
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
    """Name a mistake: by the kind of the error, and the last line of ours that it came from."""
    if isinstance(error, PromiseError) and error.__cause__ is None:
        words = str(error).partition(":")[0]
        return "PromiseError " + "".join(letter for letter in words if not letter.isdigit())[:80]
    cause = error.__cause__ if isinstance(error, PromiseError) and error.__cause__ is not None else error
    ours = [
        f"{Path(frame.filename).relative_to(_ROOT)}:{frame.name}"
        for frame in traceback.extract_tb(cause.__traceback__)
        if frame.filename.startswith(_ROOT) and "/fuzz/" not in frame.filename
    ]
    return f"{type(error).__name__} {type(cause).__name__} {ours[-1] if ours else ''}"


def name_of(crash: Crash) -> str:
    """Give a short name for a crash, the same for the same mistake."""
    return hashlib.sha1(crash.mark.encode(), usedforsecurity=False).hexdigest()[:8]
