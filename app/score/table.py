"""The score table of players, and the grids of cells that score tables of all kinds are written from."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias, cast

from mjconv.converters.shared.standings import UNITS
from mjconv.ir.errors import UsageError
from mjconv.messages import aligned, spreadsheet_text

#: The name of the row for all players together; no player can have it.
EVERYONE: Final = "*"
#: The cell of a fraction without a game.
NO_NUMBER: Final = "nan"
#: The most decimals of a printed number.
DECIMALS: Final = 4

#: The value of a cell: a name, a count, a date, an exact number of points, or nothing.
Cell: TypeAlias = str | int | date | Fraction | None


class PlayerResult(NamedTuple):
    """The result of one player in a game of riichi: the date, the place, the points in `UNITS`, the chombo."""

    day: date
    place: int
    units: int | Fraction
    chombo: int


@dataclass(frozen=True)
class Row:
    """The sums of one player; `net` is in points, exact. Without games, fractions are None.

    With `results`, in the order of their dates, the games are of riichi: points are thousands, after oka and uma.
    Without them `places`, `best`, `worst`, `streak` and `chombo` are None.
    """

    name: str
    games: int = 0
    wins: int = 0
    blames: int = 0
    net: Fraction = Fraction(0)
    results: tuple[PlayerResult, ...] = ()

    @property
    def places(self) -> tuple[int, ...]:
        """The number of games with each place, from the first to the fourth."""
        return tuple([sum(result.place == place for result in self.results) for place in range(1, 5)])

    @property
    def average_place(self) -> Fraction | None:
        """The average place."""
        return Fraction(sum(result.place for result in self.results), len(self.results)) if self.results else None

    @property
    def best(self) -> Fraction | None:
        """The points of the best game."""
        return Fraction(max(result.units for result in self.results), UNITS) if self.results else None

    @property
    def worst(self) -> Fraction | None:
        """The points of the worst game."""
        return Fraction(min(result.units for result in self.results), UNITS) if self.results else None

    @property
    def chombo(self) -> int:
        """The number of chombo."""
        return sum(result.chombo for result in self.results)

    @property
    def streak(self) -> int:
        """The largest number of first places in games that follow each other."""
        runs = [len(list(run)) for first, run in groupby(self.results, lambda result: result.place == 1) if first]
        return max(runs, default=0)

    @property
    def win_fraction(self) -> Fraction | None:
        """The fraction of games won."""
        return Fraction(self.wins, self.games) if self.games else None

    @property
    def blame_fraction(self) -> Fraction | None:
        """The fraction of games that the player is to blame for."""
        return Fraction(self.blames, self.games) if self.games else None

    @property
    def net_per_game(self) -> Fraction | None:
        """Net points per game."""
        return self.net / self.games if self.games else None


#: The columns of the places, from the first.
PLACES: Final = ("first", "second", "third", "fourth")
#: The columns of a table of riichi, and of another one.
RIICHI: Final = (
    *("name", "game_count", *PLACES, "average_place", "net_score", "net_score_per_game"),
    *("best", "worst", "chombo", "streak"),
)
HONG_KONG: Final = (
    *("name", "game_count", "win_count", "win_fraction", "blame_count", "blame_fraction"),
    *("net_score", "net_score_per_game"),
)
#: The attribute of `Row` for each column that has another name.
_ATTRIBUTES: Final = {
    "game_count": "games",
    "win_count": "wins",
    "blame_count": "blames",
    "net_score": "net",
    "net_score_per_game": "net_per_game",
}


@dataclass(frozen=True)
class Grid:
    """The cells of a table: the names of its columns, and rows with a cell for each column.

    `missing` is the text of a cell without a value. Columns after the first `fixed` ones belong to players: then
    JSON has these cells together, under the key `players`.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    missing: str = NO_NUMBER
    fixed: int | None = None
    players: str = ""

    def cells(self) -> list[list[str]]:
        """Return the cells as text, the header first."""
        return [list(self.columns), *([self.text(cell) for cell in row] for row in self.rows)]

    def text(self, cell: Cell) -> str:
        """Return the text of one cell."""
        return self.missing if cell is None else spell(cell)

    def separated(self, separator: str) -> str:
        """Return the grid as text with a separator between cells, quoted as the `csv` module quotes.

        Text that a spreadsheet would take for a formula gets an apostrophe before it.
        """
        text = io.StringIO()
        rows = [
            [spreadsheet_text(cell) if isinstance(cell, str) else self.text(cell) for cell in row]
            for row in (self.columns, *self.rows)
        ]
        csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
        return text.getvalue()

    def aligned(self) -> str:
        """Return the grid as text, safe for a terminal: text left-aligned, numbers right-aligned."""
        texts = [any(isinstance(cell, str | date) for cell in column) for column in zip(*self.rows, strict=True)]
        right = [not text for text in texts or [True, *[False] * (len(self.columns) - 1)]]
        return "".join(f"{line}\n" for line in aligned(self.cells(), right))


