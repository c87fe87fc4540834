"""Add up the games of HK files.

Under the same rules the same results mean the same points. So each different line is read once, and counted while
players and date stay the same. Points are whole numbers of a unit so small that every base can be written in
it, and so exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from mjconv.converters.hk import lines as grammar
from mjconv.converters.hk.lines import SEATS, DatedRules, GameResult, Names, Nothing, Wrong, parse_after
from mjconv.converters.hk.names import spell, unescape
from mjconv.converters.shared.standings import UNITS, Named, ScoredGame, Standings, add_game, credit, in_window
from mjconv.rules.hongkong_points import SHARES, Shares, multiplier

__all__ = ["GameList", "Tally", "spell", "unescape"]

#: The shares of a draw.
_NOBODY_WINS: Final = Shares(0, 0, 0)
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


#: The sums of a blank line, or of a comment alone.
_WORTHLESS: Final = Worth()


def worth_of(result: GameResult, state: DatedRules) -> Worth:
    """Return the sums of a result under these rules.

    >>> worth_of(GameResult(1, 3, 2, "d"), grammar.BEGINNING).units == (0, 16 * UNITS, -16 * UNITS, 0)
    True
    """
    form = grammar.BLAMES[result.blame]
    shares = _NOBODY_WINS if result == GameResult() else SHARES[form, state.responsibility]
    faan = state.max_faan if form == "false win" else result.faan
    # A unit is half of the last digit that a base may have: half a portion is a whole number of them.
    half = int(state.base * (UNITS // 2)) * multiplier(faan, state.growth, state.multipliers)
    shared = {result.winner: shares.winner, result.blamed: shares.blamed}
    return Worth(
        1,
        SEATS if result.winner is None else result.winner,
        SEATS if result.blamed is None else result.blamed,
        tuple([shared.get(seat, shares.other) * half for seat in range(SEATS)]),
    )


class _ScoredLines:
    """Reads the lines of one file with the names, the date and the rules before them.

    Games count from `since` to `until`, both included; with either, games without a date do not. `named` is called
    with each line of names: the names, the number of the line, and the line.
    """

    def __init__(self, since: date | None = None, until: date | None = None, named: Named | None = None) -> None:
        self.since = since
        self.until = until
        self.named = named
        self.state = grammar.BEGINNING
        self.names: tuple[str, ...] = ()
        #: How many lines were counted so far.
        self.number = 0
        #: The different lines under the present rules, and all lines since the last names or date.
        self._worths: dict[str, Worth] = {}
        self._met: list[str] = []

    def count(self, lines: Sequence[str]) -> None:
        """Count the next lines of the file. Raises `InputError` with its place."""
        worths, met = self._worths, self._met
        for number, line in enumerate(lines, self.number + 1):
            uncommented = line[: line.index("#")] if "#" in line else line
            if uncommented in worths or self._meet(uncommented, line, number):
                met.append(uncommented)
        self.number += len(lines)
        self._add_met()

    def _meet(self, uncommented: str, line: str, number: int) -> bool:
        """Read a line that is new under the present rules; return whether it has sums: it is no declaration."""
        parsed = parse_after(uncommented, self.state, self.names or None)
        if isinstance(parsed, Wrong):
            raise parsed.at(line, number)
        if isinstance(parsed, (GameResult, Nothing)):
            if len(self._worths) >= _MOST_KINDS:
                self._add_met()
                self._worths.clear()
            worth = worth_of(parsed, self.state) if isinstance(parsed, GameResult) else _WORTHLESS
            self._worths[uncommented] = worth
            return True
        self._add_met()
        if isinstance(parsed, Names):
            self.names = parsed.names
            if self.named is not None:
                self.named(parsed.names, number, line)
            return False
        self.state = self.state.after(parsed)
        if parsed.key != "date":
            self._worths.clear()
        return False

    def _add_met(self) -> None:
        if self.names and in_window(self.state.date, self.since, self.until):
            self._add_lines(self._met)
        self._met.clear()

    def _add_lines(self, met: Iterable[str]) -> None:
        """Add lines under the present names, date and rules."""
        raise NotImplementedError


class Tally(_ScoredLines):
    """Adds up the games of one file into standings by name, which files may share.

    `standings_of` returns the standings that games of a date belong to.

    >>> standings: Standings = {}
    >>> Tally(lambda day: standings).count(["B=0.5", "A B C D", "- 3 d -", "- - - -"])
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

    def _add_lines(self, met: Iterable[str]) -> None:
        games = 0
        wins, blames = [0] * (SEATS + 1), [0] * (SEATS + 1)
        east = south = west = north = 0
        for uncommented, times in Counter(met).items():
            played, winner, blamed, (a, b, c, d) = self._worths[uncommented]
            games += times * played
            wins[winner] += times
            blames[blamed] += times
            east += times * a
            south += times * b
            west += times * c
            north += times * d
        # Nobody's come last, and are left out.
        rows = zip(self.names, wins, blames, (east, south, west, north), strict=False)
        credit(self.standings_of(self.state.date), games, rows)

    def add(self, game: ScoredGame, wins: Sequence[bool], blames: Sequence[bool]) -> None:
        """Count a game of a record that states its points."""
        if in_window(game.day, self.since, self.until):
            add_game(self.standings_of(game.day), game, wins, blames)


class GameList(_ScoredLines):
    """Lists the games of one file in their order.

    >>> games = GameList()
    >>> games.count(["A B C D", "1 - - -", "# a break", "- - - -"])
    >>> [[units // UNITS for units in game.units] for game in games.games]
    [[6, -2, -2, -2], [0, 0, 0, 0]]
    """

    def __init__(self, since: date | None = None, until: date | None = None, named: Named | None = None) -> None:
        super().__init__(since, until, named)
        self.games: list[ScoredGame] = []

    def _add_lines(self, met: Iterable[str]) -> None:
        worths = map(self._worths.__getitem__, met)
        self.games += [ScoredGame(self.state.date, self.names, worth.units) for worth in worths if worth.games]

    def add(self, game: ScoredGame, wins: Sequence[bool], blames: Sequence[bool]) -> None:  # noqa: ARG002 - as `Tally`
        """Add a game of a record that states its points."""
        if in_window(game.day, self.since, self.until):
            self.games.append(game)
