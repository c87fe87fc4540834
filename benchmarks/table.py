"""Measure all rows and print the table. Other commands: growth, instructions."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks import games, report
from benchmarks.measure import FULL, QUICK, measure
from benchmarks.rows import ROWS

_QUICK_GAMES: Final = 5


def main(arguments: Sequence[str]) -> None:
    """Run ``python -m benchmarks``."""
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all figures to FILE as well")
    parser.add_argument("--quick", action="store_true", help="few games and sweeps, for a first look")
    parser.add_argument("--targets", action="store_true", help="only the rows with a target; about four minutes")
    parser.add_argument("--only", metavar="WORD", default="", help="only the rows whose work has WORD in its name")
    asked = parser.parse_args(arguments)
    rows = [row for row in ROWS if asked.only in row.ours.name and (row.target or not asked.targets)]
    with TemporaryDirectory() as folder:
        source, played = games.load(Path(folder), _QUICK_GAMES if asked.quick else None)
        told = report.conditions(source, played)
        print(report.heading(told), flush=True)
        results = measure(rows, played, QUICK if asked.quick else FULL)
    missing = report.missing(rows)
    print(report.table(results))
    print(*missing, sep="\n", end="\n" if missing else "")
    if asked.json is not None:
        asked.json.write_text(
            json.dumps(report.figures(told, results, missing), indent=1) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
