"""A game: the parts of its paragraph, the choices of its note, and its reading after its turns are played."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mjconv.converters.uzje.words import Word
from mjconv.ir.match import USUAL_SEATS, Round
from mjconv.ir.tiles import FLOWERS, RIICHI_TILES, Tile, Wind

_RIICHI_TILES: Final = frozenset(RIICHI_TILES)


@dataclass(slots=True)
class Game:
    """One game: the header, the tile list in the hub's spelling, which does not change, and the turns.

    `players` is their number, also if the header leaves it to a data tag. `counts` is how often each tile is in
    the list.
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
        """The hub's seat of the dealer, by the number of the round."""
        return (self.number - 1) % self.players

    @property
    def beyond_riichi(self) -> bool:
        """Whether the game has players, rounds or tiles that riichi does not have: its note may have them too."""
        return max(self.players, self.number) > USUAL_SEATS or not _RIICHI_TILES.issuperset(self.counts)

    @property
    def has_flowers(self) -> bool:
        """Whether there are flowers in the tile list."""
        return not self.counts.keys().isdisjoint(FLOWERS)


class Choices(NamedTuple):
    """The choices that the words of a game leave open and its note makes; turns and tiles count from 0.

    `red` are the places of red fives in the tile list. `drawn` are the turns that discard the tile drawn, while
    the hand holds another like it. `kong` and `aside` are the turns whose kong of N is a kong, or sets a north
    aside, if the hand allows both. `use_red` are the turns that discard a red five, or call with it, while the
    hand holds plain ones.
    """

    red: tuple[int, ...] = ()
    drawn: Set[int] = frozenset()
    kong: Set[int] = frozenset()
    aside: Set[int] = frozenset()
    use_red: Set[int] = frozenset()


class GameReading:
    """A game that was read: the `round`, and the `choices` of its note that it needed.

    `turn_starts` are pairs of a turn and the number of events before it. A turn that is not listed follows a plain
    turn, which has two events.
    """

    def __init__(self, game_round: Round, choices: Choices, turn_starts: Sequence[tuple[int, int]] = ()) -> None:
        self.round = game_round
        self.choices = choices
        self.turn_starts = turn_starts

    def first_event(self, turn: int) -> int:
        """Return the number of events before a turn; of the turn after the last, before the end of the round."""
        found = bisect_right(self.turn_starts, turn, key=lambda start: start[0])
        if not found:
            return 1
        first, events = self.turn_starts[found - 1]
        return min(events + 2 * (turn - first), len(self.round.events))
