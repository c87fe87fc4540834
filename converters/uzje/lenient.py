"""Playing on after what cannot happen, and knowing from which move each event was read."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from mjconv.converters.uzje.game import Choices, Game
from mjconv.converters.uzje.play import END_ROUND, GameError, Play, check_copies, header_of
from mjconv.converters.uzje.words import Move
from mjconv.ir import events as ev
from mjconv.ir.force import force
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Round


class Begun(NamedTuple):
    """A move of a turn, both counted from 0, and how many events were read before it."""

    before: int
    turn: int
    move: int


class Replay(NamedTuple):
    """A game read as far as it can be: the round, the errors, and the moves in order.

    With each error goes the first event that is in doubt. `whole` says whether all turns were played.
    """

    round: Round
    errors: Sequence[tuple[int, GameError]] = ()
    begun: Sequence[Begun] = ()
    whole: bool = True

    def first_of(self, turn: int) -> int:
        """Tell the first event that was read from a turn, or after it."""
        return next((begun.before for begun in self.begun if begun.turn >= turn), len(self.round.events))

    def move_of(self, event: int) -> Begun | None:
        """Tell which move an event of the round was read from, a result from the last; None for the deal."""
        found = bisect_right(self.begun, event, key=lambda begun: begun.before)
        return self.begun[found - 1] if found else None


def replay_game(game: Game, dealer: int, choices: Choices, *, cut: bool = False) -> Replay:
    """Read a game as `mjconv.converters.uzje.play.read_game` does, and on after what cannot be.

    What the table refuses is played by force, and is an event like any other. What is no event at all ends the
    round, without a result and a wall; so does the end of a game that is `cut` off.

    >>> game = Game("E", 1, 0, 4, ["E"] * 6, [])
    >>> for event, error in replay_game(game, 0, Choices()).errors:
    ...     print(event, error)
    0 a set has 4 of E, and this is one more
    1 the tile list has 6 tiles, and 52 are dealt to 4 players
    """
    start = header_of(game, dealer)
    if not game.tiles and not game.turns:
        return Replay(Round([start, END_ROUND]))
    errors: list[tuple[int, GameError]] = []
    try:
        check_copies(game)
    except GameError as error:
        errors.append((0, error))
    try:
        play = _PlayOn(game, start, dealer, choices)
    except GameError as error:
        return Replay(Round([start]), [*errors, (1, error)], whole=False)
    whole = not cut
    try:
        play.run()
    except GameError as error:
        errors.append((len(play.events), error))
        whole = False
    if not whole:
        return Replay(Round(play.events), errors, play.begun, whole)
    play.end()
    return Replay(play.reading().round, errors, play.begun)


class _PlayOn(Play):
    """Plays by force what the table refuses, each move by itself and noted."""

    def __init__(self, game: Game, start: ev.StartRound, dealer: int, choices: Choices) -> None:
        super().__init__(game, start, dealer, choices)
        self.begun: list[Begun] = []

    def _plain_turns(self, begin: int) -> int:
        return begin  # each move is noted

    def _moves(self, seat: int, moves: Sequence[Move]) -> None:
        for place, move in enumerate(moves):
            self.begun.append(Begun(len(self.events), self.turn, place))
            self.move(seat, move)

    def _play(self, event: ev.Event) -> None:
        try:
            self.table.apply(event)
        except IllegalPlayError:
            if self.table.winners or not force(self.table, event):
                raise
        self.events.append(event)
