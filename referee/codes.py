"""All codes of findings, from every module that reports them. A code never changes its meaning."""

from __future__ import annotations

from typing import Final

from mjconv.referee import calls, dora, draws, order, play, points, riichi, sequence, tiles, wins
from mjconv.referee.findings import Code

#: The codes of a file that does not follow its format.
SYNTAX: Final[dict[str, Code]] = {
    "S001": Code("the format does not allow it"),
    "S002": Code("a file that cannot be read, or whose format cannot be recognised"),
    "S003": Code("larger than a limit allows"),
    "S010": Code("unusual, but read, such as a note that no longer fits", "warning"),
}

#: The modules that report findings.
MODULES: Final = (order, tiles, play, calls, riichi, wins, points, draws, sequence, dora)
#: Every code, in order.
CODES: Final[dict[str, Code]] = dict(
    sorted(entry for codes in (SYNTAX, *(module.CODES for module in MODULES)) for entry in codes.items())
)
