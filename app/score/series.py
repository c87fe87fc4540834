"""Scores over time: score tables by day, month or year, and the points of each player after each game."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from mjconv.converters.shared.standings import UNITS, ScoredGame
from mjconv.ir.errors import UsageError
from mjconv.score.score import standings_by
from mjconv.score.table import Cell, Grid, ScoreTable

Period: TypeAlias = Literal["day", "month", "year"]
#: The number of first characters of a date, as yyyy-mm-dd, that name its period.
PERIODS: Final[dict[Period, int]] = {"day": 10, "month": 7, "year": 4}
#: The most cells of a grid of points after each game; it has a column for each player.
MOST_CELLS: Final = 5_000_000


def period_of(day: date | None, by: Period) -> str:
    """Return the period of a date, empty without a date.

    >>> period_of(date(2024, 1, 20), "month"), period_of(None, "day")
    ('2024-01', '')
    """
    return "" if day is None else day.isoformat()[: PERIODS[by]]


def scores_by_period(
    games: Iterable[ScoredGame], by: Period, *, least: int = 0, sort: str | None = None, blame: bool = False
) -> Grid:
    """Return the score tables of games by period, one below the other; games without a date come first.

    Each table ends with the row for all players, if it is not of riichi. A player without a game in a period has
    no row there.
    """
    tables = standings_by(games, lambda day: period_of(day, by), least=least, sort=sort)
    shown = ScoreTable(tuple([row for table in tables.values() for row in table.rows])).columns(blame=blame)
    rows = [[period, *cells] for period, table in tables.items() if table.rows for cells in table.cells_in(shown)]
    return Grid([by, *shown], rows)


def in_order(games: Iterable[ScoredGame]) -> list[ScoredGame]:
    """Return games by their dates, those without a date first; of one date in the order in which they come."""
    return sorted(games, key=lambda game: game.day or date.min)


def running_scores(games: Iterable[ScoredGame], by: Period | None) -> Grid:
    """Return the points of each player after each game, or after each period; a column for each player.

    Games are `in_order`. A cell is empty before the first game of its player. Raises `UsageError` if the grid
    would have more than `MOST_CELLS` cells.
    """
    games = in_order(games)
    sums: dict[str, Fraction | None] = {name: None for game in games for name in game.names}
    fixed = ["game", "date"] if by is None else [by]
    rows: list[list[Cell]] = []
    for number, game in enumerate(games, 1):
        for name, gained in zip(game.names, game.units, strict=True):
            sums[name] = (sums[name] or 0) + Fraction(gained, UNITS)
        if by is None:
            rows.append([number, game.day, *sums.values()])
        elif number == len(games) or period_of(games[number].day, by) != period_of(game.day, by):
            rows.append([period_of(game.day, by), *sums.values()])
        if len(rows) * (len(fixed) + len(sums)) > MOST_CELLS:
            raise UsageError(
                f"the table would have more than {MOST_CELLS} cells: choose games by --since, --until or --by"
            )
    return Grid([*fixed, *sums], rows, "", len(fixed), "points")
