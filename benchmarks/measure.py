"""Measure a row: both sides in turn over the same games, so that a busy machine slows both alike."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.games import Game, typical
from benchmarks.rows import Row
from benchmarks.targets import Figure


@dataclass(frozen=True)
class Result:
    """What was measured of a row: for each repetition the milliseconds that a game took, ours and the peer's."""

    row: Row
    games: int
    lines: int
    ours_ms: tuple[float, ...]
    peer_ms: tuple[float, ...]

    @property
    def ratios(self) -> tuple[float, ...]:
        """Ours to the peer's, for each repetition: the two stand next to each other in time."""
        return tuple(ours / peer for ours, peer in zip(self.ours_ms, self.peer_ms, strict=True))

    @property
    def figures(self) -> dict[Figure, float]:
        """The medians over the repetitions."""
        ms = median(self.ours_ms)
        return {"ratio": median(self.ratios), "ms": ms, "rate": self.lines / self.games / ms * 1000}

    @property
    def reached(self) -> bool | None:
        """Whether the target is reached; None where there is none."""
        target = self.row.target
        return None if target is None else target.reached(self.figures[target.figure])


def measure(row: Row, games: list[Game], repetitions: int, warm_up: int = 1) -> Result:
    """Measure a row: ours, the peer's, ours, ... with the garbage collector at work as users have it."""
    games = [typical(games)] if row.one else games
    ours = [row.ours.prepare(game) for game in games]
    peer = [row.peer.prepare(game) for game in games]
    for _ in range(warm_up):
        seconds(row.ours.run, ours)
        seconds(row.peer.run, peer)
    taken = [(seconds(row.ours.run, ours), seconds(row.peer.run, peer)) for _ in range(repetitions)]
    ours_ms, peer_ms = ([1000 * total / len(games) for total in side] for side in zip(*taken, strict=True))
    lines = sum(game.messages for game in games) if row.lines is None else row.lines
    return Result(row, len(games), lines, tuple(ours_ms), tuple(peer_ms))


def seconds(work: Callable[[Any], object], cases: Iterable[Any]) -> float:
    """Give the time that the work takes on all cases."""
    gc.collect()  # what the other side left is not this one's to clean up
    begin = perf_counter()
    for case in cases:
        work(case)
    return perf_counter() - begin
