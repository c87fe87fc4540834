"""The score table of players: rows, tab-separated values, and aligned text for a terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from mjconv.ir.errors import visible, width

#: The name of the row for all players together; no player can have it.
EVERYONE: Final = "*"
#: The cell of a fraction without a game.
NO_NUMBER: Final = "nan"
#: The most decimals of a printed number.
DECIMALS: Final = 4


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
    def of(cls, rows: Iterable[Row]) -> ScoreTable:
        """Create a table from rows in any order."""
        return cls(tuple(sorted(rows, key=lambda row: (not row.games, -(row.net_per_game or 0), row.name))))

    def cells(self, *, blame: bool = False) -> list[list[str]]:
        """Return the cells as text, the header first; `blame` adds two columns."""
        shown = [column for column in COLUMNS if blame or column not in _OF_BLAME]
        return [
            shown,
            *([spell(getattr(row, COLUMNS[column])) for column in shown] for row in (*self.rows, self.everyone)),
        ]

    def tsv(self, *, blame: bool = False) -> str:
        r"""Return the table as tab-separated values.

        >>> ScoreTable((Row("A", games=3, wins=1, net=Fraction(1, 2)),)).tsv().splitlines()[1]
        'A\t3\t1\t0.3333\t0.5\t0.1667'
        """
        text = io.StringIO()
        csv.writer(text, delimiter="\t", lineterminator="\n").writerows(self.cells(blame=blame))
        return text.getvalue()

    def aligned(self, *, blame: bool = False) -> str:
        """Return the table as text, safe for a terminal: names left-aligned, numbers right-aligned.

        >>> print(ScoreTable((Row("石橋", games=1, net=Fraction(-2)),)).aligned(), end="")
        name  game_count  win_count  win_fraction  net_score  net_score_per_game
        石橋           1          0             0         -2                  -2
        *              1          0             0         -2                  -2
        """
        cells = [[visible(cell) for cell in row] for row in self.cells(blame=blame)]
        widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
        lines = []
        for row in cells:
            name, *numbers = (" " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=True))
            lines.append("  ".join([row[0] + name, *map("".join, zip(numbers, row[1:], strict=True))]))
        return "".join(f"{line}\n" for line in lines)


def spell(value: str | int | Fraction | None) -> str:
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
