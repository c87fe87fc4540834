"""What a typist may have meant: a character of an input method, or a tile as another notation spells it."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from mjconv.converters.jmjp.tiles import JMJP

#: Characters that an input method gives in place of ASCII ones, beside those of full width.
_TYPED: Final = {
    "、": ",",
    "。": ".",
    "“": '"',
    "”": '"',
    "「": "[",
    "」": "]",
    "【": "[",
    "】": "]",
    "−": "-",
    "ー": "-",
}
_WORD: Final = re.compile(r'[^\s,.\[\]()"]{0,16}.', re.DOTALL)
#: Tiles as others spell them: honours as numbers (mpsz), as letters, and as they are read.
_TILES: Final = {
    **{f"{number}z": JMJP[tile] for number, tile in enumerate("ESWNPFC", 1)},
    **{tile: JMJP[tile] for tile in "ESWNPFC?"},
    **dict(zip("東南西北白發発中", ("ew", "sw", "ww", "nw", "wd", "gd", "gd", "rd"), strict=True)),
}
_RED_FIVE: Final = re.compile(r"5([mps])r")
_RED_FIVE_FIRST: Final = re.compile(r"r5([mps])")


def hint(text: str, offset: int, expected: set[str]) -> str | None:
    """Give a hint about what was found at an offset, where a text goes wrong; `expected` are terminals.

    >>> hint("(e，5m,tg)", 2, {"COMMA"})
    '"，" is to be typed as ","'
    >>> hint("(e,5z,tg)", 3, {"TILE"}), hint("(e,5mr,tg)", 5, {"COMMA"})
    ('the tile 5z is spelled wd', 'the tile 5mr is spelled 0m')
    """
    return _typed(text, offset) or _spelled(text, offset, expected)


def _typed(text: str, offset: int) -> str | None:
    found = _WORD.match(text, offset)
    for char in found[0] if found else "":
        plain = _TYPED.get(char) or unicodedata.normalize("NFKC", char)
        if not char.isascii() and plain.isascii():
            return f"{_quoted(char)} is to be typed as {_quoted(plain)}"
    return None


def _spelled(text: str, offset: int, expected: set[str]) -> str | None:
    red = _RED_FIVE.match(text, max(offset - 2, 0), offset + 1)
    if red is None and "TILE" in expected:
        red = _RED_FIVE_FIRST.match(text, offset)
    if red is not None:
        return f"the tile {red[0]} is spelled 0{red[1]}"
    if "TILE" not in expected:
        return None
    tile = next(
        (text[offset : offset + length] for length in (2, 1) if text[offset : offset + length] in _TILES), ""
    )
    return f"the tile {tile} is spelled {_TILES[tile]}" if tile else None


def _quoted(char: str) -> str:
    return f"'{char}'" if char == '"' else f'"{char}"'
