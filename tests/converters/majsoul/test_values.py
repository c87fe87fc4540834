"""Values of the JSON, and hostile records: read, refused with their places, and within the limits."""

import copy
import random
import re
from functools import cache, partial
from pathlib import Path
from typing import Any

import orjson
import pytest

import faults
import majsoul_made as made
import mjconv
import trips
from engine import play
from faults import misread
from looped import looped
from mjconv.converters import formats, hub
from mjconv.converters.majsoul.protobuf import DecodeError, ProtobufDecoder
from mjconv.converters.majsoul.schema import UserEvent
from mjconv.ir import limits
from mjconv.ir.errors import InputError, MjconvError
from mjconv.ir.limits import LimitError, Limits
from mjconv.ir.losses import Report, Warn
from mjconv.ir.match import Match
from mjconv.testing.json_types import replaced
from trips import known, read

CORPUS = Path(__file__).parents[3] / "corpus/majsoul"
CLIENT = orjson.loads((CORPUS / "client.json").read_bytes())
ACTIONS = CLIENT["data"]["data"]["actions"]
FIRST_DEAL = next(at for at, one in enumerate(ACTIONS) if "result" in one)
FIRST_DRAW = next(at for at, one in enumerate(ACTIONS) if "DealTile" in one.get("result", {}).get("name", ""))


def read_warned(text: bytes) -> tuple[Match, list[Warn]]:
    was = trips.read(text, "majsoul")
    return was.match, was.warnings


def read_client(text: bytes) -> Match:
    return read_warned(text)[0]


def test_fields_of_the_head() -> None:
    game = copy.deepcopy(CLIENT)
    game["head"].update(standard_rule=1, robots=[])
    # Of two accounts with one seat the first counts.
    game["head"]["accounts"] += [{"seat": 0, "nickname": "other"}, {"seat": 7, "nickname": "nobody"}]
    game["head"]["accounts"][0]["character"] = {"views": [{"slot": 1, "ids": [5]}], "rewarded": None}
    match, [warning] = read_warned(orjson.dumps(game))
    assert (match, warning.message) == (read_client(orjson.dumps(CLIENT)), "seat 0 is stated twice")
    # A wrong field of the head is left out with a warning.
    text = orjson.dumps(CLIENT).replace(b'"nickname":', b'"nickname":[],"other":', 1)
    match, [warning] = read_warned(text)
    assert warning.message == "Expected `str`, not []. This field of the head was left out"
    assert text.decode()[trips.known(warning.column) - 1 :].startswith("[],")
    assert match.players == []
    assert match.rules == read_client(orjson.dumps(CLIENT)).rules


def changed(at: int, way: tuple[str, ...], value: Any) -> bytes:
    """Return the client's JSON with another value in one of its actions."""
    game = copy.deepcopy(CLIENT)
    inner = game["data"]["data"]["actions"][at]
    for step in way[:-1]:
        inner = inner[step]
    inner[way[-1]] = value
    return orjson.dumps(game)


SKIPPED = {
    "a new field of a record": changed(FIRST_DRAW, ("result", "data", "new"), 1),
    "a new field beside a record": changed(FIRST_DRAW, ("result", "new"), [1]),
    "a new field of an action": changed(FIRST_DRAW, ("new",), {"a": 1}),
    "a field that is not read": changed(FIRST_DRAW, ("result", "data", "tile_state"), "many"),
    "escapes": (CORPUS / "client.json").read_bytes().replace(b'"seat"', b'"s\\u0065at"', 1),
    "spaces": orjson.dumps(CLIENT, option=orjson.OPT_INDENT_2),
    "another order of keys": orjson.dumps(CLIENT, option=orjson.OPT_SORT_KEYS),
    "a line break at the end": orjson.dumps(CLIENT, option=orjson.OPT_APPEND_NEWLINE),
}


@looped("text", *SKIPPED.values(), ids=SKIPPED.keys())
def test_fields_that_are_not_read_change_nothing(text: bytes) -> None:
    assert read_client(text) == read_client((CORPUS / "client.json").read_bytes())


