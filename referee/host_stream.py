"""Which events of a match are the game: where a player recorded it, those that the host told.

What is of a player that the game does not have is told, and left out, so that no rule has to look for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.stream import host_events, places_of
from mjconv.ir.tiles import HIDDEN

#: Keys that name a seat, and keys that say something of each seat.
_SEATS: Final = ("actor", "target", "liable", "oya")
_PER_SEAT: Final = ("scores", "deltas", "tenpais", "tehais")
#: Both, of those that a kind of event has.
_KEYS: Final = {
    kind: tuple(tuple(key for key in keys if key in kind.__struct_fields__) for keys in (_SEATS, _PER_SEAT))
    for kind in ev.KINDS.values()
}
_TALK: Final = ev.CONVERSATION


def listener(match: Match) -> int | None:
    """Give the seat at which a stream was recorded, where the record says so.

    >>> listener(Match(opening=[ev.StartGame(id=2)]))
    2
    """
    for event in match.opening:
        if type(event) is ev.StartGame and event.id is not UNSET:
            return event.id
    return None


def as_played(
    match: Match, tell: Callable[..., None], told: Mapping[int, Collection[int]] | None = None
) -> tuple[Match, list[list[int]]]:
    """Give the match with nothing but the game in it, and for each round the indices of its events in the record.

    `tell` is called with ``R008`` for each player that the game does not have, once a round and unless `told` has
    that event already, with `round`, `event` and `actor`. A round that is dealt to another number of players than
    the match has is left without events.
    """
    seat, seats = listener(match), match.seats
    rounds: list[Round] = []
    places: list[list[int]] = []
    for number, game_round in enumerate(match.rounds):
        said: set[str] = set()
        events: list[ev.Event] = []
        kept: list[int] = []
        for index in heard(game_round, seat):
            event, wrong = _of_seats(game_round.events[index], seats)
            if wrong is not None and wrong not in said:
                said.add(wrong)
                if index not in (told or {}).get(number, ()):
                    tell("R008", wrong, round=number, event=index, actor=None)
            if event is None and type(game_round.events[index]) is ev.StartRound:
                events, kept = [], []
                break
            if event is not None:
                events.append(event)
                kept.append(index)
        whole = len(events) == len(game_round.events) and all(map(_is, events, game_round.events))
        rounds.append(game_round if whole else structs.replace(game_round, events=events))
        places.append(kept)
    return structs.replace(match, rounds=rounds), places


def _is(one: object, other: object) -> bool:
    return one is other


def _of_seats(event: Any, seats: int) -> tuple[ev.Event | None, str | None]:
    """Give an event without what is of no seat of the game, None where that leaves nothing; and what is wrong."""
    seat_keys, per_seat_keys = _KEYS[type(event)]
    for key in seat_keys:
        seat = getattr(event, key)
        if seat is not UNSET and not 0 <= seat < seats:
            return None, f"there is no player {seat}: the game has {seats}"
    changed: dict[str, Any] = {}
    wrong = None
    for key in per_seat_keys:
        values = getattr(event, key)
        if values is not UNSET and len(values) != seats:
            changed[key] = UNSET
            wrong = f"{ev.name_of(event)} has {key} for {len(values)} players: the game has {seats}"
    if not changed:
        return event, None
    return (
        None if "tehais" in changed and type(event) is ev.StartRound else structs.replace(event, **changed)
    ), wrong


def heard(game_round: Round, seat: int | None) -> list[int]:
    """Give the indices of the events that are the game, of a stream at `seat`: those that the host told.

    A round is a stream where players talk in it, or where it is told of one seat and others' tiles are hidden. In
    all other rounds each event is the game: one that stands twice is wrong there, and no echo.

    >>> said = ev.Discard(1, "9p", tsumogiri=True)
    >>> heard(Round([ev.Draw(1, "9p"), said, ev.Discard(1, "9p", tsumogiri=True), ev.Pass()]), seat=1)
    [0, 2]
    """
    events = game_round.events
    if not _is_stream(game_round, seat):
        return list(range(len(events)))
    return places_of(host_events(events, seat), events)


def _is_stream(game_round: Round, seat: int | None) -> bool:
    if not _TALK.isdisjoint(map(type, game_round.events)):
        return True
    start = game_round.start
    return seat is not None and (start is None or start.tehais is UNSET or _hides(start.tehais))


def _hides(hands: Sequence[Sequence[str]]) -> bool:
    return any(HIDDEN in hand for hand in hands)
