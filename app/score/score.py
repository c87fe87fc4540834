"""Add up games: standings of games, matches and files; tables by day, month or year; points after each game."""

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from mjconv.converters.shared.standings import UNITS, ScoredGame, game_by_faan, in_window
from mjconv.ir.errors import InputError, UsageError, printable
from mjconv.ir.events import Ryukyoku, Win
from mjconv.ir.match import Match
from mjconv.score.reading import check_window, games_of_files, score_format
from mjconv.score.season import Season
from mjconv.score.table import EVERYONE, Cell, Grid, PlayerResult, Row, ScoreTable
from mjconv.source import FileName, names_in

Period: TypeAlias = Literal["day", "month", "year"]
#: The number of first characters of a date, as yyyy-mm-dd, that name its period.
PERIODS: Final[dict[Period, int]] = {"day": 10, "month": 7, "year": 4}
#: The most cells of a grid of points after each game; it has a column for each player.
MOST_CELLS: Final = 5_000_000


def hk_score(
    matches: Match | Iterable[Match], *, since: date | None = None, until: date | None = None
) -> ScoreTable:
    r"""Score one match or several by Hong Kong rules; players with the same name count as one player.

    Only games from `since` to `until` count, both days included. If either is set, games without a date do not
    count and players without a game have no row. Raises `UsageError` if a round has no Hong Kong rules or no faan,
    and if `since` is after `until`.

    >>> import pathlib, tempfile
    >>> from mjconv import read
    >>> path = pathlib.Path(tempfile.mkdtemp(), "scores.hk")
    >>> _ = path.write_text("A B C D\n- 3 - d\n")
    >>> table = hk_score(read(path))
    >>> [(row.name, int(row.net)) for row in table.rows]
    [('B', 16), ('A', 0), ('C', 0), ('D', -16)]
    """
    check_window(since, until)
    every = since is until is None
    games = _games_of([matches] if isinstance(matches, Match) else matches)
    return standings(game for game in games if every or (game.units and in_window(game.day, since, until)))


def hk_score_files(
    paths: FileName | Iterable[FileName],
    *,
    since: date | None = None,
    until: date | None = None,
    revalue: bool = False,
) -> ScoreTable:
    r"""Score one Hong Kong score file or several, piece by piece; memory grows with the number of players only.

    ``-`` is standard input. Compressed files are decompressed. Each file begins with the usual rules. Players
    with the same name count as one player; escapes such as ``%20`` in a name are decoded. `since` and `until` are
    as in `hk_score`. Notes are comments here: only visible lines count. A record of another format is converted
    first, in memory. With `revalue`, games by other rules count too, by the faan of their winning hands; without
    it, they raise `UsageError`. A conversion, a file that is named twice, and names that look alike cause a
    `MjconvWarning`. Raises `OSError`, and `MjconvError` with file and line.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "scores.txt")
    >>> _ = path.write_text("2024-01-20\nA B C D\n1 - - -\n")
    >>> hk_score_files(path, since=date(2024, 1, 1)).rows[0].net
    Fraction(6, 1)
    """
    from mjconv.api import MjconvWarning

    season, messages = Season(since=since, until=until, riichi=False, revalue=revalue), list[str]()
    try:
        return standings(games_of_files(names_in(paths), season, messages.append))
    finally:
        for message in messages:
            warnings.warn(printable(message), MjconvWarning, stacklevel=2)


def standings(games: Iterable[ScoredGame], *, least: int = 0, sort: str | None = None) -> ScoreTable:
    """Return the table of games that are known by their points, such as `scored_game` returns.

    Players with the same name are one player. A player with fewer than `least` games has no row. Raises
    `InputError` if no player has so many games.

    >>> from mjconv.converters.shared.standings import UNITS
    >>> game = ScoredGame(None, ("A", "B", "C"), (30 * UNITS, 0, -30 * UNITS), (1, 2, 3), (0, 0, 1))
    >>> [(row.name, int(row.net), row.places, row.chombo) for row in standings([game, game]).rows]
    [('A', 60, (2, 0, 0, 0), 0), ('B', 0, (0, 2, 0, 0), 0), ('C', -60, (0, 0, 2, 0), 2)]
    """
    return standings_by(games, lambda _: "", least=least, sort=sort).get("", ScoreTable())


