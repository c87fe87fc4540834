"""What the table refuses, said so that each notation can say it in its own words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from mjconv.ir.tiles import Tile

#: What a refusal is about: whose turn it is; a tile that is not there, is not the one drawn, or not the one to be
#: called; a chi from another than the left; tiles that make no meld; no pon that a kakan could join; riichi; a
#: seat that the game has not.
Rule: TypeAlias = Literal["turn", "held", "drawn", "called", "left", "meld", "pon", "riichi", "seat"]


class IllegalPlayError(Exception):
    """The event cannot happen here; the message says why.

    It is made of a sentence and what its gaps stand for, so that a notation can say it in its own words: an int
    is a player, a string a tile, a tuple tiles. `rule` says what it is about.

    >>> error = IllegalPlayError("{} does not hold {}", 1, "5mr")
    >>> str(error), error.told(lambda player: "eswn"[player], {"5mr": "0m"}.get)
    ('player 1 does not hold 5mr', 's does not hold 0m')
    """

    def __init__(self, sentence: str, *about: int | Tile | tuple[Tile, ...], rule: Rule = "turn") -> None:
        self.rule = rule
        self.sentence = sentence
        self.about = about
        super().__init__(self.told(lambda player: f"player {player}", str))

    def told(self, player: Callable[[int], str], tile: Callable[[Tile], object]) -> str:
        """Give the message with players and tiles spelled in this way."""
        words = [
            player(part) if isinstance(part, int) else " ".join(str(tile(each)) for each in _each(part))
            for part in self.about
        ]
        return self.sentence.format(*words)


def _each(part: Tile | tuple[Tile, ...]) -> tuple[Tile, ...]:
    return part if isinstance(part, tuple) else (part,)
