"""A game to measure on, and a folder of logs."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import games
from engine import play


@pytest.fixture(autouse=True)
def _frozen() -> Iterator[None]:
    """Hide the tests from the garbage collector again: a measurement ends with all objects before it."""
    yield
    gc.freeze()


@pytest.fixture
def game(tmp_path: Path) -> games.Game:
    path = tmp_path / "one-round.mjson"
    path.write_bytes(play(7, length="round"))
    return games.game_of(path, tmp_path)


@pytest.fixture
def real_logs(game: games.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay out a folder of logs: three whole games of four, one that breaks off, one of three players."""
    logs = tmp_path / "logs"
    broken = b"\n".join(game.lines[:-1])
    for name, data in {
        "tenhou/mjai/2010010100gm-a.mjson": game.data,
        "tenhou/mjai/2010010100gm-a-no-game-end.mjson": broken,
        "tenhou/mjai/double-ron.mjson": game.data,
        "mjai/engine/4p-0.mjson": game.data,
        "mjai/engine/3p-0.mjson": game.data,
        "mjai/selfplay-hanchan.jsonl": game.data,
    }.items():
        path = logs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    monkeypatch.setenv(games.REAL_LOGS, str(logs))
    return logs