WRONG = {
    "a seat that is null": (changed(FIRST_DRAW, ("result", "data", "seat"), None), "null"),
    "a seat that no game has": (changed(FIRST_DRAW, ("result", "data", "seat"), 4), "4,"),
    "a tile that is none": (changed(FIRST_DRAW, ("result", "data", "tile"), "9z"), '"9z"'),
    "a number with a fraction": (changed(FIRST_DEAL, ("result", "data", "chang"), 0.5), "0.5"),
    "a large number": (changed(FIRST_DRAW, ("passed",), 1 << 60), "1152921504606846976"),
    "a negative time": (changed(FIRST_DRAW, ("passed",), -1), "-1"),
    "a text for a number": (changed(FIRST_DEAL, ("result", "data", "chang"), "0"), '"0"'),
    "a record of an event mode": (changed(FIRST_DRAW, ("result", "name"), ".lq.RecordChangeTile"), '".lq.RecordC'),
    "an unknown record": (changed(FIRST_DRAW, ("result", "name"), ".lq.RecordOther"), '".lq.RecordOther"'),
}


def test_a_wrong_value_is_an_error_with_its_place() -> None:
    for text, value in WRONG.values():
        assert misread(text, "majsoul")[1].startswith(value)


def test_a_seat_that_is_wrong_later_gets_its_place() -> None:
    three = (CORPUS / "three.json").read_bytes()
    text = three.replace(b'{"name":"DealTile","data":{"seat":1', b'{"name":"DealTile","data":{"seat":3', 1)
    assert text != three
    assert "seat is 3, and the game has 3 players" in misread(text, "majsoul")[0]


@looped("key", b'"seat":', b'"tile":', b'"passed":', b'"name":', b'"version":', b'"uuid":')
def test_a_key_that_is_there_twice_is_refused(key: bytes) -> None:
    text = orjson.dumps(CLIENT)
    at = text.index(key)
    end = min(found for sign in (b",", b"}") if (found := text.find(sign, at)) >= 0)
    twice = text[:end] + b"," + text[at:end] + text[end:]
    for plain in (True, False):
        with pytest.raises(InputError, match="twice"):
            mjconv.convert(twice, source="majsoul", target="mjai", plain=plain)


def test_long_numbers_and_lists_are_refused() -> None:
    long_number = re.sub(rb'"uuid":"[^"]*"', b'"uuid":' + b"9" * 301, orjson.dumps(CLIENT), count=1)
    long_list = changed(FIRST_DEAL, ("result", "data", "doras"), ["1m"] * 15)
    for text, message in ((long_number, "a number has more than 300 digits"), (long_list, "length <= 14")):
        with pytest.raises(InputError, match=message):
            read_client(text)


def test_emotes_and_players_who_leave_are_read_beside_quiet_inputs() -> None:
    game = copy.deepcopy(CLIENT)
    actions = game["data"]["data"]["actions"]
    beside = [
        {"passed": 9000, "type": 2, "user_input": {"seat": 1, "type": 7}},
        {"passed": 9001, "type": 2, "user_input": {"seat": 1, "type": 1, "emo": 5}},
        {"passed": 9002, "type": 3, "user_event": {"seat": 2, "type": 2}},
        {"passed": 9003, "type": 2, "user_input": {"seat": 1}, "user_event": {"seat": 3, "type": 2}},
        {"passed": 9004, "type": 2, "user_input": {"seat": 4, "emo": 5}, "user_event": {"seat": [], "type": []}},
        {"passed": 9005, "type": 2, "user_input": {"seat": 1, "emo": [5]}, "user_event": 5},
    ]
    actions[FIRST_DRAW + 1 : FIRST_DRAW + 1] = beside
    before = read_client(orjson.dumps(CLIENT)).rounds[0].annotations
    added = [one for one in read_client(orjson.dumps(game)).rounds[0].annotations if one not in before]
    assert [(one.kind, one.seat) for one in added] == [("emote", 1), ("left", 2), ("left", 3)]
    assert added[0].value == 5


def test_without_walls_the_hash_of_a_wall_is_checked() -> None:
    was = trips.read(changed(FIRST_DEAL, ("result", "data", "md5"), "00"), "majsoul", Report(walls=False))
    assert "of the wall is wrong" in was.warnings[0].message


def test_a_wall_that_the_output_does_not_hold_is_reported_as_dropped() -> None:
    text = orjson.dumps(CLIENT)
    for target in ("mjai", "jmjp"):
        losses = mjconv.convert(text, source="majsoul", target=target, plain=True).losses
        assert ("dropped", "round.wall") in {(loss.fate, loss.what) for loss in losses}


