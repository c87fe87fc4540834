"""Breaks the product in sixty ways, one at a time, and counts the breaks that the quick tests find.

A line of `breaks.tsv` has a module, a text in it, and the wrong text that takes its place. For each line,
``python tests/breaks.py`` runs the quick tests until the first failure: first those of its folder, then all.
``python tests/breaks.py 3 17`` tries two of the lines. Do not work in the clone meanwhile: the script changes the
modules, and restores them.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: The statuses of pytest after a failed test, and after a module that cannot be imported.
_FAILED = (1, 2)
BREAKS = [line.split("\t") for line in (ROOT / "tests/breaks.tsv").read_text("utf-8").splitlines()]


def finds(*folders: Path) -> bool:
    """Return whether a quick test fails, or a module cannot be imported."""
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *map(str, folders)]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False).returncode in _FAILED


def is_found(module: Path, right: str, wrong: str) -> bool:
    """Return whether the quick tests find a break. Raises `ValueError` if the module lacks the text."""
    whole = module.read_text("utf-8")
    if right not in whole:
        raise ValueError(f"{module}: there is no {right!r} any more")
    folder = ROOT / "tests" / module.parent.relative_to(ROOT)
    if not folder.is_dir():
        folder = ROOT / "tests" / folder.name
    module.write_text(whole.replace(right, wrong, 1), "utf-8")
    try:
        return (folder.is_dir() and finds(folder)) or finds()
    finally:
        module.write_text(whole, "utf-8")


def main(numbers: list[int]) -> int:
    """Try the breaks of these lines, or of all. Print each, and return the number of those that were missed."""
    missed = 0
    for number in numbers or range(1, len(BREAKS) + 1):
        name, right, wrong = BREAKS[number - 1]
        found = is_found(ROOT / name, right, wrong)
        missed += not found
        print("found " if found else "MISSED", number, name, repr(right), "->", repr(wrong), flush=True)
    print(f"{missed} of {len(numbers) or len(BREAKS)} missed")
    return missed


if __name__ == "__main__":
    sys.exit(main([int(number) for number in sys.argv[1:]]) > 0)
