"""A game paragraph taken apart: what its words say, before any of it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from mjconv.converters.uzje.words import Word
from mjconv.ir.match import USUAL_SEATS
from mjconv.ir.tiles import FLOWERS, RIICHI_TILES, Tile, Wind

#: The tiles dealt, by player.
Hands: TypeAlias = tuple[tuple[Tile, ...], ...]
#: Tiles of a hand that is dealt.
HAND: Final = 13
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


def deal(tiles: Sequence[Tile], players: int) -> list[tuple[Tile, ...]]:
    """Deal hands from the front of the list, the dealer's first: three times four tiles each, then one each.

    >>> deal(list(range(39)), 3)[0]
    (0, 1, 2, 3, 12, 13, 14, 15, 24, 25, 26, 27, 36)
    """
    rows = 4 * players
    return [
        (*tiles[at : at + 4], *tiles[at + rows : at + rows + 4], *tiles[at + 2 * rows : at + 2 * rows + 4], last)
        for at, last in zip(range(0, rows, 4), tiles[3 * rows : HAND * players], strict=True)
    ]


def undeal(hands: Sequence[Sequence[Tile]]) -> list[Tile]:
    """Give the tiles of hands, the dealer's first, in the order in which they are dealt.

    >>> tiles = list(range(52))
    >>> undeal(deal(tiles, 4)) == tiles
    True
    """
    tiles: list[Tile] = []
    for begin in (0, 4, 8):
        for hand in hands:
            tiles += hand[begin : begin + 4]
    tiles += [hand[HAND - 1] for hand in hands]
    return tiles
