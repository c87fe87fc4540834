"""Tiles and calls of tenhou.net/6 JSON."""

from mjconv.converters.tenhou.json_turns import JsonCall, read_call, write_call
from mjconv.converters.tenhou.vocabulary import NUMBER_OF, TILE_OF


def test_every_tile_has_a_number() -> None:
    assert {number: TILE_OF[number] for number in (11, 29, 35, 41, 45, 46, 47, 51, 52, 53, 0)} == {
        11: "1m",
        29: "9p",
        35: "5s",
        41: "E",
        45: "P",
        46: "F",
        47: "C",
        51: "5mr",
        52: "5pr",
        53: "5sr",
        0: "?",
    }
    assert len(NUMBER_OF) == 38


def test_a_call_is_read_and_written() -> None:
    for text, call in (
        ("c275226", JsonCall("chi", ("5pr", "6p"), "7p", 3)),
        ("p252552", JsonCall("pon", ("5p", "5pr"), "5p", 3)),
        ("25p2552", JsonCall("pon", ("5p", "5pr"), "5p", 2)),
        ("2552p25", JsonCall("pon", ("5p", "5pr"), "5p", 1)),
        ("2525p52", JsonCall("pon", ("5p", "5p"), "5pr", 1)),
        ("m39393939", JsonCall("daiminkan", ("9s",) * 3, "9s", 3)),
        ("39m393939", JsonCall("daiminkan", ("9s",) * 3, "9s", 2)),
        ("222222m22", JsonCall("daiminkan", ("2p",) * 3, "2p", 1)),
        ("3737k3737", JsonCall("kakan", ("7s", "7s"), "7s", 1, "7s")),
        ("k51151515", JsonCall("kakan", ("5m", "5m"), "5m", 3, "5mr")),
        ("151515a51", JsonCall("ankan", ("5m", "5m", "5m", "5mr"))),
        ("f44", JsonCall("nukidora", ("N",))),
    ):
        assert read_call(text) == call, text
        assert write_call(call) == text, text


def test_what_is_no_call_is_not_read() -> None:
    for text in ("c2752p26", "c27", "27c2628", "2727m2727", "x272727", "p9999", "p606060", "", "p" * 99):
        assert read_call(text) is None, text


def test_calls_in_another_order_of_tiles_are_read() -> None:
    assert read_call("p255225") == JsonCall("pon", ("5p", "5pr"), "5p", 3)
    assert read_call("a12121212") == read_call("121212a12")
