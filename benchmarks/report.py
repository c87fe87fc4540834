"""Write the results as a table, and as JSON."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from typing import Any, Final

from benchmarks.games import Game
from benchmarks.measure import Result, is_there
from benchmarks.peers import NOT_RUN
from benchmarks.rows import Row
from benchmarks.shares import KINDS

_HEADS: Final = (
    "work",
    "ms",
    "lines/s",
    "against",
    "its ms",
    "ratio",
    "min-max",
    "target",
    "reached",
    "/".join(KINDS),
)
_LEFT: Final = {0, 3}
_REACHED: Final = {True: "yes", False: "NO", None: ""}
_PACKAGES: Final = ("mjconv", "msgspec", "orjson", "lark", "jsonschema", "pyarrow", "riichienv")
_ABSENT: Final = "absent"


def table(results: Sequence[Result]) -> str:
    """Return the table. Times are medians for one game; ratios are the median and the extremes of the sweeps.

    A message of mjai is a line. The last column has the shares of the kinds of work in the time of mjconv, in
    percent.
    """
    return aligned([_HEADS, *(_cells(result) for result in results)], _LEFT)


def aligned(rows: Sequence[Sequence[str]], left: set[int]) -> str:
    """Align rows in columns. The columns in `left` are aligned to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _cells(result: Result) -> tuple[str, ...]:
    row, figures, ratios = result.row, result.figures, result.ratios
    return (
        row.ours.name,
        f"{figures['ms']:.2f}",
        f"{figures['rate']:,.0f}",
        row.peer.name,
        f"{median(result.peer_ms):.2f}" if ratios else _ABSENT,
        f"{figures['ratio']:.2f}" if ratios else "",
        f"{min(ratios):.2f}-{max(ratios):.2f}" if ratios else "",
        "" if row.target is None else str(row.target),
        _REACHED[result.reached],
        "/".join(f"{result.shares[kind]:.0%}".rstrip("%") for kind in KINDS) if result.shares else "",
    )


def missing(rows: Sequence[Row]) -> list[str]:
    """Return a line for each side that is not installed, with its known figures."""
    peers = {row.peer.name: row.peer for row in rows if not is_there(row.peer)}
    return [
        *(f"{row.ours.name}: needs {row.ours.needs}" for row in rows if not is_there(row.ours)),
        *(
            f"{name}: {peer.needs} is not installed; known: {peer.known or 'nothing'}"
            for name, peer in peers.items()
        ),
        *(known for work, known in NOT_RUN.items() if any(work in row.ours.name for row in rows)),
    ]


def conditions(source: str, games: Sequence[Game]) -> dict[str, Any]:
    """Return the conditions of the measurement: machine, load, versions, games."""
    return {
        "python": platform.python_version(),
        "machine": platform.platform(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "versions": {package: _version(package) for package in _PACKAGES},
        "games": {"source": source, "count": len(games), "messages": sum(game.messages for game in games)},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def heading(conditions: dict[str, Any]) -> str:
    """Return the conditions as one line."""
    games = conditions["games"]
    load = "" if conditions["load"] is None else f", load {conditions['load']:.2f}"
    return (
        f"{games['count']} games ({games['source']}), {games['messages']:,} messages; "
        f"Python {conditions['python']}, {conditions['cores']} cores{load}"
    )


def figures(conditions: dict[str, Any], results: Sequence[Result], not_run: Sequence[str] = ()) -> dict[str, Any]:
    """Return all figures, of each sweep too, as JSON values."""
    return {**conditions, "rows": [_figures_of(result) for result in results], "not_run": list(not_run)}


def _figures_of(result: Result) -> dict[str, Any]:
    target = result.row.target
    return {
        "work": result.row.ours.name,
        "against": result.row.peer.name,
        "games": result.games,
        "lines": result.lines,
        "ms": result.figures["ms"],
        "lines_per_second": result.figures["rate"],
        "ratio": result.figures.get("ratio"),
        "peer_ms": median(result.peer_ms) if result.peer_ms else None,
        "target": None if target is None else {target.figure: target.limit},
        "reached": result.reached,
        "shares": dict(result.shares),
        "sweeps": {
            "ms": list(result.ours_ms),
            "peer_ms": list(result.peer_ms),
            "ratio": list(result.ratios),
        },
    }
