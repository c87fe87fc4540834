"""The table of players of riichi for the library. It loads polars at the first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mjconv.archive.where import Where
from mjconv.columns import Matches, matches_of
from mjconv.ir.suggestion import check_word
from mjconv.packages import check_packages
from mjconv.score.table import Grid

if TYPE_CHECKING:
    from mjconv.score.stats import By


def stats(matches: Matches, *, by: By | None = None, where: str | None = None) -> Grid:
    """Return the table that ``mjconv stats`` writes: a row for each player, with places, rates and averages.

    `matches` are matches, records, or the path of a file, a folder or an archive; only the command reads Parquet.
    `by` is ``month``, ``room``, ``seat``, ``rank`` or ``team``, for a row for each player and value. `where` keeps
    some matches, by their facts (``"players = 4"``). Matches that are no riichi games of three or four players
    are left out. Fractions are exact. `Grid.aligned` returns the table as text. Raises `UsageError` if polars or
    pyarrow is not installed, or for a wrong `by` or `where`, and the errors of `iter_records`.

    >>> from mjconv.ir.events import Riichi, Ryukyoku
    >>> from mjconv.ir.match import Match, Round
    >>> table = stats(Match(rounds=[Round([Riichi(2), Ryukyoku()])]))
    >>> [(row[0], row[table.columns.index("riichi_rate")]) for row in table.rows[2:]]
    [('seat 2', Fraction(1, 1)), ('seat 3', Fraction(0, 1))]
    """
    check_packages("stats", "polars", "pyarrow")
    from mjconv.score.stats import GROUPS, Stats, event_tables

    if by is not None:
        check_word("by", by, GROUPS)
    players = Stats(by, Where.of(where))
    for table in event_tables(matches_of(matches)):
        players.add(table)
    return players.grid()
