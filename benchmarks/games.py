"""The games to measure on: real logs if there are any, else games that an engine plays."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from typing import Final

import orjson

#: The environment variable that names the folder of real logs.
REAL_LOGS: Final = "MJCONV_REAL_LOGS"
#: The logs of four players in that folder; only whole games are used.
_PATTERNS: Final = ("tenhou/mjai/20*.mjson", "mjai/engine/4p*.mjson", "mjai/selfplay*.jsonl")
#: How many games to play if there are no logs.
_PLAYED: Final = 12
_ROOT: Final = Path(__file__).parents[1]
#: The module that plays games. It needs riichienv; without it the benchmarks use the sample.
_ENGINE: Final = _ROOT / "tests/engine.py"
_SAMPLE: Final = _ROOT / "corpus/sample/game.mjson"


@dataclass(frozen=True)
class Game:
    """One game as an mjai log: its path, its bytes, its messages as lines, and a folder to work in."""

    path: Path
    data: bytes
    lines: tuple[bytes, ...]
    folder: Path

    @property
    def messages(self) -> int:
        return len(self.lines)


def load(folder: Path, count: int | None = None) -> tuple[str, list[Game]]:
    """Return the name of the source of the games, and at most `count` games. `folder` is for temporary files.

    Raises `FileNotFoundError` if the folder of real logs has no whole game.
    """
    logs = os.environ.get(REAL_LOGS)
    if not logs and find_spec("riichienv") is None:
        return "the sample", [game_of(_SAMPLE, folder)]
    if not logs:
        return "played on riichienv", [game_of(path, folder) for path in play(folder, count or _PLAYED)]
    paths = [path for pattern in _PATTERNS for path in sorted(Path(logs).glob(pattern))]
    games = [game for game in (game_of(path, folder) for path in paths) if is_whole(game)]
    if not games:
        raise FileNotFoundError(f"{REAL_LOGS} names {logs}, and there is no whole game of four in it")
    # Equal steps take some games of each kind.
    return "real logs", games if count is None else games[:: -(-len(games) // count)]


def game_of(path: Path, folder: Path) -> Game:
    data = path.read_bytes()
    return Game(path, data, tuple(line for line in data.splitlines() if line.strip()), folder)


def is_whole(game: Game) -> bool:
    """Return whether a log has the start and the end of its game."""
    kinds = [orjson.loads(line)["type"] for line in (game.lines[:1] + game.lines[-1:])]
    return kinds == ["start_game", "end_game"]


def each(games: list[Game]) -> list[Game]:
    """Return all games."""
    return games


def typical(games: list[Game]) -> list[Game]:
    """Return the one game of the middle length, as a list."""
    return [sorted(games, key=lambda game: game.messages)[len(games) // 2]]


def play(folder: Path, count: int) -> Iterator[Path]:
    """Play games, the same ones each time, and yield their files."""
    engine = run_path(str(_ENGINE))
    for seed in range(count):
        path = folder / f"played-{seed}.mjson"
        path.write_bytes(engine["play"](seed))
        yield path