#: A pattern whose group is the value, the new value, and the beginning of the warning.
CHANGES = {
    "the tiles left after a draw": (r'"DealTile".*?"left_tile_count":(\d+)', "3", "left_tile_count is 3, and "),
    "a tile in the hand of a winner": (r'"hules":\[\{"hand":\["(..)"', "7z", "hand is 7z "),
    "a group of a winner": (r'"ming":\["(\w+)', "pair", "ming is pair("),
    "whether the winner is the dealer": (r'"qinjia":(\w+)', None, "qinjia is "),
    "whether the winner is in riichi": (r'"qinjia":\w+,"liqi":(\w+)', None, "liqi is "),
    "a payment by each": (r'"zimo":false(?:(?!"zimo").)*?"point_zimo_xian":(\d+)', "11", "point_zimo_xian is "),
    "a payment by one": (r'"zimo":true(?:(?!"zimo").)*?"point_rong":(\d+)', "11", "point_rong is 11, and "),
    "a double riichi": (r'"is_liqi":true,"is_wliqi":(false)', "true", "is_wliqi is true, but "),
    "the points before a win": (r'"old_scores":\[(\d+)', "11", "old_scores is 11 "),
    "the points after a win": (r'"delta_scores":\[[-\d,]+\],"scores":\[(-?\d+)', "11", "scores is 11 "),
    "the points at a riichi": (r'"liqi":\{"seat":\d,"score":(\d+)', "11", "liqi states 11 points and "),
    "the sticks at a riichi": (r'"score":\d+,"liqibang":(\d+)', "8", "liqi states "),
    "a liable player that no win has": (r'"baopai":(0)', "2", "baopai is 2, and no win has"),
    "a hand at an exhausted wall": (r'"tingpai":true,"hand":\["(..)"', "7z", "hand is 7z "),
    "the player with nine kinds": (r'"LiuJu","data":\{"type":1,"seat":(\d)', "2", "seat is 2, and the play"),
    "the tiles of nine kinds": (r'"LiuJu","data":\{"type":1,"seat":\d,"tiles":\["(..)"', "5m", "tiles is 5m "),
}


@cache
def texts() -> list[str]:
    """Return the records of the corpus, which has no exhausted wall and no self-drawn win, and two that have."""
    records = [path.read_bytes() for path in sorted(CORPUS.glob("*.json"))]
    logs = (play(seed, length="east") for seed in (5, 8))
    written = [mjconv.convert(log, source="mjai", target="majsoul", plain=True).data for log in logs]
    return [record.decode() for record in (*records, *written)]


@looped(("pattern", "new", "message"), *CHANGES.values(), ids=CHANGES.keys())
def test_a_repeated_value_that_differs_is_a_warning(pattern: str, new: str | None, message: str) -> None:
    tried = 0
    for text in texts():
        value = re.search(pattern, text)
        if value is None:
            continue
        other = new or {"true": "false", "false": "true"}[value[1]]
        match, warnings = read_warned(f"{text[: value.start(1)]}{other}{text[value.end(1) :]}".encode())
        right, before = read_warned(text.encode())
        [warning] = [each for each in warnings if each not in before]
        assert warning.message.startswith(message)
        assert warning.line is not None
        assert warning.column is not None
        assert match == right
        tried += 1
    assert tried


def test_a_right_record_gives_no_such_warning() -> None:
    for text in texts():
        assert not [each for each in read_warned(text.encode())[1] if "the play makes it" in each.message]


# Hostile records: each is an error with its place, or a reading, within the limits.
refused = partial(faults.refused, source="majsoul")


def test_a_reply_that_is_cut_is_refused_at_every_byte() -> None:
    reply = made.reply(CLIENT)
    for end in range(5, len(reply), 37):
        error = refused(reply[:end])
        assert "byte " in error.message or "no JSON" in error.message


def test_lengths_that_lie_are_refused_with_the_byte() -> None:
    error = refused(b"\x0a\x15.lq.GameDetailRecords\x12\x7f\x1a\x05")
    assert error.message == "byte 24: a field of 127 bytes, and 2 are left"
    for data, message in (
        (b"\xff" * 11, "a number does not end"),
        (b"\x0b", "wire type 3"),
        (b"\x00\x01", "0 is no number of a field"),
    ):
        with pytest.raises(DecodeError, match=message):
            ProtobufDecoder(data).details(0, len(data))
    with pytest.raises(DecodeError, match="is a number, and bytes are here"):
        ProtobufDecoder(b"\x12\x01\x05").message(UserEvent, 0, 3)


