"""Convert all files of a folder, many times. `benchmarks.instructions` counts this process."""

from __future__ import annotations

import sys
from pathlib import Path

import mjconv


def main(folder: str, source: str, target: str, times: str, notes: str) -> None:
    cases = [path.read_bytes() for path in sorted(Path(folder).iterdir())]
    for _ in range(int(times)):
        for data in cases:
            mjconv.convert(data, source=source, target=target, plain=notes == "plain")
    print(mjconv.__file__)


if __name__ == "__main__":
    main(*sys.argv[1:])
