"""In-game streams: which messages are a player's, and which the host's.

A stream recorded at a player's seat holds both sides of the conversation. The host's messages are the game;
a player's are answers, which the host then repeats or overrules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, TypeVar

from mjconv.ir import events as ev

Played = TypeVar("Played")

_SPOKEN_BY_PLAYERS: Final = (ev.Pass, ev.Join)
_ACTIONS: Final = (
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
)


def host_events(events: Sequence[ev.Event], seat: int | None = None) -> list[ev.Event]:
    """Leave out what a player said: what remains is the game as the host told it.

    In a stream that holds a player's passes, each message of the host has one answer, a pass or an action of
    `seat` (the player's, where known). Elsewhere an action that the next message repeats is a player's.

    >>> said = ev.Discard(1, "9p", tsumogiri=True)
    >>> host_events([ev.Draw(1, "9p"), said, said, ev.Pass()], seat=1)
    [Draw(actor=1, pai='9p'), Discard(actor=1, pai='9p', tsumogiri=True)]
    """
    answered = any(type(event) is ev.Pass for event in events)
    if not answered and not _repeats(events):
        return list(events)
    heard: list[ev.Event] = []
    may_answer = False
    for place, event in enumerate(events):
        if isinstance(event, _SPOKEN_BY_PLAYERS) or (
            may_answer
            and isinstance(event, _ACTIONS)
            and (_same_action(event, _next_action(events, place)) or (answered and _is_of(event, seat)))
        ):
            may_answer = False
        else:
            heard.append(event)
            may_answer = True
    return heard


def places_of(heard: Sequence[ev.Event], events: Sequence[ev.Event]) -> list[int]:
    """Find where the events that were heard stand among all.

    >>> said = ev.Discard(1, "9p", tsumogiri=True)
    >>> events = [ev.Draw(1, "9p"), said, ev.Discard(1, "9p", tsumogiri=True), ev.Pass()]
    >>> places_of(host_events(events), events)
    [0, 2]
    """
    places: list[int] = []
    for place, event in enumerate(events):
        if len(places) < len(heard) and event is heard[len(places)]:
            places.append(place)
    return places


def play_heard(
    play: Callable[[Sequence[ev.Event]], Played],
    refusal: type[Exception],
    events: Sequence[ev.Event],
    seat: int | None = None,
) -> Played:
    """Give what `play` makes of all events, or where it refuses them, of those that the host told.

    Where it refuses those as well, what it raises is its refusal of all of them.

    >>> play_heard(tuple, ValueError, [ev.EndRound()])
    (EndRound(),)
    """
    try:
        return play(events)
    except refusal:
        heard = host_events(events, seat)
        if len(heard) == len(events):
            raise
        with suppress(refusal):
            return play(heard)
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


def _next_action(events: Sequence[ev.Event], place: int) -> ev.Event | None:
    return events[place + 1] if place + 1 < len(events) else None


def _same_action(event: ev.Event, other: ev.Event | None) -> bool:
    """Whether two messages tell of one action: the host may add keys to what a player said."""
    if type(event) is not type(other) or not isinstance(event, _ACTIONS):
        return False
    tiles = ("actor", "target", "pai", "consumed")
    return all(getattr(event, name, None) == getattr(other, name, None) for name in tiles)
