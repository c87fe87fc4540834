"""The errors of games that cannot be played or written, and the check of their tile list."""

from __future__ import annotations

from mjconv.converters.shared.walls import surplus_tile
from mjconv.converters.uzje.game import Game
from mjconv.converters.uzje.spelling import spell_player, spell_tile
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.spelling import Seating
from mjconv.ir.tiles import Tile


class GameError(IllegalPlayError):
    """Raised for a game that is impossible: the reason, and its turn or its tile of the list, if it has one."""

    def __init__(
        self,
        sentence: str,
        *about: int | Tile | tuple[Tile, ...],
        turn: int | None = None,
        tile: int | None = None,
    ) -> None:
        super().__init__(sentence, *about)
        self.turn = turn
        self.tile = tile

    def by_seat(self, players: int, dealer: int) -> str:
        """Return the message with players named by the letters of their seats, and tiles spelled as in Ùzje.

        >>> GameError("{} does not hold {}", 3, "13p").by_seat(4, 3)
        'E does not hold ct'
        """
        seating = Seating(dealer, players)
        return self.message_with(lambda player: spell_player(player, seating), spell_tile)


class AmbiguousError(GameError):
    """Raised if the words leave open which kong is meant, and there is no note; the message has the readings."""


class PlanError(ValueError):
    """Raised if the events cannot be played: the message, and the index of the first such event."""

    def __init__(self, message: str, event: int) -> None:
        super().__init__(message)
        self.event = event


class UndecidedError(PlanError):
    """Raised if the words of an event have two meanings, and there is no note to decide."""


class SpellingError(ValueError):
    """Raised if Ùzje has no words for an event: the message, and the index of the event."""

    def __init__(self, message: str, event: int) -> None:
        super().__init__(message)
        self.event = event


def check_copies(game: Game) -> None:
    """Raise `GameError` at the first tile that is one too many: a fifth, or a second flower.

    >>> check_copies(Game("E", 1, 0, 4, ["5m"] * 4 + ["E", "5m"], []))
    Traceback (most recent call last):
    mjconv.converters.uzje.game_errors.GameError: a set has 4 of 5m, and this is one more
    """
    found = surplus_tile(game.tiles, game.counts)
    if found is not None:
        place, most = found
        raise GameError(f"a set has {most} of {{}}, and this is one more", game.tiles[place], tile=place)
