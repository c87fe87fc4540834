"""All codes of findings, from every module that reports them. A code never changes its meaning."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mjconv.ir.errors import UsageError
from mjconv.ir.suggestion import did_you_mean
from mjconv.referee import dora, draws, games, houses, mcr, order, play, points, riichi, sequence, tiles, wins
from mjconv.referee.findings import Code

#: The codes of a file that does not follow its format.
SYNTAX: Final[dict[str, Code]] = {
    "S001": Code("grammar", "the format does not allow it"),
    "S002": Code("unreadable", "a file that cannot be read, or whose format cannot be recognised"),
    "S003": Code("limit", "larger than a limit allows"),
    "S010": Code("oddity", "unusual, but read, such as a note that no longer fits", "warning"),
}

#: The modules that report findings.
MODULES: Final = (order, tiles, play, riichi, wins, points, draws, sequence, dora, mcr, games, houses)
#: Every code, in order.
CODES: Final[dict[str, Code]] = dict(
    sorted(entry for codes in (SYNTAX, *(module.CODES for module in MODULES)) for entry in codes.items())
)


def codes_of(words: Iterable[str]) -> frozenset[str]:
    """Return the codes that words name: codes, the beginnings of codes, and names, in any case.

    Raises `UsageError` for a word that names no code.

    >>> sorted(codes_of(["furiten", "r074", "O01"]))
    ['O010', 'O011', 'O012', 'R042', 'R074']
    """
    codes: set[str] = set()
    for word in words:
        wanted = word.strip()
        begin, name = wanted.upper(), wanted.lower()
        named = [code for code in CODES if wanted and (code.startswith(begin) or CODES[code].name == name)]
        if not named:
            meant = did_you_mean(name, (code.name for code in CODES.values()))
            raise UsageError(f"{word!r} is no code of a finding{meant}; docs/validation.md lists them")
        codes.update(named)
    return frozenset(codes)
