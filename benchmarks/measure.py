"""Measure rows: both sides in turn on the same games, so that a busy machine slows both alike.

The table is gone over in sweeps, so that a busy minute falls on one sweep of many rows, and not on one row.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from statistics import median, quantiles
from time import get_clock_info, perf_counter, process_time
from typing import Any, Final

from benchmarks.games import Game
from benchmarks.rows import Row
from benchmarks.sides import Side
from benchmarks.targets import Figure

#: Of so many runs at least the shortest counts, unless the first took so many seconds.
_LEAST_RUNS: Final = 2
_LONG: Final = 1.0
#: Of so many at most; and always, where a run starts a process.
_MOST_RUNS: Final = 5
#: From so many sweeps on, and with the middle half of the ratios so near to each other, a row is settled.
_ENOUGH: Final = 5
_NEAR: Final = 0.02
#: Where the clock of the processor is coarse, the one on the wall.
_CLOCK: Final = process_time if get_clock_info("process_time").resolution < 1e-5 else perf_counter


@dataclass(frozen=True)
class Pace:
    """How long to measure.

    `share` is how many seconds each side is to run in a sweep, on all games together. There are at most so many
    `sweeps`; after `seconds` there are none but the first. The rows that take longest come last.
    """

    share: float
    sweeps: int
    seconds: float


#: The share is one of five runs of what takes some milliseconds: both sides have as many, one after another, as
#: games come in an archive.
FULL: Final = Pace(0.5, 12, 200)
QUICK: Final = Pace(0.01, 3, 15)


@dataclass(frozen=True)
class Result:
    """What was measured of a row: for each sweep the milliseconds that a game took, ours and the peer's.

    Where the peer is not installed, there are none of its.
    """

    row: Row
    games: int
    lines: int
    ours_ms: tuple[float, ...]
    peer_ms: tuple[float, ...]

    @property
    def ratios(self) -> tuple[float, ...]:
        """Ours to the peer's, for each sweep: the two stand next to each other in time."""
        return tuple(ours / peer for ours, peer in zip(self.ours_ms, self.peer_ms, strict=bool(self.peer_ms)))

    @property
    def figures(self) -> dict[Figure, float]:
        """The medians over the sweeps; no ratio where there is no peer."""
        ms = median(self.ours_ms)
        told: dict[Figure, float] = {"ms": ms, "rate": self.lines / self.games / ms * 1000}
        if self.ratios:
            told["ratio"] = median(self.ratios)
        return told

    @property
    def reached(self) -> bool | None:
        """Whether the target is reached; None where there is none, or no figure for it."""
        target = self.row.target
        if target is None or target.figure not in self.figures:
            return None
        return target.reached(self.figures[target.figure])

    @property
    def settled(self) -> bool:
        """Whether more sweeps would change little."""
        several = self.ratios or self.ours_ms
        if len(several) < _ENOUGH:
            return False
        low, middle, high = quantiles(several, n=4)
        return high - low <= _NEAR * middle


@dataclass
class _Trial:
    """A row on its way: what each side takes of each game, and the seconds of all games, a sweep each."""

    row: Row
    games: list[Game]
    ours: list[Any] = field(default_factory=list)
    peer: list[Any] = field(default_factory=list)
    taken: list[tuple[float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.games = self.row.take(self.games)
        self.ours = [self.row.ours.prepare(game) for game in self.games]
        if is_there(self.row.peer):
            self.peer = [self.row.peer.prepare(game) for game in self.games]
        for side, cases in ((self.row.ours, self.ours), (self.row.peer, self.peer)):
            if cases and not side.apart:
                side.run(cases[0])  # so that all is loaded

    def sweep(self, share: float) -> None:
        """Run ours on a game, then the peer's on it, and so for all games."""
        clock = clock_of(self.row.ours, self.row.peer)
        a_game = share / len(self.games)
        ours = peer = 0.0
        for place, case in enumerate(self.ours):
            ours += shortest(self.row.ours, case, a_game, clock)
            if self.peer:
                peer += shortest(self.row.peer, self.peer[place], a_game, clock)
        self.taken.append((ours, peer))

    @property
    def cost(self) -> float:
        """What a sweep takes, in seconds, once that is known."""
        return sum(self.taken[-1]) if self.taken else 0.0

    @property
    def result(self) -> Result:
        ours, peer = ([1000 * total / len(self.games) for total in side] for side in zip(*self.taken, strict=True))
        lines = sum(game.messages for game in self.games) if self.row.lines is None else self.row.lines
        return Result(self.row, len(self.games), lines, tuple(ours), tuple(peer) if self.peer else ())


def measure(rows: Sequence[Row], games: list[Game], pace: Pace) -> list[Result]:
    """Measure the rows whose own side is installed, sweep by sweep, each until it is settled or time is up."""
    trials = [_Trial(row, games) for row in rows if is_there(row.ours)]
    begin = perf_counter()
    with frozen():
        for _ in range(pace.sweeps):
            for trial in sorted(trials, key=lambda trial: trial.cost):
                if not trial.taken or (perf_counter() - begin < pace.seconds and not trial.result.settled):
                    trial.sweep(pace.share)
    return [trial.result for trial in trials]


def is_there(side: Side) -> bool:
    """Say whether what a side needs is installed."""
    return find_spec(side.needs) is not None


def clock_of(*sides: Side) -> Callable[[], float]:
    """Give the clock for sides that are compared: what others run in between counts only where it must."""
    return perf_counter if any(side.apart for side in sides) else _CLOCK


def shortest(side: Side, case: Any, share: float, clock: Callable[[], float]) -> float:
    """Give the shortest time that a side takes on a case: of as many runs as fit in the share, within limits."""
    least = _MOST_RUNS if side.apart else _LEAST_RUNS
    gc.collect()  # what was left is not this side's to clean up
    taken: list[float] = []
    while (
        not taken or (len(taken) < least and taken[0] < _LONG) or (len(taken) < _MOST_RUNS and sum(taken) < share)
    ):
        begin = clock()
        side.run(case)
        taken.append(clock() - begin)
    return min(taken)


@contextmanager
def frozen() -> Iterator[None]:
    """Keep what stands already out of the garbage collector's sight: each run pays for its own objects alone."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
