"""Tiles as jmjp spells them (section 2.3.6): two characters each, ``0`` for a red five, ``uk`` unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjconv.ir.tiles import DORA_OF, HIDDEN, INDICATOR_OF, Tile, plain

#: Hub spelling to jmjp's.
JMJP: Final[dict[Tile, str]] = {
    **{f"{rank}{suit}": f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)},
    **{f"5{suit}r": f"0{suit}" for suit in "mps"},
    "E": "ew",
    "S": "sw",
    "W": "ww",
    "N": "nw",
    "P": "wd",
    "F": "gd",
    "C": "rd",
    HIDDEN: "uk",
}
#: jmjp spelling to the hub's.
HUB: Final[dict[str, Tile]] = {spelling: tile for tile, spelling in JMJP.items()}

#: An indicator as the hub keeps it to the dora as jmjp writes it; and back, which cannot tell a red indicator.
DORA: Final[dict[Tile, str]] = {indicator: JMJP[dora] for indicator, dora in DORA_OF.items()}
INDICATOR: Final[dict[str, Tile]] = {spelling: INDICATOR_OF[plain(tile)] for spelling, tile in HUB.items()}

#: A seat's letter by its place after the dealer, and the place of a letter.
LETTERS: Final = "eswn"
PLACE: Final = {letter: place for place, letter in enumerate(LETTERS)}


def spell(tiles: Sequence[Tile]) -> str:
    """Spell tiles one after the other.

    >>> spell(("5mr", "E", "?"))
    '0mewuk'
    """
    return "".join(map(JMJP.__getitem__, tiles))


def split(text: str) -> tuple[Tile, ...]:
    """Read tiles that follow each other.

    >>> split("0mewuk")
    ('5mr', 'E', '?')
    """
    return tuple([HUB[text[at : at + 2]] for at in range(0, len(text), 2)])
