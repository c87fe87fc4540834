"""A graph of points for a terminal: lines of the dots of braille characters, in the colours of the players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from rich.text import Text

#: The colours of the lines by player, as the page has them on a dark ground.
COLOURS: Final = ("#fb923c", "#60a5fa", "#4ade80", "#e879f9", "#fbbf24", "#2dd4bf")
#: The width of the numbers at the left, and of the letters at the right.
_LEFT, _RIGHT = 7, 2
_MARK: Final = "▲"
#: The bits of the dots of a braille character, by column and row.
_DOTS: Final = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_WIDE, _HIGH = len(_DOTS), len(_DOTS[0])
_BRAILLE: Final = 0x2800

Line: TypeAlias = Sequence[int | None]


class Plot:
    """Lines on a field of `columns` x `rows` characters. All lines have one length; None interrupts a line.

    >>> print(Plot([[0, 10, 0]], 5, 1).text(0, ["E"]).plain)
         10 ⡠⠊⠉⠒⢄E
             ▲
    """

    def __init__(self, lines: Sequence[Line], columns: int, rows: int) -> None:
        self.lines: Final = lines
        known = [value for line in lines for value in line if value is not None]
        #: Whether there is a value to draw.
        self.has_values: Final = bool(known)
        self.low: Final = min([0, *known])
        self.high: Final = max([1, *known])
        self.columns, self.rows = columns, rows
        self.intervals: Final = max([1, *(len(line) - 1 for line in lines)])
        self._dots = [[0] * columns for _ in range(rows)]
        self._owner: list[list[int | None]] = [[None] * columns for _ in range(rows)]
        for number, line in enumerate(self.lines):
            self._draw(number, line)

    def _draw(self, number: int, line: Line) -> None:
        before: tuple[int, int] | None = None
        for index, value in enumerate(line):
            here = None if value is None else (self._x(index), self._y(value))
            if here is not None:
                (x, y), (to_x, to_y) = before or here, here
                count = max(abs(to_x - x), abs(to_y - y), 1)
                for part in range(count + 1):
                    self._dot(number, x + (to_x - x) * part // count, y + (to_y - y) * part // count)
            before = here

    def _x(self, index: int) -> int:
        return index * (self.columns * _WIDE - 1) // self.intervals

    def _y(self, value: int) -> int:
        """Return the row of dots of a value, counted from the top."""
        return (self.high - value) * (self.rows * _HIGH - 1) // (self.high - self.low)

    def _dot(self, number: int, x: int, y: int) -> None:
        row, column = y // _HIGH, x // _WIDE
        self._dots[row][column] |= _DOTS[x % _WIDE][y % _HIGH]
        self._owner[row][column] = number

    def interval(self, column: int) -> int:
        """Return the interval that is drawn at a column of `text`, the nearest one for a column beside the field.

        >>> [Plot([[0] * 5], 8, 2).interval(column) for column in (0, 8, 10, 12, 14, 99)]
        [0, 0, 1, 2, 3, 3]
        """
        return min(max(0, (column - _LEFT - 1) * self.intervals // self.columns), self.intervals - 1)

    def text(self, at: int, letters: Sequence[str]) -> Text:
        """Return the graph with the interval `at` marked, and the letter of each line beside its end."""
        ends = self._ends()
        text = Text()
        for row, (dots, owners) in enumerate(zip(self._dots, self._owner, strict=True)):
            number = self.high if row == 0 else self.low if row == self.rows - 1 else None
            text.append(f"{'' if number is None else short_number(number):>{_LEFT}} ", "dim")
            for cell, owner in zip(dots, owners, strict=True):
                text.append(chr(_BRAILLE + cell), "" if owner is None else COLOURS[owner % len(COLOURS)])
            for line in ends.get(row, ()):
                text.append(letters[line], f"bold {COLOURS[line % len(COLOURS)]}")
            text.append("\n")
        place = (self._x(at) + self._x(at + 1)) // 2 // _WIDE
        return text.append(" " * (_LEFT + 1 + place) + _MARK)

    def _ends(self) -> dict[int, list[int]]:
        """Return the lines that end in each row. A row has room for the letters of two lines."""
        found: dict[int, list[int]] = {}
        ends = [(line[-1], number) for number, line in enumerate(self.lines) if line and line[-1] is not None]
        for value, number in sorted(ends, key=lambda end: -(end[0] or 0)):
            wanted = self._y(value or 0) // _HIGH
            free = [row for row in range(self.rows) if len(found.get(row, ())) < _RIGHT]
            if free:
                found.setdefault(min(free, key=lambda row: abs(row - wanted)), []).append(number)
        return found


def plot_width(columns: int) -> int:
    """Return the columns that remain for the lines of a graph that is `columns` wide."""
    return max(1, columns - _LEFT - 1 - _RIGHT)


def short_number(number: int) -> str:
    """Return a number of points in at most seven characters.

    >>> short_number(900), short_number(25000), short_number(48300), short_number(-1_000_000_000)
    ('900', '25k', '48.3k', '-1000M')
    """
    for size, sign in ((1_000_000, "M"), (1000, "k")):
        if abs(number) >= 10 * size:
            return f"{number / size:.1f}".removesuffix(".0") + sign
    return str(number)
