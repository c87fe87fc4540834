"""What a row is to reach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

#: `ratio` to the peer's time, `ms` a game, `rate` in lines a second.
Figure: TypeAlias = Literal["ratio", "ms", "rate"]

_SAID: Final[dict[Figure, str]] = {"ratio": "{:g} x", "ms": "{:g} ms", "rate": "{:,.0f}/s"}


@dataclass(frozen=True)
class Target:
    """The limit of one figure: a rate is to be no lower, the others no higher."""

    figure: Figure
    limit: float

    def reached(self, value: float) -> bool:
        return value >= self.limit if self.figure == "rate" else value <= self.limit

    def __str__(self) -> str:
        return _SAID[self.figure].format(self.limit)


def times(limit: float) -> Target:
    """So many times the peer's time, at most."""
    return Target("ratio", limit)


def at_most_ms(limit: float) -> Target:
    """So many milliseconds a game, at most."""
    return Target("ms", limit)


def at_least(limit: float) -> Target:
    """So many lines a second, at least; each message of mjai is one."""
    return Target("rate", limit)
