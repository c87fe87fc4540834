"""The mjai logs that tests run over: real ones where there are any, else games played on the engine.

Where ``MJCONV_REAL_LOGS`` names a folder, every log in it is taken; otherwise games are played, which have calls,
kans, riichi, multiple rons and abortive draws, and only lack the spellings of other programs.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

from hypothesis import settings

from engine import STYLES, Deal, Rules, play
from looped import THOROUGH

Message = dict[str, Any]

FOLDER = os.environ.get("MJCONV_REAL_LOGS")

_DEALS: tuple[Deal, ...] = ("fair", "triplets", "orphans", "river", "close", "waits", "winds")
_RULES: tuple[Rules, ...] = ("tenhou", "mjsoul")
#: The number of long games in all tests, and in the quick tests. Short games have more rare moments.
_HALVES, _FEW_HALVES = 12, 4


@dataclass(frozen=True)
class Log:
    """A log: what it is called, and how many play. A game is played when a test first asks for its bytes."""

    name: str
    seats: int
    made: Callable[[], bytes] = field(compare=False, repr=False)

    @cached_property
    def data(self) -> bytes:
        return self.made()

    @cached_property
    def length(self) -> int:
        return len(messages(self.data))

    def __str__(self) -> str:
        return self.name


def logs(seats: int) -> list[Log]:
    return [log for log in _all() if log.seats == seats]


def alternating(found: Sequence[Log], targets: Sequence[str]) -> list[tuple[Log, str]]:
    """Return each log with one of the targets, as cases of a test.

    Each target comes with logs at even and at odd places, which are played by other rules.
    """
    count = len(targets)
    return [(log, targets[(place + place // count) % count]) for place, log in enumerate(found)]


def short_logs() -> list[Log]:
    """Return the logs of four players with fewer than 160 messages, the shortest first."""
    found = (log for log in logs(4) if FOLDER or log.name.startswith("round-"))
    return sorted((log for log in found if log.length < 160), key=lambda log: log.length)


def messages(data: bytes) -> list[Message]:
    """Give the messages of a log with one in each line, as JSON has them."""
    return [json.loads(line) for line in data.splitlines() if line.strip()]


def lines(log: Sequence[Message]) -> bytes:
    return b"".join(json.dumps(message, ensure_ascii=False).encode() + b"\n" for message in log)


@cache
def _all() -> tuple[Log, ...]:
    return tuple(_real(Path(FOLDER)) if FOLDER else _played())


def _real(folder: Path) -> Iterator[Log]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".mjson", ".jsonl"}:
            dealt = (one["tehais"] for one in messages(path.read_bytes()) if one["type"] == "start_kyoku")
            yield Log(str(path.relative_to(folder)), len(next(dealt, [[]] * 4)), path.read_bytes)


def _played() -> Iterator[Log]:
    for seed in range(_FEW_HALVES if settings().max_examples < THOROUGH else _HALVES):
        rules = _RULES[seed % 2]
        yield Log(f"half-{rules}-{seed}", 4, partial(play, seed, rules=rules))
    for style in sorted(STYLES):
        yield Log(f"east-{style}", 4, partial(play, 1, length="east", chooser=style))
    for deal in _DEALS:
        for seed in range(4):
            style = "thrower" if deal in ("river", "winds") else "mixed"
            made = partial(play, seed, length="round", deal=deal, chooser=style, rules=_RULES[seed % 2])
            yield Log(f"round-{deal}-{seed}", 4, made)
    for seed in range(4):
        yield Log(f"three-{seed}", 3, partial(play, seed, players=3))
