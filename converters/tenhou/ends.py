"""The end of a game: the points after uma."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, UnsetType

from mjconv.converters.shared.ends import ranking
from mjconv.ir.match import Rules

#: The points that results count from, and the uma from the first to the last, by the number of players.
_RETURNING: Final = {3: 40000, 4: 30000}
_UMA: Final = {3: (20000, 0, -20000), 4: (20000, 10000, -10000, -20000)}


def after_uma(scores: Sequence[int], rules: Rules | UnsetType) -> tuple[int, ...]:
    """Return the points after uma. The first has what the others lose.

    >>> after_uma((26300, 34400, 24500, 14800), UNSET)
    (6300, 44400, -15500, -35200)
    """
    seats = len(scores)
    stated = Rules() if rules is UNSET else rules
    returning = _RETURNING[seats] if stated.returning is UNSET else stated.returning
    uma: Sequence[int] = _UMA[seats]
    if stated.uma is not UNSET and seats == len(_UMA[4]):
        uma = (stated.uma[0], stated.uma[1], -stated.uma[1], -stated.uma[0])
    found = [0] * seats
    first, *others = ranking(scores)
    for place, seat in enumerate(others, 1):
        found[seat] = scores[seat] - returning + uma[place]
    found[first] = -sum(found)
    return tuple(found)
