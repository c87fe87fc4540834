"""The walls of mjx: their order, and the numbers of the tiles of a round.

A state holds the whole wall. If the wall of a round is not known, the tiles that nobody saw are put where no known
tile is, in the order of their numbers.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

from mjconv.converters.shared import walls
from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.converters.shared.tile_numbers import COPIES, TILES, WITH_REDS
from mjconv.ir import events as ev
from mjconv.ir.tiles import HAND, HIDDEN, RED_FIVES, Tile

Item = TypeVar("Item")
SEATS: Final = 4
_ALL: Final = sorted(WITH_REDS)
_FIVES: Final = frozenset(red[:2] for red in RED_FIVES)


def turned(wall: Sequence[Item], kans: int, front: int) -> list[Item]:
    """Return a wall of mjx in the order of the hub, or a wall of the hub in the order of mjx.

    mjx has the two tiles of each stack of the dead wall in the reverse order. `kans` is the number of kans of the
    round, `front` the number of draws from the front of the wall. mjx allows a kan with the very last tile. So the
    dead wall grows with each kan only as far as no tile was drawn from it.

    >>> turned(range(136), 2, 60)[118:124], turned(range(136), 2, 69)[118:124]
    ([118, 119, 121, 120, 123, 122], [118, 119, 120, 121, 123, 122])
    """
    left = TILES - walls.DEAD - HAND * SEATS - front
    return walls.stacks_turned(wall, max(min(kans, left), 0))


class Numbering(NamedTuple):
    """The numbers of the tiles of a round.

    `wall` has the order of the hub, `stated` the order of mjx. `hands` are the dealt hands by seat.
    """

    wall: list[int]
    stated: list[int]
    hands: list[list[int]]
    indicators: list[int]
    ura: list[int]


def number_tiles(start: ev.StartRound, events: Sequence[ev.Event], wall: Sequence[Tile]) -> Numbering:
    """Return the numbers of the tiles of a round: of like tiles, the lowest number comes first in the wall.

    `wall` is the wall of the round, empty if it is not known. A wall from which the round was not played is
    ignored. Raises `CannotHoldError`.
    """
    oya = int(start.oya or 0)
    tehais = start.tehais or ()
    turns = [tehais[(oya + turn) % SEATS] for turn in range(SEATS)]
    drawn = walls.drawn_tiles(events)
    dora = [start.dora_marker or HIDDEN, *[event.dora_marker for event in ev.select(events, ev.Dora)]]
    ura = max([win.ura_markers or () for win in ev.select(events, ev.Win)], key=len, default=())
    known: Sequence[Tile | None] = _seen_wall(turns, drawn, dora, ura)
    if sorted(wall) == _ALL and walls.disagreement(wall, turns, drawn, dora, ura) is None:
        known = wall
    numbers = _numbered(known)
    hands: list[list[int]] = [[]] * SEATS
    for turn, hand in enumerate(walls.deal(numbers, SEATS)):
        hands[(oya + turn) % SEATS] = list(hand)
    places = [walls.indicator_place(TILES, number, SEATS) for number in range(len(dora))]
    return Numbering(
        numbers,
        turned(numbers, sum(map(ev.KANS.__contains__, map(type, events))), len(drawn.front)),
        hands,
        [numbers[place] for place in places],
        [numbers[place - 1] for place in places],
    )


def _seen_wall(
    turns: Sequence[Sequence[Tile]], drawn: walls.Drawn, dora: Sequence[Tile], ura: Sequence[Tile]
) -> list[Tile | None]:
    """Return the wall; None for a tile that the round does not show. Raises `CannotHoldError`."""
    pairs = [
        *enumerate(drawn.front, HAND * SEATS),
        *((TILES - 1 - place, tile) for place, tile in enumerate(drawn.back)),
        *((walls.indicator_place(TILES, number, SEATS), tile) for number, tile in enumerate(dora)),
        *((walls.indicator_place(TILES, number, SEATS) - 1, tile) for number, tile in enumerate(ura)),
    ]
    seen = dict(pairs)
    if len(seen) < len(pairs):
        raise CannotHoldError(f"the draws and the dora indicators have no place in one wall of {TILES} tiles")
    return [*walls.undeal(turns), *(seen.get(place) for place in range(HAND * SEATS, TILES))]


def _numbered(tiles: Sequence[Tile | None]) -> list[int]:
    """Return the numbers of tiles: the lowest copy left of each, then the numbers left for the tiles not known."""
    left = {tile: list(reversed(numbers)) for tile, numbers in COPIES[True].items()}
    taken = [-1] * len(tiles)
    for place, tile in enumerate(tiles):
        if tile is None:
            continue
        if tile == HIDDEN:
            raise CannotHoldError("mjx states every tile, and one is hidden")
        if not left.get(tile):
            most = len(COPIES[True].get(tile, ()))
            beside = " beside the red one" * (tile in _FIVES)
            raise CannotHoldError(f"mjx has {most} of {tile}{beside}, and the round has more")
        taken[place] = left[tile].pop()
    rest = iter(sorted(number for numbers in left.values() for number in numbers))
    return [next(rest) if number < 0 else number for number in taken]
