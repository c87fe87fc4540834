import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faults import refused_at
from grammar_parts import parts, used
from looped import looped
from mjconv.converters.jmjp.explain import TEXTS
from mjconv.converters.jmjp.frames import File, Flow, Frame
from mjconv.converters.jmjp.grammar import fine_parser, grammar_text
from mjconv.converters.jmjp.parser import parse
from mjconv.converters.jmjp.spelling import CODES, codes_of
from mjconv.converters.jmjp.text import StrippedText
from mjconv.ir.errors import InputError
from mjconv.ir.match import Match, Text

from .texts import PLAYERS, VERSIONS, file, flow, frame, match, whole


def read(text: str) -> File:
    return parse(StrippedText(text))


def info(before: str = "mtp[,,,]" + PLAYERS, after: str = "", major: int = 1) -> Match:
    return read(file(match(before=before, after=after), major=major)).matches[0].info


def only_frame(text: str, major: int = 1) -> Frame:
    (found,) = read(file(match(text), major=major)).matches[0].frames
    return found


def only_flow(text: str, major: int = 1) -> Flow:
    (found,) = only_frame(frame(text), major).flows
    return found


refusal = partial(refused_at, source="jmjp")


def test_table_1_has_codes_for_five_fields() -> None:
    fields = ("tour_name", "tour_stage", "match_place", "plyer_team", "plyer_affil")
    assert [len(codes_of(field)) for field in fields] == [1, 8, 1, 8, 9]


def test_strings_are_read_as_their_version_has_it() -> None:
    for major, spelled, meant in (
        (1, r'"a\"b"', 'a"b'),
        (1, r'"a\nb\\c"', r"a\nb\\c"),
        (1, r'"\\""', '\\"'),
        (1, '""', ""),
        (1, '"line\r\n// no comment"', "line\r\n// no comment"),
        (0, '"a\\"', "a\\"),
        (0, '"// a\n"', "// a\n"),
    ):
        assert info(f"mtp[,,,snt[{spelled}]]{PLAYERS}", major=major).place == Text(native=meant), major


def test_players_may_have_any_order_and_are_there_once() -> None:
    players = 'ply[2,,snt["c"],,]ply[0,,snt["a"],,]ply[3,,snt["d"],,]ply[1,,snt["b"],,]'
    assert [player.team for player in info("mtp[,,,]" + players).players] == [Text(native=name) for name in "abcd"]
    text = "jmjp[1.0]\n(mtp[,,,]\n ply[0,,,,]\n ply[1,,,,]\n ply[0,,,,] ply[2,,,,])"
    assert refusal(text) == (5, 6, "player 0 is listed twice, and player 3 is missing")


def test_values_that_cannot_be_are_refused() -> None:
    for before, column, said in (
        ("mtp[20180231,,,]", 5, "there is no date 20180231"),
        ("mtp[00000101,,,]", 5, "there is no date 00000101"),
        ("mtp[,,2560,]", 7, "there is no time 2560"),
        ("tnm[,,,1234567890,]mtp[,,,]", 8, "the number has 10 digits, at most 9 are read"),
        ("mtp[,,,]rec[,E1-00000]", 17, "the honba has 5 digits, at most 4 are read"),
        ("mtp[,,,]" + PLAYERS + frame(name="E1-12345") + ")", 56, "the honba has 5 digits, at most 4 are read"),
    ):
        line, found, message = refusal(f"jmjp[1.0](\n{before}{PLAYERS})")
        assert (line, found) == (2, column), before
        assert said in message, before


def test_points_are_bounded() -> None:
    for number in ("1000000.1", "-1000000.1", "9" * 5000 + ".0"):
        for text in (
            *("frm[E1-0,\n{},,,,,,]", "frm[E1-0,,,pfs[1.0,2.0,3.0,\n{}],,,,]", "pme[1.0,2.0,\n{},2.0]"),
            *("frm[E1-0,,3-4,,,,pfe[1.0,\n{},3.0,4.0],]", "ptn[(,),(1.0,\n{}),(,),(,)]"),
            "ptr[1.0,2.0,(1.0,1.0),\n{},1.0]",
        ):
            line, column, message = refusal(f"jmjp[1.0](mtp[,,,]{PLAYERS}{text.format(number)})")
            assert (line, column) == (2, 1), (number, text)
            assert "points go to 1000000.0" in message, (number, text)


def test_sticks_dice_and_frame_ids() -> None:
    # No sticks are not absent sticks.
    assert only_frame(frame(kyoutak="0.0")).kyoutak == 0
    for dice, meant in (("1-1", (1, 1)), ("6-5", (6, 5)), ("2", (2,)), ("9", (9,)), ("10", (10,)), ("12", (12,))):
        assert only_frame(frame(dice=dice)).dice == meant, dice
    for wind in "ESWN":
        for number in (1, 4):
            found = only_frame(frame(name=f"{wind}{number}-0007"))
            assert (found.wind, found.number, found.honba) == (wind, number, 7)


def test_a_very_long_flow_is_read() -> None:
    assert len(only_flow(flow(*["e,5m,tg"] * 50_000)).acts) == 50_000


# The grammar


@looped("major", *VERSIONS)
def test_a_whole_file_uses_every_part_of_the_grammar(major: int) -> None:
    assert parts(major) - used(whole(major)) == set()
    assert used(whole(major)) - parts(major) == set()


@given(st.data())
def test_every_tile_is_read_and_nothing_else(data: st.DataObject) -> None:
    numbers = {f"{rank}{suit}" for rank in range(10) for suit in "mps"}
    tiles = numbers | {"ew", "sw", "ww", "nw", "wd", "gd", "rd", "uk"}
    tile = data.draw(st.sampled_from(sorted(tiles)) | st.text("0123456789mpseswngrduk", min_size=2, max_size=2))
    text = file(match(frame(flow(f"e,{tile},tg"))))
    if tile in tiles | {"rn"}:
        parse(StrippedText(text))
    else:
        with pytest.raises(InputError):
            parse(StrippedText(text))


@looped("major", *VERSIONS)
def test_every_terminal_has_words_for_errors(major: int) -> None:
    spelled_out = [terminal.name for terminal in fine_parser(major).terminals if terminal.pattern.type == "re"]
    assert set(spelled_out) - TEXTS.words.keys() == set()


def test_the_grammar_has_each_shorthand_token_once() -> None:
    spelled = re.findall(r'"([a-z0-9-]+)"', "\n".join(grammar_text(1).split("\nTOUR_NAME:")[1:]))
    assert sorted(spelled) == sorted(CODES)
