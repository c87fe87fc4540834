"""The wall of a round: `paishan` with its hash, and the hub's whole wall."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import md5, sha256
from typing import Any, Final

from mjconv.converters.majsoul.tiles import ORDER, SPELLED, TILE_OF
from mjconv.converters.shared.walls import HAND, deal, undeal
from mjconv.ir.tiles import Tile

#: The tiles of a whole wall, by the number of players.
WHOLE: Final = {3: 108, 4: 136}


class WallError(ValueError):
    """A wall that does not fit: what is wrong with it."""


def read_wall(paishan: str, hands: Sequence[Sequence[Tile]], oya: int) -> tuple[Tile, ...]:
    """Return the whole wall of `paishan`, which has all tiles, or those that are left after the deal.

    `hands` are the dealt hands by seat, with the dealer's fourteenth tile. Raises `WallError`.
    """
    try:
        tiles = tuple([TILE_OF[paishan[at : at + 2]] for at in range(0, len(paishan), 2)])
    except KeyError as error:
        raise WallError(f"the wall has {error.args[0]!r}, which is no tile") from None
    seats = len(hands)
    whole = WHOLE[seats]
    dealt = [list(hands[(oya + turn) % seats]) for turn in range(seats)]
    first = dealt[0][HAND:]
    dealt[0] = dealt[0][:HAND]
    if any(len(hand) != HAND for hand in dealt):
        raise WallError("the wall is there, and a hand has not 13 tiles")
    if len(tiles) == whole - HAND * seats - len(first) and len(first) == 1:
        return (*undeal(dealt), *first, *tiles)
    if len(tiles) != whole:
        rest = whole - HAND * seats - 1
        raise WallError(f"the wall has {len(tiles)} tiles: expected {whole}, or {rest} after the deal")
    shown = [*map(sorted, dealt), first]
    if [*map(sorted, deal(tiles, seats)), list(tiles[HAND * seats :][: len(first)])] != shown:
        raise WallError("the hands are not dealt from the wall")
    return tiles


def hash_of(paishan: str) -> tuple[str, str]:
    """Return the field and the value of the hash of a wall: md5 of what is left after the deal, sha256 of all.

    >>> hash_of("1m2m")
    ('md5', '6f52fa54715ecff3caf5994dcf2fa7c5')
    """
    text = paishan.encode()
    if len(paishan) // 2 in WHOLE.values():
        return "sha256", sha256(text).hexdigest()
    return "md5", md5(text, usedforsecurity=False).hexdigest()


def wall_fields(wall: Sequence[Tile], seats: int, *, rest: bool) -> dict[str, Any]:
    """Return `paishan` and its hash: of the whole wall, or of the `rest` after the deal."""
    tiles = wall[HAND * seats + 1 :] if rest else wall
    paishan = "".join([SPELLED[tile] for tile in tiles])
    name, value = hash_of(paishan)
    return {"paishan": paishan, name: value}


def is_sorted(tiles: Sequence[Tile]) -> bool:
    """Return whether tiles are in the order of a hand.

    >>> is_sorted(("1m", "5mr", "5m", "E")), is_sorted(("E", "1m"))
    (True, False)
    """
    places = [ORDER[tile] for tile in tiles]
    return places == sorted(places)
