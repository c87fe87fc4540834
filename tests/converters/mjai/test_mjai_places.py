"""The places of events in an mjai file."""

import json

import pytest

from handmade import DEAL, END, GAME, PLAY, START
from logs import Log, Message, lines, logs, messages
from looped import looped
from mjconv.ir import events as ev
from trips import known, places, read, standard, write


def line_of(data: bytes, game_round: int, events: range, *, lenient: bool = False) -> list[int]:
    """Return the lines of the events of a round of the first match."""
    find_place = places("mjai", data, lenient=lenient)
    found = [find_place(0, game_round, event) for event in events]
    return [place.line for place in found if place is not None]


def laid_out(log: list[Message], way: str) -> bytes:
    """Return a log twice: as lines, as an array on each line, or as one array with a message on each line."""
    if way == "lines":
        return lines(log * 2)
    if way == "arrays":
        return write(read(lines(log * 2), "mjai").matches, "mjai-batch").data
    return b"[" + b",\n".join(lines(log * 2).splitlines()) + b"]"


@pytest.mark.parametrize("log", [*logs(4)[:6], *logs(3)[:2]], ids=str)
@pytest.mark.parametrize("way", ["lines", "arrays", "over lines"])
def test_of_each_event_is_its_message(log: Log, way: str) -> None:
    data = laid_out(messages(log.data), way)
    for lenient in (False, True):
        find_place = places("mjai", data, lenient=lenient)
        for number, match in enumerate(read(data, "mjai").matches):
            for index, game_round in enumerate(match.rounds):
                for at, event in enumerate(game_round.events):
                    place = known(find_place(number, index, at))
                    message, _ = json.JSONDecoder().raw_decode(place.text[place.column - 1 :])
                    assert ev.from_message(standard(message)) == event
                deal = find_place(number, index, 0)
                assert find_place(number, index, -1) == deal
                assert find_place(number, index, len(game_round.events)) == deal


def test_after_what_was_left_out_are_those_of_what_was_read() -> None:
    every = lines(GAME).splitlines()
    every[3], every[6] = b"x", b'{"type":"start_kyoku","kyoku":0}'
    data = b"\n".join(every)
    assert line_of(data, 0, range(4), lenient=True) == [2, 3, 5, 6]
    assert line_of(data, 1, range(-1, 4), lenient=True) == [7] * 5


# A deal that a note restores, and events that it inserts: they have the place of the event that they follow.
@looped(
    ("at", "events", "found"),
    (slice(0, 1), [], [3, 4, 5, 6]),
    (slice(1, 1), [ev.Draw(0, "1f"), ev.Nukidora(0, "1f")], [2, 3, 3, 3, 4, 5, 6]),
)
def test_an_event_that_a_note_holds_has_its_place(at: slice, events: list[ev.Event], found: list[int]) -> None:
    match = read(lines([START, DEAL, *PLAY, END]), "mjai").match
    match.rounds[0].events[at] = events
    data = write([match], "mjai", lossy=True).data
    assert read(data, "mjai").matches == [match]
    assert line_of(data, 0, range(len(found))) == found
