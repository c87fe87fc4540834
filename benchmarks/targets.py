"""The targets of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

#: `ratio` to the peer's time, `ms` a game, `rate` in lines a second.
Figure: TypeAlias = Literal["ratio", "ms", "rate"]

_SHOWN: Final[dict[Figure, str]] = {"ratio": "{:g} x", "ms": "{:g} ms", "rate": "{:,.0f}/s"}


@dataclass(frozen=True)
class Target:
    """The limit of one figure: a lower limit for a rate, an upper limit for the others."""

    figure: Figure
    limit: float

    def reached(self, value: float) -> bool:
        return value >= self.limit if self.figure == "rate" else value <= self.limit

    def __str__(self) -> str:
        return _SHOWN[self.figure].format(self.limit)


def times(limit: float) -> Target:
    """Return the target of at most `limit` times the time of the peer."""
    return Target("ratio", limit)


def at_most_ms(limit: float) -> Target:
    """Return the target of at most `limit` milliseconds for one game."""
    return Target("ms", limit)


def at_least(limit: float) -> Target:
    """Return the target of at least `limit` lines a second; each message of mjai is a line."""
    return Target("rate", limit)
