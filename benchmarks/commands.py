"""Sides of rows that run the command as a process: on one file, and on whole archives."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

import mjconv
from benchmarks.games import Game
from benchmarks.sides import Side, extension, in_file

#: How many copies of each game an archive has, and an archive for work that takes long.
_COPIES: Final = 20
_FEW_COPIES: Final = 4
#: How many shards an archive is divided into.
_SHARDS: Final = 4
#: The targets whose output is one Parquet file, and the packages that write it.
_TABLES: Final = {"parquet": "pyarrow", "decisions": "riichienv"}


def process(source: str, target: str) -> Side:
    """Return a side that converts one file with the command."""

    def command(game: Game) -> list[str]:
        output = game.folder / f"process-{source}-{target}{extension(target)}"
        return [console_script(), in_file(game, source), "-o", str(output)]

    return Side(f"command {source} -> {target}", command, run, apart=True)


def validating() -> Side:
    """Return a side that validates one file with the command."""
    return Side(
        "command validate",
        lambda game: [console_script(), "validate", str(game.path)],
        # Findings do not matter here.
        lambda command: run(command, statuses=(0, 1)),
        apart=True,
    )


def help_page() -> Side:
    """Return a side that shows the help of the command."""
    return Side("command --help", lambda _: [console_script(), "--help"], run, apart=True)


def batch(source: str, target: str, jobs: int, known: str = "") -> Side:
    """Return a side that converts an archive with ``mjconv batch`` and so many workers, to a zip or to Parquet."""

    def command(archive: Game) -> list[str]:
        output = archive.folder / f"batch-{jobs}.{'parquet' if target in _TABLES else 'zip'}"
        words = ["batch", str(archive.path), "-o", str(output), "--from", source, "--to", target]
        return [console_script(), *words, "--jobs", str(jobs), "--force", "--quiet"]

    needs = _TABLES.get(target, "mjconv")
    return Side(_batch(source, target, jobs), command, run, needs=needs, known=known, apart=True)


def fleet(source: str, target: str, jobs: int) -> Side:
    """Return a side that runs the shards of an archive with ``mjconv fleet run`` and so many workers."""

    def planned(archive: Game) -> tuple[Path, list[str]]:
        output = archive.folder / f"fleet-{target}-{jobs}"
        with ZipFile(archive.path) as files:
            count = -(-len(files.namelist()) // _SHARDS)
        words = ["plan", str(archive.path), "-o", str(output), "--from", source, "--to", target]
        run([console_script(), "fleet", *words, "--files", str(count), "--force", "--quiet"])
        return output, [console_script(), "fleet", "run", str(output), "--jobs", str(jobs), "--quiet"]

    def again(case: tuple[Path, list[str]]) -> None:
        output, command = case
        (output / "manifest.json").unlink(missing_ok=True)
        shutil.rmtree(output / "done", ignore_errors=True)
        run(command)

    name = f"fleet {source} -> {target}, {jobs} worker{'s' * (jobs > 1)}"
    return Side(name, planned, again, needs="pyarrow" if target == "parquet" else "mjconv", apart=True)


def _batch(source: str, target: str, jobs: int) -> str:
    return f"batch {source} -> {target}, {jobs} process{'es' * (jobs > 1)}"


def one_by_one(source: str, target: str) -> Side:
    """Return a side that converts the members of an archive one by one in this process, and writes nothing."""

    def run(path: str) -> None:
        with ZipFile(path) as archive:
            for name in archive.namelist():
                mjconv.convert(archive.read(name), source=source, target=target)

    return Side("convert one by one", lambda archive: str(archive.path), run)


def archived(games: list[Game], copies: int = _COPIES) -> list[Game]:
    """Write games into one zip archive, with copies, and return it in the form of a game."""
    path = games[0].folder / f"archive-{len(games)}-{copies}.zip"
    if not path.exists():
        with ZipFile(path, "w", ZIP_DEFLATED) as archive:
            for copy in range(copies):
                for number, game in enumerate(games):
                    archive.writestr(f"{copy:04}/{number:03}{extension('mjai')}", game.data)
    return [Game(path, b"", tuple(line for game in games for line in game.lines) * copies, games[0].folder)]


def few_archived(games: list[Game]) -> list[Game]:
    """Write games into one zip archive, with few copies."""
    return archived(games, _FEW_COPIES)


def run(command: list[str], statuses: tuple[int, ...] = (0,)) -> None:
    """Run a command without its output. Raises `subprocess.CalledProcessError` if it fails."""
    # An installed program has compiled modules. With this variable each start would compile the source again.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
    )
    if done.returncode not in statuses:
        raise subprocess.CalledProcessError(done.returncode, command)


def console_script() -> str:
    """Return the path of the command beside this Python. Raises `FileNotFoundError`."""
    script = shutil.which("mjconv", path=os.path.dirname(sys.executable))
    if script is None:
        raise FileNotFoundError(f"no mjconv beside {sys.executable}: install the project there first")
    return script
