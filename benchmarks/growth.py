"""Measure how the time grows with the rounds of a game, games of a file, files of an archive, and scores."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import linear_regression
from tempfile import TemporaryDirectory
from typing import Any, Final

import mjconv
from benchmarks import games, report
from benchmarks.commands import archived, batch
from benchmarks.games import Game, typical
from benchmarks.judging import validate
from benchmarks.measure import clock_of, frozen, shortest
from benchmarks.sides import Side, read, score, write
from mjconv.converters.formats import FORMATS

#: The size of each case, as a multiple of the first.
SIZES: Final = (1, 2, 4, 8, 16)
_QUICK_SIZES: Final = (1, 2, 4, 8)
#: Up to this exponent, growth counts as linear. It is above 1 because large cases no longer fit in a cache.
LINEAR: Final = 1.15
#: How many of the largest sizes the exponent is fitted to. At small sizes, fixed costs dominate.
_FITTED: Final = 3
_SWEEPS: Final = 5
_QUICK_SWEEPS: Final = 2
_SHARE: Final = 0.005

_IDS: Final = tuple(form.id for form in FORMATS if form.writes and form.holds.has("riichi"))
#: The formats whose games may repeat their rounds. In mjx, each round follows the one before it.
_REPEATING: Final = tuple(form for form in _IDS if form != "mjx")
#: The formats whose files hold several games.
_SEVERAL: Final = tuple(form.id for form in FORMATS if form.id in _IDS and "" not in form.files.one_match_a_file)
_FEW_FILES: Final = 20
_MANY_FILES: Final = 60
_SCORES: Final = 5_000
_EVENING: Final = 16


@dataclass(frozen=True)
class Growing:
    """A row: `side` returns the work for a size, `make` makes the case of a size from a game."""

    what: str
    side: Callable[[int], Side]
    make: Callable[[Game, int], Game]


@dataclass(frozen=True)
class Growth:
    """The result of a row: the shortest time for each size, in milliseconds."""

    what: str
    work: str
    sizes: tuple[int, ...]
    ms: tuple[float, ...]

    @property
    def doubling(self) -> float:
        """The time of the largest size, divided by that of half the size."""
        return self.ms[-1] / self.ms[-2]

    @property
    def exponent(self) -> float:
        """The exponent that fits the largest sizes best, by least squares of the logarithms."""
        points = [(math.log(size), math.log(ms)) for size, ms in zip(self.sizes, self.ms, strict=True)][-_FITTED:]
        slope, _ = linear_regression(*zip(*points, strict=True))
        return slope

    @property
    def linear(self) -> bool:
        """Whether the time grows no faster than the size."""
        return self.exponent <= LINEAR


def longer(game: Game, size: int) -> Game:
    """Return a game that repeats its rounds."""
    return _of_lines(game, (game.lines[0], *game.lines[1:-1] * size, game.lines[-1]))


def repeated(game: Game, size: int) -> Game:
    """Return a file that repeats a game."""
    return _of_lines(game, game.lines * size)


def _of_lines(game: Game, lines: tuple[bytes, ...]) -> Game:
    return Game(game.path, b"\n".join(lines) + b"\n", lines, game.folder)


def few_packed(game: Game, size: int) -> Game:
    """Return an archive with a few files for each size."""
    return archived([game], _FEW_FILES * size)[0]


def many_packed(game: Game, size: int) -> Game:
    """Return an archive with more files, for work that is slow to start."""
    return archived([game], _MANY_FILES * size)[0]


def as_it_is(game: Game, _: int) -> Game:
    """Return the game unchanged, for work that has its own cases."""
    return game


def _always(side: Side) -> Callable[[int], Side]:
    return lambda _: side


def _works(forms: Sequence[str]) -> list[Side]:
    return [
        *map(read, forms),
        *map(write, forms),
        validate("mjai", "order"),
        *(validate(form, "rules") for form in forms),
    ]


def _each_match(path: str) -> None:
    for _ in mjconv.iter_matches(path):
        pass


ITERATING: Final = Side("iter_matches", lambda game: str(game.path), _each_match)

GROWING: Final = (
    *(Growing("rounds of a game", _always(side), longer) for side in _works(_REPEATING)),
    *(Growing("games in a file", _always(side), repeated) for side in _works(_SEVERAL)),
    Growing("files in an archive", _always(ITERATING), few_packed),
    Growing("files in an archive", _always(batch("mjai", "jmjp", 1)), many_packed),
    Growing("lines of scores", lambda size: score(_SCORES * size, _EVENING), as_it_is),
)


def measure(rows: Sequence[Growing], game: Game, sizes: Sequence[int], sweeps: int) -> list[Growth]:
    """Measure each row at all sizes in turn, in several sweeps. The shortest time counts."""
    trials: list[tuple[Growing, list[tuple[Side, Any]]]] = [
        (row, [(side, side.prepare(row.make(game, size))) for size in sizes for side in [row.side(size)]])
        for row in rows
    ]
    taken = [[math.inf] * len(sizes) for _ in trials]
    with frozen():
        for _ in range(sweeps):
            for best, (_, cases) in zip(taken, trials, strict=True):
                for place, (side, case) in enumerate(cases):
                    best[place] = min(best[place], shortest(side, case, _SHARE, clock_of(side)))
    return [
        Growth(row.what, cases[0][0].name, tuple(sizes), tuple(1000 * seconds for seconds in best))
        for best, (row, cases) in zip(taken, trials, strict=True)
    ]


def table(results: Sequence[Growth]) -> str:
    """Return a table of the milliseconds at each size, the ratio of the last two, and the exponent."""
    heads = ("with", "work", *(f"x {size}" for size in results[0].sizes), "doubling", "exponent", "")
    return report.aligned([heads, *map(_cells, results)], left={0, 1, len(heads) - 1})


def _cells(growth: Growth) -> tuple[str, ...]:
    times = (f"{ms:.2f}" for ms in growth.ms)
    verdict = "linear" if growth.linear else "NOT LINEAR"
    return (growth.what, growth.work, *times, f"{growth.doubling:.2f}", f"{growth.exponent:.2f}", verdict)


def main(arguments: Sequence[str]) -> None:
    """Run ``python -m benchmarks growth``."""
    parser = argparse.ArgumentParser("python -m benchmarks growth", description=__doc__)
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all figures to FILE as well")
    parser.add_argument("--quick", action="store_true", help="fewer sizes and sweeps, for a first look")
    parser.add_argument("--only", metavar="WORD", default="", help="only the work that has WORD in its name")
    asked = parser.parse_args(arguments)
    sizes, sweeps = (_QUICK_SIZES, _QUICK_SWEEPS) if asked.quick else (SIZES, _SWEEPS)
    rows = [row for row in GROWING if asked.only in f"{row.what}, {row.side(1).name}"]
    with TemporaryDirectory() as folder:
        source, played = games.load(Path(folder))
        [game] = typical(played)
        told = report.conditions(source, [game])
        print(report.heading(told), flush=True)
        results = measure(rows, game, sizes, sweeps)
    print(table(results))
    if asked.json is not None:
        asked.json.write_text(json.dumps(figures(told, results), indent=1) + "\n", encoding="utf-8")


def figures(told: dict[str, Any], results: Sequence[Growth]) -> dict[str, Any]:
    """Return all figures as JSON values."""
    rows = [
        {
            "with": growth.what,
            "work": growth.work,
            "sizes": list(growth.sizes),
            "ms": list(growth.ms),
            "doubling": growth.doubling,
            "exponent": growth.exponent,
            "linear": growth.linear,
        }
        for growth in results
    ]
    return {**told, "growth": rows}
