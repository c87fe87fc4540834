"""The mjai logs that tests run over: real ones where there are any, else games played on the engine.

Where ``MJCONV_REAL_LOGS`` names a folder, every log in it is taken; otherwise games are played, which have calls,
kans, riichi, multiple rons and abortive draws, and only lack what other programs' logs say otherwise.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from engine import STYLES, Deal, Rules, play

Message = dict[str, Any]

FOLDER = os.environ.get("MJCONV_REAL_LOGS")

_ENDINGS = {".mjson", ".jsonl"}
_DEALS: tuple[Deal, ...] = ("fair", "triplets", "orphans", "river", "close", "waits", "winds")
_RULES: tuple[Rules, ...] = ("tenhou", "mjsoul")
_SINGLE_ROUNDS = 4


@dataclass(frozen=True)
class Log:
    """A log: what it is called, its bytes, how many play and how many messages it has."""

    name: str
    data: bytes
    seats: int
    length: int

    def __str__(self) -> str:
        return self.name


def logs(seats: int) -> list[Log]:
    """Give all logs of games for so many players."""
    return [log for log in _all() if log.seats == seats]


def messages(data: bytes) -> list[Message]:
    """Give the messages of a log with one in each line, as JSON has them."""
    return [json.loads(line) for line in data.splitlines() if line.strip()]


def lines(log: list[Message]) -> bytes:
    """Write messages one in each line."""
    return b"".join(json.dumps(message, ensure_ascii=False).encode() + b"\n" for message in log)


@cache
def _all() -> tuple[Log, ...]:
    return tuple(_real(Path(FOLDER)) if FOLDER else _played())


def _real(folder: Path) -> Iterator[Log]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in _ENDINGS:
            yield _log(str(path.relative_to(folder)), path.read_bytes())


def _played() -> Iterator[Log]:
    for seed in range(12):
        rules = _RULES[seed % 2]
        yield _log(f"half-{rules}-{seed}", play(seed, rules=rules))
    for style in sorted(STYLES):
        yield _log(f"east-{style}", play(1, length="east", chooser=style))
    for deal in _DEALS:
        for seed in range(_SINGLE_ROUNDS):
            style = "thrower" if deal in ("river", "winds") else "mixed"
            data = play(seed, length="round", deal=deal, chooser=style, rules=_RULES[seed % 2])
            yield _log(f"round-{deal}-{seed}", data)
    for seed in range(4):
        yield _log(f"three-{seed}", play(seed, players=3))


def _log(name: str, data: bytes) -> Log:
    log = messages(data)
    dealt: list[Any] = next((message["tehais"] for message in log if message["type"] == "start_kyoku"), [[]] * 4)
    return Log(name, data, len(dealt), len(log))