@dataclass(frozen=True)
class ScoreTable:
    """The score table: rows by net points per game, highest first, then by name; rows without games last."""

    rows: tuple[Row, ...] = ()

    @property
    def everyone(self) -> Row:
        """The row for all players together."""
        rows, net = self.rows, sum((row.net for row in self.rows), Fraction(0))
        games, wins, blames = (sum(getattr(row, name) for row in rows) for name in ("games", "wins", "blames"))
        return Row(EVERYONE, games, wins, blames, net)

    @classmethod
    def of(cls, rows: Iterable[Row], sort: str | None = None) -> ScoreTable:
        """Create a table from rows in any order, sorted by a column.

        Names are sorted from A to Z. Numbers are sorted from the highest, average places from the lowest, then by
        name; rows without the number come last. Without `sort`, rows of riichi are sorted by net points, others by
        net points per game. Raises `UsageError` for a column that the table does not have.

        >>> rows = [Row("A", 1, 0), Row("B", 5, 1), Row("C")]
        >>> [row.name for row in ScoreTable.of(rows, "game_count").rows]
        ['B', 'A', 'C']
        """
        rows = list(rows)
        shown = cls(tuple(rows)).columns(blame=(sort or "").startswith("blame"))
        check_column(sort, shown)
        column = sort or ("net_score" if PLACES[0] in shown else "net_score_per_game")
        return cls(tuple(sorted(rows, key=lambda row: (*rank(value_of(row, column), column), row.name))))

    def columns(self, *, blame: bool = False) -> list[str]:
        """Return the names of the columns; `blame` adds two columns to a table that is not of riichi."""
        if any(row.results for row in self.rows):
            return list(RIICHI)
        return [column for column in HONG_KONG if blame or not column.startswith("blame")]

    def cells_in(self, shown: Sequence[str]) -> list[list[Cell]]:
        """Return the rows of the players in these columns; and that for all of them, if no column is of riichi."""
        rows = self.rows if PLACES[0] in shown else (*self.rows, self.everyone)
        return [[value_of(row, column) for column in shown] for row in rows]

    def grid(self, *, blame: bool = False) -> Grid:
        """Return the rows of the players and the row for all of them; `blame` adds two columns.

        A table of riichi has other columns, and no row for all players.
        """
        shown = self.columns(blame=blame)
        return Grid(shown, self.cells_in(shown))

    def cells(self, *, blame: bool = False) -> list[list[str]]:
        """Return the cells as text, the header first; `blame` adds two columns."""
        return self.grid(blame=blame).cells()

    def tsv(self, *, blame: bool = False) -> str:
        r"""Return the table as tab-separated values.

        >>> ScoreTable((Row("A", games=3, wins=1, net=Fraction(1, 2)),)).tsv().splitlines()[1]
        'A\t3\t1\t0.3333\t0.5\t0.1667'
        """
        return self.grid(blame=blame).separated("\t")

    def aligned(self, *, blame: bool = False) -> str:
        """Return the table as text, safe for a terminal: names left-aligned, numbers right-aligned.

        >>> print(ScoreTable((Row("石橋", games=1, net=Fraction(-2)),)).aligned(), end="")
        name  game_count  win_count  win_fraction  net_score  net_score_per_game
        石橋           1          0             0         -2                  -2
        *              1          0             0         -2                  -2
        """
        return self.grid(blame=blame).aligned()


def check_column(sort: str | None, columns: Sequence[str]) -> None:
    """Raise `UsageError` for the name of no column."""
    if sort not in (None, *columns):
        raise UsageError(f"--sort takes a column of the table, not {sort!r}: {', '.join(columns)}")


def value_of(row: Row, column: str) -> Cell:
    """Return the cell of a row in a column."""
    if column in PLACES:
        return row.places[PLACES.index(column)]
    return cast(Cell, getattr(row, _ATTRIBUTES.get(column, column)))


def rank(value: Cell, column: str) -> tuple[bool, Fraction | int, str]:
    """Return a key that sorts the cells of a column: names from A to Z, numbers from the highest, None last.

    Average places are sorted from the lowest.

    >>> sorted([2, None, 3], key=lambda cell: rank(cell, "games"))
    [3, 2, None]
    """
    if isinstance(value, str):
        return False, 0, value
    number = cast("Fraction | int", value or 0)
    return value is None, number if column == "average_place" else -number, ""


def spell(value: Cell) -> str:
    """Return the text of a cell: numbers as a float with four decimals, without trailing zeros.

    >>> [spell(value) for value in (Fraction(1, 3), Fraction(-904), Fraction(3, 20000), Fraction(-1, 10**9), None)]
    ['0.3333', '-904', '0.0001', '0', 'nan']
    """
    if value is None:
        return NO_NUMBER
    if not isinstance(value, Fraction):
        return str(value)
    try:
        text = f"{float(value):.{DECIMALS}f}".rstrip("0").rstrip(".")
    except OverflowError:
        return str(int(value))
    return "0" if text == "-0" else text
