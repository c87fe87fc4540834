"""The state of a round that records state beside the play: what is left, who is in riichi, the hands, the points.

The reader and the writer keep the same state. So the reader finds the values that the writer would not write.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjconv.converters.majsoul.records import FieldError
from mjconv.converters.majsoul.tiles import SPELLED, in_order
from mjconv.ir.derive import RIICHI_STICK
from mjconv.ir.tiles import Tile, plain

#: The tiles that are left to draw after the dealer's first draw, by the number of players.
LEFT: Final = {3: 54, 4: 69}


class State:
    """The state of a round after the records so far. Play that cannot happen changes what it can."""

    __slots__ = (
        *(
            "seats",
            "oya",
            "honba",
            "sticks",
            "scores",
            "left",
            "doras",
            "hands",
            "ming",
            "groups",
            "pons",
            "riichi",
        ),
        *("calm", "discarded", "last_actor", "last_tile", "drawn", "turn"),
    )

    def __init__(
        self, oya: int, honba: int, sticks: int, scores: Sequence[int], hands: Sequence[Sequence[Tile]]
    ) -> None:
        self.seats = len(hands)
        self.oya = oya
        self.honba = honba
        self.sticks = sticks
        self.scores = list(scores)
        self.left = LEFT.get(self.seats, 0)
        self.doras: list[Tile] = []
        self.hands = [list(hand) for hand in hands]
        #: The groups of each seat: the kind as wins name it, and the tiles.
        self.ming: list[list[tuple[str, tuple[Tile, ...]]]] = [[] for _ in hands]
        #: The plain tile of each triplet and kan, by seat.
        self.groups: list[list[Tile]] = [[] for _ in hands]
        #: The tiles of each pon, by seat and plain tile.
        self.pons: list[dict[Tile, tuple[Tile, ...]]] = [{} for _ in hands]
        self.riichi = [False] * self.seats
        self.calm = True
        self.discarded = [False] * self.seats
        self.last_actor = -1
        self.last_tile: Tile = ""
        #: The tile just drawn, none after a call.
        self.drawn: Tile | None = None
        self.turn = oya

    def checked(self, seat: int) -> int:
        """Return a seat. Raises `FieldError` if the game has no such seat."""
        if seat >= self.seats:
            raise FieldError(f"seat is {seat}, and the game has {self.seats} players", "seat")
        return seat

    def draw(self, seat: int, tile: Tile) -> None:
        """Draw a tile."""
        self.hands[seat].append(tile)
        self.drawn = tile
        self.turn = seat

    def discard(self, seat: int, tile: Tile) -> None:
        """Discard a tile."""
        self.take(seat, tile)
        self.discarded[seat] = True
        self.last_actor = seat
        self.last_tile = tile
        self.drawn = None

    def is_double(self, seat: int) -> bool:
        """Return whether a riichi of this seat would be a double one."""
        return self.calm and not self.discarded[seat]

    def accept(self, seat: int) -> None:
        """Pay the stick of a riichi."""
        self.scores[seat] -= RIICHI_STICK
        self.sticks += 1

    def call(self, seat: int, kind: str, own: Sequence[Tile], called: Tile) -> None:
        """Call a discard: `kind` is the word of wins for the group."""
        for tile in own:
            self.take(seat, tile)
        self._group(seat, kind, (*own, called))
        if kind == "kezi":
            self.pons[seat][plain(called)] = (*own, called)
        self.turn = seat
        self.drawn = None

    def add(self, seat: int, tile: Tile) -> tuple[Tile, ...]:
        """Add a tile to a pon. Returns the tiles of the pon, none where there is no such pon."""
        self.take(seat, tile)
        pon = self.pons[seat].pop(plain(tile), ())
        if pon:
            ming = self.ming[seat]
            ming[ming.index(("kezi", pon))] = ("minggang", (*pon, tile))
        self._kan(seat, tile)
        return pon

    def four_of(self, seat: int, tile: Tile) -> tuple[Tile, ...]:
        """Return four tiles of a hand that are alike, or those that there are."""
        return tuple(in_order([held for held in self.hands[seat] if plain(held) == plain(tile)]))[:4]

    def conceal(self, seat: int, tiles: Sequence[Tile]) -> None:
        """Make a concealed kan."""
        for tile in tiles:
            self.take(seat, tile)
        self._group(seat, "angang", tuple(in_order(tiles)))
        self._kan(seat, tiles[0])

    def set_aside(self, seat: int, tile: Tile) -> None:
        """Set a north aside."""
        self.take(seat, tile)
        self._kan(seat, tile)

    def take(self, seat: int, tile: Tile) -> None:
        """Take a tile out of a hand, if it is there."""
        hand = self.hands[seat]
        if tile in hand:
            hand.remove(tile)

    def _kan(self, seat: int, tile: Tile) -> None:
        self.calm = False
        self.last_actor = seat
        self.last_tile = tile
        self.drawn = None

    def stated_ming(self, seat: int) -> list[str]:
        """Return the groups of a seat as wins state them."""
        return [_word(kind, tiles) for kind, tiles in self.ming[seat]]

    def _group(self, seat: int, kind: str, tiles: tuple[Tile, ...]) -> None:
        self.calm = False
        self.ming[seat].append((kind, tiles))
        if kind != "shunzi":
            self.groups[seat].append(plain(tiles[0]))


def _word(kind: str, tiles: Sequence[Tile]) -> str:
    """Return a group as wins state it.

    >>> _word("shunzi", ("2m", "3m", "1m"))
    'shunzi(2m,3m,1m)'
    """
    return f"{kind}({','.join([SPELLED.get(tile, tile) for tile in tiles])})"
