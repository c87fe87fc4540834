"""Add up the games of Hong Kong score files: `hk_score` for matches, `hk_score_files` for files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from datetime import date

from msgspec import UNSET

from mjconv.converters.shared.standings import ScoredGame, Standing, Standings, add_game, in_window
from mjconv.ir.errors import InputError, UsageError, printable
from mjconv.ir.events import Ryukyoku, Win
from mjconv.ir.match import Match, Round
from mjconv.ir.vocabulary import CHOMBO
from mjconv.rules import hongkong_points as points
from mjconv.score.reading import check_window, count_files, score_format, score_module
from mjconv.score.season import Season
from mjconv.score.table import EVERYONE, Row, ScoreTable


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
    rows: dict[str, Row] = {}
    for match in [matches] if isinstance(matches, Match) else matches:
        names = ["" if player.name is UNSET else player.name.shown for player in match.players]
        rows.update((name, Row(name)) for name in names if name not in rows)
        for game_round in match.rounds:
            day = match.date_of(game_round)
            if in_window(day or None, since, until):
                _add(rows, names, game_round, match)
    return _table(rows.values(), windowed=since is not None or until is not None)


def hk_score_files(
    paths: Iterable[str | os.PathLike[str]],
    *,
    since: date | None = None,
    until: date | None = None,
    revalue: bool = False,
) -> ScoreTable:
    r"""Score Hong Kong score files piece by piece; memory grows with the number of players only.

    ``-`` is standard input. Compressed files are decompressed. Each file begins with the usual rules. Players
    with the same name count as one player; escapes such as ``%20`` in a name are decoded. `since` and `until` are
    as in `hk_score`. Notes are comments here: only visible lines count. A record of another format is converted
    first, in memory. With `revalue`, games by other rules count too, by the faan of their winning hands; without
    it, they raise `UsageError`. A conversion, a file that is named twice, and names that look alike cause a
    `MjconvWarning`. Raises `OSError`, and `MjconvError` with file and line.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "scores.txt")
    >>> _ = path.write_text("2024-01-20\nA B C D\n1 - - -\n")
    >>> hk_score_files([path], since=date(2024, 1, 1)).rows[0].net
    Fraction(6, 1)
    """
    from mjconv.api import MjconvWarning

    def warn(message: str) -> None:
        warnings.warn(printable(message), MjconvWarning, stacklevel=4)

    return score_of_files(paths, Season(since=since, until=until, riichi=False, revalue=revalue), warn)


def score_of_files(
    paths: Iterable[str | os.PathLike[str]], season: Season, warn: Callable[[str], None], sort: str | None = None
) -> ScoreTable:
    """Return the table of games in files, sorted by a column; `warn` is called with each warning.

    Raises `InputError` if no game is in the window of a season with riichi.
    """
    module = score_module()
    added: Standings = {}
    count_files(
        paths, lambda named: module.Tally(lambda _: added, season.since, season.until, named), warn, season
    )
    windowed = season.since is not None or season.until is not None
    if season.riichi and windowed and not any(one.games for one in added.values()):
        raise InputError("no game counted: no game has a date of these days")
    return _table(rows_of(added, season), windowed=windowed, sort=sort)


def standings(games: Iterable[ScoredGame], *, least: int = 0, sort: str | None = None) -> ScoreTable:
    """Return the table of games that are known by their points, such as `scored_game` returns.

    Players with the same name are one player. A player with fewer than `least` games has no row. A win is a first
    place; of games without places, a game with points above zero.

    >>> from mjconv.converters.shared.standings import UNITS
    >>> game = ScoredGame(None, ("A", "B", "C"), (30 * UNITS, 0, -30 * UNITS), (1, 2, 3), (0, 0, 1))
    >>> [(row.name, int(row.net), row.places, row.chombo) for row in standings([game, game]).rows]
    [('A', 60, (2, 0, 0, 0), 0), ('B', 0, (0, 2, 0, 0), 0), ('C', -60, (0, 0, 2, 0), 2)]
    """
    added: Standings = {}
    for game in games:
        wins = [place == 1 for place in game.places] or [units > 0 for units in game.units]
        add_game(added, game, wins, [times > 0 for times in game.chombo] or [False] * len(wins))
    return ScoreTable.of(_rows(added, least), sort)


def rows_of(standings: Standings, season: Season | None = None) -> list[Row]:
    """Return the rows of players, with their names as people write them, or as the `season` names them."""
    season = season or Season()
    joined: Standings = {}
    for player, shown in shown_names(standings).items():
        name = season.named(shown)
        if name is not None:
            joined.setdefault(name, Standing()).join(standings[player])
    return _rows(joined, season.least)


def _rows(standings: Standings, least: int) -> list[Row]:
    return [
        Row(name, one.games, one.wins, one.blames, one.net, tuple(sorted(one.results, key=lambda each: each.day)))
        for name, one in standings.items()
        if one.games >= least
    ]


def shown_names(players: Iterable[str]) -> dict[str, str]:
    """Return the decoded name of each player; a name that would be another player's stays as it is.

    >>> shown_names(["-ron-", "%2Dron-"]), shown_names(["%2Dron-"])
    ({'%2Dron-': '%2Dron-', '-ron-': '-ron-'}, {'%2Dron-': '-ron-'})
    """
    players = set(players)
    taken = {*players, EVERYONE}
    decoded = {player: score_module().unescape(player) for player in players}
    return {player: player if decoded[player] in taken else decoded[player] for player in sorted(players)}


def _table(rows: Iterable[Row], *, windowed: bool, sort: str | None = None) -> ScoreTable:
    return ScoreTable.of((row for row in rows if row.games or not windowed), sort)


def _add(rows: dict[str, Row], names: Sequence[str], game_round: Round, match: Match) -> None:
    rules = match.rules_of(game_round)
    results: list[Win | Ryukyoku] = game_round.select(Win, Ryukyoku)
    gained = points.gains(results[0], rules) if rules is not UNSET and len(results) == 1 else None
    if gained is None or len(names) != len(gained):
        form = score_format().id
        raise UsageError(f"a round has no Hong Kong rules or no faan: convert the match to {form} first")
    [result] = results
    winner = result.actor if isinstance(result, Win) else None
    blamed = _blamed(result)
    for seat, (name, net) in enumerate(zip(names, gained, strict=True)):
        row = rows[name]
        rows[name] = Row(
            name, row.games + 1, row.wins + (seat == winner), row.blames + (seat == blamed), row.net + net
        )


def _blamed(result: Win | Ryukyoku) -> int | None:
    """Return the seat to blame: the discarder, else the liable player, or whoever declared a false win."""
    if isinstance(result, Ryukyoku):
        return None if result.actor is UNSET or result.reason != CHOMBO else result.actor
    for seat in (result.target, result.liable):
        if seat is not UNSET and seat != result.actor:
            return seat
    return None
