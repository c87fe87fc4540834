"""Tiles, spelled as in mjai and extended for other sets.

The riichi tiles are mjai's: ``1m``-``9m``, ``1p``-``9p``, ``1s``-``9s``, the red fives ``5mr`` ``5pr`` ``5sr``,
winds ``E S W N``, dragons ``P F C`` (white, green, red) and ``?`` for a tile that the record does not show.
Larger sets add ranks ``10m``-``16s``, the zero ``Z``, the compressed winds ``H`` (east and west) and ``V``
(north and south), and the flowers ``1f``-``8f`` (spring, summer, autumn, winter, then one to four).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

HIDDEN: Final = "?"

if TYPE_CHECKING:
    Tile = str
    Wind = str
    AnyTile = str
else:
    # The decoder checks spellings against these; the type checker need not carry 38 literals about.
    # fmt: off
    Tile = Literal[
        "1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m",
        "1p", "2p", "3p", "4p", "5p", "6p", "7p", "8p", "9p",
        "1s", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s",
        "5mr", "5pr", "5sr", "E", "S", "W", "N", "P", "F", "C", "?",
    ]
    # fmt: on
    Wind = Literal["E", "S", "W", "N"]

WINDS: Final = ("E", "S", "W", "N")
DRAGONS: Final = ("P", "F", "C")
SUITS: Final = ("m", "p", "s")
RED_FIVES: Final = ("5mr", "5pr", "5sr")
#: Stands below the one of any suit, and is an honour as well.
ZERO: Final = "Z"
#: Set aside as soon as they are drawn.
FLOWERS: Final = tuple(f"{number}f" for number in range(1, 9))

#: The tiles of a riichi set, each kind once, in the order in which a sorted hand shows them.
RIICHI_TILES: Final = (
    *(
        spelling
        for suit in SUITS
        for rank in range(1, 10)
        for spelling in ([f"{rank}{suit}", f"{rank}{suit}r"] if rank == 5 else [f"{rank}{suit}"])
    ),
    *WINDS,
    *DRAGONS,
)
#: What larger sets add.
OTHER_TILES: Final = (
    *(f"{rank}{suit}" for suit in SUITS for rank in range(10, 17)),
    "H",
    "V",
    ZERO,
    *FLOWERS,
)
TILES: Final = frozenset((*RIICHI_TILES, *OTHER_TILES, HIDDEN))

if not TYPE_CHECKING:
    #: A tile of any set, where JSON is checked that is not mjai.
    AnyTile = Literal[(*RIICHI_TILES, *OTHER_TILES, HIDDEN)]

#: Sorting key of each tile: suits, ranks with the red five after the plain ones, winds, dragons, hidden last.
ORDER: Final = {tile: place for place, tile in enumerate((*RIICHI_TILES, *OTHER_TILES, HIDDEN))}

_PLAIN: Final = {red: red[:2] for red in RED_FIVES}

#: The dora that an indicator points at: 9 to 1, E S W N to E, P F C to P; a red five counts as a five.
DORA_OF: Final = {
    **{f"{rank}{suit}": f"{rank % 9 + 1}{suit}" for suit in SUITS for rank in range(1, 10)},
    **{red: f"6{red[1]}" for red in RED_FIVES},
    **{wind: WINDS[(place + 1) % 4] for place, wind in enumerate(WINDS)},
    **{dragon: DRAGONS[(place + 1) % 3] for place, dragon in enumerate(DRAGONS)},
    HIDDEN: HIDDEN,
}
#: The indicator that points at a dora, never a red five: a dora does not tell.
INDICATOR_OF: Final = {dora: indicator for indicator, dora in DORA_OF.items() if indicator not in _PLAIN}


def plain(tile: Tile) -> Tile:
    """Give the tile with redness put aside.

    >>> plain("5pr"), plain("5p"), plain("C")
    ('5p', '5p', 'C')
    """
    return _PLAIN.get(tile, tile)


def sorted_tiles(tiles: list[Tile] | tuple[Tile, ...]) -> list[Tile]:
    """Sort tiles as a player lays them out: characters, circles, bamboo, winds, dragons, hidden ones last.

    >>> sorted_tiles(["E", "5mr", "?", "5m", "1s", "9p"])
    ['5m', '5mr', '9p', '1s', 'E', '?']
    """
    return sorted(tiles, key=ORDER.__getitem__)
