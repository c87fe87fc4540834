"""Walls are worked out from seeds, unless the caller does without them."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import UNSET
from typer.testing import CliRunner

import mjconv
from corpus_files import CORPUS
from mjconv.command.cli import app

GAME = CORPUS / "tenhou" / "hanchan.mjlog"


def has_walls(match: mjconv.Match) -> bool:
    [known] = {game_round.wall is not UNSET for game_round in match.rounds}
    return known


@pytest.mark.parametrize("wall", [True, False])
def test_the_library_reads_with_or_without_walls(wall: bool) -> None:
    assert has_walls(mjconv.read(GAME, wall=wall)) == wall
    assert [has_walls(match) for match in mjconv.read_all(GAME, wall=wall)] == [wall]
    assert [has_walls(match) for match in mjconv.iter_matches(GAME, wall=wall)] == [wall]


@pytest.mark.parametrize("options", [(), ("--no-wall",)])
def test_the_command_converts_with_or_without_walls(options: tuple[str, ...], tmp_path: Path) -> None:
    there, back = tmp_path / "game.mjson", tmp_path / "game.mjlog"
    runner = CliRunner()
    assert runner.invoke(app, ["convert", str(GAME), "-o", str(there), *options]).exit_code == 0
    assert has_walls(mjconv.read(there)) == (not options)
    assert runner.invoke(app, ["convert", str(there), "-o", str(back)]).exit_code == 0
    assert back.read_bytes() == GAME.read_bytes()


def test_batch_skips_walls(tmp_path: Path) -> None:
    command = ["batch", str(GAME.parent), "-o", str(tmp_path), "--to", "mjai", "--no-wall", "--jobs", "1"]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert not has_walls(mjconv.read(tmp_path / "hanchan.mjson"))
