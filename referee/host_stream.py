"""The events of play in a match. In a stream recorded at a player's seat, these are the host's messages.

Events of a seat that the game does not have are reported and left out, so that no other check has to expect them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from operator import is_
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.stream import indices_of_host, is_stream, recorded_seat

#: The keys that name a seat, and the keys with one value a seat.
_SEATS: Final = ("actor", "target", "liable", "oya")
_PER_SEAT: Final = ("scores", "deltas", "tenpais", "tehais")
#: Both, for each kind of event, as far as it has them.
_KEYS: Final = {
    kind: tuple(tuple(key for key in keys if key in kind.__struct_fields__) for keys in (_SEATS, _PER_SEAT))
    for kind in ev.KINDS.values()
}


def events_of_play(
    match: Match, report: Callable[..., None], reported: Mapping[int, Collection[int]] | None = None
) -> tuple[Match, list[list[int]]]:
    """Return the match with only the events of play, and for each round the indices of these in the record.

    `report` is called with ``R008``, a message, `round`, `event` and `actor` for a seat that the game does not
    have: once a round for each message, and not for events in `reported`. A round that is dealt to another
    number of players than the match has gets no events.
    """
    seat, seats = recorded_seat(match.opening), match.seats
    rounds: list[Round] = []
    indices: list[list[int]] = []
    for number, game_round in enumerate(match.rounds):
        messages: set[str] = set()
        events: list[ev.Event] = []
        kept: list[int] = []
        for index in host_indices(game_round, seat):
            event, wrong = _of_seats(game_round.events[index], seats)
            if wrong is not None and wrong not in messages:
                messages.add(wrong)
                if index not in (reported or {}).get(number, ()):
                    report("R008", wrong, round=number, event=index, actor=None)
            if event is None and type(game_round.events[index]) is ev.StartRound:
                events, kept = [], []
                break
            if event is not None:
                events.append(event)
                kept.append(index)
        whole = len(events) == len(game_round.events) and all(map(is_, events, game_round.events))
        rounds.append(game_round if whole else structs.replace(game_round, events=events))
        indices.append(kept)
    return structs.replace(match, rounds=rounds), indices


def _of_seats(event: Any, seats: int) -> tuple[ev.Event | None, str | None]:
    """Return an event without values of seats that the game does not have, and a message about these.

    The event is None where nothing is left of it.
    """
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
    if "tehais" in changed and type(event) is ev.StartRound:
        return None, wrong
    return structs.replace(event, **changed) if changed else event, wrong


def host_indices(game_round: Round, seat: int | None) -> list[int]:
    """Return the indices of the events of play: in a stream recorded at `seat`, of the host's messages.

    In a round that is no stream (`ir.stream.is_stream`) every event is play: an event that is written twice is an
    error there, and no echo.

    >>> answer = ev.Discard(1, "9p", tsumogiri=True)
    >>> host_indices(Round([ev.Draw(1, "9p"), answer, ev.Discard(1, "9p", tsumogiri=True), ev.Pass()]), seat=1)
    [0, 2]
    """
    events = game_round.events
    if not is_stream(game_round, seat):
        return list(range(len(events)))
    return indices_of_host(events, seat)
