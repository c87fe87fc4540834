"""The peers of the rows: the floor of JSON alone, and other programs for the same work."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Final

import msgspec
import orjson

from benchmarks.commands import run
from benchmarks.games import Game
from benchmarks.scores import scores_file
from benchmarks.sides import Side, read
from mjconv import schemas


def _lines(name: str, work: Callable[[bytes], object], **more: Any) -> Side:
    """Return a side that does the work on every line of the mjai log."""

    def each(lines: Sequence[bytes]) -> None:
        # Each result is released at once. A list of results costs the allocator several times the work itself, and
        # the floor would be too high.
        for line in lines:
            work(line)

    return Side(name, lambda game: game.lines, each, **more)


#: Reads and writes every line of the mjai log as JSON, and interprets nothing.
FLOOR: Final = _lines("orjson loads + dumps", lambda line: orjson.dumps(orjson.loads(line)))

#: The same with other packages.
JSON: Final = _lines("json loads + dumps", lambda line: json.dumps(json.loads(line)))
MSGSPEC: Final = _lines("msgspec decode + encode", lambda line: msgspec.json.encode(msgspec.json.decode(line)))

#: Reads every line, and does not write.
ORJSON_LOADS: Final = _lines("orjson loads", lambda line: orjson.loads(line))

#: RiichiEnv's reader of mjai logs. It is written in Rust and accepts only a path.
RIICHIENV: Final = Side(
    "riichienv MjaiReplay",
    lambda game: str(game.path),
    lambda path: import_module("riichienv").MjaiReplay.from_jsonl(path),
    needs="riichienv",
    known="0.24 ms a game where the floor took 0.59 ms",
)


def _validate(lines: Sequence[bytes]) -> None:
    is_valid = schemas.validator("accepted/message").is_valid
    if not all(is_valid(orjson.loads(line)) for line in lines):
        raise ValueError("jsonschema refuses a message of a log")


#: Checks every message against the accepted schemas with the usual validator.
JSONSCHEMA: Final = Side(
    "python jsonschema",
    lambda game: game.lines,
    _validate,
    needs="jsonschema",
    known="27,000 messages a second",
)

#: Reading alone, to compare with work after reading.
READ_MJAI: Final = read("mjai")


def split_lines(lines: int, games: int) -> Side:
    """Return a side that splits the lines of a file of HK scores into words."""
    return Side("str.split", lambda game: scores_file(game.folder, lines, games), _split)


def _split(path: str) -> None:
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            line.split()


def _bare(_: Game) -> list[str]:
    return [sys.executable, "-c", "pass"]


#: Starts Python and does nothing.
BARE_PYTHON: Final = Side("python -c pass", _bare, run, apart=True)

#: Known figures of peers that are no packages.
NOT_RUN: Final = {
    "score HK": "the scorer that the HK notation comes from is no package; it adds up 85,000 lines a second",
}
