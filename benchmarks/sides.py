"""The sides of rows: one function for each kind of work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import mjconv
from benchmarks.games import Game
from benchmarks.scores import scores_file
from mjconv.converters import formats, hub
from mjconv.converters.interface import WriteOptions
from mjconv.ir.losses import Report
from mjconv.ir.match import Match


@dataclass(frozen=True)
class Side:
    """One side of a row: `prepare` makes a case from a game, untimed; `run` works on the case and is timed.

    `needs` is the package that the side needs. `known` is its known figure if that package is not installed.
    `apart` is true if the side starts processes.
    """

    name: str
    prepare: Callable[[Game], Any]
    run: Callable[[Any], object]
    needs: str = "mjconv"
    known: str = ""
    apart: bool = False


def convert(source: str, target: str, *, plain: bool = False) -> Side:
    """Return a side that converts bytes to bytes with the library. `plain` leaves out notes on both sides."""
    return Side(
        f"{source} -> {target}, plain" if plain else f"{source} -> {target}",
        lambda game: in_format(game, source, plain=plain),
        lambda data: mjconv.convert(data, source=source, target=target, plain=plain).data,
    )


def convert_site(*, wall: bool) -> Side:
    """Return a side that converts the file of Tenhou itself without notes, with or without working out its walls.

    A game of another source is converted to Tenhou's format first: it has no seed.
    """
    return Side(
        f"tenhou -> mjai, plain, {'with' if wall else 'without'} walls",
        site_file,
        lambda data: mjconv.convert(data, source="tenhou", target="mjai", plain=True, wall=wall).data,
    )


def site_file(game: Game) -> bytes:
    """Return the bytes of the mjlog of a game, which lies beside the folder of its mjai log; else make one."""
    own = game.path.parent.with_name("mjlog") / f"{game.path.stem}.mjlog"
    if own.exists():
        return own.read_bytes()
    return mjconv.convert(game.data, source="mjai", target="tenhou", plain=True).data


def convert_scores(target: str, lines: int, games: int) -> Side:
    """Return a side that converts a file of HK scores with so many lines, in sittings of so many games."""
    return Side(
        f"hk -> {target}",
        lambda game: contents(scores_file(game.folder, lines, games)),
        lambda data: mjconv.convert(data, source="hk", target=target).data,
    )


def read(source: str) -> Side:
    """Return a side that reads bytes into matches."""
    form = formats.find(source)[0]
    return Side(
        f"read {source}",
        lambda game: in_format(game, source),
        lambda data: hub.read_matches(form, data, Report()),
    )


def read_file(source: str) -> Side:
    """Return a side that opens and reads a file, for peers that accept only a path."""
    form = formats.find(source)[0]
    return Side(
        f"read {source} file",
        lambda game: in_file(game, source),
        lambda path: hub.read_matches(form, contents(path), Report()),
    )


def write(target: str) -> Side:
    """Return a side that writes matches as bytes."""
    form, flavour = formats.find(target)
    return Side(
        f"write {target}",
        matches_of,
        lambda matches: hub.written(form, matches, Report(), WriteOptions(flavour)),
    )


def page() -> Side:
    """Return a side that writes matches as pages of the viewer."""
    return Side("view", matches_of, lambda matches: [mjconv.view(match).html for match in matches])


def columns() -> Side:
    """Return a side that makes an Arrow table of matches."""
    return Side("columns", matches_of, mjconv.to_arrow, needs="pyarrow")


def score(lines: int, games: int) -> Side:
    """Return a side that adds up a file of HK scores."""
    return Side(
        f"score HK, {games:,} games a sitting",
        lambda game: scores_file(game.folder, lines, games),
        lambda path: mjconv.hk_score_files([path]),
    )


def read_scores(lines: int, games: int) -> Side:
    """Return a side that reads HK scores into matches."""
    form = formats.find("hk")[0]
    return Side(
        "read hk",
        lambda game: contents(scores_file(game.folder, lines, games)),
        lambda data: hub.read_matches(form, data, Report()),
    )


def write_scores(lines: int, games: int) -> Side:
    """Return a side that writes the matches of a file of HK scores."""
    form, flavour = formats.find("hk")
    return Side(
        "write hk",
        lambda game: hub.read_matches(form, contents(scores_file(game.folder, lines, games)), Report()),
        lambda matches: hub.written(form, matches, Report(), WriteOptions(flavour)),
    )


@cache
def in_format(game: Game, form: str, *, plain: bool = False) -> bytes:
    """Return the bytes of a game in a format. `plain` leaves out notes."""
    if form == "mjai":
        return game.data
    return mjconv.convert(game.data, source="mjai", target=form, plain=plain).data


@cache
def matches_of(game: Game) -> list[Match]:
    """Return the matches of a game."""
    return hub.read_matches(formats.find("mjai")[0], game.data, Report())


def in_file(game: Game, form: str) -> str:
    """Return the path of a file with the game in a format."""
    if form == "mjai":
        return str(game.path)
    path = game.folder / f"{game.path.stem}{extension(form)}"
    path.write_bytes(in_format(game, form))
    return str(path)


def extension(form: str) -> str:
    """Return the usual extension of a format."""
    return next(iter(formats.find(form)[0].files.extensions))


def contents(path: str) -> bytes:
    """Return the bytes of a file."""
    with open(path, "rb") as stream:
        return stream.read()
