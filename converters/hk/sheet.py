"""A new file to type into: a sheet for an evening."""

from __future__ import annotations

import datetime
from typing import Final

from mjconv.converters.hk.lines import Declaration, Names, Wrong, parse
from mjconv.converters.hk.names import escape
from mjconv.converters.shared.sheet import Sheet
from mjconv.converters.shared.tidy import Line, joined
from mjconv.ir.errors import UsageError

_SHEET: Final = (
    ("B=1", "# points of zero faan"),
    ("M=13", "# the most faan that count"),
    ("R=full", "# the discarder pays for all; half: for a half"),
    ("S=half", "# above 4 faan; spicy: each faan doubles"),
)
_RESULTS: Final = """
# A line a game, in the order of the names: the faan of the winner, d who discarded, - the others.
# Self-drawn has no d. D and S pay for all, f is a false win, and - - - - is a draw.
"""


def new_file(sheet: Sheet, like: bytes | None = None) -> bytes:
    """Return a file for an evening, with the last rules and names of a file `like`. Raises `UsageError`."""
    if (sheet.tournament, sheet.place, sheet.rules) != (None, None, None):
        raise UsageError("an HK file has no tournament, no place and no points: leave these options out")
    date = sheet.date or datetime.date.today()
    declared: dict[str, str] = {line[:1]: line for line, _ in _SHEET}
    names = " ".join(map(escape, sheet.names())) or "East South West North"
    for line in (like or b"").decode("utf-8", "replace").splitlines():
        read = parse(line)
        text = " ".join(line.partition("#")[0].split())
        if isinstance(read, Names) and not sheet.names():
            names = text
        elif isinstance(read, Declaration) and read.key != "date":
            declared[text[:1]] = text
    read = parse(names)
    if not isinstance(read, Names):
        reason = read.message if isinstance(read, Wrong) else "four names are expected"
        raise UsageError(f"{names} are no four names of an HK file: {reason}")
    lines = [Line(date.isoformat(), "# the evening")]
    lines += [Line(declared[line[:1]], comment) for line, comment in _SHEET]
    return (joined([*lines, Line(names, apart=True)]) + _RESULTS).encode()
