"""The sides of the benchmarks about decisions find the same decisions."""

from pathlib import Path

import pytest

from benchmarks.games import Game
from benchmarks.training import REPLAY, TABLE, decisions
from engine import play


@pytest.mark.parametrize("form", ["mjai", "tenhou", "majsoul", "majiang", "jmjp"])
def test_all_sides_find_the_same_number_of_decisions(form: str, tmp_path: Path) -> None:
    path = tmp_path / "game.mjson"
    path.write_bytes(play(4, length="east"))
    data = path.read_bytes()
    game = Game(path, data, tuple(data.splitlines()), tmp_path)
    ours, table, replay = (side.run(side.prepare(game)) for side in (decisions(form), TABLE, REPLAY))
    assert ours == replay
    # The table alone asks a player who is furiten because they passed a win.
    assert isinstance(ours, int)
    assert isinstance(table, int)
    assert 0 <= table - ours < ours // 50
