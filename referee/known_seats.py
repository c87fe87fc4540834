"""Events of a seat that the game does not have: reported and left out, so that no other check expects them."""

from collections.abc import Callable, Collection, Mapping
from operator import is_
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round

#: The keys that name a seat, and the keys with one value a seat.
_SEATS: Final = ("actor", "target", "liable", "oya")
_PER_SEAT: Final = ("scores", "deltas", "tenpais", "tehais")
#: Both, for each kind of event, as far as it has them.
_KEYS: Final = {
    kind: tuple(tuple(key for key in keys if key in kind.__struct_fields__) for keys in (_SEATS, _PER_SEAT))
    for kind in ev.KINDS.values()
}


def of_known_seats(
    match: Match, report: Callable[..., None], reported: Mapping[int, Collection[int]] | None = None
) -> tuple[Match, list[list[int]]]:
    """Return the match with the events of seats that the game has, and for each round their indices in the record.

    `report` is called with ``R008``, a message, `round`, `event` and `actor` for a seat that the game does not
    have: once a round for each message, and not for events in `reported`. A round that is dealt to another
    number of players than the match has gets no events.
    """
    seats = match.seats
    rounds: list[Round] = []
    indices: list[list[int]] = []
    for number, game_round in enumerate(match.rounds):
        messages: set[str] = set()
        events: list[ev.Event] = []
        kept: list[int] = []
        for index, stated in enumerate(game_round.events):
            event, wrong = of_seats(stated, seats)
            if wrong is not None and wrong not in messages:
                messages.add(wrong)
                if index not in (reported or {}).get(number, ()):
                    report("R008", wrong, round=number, event=index, actor=None)
            if event is None and type(stated) is ev.StartRound:
                events, kept = [], []
                break
            if event is not None:
                events.append(event)
                kept.append(index)
        whole = len(events) == len(game_round.events) and all(map(is_, events, game_round.events))
        rounds.append(game_round if whole else structs.replace(game_round, events=events))
        indices.append(kept)
    return structs.replace(match, rounds=rounds), indices


def of_seats(event: Any, seats: int) -> tuple[ev.Event | None, str | None]:
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
