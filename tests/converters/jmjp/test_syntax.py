"""The grammar of jmjp, and the text below it: white space, comments, strings, the head."""

import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faults import refused_at, spot
from grammar_parts import parts, used
from looped import looped
from mjconv.converters.jmjp.explain import TEXTS
from mjconv.converters.jmjp.frames import File, Flow, Frame
from mjconv.converters.jmjp.grammar import fine_parser, grammar_text
from mjconv.converters.jmjp.parser import parse
from mjconv.converters.jmjp.spelling import CODES, codes_of
from mjconv.converters.jmjp.text import SourceComment, StrippedText
from mjconv.ir.errors import InputError
from mjconv.ir.match import Match, Text

from .texts import ACTS, CONCEALED, HANDS, PLAYERS, VERSIONS, file, final_hands, flow, frame, match, whole


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


@looped("major", *VERSIONS)
def test_a_file_states_its_version_and_holds_matches(major: int) -> None:
    found = read(whole(major))
    assert (found.version, found.major, len(found.matches)) == (VERSIONS[major], major, 3)


def test_matches_know_their_places() -> None:
    text = file(match(frame()), match(), match(frame() + frame()))
    found = read(text).matches
    assert [text[each.begin : each.end] for each in found] == [match(frame()), match(), match(frame() + frame())]
    assert [len(each.frames) for each in found] == [1, 0, 2]


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


def test_every_field_of_a_frame() -> None:
    points = {"pfs": "pfs[25.0,-1.5,0.0,24.9]", "pfe": "pfe[1.0,2.0,3.0,4.0]"}
    head = {"name": "S3-12", "kyoutak": "2.0", "dice": "1-6", "dora": "1m0pukewewwdukukukuk", **points}
    text = frame(flow("e,5m,tg"), **head, comment='snt["a"]srm["b"]')
    found = only_frame(text)
    assert (found.wind, found.number, found.honba, found.kyoutak, found.dice) == ("S", 3, 12, 2000, (1, 6))
    assert found.pfs == (25000, -1500, 0, 24900)
    assert found.dora == ("1m", "0p", "uk", "ew", "ew", "wd", "uk", "uk", "uk", "uk")
    assert found.pfe == (1000, 2000, 3000, 4000)
    assert found.comment == Text("a", "b")
    assert [each.acts for each in found.flows] == [["e,5m,tg"]]
    begin = file(match(text)).index("frm[")
    assert (found.begin, found.end) == (begin, begin + len(text))


def test_sticks_dice_and_frame_ids() -> None:
    # No sticks are not absent sticks.
    assert only_frame(frame(kyoutak="0.0")).kyoutak == 0
    for dice, meant in (("1-1", (1, 1)), ("6-5", (6, 5)), ("2", (2,)), ("9", (9,)), ("10", (10,)), ("12", (12,))):
        assert only_frame(frame(dice=dice)).dice == meant, dice
    for wind in "ESWN":
        for number in (1, 4):
            found = only_frame(frame(name=f"{wind}{number}-0007"))
            assert (found.wind, found.number, found.honba) == (wind, number, 7)


@looped("major", *VERSIONS)
def test_a_flow_has_hands_acts_and_hands(major: int) -> None:
    found = only_flow(flow(*ACTS[major], end=final_hands(major)), major)
    assert found.start == [f"{seat},hnd[{CONCEALED},,]" for seat in "eswn"]
    assert found.acts == list(ACTS[major])
    assert "".join(f"({hand})" for hand in found.end) == final_hands(major)


def test_a_flow_may_have_no_acts_and_a_frame_several_flows() -> None:
    assert only_flow(flow()).acts == []
    found = only_frame(frame(flow("e,5m,tg") + flow() + flow("s,6m,tg", "w,7m,tg")))
    assert [each.acts for each in found.flows] == [["e,5m,tg"], [], ["s,6m,tg", "w,7m,tg"]]


@looped("major", *VERSIONS)
def test_every_act_and_hand_knows_its_place(major: int) -> None:
    text = file(match(frame(flow(*ACTS[major], end=final_hands(major)) + flow("s,ew,tg"))), major=major)
    for found in read(text).matches[0].frames[0].flows:
        for part in ("start", "acts", "end"):
            entries = getattr(found, part)
            assert entries
            assert found.offset(part, 0) == getattr(found, f"{part}_at")
            for index, entry in enumerate(entries):
                assert text.startswith(f"({entry})", found.offset(part, index))


def test_hands_may_have_any_order_and_seats_are_not_checked() -> None:
    shuffled = "".join(f"({seat},hnd[1m,,])" for seat in "nnee")
    assert [hand[0] for hand in only_flow(shuffled + HANDS).start] == list("nnee")


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