def standings_by(
    games: Iterable[ScoredGame], period: Callable[[date | None], str], *, least: int = 0, sort: str | None = None
) -> dict[str, ScoreTable]:
    """Return the tables of the games of each period, by its name, in the order of the names.

    Raises `InputError` if `least` leaves no player in any table.
    """
    sums: dict[str, dict[str, _Sums]] = {}
    names, day, players = tuple[str, ...](), None, list[_Sums]()
    for game in games:
        # Many games follow each other with the same players on the same day.
        if game.names is not names or game.day is not day:
            names, day = game.names, game.day
            known = sums.setdefault(period(day), {})
            players = [known.get(name) or known.setdefault(name, _Sums()) for name in names]
        _, _, units, places, _, winners, blamed = game
        for player, gained in zip(players, units, strict=False):
            player.games += 1
            player.units += gained
        for seat in winners:
            players[seat].wins += 1
        for seat in blamed:
            players[seat].blames += 1
        if places:
            for player, place, gained, chombo in zip(players, places, units, game.chombo, strict=True):
                player.results.append(PlayerResult(day or date.min, place, gained, chombo))
    tables = {
        name: ScoreTable.of([one.row(player) for player, one in players.items() if one.games >= least], sort)
        for name, players in sorted(sums.items())
    }
    if least > 1 and tables and not any(table.rows for table in tables.values()):
        raise _too_few(least)
    return tables


def _too_few(least: int) -> InputError:
    return InputError(f"no player has {least} games")


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


def running_scores(games: Iterable[ScoredGame], by: Period | None, *, least: int = 0) -> Grid:
    """Return the points of each player after each game, or after each period; a column for each player.

    Games are `in_order`. A cell is empty before the first game of its player. A player with fewer than `least`
    games has no column. Raises `InputError` if no player has so many games, and `UsageError` if the grid would
    have more than `MOST_CELLS` cells.
    """
    games = in_order(games)
    counts = Counter(name for game in games for name in game.names)
    sums: dict[str, Fraction | None] = {name: None for name, count in counts.items() if count >= least}
    if counts and not sums:
        raise _too_few(least)
    fixed = ["game", "date"] if by is None else [by]
    rows: list[list[Cell]] = []
    for number, game in enumerate(games, 1):
        for name, gained in zip(game.names, game.units, strict=True):
            if name in sums:
                sums[name] = (sums[name] or 0) + Fraction(gained, UNITS)
        if by is None:
            rows.append([number, game.day, *sums.values()])
        elif number == len(games) or period_of(games[number].day, by) != period_of(game.day, by):
            rows.append([period_of(game.day, by), *sums.values()])
        if len(rows) * (len(fixed) + len(sums)) > MOST_CELLS:
            reason = f"the table would have more than {MOST_CELLS} cells: choose games by --since, --until or --by"
            raise UsageError(reason)
    return Grid([*fixed, *sums], rows, "", len(fixed), "points")


class _Sums:
    """The sums of one player."""

    __slots__ = ("blames", "games", "results", "units", "wins")

    def __init__(self) -> None:
        self.games = self.wins = self.blames = 0
        self.units: int | Fraction = 0
        self.results: list[PlayerResult] = []

    def row(self, name: str) -> Row:
        results = sorted(self.results, key=lambda result: result.day)
        # No player has the name of the row for everyone.
        shown = "%2A" if name == EVERYONE else name
        return Row(shown, self.games, self.wins, self.blames, Fraction(self.units, UNITS), tuple(results))


def _games_of(matches: Iterable[Match]) -> Iterator[ScoredGame]:
    """Yield the games of matches by Hong Kong rules, and a game without points for the players of each match."""
    for match in matches:
        names = tuple(match.names)
        yield ScoredGame(None, names)
        for game_round in match.rounds:
            rules = match.rules_of(game_round)
            results: list[Win | Ryukyoku] = game_round.select(Win, Ryukyoku)
            day = match.date_of(game_round) or None
            game = game_by_faan(results[0], rules, day, names) if rules and len(results) == 1 else None
            if game is None or len(names) != len(game.units):
                form = score_format().id
                raise UsageError(f"a round has no Hong Kong rules or no faan: convert the match to {form} first")
            yield game
