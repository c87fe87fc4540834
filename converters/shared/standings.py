"""The games that score tables count: their players, and what each gains."""

from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from mjconv.ir.events import Ryukyoku, Win
from mjconv.ir.match import Rules
from mjconv.ir.vocabulary import CHOMBO
from mjconv.rules.hongkong_points import form_of, gains

#: The most digits of a base of points before its point, and after it.
BASE_DIGITS: Final = 12
#: Units in a point. A portion of a base may be halved, and is still a whole number of them.
UNITS: Final = 2 * 10**BASE_DIGITS
#: Takes the names of a line, and the number of the line.
OnNames: TypeAlias = Callable[[tuple[str, ...], int], None]


class ScoredGame(NamedTuple):
    """A game: its date, its players, and the points that each gains, in `UNITS`; without points nobody played.

    `winners` and `blamed` are seats. A game of riichi also has the place of each player, from 1, and the number of
    chombo of each. Its points are thousands, after oka and uma.
    """

    day: date | None
    names: tuple[str, ...]
    units: tuple[int | Fraction, ...] = ()
    places: tuple[int, ...] = ()
    chombo: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    blamed: tuple[int, ...] = ()


def game_by_faan(
    result: Win | Ryukyoku, rules: Rules, day: date | None = None, names: tuple[str, ...] = ()
) -> ScoredGame | None:
    """Return the game of a result by Hong Kong rules; None where the rules or the faan are not known.

    >>> game_by_faan(Win(0, 2, fan=1), Rules()) is None
    True
    """
    gained = gains(result, rules)
    if gained is None:
        return None
    units = [points * UNITS for points in gained]
    drawn = isinstance(result, Ryukyoku) and result.reason != CHOMBO
    _, winner, blamed = ("", None, None) if drawn else form_of(result)
    whole = tuple([int(each) if each.denominator == 1 else each for each in units])
    winners, to_blame = [() if seat is None else (seat,) for seat in (winner, blamed)]
    return ScoredGame(day, names, whole, winners=winners, blamed=to_blame)


def in_window(when: date | None, since: date | None, until: date | None) -> bool:
    """Return whether a game of this date counts: `since` and `until` are included; with either it needs a date.

    >>> in_window(date(2024, 1, 20), None, date(2024, 1, 20)), in_window(None, date(2024, 1, 20), None)
    (True, False)
    """
    if since is None and until is None:
        return True
    return when is not None and (since is None or since <= when) and (until is None or when <= until)
