"""What a row is measured against: the floor that JSON alone takes, and what others offer for the same work."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import orjson

from benchmarks.sides import Side, run, scores_file


def _read_and_write(lines: Sequence[bytes]) -> None:
    # Each result is let go at once: keeping them has the allocator take memory and give it back with every
    # game, which is some times the work itself, and would make for an easy floor.
    for line in lines:
        orjson.dumps(orjson.loads(line))


#: Every line of the mjai log read and written as JSON, and nothing understood.
FLOOR: Final = Side("orjson loads + dumps", lambda game: game.lines, _read_and_write)

#: RiichiEnv's reader of mjai logs, written in Rust; it takes nothing but a path.
RIICHIENV: Final = Side(
    "riichienv MjaiReplay",
    lambda game: str(game.path),
    lambda path: import_module("riichienv").MjaiReplay.from_jsonl(path),
)


def _split_lines(path: str) -> None:
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            line.split()


#: The lines of a file of HK scores cut into words, and nothing understood.
SPLIT_LINES: Final = Side("str.split", lambda game: scores_file(game, 200_000), _split_lines)

#: A Python that starts and does nothing.
BARE_PYTHON: Final = Side("python -c pass", lambda _: [sys.executable, "-c", "pass"], run)
