"""In-game streams: which messages are the game, and which are the player's answers.

A stream recorded at a player's seat holds both sides of a conversation. The host's messages are the game. A
player's messages are answers, which the host then repeats or overrules. The messages of `events.CONVERSATION` are
not part of the game, whoever sends them. This module is the one place that leaves them out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, TypeVar

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.match import Round
from mjconv.ir.tiles import HIDDEN

Result = TypeVar("Result")

_ANSWERS: Final = frozenset({ev.Pass, ev.Join})
_ACTIONS: Final = frozenset(
    {
        ev.Discard,
        ev.Chi,
        ev.Pon,
        ev.Daiminkan,
        ev.Kakan,
        ev.Ankan,
        ev.Nukidora,
        ev.Riichi,
        ev.Win,
        ev.Ryukyoku,
    }
)
#: Two messages with the same values of these keys are one action: the host may add keys to a player's message.
_ACTION_KEYS: Final = ("actor", "target", "pai", "consumed")


def without_conversation(events: Sequence[ev.Event]) -> list[ev.Event]:
    """Return the events that are not of `events.CONVERSATION`, in order.

    >>> without_conversation([ev.Hello(), ev.StartGame(), ev.Pass()])
    [StartGame()]
    """
    return [event for event in events if type(event) not in ev.CONVERSATION]


def recorded_seat(opening: Sequence[ev.Event]) -> int | None:
    """Return the seat at which an in-game stream was recorded; None where its opening does not state it.

    >>> recorded_seat([ev.StartGame(id=2)])
    2
    """
    seats = (event.id for event in opening if type(event) is ev.StartGame and event.id is not UNSET)
    return next(seats, None)


def is_stream(game_round: Round, seat: int | None) -> bool:
    """Return whether a round is an in-game stream; `seat` is the seat at which the match was recorded, or None.

    A stream holds conversation (`events.CONVERSATION`), or it has a recording seat and hidden tiles.

    >>> is_stream(Round([ev.StartRound(oya=0), ev.Pass()]), None)
    True
    """
    return _talks(game_round.events) or (seat is not None and _hides_tiles(game_round.events))


def _talks(events: Sequence[ev.Event]) -> bool:
    return not ev.CONVERSATION.isdisjoint(map(type, events))


def _hides_tiles(events: Sequence[ev.Event]) -> bool:
    start = next((event for event in events if type(event) is ev.StartRound), None)
    return start is None or start.tehais is UNSET or any(HIDDEN in hand for hand in start.tehais)


def host_events(events: Sequence[ev.Event], seat: int | None = None) -> list[ev.Event]:
    """Return the game as the host sent it: without the player's answers, and without the conversation.

    `seat` is the player's, None if it is not known. In a stream that holds a player's passes, each message of the
    host has one answer: a pass, or an action of `seat`. In other streams, an action that the next message repeats
    is the player's. Without conversation, and with a deal that shows every hand, all events are the game.

    >>> answer = ev.Discard(1, "9p", tsumogiri=True)
    >>> host_events([ev.Draw(1, "9p"), answer, answer, ev.Pass()], seat=1)
    [Draw(actor=1, pai='9p'), Discard(actor=1, pai='9p', tsumogiri=True)]
    """
    return [events[index] for index in indices_of_host(events, seat)]


def indices_of_host(events: Sequence[ev.Event], seat: int | None = None) -> list[int]:
    """Return the indices of the events that `host_events` returns.

    >>> answer = ev.Discard(1, "9p", tsumogiri=True)
    >>> indices_of_host([ev.Draw(1, "9p"), answer, answer, ev.Pass()], seat=1)
    [0, 2]
    """
    answered = any(type(event) is ev.Pass for event in events)
    if not answered and not (_repeats(events) and (_talks(events) or _hides_tiles(events))):
        return [index for index, event in enumerate(events) if type(event) not in ev.CONVERSATION]
    game: list[int] = []
    may_answer = False
    for index, event in enumerate(events):
        if type(event) in _ANSWERS or (
            may_answer
            and type(event) in _ACTIONS
            and (_same_action(event, _next(events, index)) or (answered and _is_of(event, seat)))
        ):
            may_answer = False
        else:
            may_answer = True
            if type(event) not in ev.CONVERSATION:
                game.append(index)
    return game


def overruled(game_round: Round, seat: int | None) -> list[int]:
    """Return the indices of a player's actions that the host does not repeat. The host overruled or refused these.

    >>> answer = ev.Discard(1, "9p", tsumogiri=True)
    >>> overruled(Round([ev.Draw(1, "8p"), answer, ev.Discard(1, "8p", tsumogiri=True), ev.Pass()]), seat=1)
    [1]
    """
    if not is_stream(game_round, seat):
        return []
    events = game_round.events
    host = frozenset(indices_of_host(events, seat))
    return [
        index
        for index, event in enumerate(events)
        if index not in host and type(event) in _ACTIONS and not _same_action(event, _next(events, index))
    ]


def play_all_or_host(
    play: Callable[[Sequence[ev.Event]], Result],
    refusal: type[Exception],
    events: Sequence[ev.Event],
    seat: int | None = None,
) -> Result:
    """Return the result of `play` for all events. If it refuses them, return its result for the host's events.

    `refusal` is the error that `play` raises to refuse events. If `play` refuses the host's events too, raises its
    refusal of all events. `play` skips the kinds of events that it has no use for: the conversation is among them.

    >>> play_all_or_host(tuple, ValueError, [ev.EndRound()])
    (EndRound(),)
    """
    try:
        return play(events)
    except refusal:
        game = host_events(events, seat)
        if len(game) == len(events):
            raise
        with suppress(refusal):
            return play(game)
        raise


def _repeats(events: Sequence[ev.Event]) -> bool:
    last: ev.Event | None = None
    for event in events:
        if last is not None and type(event) is type(last) and _same_action(last, event):
            return True
        last = event
    return False


def _is_of(event: ev.Event, seat: int | None) -> bool:
    return seat is not None and getattr(event, "actor", None) == seat


def _next(events: Sequence[ev.Event], index: int) -> ev.Event | None:
    return events[index + 1] if index + 1 < len(events) else None


def _same_action(event: ev.Event, other: ev.Event | None) -> bool:
    if type(event) is not type(other) or type(event) not in _ACTIONS:
        return False
    return all(getattr(event, name, None) == getattr(other, name, None) for name in _ACTION_KEYS)
