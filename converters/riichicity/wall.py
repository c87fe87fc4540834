"""The wall of a round: `handCardEncode` with its hash, or `paiShan`, the tiles that are left after the deal."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from mjconv.converters.riichicity.tiles import SPELLED_OF, TILE_OF
from mjconv.converters.shared.walls import HAND, Drawn, deal, indicator_place, is_played_from, undeal
from mjconv.ir.tiles import Tile

#: The tiles of a whole wall, by the number of players.
WHOLE: Final = {3: 108, 4: 136}


class WallError(ValueError):
    """A wall that does not fit: the field, and what is wrong with it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def whole_wall(text: Any, seats: int) -> tuple[Tile, ...]:
    """Return the tiles of `handCardEncode`. Raises `WallError`.

    >>> whole_wall("1m0p", 4)
    Traceback (most recent call last):
    mjconv.converters.riichicity.wall.WallError: the wall has 2 tiles: expected 136
    """
    field = "handCardEncode"
    if not isinstance(text, str):
        raise WallError(field, "the wall is no text")
    pieces = [text[at : at + 2] for at in range(0, len(text), 2)]
    _check_length(field, len(pieces), WHOLE[seats])
    try:
        return tuple([SPELLED_OF[piece] for piece in pieces])
    except KeyError as error:
        raise WallError(field, f"the wall has {error.args[0]!r}, which is no tile") from None


def rest_of_wall(numbers: Any, seats: int) -> tuple[Tile, ...]:
    """Return the tiles of `paiShan`: those after the deal and the dealer's first draw. Raises `WallError`."""
    field = "paiShan"
    if not isinstance(numbers, list):
        raise WallError(field, "the wall is no list of tiles")
    _check_length(field, len(numbers), WHOLE[seats] - HAND * seats - 1)
    try:
        return tuple([TILE_OF[number] for number in numbers])
    except (KeyError, TypeError):
        raise WallError(field, "the wall has a value that is no tile") from None


def _check_length(field: str, found: int, expected: int) -> None:
    if found != expected:
        raise WallError(field, f"the wall has {found} tiles: expected {expected}")


def has_hash(text: str, stated: Any) -> bool:
    """Return whether a hash is the SHA-256 of a wall.

    >>> has_hash("1m", "ABA45E91" + "0" * 56)
    False
    """
    return isinstance(stated, str) and stated.lower() == sha256(text.encode()).hexdigest()


def rebuilt(hands: Sequence[Sequence[Tile]], first: Tile, rest: Sequence[Tile]) -> tuple[Tile, ...]:
    """Return the whole wall of hands (the dealer's first), the dealer's first draw and what is left after it."""
    return (*undeal(hands), first, *rest)


def disagreement(
    wall: Sequence[Tile], hands: Sequence[Sequence[Tile]], drawn: Drawn, turned: Sequence[Tile]
) -> str | None:
    """Return what of a round does not come from this wall, or None. `turned` are its dora indicators."""
    seats = len(hands)
    if not is_played_from(wall, hands, drawn):
        dealt = [*map(sorted, deal(wall, seats))] == [*map(sorted, hands)]
        return "the draws" if dealt else "the hands"
    places = [indicator_place(len(wall), number, seats) for number in range(len(turned))]
    if [wall[place] for place in places if place >= 0] != list(turned):
        return "the dora indicators"
    return None
