"""Colours of text on a terminal."""

import os
from dataclasses import dataclass
from typing import Final, Literal, TextIO, TypeAlias

from mjconv.ir.errors import UsageError

When: TypeAlias = Literal["auto", "always", "never"]
#: When text is coloured, as `--color` takes it.
WHEN: Final[tuple[When, ...]] = ("auto", "always", "never")

Colour: TypeAlias = Literal["bold", "red", "yellow", "green", "cyan"]
#: The parameters of the escape sequence SGR, for each colour.
_CODES: Final[dict[Colour, str]] = {"bold": "1", "red": "1;31", "yellow": "1;33", "green": "1;32", "cyan": "36"}


@dataclass(frozen=True)
class Colours:
    r"""Paints text, if `on`.

    >>> Colours(True).paint("red", "error"), Colours().paint("red", "error")
    ('\x1b[1;31merror\x1b[0m', 'error')
    """

    on: bool = False

    def paint(self, colour: Colour, text: str) -> str:
        """Return the text between the sequences that begin and end a colour."""
        return f"\x1b[{_CODES[colour]}m{text}\x1b[0m" if self.on and text else text


def colours_for(when: str, stream: TextIO | None) -> Colours:
    """Return the colours for a stream.

    ``auto`` paints on a terminal, unless the variable ``NO_COLOR`` is set and not empty, or ``TERM`` is ``dumb``.
    Raises `UsageError` for another word than those of `WHEN`.

    >>> colours_for("always", None).on, colours_for("never", None).on, colours_for("auto", None).on
    (True, False, False)
    """
    if when not in WHEN:
        raise UsageError(f"--color is {when!r}; expected {', '.join(WHEN)}")
    if when != "auto":
        return Colours(when == "always")
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return Colours(stream is not None and stream.isatty() and not plain)
