"""Add up the games of Hong Kong score files: `hk_score` for matches, `hk_score_files` for files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Any, Protocol, cast

from msgspec import UNSET

from mjconv.converters.formats import all_formats
from mjconv.converters.interface import Format
from mjconv.files import STANDARD, STDIN_NAME, check_one_standard_input, check_writable, packed_for, write_bytes
from mjconv.ir.errors import InputError, UsageError
from mjconv.ir.events import Ryukyoku, Win
from mjconv.ir.match import Match, Round
from mjconv.ir.vocabulary import CHOMBO
from mjconv.rules import hongkong_points as points
from mjconv.scoretable import Row, ScoreTable
from mjconv.textlines import lines_of


class Standing(Protocol):
    """The sums of one player: games, wins, games they are to blame for, net points."""

    games: int
    wins: int
    blames: int

    @property
    def net(self) -> Fraction:
        """The net points, exact."""


class Tally(Protocol):
    """Adds up the games of one file."""

    def count(self, lines: Sequence[str]) -> None:
        """Count the next lines of the file; raises `InputError`."""

    def finish(self) -> None:
        """Complete the sums after the last line."""


class ScoreModule(Protocol):
    """The module that a format declares as its `score_table`.

    `Tally` takes the standings by player name, which several files may share, then `since` and `until`.
    """

    Tally: Callable[[dict[str, Any], date | None, date | None], Tally]
    in_window: Callable[[date | None, date | None, date | None], bool]


@cache
def _score_format() -> Format:
    """Return the format that has a score table."""
    return next(form for form in all_formats() if form.score_table)


@cache
def _score_module() -> ScoreModule:
    return cast(ScoreModule, _score_format().load_score_table())


def hk_score(
    matches: Match | Iterable[Match], *, since: date | None = None, until: date | None = None
) -> ScoreTable:
    r"""Score one match or several by Hong Kong rules; players with the same name count as one player.

    Only games from `since` on and before `until` count. If either is set, games without a date do not count and
    players without a game have no row. Raises `UsageError` if a round has no Hong Kong rules or no faan.

    >>> import pathlib, tempfile
    >>> from mjconv import read
    >>> path = pathlib.Path(tempfile.mkdtemp(), "scores.hk")
    >>> _ = path.write_text("A B C D\n- 3 - d\n")
    >>> table = hk_score(read(path))
    >>> [(row.name, int(row.net)) for row in table.rows]
    [('B', 16), ('A', 0), ('C', 0), ('D', -16)]
    """
    in_window = _score_module().in_window
    rows: dict[str, Row] = {}
    for match in [matches] if isinstance(matches, Match) else matches:
        names = ["" if player.name is UNSET else player.name.shown for player in match.players]
        rows.update((name, Row(name)) for name in names if name not in rows)
        for game_round in match.rounds:
            day = match.date if game_round.date is UNSET else game_round.date
            if in_window(day or None, since, until):
                _add(rows, names, game_round, match)
    return _table(rows.values(), windowed=since is not None or until is not None)


def hk_score_files(
    paths: Iterable[str | os.PathLike[str]], *, since: date | None = None, until: date | None = None
) -> ScoreTable:
    r"""Score Hong Kong score files piece by piece; memory grows with the number of players only.

    ``-`` is standard input. Compressed files are decompressed. Each file begins with the usual rules. Players
    with the same name count as one player. `since` and `until` are as in `hk_score`. Notes are comments here:
    only visible lines count. Raises `OSError`, and `InputError` with file and line.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "scores.txt")
    >>> _ = path.write_text("2024-01-20\nA B C D\n1 - - -\n")
    >>> hk_score_files([path], since=date(2024, 1, 1)).rows[0].net
    Fraction(6, 1)
    """
    standings: dict[str, Standing] = {}
    for path in paths:
        name = os.fspath(path)
        try:
            tally = _score_module().Tally(standings, since, until)
            for lines in lines_of(name):
                tally.count(lines)
            tally.finish()
        except InputError as error:
            error.file = error.file or (STDIN_NAME if name == STANDARD else name)
            raise
    rows = (
        Row(player, standing.games, standing.wins, standing.blames, standing.net)
        for player, standing in standings.items()
    )
    return _table(rows, windowed=since is not None or until is not None)


def score_files(
    paths: Sequence[str],
    output: str | None,
    *,
    blame: bool = False,
    since: str | None = None,
    until: str | None = None,
) -> None:
    """Score the files and write the table to `output`, or to standard output; aligned on a terminal.

    `since` and `until` are dates as yyyy-mm-dd. Raises as `hk_score_files`, and `UsageError` for a wrong date.
    """
    check_one_standard_input(paths)
    if output is not None:
        check_writable(output)
    table = hk_score_files(paths, since=_day("--from", since), until=_day("--to", until))
    if output is None and sys.stdout is not None and sys.stdout.isatty():
        print(table.aligned(blame=blame), end="")
    else:
        text = table.tsv(blame=blame)
        write_bytes(output or STANDARD, packed_for(output or STANDARD, text.encode("utf-8", "replace")))


def _day(option: str, text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{option} takes a date such as 2024-01-20, not {text!r}") from None


def _table(rows: Iterable[Row], *, windowed: bool) -> ScoreTable:
    return ScoreTable.of(row for row in rows if row.games or not windowed)


def _add(rows: dict[str, Row], names: Sequence[str], game_round: Round, match: Match) -> None:
    rules = match.rules if game_round.rules is UNSET else game_round.rules
    results: list[Win | Ryukyoku] = game_round.select(Win, Ryukyoku)
    gained = points.gains(results[0], rules) if rules is not UNSET and len(results) == 1 else None
    if gained is None or len(names) != len(gained):
        form = _score_format().id
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
