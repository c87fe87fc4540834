"""A game paragraph taken apart: what its words say, before any of it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mjconv.converters.uzje.words import Word
from mjconv.ir.match import USUAL_SEATS
from mjconv.ir.tiles import FLOWERS, RIICHI_TILES, Tile, Wind

_RIICHI_TILES: Final = frozenset(RIICHI_TILES)


@dataclass(slots=True)
class Game:
    """One game: the header, the tile list in the hub's spelling, which does not change, and the turns.

    `players` is their number, worked out where the header leaves it to a data tag. `counts` tells how often each
    tile stands in the list.
    """

    wind: Wind
    number: int
    repeat: int
    players: int
    tiles: list[Tile]
    turns: list[Word]
    counts: Counter[Tile] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.counts = Counter(self.tiles)

    @property
    def dealer(self) -> int:
        """The hub's seat of the dealer, as the round's number tells it."""
        return (self.number - 1) % self.players

    @property
    def beyond_riichi(self) -> bool:
        """Whether the game has more players, rounds or tiles than one of riichi, so that its note may as well."""
        return max(self.players, self.number) > USUAL_SEATS or not _RIICHI_TILES.issuperset(self.counts)

    @property
    def has_flowers(self) -> bool:
        """Whether there are flowers in the tile list."""
        return not self.counts.keys().isdisjoint(FLOWERS)


class Choices(NamedTuple):
    """What the words of a game leave open, told by its note; turns and tiles of the list count from 0.

    `red` are the places in the tile list of red fives; `drawn` the turns that discard the very tile drawn though
    another like it was held; `kong` and `aside` the turns in which a kong of N is one, or sets a north aside,
    where the hand allows both.
    """

    red: tuple[int, ...] = ()
    drawn: Set[int] = frozenset()
    kong: Set[int] = frozenset()
    aside: Set[int] = frozenset()
