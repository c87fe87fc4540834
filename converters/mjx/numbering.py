"""Numbers the tiles of a round: by the wall of the file, else by the lowest copy that is left.

A state holds the whole wall. If the wall of a round is not known, the tiles that nobody saw are put where no known
tile is, in the order of their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from mjconv.converters.mjx.wall import turned
from mjconv.converters.shared.tile_numbers import COPIES, TILES, WITH_REDS
from mjconv.converters.shared.walls import (
    HAND,
    Drawn,
    deal,
    drawn_tiles,
    indicator_place,
    is_played_from,
    undeal,
)
from mjconv.ir import events as ev
from mjconv.ir.tiles import HIDDEN, RED_FIVES, Tile

_SEATS: Final = 4
_ALL: Final = sorted(WITH_REDS)
_FIVES: Final = frozenset(red[:2] for red in RED_FIVES)
_KANS: Final = frozenset({ev.Daiminkan, ev.Kakan, ev.Ankan})


class NumberingError(ValueError):
    """A tile has no number, or no place in a wall: the reason."""


class Numbering(NamedTuple):
    """The numbers of the tiles of a round.

    `wall` has mjx's order. `hands` are those of the deal by seat. `draws` are in the order of the events.
    """

    wall: list[int]
    hands: list[list[int]]
    draws: list[int]
    indicators: list[int]
    ura: list[int]


def number_tiles(
    start: ev.StartRound, events: Sequence[ev.Event], wall: Sequence[Tile], kept: Sequence[int]
) -> Numbering:
    """Return the numbers of the tiles of a round.

    `wall` is the wall of the round, empty if it is not known. `kept` is the wall of the file from which the round
    comes, by its numbers. A wall that is not that of the round is ignored. Raises `NumberingError`.
    """
    oya = int(start.oya or 0)
    tehais = start.tehais or ()
    turns = [tehais[(oya + turn) % _SEATS] for turn in range(_SEATS)]
    drawn = drawn_tiles(events)
    indicators = [start.dora_marker or HIDDEN, *[event.dora_marker for event in ev.select(events, ev.Dora)]]
    ura = max([win.ura_markers or () for win in ev.select(events, ev.Win)], key=len, default=())
    at = _places(drawn, indicators, ura)
    if _fits(wall, turns, drawn, indicators, ura):
        known: Sequence[Tile | None] = wall
    else:
        known = _partial_wall(turns, at)
    kans, front = sum(type(event) in _KANS for event in events), len(drawn.front)
    numbers = turned(kept, kans, front)
    if not _spells(numbers, known):
        numbers = _numbered(known)
    hands: list[list[int]] = [[]] * _SEATS
    for turn, hand in enumerate(deal(numbers, _SEATS)):
        hands[(oya + turn) % _SEATS] = list(hand)
    live, dead = iter(numbers[HAND * _SEATS :]), reversed(numbers)
    draws = [next(dead if replaces else live) for replaces in _replacing(events)]
    places = [indicator_place(TILES, number, _SEATS) for number in range(len(indicators))]
    return Numbering(
        turned(numbers, kans, front),
        hands,
        draws,
        [numbers[place] for place in places],
        [numbers[place - 1] for place in places],
    )


def _replacing(events: Sequence[ev.Event]) -> list[bool]:
    """Return for each draw whether it comes from the back of the wall."""
    found = []
    replaces = False
    for event in events:
        if type(event) is ev.Draw:
            found.append(replaces)
            replaces = False
        elif type(event) in _KANS:
            replaces = True
    return found


def _places(drawn: Drawn, indicators: Sequence[Tile], ura: Sequence[Tile]) -> dict[int, Tile]:
    """Return the tiles that were drawn and turned, by their places in the wall. Raises `NumberingError`."""
    pairs = [
        *enumerate(drawn.front, HAND * _SEATS),
        *((TILES - 1 - place, tile) for place, tile in enumerate(drawn.back)),
        *((indicator_place(TILES, number, _SEATS), tile) for number, tile in enumerate(indicators)),
        *((indicator_place(TILES, number, _SEATS) - 1, tile) for number, tile in enumerate(ura)),
    ]
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NumberingError(f"the draws and the dora indicators have no place in one wall of {TILES} tiles")
    return found


def _fits(
    wall: Sequence[Tile],
    turns: Sequence[Sequence[Tile]],
    drawn: Drawn,
    indicators: Sequence[Tile],
    ura: Sequence[Tile],
) -> bool:
    """Return whether a wall has all tiles of mjx's set, and the round is played from it."""
    if len(wall) != TILES or sorted(wall) != _ALL or not is_played_from(wall, turns, drawn):
        return False
    places = [indicator_place(TILES, number, _SEATS) for number in range(len(indicators))]
    return [wall[place] for place in places] == list(indicators) and all(
        wall[indicator_place(TILES, number, _SEATS) - 1] == tile for number, tile in enumerate(ura)
    )


def _partial_wall(turns: Sequence[Sequence[Tile]], at: dict[int, Tile]) -> list[Tile | None]:
    """Return the wall as far as the round shows it; None for a tile that nobody saw."""
    found: list[Tile | None] = [None] * TILES
    found[: HAND * _SEATS] = undeal(turns)
    for place, tile in at.items():
        found[place] = tile
    return found


def _spells(numbers: Sequence[int], tiles: Sequence[Tile | None]) -> bool:
    """Return whether numbers are those of all tiles, in the order of `tiles` where these are known."""
    return sorted(numbers) == list(range(TILES)) and all(
        tile is None or WITH_REDS[number] == tile for number, tile in zip(numbers, tiles, strict=True)
    )


def _numbered(tiles: Sequence[Tile | None]) -> list[int]:
    """Return the numbers of tiles: the lowest copy left of each, then the numbers left for the tiles not known."""
    left = {tile: list(reversed(numbers)) for tile, numbers in COPIES[True].items()}
    found = [-1] * len(tiles)
    for place, tile in enumerate(tiles):
        if tile is None:
            continue
        if tile == HIDDEN:
            raise NumberingError("mjx states every tile, and one is hidden")
        if not left.get(tile):
            most = len(COPIES[True].get(tile, ()))
            beside = " beside the red one" * (tile in _FIVES)
            raise NumberingError(f"mjx has {most} of {tile}{beside}, and the round has more")
        found[place] = left[tile].pop()
    rest = iter(sorted(number for numbers in left.values() for number in numbers))
    return [next(rest) if number < 0 else number for number in found]
