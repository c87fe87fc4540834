"""The score table of players, and the grids of cells that score tables of all kinds are written from."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Final, TypeAlias

from mjconv.ir.errors import UsageError, visible, width
from mjconv.messages import spreadsheet_text

#: The name of the row for all players together; no player can have it.
EVERYONE: Final = "*"
#: The cell of a fraction without a game.
NO_NUMBER: Final = "nan"
#: The most decimals of a printed number.
DECIMALS: Final = 4

#: The value of a cell: a name, a count, a date, an exact number of points, or nothing.
Cell: TypeAlias = str | int | date | Fraction | None


@dataclass(frozen=True)
class Row:
    """The sums of one player; `net` is in points, exact. Without games, fractions are None."""

    name: str
    games: int = 0
    wins: int = 0
    blames: int = 0
    net: Fraction = Fraction(0)

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


#: The columns of the table, and the attribute of `Row` for each; columns of blame are optional.
COLUMNS: Final = {
    "name": "name",
    "game_count": "games",
    "win_count": "wins",
    "win_fraction": "win_fraction",
    "blame_count": "blames",
    "blame_fraction": "blame_fraction",
    "net_score": "net",
    "net_score_per_game": "net_per_game",
}
_OF_BLAME: Final = ("blame_count", "blame_fraction")


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
        cells = [[visible(cell) for cell in row] for row in self.cells()]
        widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
        left = [any(isinstance(cell, str | date) for cell in column) for column in zip(*self.rows, strict=True)]
        left = left or [True, *[False] * (len(widths) - 1)]
        lines = []
        for row in cells:
            spaces = (" " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=True))
            padded = (
                cell + space if to_left else space + cell
                for cell, space, to_left in zip(row, spaces, left, strict=True)
            )
            lines.append("  ".join(padded))
        return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True)
class ScoreTable:
    """The score table: rows by net points per game, highest first, then by name; rows without games last."""

    rows: tuple[Row, ...] = ()

    @property
    def everyone(self) -> Row:
        """The row for all players together."""
        return Row(
            EVERYONE,
            sum(row.games for row in self.rows),
            sum(row.wins for row in self.rows),
            sum(row.blames for row in self.rows),
            sum((row.net for row in self.rows), Fraction(0)),
        )

    @classmethod
    def of(cls, rows: Iterable[Row], sort: str = "net_score_per_game") -> ScoreTable:
        """Create a table from rows in any order, sorted by a column of `COLUMNS`.

        Names are sorted from A to Z. Numbers are sorted from the highest, then by name; rows without the number
        come last.

        >>> rows = [Row("A", 1, 0), Row("B", 5, 1), Row("C")]
        >>> [row.name for row in ScoreTable.of(rows, "game_count").rows]
        ['B', 'A', 'C']
        """
        return cls(tuple(sorted(rows, key=lambda row: _rank(row, sort))))

    def grid(self, *, blame: bool = False) -> Grid:
        """Return the rows of the players and the row for all of them; `blame` adds two columns."""
        shown = columns(blame=blame)
        return Grid(shown, [row_cells(row, shown) for row in (*self.rows, self.everyone)])

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


def columns(*, blame: bool) -> list[str]:
    """Return the names of the columns of a score table."""
    return [column for column in COLUMNS if blame or column not in _OF_BLAME]


def row_cells(row: Row, shown: Iterable[str]) -> list[Cell]:
    """Return the cells of a row in these columns."""
    return [getattr(row, COLUMNS[column]) for column in shown]


def check_sort(sort: str, *, blame: bool) -> None:
    """Raise `UsageError` if a table has no such column to sort by."""
    if sort not in columns(blame=blame):
        if sort in COLUMNS:
            raise UsageError(f"--sort {sort} needs --blame, which adds this column")
        raise UsageError(f"--sort takes a column of the table, not {sort!r}: {', '.join(columns(blame=blame))}")


def _rank(row: Row, sort: str) -> tuple[bool, Fraction | int, str]:
    value = getattr(row, COLUMNS[sort])
    if isinstance(value, str):
        return False, 0, value
    return value is None, -(value or 0), row.name


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
