"""All codes of findings, of every module that tells them. A code stays what it is."""

from __future__ import annotations

from typing import Final

from mjconv.referee import calls, dora, draws, order, play, points, riichi, sequence, tiles, wins
from mjconv.referee.findings import Code

#: What is wrong with a record as a text of its format.
SYNTAX: Final[dict[str, Code]] = {
    "S001": Code("not what the format allows"),
    "S002": Code("a file that cannot be read, or whose format cannot be told"),
    "S003": Code("larger than a limit lets it be"),
    "S010": Code("odd, and read all the same, such as a note that no longer fits", "warning"),
}

#: The modules that tell findings.
MODULES: Final = (order, tiles, play, calls, riichi, wins, points, draws, sequence, dora)
#: Every code, in order.
CODES: Final[dict[str, Code]] = dict(
    sorted(entry for codes in (SYNTAX, *(module.CODES for module in MODULES)) for entry in codes.items())
)
