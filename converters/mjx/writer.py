"""Writes states of mjx: a line for each round."""

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from msgspec import UNSET, to_builtins

from mjconv.converters.interface import Part, Rendered, WriteOptions
from mjconv.converters.mjx.reader import follows, match_of
from mjconv.converters.mjx.round_reader import StateReader
from mjconv.converters.mjx.round_writer import StateWriter
from mjconv.converters.mjx.state import MjxState, state_of
from mjconv.converters.mjx.wall import SEATS, number_tiles
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.completed import CompleteRound, complete
from mjconv.converters.shared.ends import final_scores
from mjconv.converters.shared.json_values import refusing
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import HAND, WINDS

#: The names of players whose names are not known: mjx distinguishes players by their names.
_NAMES: Final = tuple(f"player_{seat}" for seat in range(SEATS))


class _WrittenState(NamedTuple):
    """A round that was written: its text, and the state that it states."""

    text: bytes
    state: MjxState


def render(
    match: Match,
    before: MjxState | None,
    last: bool,  # noqa: ARG001 - a file may end after each line
    options: WriteOptions,  # noqa: ARG001 - all writers take the options
) -> Rendered:
    """Write a match as a line for each round.

    `before` is the last state of the match before it in the file. Raises `UnsupportedError` for a match that mjx
    cannot hold, and `PlayError` if its events cannot be played.

    >>> render(Match(), None, True, WriteOptions())
    Traceback (most recent call last):
    mjconv.ir.errors.UnsupportedError: mjx holds rounds, and the match has none
    """
    if not match.rounds:
        raise UnsupportedError("mjx holds rounds, and the match has none")
    for game_round in match.rounds:
        _check(game_round)
    names = _names(match)
    completed = complete(match)
    written: list[_WrittenState] = []
    for number, (game_round, whole) in enumerate(zip(match.rounds, completed, strict=True)):
        one = _written(match, game_round, whole, names, ends=number == len(match.rounds) - 1)
        if written and not follows(one.state, written[-1].state):
            raise UnsupportedError(
                f"round {game_round.label}: mjx has no games whose rounds do not follow each other: "
                "the round before has a result, and leaves the points with which this one begins"
            )
        written.append(one)
    states = [one.state for one in written]
    if before is not None and follows(states[0], before):
        raise UnsupportedError(
            "in mjx this match would continue the match before it: write it to a file of its own"
        )
    parts = [Part(b""), *[Part(one.text) for one in written], Part(b"")]
    return Rendered(parts, partial(_read, match, completed, states), after=states[-1])


def _check(game_round: Round) -> None:
    """Raise `UnsupportedError` if mjx has no place for the deal of a round."""
    deal = game_round.start
    if deal is None:
        raise UnsupportedError(f"round {game_round.label}: the deal is missing")
    if deal.tehais is UNSET or [len(hand) for hand in deal.tehais] != [HAND] * SEATS:
        raise UnsupportedError(f"round {game_round.label}: mjx states every tile, and a hand is not known")


def _names(match: Match) -> list[str]:
    names = match.names
    names += [""] * (SEATS - len(names))
    return [name or usual for name, usual in zip(names, _NAMES, strict=True)]


def _written(
    match: Match, game_round: Round, whole: CompleteRound, names: Sequence[str], *, ends: bool
) -> _WrittenState:
    label = game_round.label
    deal = whole.deal
    wind = WINDS.index(deal.bakaze or WINDS[0])
    if deal.oya is not UNSET and deal.oya != int(deal.kyoku or 1) - 1:
        raise UnsupportedError(
            f"round {label}: in mjx the dealer of round {WINDS[wind]}{deal.kyoku} is player {deal.kyoku}"
        )
    if deal.dora_marker is UNSET:
        raise UnsupportedError(f"round {label}: mjx states every dora indicator, and one is not known")
    with refusing("mjx", game_round, whole.origins):
        numbers = number_tiles(deal, whole.events, game_round.wall or ())
        writer = StateWriter(deal, whole.events, numbers, whole.blocked)
        writer.write()
        end = next((event for event in match.closing if type(event) is ev.EndGame), None) if ends else None
        scores = end.scores if end is not None and end.scores else None
        if end is not None and scores is None:
            scores = final_scores(writer.tens, 0 if writer.wins else writer.sticks)
        value = to_builtins(writer.written_state(names, scores, over=end is not None))
        state = state_of(value)
    return _WrittenState(jsontext.dumps(value) + b"\n", state)


def _read(match: Match, completed: Sequence[CompleteRound], states: Sequence[MjxState]) -> Match:
    """Return the match that the reader makes of the states."""
    rounds: list[Round] = []
    # The warnings of the reader do not matter: the hub names the losses.
    for game_round, whole, state in zip(match.rounds, completed, states, strict=True):
        reader = StateReader(state)
        with refusing("mjx", game_round, whole.origins):
            reader.read()
        rounds.append(reader.round(lambda *_: None, walls=True))
    return match_of(rounds, states)
