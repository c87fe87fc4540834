"""The names of the options that the quick start of the command reads itself."""

from __future__ import annotations

from typing import Final

#: The names of the options of plain conversions, by the fields of `FileOptions` that they set, and ``output``.
#: `mjconv.command.options` describes these options by the same names.
NAMES: Final = {
    "output": "-o --output",
    "source": "-f --from",
    "target": "-t --to",
    "report": "--report",
    "quiet": "-q --quiet",
    "plain": "--plain",
    "fill": "--fill",
    "strict": "--strict",
    "lossy": "--lossy",
}
