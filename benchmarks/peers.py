"""What a row is measured against: the floor that JSON alone takes, and what others offer for the same work."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import orjson

from benchmarks.scores import scores_file
from benchmarks.sides import Side, run
from mjconv import schemas


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


def _validate(lines: Sequence[bytes]) -> None:
    is_valid = schemas.validator("accepted/message").is_valid
    if not all(is_valid(orjson.loads(line)) for line in lines):
        raise ValueError("jsonschema refuses a message of a log")


#: Every message against the schemas of what is read, by the validator that most would take.
JSONSCHEMA: Final = Side("python jsonschema", lambda game: game.lines, _validate)


def split_lines(lines: int, games: int) -> Side:
    """Cut the lines of a file of HK scores into words, and understand nothing."""
    return Side("str.split", lambda game: scores_file(game.folder, lines, games), _split)


def _split(path: str) -> None:
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            line.split()


#: A Python that starts and does nothing.
BARE_PYTHON: Final = Side("python -c pass", lambda _: [sys.executable, "-c", "pass"], run)
