"""The page of an evening or a season: the standings, the points after each game, and the games one by one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from mjconv.converters.shared.standings import UNITS, ScoredGame
from mjconv.ir.errors import UsageError
from mjconv.ir.match import Match, Name, Player, Text
from mjconv.score.score import standings
from mjconv.viewer.results_table import MOST_CELLS, GameRow, table_of
from mjconv.viewer.show import View, data_of_results, page


def evening(
    games: Sequence[ScoredGame], title: str, *, least: int = 0, sort: str | None = None, lang: str | None = None
) -> View:
    """Return the page of games in their order: their standings, the graph of the points, days and games.

    `least` is the smallest number of games of a player in the standings, `sort` their column. `lang` is a
    language as `view` takes it; without it the reader's browser decides. Raises `UsageError` if the page would be
    too large.

    >>> games = [ScoredGame(None, ("Ann", "Ben", "Cho"), (UNITS, 0, -UNITS), (1, 2, 3), (0, 0, 0))]
    >>> evening(games, "May").html.startswith("<!doctype html>")
    True
    """
    table = standings(games, least=least, sort=sort)
    names = list(dict.fromkeys([row.name for row in table.rows] + [name for game in games for name in game.names]))
    if len(names) * len(games) > MOST_CELLS:
        raise UsageError(f"the page would have more than {MOST_CELLS} cells: choose games by --since or --until")
    numbers = {name: number for number, name in enumerate(names)}
    rows = []
    for game in games:
        gained: dict[int, Fraction] = {}
        for name, units in zip(game.names, game.units, strict=True):
            gained[numbers[name]] = gained.get(numbers[name], Fraction(0)) + Fraction(units, UNITS)
        first = max(gained, key=lambda number: gained[number], default=None)
        brief = ("game.draw",) if first is None or not gained[first] else ("game.first", first)
        rows.append((GameRow("?", game.day.isoformat() if game.day else "", brief, None, None), gained))
    grid = table.grid()
    # The points are seen first on a narrow screen.
    order = sorted(range(len(grid.columns)), key=lambda column: grid.columns[column] not in ("name", "net_score"))
    shown = {
        "columns": [f"score.{grid.columns[column]}" for column in order],
        "rows": [[grid.text(row[column]) for column in order] for row in grid.rows],
    }
    players = [Player(Name(Text(name))) for name in names]
    data = data_of_results(players, table_of(rows, len(names)), lang, [Match()], title=title, standings=shown)
    return View(page(data), title)
