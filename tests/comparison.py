"""What a plain trip changed against what its report lists, message by message.

The comparison is of messages, and knows nothing of how the writer compares matches.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from logs import Message, messages
from mjconv.ir.losses import Loss
from mjconv.ir.match import Match, Round
from trips import read, standard_messages, write

#: Fields that are compared message by message.
PLAYED = {"events", "opening", "closing", "rounds", "assumed"}


@dataclass(frozen=True)
class Trip:
    source: Match
    reading: Match
    messages: list[Message]
    losses: list[Loss]


def plain_trip(data: bytes, version: str) -> Trip:
    source = read(data, "mjai").match
    away = write([source], version, plain=True)
    assert b"mjconv" not in away.data
    reading = read(away.data, "jmjp").match
    return Trip(source, reading, messages(write([reading], "mjai", plain=True).data), away.losses)


def in_parts(log: Sequence[Message]) -> tuple[list[Message], list[list[Message]], list[Message]]:
    """Cut a log's messages into those before the rounds, those of each, and those from the end of the game on."""
    opening: list[Message] = []
    rounds: list[list[Message]] = []
    closing: list[Message] = []
    for message in log:
        if message["type"] == "start_kyoku":
            rounds.append([])
        if closing or message["type"] == "end_game":
            closing.append(message)
        else:
            (rounds[-1] if rounds else opening).append(message)
    return opening, rounds, closing


def unexplained(source: Sequence[Message], result: Sequence[Message], losses: Iterable[Loss]) -> list[Any]:
    """Return how two lists of messages differ beyond the losses, and the losses that are wrong.

    A whole message was dropped, or assumed before the message that its place counts; a key was dropped from the
    message there, assumed in it, or approximated.
    """
    dropped: dict[int, list[str]] = {}
    assumed: dict[int, list[str]] = {}
    keys: dict[int, dict[str, str]] = {}
    for loss in losses:
        assert loss.event is not None
        kind, _, key = loss.what.partition(".")
        if key:
            assert key not in keys.setdefault(loss.event, {}), "reported twice"
            assert 0 <= loss.event < len(source)
            assert source[loss.event]["type"] == kind
            keys[loss.event][key] = loss.fate
        else:
            assert loss.fate in ("dropped", "assumed")
            (dropped if loss.fate == "dropped" else assumed).setdefault(loss.event, []).append(kind)
    found: list[Any] = []
    rest = list(result)
    for place in range(len(source) + 1):
        added = [rest.pop(0) if rest else None for _ in assumed.get(place, [])]
        if [message and message["type"] for message in added] != assumed.get(place, []):
            found.append(("not assumed there", place, assumed[place], added))
        if place == len(source):
            break
        message = source[place]
        if place in dropped:
            if dropped[place] != [message["type"]] or message in added:
                found.append(("not dropped there", place, dropped[place], message))
        else:
            found += differing_keys(message, rest.pop(0) if rest else {}, keys.pop(place, {}))
    return [*found, *rest, *keys.items()]


def differing_keys(source: Message, result: Message, fates: dict[str, str]) -> list[Any]:
    reported: dict[str, str] = {
        key: "dropped" if key not in result else "assumed" if key not in source else "approximated"
        for key in source | result
        if key not in result or key not in source or source[key] != result[key]
    }
    return [] if reported == fates else [(source, result, reported, fates)]


def unexplained_fields(source: Match | Round, reading: Match | Round, losses: Iterable[Loss]) -> list[Any]:
    """Return the fields of two matches or rounds that differ beyond the losses, and the losses that are wrong."""
    kind = type(source)
    reported = {f"{kind.__name__.lower()}.{name}": name for name in kind.__struct_fields__ if name not in PLAYED}
    differs = {
        what: "assumed"
        if getattr(source, name) == getattr(kind(), name)
        else "dropped"
        if getattr(reading, name) == getattr(kind(), name)
        else "approximated"
        for what, name in reported.items()
        if getattr(source, name) != getattr(reading, name)
        and not (name == "extras" and adds_layout(source, reading))
    }
    said = sorted((loss.what, loss.fate) for loss in losses)
    return [] if said == sorted(differs.items()) else [said, differs]


def adds_layout(source: Match | Round, reading: Match | Round) -> bool:
    """Tell whether the extras of a format that was written are new, and nothing else: this loses nothing."""
    new = reading.extras.keys() - source.extras.keys()
    return len(new) == 1 and {key: reading.extras[key] for key in reading.extras.keys() - new} == source.extras


def check(data: bytes, version: str) -> list[Loss]:
    """Compare a log, message by message, with what its plain trip gives; give what was lost."""
    trip = plain_trip(data, version)
    compare(data, trip)
    return trip.losses


def compare(data: bytes, trip: Trip) -> None:
    opening, rounds, closing = in_parts(standard_messages(data))
    opening_after, rounds_after, closing_after = in_parts(trip.messages)
    assert len(rounds) == len(rounds_after) == len(trip.source.rounds) == len(trip.reading.rounds)
    for index, (before, after) in enumerate(zip(rounds, rounds_after, strict=True)):
        reported = [loss for loss in trip.losses if loss.round == index]
        # Answers are no events: each is after as many messages as there are events and answers before it.
        answers = {one.index + number for number, one in enumerate(trip.source.rounds[index].answers)}
        before = [message for place, message in enumerate(before) if place not in answers]
        assert unexplained(before, after, [loss for loss in reported if loss.event is not None]) == []
        fields = [loss for loss in reported if loss.event is None]
        assert unexplained_fields(trip.source.rounds[index], trip.reading.rounds[index], fields) == []
        assert {loss.label for loss in reported} <= {label(before[0])}
    reported = [loss for loss in trip.losses if loss.round is None]
    fields = [loss for loss in reported if loss.event is None]
    assert unexplained_fields(trip.source, trip.reading, fields) == []
    if "match.players" in {loss.what for loss in fields}:
        opening, opening_after = ([without(m, "names") for m in part] for part in (opening, opening_after))
    reported = [loss for loss in reported if loss.event is not None]
    early = [loss for loss in reported if loss.label == "opening"]
    assert unexplained(opening, opening_after, early) == []
    assert unexplained(closing, closing_after, [loss for loss in reported if loss not in early]) == []
    assert {loss.label for loss in reported} <= {"opening", "closing"}
    assert {loss.match for loss in trip.losses} <= {0}


def label(deal: Message) -> str:
    wind, number = (str(deal.get(key, "?")) for key in ("bakaze", "kyoku"))
    honba = f"-{deal['honba']}" if "honba" in deal else ""
    return "?" if wind == number == "?" and not honba else f"{wind}{number}{honba}"


def without(message: Message, key: str) -> Message:
    return {name: value for name, value in message.items() if name != key}
