"""Answers beside the play: the messages of an in-game stream that are not the game (`mjconv.ir.match.Answer`).

The log of a player holds both sides: the host's messages are the game, and the player's messages are answers,
which the host then repeats or overrules. `apart` decides which is which, and `together` returns them in one list
again. Files of mjai hold answers in this way, and so did the events of older notes.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir import limits
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Answer, Match, Round
from mjconv.ir.tiles import HIDDEN

#: Messages that only a player sends.
_OF_PLAYERS: Final = frozenset({ev.Pass, ev.Join})
_ACTIONS: Final = ev.ANSWERS - ev.CONVERSATION
#: Two messages with the same values of these keys are one action: the host may add keys to a player's message.
ACTION_KEYS: Final = ("actor", "target", "pai", "consumed")


def recorded_seat(opening: Sequence[ev.Event]) -> int | None:
    """Return the seat at which an in-game stream was recorded; None where its opening does not state it.

    >>> recorded_seat([ev.StartGame(id=2)])
    2
    """
    return next((event.id for event in opening if type(event) is ev.StartGame and event.id is not UNSET), None)


def apart(messages: list[ev.Event], seat: int | None) -> tuple[list[ev.Event], tuple[Answer, ...]]:
    """Return the events of a round, and the answers beside them, of all messages of its log.

    `seat` is the seat at which the log was recorded, None if it is not known. A log holds answers if it holds
    messages of `events.CONVERSATION`, or if its seat is known and it hides tiles. Where it holds passes, each
    message of the host has one answer: a pass, or an action of `seat`. Otherwise an action that the next message
    repeats is an answer. All other messages are play.

    >>> events, answers = apart([ev.Draw(1, "9p"), ev.Riichi(1), ev.Riichi(1), ev.Pass()], seat=1)
    >>> events
    [Draw(actor=1, pai='9p'), Riichi(actor=1)]
    >>> answers
    (Answer(index=1, message=Riichi(actor=1), seat=1), Answer(index=2, message=Pass(), seat=1))
    """
    kinds = set(map(type, messages))
    if ev.CONVERSATION.isdisjoint(kinds) and (seat is None or not _hides_tiles(messages)):
        return messages, ()
    passes = ev.Pass in kinds
    events: list[ev.Event] = []
    answers: list[Answer] = []
    may_answer = False
    # There may be no message.
    for message, following in zip(messages, [*messages[1:], None], strict=False):
        kind = type(message)
        if kind in _OF_PLAYERS or (
            may_answer
            and kind in _ACTIONS
            and (_same_action(message, following) or (passes and seat is not None and _actor(message) == seat))
        ):
            answers.append(Answer(len(events), message, _seat_of(message, seat)))
            may_answer = False
            continue
        may_answer = True
        if kind in ev.CONVERSATION:
            answers.append(Answer(len(events), message))
        else:
            events.append(message)
    return events, tuple(answers)


def together(game_round: Round) -> list[ev.Event]:
    """Return the events and the messages of the answers of a round in one list, in their order.

    >>> together(Round([ev.EndRound()], answers=(Answer(0, ev.Hello()), Answer(1, ev.Pass()))))
    [Hello(), EndRound(), Pass()]
    """
    if not game_round.answers:
        return game_round.events
    messages: list[ev.Event] = []
    done = 0
    for answer in game_round.answers:
        messages += game_round.events[done : answer.index]
        messages.append(answer.message)
        done = answer.index
    return messages + game_round.events[done:]


def events_before(answers: Sequence[Answer], place: int) -> int:
    """Return the number of events among the first messages of a round: `place` is the number of these messages.

    >>> [events_before([Answer(0, ev.Hello()), Answer(1, ev.Pass())], place) for place in range(4)]
    [0, 0, 1, 1]
    """
    return place - bisect_left(range(len(answers)), place, key=lambda number: answers[number].index + number)


def overruled(game_round: Round) -> list[int]:
    """Return the numbers of the answers, from 0, that are actions and that no event repeats.

    >>> answer = Answer(1, ev.Discard(1, "9p"), 1)
    >>> overruled(Round([ev.Draw(1, "8p"), ev.Discard(1, "8p", tsumogiri=True)], answers=(answer, answer)))
    [0, 1]
    """
    return [
        number
        for number, answer in enumerate(game_round.answers)
        if type(answer.message) in _ACTIONS and not _is_repeated(answer, game_round.events)
    ]


def passes_for_discards(game_round: Round) -> list[tuple[int, int]]:
    """Return the number and the seat of each answer `none` after the own chi or pon: a discard is mandatory there.

    >>> pon = ev.Pon(2, 0, "E", ("E", "E"))
    >>> passes_for_discards(Round([pon], answers=(Answer(1, ev.Pass(), 1), Answer(1, ev.Pass(), 2))))
    [(1, 2)]
    """
    return [
        (number, answer.seat)
        for number, answer in enumerate(game_round.answers)
        if type(answer.message) is ev.Pass
        and answer.seat is not UNSET
        and 0 < answer.index <= len(game_round.events)
        and type(game_round.events[answer.index - 1]) in (ev.Chi, ev.Pon)
        and _actor(game_round.events[answer.index - 1]) == answer.seat
    ]


def check_answers(game_round: Round) -> None:
    """Raise `ValueError` if an answer does not fit its round, or if an event is no event of a game.

    The answers are a tuple. Their indices rise, from 0 to the number of events. The message of an answer is of
    `events.ANSWERS`, and an action is of its seat. No event is of `events.CONVERSATION`.

    >>> check_answers(Round([ev.EndRound()], answers=(Answer(1, ev.Pass()),)))
    >>> check_answers(Round([ev.EndRound()], answers=(Answer(2, ev.Pass()),)))
    Traceback (most recent call last):
    ValueError: answer 1 has the index 2, and the indices of answers rise from 0 to 1
    """
    if not ev.CONVERSATION.isdisjoint(map(type, game_round.events)):
        event, talk = next(one for one in enumerate(game_round.events, 1) if type(one[1]) in ev.CONVERSATION)
        raise ValueError(f"event {event} is {ev.name_of(talk)}, which is no play: it belongs to the answers")
    if type(game_round.answers) is not tuple:
        raise ValueError(f"the answers of a round are a tuple, not of type {type(game_round.answers).__name__}")
    before, most = 0, len(game_round.events)
    for number, answer in enumerate(game_round.answers, 1):
        if type(answer) is not Answer or type(answer.index) is not int:
            raise ValueError(f"answer {number} is {answer!r:.99}: expected an Answer whose index is an integer")
        if not before <= answer.index <= most:
            rise = f"the indices of answers rise from {before} to {most}"
            raise ValueError(f"answer {number} has the index {answer.index}, and {rise}")
        before = answer.index
        if type(answer.message) not in ev.ANSWERS:
            raise ValueError(f"answer {number} has the message {answer.message!r:.99}, which is no answer")
        if answer.seat is not UNSET and (type(answer.seat) is not int or not 0 <= answer.seat < ev.MOST_SEATS):
            raise ValueError(f"answer {number} has the seat {answer.seat!r}, and seats count from 0")
        actor = _actor(answer.message)
        if actor is not UNSET and actor != answer.seat:
            raise ValueError(f"answer {number} is an action of player {actor}, and its seat is {answer.seat}")


def check_match(match: Match) -> None:
    """Raise `UnsupportedError` if the answers of a round do not fit it, or are more than the limit.

    >>> check_match(Match(rounds=[Round(answers=[])]))
    Traceback (most recent call last):
    mjconv.ir.errors.UnsupportedError: round ?: the answers of a round are a tuple, not of type list
    """
    for game_round in match.rounds:
        try:
            check_answers(game_round)
            if len(game_round.answers) > limits.current().answers:
                raise ValueError(limits.refusal("answers"))
        except ValueError as error:
            raise UnsupportedError(f"round {game_round.label}: {error}") from None


def _hides_tiles(events: Sequence[ev.Event]) -> bool:
    start = next((event for event in events if type(event) is ev.StartRound), None)
    return start is None or start.tehais is UNSET or any(HIDDEN in hand for hand in start.tehais)


def _actor(message: ev.Event) -> Any:
    return getattr(message, "actor", UNSET)


def _seat_of(message: ev.Event, seat: int | None) -> Any:
    """Return the seat of a player's message: its actor, or the seat of the log where it names none."""
    actor = _actor(message)
    return actor if actor is not UNSET or seat is None else seat


def _is_repeated(answer: Answer, events: Sequence[ev.Event]) -> bool:
    """Return whether an event after an answer is the same action."""
    for index in range(answer.index, len(events)):
        event = events[index]
        if _same_action(answer.message, event):
            return True
        # Several players may win on one tile.
        if type(event) not in ev.BETWEEN and not (type(event) is type(answer.message) is ev.Win):
            return False
    return False


def _same_action(message: ev.Event, other: ev.Event | None) -> bool:
    if type(message) is not type(other) or type(message) not in _ACTIONS:
        return False
    return all(getattr(message, name, None) == getattr(other, name, None) for name in ACTION_KEYS)
