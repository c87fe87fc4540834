"""The score table: who won and lost how much, as rows, as tab-separated values, as text for a terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from mjconv.ir.errors import visible, width

#: The name of the row over everyone, which no player can have.
EVERYONE: Final = "*"
#: What stands where there was no game to divide by.
NO_NUMBER: Final = "nan"
#: Numbers are printed to at most so many decimals.
DECIMALS: Final = 4


@dataclass(frozen=True)
class Row:
    """What one player has played; `net` is in points, exact. A fraction of no games is None."""

    name: str
    games: int = 0
    wins: int = 0
    blames: int = 0
    net: Fraction = Fraction(0)

    @property
    def win_fraction(self) -> Fraction | None:
        """Games won, of all."""
        return Fraction(self.wins, self.games) if self.games else None

    @property
    def blame_fraction(self) -> Fraction | None:
        """Games that the player is to blame for, of all."""
        return Fraction(self.blames, self.games) if self.games else None

    @property
    def net_per_game(self) -> Fraction | None:
        """Net points a game."""
        return self.net / self.games if self.games else None


#: The columns of the table, and what stands in each; those of blame are shown on demand.
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
    """The score table: rows by net points a game downward, then by name, those without a game last."""

    rows: tuple[Row, ...] = ()

    @property
    def everyone(self) -> Row:
        """The last row: all players together."""
        return Row(
            EVERYONE,
            sum(row.games for row in self.rows),
            sum(row.wins for row in self.rows),
            sum(row.blames for row in self.rows),
            sum((row.net for row in self.rows), Fraction(0)),
        )

    @classmethod
    def of(cls, rows: Iterable[Row]) -> ScoreTable:
        """Put rows in order."""
        return cls(tuple(sorted(rows, key=lambda row: (not row.games, -(row.net_per_game or 0), row.name))))

    def cells(self, *, blame: bool = False) -> list[list[str]]:
        """Give the table as it is printed, its head first; `blame` adds two columns."""
        shown = [column for column in COLUMNS if blame or column not in _OF_BLAME]
        return [
            shown,
            *([spell(getattr(row, COLUMNS[column])) for column in shown] for row in (*self.rows, self.everyone)),
        ]

    def tsv(self, *, blame: bool = False) -> str:
        r"""Give the table as tab-separated values.

        >>> ScoreTable((Row("A", games=3, wins=1, net=Fraction(1, 2)),)).tsv().splitlines()[1]
        'A\t3\t1\t0.3333\t0.5\t0.1667'
        """
        text = io.StringIO()
        csv.writer(text, delimiter="\t", lineterminator="\n").writerows(self.cells(blame=blame))
        return text.getvalue()

    def aligned(self, *, blame: bool = False) -> str:
        """Give the table for people: names to the left, numbers to the right, nothing a terminal would act on.

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
    """Write what stands in a cell: numbers through a float to four decimals, without zeros at the end.

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
