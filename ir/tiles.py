"""The spelling of tiles: as in mjai, extended for other sets.

Riichi tiles are spelled as in mjai: ``1m``-``9m``, ``1p``-``9p``, ``1s``-``9s``, the red fives ``5mr`` ``5pr``
``5sr``, the winds ``E S W N``, the dragons ``P F C`` (white, green, red). ``?`` is a tile that the record does not
show. Larger sets add the ranks ``10m``-``16s``, the zero ``Z``, the compressed winds ``H`` (east and west) and
``V`` (north and south), and the flowers ``1f``-``8f`` (spring, summer, autumn, winter, then one to four).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NewType

HIDDEN: Final = "?"

if TYPE_CHECKING:
    Tile = str
    Wind = str
    AnyTile = str
else:
    # The decoder checks spellings against these. For the type checker a tile is a string, and `help` shows a name.
    # fmt: off
    Tile = NewType("Tile", Literal[
        "1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m",
        "1p", "2p", "3p", "4p", "5p", "6p", "7p", "8p", "9p",
        "1s", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s",
        "5mr", "5pr", "5sr", "E", "S", "W", "N", "P", "F", "C", "?",
    ])
    # fmt: on
    Wind = NewType("Wind", Literal["E", "S", "W", "N"])

NORTH: Final = "N"
WINDS: Final = ("E", "S", "W", NORTH)
DRAGONS: Final = ("P", "F", "C")
HONOURS: Final = (*WINDS, *DRAGONS)
SUITS: Final = ("m", "p", "s")
RED_FIVES: Final = ("5mr", "5pr", "5sr")
#: The rank below one in every suit, and an honour as well.
ZERO: Final = "Z"
#: A player sets a flower aside after drawing it.
FLOWERS: Final = tuple(f"{number}f" for number in range(1, 9))

#: Copies of a tile in a set. Of each flower there is only one.
COPIES: Final = 4
#: Tiles of a hand that is dealt.
HAND: Final = 13

#: The kinds of tiles of a riichi set, in the order of a sorted hand.
TILE_KINDS: Final[tuple[Tile, ...]] = (
    *(f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)),
    *HONOURS,
)
#: The tiles of a riichi set, each spelling once, in the order of a sorted hand.
RIICHI_TILES: Final = tuple(
    spelling for kind in TILE_KINDS for spelling in ((kind, f"{kind}r") if f"{kind}r" in RED_FIVES else (kind,))
)
#: The tiles that larger sets add.
OTHER_TILES: Final = (
    *(f"{rank}{suit}" for suit in SUITS for rank in range(10, 17)),
    "H",
    "V",
    ZERO,
    *FLOWERS,
)
TILES: Final = frozenset((*RIICHI_TILES, *OTHER_TILES, HIDDEN))

if not TYPE_CHECKING:
    #: A tile of any set, for checking JSON other than mjai.
    AnyTile = NewType("AnyTile", Literal[(*RIICHI_TILES, *OTHER_TILES, HIDDEN)])

#: The sorting key of each tile: suits, ranks with the red five after the plain five, winds, dragons, hidden last.
ORDER: Final = {tile: index for index, tile in enumerate((*RIICHI_TILES, *OTHER_TILES, HIDDEN))}

_PLAIN: Final = {red: red[:2] for red in RED_FIVES}

#: The dora of each indicator: 9 points to 1, E S W N to E, P F C to P. A red five counts as a five.
DORA_OF: Final = {
    **{f"{rank}{suit}": f"{rank % 9 + 1}{suit}" for suit in SUITS for rank in range(1, 10)},
    **{red: f"6{red[1]}" for red in RED_FIVES},
    **{wind: WINDS[(index + 1) % 4] for index, wind in enumerate(WINDS)},
    **{dragon: DRAGONS[(index + 1) % 3] for index, dragon in enumerate(DRAGONS)},
    HIDDEN: HIDDEN,
}
#: The indicator of each dora. It is never a red five, because a dora does not determine that.
INDICATOR_OF: Final = {dora: indicator for indicator, dora in DORA_OF.items() if indicator not in _PLAIN}


def plain(tile: Tile) -> Tile:
    """Return the tile without redness: a red five becomes the plain five.

    >>> plain("5pr"), plain("5p"), plain("C")
    ('5p', '5p', 'C')
    """
    return _PLAIN.get(tile, tile)


def sorted_tiles(tiles: list[Tile] | tuple[Tile, ...]) -> list[Tile]:
    """Sort tiles as players do: characters, circles, bamboo, winds, dragons, hidden tiles last.

    >>> sorted_tiles(["E", "5mr", "?", "5m", "1s", "9p"])
    ['5m', '5mr', '9p', '1s', 'E', '?']
    """
    return sorted(tiles, key=ORDER.__getitem__)


def numbered(letters: str) -> dict[str, Tile]:
    """Return the tile of each spelling that is a letter and a number.

    `letters` are for characters, circles, bamboo, winds, dragons (red, green, white) and flowers; the last
    ones may be missing.

    >>> tiles = numbered("WBTFJ")
    >>> tiles["B5"], tiles["F4"], tiles["J1"]
    ('5p', 'N', 'C')
    """
    suits = [[f"{rank}{suit}" for rank in range(1, 10)] for suit in SUITS]
    kinds = (*suits, WINDS, DRAGONS[::-1], FLOWERS)
    return {
        f"{letter}{number}": tile
        for letter, tiles in zip(letters, kinds, strict=False)
        for number, tile in enumerate(tiles, 1)
    }
