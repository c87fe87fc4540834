"""What this project does of a row: one function a kind of work, each making the `Side` that is timed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mjconv
from benchmarks.games import Game
from benchmarks.scores import scores_file
from mjconv.converters import formats
from mjconv.converters.mjai.messages import Messages
from mjconv.converters.options import WriteOptions
from mjconv.ir.losses import Report


@dataclass(frozen=True)
class Side:
    """One side of a row: `prepare` makes of a game, untimed, what `run` takes; `run` is timed."""

    name: str
    prepare: Callable[[Game], Any]
    run: Callable[[Any], object]


def convert(source: str, target: str) -> Side:
    """Convert bytes to bytes, as the library does."""
    return Side(
        f"{source} -> {target}",
        lambda game: in_format(game, source),
        lambda data: mjconv.convert(data, source=source, target=target).data,
    )


def read(source: str) -> Side:
    """Read bytes into matches."""
    form, flavour = formats.find(source)
    return Side(
        f"read {source}",
        lambda game: in_format(game, source),
        lambda data: list(form.read(data, Report(), flavour)),
    )


def read_file(source: str) -> Side:
    """Read a file into matches, its opening included: for peers that take nothing but a path."""
    form, flavour = formats.find(source)
    return Side(
        f"read {source}",
        lambda game: in_file(game, source),
        lambda path: list(form.read(_contents(path), Report(), flavour)),
    )


def write(target: str) -> Side:
    """Write matches as bytes."""
    form, flavour = formats.find(target)
    return Side(
        f"write {target}",
        lambda game: list(formats.find("mjai")[0].read(game.data, Report())),
        lambda matches: form.write(matches, Report(), WriteOptions(flavour)),
    )


def score(lines: int, games: int) -> Side:
    """Add up a file of HK scores of so many lines, in sittings of so many games, whatever the game."""
    return Side(
        f"score HK, {games:,} games a sitting",
        lambda game: scores_file(game.folder, lines, games),
        lambda path: mjconv.hk_score_files([path]),
    )


def read_scores(lines: int, games: int) -> Side:
    """Read HK scores into matches."""
    form, flavour = formats.find("hk")
    return Side(
        "read hk",
        lambda game: _contents(scores_file(game.folder, lines, games)),
        lambda data: list(form.read(data, Report(), flavour)),
    )


def write_scores(lines: int, games: int) -> Side:
    """Write the matches of a file of HK scores."""
    form, flavour = formats.find("hk")
    return Side(
        "write hk",
        lambda game: list(form.read(_contents(scores_file(game.folder, lines, games)), Report())),
        lambda matches: form.write(matches, Report(), WriteOptions(flavour)),
    )


def check() -> Side:
    """Check mjai messages as they are read: types, tiles, seats, and other spellings folded."""
    return Side("check mjai messages", lambda game: game.data, Messages)


def process(source: str, target: str) -> Side:
    """Run the command from its start to its end: file to file."""

    def command(game: Game) -> list[str]:
        output = game.folder / f"process-{source}-{target}{_extension(target)}"
        return [console_script(), in_file(game, source), "-o", str(output)]

    return Side(f"command {source} -> {target}", command, run)


def run(command: list[str]) -> object:
    """Run a command to its end, its warnings unseen. Raises `subprocess.CalledProcessError` where it fails."""
    return subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def console_script() -> str:
    """Find the command that stands beside this Python. Raises `FileNotFoundError`."""
    script = shutil.which("mjconv", path=os.path.dirname(sys.executable))
    if script is None:
        raise FileNotFoundError(f"no mjconv beside {sys.executable}: install the project there first")
    return script


def in_format(game: Game, form: str) -> bytes:
    """Give a game's bytes in a format."""
    return game.data if form == "mjai" else mjconv.convert(game.data, source="mjai", target=form).data


def in_file(game: Game, form: str) -> str:
    """Give the path of a file that holds the game in a format."""
    if form == "mjai":
        return str(game.path)
    path = game.folder / f"{game.path.stem}{_extension(form)}"
    path.write_bytes(in_format(game, form))
    return str(path)


def _extension(form: str) -> str:
    return next(iter(formats.find(form)[0].extensions))


def _contents(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()
