"""Gives every tile of a round its number: from the wall of a seed, from stated copies, or the lowest copy left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from mjconv.converters.shared.walls import deal, indicator_place
from mjconv.converters.tenhou.copies import Copies, NumberingError
from mjconv.converters.tenhou.seeds import MOST_INDICATORS, draw_places
from mjconv.converters.tenhou.wall import RoundWall
from mjconv.ir import events as ev
from mjconv.ir.tiles import HIDDEN, Tile

_TURN: Final = frozenset({ev.Draw, ev.Discard})
#: The player draws from the back of the wall after these.
_REPLACED: Final = frozenset({ev.Daiminkan, ev.Kakan, ev.Ankan, ev.Nukidora})


class Shown(NamedTuple):
    """The tiles of a round that its record shows, as the hub spells them.

    `hands` are in seat order. `replacements` are the places in `draws` of tiles drawn from the back of the wall.
    `indicators` begin with that of the deal.
    """

    hands: Sequence[Sequence[Tile]]
    oya: int
    draws: Sequence[Tile]
    replacements: Sequence[int]
    indicators: Sequence[Tile]
    ura: Sequence[Tile]


class Numbering(NamedTuple):
    """The numbers of the tiles of a round: of the hands by seat, of the draws, and of both kinds of indicators."""

    hands: list[list[int]]
    draws: list[int]
    indicators: list[int]
    ura: list[int]


def shown_tiles(start: ev.StartRound, events: Sequence[ev.Event]) -> Shown:
    """Return the tiles that the events of a round show."""
    draws = [event.pai for event in events if type(event) is ev.Draw]
    # Few events are no turns.
    others = [event for event in events if type(event) not in _TURN]
    replacements: list[int] = []
    if not _REPLACED.isdisjoint(map(type, others)):
        kinds = list(map(type, events))
        places = [place for place, kind in enumerate(kinds) if kind in _REPLACED]
        replacements = [kinds[:place].count(ev.Draw) for place in places]
    indicators = [start.dora_marker or HIDDEN, *(event.dora_marker for event in ev.select(others, ev.Dora))]
    ura = max((win.ura_markers or () for win in ev.select(others, ev.Win)), key=len, default=())
    return Shown(start.tehais or (), int(start.oya or 0), draws, replacements, indicators, ura)


def numbered_by_wall(shown: Shown, wall: RoundWall, spelled: Sequence[Tile]) -> Numbering | None:
    """Return the numbers of the tiles by the wall of a seed, or None where the round shows other tiles."""
    seats = len(shown.hands)
    tiles = wall.in_play_order(len(shown.replacements))
    length = len(tiles)
    places = list(draw_places(seats, len(shown.draws), shown.replacements, length))
    if max(len(shown.indicators), len(shown.ura)) > MOST_INDICATORS or not all(0 <= at < length for at in places):
        return None
    hands: list[list[int]] = [[]] * seats
    for place, hand in enumerate(deal(tiles, seats)):
        hands[(shown.oya + place) % seats] = list(hand)
    found = Numbering(
        hands,
        [tiles[place] for place in places],
        [tiles[indicator_place(length, number, seats)] for number in range(len(shown.indicators))],
        [tiles[indicator_place(length, number, seats) - 1] for number in range(len(shown.ura))],
    )
    same = all(
        sorted([spelled[tile] for tile in hand]) == sorted(stated)
        for hand, stated in zip(found.hands, shown.hands, strict=True)
    ) and all(
        [spelled[tile] for tile in numbers] == list(stated)
        for numbers, stated in zip(found[1:], (shown.draws, shown.indicators, shown.ura), strict=True)
    )
    return found if same else None


def numbered_by_copies(shown: Shown, copies: Copies, digits: str) -> Numbering:
    """Return the numbers of the tiles by stated copies, else the lowest copy that is left.

    Raises `NumberingError` where a tile has no number.
    """
    if not digits:
        try:
            return _numbered_lowest(shown, copies)
        except (KeyError, StopIteration):
            # The loop below finds the tile, and the reason.
            pass
    stated = iter(digits)

    def number(tile: Tile) -> int:
        found = copies.draw(tile, stated)
        if found is None:
            raise NumberingError(copies.reason(tile))
        return found

    hands = [[number(tile) for tile in hand] for hand in shown.hands]
    first = number(shown.indicators[0])
    draws = [number(tile) for tile in shown.draws]
    indicators = [first, *(number(tile) for tile in shown.indicators[1:])]
    return Numbering(hands, draws, indicators, [number(tile) for tile in shown.ura])


def _numbered_lowest(shown: Shown, copies: Copies) -> Numbering:
    """Return the numbers of the tiles where each is the lowest copy that is left."""
    left = dict(zip(copies.by_tile, map(iter, copies.by_tile.values()), strict=True))
    hands = [[next(left[tile]) for tile in hand] for hand in shown.hands]
    first = next(left[shown.indicators[0]])
    draws = [next(left[tile]) for tile in shown.draws]
    indicators = [first, *[next(left[tile]) for tile in shown.indicators[1:]]]
    return Numbering(hands, draws, indicators, [next(left[tile]) for tile in shown.ura])
