"""Add up the games of HK files.

Under the same rules the same results mean the same points. So each different line is read once, and counted while
players and date stay the same. Points are whole numbers of a unit so small that every base can be written in
it, and so exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Final, NamedTuple

from mjconv.converters.hk.lines import (
    BASE_DIGITS,
    BEGINNING,
    BLAMES,
    SEATS,
    LineError,
    Names,
    Nothing,
    Result,
    State,
    check,
    parse,
)
from mjconv.rules.hongkong_points import SHARES, Shares, multiplier

#: Units in a point: a base has at most that many digits after its point, and a portion may be halved.
UNITS: Final = 2 * 10**BASE_DIGITS
#: The shares of a draw.
NOBODY_WINS: Final = Shares(0, 0, 0)
#: The number of different lines that are cached; then the cache is cleared.
_MOST_KINDS: Final = 4096


def in_window(when: date | None, since: date | None, until: date | None) -> bool:
    """Return whether a game of this date counts: from `since` on, before `until`; with either it needs a date.

    >>> in_window(date(2024, 1, 20), None, date(2024, 1, 20)), in_window(None, None, None)
    (False, True)
    """
    if since is None and until is None:
        return True
    return when is not None and (since is None or since <= when) and (until is None or when < until)


class Standing:
    """The sums of one player: games, wins, games they are to blame for, and net points in `UNITS`."""

    __slots__ = ("blames", "games", "units", "wins")

    def __init__(self) -> None:
        self.games = self.wins = self.blames = self.units = 0

    @property
    def net(self) -> Fraction:
        """The net points, exactly."""
        return Fraction(self.units, UNITS)


class Worth(NamedTuple):
    """The sums of one line: games of every seat, the winner, the player to blame, and points in `UNITS` by seat.

    The seat after the last means nobody.
    """

    games: int = 0
    winner: int = SEATS
    blamed: int = SEATS
    units: tuple[int, ...] = (0,) * SEATS


#: A blank line, or only a comment.
WORTHLESS: Final = Worth()


def worth_of(result: Result, state: State) -> Worth:
    """Return the sums of a result under these rules.

    >>> worth_of(Result(1, 3, 2, "d"), BEGINNING).units == (0, 16 * UNITS, -16 * UNITS, 0)
    True
    """
    form = BLAMES[result.blame]
    shares = NOBODY_WINS if result == Result() else SHARES[form, state.responsibility]
    faan = state.max_faan if form == "false win" else result.faan
    # A unit is half of the last digit that a base may have: half a portion is a whole number of them.
    half = int(state.base * (UNITS // 2)) * multiplier(faan, state.growth)
    shared = {result.winner: shares.winner, result.blamed: shares.blamed}
    return Worth(
        1,
        SEATS if result.winner is None else result.winner,
        SEATS if result.blamed is None else result.blamed,
        tuple([shared.get(seat, shares.other) * half for seat in range(SEATS)]),
    )


class Tally:
    """Adds up the games of one file into standings by name, which files may share.

    Games count from `since` on and before `until`; with either, games without a date do not.

    >>> standings: dict[str, Standing] = {}
    >>> tally = Tally(standings)
    >>> tally.count(["B=0.5", "A B C D", "- 3 d -", "- - - -"])
    >>> tally.finish()
    >>> standings["B"].net, standings["B"].games, standings["C"].blames
    (Fraction(8, 1), 2, 1)
    """

    def __init__(
        self, standings: dict[str, Standing], since: date | None = None, until: date | None = None
    ) -> None:
        self.standings = standings
        self.since = since
        self.until = until
        self.state = BEGINNING
        self.names: tuple[str, ...] | None = None
        #: How many lines were counted so far.
        self.number = 0
        #: The lines that were read under the present rules, and their counts since the last names or date.
        self._worths: dict[str, Worth] = {}
        self._times: dict[str, int] = {}

    def count(self, lines: Sequence[str]) -> None:
        """Count the next lines of the file. Raises `InputError` with its place."""
        worths, times = self._worths, self._times
        for number, line in enumerate(lines, self.number + 1):
            uncommented = line[: line.index("#")] if "#" in line else line
            if uncommented in times:
                times[uncommented] += 1
            elif uncommented in worths:
                times[uncommented] = 1
            else:
                self._meet(uncommented, line, number)
        self.number += len(lines)

    def finish(self) -> None:
        """Add up the counts. Call this after the last line."""
        if self.names is not None and in_window(self.state.date, self.since, self.until):
            self._add_up(self.names)
        self._times.clear()

    def _meet(self, uncommented: str, line: str, number: int) -> None:
        """Read a line that is new under the present rules."""
        try:
            parsed = parse(uncommented)
            check(parsed, self.state, self.names)
        except LineError as error:
            raise error.at(line, number) from None
        if isinstance(parsed, (Result, Nothing)):
            if len(self._worths) >= _MOST_KINDS:
                self.finish()
                self._worths.clear()
            self._worths[uncommented] = worth_of(parsed, self.state) if isinstance(parsed, Result) else WORTHLESS
            self._times[uncommented] = 1
            return
        self.finish()
        if isinstance(parsed, Names):
            self.names = parsed.names
            for name in parsed.names:
                if name not in self.standings:
                    self.standings[name] = Standing()
            return
        self.state = self.state._replace(**{parsed.key: parsed.value})
        if parsed.key != "date":
            self._worths.clear()

    def _add_up(self, names: Sequence[str]) -> None:
        games = 0
        wins, blames = [0] * (SEATS + 1), [0] * (SEATS + 1)
        east = south = west = north = 0
        worths = self._worths
        for uncommented, times in self._times.items():
            played, winner, blamed, (a, b, c, d) = worths[uncommented]
            games += times * played
            wins[winner] += times
            blames[blamed] += times
            east += times * a
            south += times * b
            west += times * c
            north += times * d
        # Nobody's come last, and are left out.
        for name, won, blame, units in zip(names, wins, blames, (east, south, west, north), strict=False):
            standing = self.standings[name]
            standing.games += games
            standing.wins += won
            standing.blames += blame
            standing.units += units
