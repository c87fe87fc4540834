"""Answers beside the play: the messages of an in-game stream that are not the game (`mjconv.ir.match.Answer`)."""

from __future__ import annotations

from msgspec import UNSET

from mjconv.ir.events import ANSWERS, name_of
from mjconv.ir.match import Round


def check_answers(game_round: Round) -> None:
    """Raise `ValueError` if the indices of the answers fall or leave the round, or a message is no answer.

    >>> from mjconv.ir.events import EndRound, Pass
    >>> from mjconv.ir.match import Answer
    >>> check_answers(Round([EndRound()], answers=(Answer(1, Pass()),)))
    >>> check_answers(Round([EndRound()], answers=(Answer(2, Pass()),)))
    Traceback (most recent call last):
    ValueError: answer 1 has the index 2, and the indices of answers rise from 0 to 1
    """
    before, most = 0, len(game_round.events)
    for number, answer in enumerate(game_round.answers, 1):
        if not before <= answer.index <= most:
            rise = f"the indices of answers rise from {before} to {most}"
            raise ValueError(f"answer {number} has the index {answer.index}, and {rise}")
        before = answer.index
        if type(answer.message) not in ANSWERS:
            raise ValueError(f"answer {number} is {name_of(answer.message)}, which is no answer")
        actor = getattr(answer.message, "actor", UNSET)
        if actor is not UNSET and actor != answer.seat:
            raise ValueError(f"answer {number} is an action of player {actor}, and its seat is {answer.seat}")
