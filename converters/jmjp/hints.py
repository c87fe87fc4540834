"""Hints for texts that do not parse: characters of an input method, tiles of other notations, misspelt words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher, get_close_matches
from string import ascii_letters, digits
from typing import Final, cast, get_args

from mjconv.converters.jmjp.spelling import CODES, JMJP, Field, codes_of
from mjconv.ir.match import Weekday

#: How near a misspelt word must be to a token, from 0 to 1, and the longest such word.
_NEAR: Final = 0.6
_MOST_WORD: Final = 16
_LETTERS: Final = frozenset(f"{ascii_letters}{digits}-")
_TOKEN: Final = re.compile(rf"[A-Za-z0-9-]{{3,{_MOST_WORD}}}")
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


def hint(text: str, offset: int, expected: set[str], spellings: Collection[str] = ()) -> str | None:
    """Return a hint about the text at the offset of an error.

    `expected` are the terminals that the grammar expects there, `spellings` the fixed spellings among them.

    >>> hint("(e，5m,tg)", 2, {"COMMA"})
    '"，" is to be typed as ","'
    >>> hint("(e,5z,tg)", 3, {"TILE"}), hint("(e,5mr,tg)", 5, {"COMMA"})
    ('the tile 5z is spelled wd', 'the tile 5mr is spelled 0m')
    >>> hint("ply[0,,mlg-drnn,,]", 14, {"COMMA"})
    'did you mean "mlg-drn" in place of "mlg-drnn"?'
    """
    return _typed(text, offset) or _spelled(text, offset, expected) or _meant(text, offset, expected, spellings)


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


def _meant(text: str, offset: int, expected: set[str], spellings: Collection[str]) -> str | None:
    """Return the token that a misspelt word probably means. The error may be inside the word."""
    begin = _begin_of_word(text, offset)
    found = _TOKEN.match(text, begin)
    if found is None:
        return None
    word = found[0]
    codes = {token for name in expected for token in _tokens(name)}
    if begin < offset:
        # The beginning of the word was read as a token that it is not.
        read = text[begin:offset]
        codes.update({*CODES, *get_args(Weekday)} if read in CODES or read in get_args(Weekday) else ())
    for known in (codes, [spelling for spelling in spellings if len(spelling) > 2]):
        # A bracket after a word is part of its spelling.
        bare = {each.rstrip("[("): each for each in known}
        close = _nearest(word.lower(), bare)
        if close is not None and word not in bare:
            return f'did you mean "{bare[close]}" in place of "{word}"?'
    return None


def _nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is nearest; of several the one with the longest common beginning.

    >>> _nearest("mlg-dnr", ["mlg-rdn", "mlg-drn"]), _nearest("xyz", ["abc"])
    ('mlg-drn', None)
    """
    close = get_close_matches(word, known, 3, _NEAR)

    def nearness(other: str) -> tuple[float, int]:
        return SequenceMatcher(None, other, word).ratio(), _common_beginning(word, other)

    return max(close, key=nearness, default=None)


def _common_beginning(one: str, other: str) -> int:
    return next((at for at, pair in enumerate(zip(one, other, strict=False)) if len(set(pair)) > 1), len(one))


def _begin_of_word(text: str, offset: int) -> int:
    begin = offset
    while begin > max(0, offset - _MOST_WORD) and text[begin - 1] in _LETTERS:
        begin -= 1
    return begin


def _tokens(terminal: str) -> Sequence[str]:
    """Return the tokens of a terminal: the shorthand tokens of a field, or the days of the week."""
    field = terminal.lower()
    if field in get_args(Field):
        return codes_of(cast(Field, field))
    return get_args(Weekday) if terminal == "MATCH_DAY_OF_WK" else ()


def _quoted(char: str) -> str:
    return f"'{char}'" if char == '"' else f'"{char}"'
