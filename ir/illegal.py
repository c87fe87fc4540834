"""The error with which the table refuses an event. Each format can spell its players and tiles in its own way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from mjconv.ir.tiles import Tile

#: The rule that the event breaks. ``turn``: another player's turn, or another act is due. ``held``: the hand does
#: not hold the tile. ``drawn``: another tile was drawn. ``called``: another tile was discarded. ``left``: a chi
#: from a player who is not on the left. ``meld``: the tiles make no meld. ``pon``: no pon for the kakan. ``won``:
#: a win on another tile. ``riichi``: riichi declared twice, or accepted without a declaration. ``seat``: the game
#: has no such player.
Rule: TypeAlias = Literal["turn", "held", "drawn", "called", "left", "meld", "pon", "won", "riichi", "seat"]


class IllegalPlayError(Exception):
    """The event cannot happen at this point of the round. The message states why.

    `sentence` has a gap ``{}`` for each value of `about`: an int is a player, a string a tile, a tuple several
    tiles. So a format can write the message with its own spellings (`message_with`). `rule` names the rule that
    the event breaks.

    >>> error = IllegalPlayError("{} does not hold {}", 1, "5mr")
    >>> str(error), error.message_with(lambda player: "eswn"[player], {"5mr": "0m"}.get)
    ('player 1 does not hold 5mr', 's does not hold 0m')
    """

    def __init__(self, sentence: str, *about: int | Tile | tuple[Tile, ...], rule: Rule = "turn") -> None:
        self.rule = rule
        self.sentence = sentence
        self.about = about
        super().__init__(self.message_with(lambda player: f"player {player}", str))

    def message_with(self, player: Callable[[int], str], tile: Callable[[Tile], object]) -> str:
        """Return the message. `player` and `tile` return the spelling of a player and of a tile."""
        return fill_gaps(self.sentence, self.about, player, tile)


def fill_gaps(
    sentence: str,
    about: Sequence[int | Tile | tuple[Tile, ...]],
    player: Callable[[int], str],
    tile: Callable[[Tile], object],
) -> str:
    """Return a sentence with the spellings of players and tiles in its gaps.

    >>> fill_gaps("{} does not hold {}", (1, ("5m", "6m")), "ABCD".__getitem__, str)
    'B does not hold 5m 6m'
    """
    words = [
        player(part) if isinstance(part, int) else " ".join(str(tile(each)) for each in _each(part))
        for part in about
    ]
    return sentence.format(*words)


def _each(part: Tile | tuple[Tile, ...]) -> tuple[Tile, ...]:
    return part if isinstance(part, tuple) else (part,)
