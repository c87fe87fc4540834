"""Add up the games of HK files.

Under the same rules the same results mean the same points. So each different line is read once, and counted while
players and date stay the same. Points are whole numbers of a unit so small that every base can be written in
it, and so exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Final, NamedTuple

from mjconv.converters.hk.lines import (
    BEGINNING,
    BLAMES,
    SEATS,
    DatedRules,
    GameResult,
    LineError,
    Names,
    Nothing,
    check,
    parse,
)
from mjconv.converters.hk.names import spell, unescape
from mjconv.converters.shared.standings import UNITS, Named, ScoredGame, Standings, credit, in_window
from mjconv.rules.hongkong_points import SHARES, Shares, multiplier

__all__ = ["GameList", "Tally", "spell", "unescape"]

#: The shares of a draw.
NOBODY_WINS: Final = Shares(0, 0, 0)
#: The number of different lines that are cached; then the cache is cleared.
_MOST_KINDS: Final = 4096


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


def worth_of(result: GameResult, state: DatedRules) -> Worth:
    """Return the sums of a result under these rules.

    >>> worth_of(GameResult(1, 3, 2, "d"), BEGINNING).units == (0, 16 * UNITS, -16 * UNITS, 0)
    True
    """
    form = BLAMES[result.blame]
    shares = NOBODY_WINS if result == GameResult() else SHARES[form, state.responsibility]
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


class _TalliedLines:
    """Reads the lines of one file with the names, the date and the rules before them.

    `named` is called with each line of names: the names, the number of the line, and the line.
    """

    def __init__(self, since: date | None, until: date | None, named: Named | None) -> None:
        self.since = since
        self.until = until
        self.named = named
        self.state = BEGINNING
        self.names: tuple[str, ...] | None = None
        #: How many lines were counted so far.
        self.number = 0
        #: The lines that were read under the present rules.
        self._worths: dict[str, Worth] = {}

    def finish(self) -> None:
        """Complete the counts. Call this after the last line."""
        self._changing()

    def _changing(self) -> None:
        """Prepare for a change of names, date or rules, or of the cache of lines."""

    def _meet(self, uncommented: str, line: str, number: int) -> Worth | None:
        """Read a line that is new under the present rules; return its sums, None where it is a declaration."""
        try:
            parsed = parse(uncommented)
            check(parsed, self.state, self.names)
        except LineError as error:
            raise error.at(line, number) from None
        if isinstance(parsed, (GameResult, Nothing)):
            if len(self._worths) >= _MOST_KINDS:
                self._changing()
                self._worths.clear()
            worth = worth_of(parsed, self.state) if isinstance(parsed, GameResult) else WORTHLESS
            self._worths[uncommented] = worth
            return worth
        self._changing()
        if isinstance(parsed, Names):
            self.names = parsed.names
            if self.named is not None:
                self.named(parsed.names, number, line)
            return None
        self.state = self.state._replace(**{parsed.key: parsed.value})
        if parsed.key != "date":
            self._worths.clear()
        return None


class Tally(_TalliedLines):
    """Adds up the games of one file into standings by name, which files may share.

    `standings_of` returns the standings that games of a date belong to. Games count from `since` to `until`, both
    included; with either, games without a date do not.

    >>> standings: Standings = {}
    >>> tally = Tally(lambda day: standings)
    >>> tally.count(["B=0.5", "A B C D", "- 3 d -", "- - - -"])
    >>> tally.finish()
    >>> standings["B"].net, standings["B"].games, standings["C"].blames
    (Fraction(8, 1), 2, 1)
    """

    def __init__(
        self,
        standings_of: Callable[[date | None], Standings],
        since: date | None = None,
        until: date | None = None,
        named: Named | None = None,
    ) -> None:
        super().__init__(since, until, named)
        self.standings_of = standings_of
        #: How often each line was met since the last names or date.
        self._times: dict[str, int] = {}

    def count(self, lines: Sequence[str]) -> None:
        """Count the next lines of the file. Raises `InputError` with its place."""
        worths, times = self._worths, self._times
        for number, line in enumerate(lines, self.number + 1):
            uncommented = line[: line.index("#")] if "#" in line else line
            if uncommented in times:
                times[uncommented] += 1
            elif uncommented in worths or self._meet(uncommented, line, number) is not None:
                times[uncommented] = 1
        self.number += len(lines)

    def _changing(self) -> None:
        if self.names is not None and in_window(self.state.date, self.since, self.until):
            self._add_up(self.names, self.standings_of(self.state.date))
        self._times.clear()

    def _add_up(self, names: Sequence[str], standings: Standings) -> None:
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
        credit(standings, games, zip(names, wins, blames, (east, south, west, north), strict=False))

    def add(self, game: ScoredGame, wins: Sequence[bool], blames: Sequence[bool]) -> None:
        """Count a game of a record that states its points."""
        if in_window(game.day, self.since, self.until):
            rows = zip(game.names, wins, blames, game.units, strict=True)
            credit(self.standings_of(game.day), 1, rows)


class GameList(_TalliedLines):
    """Lists the games of one file in their order. Games count as in `Tally`.

    >>> games = GameList()
    >>> games.count(["A B C D", "1 - - -", "# a break", "- - - -"])
    >>> [[units // UNITS for units in game.units] for game in games.games]
    [[6, -2, -2, -2], [0, 0, 0, 0]]
    """

    def __init__(self, since: date | None = None, until: date | None = None, named: Named | None = None) -> None:
        super().__init__(since, until, named)
        self.games: list[ScoredGame] = []

    def count(self, lines: Sequence[str]) -> None:
        """Add the games of the next lines of the file. Raises `InputError` with its place."""
        for number, line in enumerate(lines, self.number + 1):
            uncommented = line[: line.index("#")] if "#" in line else line
            worth = self._worths.get(uncommented) or self._meet(uncommented, line, number)
            counted = worth is not None and worth.games and in_window(self.state.date, self.since, self.until)
            if worth is not None and counted and self.names is not None:
                self.games.append(ScoredGame(self.state.date, self.names, worth.units))
        self.number += len(lines)

    def add(self, game: ScoredGame, wins: Sequence[bool], blames: Sequence[bool]) -> None:  # noqa: ARG002 - as `Tally`
        """Add a game of a record that states its points."""
        if in_window(game.day, self.since, self.until):
            self.games.append(game)
