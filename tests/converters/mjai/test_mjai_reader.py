"""Reading mjai: lines and batches, several games, absent keys, and errors with their place."""

import json
from functools import partial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from faults import refused_at
from handmade import DEAL, END, LOG
from logs import Message, lines
from looped import looped
from mjconv.converters.mjai.detect import recognise
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, MjconvError
from mjconv.ir.match import Name, Player, Text
from trips import known, read, write

START: Message = {"type": "start_game"}
ROUND: list[Message] = [DEAL, {"type": "ryukyoku"}, {"type": "end_kyoku"}]


def kinds(events: list[ev.Event]) -> str:
    return " ".join(ev.name_of(event) for event in events)


class TestMatches:
    def test_a_game_has_an_opening_rounds_and_a_closing(self) -> None:
        match = read(lines([START, *ROUND, *ROUND, END]), "mjai").match
        assert kinds(match.opening) == "start_game"
        assert [kinds(game_round.events) for game_round in match.rounds] == ["start_kyoku ryukyoku end_kyoku"] * 2
        assert kinds(match.closing) == "end_game"

    def test_names_are_the_players_and_without_names_nothing_is_known(self) -> None:
        match = read(lines([START | {"names": ["a", "", "石 橋", "d"]}]), "mjai").match
        assert match.players == [Player(Name(Text(name))) for name in ("a", "", "石 橋", "d")]
        assert match.opening == [ev.StartGame()]
        assert read(lines([START]), "mjai").match.players == []

    @looped(
        ("log", "matches"),
        ([START, *ROUND, END, START, *ROUND, END], ["start_game . end_game", "start_game . end_game"]),
        ([START, *ROUND, START, *ROUND, END], ["start_game . ", "start_game . end_game"]),
        ([START, START], ["start_game  ", "start_game  "]),
        ([*ROUND, END, *ROUND], [" . end_game", " . "]),
        ([*ROUND, END, END], [" . end_game end_game"]),
        ([{"type": "hello"}, {"type": "join"}, START, END], ["hello join start_game  end_game"]),
        ([START, END, {"type": "hello"}, START], ["start_game  end_game", "hello start_game  "]),
        ([START, END, {"type": "none"}, {"type": "error"}], ["start_game  end_game none error"]),
    )
    def test_where_the_next_game_begins(self, log: list[Message], matches: list[str]) -> None:
        found = read(lines(log), "mjai").matches
        assert matches == [f"{kinds(one.opening)} {'.' * len(one.rounds)} {kinds(one.closing)}" for one in found]

    def test_values_that_a_deal_does_not_state_stay_absent(self) -> None:
        deal = {key: DEAL[key] for key in ("type", "oya", "dora_marker", "tehais")}
        start = known(read(lines([deal]), "mjai").match.rounds[0].start)
        assert (start.bakaze, start.kyoku, start.honba, start.kyotaku, start.scores) == (UNSET,) * 5


def test_all_kinds_of_file_are_read_alike() -> None:
    log = [START | {"names": ["あ", "b", "c", "d"]}, *ROUND, END]
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
        assert where(f"{json.dumps(START)}\n\n{text}") == (3, 1, f"start_kyoku: {key} is missing")

    @looped("data", b"", b"\n", b" \r\n\t", b"[]", b"\xef\xbb\xbf")
    def test_a_file_without_messages(self, data: bytes) -> None:
        assert where(data)[2] == "there are no messages; an mjai file holds at least one"

    def test_play_where_no_round_is_played(self) -> None:
        for before, message in (
            ([START], "tsumo before any start_kyoku"),
            ([START, *ROUND, END], "tsumo after end_game"),
        ):
            text = '{"type":"tsumo","actor":0,"pai":"1m"}'
            assert where(lines(before).decode() + text) == (len(before) + 1, 1, message), before

    def test_bytes_that_are_no_utf_8(self) -> None:
        first = lines([START | {"names": ["あ", "b", "c", "d"]}]).replace(b"\\u3042", "あ".encode())
        bad = '{"type":"join","name":"あ'.encode() + b'\xff"}'
        line, column, message = where(first + bad)
        offset = len(first) + bad.index(b"\xff")
        assert message == f"not UTF-8: byte 0xff at offset {offset}"
        assert (line, column) == (2, 25)

    def test_columns_count_characters_and_not_bytes(self) -> None:
        text = '{"type":"tsumo","actor":0,"x":"あいう","pai":"0m"}'
        assert where(after_a_deal(text))[1] == text.index('"pai"') + 1

    def test_the_places_in_arrays_over_lines(self) -> None:
        text = json.dumps([START, {"type": "reach"}], indent=1)
        line, _, message = where(text)
        assert message == "reach: actor is missing"
        assert text.splitlines()[line - 1].strip() == "{"
        assert line == 5
        text = json.dumps([START, *ROUND], indent=1)[:-3].rstrip()
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
        for whole in (data, lines([START]) + data, b"[" + data, lines(LOG)[: len(data) * 20] + data):
            try:
                read(whole, "mjai")
            except InputError as error:
                assert error.place is not None  # noqa: PT017 - either outcome is right
