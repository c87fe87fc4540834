"""The wall as a viewer shows it: who got each tile, at which step, and the places of the dead wall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from mjconv.converters.shared.walls import deal, indicator_place
from mjconv.ir import events as ev
from mjconv.ir.tiles import HIDDEN, Tile
from mjconv.viewer.steps import Step

#: The tiles of the dead wall of a riichi game.
_DEAD: Final = 14
_INDICATORS: Final = 5
_HAND: Final = 13

#: The part of a tile of the dead wall, and its number from 1.
Role = tuple[str, int]


class WallView(Struct, frozen=True):
    """A wall in the order of play. `seat` and `step` are by tile: who got it, and at which step; None: nobody.

    `dead` is the index of the first tile of the dead wall, None if the game has none. `role` is by tile:
    ``dora``, ``ura`` or ``replacement`` with a number from 1, or None.
    """

    tiles: str
    dealt: int
    dead: int | None
    seat: tuple[int | None, ...]
    step: tuple[int | None, ...]
    role: tuple[Role | None, ...]


def wall_view(wall: Sequence[Tile], played: Sequence[Step], events: Sequence[ev.Event]) -> WallView | None:
    """Return the wall of a round with its draws; None if the steps do not come from this wall."""
    first = played[0]
    seats = len(first.state.hands)
    riichi = bool(first.state.dora)
    dealt = _HAND * seats
    if len(wall) < dealt:
        return None
    seat: list[int | None] = [None] * len(wall)
    step: list[int | None] = [None] * len(wall)
    order = [(first.state.turn + place) % seats for place in range(seats)]
    for owner, places in zip(order, deal(range(dealt), seats), strict=True):
        for place in places:
            seat[place], step[place] = owner, 0
    front, back = dealt, len(wall) - 1
    for one in played:
        if one.kind != "draw" or one.event is None or not isinstance(one.actor, int):
            continue
        event = events[one.event]
        replaces = one.sentence[0].startswith("draw.replacement")
        place = back if replaces else front
        if front > back or not isinstance(event, ev.Draw) or event.pai not in (wall[place], HIDDEN):
            return None
        seat[place], step[place] = one.actor, one.step
        front, back = (front, back - 1) if replaces else (front + 1, back)
    return WallView(
        tiles=" ".join(wall),
        dealt=dealt,
        dead=len(wall) - _DEAD if riichi else None,
        seat=tuple(seat),
        step=tuple(step),
        role=_roles(len(wall), seats) if riichi and seats in _REPLACEMENTS else (None,) * len(wall),
    )


#: The replacement tiles of a dead wall, by the number of players.
_REPLACEMENTS: Final = {3: 8, 4: 4}


def _roles(length: int, seats: int) -> tuple[Role | None, ...]:
    roles: list[Role | None] = [None] * length
    for number in range(_INDICATORS):
        place = indicator_place(length, number, seats)
        if place >= 1:
            roles[place], roles[place - 1] = ("dora", number + 1), ("ura", number + 1)
    for number in range(min(_REPLACEMENTS[seats], length)):
        roles[length - 1 - number] = ("replacement", number + 1)
    return tuple(roles)
