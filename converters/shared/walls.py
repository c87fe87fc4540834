"""Walls: the deal, the draws from both ends, the indicators, and how many copies of a tile a set has.

A wall is a list of tiles in the order of play: the deal, the live wall, and the dead wall at its end (see
`mjconv.ir.match.Round`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.match import Round
from mjconv.ir.tiles import COPIES, FLOWERS, HAND, HIDDEN, Tile

Item = TypeVar("Item")

#: The tiles of a whole wall, by the number of players.
WHOLE: Final = {3: 108, 4: 136}
_FLOWERS: Final = frozenset(FLOWERS)
#: The tiles of the dead wall where no replacement was drawn.
DEAD: Final = 14
#: The most dora indicators of a round.
MOST_INDICATORS: Final = 5
#: Tiles at the very end of the wall that replace others, by the number of players: the indicators follow them.
REPLACEMENTS: Final = {3: 8, 4: 4}


class Drawn(NamedTuple):
    """The tiles that were drawn, in order: from the front of the wall, and from its back."""

    front: list[Tile]
    back: list[Tile]


def deal(tiles: Sequence[Item], players: int) -> list[tuple[Item, ...]]:
    """Deal hands from the front of the wall, the dealer's first: three times four tiles each, then one each.

    >>> deal(range(39), 3)[0]
    (0, 1, 2, 3, 12, 13, 14, 15, 24, 25, 26, 27, 36)
    """
    fours = [tiles[begin : begin + 4] for begin in range(0, 12 * players, 4)]
    return [
        (*fours[seat], *fours[seat + players], *fours[seat + 2 * players], last)
        for seat, last in zip(range(players), tiles[12 * players : HAND * players], strict=True)
    ]


def undeal(hands: Sequence[Sequence[Item]]) -> list[Item]:
    """Return the tiles of hands, the dealer's first, in the order in which they are dealt.

    >>> undeal(deal(range(52), 4)) == list(range(52))
    True
    """
    tiles: list[Item] = []
    for begin in (0, 4, 8):
        for hand in hands:
            tiles += hand[begin : begin + 4]
    tiles += [hand[HAND - 1] for hand in hands]
    return tiles


def drawn_tiles(events: Sequence[ev.Event]) -> Drawn:
    """Return the tiles that the events draw from each end of the wall.

    >>> drawn_tiles([ev.Draw(0, "N"), ev.Ankan(0, ("N",) * 4), ev.Draw(0, "9s")])
    Drawn(front=['N'], back=['9s'])
    """
    front: list[Tile] = []
    back: list[Tile] = []
    replaces = False
    event: Any
    for event in events:
        kind = type(event)
        if kind is ev.Draw:
            (back if replaces else front).append(event.pai)
            replaces = False
        elif kind in ev.REPLACED:
            replaces = True
    return Drawn(front, back)


def is_played_from(wall: Sequence[Tile], hands: Sequence[Sequence[Tile]], drawn: Drawn) -> bool:
    """Return whether hands (the dealer's first) and draws come from this wall, and the wall has more tiles.

    >>> hands = deal(["E"] * 52, 4)
    >>> is_played_from(["E"] * 52 + ["1m", "2m", "9s"], hands, Drawn(["1m"], ["9s"]))
    True
    """
    front, back = drawn
    begin = HAND * len(hands)
    if len(wall) <= begin + len(front) + len(back):
        return False
    dealt = zip(deal(wall, len(hands)), hands, strict=True)
    if not all(mine == hand or sorted(mine) == sorted(hand) for mine, hand in dealt):
        return False
    return list(wall[begin : begin + len(front)]) == front and list(wall[: -len(back) - 1 : -1]) == back


def disagreement(
    wall: Sequence[Tile],
    hands: Sequence[Sequence[Tile]],
    drawn: Drawn,
    dora: Sequence[Tile],
    *uras: Sequence[Tile],
) -> str | None:
    """Return the part of a round that does not come from this wall, or None. `hands` are the dealer's first.

    `dora` are the indicators that were turned, each of `uras` are ura indicators that were shown.

    >>> disagreement(["E"] * 136, [["E"] * 13] * 4, Drawn([], []), ["E", "S"])
    'dora indicators'
    """
    seats = len(hands)
    if not is_played_from(wall, hands, drawn):
        dealt = [*map(sorted, deal(wall, seats))] == [*map(sorted, hands)]
        return "draws" if dealt else "hands"
    for ura, tiles in enumerate([dora, *uras]):
        for number, tile in enumerate(tiles):
            place = indicator_place(len(wall), number, seats) - (ura > 0)
            if place < 0 or wall[place] != tile:
                return "ura dora indicators" if ura else "dora indicators"
    return None


def disagreement_with_wall(game_round: Round) -> str | None:
    """Return the part of a round that does not come from its whole wall; None if it does, or a tile is not known.

    >>> disagreement_with_wall(Round([ev.StartRound(oya=0, tehais=(("S",) * 13,) * 4)], wall=("E",) * 136))
    'hands'
    """
    start, wall = game_round.start, game_round.wall
    if start is None or start.tehais is UNSET or start.oya is UNSET or wall is UNSET:
        return None
    turns = (*start.tehais[start.oya :], *start.tehais[: start.oya])
    drawn, dora = drawn_tiles(game_round.events), [one.dora_marker for one in game_round.select(ev.Dora)]
    if start.dora_marker is not UNSET:
        dora.insert(0, start.dora_marker)
    known = HIDDEN not in (*chain(*turns), *drawn.front, *drawn.back, *dora)
    is_whole = len(wall) == WHOLE.get(len(turns)) and all(len(hand) == HAND for hand in turns)
    return disagreement(wall, turns, drawn, dora) if known and is_whole else None


def stacks_turned(tiles: Sequence[Item], replaced: int) -> list[Item]:
    """Return a wall with the two tiles of each stack of its dead wall the other way round.

    Tenhou has the dora indicator of a stack behind the ura indicator, and the first replacement tile before the
    second one. `replaced` is the number of replacement tiles that were drawn. An odd tile has no partner.

    >>> stacks_turned(range(136), 0)[-4:], stacks_turned(range(136), 0)[:3]
    ([133, 132, 135, 134], [0, 1, 2])
    """
    turned = list(tiles)
    for place in range(len(turned) - 1, max(len(turned) - DEAD - replaced, 0), -2):
        turned[place], turned[place - 1] = turned[place - 1], turned[place]
    return turned


def tiles_in_play(hands: Sequence[Sequence[Tile]], drawn: Drawn) -> list[Tile]:
    """Return the tiles that were dealt and drawn, in the order that they have in a wall.

    >>> tiles_in_play([], Drawn(["1m", "2m"], ["9s", "8s"]))
    ['1m', '2m', '8s', '9s']
    """
    return [*undeal(hands), *drawn.front, *reversed(drawn.back)]


def surplus_tile(tiles: Sequence[Tile], counts: Mapping[Tile, int]) -> tuple[int, int] | None:
    """Return the place of the first tile that a set does not have, and how many copies the set has; else None.

    `counts` is how often each tile is in the list.

    >>> tiles = ["5m"] * 4 + ["E", "5m"]
    >>> surplus_tile(tiles, Counter(tiles))
    (5, 4)
    """
    if max(counts.values(), default=0) <= COPIES and counts.keys().isdisjoint(_FLOWERS):
        return None
    seen = Counter[Tile]()
    for place, tile in enumerate(tiles):
        seen[tile] += 1
        most = 1 if tile in _FLOWERS else COPIES
        if seen[tile] > most:
            return place, most
    return None


def indicator_place(length: int, number: int, players: int) -> int:
    """Return the place of a dora indicator (`number` from 0) in a wall of this length; its ura is one before it.

    >>> indicator_place(136, 0, 4), indicator_place(136, 1, 4), indicator_place(108, 0, 3)
    (131, 129, 99)
    """
    return length - REPLACEMENTS[players] - 1 - 2 * number
