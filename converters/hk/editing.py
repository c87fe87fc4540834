"""What an editor asks of HK: the names of players."""

from __future__ import annotations

import re

from mjconv.converters.hk.lines import LineError, Names, parse


def names_in(line: str) -> list[tuple[int, int]]:
    """Return where the names of players are in a line.

    >>> names_in("A Bo C D # A"), names_in("- - 2 d")
    ([(0, 1), (2, 4), (5, 6), (7, 8)], [])
    """
    try:
        names = isinstance(parse(line), Names)
    except LineError:
        names = False
    return [found.span() for found in re.finditer(r"\S+", line.partition("#")[0])] if names else []
