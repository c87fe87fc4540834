"""Adding up the games of HK files, as fast as their lines can be told apart.

Between two declarations the same results mean the same points: the lines are only counted, and each kind of line
is read once. Points are whole numbers of a unit so small that every base can be written in it, and so exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Final

from mjconv.converters.hk.lines import (
    BASE_DIGITS,
    BEGINNING,
    BLAMES,
    Declaration,
    LineError,
    Names,
    Nothing,
    Result,
    check,
    parse,
)
from mjconv.ir.points import SHARES, Shares, multiplier

#: How many units a point is: bases have so many digits after the point, and a portion may be halved.
UNITS: Final = 2 * 10**BASE_DIGITS
#: What a draw moves.
NOBODY_WINS: Final = Shares(0, 0, 0)
#: Different lines are counted up to this many before they are added up.
_MOST_KINDS: Final = 4096


def in_window(when: date | None, since: date | None, until: date | None) -> bool:
    """Say whether a game of this date counts: from `since` on, before `until`; with either it needs a date.

    >>> in_window(date(2024, 1, 20), None, date(2024, 1, 20)), in_window(None, None, None)
    (False, True)
    """
    if since is None and until is None:
        return True
    return when is not None and (since is None or since <= when) and (until is None or when < until)


class Standing:
    """What one player has played: games, wins, games they are to blame for, and net points in `UNITS`."""

    __slots__ = ("blames", "games", "units", "wins")

    def __init__(self) -> None:
        self.games = self.wins = self.blames = self.units = 0

    @property
    def net(self) -> Fraction:
        """The net points, exactly."""
        return Fraction(self.units, UNITS)


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
        self._kinds: dict[str, int] = {}

    def count(self, lines: Sequence[str]) -> None:
        """Count the file's next lines. Raises `InputError` with the place of what is wrong."""
        kinds = self._kinds
        for number, line in enumerate(lines, self.number + 1):
            said = line[: line.index("#")] if "#" in line else line
            if said in kinds:
                kinds[said] += 1
            else:
                self._meet(said, line, number)
        self.number += len(lines)

    def finish(self) -> None:
        """Add up what was counted: to be called after the last line."""
        if self.names is not None and in_window(self.state.date, self.since, self.until):
            for said, times in self._kinds.items():
                result = parse(said)
                if isinstance(result, Result):
                    self._add(result, times)
        self._kinds.clear()

    def _meet(self, said: str, line: str, number: int) -> None:
        """Read a line of a kind that was not met since the last declaration."""
        if len(self._kinds) >= _MOST_KINDS:
            self.finish()
        try:
            parsed = parse(said)
            check(parsed, self.state, self.names)
        except LineError as error:
            raise error.at(line, number) from None
        if isinstance(parsed, (Result, Nothing)):
            self._kinds[said] = 1
            return
        self.finish()
        if isinstance(parsed, Declaration):
            self.state = self.state._replace(**{parsed.key: parsed.value})
        elif isinstance(parsed, Names):
            self.names = parsed.names
            for name in parsed.names:
                if name not in self.standings:
                    self.standings[name] = Standing()

    def _add(self, result: Result, times: int) -> None:
        """Add a result that happened so many times."""
        state = self.state
        form = BLAMES[result.blame]
        shares = NOBODY_WINS if result == Result() else SHARES[form, state.responsibility]
        faan = state.max_faan if form == "false win" else result.faan
        # A unit is half of the last digit that a base may have: half a portion is a whole number of them.
        half = int(state.base * (UNITS // 2)) * multiplier(faan, state.growth)
        shared = {result.winner: shares.winner, result.blamed: shares.blamed}
        for seat, name in enumerate(self.names or ()):
            standing = self.standings[name]
            standing.games += times
            standing.wins += times * (seat == result.winner)
            standing.blames += times * (seat == result.blamed)
            standing.units += times * shared.get(seat, shares.other) * half