def head_refusal(data: bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        StrippedText.from_bytes(data)
    return caught.value


def test_white_space_goes_everywhere_but_in_strings() -> None:
    source = StrippedText('jm jp[\t1\n.0]\r\n(f r m [E 1 - 0,,,,,,,snt["a  b\n c"] ]\u3000)\xa0')
    assert source.stripped == 'jmjp[1.0](frm[E1-0,,,,,,,snt["a  b\n c"]])'


def test_comments_go_to_the_end_of_their_line_and_are_kept() -> None:
    source = StrippedText('// one\njmjp//two\r\n[1.0] // "three\n(// four')
    assert source.stripped == "jmjp[1.0]("
    comments = [(comment.offset, comment.text) for comment in source.comments]
    assert comments == [(0, " one"), (4, "two"), (9, ' "three'), (10, " four")]
    for comment in source.comments:
        assert source.text.startswith("//" + comment.text, comment.origin)


def test_strings_comments_and_quotes() -> None:
    source = StrippedText('jmjp[1.0]("http://x" // say "hi\n"//")')
    assert source.stripped == 'jmjp[1.0]("http://x""//")'
    assert source.comments == [SourceComment(20, ' say "hi', 21)]
    # In 1 x a backslash before a quote keeps the string open.
    source = StrippedText(r'jmjp[1.0]("a\" b" , "c\d" , "e\\" f")')
    assert source.stripped == r'jmjp[1.0]("a\" b","c\d","e\\" f")'
    # In version 0 a string ends at the next quote.
    source = StrippedText(r'jmjp[0]("a\" , "b c" )')
    assert source.stripped == r'jmjp[0]("a\","b c")'


@looped(("version", "major"), ("0", 0), ("0.3", 0), ("1", 1), ("1.0", 1), ("1.12", 1))
def test_versions_that_are_read(version: str, major: int) -> None:
    source = StrippedText(f"jmjp[{version}](")
    assert (source.version, source.major) == (version, major)


def test_heads_with_blanks_marks_and_newer_versions() -> None:
    assert StrippedText("jmjp[ 1 // one ]\n . // point\n 0 ](").version == "1.0"
    source = StrippedText.from_bytes(b"\xef\xbb\xbfjmjp[1.0](")
    assert source.stripped == "jmjp[1.0]("
    assert source.place(0).column == 1
    assert "reads 0 and 1.x" in head_refusal(b"jmjp[2.0](").message


def test_an_error_in_a_head_or_a_string_has_its_place() -> None:
    for data, place, said in (
        *((data, (1, 1), "the file is empty") for data in (b"", b" \n // nothing\n", b"\xef\xbb\xbf")),
        (b'\n {"type":"hello"}', (2, 2), "not a jmjp file"),
        (b"jmjp", (1, 1), "not a jmjp file"),
        *((data, (1, 6), "expected the version") for data in (b"jmjp[", b"jmjp[]", b"jmjp[" + b"1" * 29 + b"](")),
        (b"jmjp[\n x]", (2, 2), "expected the version"),
        (b"jmjp[ 2.0](", (1, 7), "version 2.0"),
        (b"jmjp[10](", (1, 6), "version 10"),
        (b"jmjp[1.0.0](", (1, 6), "'1.0.0' is no version"),
        (b"jmjp[01.0](", (1, 6), "'01.0' is no version"),
        (b"jmjp[.](", (1, 6), "'.' is no version"),
        (b'jmjp[1.0]\n(snt["a\\"', (2, 6), "a string is not closed"),
        (b'jmjp[0](snt["a"][ "\n//\n', (1, 19), "a string is not closed"),
        (b'jmjp[0](snt["a"]"\n//\n', (1, 17), "a quote closes no string: expected another"),
        (b'jmjp[1.0]\n(srm["a"]\n[snt["b]srm["c"]]\nsrm["d"])', (3, 6), "a string is not closed"),
        (b'jmjp[1.0]\n(srm["a"]\n[snt[b"]srm["c"]]\nsrm["d"])', (3, 7), "a quote closes no string"),
        (b'jmjp[1.0]\n(srm["a" // x\n],"b" // "\n)snt["c])', (3, 3), "a quote closes no string"),
        (b'jmjp[0](snt["a\\"b"])', (1, 13), "before the file ends; version 0 has no escaped quotes"),
    ):
        error = head_refusal(data)
        assert spot(error.place) == place, data
        assert said in error.message, data


@looped("mark", b"", b"\xef\xbb\xbf")
def test_bad_utf_8_is_reported_with_its_byte_offset_line_and_column(mark: bytes) -> None:
    good = mark + "jmjp[1.0]\n(東".encode()
    error = head_refusal(good + b"\xff)")
    assert spot(error.place) == (2, 3)
    assert f"byte offset {len(good)}" in error.message
    assert "0xff" in error.message


@given(st.data(), st.sampled_from(sorted(VERSIONS)))
def test_blanks_and_comments_put_in_anywhere_are_taken_out_and_every_place_is_found(
    data: st.DataObject, major: int
) -> None:
    stripped = whole(major)
    blank = st.sampled_from([" ", "\n", "\r\n", "\t", "\u3000", "// x\n", '//"\r\n', "///\n"])
    cuts = data.draw(st.sets(st.integers(0, len(stripped)), max_size=30))
    outside = [place for place in sorted(cuts) if stripped.count('"', 0, place) % 2 == 0]
    text, last, origins = "", 0, []
    for cut in [*outside, len(stripped)]:
        origins += range(len(text), len(text) + cut - last)
        text += stripped[last:cut] + data.draw(blank)
        last = cut
    source = StrippedText(text)
    assert source.stripped == stripped
    assert len(source.comments) == sum(text.count(comment) for comment in ("// x\n", '//"', "///"))
    assert [source.origin(offset) for offset in range(len(stripped))] == origins
    assert source.origin(len(stripped)) == origins[-1] + 1
    assert all(comment.offset == sum(origin < comment.origin for origin in origins) for comment in source.comments)


def test_places_have_line_column_and_the_line() -> None:
    source = StrippedText("jmjp[1.0]\n  ( mtp[,,,] // x\n ply")
    place = source.place(source.stripped.index("ply"))
    assert (place.line, place.column, place.text) == (3, 2, " ply")
