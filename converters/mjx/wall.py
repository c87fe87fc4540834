"""The order of a wall: mjx has the two tiles of each stack of the dead wall in the reverse order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from mjconv.converters.shared.tile_numbers import TILES
from mjconv.converters.shared.walls import HAND, stacks_turned

Item = TypeVar("Item")
_SEATS: Final = 4
_DEAD: Final = 14


def turned(wall: Sequence[Item], kans: int, front: int) -> list[Item]:
    """Return a wall of mjx in the order of the hub, or a wall of the hub in the order of mjx.

    `kans` is the number of kans of the round, `front` that of the draws from the front of the wall. mjx allows a
    kan with the very last tile. So the dead wall grows with each kan only as far as no tile was drawn from it.

    >>> turned(range(136), 2, 60)[118:124], turned(range(136), 2, 69)[118:124]
    ([118, 119, 121, 120, 123, 122], [118, 119, 120, 121, 123, 122])
    """
    left = TILES - _DEAD - HAND * _SEATS - front
    return stacks_turned(wall, max(min(kans, left), 0))
