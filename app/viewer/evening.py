"""The page of an evening or a season: the standings, the points after each game, and the games one by one."""

import base64
import zlib
from collections.abc import Sequence
from datetime import date, time
from fractions import Fraction
from typing import Any, Final

from msgspec import json

from mjconv.converters.shared.standings import UNITS, ScoredGame
from mjconv.ir.errors import UsageError
from mjconv.ir.match import Match, Name, Player, Text
from mjconv.score.riichi import is_riichi, names_of, scored_game
from mjconv.score.score import standings
from mjconv.viewer.results_table import MOST_CELLS, GameRow, table_of
from mjconv.viewer.rounds import point_lines, round_views
from mjconv.viewer.show import View, data_of_results, page, payload
from mjconv.viewer.words import Sentence

#: The places that have a word.
_PLACES: Final = ("first", "second", "third", "fourth")


def evening(
    games: Sequence[ScoredGame],
    title: str,
    *,
    least: int = 0,
    sort: str | None = None,
    lang: str | None = None,
    played: Sequence[Match] = (),
    wall: bool = True,
    credit: bool = True,
) -> View:
    """Return the page of games in their order: their standings, the graph of the points, days and games.

    `least` is the smallest number of games of a player in the standings, `sort` their column. `lang` is a
    language as `view` takes it; without it the reader's browser decides. `played` are the records of the games:
    then each game opens by a click. Without `wall` it shows no walls, without `credit` no line of mjconv. Raises
    `UsageError` if the page would be too large.

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
        for name, units in zip(game.names, game.units, strict=False):
            gained[numbers[name]] = gained.get(numbers[name], Fraction(0)) + Fraction(units, UNITS)
        first = max(gained, key=lambda number: gained[number], default=None)
        brief: Sentence = ("game.draw",) if first is None or not gained[first] else ("game.first", first)
        if not game.units:
            brief = ("brief.none",)
        elif game.places:
            placed = sorted(zip(game.places, game.names, strict=True))
            brief = ("game.places", [numbers[name] for _, name in placed])
        rows.append((GameRow("?", game.day.isoformat() if game.day else "", brief, None, None), gained))
    grid = table.grid()
    # The points are seen first on a narrow screen.
    order = sorted(range(len(grid.columns)), key=lambda column: grid.columns[column] not in ("name", "net_score"))
    shown = {
        "columns": [f"score.{grid.columns[column]}" for column in order],
        "rows": [[grid.text(row[column]) for column in order] for row in grid.rows],
    }
    players = [Player(Name(Text(name))) for name in names]
    more = {"standings": shown, "places": [f"score.{place}" for place in _PLACES], "notes": []}
    table_of_games = table_of(rows, len(names))
    data = data_of_results(players, table_of_games, lang, played or [Match()], title=title, **more)
    if any(match.rounds for match in played):
        data["plays"] = [_packed(match, data, wall) for match in played]
    return View(page({**data, "credit": credit}), title)


def evening_of(
    matches: Sequence[Match], title: str, *, lang: str | None = None, wall: bool = True, credit: bool = True
) -> View:
    """Return the page of games in the order of their dates, each a click away from their standings.

    The points of a game of riichi are those after oka and uma where the record states them or its rules; a game
    without an end has none. The other parameters are as in `evening`. Raises `UsageError` for games
    of riichi beside others.
    """
    played = sorted(matches, key=lambda match: (match.date or date.min, match.time or time.min))
    if len(set(map(is_riichi, played))) > 1:
        raise UsageError("games of riichi and of other rules have no common standings: choose files of one kind")
    games = list(map(_game, played))
    return evening(games, title, least=1, lang=lang, played=played, wall=wall, credit=credit)


def _game(match: Match) -> ScoredGame:
    """Return the result of a match: a game of riichi with its places, another with the points that moved."""
    game = ScoredGame(match.date or None, names_of(match))
    if is_riichi(match):
        return scored_game(match) or game
    lines = point_lines(round_views(match))
    moved = [after - before for before, *_, after in lines if before is not None and after is not None]
    return game._replace(units=tuple([points * UNITS for points in moved])) if len(moved) == match.seats else game


def _packed(match: Match, data: dict[str, Any], wall: bool) -> str:
    """Return the data of a match, without its rounds as messages. Its words join those of the page."""
    shown = payload(match, wall=wall)
    for language, words in shown.pop("words").items():
        data["words"][language].update(words)
    del shown["messages"]
    return base64.b64encode(zlib.compress(json.encode(shown))).decode("ascii")
