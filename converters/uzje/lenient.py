"""Lenient reading of a game: after a move that the table refuses the reading continues.

It also finds the move that each event was read from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from mjconv.converters.uzje.game import Choices, Game, GameReading
from mjconv.converters.uzje.game_errors import GameError, check_copies
from mjconv.converters.uzje.play import END_ROUND, Play, header_of
from mjconv.converters.uzje.words import Move
from mjconv.ir import events as ev
from mjconv.ir.force import force
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Round


class MoveStart(NamedTuple):
    """A move of a turn, both counted from 0, and the number of events before it."""

    events: int
    turn: int
    move: int


class LenientReading(NamedTuple):
    """A game read as far as it can be: the reading, the errors, and the moves in order.

    Each error has the first event that it puts in doubt. `whole` is true if all turns were played.
    """

    game: GameReading
    errors: Sequence[tuple[int, GameError]] = ()
    moves: Sequence[MoveStart] = ()
    whole: bool = True

    def first_of(self, turn: int) -> int:
        """Return the index of the first event that was read from this turn or a later one."""
        return next((start.events for start in self.moves if start.turn >= turn), len(self.game.round.events))

    def move_of(self, event: int) -> MoveStart | None:
        """Return the move that an event was read from; None for the deal. A result belongs to the last move."""
        found = bisect_right(self.moves, event, key=lambda start: start.events)
        return self.moves[found - 1] if found else None


def read_game_leniently(game: Game, dealer: int, choices: Choices, *, cut: bool = False) -> LenientReading:
    """Read a game as `mjconv.converters.uzje.play.read_game` does, but continue after errors.

    A move that the table refuses becomes an event all the same. A move that cannot be an event ends the round,
    without a result and a wall. So does the end of a game that is `cut` off.

    >>> game = Game("E", 1, 0, 4, ["E"] * 6, [])
    >>> for event, error in read_game_leniently(game, 0, Choices()).errors:
    ...     print(event, error)
    0 a set has 4 of E, and this is one more
    1 the tile list has 6 tiles, and 52 are dealt to 4 players
    """
    start = header_of(game, dealer)
    if not game.tiles and not game.turns:
        return LenientReading(GameReading(Round([start, END_ROUND]), choices))
    errors: list[tuple[int, GameError]] = []
    try:
        check_copies(game)
    except GameError as error:
        errors.append((0, error))
    try:
        play = _LenientPlay(game, start, dealer, choices)
    except GameError as error:
        return LenientReading(GameReading(Round([start]), choices), [*errors, (1, error)], whole=False)
    whole = not cut
    try:
        play.run()
    except GameError as error:
        errors.append((len(play.events), error))
        whole = False
    if not whole:
        reading = GameReading(Round(play.events), choices, play.turn_starts)
        return LenientReading(reading, errors, play.moves, whole)
    play.end()
    return LenientReading(play.reading(), errors, play.moves)


class _LenientPlay(Play):
    """Applies moves that the table refuses, and records where each move starts."""

    def __init__(self, game: Game, start: ev.StartRound, dealer: int, choices: Choices) -> None:
        super().__init__(game, start, dealer, choices)
        self.moves: list[MoveStart] = []

    def _plain_turns(self, begin: int) -> int:
        return begin  # each move is recorded

    def _moves(self, seat: int, moves: Sequence[Move]) -> None:
        for place, move in enumerate(moves):
            self.moves.append(MoveStart(len(self.events), self.turn, place))
            self.move(seat, move)

    def _play(self, event: ev.Event) -> None:
        try:
            self.table.apply(event)
        except IllegalPlayError:
            if self.table.winners or not force(self.table, event):
                raise
        self.events.append(event)
