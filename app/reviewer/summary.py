"""The numbers of a review: agreement by kind of decision, faults, times; and where two reviews differ."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from mjconv.ir.errors import InputError, printable
from mjconv.ir.plural import counted
from mjconv.referee.choices import matching
from mjconv.reviewer.rows import FAULTS, KINDS, Lost, ReviewRow, event_of
from mjconv.score.table import Cell, Grid

#: The faults, and the differences, that are printed.
_SHOWN: Final = 20


class ReviewSummary:
    """The numbers of a review, added up row by row."""

    def __init__(self) -> None:
        self.decisions = self.left_out = 0
        #: The number of games of each seat.
        self.seats: Counter[int] = Counter()
        self.lost: list[Lost] = []
        #: The files and matches that cannot be reviewed.
        self.failures: list[str] = []
        self.failed = self.lost_games = 0
        #: The end of the bot's standard error, of the first member with a fault.
        self.errors = ""
        self.counted: Counter[str] = Counter()
        self.same: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.shown: list[ReviewRow] = []
        #: The number of answers that took so many seconds, to two digits.
        self.seconds: Counter[float] = Counter()

    def add_row(self, row: ReviewRow) -> None:
        """Add a row. Agreement counts every decision with two or more choices; no answer with a fault agrees."""
        self.decisions += row.choices > 0
        if row.choices > 1 and row.same is not None:
            kind = str(row.kind)
            self.counted[kind] += 1
            self.same[kind] += row.same
        if row.fault is not None:
            self.faults[row.fault] += 1
            if len(self.shown) < _SHOWN:
                self.shown.append(row)
        if row.answered is not None:
            self.seconds[float(f"{row.seconds:.1e}")] += 1

    def add_lost(self, lost: Sequence[Lost], failures: Sequence[str]) -> None:
        """Add games that the bot did not play to their ends, and files and matches that cannot be reviewed."""
        self.lost_games += len(lost)
        self.lost += lost[: _SHOWN - len(self.lost)]
        self.failed += len(failures)
        self.failures += failures[: _SHOWN - len(self.failures)]

    @property
    def good(self) -> bool:
        """Whether all was reviewed, and every answer was legal, in time and a message."""
        return not (self.faults or self.lost_games or self.failed)

    def lines(self) -> Iterator[str]:
        """Return the summary as lines of text, safe for a terminal."""
        for text in self.failures:
            # The lines of an error: its message, the line of the file, and the caret.
            yield from map(printable, text.splitlines())
        yield from _more(self.failed, "failure")
        for row in self.shown:
            yield f"{row.shown}: {row.fault}: {printable(row.problem or '')}"
        yield from _more(self.faults.total(), "fault")
        for lost in self.lost:
            file = f"{lost.source}, match {lost.match + 1}, " if lost.source else ""
            yield printable(f"{file}seat {lost.seat}: the game is lost: {lost.reason}")
        yield from _more(self.lost_games, "lost game")
        if self.errors:
            yield "the bot's standard error ends with:"
            yield from (f"  {printable(line)}" for line in self.errors.splitlines()[-_SHOWN:])
        if self.counted:
            yield from agreement(self.counted, {"same": self.same, "agreement": self.same}).aligned().splitlines()
        else:
            yield f"no {'decision was compared' if self.seats else 'game was reviewed'}"
        if self.decisions or self.faults:
            faults = ", ".join(f"{self.faults[fault]} {fault}" for fault in FAULTS)
            ended = f"; {counted(self.lost_games, 'lost game', grouped=True)}" if self.lost_games else ""
            seats = f"seat{'s' * (len(self.seats) > 1)} {', '.join(map(str, sorted(self.seats)))}"
            games = counted(self.seats.total(), "game", grouped=True)
            decisions = counted(self.decisions, "decision", grouped=True)
            yield f"{seats}: {games}, {decisions}; answers: {faults}{ended}"
        if self.left_out:
            yield f"{counted(self.left_out, 'match', grouped=True)} left out by --where"
        if self.seconds:
            seconds = sorted(self.seconds.elements())
            shares = [seconds[round(share * (len(seconds) - 1))] for share in (0.5, 0.99)]
            median, most = (f"{share:.6f}".rstrip("0") for share in shares)
            yield f"seconds for an answer: {median} at the median, {most} at 99 %"


def agreement(counted: Counter[str], columns: dict[str, Counter[str]]) -> Grid:
    """Return a table with a row for each kind of decision, and one for all.

    A column has the numbers of a counter; if its name begins with ``agreement``, their shares of `counted`.
    """
    rows: list[list[Cell]] = []
    for kind in [kind for kind in KINDS if counted[kind]] + ["all"]:
        number = counted.total() if kind == "all" else counted[kind]
        cells = [values.total() if kind == "all" else values[kind] for values in columns.values()]
        shares: list[Cell] = [
            cell if not name.startswith("agreement") else Fraction(cell, number) if number else None
            for name, cell in zip(columns, cells, strict=True)
        ]
        rows.append([kind, number, *shares])
    return Grid(("kind", "decisions", *columns), rows)


class Comparison:
    """Two reviews of the same decisions: `one` and `other`. `differing` are those with two answers.

    A decision has two or more choices. `alone` are the numbers of decisions that only one of them has.
    Raises `InputError` if they have no decision in common.
    """

    def __init__(self, one: Sequence[ReviewRow], other: Sequence[ReviewRow]) -> None:
        firsts, seconds = ({_key(row): row for row in rows if row.choices > 1} for rows in (one, other))
        common = [(firsts[key], second) for key, second in seconds.items() if key in firsts]
        self.alone = len(firsts) - len(common), len(seconds) - len(common)
        self.counted: Counter[str] = Counter()
        self.same: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        self.differs: Counter[str] = Counter()
        self.differing: list[tuple[ReviewRow, ReviewRow]] = []
        for first, second in common:
            differs = not _same(first, second)
            if differs:
                self.differing.append((first, second))
            if first.kind is not None:
                self.counted[first.kind] += 1
                self.differs[first.kind] += differs
                for same, row in zip(self.same, (first, second), strict=True):
                    same[first.kind] += row.same is True
        if not common:
            raise InputError("the two files have no decision in common")

    def numbers(self) -> Iterator[str]:
        """Return the numbers by kind of decision, and of decisions without a partner, as lines of text."""
        first, second = self.same
        columns = {"agreement of a": first, "agreement of b": second, "differing": self.differs}
        yield from agreement(self.counted, columns).aligned().splitlines()
        if any(self.alone):
            yield "decisions without a partner: {} of a, {} of b".format(*self.alone)

    def grid(self) -> Grid:
        """Return a row for each decision with two answers."""
        columns = ("source", "match", "round", "event", "seat", "kind", "taken", "a", "b")
        rows = [[*(getattr(a, name) for name in columns[:-2]), a.answered, b.answered] for a, b in self.differing]
        return Grid(columns, rows, missing="")

    def lines(self) -> Iterator[str]:
        """Return the numbers and the first differences as lines of text, safe for a terminal."""
        for a, b in self.differing[:_SHOWN]:
            yield f"{a.shown}: {' → '.join(printable(text or 'no answer') for text in (a.answered, b.answered))}"
        yield from _more(len(self.differing), "difference")
        yield from self.numbers()


def _same(one: ReviewRow, other: ReviewRow) -> bool:
    """Return whether two answers are the same action."""
    if one.answered is None or other.answered is None or one.answered == other.answered:
        return one.answered == other.answered
    try:
        return matching((event_of(one.answered),), event_of(other.answered)) is not None
    except msgspec.MsgspecError as error:
        raise InputError(f"no rows of mjconv review: {error}") from None


def _key(row: ReviewRow) -> tuple[str | None, int, int, int, int]:
    return row.source, row.match, row.round, row.event, row.seat


def _more(number: int, name: str) -> Iterable[str]:
    return [f"… and {counted(number - _SHOWN, name, grouped=True)} more"] if number > _SHOWN else []
