"""Random files of HK scores, the same ones each time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

#: The players; four play at a time.
_PLAYERS: Final = tuple(f"Player{number}" for number in range(12))
#: The ends of games; most are discards.
_ENDS: Final = (
    "discard",
    "discard",
    "discard",
    "discard",
    "self-drawn",
    "self-drawn",
    "draw",
    "guaranteed",
    "false",
)
_BLAMES: Final = {"discard": "d", "guaranteed": "S", "false": "f"}
_FIRST_DAY: Final = date(2000, 1, 1)


def scores_file(folder: Path, lines: int, games: int) -> str:
    """Return the path of a file with so many lines: sittings of so many games, each after a date and names."""
    path = folder / f"scores-{lines}-{games}.hk"
    if not path.exists():
        path.write_text("".join(f"{line}\n" for line in islice(_sittings(games), lines)), encoding="utf-8")
    return str(path)


def _sittings(games: int) -> Iterator[str]:
    chance = Random(1)
    day = _FIRST_DAY
    while True:
        yield day.isoformat()
        yield " ".join(chance.sample(_PLAYERS, 4))
        for _ in range(games):
            yield _game(chance)
        day += timedelta(days=1)


def _game(chance: Random) -> str:
    marks = ["-"] * 4
    winner, blamed = chance.sample(range(4), 2)
    end = chance.choice(_ENDS)
    if end not in ("draw", "false"):
        marks[winner] = str(chance.randint(0, 10))
    marks[blamed] = _BLAMES.get(end, marks[blamed])
    return " ".join(marks)
