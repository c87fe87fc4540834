"""The tiles, hands and calls of majiang.

A tile is the letter of its suit and its rank: `m1` to `m9`, `p`, `s`, `z1` to `z7`; `m0` is the red five, `_` a
tile that is not shown. In a hand a letter precedes all ranks of its suit. In a call, a sign follows the called
tile. It names the player who discarded it: `-` left, `=` opposite, `+` right.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from msgspec import UNSET

from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.ir.match import Meld
from mjconv.ir.spelling import PLAIN, Spelling, by_place, by_table
from mjconv.ir.tiles import DRAGONS, HIDDEN, ORDER, RED_FIVES, SUITS, WINDS, Tile, plain, sorted_tiles

#: The players of a game.
SEATS: Final = 4
#: The sign of a tile that is not shown.
UNSEEN: Final = "_"
#: The tile of each spelling.
TILE_OF: Final[Mapping[str, Tile]] = {
    **{f"{suit}{rank}": f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)},
    **{f"{red[1]}0": red for red in RED_FIVES},
    **{f"z{rank}": honour for rank, honour in enumerate((*WINDS, *DRAGONS), 1)},
    UNSEEN: HIDDEN,
}


class _Spellings(dict[Tile, str]):
    """The spelling of each tile. Raises `CannotHoldError` for a tile that majiang does not have."""

    def __missing__(self, tile: Tile) -> str:
        raise CannotHoldError(f"majiang has no tile {tile!r}")


#: The spelling of each tile.
SPELLING_OF: Final = _Spellings({tile: spelling for spelling, tile in TILE_OF.items()})
#: The tile of each rank, by the letter of its suit.
_OF_SUIT: Final = {
    suit: {spelling[1]: tile for spelling, tile in TILE_OF.items() if spelling[0] == suit} for suit in "mpsz"
}
#: The seats from a player to the one whom the sign names.
STEPS: Final = {"-": 3, "=": 2, "+": 1}
SIGNS: Final = {steps: sign for sign, steps in STEPS.items()}

#: The order of tiles in a hand: hidden tiles first, a red five before the plain ones.
_IN_HAND: Final = {
    **{tile: 2 * ORDER[plain(tile)] + (tile not in RED_FIVES) for tile in TILE_OF.values()},
    HIDDEN: -1,
}
_LAST: Final = 2 * len(ORDER)
#: The characters of the longest hand that is read, with its calls.
_LONGEST: Final = 80
_GROUP: Final = re.compile(r"([mpsz])([0-9]+)|_")
_HAND: Final = re.compile(r"(?:[mpsz][0-9]+|_)*")
#: A hand in which a letter precedes all ranks of its suit.
_USUAL_HAND: Final = re.compile(r"(?:_|m[0-9]+(?!m)|p[0-9]+(?!p)|s[0-9]+(?!s)|z[0-9]+(?!z))*")
_CALL: Final = re.compile(r"([mpsz])([0-9]{1,4})(?:([-=+])([0-9]{0,2}))?")


def read_hand(text: str) -> tuple[Tile, ...] | None:
    """Return the tiles of a hand before its calls, in the order of the text; None where the text is no hand.

    >>> read_hand("m1p05z7_"), read_hand("m22*,z111="), read_hand("z8")
    (('1m', '5pr', '5p', 'C', '?'), ('2m', '2m'), None)
    """
    concealed = text.partition(",")[0].rstrip("*")
    if len(text) > _LONGEST or _HAND.fullmatch(concealed) is None:
        return None
    tiles: list[Tile] = []
    try:
        for suit, ranks in _GROUP.findall(concealed):
            tiles += map(_OF_SUIT[suit].__getitem__, ranks) if suit else (HIDDEN,)
    except KeyError:
        return None
    return tuple(tiles)


def is_usual(text: str) -> bool:
    """Return whether `write_tiles` spells the tiles of a hand without calls as this text does.

    >>> is_usual("m1p05_"), is_usual("m1m2")
    (True, False)
    """
    return _USUAL_HAND.fullmatch(text) is not None


def hand_of(text: str) -> tuple[list[Tile], list[str]] | None:
    """Return the tiles of a hand and its calls, in an order of their own; None where the text is no hand.

    >>> hand_of("m1p05*,m505+") == hand_of("p50m1,m505+")
    True
    """
    tiles = read_hand(text)
    if tiles is None:
        return None
    return sorted(tiles), sorted(repr(read_call(each, 0)) for each in text.split(",")[1:])


def sorted_hand(tiles: Iterable[Tile]) -> list[Tile]:
    """Return tiles in the order of majiang: hidden tiles first, a red five before the plain ones.

    >>> sorted_hand(["C", "5p", "1m", "5pr", "?"])
    ['?', '1m', '5pr', '5p', 'C']
    """
    return sorted(tiles, key=lambda tile: _IN_HAND.get(tile, _LAST))


def write_tiles(tiles: Iterable[Tile]) -> str:
    """Spell tiles in their order. Raises `CannotHoldError` for a tile that majiang does not have.

    >>> write_tiles(["1m", "2m", "5pr", "?", "C"])
    'm12p0_z7'
    """
    text = suit = ""
    for spelling in map(SPELLING_OF.__getitem__, tiles):
        text += spelling[-1] if suit == spelling[0] else spelling
        suit = spelling[0]
    return text


@lru_cache(1 << 13)
def _read_call(text: str, seat: int) -> Meld | None:
    form = _CALL.fullmatch(text)
    if form is None:
        return None
    suit, before, sign, after = form.groups()
    ranks = before + (after or "")
    if any(f"{suit}{rank}" not in TILE_OF for rank in ranks):
        return None
    tiles = [TILE_OF[f"{suit}{rank}"] for rank in before]
    later = [TILE_OF[f"{suit}{rank}"] for rank in after or ""]
    if sign is None:
        return Meld("ankan", tuple(sorted_tiles(tiles))) if len(tiles) == SEATS else None
    called = tiles.pop()
    own = tuple(sorted_tiles([*tiles, *later]))
    alike = len({plain(tile) for tile in (called, *own)}) == 1
    target = (seat + STEPS[sign]) % SEATS
    if len(own) == 3 and alike:
        if len(tiles) == 2:
            return Meld("kakan", tuple(sorted_tiles(tiles)), called, target, later[0])
        return Meld("daiminkan", own, called, target)
    if len(own) != 2 or (suit == "z" and not alike):
        return None
    return Meld("pon" if alike else "chi", own, called, target)


def read_call(text: str, seat: int) -> Meld | None:
    """Read the text of a call of a player, or return None where it is none.

    >>> read_call("s0-67", 0)
    Meld(kind='chi', own=('6s', '7s'), called='5sr', target=3)
    >>> read_call("m505+5", 0).added, read_call("z1111", 0).kind, read_call("m2222=", 0).kind
    ('5m', 'ankan', 'daiminkan')
    """
    # The length is checked here: the cache keeps its keys.
    return _read_call(text, seat) if len(text) <= 8 else None


@lru_cache(1 << 13)
def write_call(meld: Meld, seat: int) -> str:
    """Spell a call of a player as majiang does. Raises `CannotHoldError` for a tile that it does not have.

    >>> write_call(Meld("chi", ("4p", "5pr"), "3p", 3), 0), write_call(Meld("pon", ("5m", "5mr"), "5m", 1), 0)
    ('p3-40', 'm505+')
    >>> write_call(Meld("kakan", ("5m", "5m"), "5mr", 2, "5m"), 0)
    'm550=5'
    """
    sign = "" if meld.target is UNSET else SIGNS[(meld.target - seat) % SEATS]
    spelled = [SPELLING_OF[tile] for tile in tuple(sorted_tiles(meld.own))]
    called = "" if meld.called is UNSET else SPELLING_OF[meld.called] + sign
    added = "" if meld.added is UNSET else SPELLING_OF[meld.added]
    if UNSEEN in spelled or called[:1] == UNSEEN or added[:1] == UNSEEN:
        raise CannotHoldError("majiang cannot hold a call with hidden tiles")
    suit = (spelled[0] or called)[0]
    ranks = [spelling[1:] for spelling in spelled]
    if meld.kind == "chi":
        ranks = sorted([*ranks, called[1:]], key=lambda rank: rank[0].replace("0", "5"))
    elif called:
        ranks.append(called[1:])
    return suit + "".join(ranks) + added[1:]


#: How messages spell players and tiles.
SPELLING: Final = Spelling(by_place("l {}"), by_table(SPELLING_OF), PLAIN.wind, dealer_first=True)