@looped(
    ("path", "value"),
    ((0, "data", "tiles1", 5), "0z"),
    ((0, "data", "scores", 3), "x"),
    ((-1, "data", "hules", 0, "fans", 0, "id"), -1),
)
def test_an_error_in_a_list_has_the_place_of_its_value(path: tuple[str | int, ...], value: object) -> None:
    game = orjson.loads((CORPUS / "four.json").read_bytes())
    text = orjson.dumps(replaced(game, ("rounds", 0, *path), "@"))
    error = refused(text.replace(b'"@"', orjson.dumps(value)))
    assert known(error.place).column == len(text[: text.index(b'"@"')].decode()) + 1


def test_bytes_that_change_make_an_error_or_a_reading() -> None:
    rng = random.Random(5)
    for data in (made.reply(CLIENT), made.details(CLIENT), (CORPUS / "client.json").read_bytes()):
        for _ in range(300):
            at = rng.randrange(len(data))
            changed = data[:at] + rng.randbytes(rng.randrange(1, 3)) + data[at + rng.randrange(3) :]
            for lenient in (False, True):
                place: object = ""
                try:
                    for match, locate in hub.read(formats.find("majsoul")[0], changed, Report(lenient=lenient)):
                        locate(len(match.rounds) - 1, 0, "deltas")
                except MjconvError as error:
                    place = None if lenient else error.place
                assert place is not None


def with_field(value: Any) -> bytes:
    game = orjson.loads(orjson.dumps(CLIENT))
    game["data"]["data"]["actions"][5]["result"]["data"]["deep"] = "@"
    return orjson.dumps(game).replace(b'"@"', value)


@looped(("opening", "closing"), (b"[", b"]"), (b'{"a":', b"}"))
def test_a_field_that_is_nested_too_deep_is_refused(opening: bytes, closing: bytes) -> None:
    for depth in (300, 900, 100_000):
        assert "nested more than 200 deep" in refused(with_field(opening * depth + b"1" + closing * depth)).message
    assert read(with_field(opening * 150 + b"1" + closing * 150), "majsoul").matches


def test_the_limits_of_nesting() -> None:
    with limits.using(Limits(nesting=12)):
        assert read(with_field(b"[[1]]"), "majsoul").matches
        error = refused(with_field(b"[" * 9 + b"1" + b"]" * 9))
    assert "nested more than 12 deep" in error.message
    # Keys in camel case are bounded too.
    data = with_field(b"[" * 900 + b"1" + b"]" * 900).replace(b'"left_tile_count"', b'"leftTileCount"')
    assert "nested more than 200 deep" in refused(data).message


@pytest.mark.parametrize("place", [0, 10], ids=["before the first deal", "in a round"])
def test_a_round_with_too_many_inputs_is_refused(place: int) -> None:
    game = orjson.loads(orjson.dumps(CLIENT))
    emote = {"passed": 1, "type": 2, "user_input": {"seat": 1, "type": 1, "emo": 2}}
    game["data"]["data"]["actions"][place:place] = [emote] * 6000
    for data in (orjson.dumps(game, option=orjson.OPT_INDENT_2), made.details(game)):
        assert "a round has more than 5000 events" in refused(data).message
    assert isinstance(refused(orjson.dumps(game)), LimitError)


def test_a_hundred_megabytes_of_inputs_in_protobuf_are_refused_soon() -> None:
    action = b"\x1a\x0a\x08\x01\x10\x02\x22\x04\x08\x01\x10\x01" * 8_400_000
    length = bytes([len(action) >> shift & 0x7F | 0x80 * (shift < 21) for shift in (0, 7, 14, 21)])
    error = refused(b"\x0a\x15.lq.GameDetailRecords\x12" + length + action)
    assert "a round has more than 5000 events" in error.message
    assert error.message.startswith("byte ")


def test_hexadecimal_digits_that_are_broken_are_refused() -> None:
    assert "each byte has two" in refused(made.reply(CLIENT).hex().encode()[:-1]).message
