"""All codes of findings: ``codes.json`` is their catalogue. A code never changes its meaning."""

from collections.abc import Iterable
from typing import Final

from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import UsageError
from mjconv.ir.suggestion import did_you_mean
from mjconv.referee.findings import FindingKind

#: Every code, in order. S are the codes of a file that does not follow its format.
CODES: Final = catalogue(__name__, "codes.json", dict[str, FindingKind])


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
