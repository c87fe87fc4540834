"""Reading mjai: lines and batches, usual lines, absent keys, places of events, errors with their place."""

import json
from functools import partial
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from faults import refused_at
from handmade import DEAL, END, GAME, LOG, PLAY, START
from logs import Log, Message, lines, logs, messages
from looped import looped
from mjconv.converters.mjai.detect import recognise
from mjconv.converters.mjai.lines import encode, spelled_as, usual_lines
from mjconv.converters.mjai.messages import Messages
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, MjconvError
from mjconv.ir.match import Match, Name, Player, Round, Text
from mjconv.ir.tiles import HIDDEN, RIICHI_TILES
from trips import known, places, read, standard, write

BEGIN: Message = {"type": "start_game"}
ROUND: list[Message] = [DEAL, {"type": "ryukyoku"}, {"type": "end_kyoku"}]


def kinds(events: list[ev.Event]) -> str:
    return " ".join(ev.name_of(event) for event in events)


class TestMatches:
    def test_a_game_has_an_opening_rounds_and_a_closing(self) -> None:
        match = read(lines([BEGIN, *ROUND, *ROUND, END]), "mjai").match
        assert kinds(match.opening) == "start_game"
        assert [kinds(game_round.events) for game_round in match.rounds] == ["start_kyoku ryukyoku end_kyoku"] * 2
        assert kinds(match.closing) == "end_game"

    def test_names_are_the_players_and_without_names_nothing_is_known(self) -> None:
        match = read(lines([BEGIN | {"names": ["a", "", "石 橋", "d"]}]), "mjai").match
        assert match.players == [Player(Name(Text(name))) for name in ("a", "", "石 橋", "d")]
        assert match.opening == [ev.StartGame()]
        assert read(lines([BEGIN]), "mjai").match.players == []

    @looped(
        ("log", "matches"),
        ([BEGIN, *ROUND, END, BEGIN, *ROUND, END], ["start_game . end_game", "start_game . end_game"]),
        ([BEGIN, *ROUND, BEGIN, *ROUND, END], ["start_game . ", "start_game . end_game"]),
        ([BEGIN, BEGIN], ["start_game  ", "start_game  "]),
        ([*ROUND, END, *ROUND], [" . end_game", " . "]),
        ([*ROUND, END, END], [" . end_game end_game"]),
        ([{"type": "hello"}, {"type": "join"}, BEGIN, END], ["hello join start_game  end_game"]),
        ([BEGIN, END, {"type": "hello"}, BEGIN], ["start_game  end_game", "hello start_game  "]),
        ([BEGIN, END, {"type": "none"}, {"type": "error"}], ["start_game  end_game none error"]),
    )
    def test_where_the_next_game_begins(self, log: list[Message], matches: list[str]) -> None:
        found = read(lines(log), "mjai").matches
        assert matches == [f"{kinds(one.opening)} {'.' * len(one.rounds)} {kinds(one.closing)}" for one in found]

    def test_values_that_a_deal_does_not_state_stay_absent(self) -> None:
        deal = {key: DEAL[key] for key in ("type", "oya", "dora_marker", "tehais")}
        start = known(read(lines([deal]), "mjai").match.rounds[0].start)
        assert (start.bakaze, start.kyoku, start.honba, start.kyotaku, start.scores) == (UNSET,) * 5


def test_all_kinds_of_file_are_read_alike() -> None:
    log = [BEGIN | {"names": ["あ", "b", "c", "d"]}, *ROUND, END]
    said, array = lines(log), json.dumps(log).encode()
    first, rest = json.dumps(log[0]).encode(), json.dumps(log[1:]).encode()
    for data in (
        *(said, said.rstrip(b"\n"), said.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + said),
        *(b"\n \n\t\n" + said.replace(b"\n", b"\n\n"), array, b"\xef\xbb\xbf \n" + array + b"\n\n"),
        *(json.dumps(log, indent=2, ensure_ascii=False).encode(), b"[]\n" + array),
        *(b"[" + first + b"]\n" + rest, first + b"\n" + rest),
    ):
        assert read(data, "mjai").matches == read(said, "mjai").matches, data
        assert recognise(data) == (not data.startswith(b"[]")), data


