"""Sums of players over games: what the score table of a format counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

#: The most digits of a base of points before its point, and after it.
BASE_DIGITS: Final = 12
#: Units in a point. A portion of a base may be halved, and is still a whole number of them.
UNITS: Final = 2 * 10**BASE_DIGITS
#: Takes the names of a line, the number of the line, and the line.
Named: TypeAlias = Callable[[tuple[str, ...], int, str], None]


class ScoredGame(NamedTuple):
    """A game: its date, its players, and the points that each gains, in `UNITS`.

    A game of riichi also has the place of each player, from 1, and the number of chombo of each. Its points are
    thousands, after oka and uma.
    """

    day: date | None
    names: tuple[str, ...]
    units: tuple[int, ...]
    places: tuple[int, ...] = ()
    chombo: tuple[int, ...] = ()


class Result(NamedTuple):
    """The result of one player in a game of riichi: the date, the place, the points in `UNITS`, the chombo."""

    day: date
    place: int
    units: int
    chombo: int


class Standing:
    """The sums of one player: games, wins, games they are to blame for, and net points in `UNITS`.

    `results` are those of games of riichi.
    """

    __slots__ = ("blames", "games", "results", "units", "wins")

    def __init__(self) -> None:
        self.games = self.wins = self.blames = self.units = 0
        self.results: list[Result] = []

    def join(self, other: Standing) -> None:
        """Add the sums of another name of the player."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def net(self) -> Fraction:
        """The net points, exactly."""
        return Fraction(self.units, UNITS)


#: The sums of players by name.
Standings: TypeAlias = dict[str, Standing]


def credit(standings: Standings, games: int, rows: Iterable[tuple[str, int, int, int]]) -> None:
    """Add games to the standings: a row is a name, its wins, its games to blame for, and its units."""
    for name, won, blame, units in rows:
        standing = standings.get(name)
        if standing is None:
            standing = standings[name] = Standing()
        standing.games += games
        standing.wins += won
        standing.blames += blame
        standing.units += units


def add_game(standings: Standings, game: ScoredGame, wins: Sequence[bool], blames: Sequence[bool]) -> None:
    """Add a game to the standings; `wins` and `blames` are by seat."""
    credit(standings, 1, zip(game.names, wins, blames, game.units, strict=True))
    for name, *result in zip(game.names, game.places, game.units, game.chombo, strict=False):
        standings[name].results.append(Result(game.day or date.min, *result))


def in_window(when: date | None, since: date | None, until: date | None) -> bool:
    """Return whether a game of this date counts: `since` and `until` are included; with either it needs a date.

    >>> in_window(date(2024, 1, 20), None, date(2024, 1, 20)), in_window(None, date(2024, 1, 20), None)
    (True, False)
    """
    if since is None and until is None:
        return True
    return when is not None and (since is None or since <= when) and (until is None or when <= until)
