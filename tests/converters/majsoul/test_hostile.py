"""Hostile records: each is an error with its place, or a reading, within the limits."""

import random
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest

import faults
import majsoul_made as made
from looped import looped
from mjconv.converters import formats, hub
from mjconv.converters.majsoul.protobuf import DecodeError, ProtobufDecoder
from mjconv.converters.majsoul.schema import UserEvent
from mjconv.ir import limits
from mjconv.ir.errors import MjconvError
from mjconv.ir.limits import LimitError, Limits
from mjconv.ir.losses import Report
from mjconv.testing.json_types import replaced
from trips import known, read

CORPUS = Path(__file__).parents[3] / "corpus/majsoul"
FORM = formats.find("majsoul")[0]
CLIENT = orjson.loads((CORPUS / "client.json").read_bytes())
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
                    for match, locate in hub.read(FORM, changed, Report(lenient=lenient)):
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


def inputs(count: int) -> list[dict[str, Any]]:
    return [{"passed": 1, "type": 2, "user_input": {"seat": 1, "type": 1, "emo": 2}}] * count


@pytest.mark.parametrize("place", [0, 10], ids=["before the first deal", "in a round"])
def test_a_round_with_too_many_inputs_is_refused(place: int) -> None:
    game = orjson.loads(orjson.dumps(CLIENT))
    game["data"]["data"]["actions"][place:place] = inputs(6000)
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