where = partial(refused_at, source="mjai")


def after_a_deal(text: str) -> str:
    return f"{json.dumps(DEAL)}\n{text}"


def with_deal(**changes: Any) -> str:
    return json.dumps({**DEAL, **changes})


#: Wrong messages, each with its error and the column of the error.
WRONG = [
    ('{"type":"tsu', "not JSON: unexpected end of data", 13),
    ('{"type":"tsumo","actor":0,,', "not JSON: ", 27),
    ('{"type":"none","x":NaN}', "not JSON: ", 20),
    ('{"type":"none"} {"type":"none"}', "not JSON: ", 17),
    ('{"type":"tsumo","actor":"0","pai":"1m"}', "tsumo.actor: Expected `int`, got `str`", 17),
    ('{"type":"tsumo","actor":4,"pai":"1m"}', "tsumo.actor: a seat is 0 to 3", 17),
    ('{"type":"tsumo","actor":0,"pai":"0m"}', "tsumo.pai: '0m' is no tile: 1m to 9m", 27),
    ('{"type":"tsumo","actor":0,"pai":"1z"}', "tsumo.pai: '1z' is no tile", 27),
    ('{"type":"chi","actor":1,"target":0,"pai":"1m","consumed":["2m","10m"]}',
     "chi.consumed[1]: '10m' is no tile", 47),
    ('{"type":"tsumo","pai":"1m"}', "tsumo: actor is missing", 1),
    ('{"type":"hora","actor":0}', "hora: target is missing", 1),
    ('{"type":"hora","actor":0,"target":1,"hora_points":-5}', "hora.hora_points: Expected `int` >= 0", 37),
    ('{"type":"kong"}', "Unknown message type 'kong'", 2),
    ('{"type":7}', "a message needs a `type` that is a string", 2),
    ("{}", "a message needs a `type` that is a string", 1),
    ("1", "a message is a JSON object, not a number", 1),
    ('"x"', "a message is a JSON object, not a string", 1),
    ("null", "a message is a JSON object, not null", 1),
    ("true", "a message is a JSON object, not true or false", 1),
    ("[[]]", "a message is a JSON object, not an array", 2),
    ("[1]", "a message is a JSON object, not a number", 2),
    ('[{"type":"none"} {"type":"none"}]', "not JSON: Expecting ',' or ']'", 18),
    ('[{"type":"none"}', "not JSON: ", 17),
    ('[{"type":"none"}]]', "not JSON: Extra data after the array", 18),
]  # fmt: skip
HAND = "a hand has 13 tiles, in some games 16, and there are 3 or 4 hands"


