"""Points as jmjp writes them: thousands with one decimal (section 2.3.5)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from mjconv.ir.events import MOST_POINTS

#: What the one decimal counts.
STEP: Final = 100
#: No number with more characters is looked at.
_LONGEST: Final = 12


@lru_cache(4096)
def read_points(text: str) -> int:
    """Give the points that a number of the form ``-?[0-9]+.[0-9]`` tells.

    Raises `ValueError` when it is out of range.

    >>> read_points("25.0"), read_points("-1.5")
    (25000, -1500)
    """
    if len(text) <= _LONGEST:
        points = int(text.replace(".", "")) * STEP
        if abs(points) <= MOST_POINTS:
            return points
    raise ValueError(f"{text[:_LONGEST]} is out of range: points go to {write_points(MOST_POINTS)}")


@lru_cache(4096)
def write_points(points: int) -> str | None:
    """Spell points; None for those that are no multiple of 100 or out of range.

    >>> write_points(25000), write_points(-1500), write_points(1050)
    ('25.0', '-1.5', None)
    """
    if points % STEP or abs(points) > MOST_POINTS:
        return None
    whole, tenth = divmod(abs(points) // STEP, 10)
    return f"{'-' if points < 0 else ''}{whole}.{tenth}"
