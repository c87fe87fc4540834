"""Scores over time: score tables by day, month or year, and the points of each player after each game."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from mjconv.converters.shared.standings import UNITS, ScoredGame, Standings
from mjconv.ir.errors import UsageError
from mjconv.score.reading import count_files, score_module
from mjconv.score.score import rows_of, shown_names
from mjconv.score.season import Season
from mjconv.score.table import Cell, Grid, ScoreTable

Period: TypeAlias = Literal["day", "month", "year"]
#: The number of first characters of a date, as yyyy-mm-dd, that name its period.
PERIODS: Final[dict[Period, int]] = {"day": 10, "month": 7, "year": 4}
#: The most cells of a grid of points after each game; it has a column for each player.
MOST_CELLS: Final = 5_000_000

Paths: TypeAlias = Iterable[str | os.PathLike[str]]
Warn: TypeAlias = Callable[[str], None]


def period_of(day: date | None, by: Period) -> str:
    """Return the period of a date, empty without a date.

    >>> period_of(date(2024, 1, 20), "month"), period_of(None, "day")
    ('2024-01', '')
    """
    return "" if day is None else day.isoformat()[: PERIODS[by]]


def scores_by_period(
    paths: Paths, by: Period, season: Season, warn: Warn, sort: str | None, *, blame: bool
) -> Grid:
    """Return the score tables of files by period, one below the other; games without a date come first.

    Each table ends with the row for all players, if it is not of riichi. A player without a game in a period has
    no row there. Raises as `mjconv.score.reading.count_files`.
    """
    module = score_module()
    periods: dict[str, Standings] = {}

    def standings_of(day: date | None) -> Standings:
        return periods.setdefault(period_of(day, by), {})

    count_files(paths, lambda named: module.Tally(standings_of, season.since, season.until, named), warn, season)
    tables = {
        period: ScoreTable.of((row for row in rows_of(periods[period], season) if row.games), sort)
        for period in sorted(periods)
    }
    shown = ScoreTable(tuple([row for table in tables.values() for row in table.rows])).columns(blame=blame)
    rows: list[list[Cell]] = [
        [period, *cells] for period, table in tables.items() if table.rows for cells in table.cells_in(shown)
    ]
    return Grid([by, *shown], rows)


def running_scores(paths: Paths, by: Period | None, season: Season, warn: Warn) -> Grid:
    """Return the points of each player after each game, or after each period; a column for each player.

    Games are in the order of `games_in`. A cell is empty before the first game of its player. Raises `UsageError`
    if the grid would have more than `MOST_CELLS` cells, and as `mjconv.score.reading.count_files`.
    """
    games = games_in(paths, season, warn)
    players = list(dict.fromkeys(name for game in games for name in game.names))
    fixed = ["game", "date"] if by is None else [by]
    rows: list[list[Cell]] = []
    for first, cells in _after(games, by, players):
        rows.append([*first, *cells])
        if len(rows) * (len(fixed) + len(players)) > MOST_CELLS:
            raise UsageError(
                f"the table would have more than {MOST_CELLS} cells: choose games by --since, --until or --by"
            )
    return Grid([*fixed, *players], rows, "", len(fixed), "points")


def games_in(paths: Paths, season: Season, warn: Warn) -> list[ScoredGame]:
    """Return the games of files by their dates, those without a date first; of one date in the order of the files.

    Names are as people write them, or as the `season` names them; players without a team have no points then.
    Raises as `mjconv.score.reading.count_files`.
    """
    module = score_module()
    lists = count_files(paths, lambda named: module.GameList(season.since, season.until, named), warn, season)
    games = sorted([game for one in lists for game in one.games], key=lambda game: game.day or date.min)
    names = {
        player: season.named(shown)
        for player, shown in shown_names({name for game in games for name in game.names}).items()
    }
    kept = []
    for game in games:
        playing = [seat for seat, player in enumerate(game.names) if names[player] is not None]
        places, chombo = (tuple([each[seat] for seat in playing if each]) for each in (game.places, game.chombo))
        units = tuple([game.units[seat] for seat in playing])
        shown = tuple([names[game.names[seat]] or "" for seat in playing])
        kept.append(ScoredGame(game.day, shown, units, places, chombo))
    return kept


def _after(
    games: list[ScoredGame], by: Period | None, players: list[str]
) -> Iterator[tuple[list[Cell], list[Fraction | None]]]:
    """Yield the first cells of each row, and the points of all players then."""
    sums: list[Fraction | None] = [None] * len(players)
    columns_of = {player: column for column, player in enumerate(players)}
    for number, game in enumerate(games, 1):
        for name, gained in zip(game.names, game.units, strict=True):
            column = columns_of[name]
            sums[column] = (sums[column] or 0) + Fraction(gained, UNITS)
        if by is None:
            yield [number, game.day], sums
        elif number == len(games) or period_of(games[number].day, by) != period_of(game.day, by):
            yield [period_of(game.day, by)], sums
