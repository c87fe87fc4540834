"""Measure rows: both sides in turn on the same games, so a busy machine slows both.

The table is measured in sweeps, so a busy minute affects one sweep of many rows, and not one row.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from statistics import median, quantiles
from time import get_clock_info, perf_counter, process_time
from typing import Any, Final

from benchmarks.games import Game
from benchmarks.rows import Row
from benchmarks.shares import shares
from benchmarks.sides import Side
from benchmarks.targets import Figure

#: The least number of runs of a turn. After a first run of `_LONG` seconds there is no second.
_LEAST_RUNS: Final = 2
_LONG: Final = 1.0
#: The greatest number of runs of a turn. Runs that start a process always have as many.
_MOST_RUNS: Final = 5
#: A row is settled after `_ENOUGH` sweeps, if the middle half of its ratios lies within `_NEAR` of their median.
_ENOUGH: Final = 5
_NEAR: Final = 0.02
#: The most seconds in which the shares of the kinds of work are counted.
_SHARES: Final = 0.25
#: The processor clock, or the wall clock if the processor clock is coarse.
_CLOCK: Final = process_time if get_clock_info("process_time").resolution < 1e-5 else perf_counter


@dataclass(frozen=True)
class Pace:
    """How long to measure.

    `share` is the time of each side in a sweep, on all games together, in seconds. `sweeps` limits the sweeps.
    After `seconds` no row starts another sweep. The rows with a target have this time, then the others have it.
    The slowest rows come last.
    """

    share: float
    sweeps: int
    seconds: float


#: With this share, work of some milliseconds runs five times in a turn.
FULL: Final = Pace(0.5, 12, 200)
QUICK: Final = Pace(0.01, 3, 15)


@dataclass(frozen=True)
class Result:
    """The result of a row: the milliseconds for one game in each sweep, of mjconv and of the peer.

    `peer_ms` is empty if the peer is not installed. `shares` are the shares of the kinds of work in the time of
    mjconv.
    """

    row: Row
    games: int
    lines: int
    ours_ms: tuple[float, ...]
    peer_ms: tuple[float, ...]
    shares: Mapping[str, float] = field(default_factory=dict)

    @property
    def ratios(self) -> tuple[float, ...]:
        """The ratio of mjconv to the peer in each sweep."""
        return tuple(ours / peer for ours, peer in zip(self.ours_ms, self.peer_ms, strict=bool(self.peer_ms)))

    @property
    def figures(self) -> dict[Figure, float]:
        """The medians over the sweeps, without a ratio if there is no peer."""
        ms = median(self.ours_ms)
        told: dict[Figure, float] = {"ms": ms, "rate": self.lines / self.games / ms * 1000}
        if self.ratios:
            told["ratio"] = median(self.ratios)
        return told

    @property
    def reached(self) -> bool | None:
        """Whether the target is reached, or None without a target or a figure for it."""
        target = self.row.target
        if target is None or target.figure not in self.figures:
            return None
        return target.reached(self.figures[target.figure])

    @property
    def settled(self) -> bool:
        """Whether the row needs no more sweeps."""
        several = self.ratios or self.ours_ms
        if len(several) < _ENOUGH:
            return False
        low, middle, high = quantiles(several, n=4)
        return high - low <= _NEAR * middle


@dataclass
class _Trial:
    """A row under measurement: the case of each game for each side, and the seconds of each sweep."""

    row: Row
    games: list[Game]
    ours: list[Any] = field(default_factory=list)
    peer: list[Any] = field(default_factory=list)
    taken: list[tuple[float, float]] = field(default_factory=list)
    shares: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.games = self.row.take(self.games)
        self.ours = [self.row.ours.prepare(game) for game in self.games]
        if is_there(self.row.peer):
            self.peer = [self.row.peer.prepare(game) for game in self.games]
        for side, cases in ((self.row.ours, self.ours), (self.row.peer, self.peer)):
            if cases and not side.apart:
                side.run(cases[0])  # imports all modules

    def sweep(self, share: float) -> None:
        """Run mjconv on a game, then the peer on the same game, and so on for all games."""
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
        """The seconds of the last sweep, or 0 before the first."""
        return sum(self.taken[-1]) if self.taken else 0.0

    @property
    def result(self) -> Result:
        ours, peer = ([1000 * total / len(self.games) for total in side] for side in zip(*self.taken, strict=True))
        lines = sum(game.messages for game in self.games) if self.row.lines is None else self.row.lines
        return Result(self.row, len(self.games), lines, tuple(ours), tuple(peer) if self.peer else (), self.shares)


def measure(rows: Sequence[Row], games: list[Game], pace: Pace) -> list[Result]:
    """Measure the rows whose own side is installed, each until it is settled or the time is over.

    Rows with a target come first. They and the other rows have the time of `pace` each, because one sweep of the
    other rows can take all of it.
    """
    trials = [_Trial(row, games) for row in rows if is_there(row.ours)]
    with frozen():
        for aimed in (True, False):
            _sweep([trial for trial in trials if (trial.row.target is not None) is aimed], pace)
        for trial in trials:
            trial.shares = shares(trial.row.ours, trial.ours, min(10 * pace.share, _SHARES))
    return [trial.result for trial in trials]


def _sweep(trials: list[_Trial], pace: Pace) -> None:
    """Measure rows in sweeps, the quickest first."""
    begin = perf_counter()
    for _ in range(pace.sweeps):
        for trial in sorted(trials, key=lambda trial: trial.cost):
            if not trial.taken or (perf_counter() - begin < pace.seconds and not trial.result.settled):
                trial.sweep(pace.share)


def is_there(side: Side) -> bool:
    """Return whether the package that a side needs is installed."""
    return find_spec(side.needs) is not None


def clock_of(*sides: Side) -> Callable[[], float]:
    """Return the clock for two sides: wall time if one starts processes, else processor time."""
    return perf_counter if any(side.apart for side in sides) else _CLOCK


def shortest(side: Side, case: Any, share: float, clock: Callable[[], float]) -> float:
    """Return the shortest time of a side on a case, in seconds, of as many runs as fit in `share`."""
    least = _MOST_RUNS if side.apart else _LEAST_RUNS
    gc.collect()  # this side must not pay for older garbage
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
    """Hide existing objects from the garbage collector, so each run pays only for its own objects."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
