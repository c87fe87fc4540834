"""Count the processor instructions of conversions, here and at another commit: a figure without noise.

Three conversions are counted, or those from and to every format and of the records of platforms (``--all``). Each
conversion runs under callgrind on the same games, n times and 2n times. The difference leaves out the start.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeAlias
from zipfile import ZipFile

from benchmarks import games, report
from benchmarks.games import Game
from benchmarks.records import RECORDED, records_of
from benchmarks.sides import in_format
from mjconv.converters import formats

#: The instructions for one game, by conversion and by tree.
Counts: TypeAlias = dict[str, dict[str, float]]


class Way(NamedTuple):
    """A conversion: source and target. `records` says that the source are the records of a platform.

    Records are converted without notes.
    """

    source: str
    target: str
    records: bool = False

    @property
    def folder(self) -> str:
        """The folder of the files that are converted."""
        return f"{self.source}-records" if self.records else self.source

    def __str__(self) -> str:
        return (
            f"{self.source} records -> {self.target}, plain" if self.records else f"{self.source} -> {self.target}"
        )


HOTTEST: Final = (Way("mjai", "jmjp"), Way("jmjp", "mjai"), Way("mjai", "uzje"))
_FORMS: Final = [
    *(form.id for form in formats.FORMATS if form.writes and form.holds.has("riichi") and form.id != "hk"),
    "tenhou-json",
]
#: The conversions from and to every format that holds play.
EVERY: Final = (
    *(Way(name, "mjai") for name in _FORMS),
    *(Way(form, "mjai", records=True) for form in RECORDED),
    *(Way("mjai", name) for name in _FORMS if name != "mjai"),
)
_GAMES: Final = 4
_TIMES: Final = 3
_ROOT: Final = Path(__file__).parents[1]
_WORK: Final = Path(__file__).with_name("repeat.py")
#: The folders at the root that install as packages of `mjconv`.
_PACKAGES: Final = ("ir", "rules", "referee", "converters", "schemas")
#: The folder that installs as `mjconv` itself: its name, and the name that it had in older commits.
_FRONT: Final = ("app", "mjconv")
_COUNT: Final = re.compile(rb"Collected : (\d++)")


def main(arguments: Sequence[str]) -> None:
    """Run ``python -m benchmarks instructions``."""
    parser = argparse.ArgumentParser("python -m benchmarks instructions", description=__doc__)
    parser.add_argument("--against", metavar="COMMIT", help="count the same at COMMIT as well")
    parser.add_argument("--all", action="store_true", help="count from and to every format")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all figures to FILE as well")
    asked = parser.parse_args(arguments)
    if shutil.which("valgrind") is None:
        parser.exit(1, "instructions are counted by valgrind, which is not installed\n")
    with TemporaryDirectory() as name:
        folder = Path(name)
        source, played = games.load(folder, _GAMES)
        told = report.conditions(source, played)
        print(report.heading(told), flush=True)
        trees = {"here": laid_out(_ROOT, folder / "here")}
        if asked.against is not None:
            trees[asked.against] = laid_out(_checked_out(asked.against, folder / "commit"), folder / "against")
        ways = EVERY if asked.all else HOTTEST
        counts = count(trees, prepared(played, folder / "games", ways), ways)
    print(table(counts))
    if asked.json is not None:
        rows = [{"work": work, "instructions_a_game": of_trees} for work, of_trees in counts.items()]
        asked.json.write_text(json.dumps({**told, "instructions": rows}, indent=1) + "\n", encoding="utf-8")


def prepared(played: Sequence[Game], folder: Path, ways: Sequence[Way]) -> Path:
    """Write the games in each source format, and the records, in one folder for each format."""
    for way in {way.folder: way for way in ways}.values():
        (folder / way.folder).mkdir(parents=True)
        found = records_of(way.source)(list(played)) if way.records else played
        for number, game in enumerate(found):
            data = game.path.read_bytes() if way.records else in_format(game, way.source)
            (folder / way.folder / f"{number:03}").write_bytes(data)
    return folder


def laid_out(root: Path, folder: Path) -> Path:
    """Make a folder with the package as it installs, of links to the tree at `root`."""
    package = folder / "mjconv"
    package.mkdir(parents=True)
    front = next(root / name for name in _FRONT if (root / name).is_dir())
    for entry in (*front.iterdir(), *(root / name for name in _PACKAGES)):
        if entry.exists() and not (package / entry.name).exists():
            (package / entry.name).symlink_to(entry)
    return folder


def _checked_out(commit: str, folder: Path) -> Path:
    """Write the tree of a commit to a folder, and return it."""
    folder.mkdir()
    archive = folder / "tree.zip"
    subprocess.run(["git", "archive", "--format=zip", "-o", str(archive), commit], cwd=_ROOT, check=True)
    with ZipFile(archive) as packed:
        packed.extractall(folder)
    return folder


def count(trees: dict[str, Path], folder: Path, ways: Sequence[Way]) -> Counts:
    """Return the instructions for one game, by conversion and by tree."""
    for tree in trees.values():
        _warm(tree, folder, ways)

    def a_game(tree: Path, way: Way) -> float:
        once, twice = (instructions(folder, tree, way, times) for times in (_TIMES, 2 * _TIMES))
        return (twice - once) / _TIMES / len(list((folder / way.folder).iterdir()))

    # Other processes do not change the counts, so these may run at the same time.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        asked = {way: {name: pool.submit(a_game, tree, way) for name, tree in trees.items()} for way in ways}
    return {str(way): {name: count.result() for name, count in counts.items()} for way, counts in asked.items()}


def _warm(tree: Path, folder: Path, ways: Sequence[Way]) -> None:
    """Run all conversions once, so that Python compiles nothing in the counted runs."""
    for way in ways:
        subprocess.run(work(folder, way, 1), env=environment(tree), check=True, capture_output=True)


def instructions(folder: Path, tree: Path, way: Way, times: int) -> int:
    """Return the instructions of a whole process. Raises `RuntimeError` if it fails or runs another tree."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command = [*valgrind, *work(folder, way, times)]
    done = subprocess.run(command, env=environment(tree), capture_output=True, check=False)
    found = _COUNT.search(done.stderr)
    if done.returncode or found is None:
        raise RuntimeError(f"callgrind failed: {done.stderr.decode(errors='replace')}")
    if not done.stdout.decode().startswith(str(tree)):
        raise RuntimeError(f"the process ran another tree than {tree}: {done.stdout.decode().strip()}")
    return int(found[1])


def work(folder: Path, way: Way, times: int) -> list[str]:
    """Return the command that converts all games of a format so many times."""
    words = [way.source, way.target, str(times), "plain" if way.records else "notes"]
    return [sys.executable, "-P", str(_WORK), str(folder / way.folder), *words]


def environment(tree: Path) -> dict[str, str]:
    """Return the environment that imports mjconv from a tree and has a fixed hash seed."""
    return {**os.environ, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"}


def table(counts: Counts) -> str:
    """Return a table of the millions of instructions for one game in each tree, and the ratio of first to last."""
    [first, *others] = next(iter(counts.values()))
    heads = ("millions of instructions a game", first, *others, *(["ratio"] if others else []))
    rows = [
        (work, *(f"{value / 1e6:.2f}" for value in taken.values()), *_ratio(taken))
        for work, taken in counts.items()
    ]
    return report.aligned([heads, *rows], left={0})


def _ratio(taken: dict[str, float]) -> list[str]:
    first, *others = taken.values()
    return [f"{first / others[-1]:.3f}"] if others else []
