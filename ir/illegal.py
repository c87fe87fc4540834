"""The error of the table when it refuses an event. Each format can spell its players and tiles in its own way."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias

from mjconv.ir.tiles import Tile

#: The rule that the event breaks. ``turn``: another player's turn, or another act is due. ``held``: the hand does
#: not hold the tile. ``drawn``: another tile was drawn. ``called``: another tile was discarded. ``left``: a chi
#: from a player who is not on the left. ``meld``: the tiles make no meld. ``pon``: no pon for the kakan. ``won``:
#: a win on another tile. ``riichi``: riichi declared twice, or accepted without a declaration. ``seat``: the game
#: has no such player.
Rule: TypeAlias = Literal["turn", "held", "drawn", "called", "left", "meld", "pon", "won", "riichi", "seat"]


#: What fills a gap of a sentence: a player by the seat, a tile, or tiles.
About: TypeAlias = int | Tile | tuple[Tile, ...]


class Amounts(tuple[int, ...]):
    """Points by seat, or one sum of points, as the value of a gap."""

    def __str__(self) -> str:
        return listed(map(str, self))


def listed(words: Iterable[str]) -> str:
    """Return the spellings of points in a message: a list by seat in brackets, a single number without.

    >>> listed(["100", "-100"]), listed(["100"])
    ('(100, -100)', '100')
    """
    text = ", ".join(words)
    return f"({text})" if "," in text else text


class IllegalPlayError(Exception):
    """The event cannot happen at this point of the round. The message states why.

    `sentence` has a gap ``{}`` for each value of `about`: an int is a player, a string a tile, a tuple several
    tiles. So a format can write the message with its own spellings (`message_with`). `rule` names the rule that
    the event breaks.

    >>> error = IllegalPlayError("{} does not hold {}", 1, "5mr")
    >>> str(error), error.message_with(lambda player: "eswn"[player], {"5mr": "0m"}.get)
    ('player 1 does not hold 5mr', 's does not hold 0m')
    """

    def __init__(self, sentence: str, *about: About, rule: Rule = "turn") -> None:
        self.rule = rule
        self.sentence = sentence
        self.about = about
        super().__init__(self.message_with(lambda player: f"player {player}", str))

    def message_with(self, player: Callable[[int], str], tile: Callable[[Tile], object]) -> str:
        """Return the message. `player` and `tile` return the spelling of a player and of a tile."""
        return fill_gaps(self.sentence, self.about, player, tile)


class PlayedWrongError(Exception):
    """The events of a round cannot be played. `event` is the index of the first event that cannot happen."""

    def __init__(self, message: str, event: int) -> None:
        super().__init__(message)
        self.event = event


def fill_gaps(
    sentence: str,
    about: Sequence[About | Amounts],
    player: Callable[[int], str],
    tile: Callable[[Tile], object],
    points: Callable[[Amounts], str] = str,
) -> str:
    """Return a sentence with the spellings of players, tiles and points in its gaps.

    >>> fill_gaps("{} does not hold {}", (1, ("5m", "6m")), "ABCD".__getitem__, str)
    'B does not hold 5m 6m'
    >>> fill_gaps("the deltas are {}", [Amounts((100, -100))], str, str)
    'the deltas are (100, -100)'
    """
    words = []
    for part in about:
        if isinstance(part, int):
            words.append(player(part))
        elif isinstance(part, Amounts):
            words.append(points(part))
        else:
            words.append(" ".join(str(tile(each)) for each in _each(part)))
    return sentence.format(*words)


def _each(part: Tile | tuple[Tile, ...]) -> tuple[Tile, ...]:
    return part if isinstance(part, tuple) else (part,)