class TestErrors:
    def test_each_has_its_line_its_column_and_its_message(self) -> None:
        for text, message, column in WRONG:
            line, at, found = where(after_a_deal(text))
            assert found.startswith(message), text
            assert (line, at) == (2, column), text

    def test_those_in_a_deal_point_at_their_key(self) -> None:
        for text, message, key in (
            (with_deal(tehais=[["1m"] * 12] * 4), f"start_kyoku.tehais[0]: {HAND}", "tehais"),
            (with_deal(tehais=[["1m"] * 14] * 4), f"start_kyoku.tehais: {HAND[:37]}", "tehais"),
            (with_deal(tehais=[["1m"] * 13] * 2), f"start_kyoku.tehais: {HAND}", "tehais"),
            (with_deal(bakaze="e"), "start_kyoku.bakaze: 'e' is no wind: E, S, W or N", "bakaze"),
            (with_deal(kyoku=0), "start_kyoku.kyoku: Expected `int` >= 1", "kyoku"),
            (with_deal(scores=[1, 2]), "start_kyoku.scores: Expected `array` of length >= 3", "scores"),
            (with_deal(honba=-1), "start_kyoku.honba: Expected `int` >= 0", "honba"),
        ):  # fmt: skip
            assert where(text) == (1, text.index(f'"{key}"') + 1, message), text

    @looped("key", "oya", "dora_marker", "tehais")
    def test_a_deal_states_its_dealer_dora_and_hands(self, key: str) -> None:
        text = json.dumps({name: value for name, value in DEAL.items() if name != key})
        assert where(f"{json.dumps(BEGIN)}\n\n{text}") == (3, 1, f"start_kyoku: {key} is missing")

    @looped("data", b"", b"\n", b" \r\n\t", b"[]", b"\xef\xbb\xbf")
    def test_a_file_without_messages(self, data: bytes) -> None:
        assert where(data)[2] == "there are no messages; an mjai file holds at least one"

    def test_play_where_no_round_is_played(self) -> None:
        for before, message in (
            ([BEGIN], "tsumo before any start_kyoku"),
            ([BEGIN, *ROUND, END], "tsumo after end_game"),
        ):
            text = '{"type":"tsumo","actor":0,"pai":"1m"}'
            assert where(lines(before).decode() + text) == (len(before) + 1, 1, message), before

    def test_bytes_that_are_no_utf_8(self) -> None:
        first = lines([BEGIN | {"names": ["あ", "b", "c", "d"]}]).replace(b"\\u3042", "あ".encode())
        bad = '{"type":"join","name":"あ'.encode() + b'\xff"}'
        line, column, message = where(first + bad)
        offset = len(first) + bad.index(b"\xff")
        assert message == f"not UTF-8: byte 0xff at offset {offset}"
        assert (line, column) == (2, 25)

    def test_columns_count_characters_and_not_bytes(self) -> None:
        text = '{"type":"tsumo","actor":0,"x":"あいう","pai":"0m"}'
        assert where(after_a_deal(text))[1] == text.index('"pai"') + 1

    def test_the_places_in_arrays_over_lines(self) -> None:
        text = json.dumps([BEGIN, {"type": "reach"}], indent=1)
        line, _, message = where(text)
        assert message == "reach: actor is missing"
        assert text.splitlines()[line - 1].strip() == "{"
        assert line == 5
        text = json.dumps([BEGIN, *ROUND], indent=1)[:-3].rstrip()
        line, _, message = where(text)
        assert message.startswith("not JSON")
        assert line == len(text.splitlines())

    @looped("depth", 100, 400, 900, 985, 1000, 1020, 5000, 100_000)
    def test_deep_nesting_is_read_and_written_or_refused(self, depth: int) -> None:
        text = f'{{"type":"start_game","seed":{"[" * depth}{"]" * depth}}}'
        try:
            match = read(text.encode(), "mjai").match
            for target in ("mjai", "jmjp"):
                assert read(write([match], target).data, target).match == match
        except MjconvError as error:
            assert depth > 100
            assert error.message  # noqa: PT017

    @given(st.binary(max_size=60))
    def test_no_bytes_make_a_crash(self, data: bytes) -> None:
        for whole in (data, lines([BEGIN]) + data, b"[" + data, lines(LOG)[: len(data) * 20] + data):
            try:
                read(whole, "mjai")
            except InputError as error:
                assert error.place is not None  # noqa: PT017 - either outcome is right


# The places of events in an mjai file.


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


# The usual lines of mjai, which are looked up: they are read and written as if they were decoded.

#: How `json.dumps` spells a message: as mjconv, with spaces, and both with sorted keys.
SEPARATORS = ((",", ":"), (", ", ": "))
SPELLINGS: list[dict[str, Any]] = [
    {"sort_keys": ordered, "separators": each} for ordered, each in product((False, True), SEPARATORS)
]

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
        assert msgspec.json.decode(line, type=ev.Event) == event


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
