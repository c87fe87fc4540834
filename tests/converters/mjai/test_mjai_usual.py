"""The usual lines of mjai, which are looked up: they are read and written as if they were decoded."""

import json
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handmade import LOG
from logs import Message
from looped import looped
from mjconv.converters.mjai.lines import encode, spelled_as, usual_lines
from mjconv.converters.mjai.messages import Messages
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, MjconvError
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import HIDDEN, RIICHI_TILES
from trips import known, read, write

#: How `json.dumps` spells a message: as mjconv, with spaces, and both with sorted keys.
SEPARATORS = ((",", ":"), (", ", ": "))
SPELLINGS: list[dict[str, Any]] = [
    {"sort_keys": ordered, "separators": each} for ordered, each in product((False, True), SEPARATORS)
]
DECODER = msgspec.json.Decoder(ev.Event)

seats = st.integers(0, 3)
tiles = st.sampled_from([*RIICHI_TILES, HIDDEN])
draws = st.builds(ev.Draw, seats, tiles)
discards = st.builds(ev.Discard, seats, tiles, tsumogiri=st.booleans())
others = st.sampled_from([ev.EndRound(), ev.Riichi(2), ev.Dora("E"), ev.Discard(1, "9p")])


def spelled(message: Message, spelling: dict[str, Any]) -> bytes:
    return json.dumps(message, **spelling).encode()


@looped("spelling", *SPELLINGS)
def test_the_lines_of_a_spelling_are_all_draws_and_discards_of_four_players(spelling: dict[str, Any]) -> None:
    lines = spelled_as(spelled(ev.to_message(ev.Draw(2, "C")), spelling) + b"\n")
    who = [*product(range(4), [*RIICHI_TILES, HIDDEN])]
    events = [ev.Draw(*one) for one in who] + [ev.Discard(*one, drawn) for one in who for drawn in (True, False)]
    assert dict(lines) == {spelled(ev.to_message(event), spelling): event for event in events}


def test_a_usual_line_is_the_event_that_the_decoder_makes_of_it() -> None:
    for line, event in usual_lines().items():
        assert DECODER.decode(line) == event


@given(st.lists(draws | discards | others), st.sampled_from(SPELLINGS), st.sampled_from([b"\n", b"\r\n"]))
def test_any_spelling_is_read_as_the_same_events(
    events: list[ev.Event], spelling: dict[str, Any], end: bytes
) -> None:
    text = end.join(spelled(ev.to_message(event), spelling) for event in events)
    for data in (text, text + end):
        assert list(Messages(data).events) == events


@given(st.lists(draws | discards, min_size=1), st.sampled_from(SPELLINGS), st.data())
def test_a_key_twice_is_found_among_usual_lines(
    events: list[ev.Event], spelling: dict[str, Any], data: st.DataObject
) -> None:
    lines = [spelled(ev.to_message(event), spelling) for event in events]
    at = data.draw(st.integers(0, len(lines) - 1))
    lines[at] = lines[at][:-1] + b"," + lines[at][1:]
    with pytest.raises(InputError, match="twice") as found:
        Messages(b"\n".join(lines))
    assert known(found.value.place).line == at + 1


def test_a_line_with_two_messages_is_no_json_line_whatever_follows() -> None:
    deal, draw, discard, *rest = LOG[1:]
    lines = [json.dumps(message) for message in (LOG[0], deal)]
    two = json.dumps(draw) + json.dumps(discard)
    for gap in ([], [""], ["", " "]):
        with pytest.raises(InputError, match="not JSON") as found:
            read("\n".join([*lines, two, *gap, *map(json.dumps, rest)]).encode(), "mjai")
        assert known(found.value.place).line == 3


def test_a_long_log_is_read_in_parts_without_a_gap() -> None:
    events = [ev.Draw(0, "1m"), ev.Discard(0, "9p", tsumogiri=False), ev.Riichi(1), ev.EndRound()] * 8192
    text = encode(events)
    assert len(text) > 1 << 20
    assert list(Messages(text).events) == events
    messages = Messages(text + b'{"type":"reach","actor":1,"actor":1}\n', lenient=True)
    assert list(messages.doubtful) == [len(events)]
    assert messages.place(len(events)).line == len(events) + 1


def test_a_turn_that_mjai_does_not_have_is_not_written() -> None:
    for event in (ev.Draw(4, "1m"), ev.Draw(0, "10m"), ev.Discard(-1, "1m", tsumogiri=True), ev.Discard(0, "1f")):
        deal = ev.StartRound(oya=0, dora_marker="1m", tehais=(("?",) * 13,) * 4)
        match = Match(rounds=[Round([deal, ev.Draw(0, "1m"), event])])
        with pytest.raises(MjconvError, match="message 3"):
            write([match], "mjai")
