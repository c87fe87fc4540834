"""The tiles, hands and calls of majiang.

A tile is the letter of its suit and its rank: `m1` to `m9`, `p`, `s`, `z1` to `z7`; `m0` is the red five, `_` a
tile that is not shown. In a hand a letter precedes all ranks of its suit. In a call, a sign follows the called
tile. It names the player who discarded it: `-` left, `=` opposite, `+` right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from mjconv.ir import events as ev
from mjconv.ir.tiles import DRAGONS, HIDDEN, ORDER, RED_FIVES, SUITS, WINDS, Tile, plain

#: The players of a game.
SEATS: Final = 4
#: The sign of a tile that is not shown.
UNSEEN: Final = "_"
#: The tile of each spelling. A plain dictionary is faster than a read-only one.
TILE_OF: Final[Mapping[str, Tile]] = {
    **{f"{suit}{rank}": f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)},
    **{f"{red[1]}0": red for red in RED_FIVES},
    **{f"z{at}": honour for at, honour in enumerate((*WINDS, *DRAGONS), 1)},
    UNSEEN: HIDDEN,
}
#: The spelling of each tile.
SPELLING_OF: Final[Mapping[Tile, str]] = {tile: spelling for spelling, tile in TILE_OF.items()}
#: The tile of each rank, by the letter of its suit.
_OF_SUIT: Final = {
    suit: {spelling[1]: tile for spelling, tile in TILE_OF.items() if spelling[0] == suit} for suit in "mpsz"
}
#: The seats from a player to the one whom the sign names.
STEPS: Final = {"-": 3, "=": 2, "+": 1}
SIGNS: Final = {steps: sign for sign, steps in STEPS.items()}

#: The order of tiles in a hand: hidden tiles first, a red five before the plain ones.
_IN_HAND: Final = {tile: (tile != HIDDEN, ORDER[plain(tile)], tile not in RED_FIVES) for tile in TILE_OF.values()}
_LAST: Final = (True, len(ORDER), True)
#: The characters of the longest hand that is read, with its calls.
_LONGEST: Final = 80
_GROUP: Final = re.compile(r"([mpsz])([0-9]+)|_")
_HAND: Final = re.compile(r"(?:[mpsz][0-9]+|_)*")
_CALL: Final = re.compile(r"([mpsz])([0-9]{1,4})(?:([-=+])([0-9]{0,2}))?")


class CannotSpellError(ValueError):
    """A tile that majiang does not have."""


def read_hand(text: str) -> tuple[Tile, ...] | None:
    """Return the tiles of a hand before its calls, in the order of the text; None where the text is no hand.

    >>> read_hand("m1p05z7_"), read_hand("m22*,z111="), read_hand("z8")
    (('1m', '5pr', '5p', 'C', '?'), ('2m', '2m'), None)
    """
    concealed = text.partition(",")[0].rstrip("*")
    if len(text) > _LONGEST or _HAND.fullmatch(concealed) is None:
        return None
    found: list[Tile] = []
    try:
        for suit, ranks in _GROUP.findall(concealed):
            found += map(_OF_SUIT[suit].__getitem__, ranks) if suit else (HIDDEN,)
    except KeyError:
        return None
    return tuple(found)


def sorted_hand(tiles: Iterable[Tile]) -> list[Tile]:
    """Return tiles in the order of majiang: hidden tiles first, a red five before the plain ones.

    >>> sorted_hand(["C", "5p", "1m", "5pr", "?"])
    ['?', '1m', '5pr', '5p', 'C']
    """
    return sorted(tiles, key=lambda tile: _IN_HAND.get(tile, _LAST))


def write_tiles(tiles: Iterable[Tile]) -> str:
    """Spell tiles in their order. Raises `CannotSpellError` for a tile that majiang does not have.

    >>> write_tiles(["1m", "2m", "5pr", "?", "C"])
    'm12p0_z7'
    """
    text = ""
    suit = ""
    try:
        for tile in tiles:
            spelling = SPELLING_OF[tile]
            text += spelling[1:] if suit == spelling[0] != UNSEEN else spelling
            suit = spelling[0]
    except KeyError as error:
        raise CannotSpellError(f"majiang has no tile {error}") from None
    return text


class Call(NamedTuple):
    """A call as its text states it.

    `own` are the tiles of the hand. `called` is the tile of another player, `steps` the number of seats to that
    player: both are empty in an ankan. `added` is the tile that a kakan adds to its pon.
    """

    kind: type[ev.Chi] | type[ev.Pon] | type[ev.Daiminkan] | type[ev.Ankan] | type[ev.Kakan]
    own: tuple[Tile, ...]
    called: Tile = ""
    steps: int = 0
    added: Tile = ""


@lru_cache(4096)
def _read_call(text: str) -> Call | None:
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
        return Call(ev.Ankan, in_order(tiles)) if len(tiles) == SEATS else None
    called = tiles.pop()
    count = len(tiles) + len(later)
    alike = len({plain(tile) for tile in (called, *tiles, *later)}) == 1
    steps = STEPS[sign]
    if count == 3 and alike:
        if len(tiles) == 2 and later:
            return Call(ev.Kakan, in_order(tiles), called, steps, later[0])
        return Call(ev.Daiminkan, in_order([*tiles, *later]), called, steps)
    if count != 2:
        return None
    if alike:
        return Call(ev.Pon, in_order([*tiles, *later]), called, steps)
    return Call(ev.Chi, in_order([*tiles, *later]), called, steps) if suit != "z" else None


def read_call(text: str) -> Call | None:
    """Read the text of a call, or return None where it is none.

    >>> call = read_call("s0-67")
    >>> call.kind.__name__, call.own, call.called, call.steps
    ('Chi', ('6s', '7s'), '5sr', 3)
    >>> read_call("m505+5").added, read_call("z1111").kind.__name__, read_call("m2222=").kind.__name__
    ('5m', 'Ankan', 'Daiminkan')
    """
    # The length is checked here: the cache keeps its keys.
    return _read_call(text) if len(text) <= 8 else None


@lru_cache(4096)
def write_call(call: Call) -> str:
    """Spell a call as majiang does. Raises `CannotSpellError` for a tile that it does not have.

    >>> write_call(Call(ev.Chi, ("4p", "5pr"), "3p", 3)), write_call(Call(ev.Pon, ("5m", "5mr"), "5m", 1))
    ('p3-40', 'm505+')
    >>> write_call(Call(ev.Kakan, ("5m", "5m"), "5mr", 2, "5m"))
    'm550=5'
    """
    try:
        spelled = [SPELLING_OF[tile] for tile in in_order(call.own)]
        called = SPELLING_OF[call.called] + SIGNS[call.steps] if call.called else ""
        added = SPELLING_OF[call.added] if call.added else ""
    except KeyError as error:
        raise CannotSpellError(f"majiang has no tile {error}") from None
    if UNSEEN in spelled or called[:1] == UNSEEN or added[:1] == UNSEEN:
        raise CannotSpellError("majiang cannot hold a call with hidden tiles")
    suit = (spelled[0] or called)[0]
    ranks = [spelling[1:] for spelling in spelled]
    if call.kind is ev.Chi:
        ranks = sorted([*ranks, called[1:]], key=lambda rank: rank[0].replace("0", "5"))
    elif called:
        ranks.append(called[1:])
    return suit + "".join(ranks) + added[1:]


def in_order(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    """Return tiles in the order of a call: of one kind plain ones before red ones.

    >>> in_order(["5pr", "5p"]), in_order(["6p", "5pr"])
    (('5p', '5pr'), ('5pr', '6p'))
    """
    return tuple(sorted(tiles, key=ORDER.__getitem__))
