"""How Ùzje spells tiles and players.

Tiles have the alphabetic notation: rank then suit, one letter an honour or a flower. Players have the letters of
their seats.
"""

import re
from typing import Final

from mjconv.ir.spelling import Seating, Spelling, by_number, by_table
from mjconv.ir.tiles import DRAGONS, FLOWERS, RED_FIVES, WINDS, ZERO, Tile, plain

#: Seat letters in order of play, by the number of players; the dealer is the first.
SEATS: Final = {3: "ESW", 4: "ESWN", 6: "EHSVWN"}

#: Ranks 1 to 16.
RANKS: Final = "123456789xabcdef"
#: Ùzje's suits, and the hub's: circles are `t` here.
SUITS: Final = {"t": "p", "s": "s", "m": "m"}
_FLOWER_LETTERS: Final = "hijkopqr"

#: Spelling in a tile list to the hub's.
HUB: Final[dict[str, Tile]] = {
    **{f"{rank}{suit}": f"{place}{hub}" for suit, hub in SUITS.items() for place, rank in enumerate(RANKS, 1)},
    **{letter: letter for letter in (*WINDS, "H", "V", *DRAGONS, ZERO)},
    **dict(zip(_FLOWER_LETTERS, FLOWERS, strict=True)),
}
#: Hub spelling to Ùzje's; a red five is a five.
UZJE: Final[dict[Tile, str]] = {tile: spelling for spelling, tile in HUB.items()}
UZJE.update({red: UZJE[plain(red)] for red in RED_FIVES})

#: The plain five to the red one.
RED_OF: Final[dict[Tile, Tile]] = {plain(red): red for red in RED_FIVES}

#: In turns the zero is a number as well.
_IN_TURNS: Final = {**HUB, **{f"0{suit}": ZERO for suit in SUITS}}
_TILES: Final = re.compile(rf"(?>[0{RANKS}]++[tsm]|[ESWNHVCFPZ{_FLOWER_LETTERS}])*+")
_SUITED: Final = re.compile(rf"([0{RANKS}]*)([a-zA-Z])")


#: Circles, red fives and honours as other notations spell them.
_ELSEWHERE: Final = re.compile(r"(?P<rank>[1-9])p|0(?P<five>[mpst])|(?P<honour>[1-7])z")


def other_spelling(word: str) -> str:
    """Return a hint for a tile that is spelled as elsewhere; an empty text for other words.

    >>> other_spelling("7p"), other_spelling("0p"), other_spelling("5z"), other_spelling("x")
    ('the tile 7p is spelled 7t', 'the tile 0p is spelled 5t', 'the tile 5z is spelled P', '')
    >>> other_spelling("0t")
    'the tile 0t is spelled Z'
    """
    tile = _ELSEWHERE.fullmatch(word)
    if tile is None:
        return ""
    if word == "0t":
        # Only turns spell the zero as a number. With another suit it is a red five of another notation.
        own = "Z"
    elif tile["honour"]:
        own = UZJE[(*WINDS, *DRAGONS)[int(tile["honour"]) - 1]]
    else:
        own = f"{tile['rank'] or 5}{(tile['five'] or 'p').replace('p', 't')}"
    return f"the tile {word} is spelled {own}"


def split(text: str) -> tuple[Tile, ...] | None:
    """Return the tiles of a move, whether neighbours share their suit or not; None if they are no tiles.

    >>> split("23tE0s"), split("5"), split("")
    (('2p', '3p', 'E', 'Z'), None, ())
    """
    if _TILES.fullmatch(text) is None:
        return None
    return tuple(_IN_TURNS[rank + letter] for ranks, letter in _SUITED.findall(text) for rank in (ranks or ("",)))


def spell(tiles: tuple[Tile, ...], *, shared: bool) -> str:
    """Return the tiles of a move as text. The tiles of a chow have one `shared` suit, or a suit each.

    >>> spell(("2p", "3p"), shared=True), spell(("Z", "2p"), shared=False), spell(("Z",), shared=True)
    ('23t', '0t2t', 'Z')
    """
    spelled = [UZJE[tile] for tile in tiles]
    suits = {spelling[1:] for spelling in spelled} - {""}
    if len(spelled) < 2 or len(suits) != 1:
        return "".join(spelled)
    [suit] = suits
    ranks = ["0" if spelling == ZERO else spelling[0] for spelling in spelled]
    return "".join(ranks) + suit if shared else "".join(rank + suit for rank in ranks)


def spell_player(seat: int, seating: Seating) -> str:
    """Spell a seat by its letter, the dealer's first; outside games by its number.

    >>> spell_player(3, Seating(3, 4)), spell_player(4, Seating(0, 6)), spell_player(3, Seating(None, 4))
    ('E', 'W', 'player 3')
    """
    place = seating.place(seat)
    if place is None or seating.seats not in SEATS:
        return by_number(seat, seating)
    return SEATS[seating.seats][place]


#: Spells a tile; a tile that Ùzje does not have as the hub spells it.
spell_tile: Final = by_table(UZJE)
#: How messages spell players and tiles.
SPELLING: Final = Spelling(spell_player, spell_tile)
