"""The sides of rows about decisions: mjconv over any format, and the engine over mjai."""

from __future__ import annotations

import json
import warnings
from importlib import import_module
from pathlib import Path
from typing import Final

import mjconv
from benchmarks.games import Game
from benchmarks.sides import Side, extension, in_format

#: The messages after which the engine asks players.
_ASKING: Final = frozenset({"tsumo", "dahai", "chi", "pon", "reach", "kakan", "ankan"})


def decisions(form: str, note: str = "") -> Side:
    """Return a side that reads the decisions of a file without notes. The name of the side ends with `note`."""
    return Side(f"decisions {form}{note}", lambda game: _file(game, form), _read, needs="riichienv")


def _file(game: Game, form: str) -> str:
    """Return the path of a file with the game in a format. Several formats have the same extension."""
    path = game.folder / f"{game.path.stem}-{form}{extension(form)}"
    path.write_bytes(in_format(game, form, plain=True))
    return str(path)


def _read(path: str) -> int:
    with warnings.catch_warnings():
        # A win on the tile of a kan is a warning.
        warnings.simplefilter("ignore")
        return sum(1 for _ in mjconv.decisions(path))


def _on_the_table(path: str) -> int:
    """Give a game to the engine's table, and take the legal actions of the players whom it asks."""
    engine = import_module("riichienv")
    table = engine.RiichiEnv(game_mode="4p-red-half", rule=engine.GameRule.default_tenhou())
    found = 0
    for line in Path(path).read_bytes().splitlines():
        message = json.loads(line)
        if message["type"] == "start_game":
            continue
        table.apply_event(message)
        seats = table.active_players if message["type"] in _ASKING else ()
        if seats:
            for observation in table.get_observations(seats).values():
                observation.legal_actions()
                found += 1
    return found


def _replayed(path: str) -> int:
    """Read a game with the engine's reader of files, and take the legal actions of each step."""
    replay = import_module("riichienv").MjaiReplay.from_jsonl(path)
    return sum(len(step[1].legal_actions()) > 0 for kyoku in replay.take_kyokus() for step in kyoku.steps())


def _path(game: Game) -> str:
    return str(game.path)


#: The engine's table, which mjconv uses: the same answers from the same mjai log.
TABLE: Final = Side(
    "riichienv's table over mjai",
    _path,
    _on_the_table,
    needs="riichienv",
    known="39 ms a game where mjconv took 44 ms",
)
#: The engine's reader of files, whose steps show less and other actions.
REPLAY: Final = Side(
    "riichienv MjaiReplay steps",
    _path,
    _replayed,
    needs="riichienv",
    known="19 ms a game where mjconv took 50 ms",
)
