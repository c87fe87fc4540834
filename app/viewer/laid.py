"""Melds as they lie on the table: which tile is turned sideways, which are face down, and which lies on top."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import UNSET

from mjconv.ir.match import Meld
from mjconv.ir.tiles import sorted_tiles
from mjconv.viewer.state import LaidMeld, MeldTile

#: The tiles of a concealed kan that lie face down.
_DOWN: Final = (0, 3)


@lru_cache(maxsize=512)
def laid(meld: Meld, seat: int, seats: int) -> LaidMeld:
    """Return a meld as it lies before a player.

    The called tile lies sideways: at the left if it came from the player on the left, at the right if it came from
    the player on the right, else second from the left.

    >>> [tile.turned for tile in laid(Meld("pon", ("5p", "5pr"), "5p", target=3), 0, 4).tiles]
    [True, False, False]
    >>> laid(Meld("kakan", ("E", "E"), "E", target=2, added="E"), 0, 4).tiles[1]
    MeldTile(tile='E', turned=True, on='E')
    """
    own = [MeldTile(tile) for tile in sorted_tiles(meld.own)]
    if meld.kind == "ankan":
        own = [MeldTile(tile.tile, down=index in _DOWN) for index, tile in enumerate(own)]
    if meld.called is UNSET:
        return LaidMeld(meld.kind, tuple(own))
    source = meld.target
    distance = None if source is UNSET else (source - seat) % seats
    place = 0 if distance == seats - 1 else len(own) if distance == 1 else 1
    own.insert(place, MeldTile(meld.called, turned=True, on=meld.added))
    return LaidMeld(meld.kind, tuple(own), source)
