"""The walls of the rounds of a file, and whether they are those that were played from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mjconv.converters.shared.walls import HAND, indicator_place, undeal
from mjconv.converters.tenhou.wall import RoundWall, Seed, SeedError

#: The most dora indicators of a round.
MOST_INDICATORS: Final = 5


class Seen(NamedTuple):
    """The tiles of a round that its record shows, by number.

    `hands` are in seat order, each as it was dealt. `draws` are all tiles drawn; `replacements` are the places
    among them of those that were drawn from the back of the wall.
    """

    hands: Sequence[Sequence[int]]
    oya: int
    draws: Sequence[int]
    replacements: Sequence[int]
    indicators: Sequence[int]
    ura: Sequence[int]
    dice: tuple[int, int] | None


class GameSeed:
    """The seed of a game. Each call of `next_wall` returns the wall of the next round."""

    def __init__(self, seed: str, players: int) -> None:
        """Read a seed; an empty one determines no wall. Raises `SeedError` if it has no known form."""
        self._players = players
        self._walls: Iterator[RoundWall] | None = Seed(seed).walls(players) if seed else None

    @property
    def is_known(self) -> bool:
        """Whether the seed determines the walls."""
        return self._walls is not None

    def next_wall(self, shuffle: str | None) -> RoundWall | None:
        """Return the wall of the next round. `shuffle` is the seed of that round alone, if it has one."""
        if shuffle:
            return next(Seed(shuffle).walls(self._players))
        if self._walls is None:
            return None
        try:
            return next(self._walls)
        except SeedError:
            # The key is wrong: there are no walls, and one error is enough.
            self._walls = None
            raise


def wall_of(wall: RoundWall, seen: Seen) -> list[int]:
    """Return the wall of a round in the hub's order. Raises `SeedError` if the round shows other tiles."""
    seats = len(seen.hands)
    tiles = wall.in_play_order(len(seen.replacements))
    if seen.dice is not None and seen.dice != wall.dice:
        raise SeedError(f"the dice are {_listed(seen.dice)}, and by the seed {_listed(wall.dice)}")
    turns = [seen.hands[(seen.oya + place) % seats] for place in range(seats)]
    if undeal(turns) != tiles[: HAND * seats]:
        raise SeedError("the hands that were dealt are others than by the seed")
    if seen.replacements or tiles[HAND * seats : HAND * seats + len(seen.draws)] != seen.draws:
        places = draw_places(seats, len(seen.draws), seen.replacements, len(tiles))
        for number, (shown, place) in enumerate(zip(seen.draws, places, strict=True)):
            if not 0 <= place < len(tiles) or tiles[place] != shown:
                raise SeedError(f"draw {number + 1} of the round is another tile than by the seed")
    for number, turned in enumerate(seen.indicators):
        if number >= MOST_INDICATORS or tiles[indicator_place(len(tiles), number, seats)] != turned:
            raise SeedError(f"dora indicator {number + 1} is another tile than by the seed")
    for number, turned in enumerate(seen.ura):
        if number >= MOST_INDICATORS or tiles[indicator_place(len(tiles), number, seats) - 1] != turned:
            raise SeedError(f"ura indicator {number + 1} is another tile than by the seed")
    return tiles


def draw_places(seats: int, draws: int, replacements: Sequence[int], length: int) -> Iterator[int]:
    """Yield the place of each draw in a wall of this length. `replacements` are those drawn from its back.

    >>> list(draw_places(4, 3, [1], 136))
    [52, 135, 53]
    """
    replaced = set(replacements)
    front, back = HAND * seats, length - 1
    for number in range(draws):
        if number in replaced:
            yield back
            back -= 1
        else:
            yield front
            front += 1


def _listed(dice: Sequence[int]) -> str:
    return " and ".join(map(str, dice))
