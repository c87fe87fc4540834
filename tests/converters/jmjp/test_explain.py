"""Where a text goes wrong, what was found, what was expected, and what a misspelt word probably meant."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mjconv
import trips
from corpus_files import TYPED
from faults import refused, refused_at, spot
from looped import looped
from mjconv.converters.jmjp.explain import explain, hint
from mjconv.converters.jmjp.reader import read
from mjconv.converters.jmjp.spelling import CODES
from mjconv.converters.jmjp.text import StrippedText
from mjconv.ir.losses import Report, Warn

from .texts import CONCEALED, HANDS, PLAYERS, VERSIONS, file, flow, frame, match, whole

A_TILE = "a tile such as 5m, ew or uk"


def refusal(text: str, major: int = 1) -> tuple[int, int, str]:
    """Refuse a text after the head; lines count from the head's."""
    return refused_at(f"jmjp[{VERSIONS[major]}]\n{text}", "jmjp")


def act_refusal(act: str, major: int = 1) -> tuple[int, str]:
    line, column, message = refusal(match(frame(f"{HANDS}\n{act}\n{HANDS}")), major)
    assert line == 3
    return column, message


@pytest.mark.parametrize(
    ("act", "column", "found", "expected"),
    [
        ("(e,5x,tg)", 4, '"5x"', A_TILE),
        ("(e,tg,tg)", 4, '"tg"', A_TILE),
        ("(e,,tg)", 4, '","', A_TILE),
        ("(e,5m,5)", 7, '"5"', A_TILE),
        ("(e,5m,rc[])", 10, '"]"', A_TILE),
        ("(x,5m,tg)", 2, '"x"', "a seat (e, s, w or n)"),
        ("(e5m,tg)", 3, '"5m"', '","'),
        ("(e,5m tg)", 7, '"tg"', '","'),
        ("(e,5m)", 6, '")"', '","'),
        ("(e,5m,tg]", 9, '"]"', '")"'),
        ("e,5m,tg)", 1, '"e"', '"("'),
        ("(e,5m,tg))", 10, '")"', '"("'),
        ("(e,rs[5m,tg)", 9, '","', '"]"'),
    ],
)
def test_acts(act: str, column: int, found: str, expected: str) -> None:
    at, message = act_refusal(act)
    assert at == column
    assert message.startswith(f"found {found}, expected ")
    assert expected in message


def test_tiles_of_an_act_are_counted() -> None:
    for major, act, said in (
        (1, "(e,ch[1m2m3m],4m)", "ch[ holds 2 tiles"),
        (0, "(e,ch[1m],4m)", "ch[ holds 2 tiles"),
        (1, "(e,pn[1m],4m)", "pn[ holds 2 tiles"),
        *((1, f"(e,dk[{tiles}],)", "dk[ holds 3 tiles") for tiles in ("1m1m", "1m1m1m1m")),
        *((1, f"(e,1m,ak[{tiles}])", "ak[ holds 4 tiles") for tiles in ("1m", "1m1m1m1m1m")),
        (0, "(e,1m,ak[1m1m1m1m])", "ak[ holds 1 tile in version 0"),
        (1, "(e,rs[1m1m],)", "rs[ holds 1 tile"),
        (1, "(e,1m,kk[1m1m])", "kk[ holds 1 tile"),
        (1, "(e,1m,rc[])", "rc[ holds 1 tile"),
    ):
        assert said in act_refusal(act, major)[1], major


def test_tiles_of_a_call_are_counted() -> None:
    for major, call, said in (
        (1, "chi[1m,2m]", "chi[ holds the called tile, then 2 tiles"),
        *(
            (1, pon, "pon[ holds the called tile, 2 tiles, and whom")
            for pon in ("pon[1m,1m1m]", "pon[1m,1m1m1m,k]")
        ),
        (1, "pon[1m,1m1m,e]", "whom it was taken from (k, t or s)"),
        *((0, call, "in version 0") for call in ("pon[1m,1m1m,k]", "dmk[1m,1m1m1m,k]", "kkn[1m,1m,1m1m,k]")),
        (1, "dmk[1m,1m1m,k]", "dmk[ holds the called tile, 3 tiles"),
        (1, "kkn[1m,1m,1m,k]", "kkn[ holds the added tile, the called tile, 2 tiles"),
        (1, "ank[1m]", "ank[ holds 4 tiles"),
        (0, "ank[1m1m1m1m]", "ank[ holds 1 tile in version 0"),
    ):
        assert said in refusal(match(frame(flow(end=HANDS.replace(",,]", f",,{call}]", 1)))), major)[2], major


@looped("hand", "hnd[,,]", f"hnd[{CONCEALED}1m,,]", "hnd[1m,1m1m,]", "hnd[1m,]")
def test_tiles_of_a_hand_are_counted(hand: str) -> None:
    message = refusal(match(frame(flow(end=HANDS.replace(f"hnd[{CONCEALED},,]", hand)))))[2]
    assert "a hand lists 1 to 13 tiles, a comma, perhaps one tile more" in message


def test_dora_hands_players_and_points_are_counted() -> None:
    for tiles in (1, 9, 11):
        assert "the dora are 10 tiles, or none" in refusal(match(frame(dora="1m" * tiles)))[2]
    hand = f"(e,hnd[{CONCEALED},,])"
    for before, after in ((3, 4), (5, 4), (4, 3), (4, 5), (1, 0)):
        text = match(frame(hand * before + "(e,5m,tg)" + hand * after))
        assert "a flow begins with 4 hands and ends with 4 hands" in refusal(text)[2], (before, after)
    for players in (0, 3, 5):
        text = match(before="mtp[,,,]" + "".join(f"ply[{player % 4},,,,]" for player in range(players)))
        assert "a match lists 4 players" in refusal(text)[2]
    for count in (1, 3, 5):
        points = f"[{','.join(['1.0'] * count)}]"
        assert "pme[ holds 4 points" in refusal(match(after=f"pme{points}"))[2]
        for keyword in ("pfs", "pfe"):
            assert f"{keyword}[ holds 4 points" in refusal(match(frame(**{keyword: f"{keyword}{points}"})))[2]
    for count in (3, 5):
        assert "ptn[ holds 4 brackets" in refusal(match(after=f"ptn[{','.join(['(,)'] * count)}]"))[2]


def test_point_rules_are_four_fields_in_version_0_and_five_in_1_x() -> None:
    four, five = "ptr[25.0,30.0,(20.0,10.0),0.3]", "ptr[25.0,30.0,(20.0,10.0),0.3,3.0]"
    assert "ptr[ holds 5 fields" in refusal(match(before="mtp[,,,]" + PLAYERS + four))[2]
    assert "ptr[ holds 4 fields in version 0" in refusal(match(before="mtp[,,,]" + PLAYERS + five), 0)[2]


def test_points_have_one_decimal() -> None:
    for points in ("25", "25000", "+1.0", "1,0", "2５.0", ".5", "--1.0", "", "1.", "ew"):
        line, column, message = refusal(match(frame(pfs=f"pfs[\n{points},2.0,3.0,4.0]")))
        assert (line, column) == (3, 1), points
        assert "expected points with one decimal such as 25.0" in message, points


def test_points_have_no_second_decimal() -> None:
    assert refusal(match(frame(pfs="pfs[\n25.00,2.0,3.0,4.0]"))) == (3, 5, 'found "0", expected ","')


def test_a_bracket_that_is_not_closed_is_named() -> None:
    for text, line, column, opener in (
        ("(mtp[,,,]ply[0,,,,]\n", 2, 20, '"(" of line 2, column 1'),
        (f"(mtp[,,,]{PLAYERS}\n frm[E1-0,,,,,]", 3, 15, '"frm[" of line 3, column 2'),
        (f"(mtp[,,,]{PLAYERS}\n frm[E1-0,,,,,\n{HANDS} // ...\n (e,\n 5m]", 6, 4, '"(" of line 5, column 2'),
        (f"(mtp[,,,]{PLAYERS}\n frm[E1-0,,,,,,,snt[]", 3, 21, '"snt[" of line 3, column 17'),
        (f"(mtp[,,,]{PLAYERS}\n frm[E1-0,,,,,,,)]", 3, 17, '"frm[" of line 3, column 2'),
        (f"(mtp[,,,]{PLAYERS}\n frm[E1-0,,,,,,\n frm[E1-1,,,,,,,])", 4, 2, '"frm[" of line 3, column 2'),
        ('(mtp[,,,snt["["]\nply[0,,,,]', 3, 1, '"mtp[" of line 2, column 2'),
    ):
        found_line, found_column, message = refusal(text)
        assert (found_line, found_column) == (line, column), text
        assert message.endswith(f"{opener} is still open"), text


def test_the_end_of_the_file_and_text_after_it() -> None:
    holds = "a file holds one or more matches, each in ( )"
    assert refusal("") == (1, 10, f'found the end of the file, expected "("; {holds}')
    assert refusal(match() + "\nx") == (3, 1, 'found "x", expected the end of the file or "("')


def test_metadata() -> None:
    for before, found, expected in (
        ("mtp[2018-10-01,,,]", '"2018-10-01"', "a date (YYYYMMDD)"),
        ("mtp[,Monday,,]", '"Monday"', "a day of the week"),
        ("mtp[,,19:00,]", '"19"', "a time (HHMM)"),
        ("mtp[,,,Tokyo]", '"Tokyo"', 'a place\'s shorthand such as mlg-std, "]", "snt[" or "srm["'),
        ('mtp[,,,"Tokyo"]', "'\"'", '"snt["'),
        ("mtp[,,,snt[Tokyo]]", '"Tokyo"', "a string in double quotes"),
        ("tnm[mlg-reg,,,,]mtp[,,,]", '"-reg"', '","'),
        ("tnm[,,mlg,,]mtp[,,,]", '"mlg"', "a stage's shorthand such as fin"),
        ("tnm[,18,,,]mtp[,,,]", '"18"', "a year of four digits"),
        ("mtp[,,,]rec[,E9-9]", '"E9-9"', "the name of a round such as E1-0"),
        ("mtp[,,,]ply[4,,,,]", '"4"', "a player (0, 1, 2 or 3)"),
        ("mtp[,,,]ply[0,,mlg,,]", '"mlg"', "a team's shorthand such as mlg-abm"),
        ("mtp[,,,]ply[0,,,jpml,]", '"jpml"', "an affiliation's shorthand such as rmu or none"),
        ("ply[0,,,,]", '"ply["', '"mtp["'),
    ):
        message = refusal(match(before=before + PLAYERS))[2]
        assert message.startswith(f"found {found}, expected "), before
        assert expected in message, before


@looped("major", *VERSIONS)
@looped(
    "wrong",
    *(f"frm[E1-0,,,,,{HANDS}(e,5x,tg){HANDS},,])", "frm[E5-0,,,,,,,])", "frm[E1-0,1,,,,,,])", "pme[1.0])"),
    *('frm[E1-0,,,,,,,snt[")frm["],])', f"pme[1.0,1.0,1.0,1.0]{frame()})", "ptn[(,),(,),(,),(,)](mtp[,,,]"),
    "ptr[)",
)
def test_text_before_an_error_changes_its_place_alone(wrong: str, major: int) -> None:
    right = frame(flow("e,5m,tg"), comment='snt[")(]frm["]')
    alone = match().removesuffix(")") + "\n" + right + "\n"
    line, column, message = refusal(alone + wrong, major)
    before = match(right + right) + "\n" + match() + "\n"
    assert refusal(before + alone + right + "\n" + wrong, major)[:2] == (line + 3, column)
    shifted = refusal(before + alone + right + "\n" + wrong, major)[2]
    assert shifted.partition("; ")[0] == message.partition("; ")[0]


def test_letters_of_an_input_method_are_shown_as_the_ones_to_type() -> None:
    for act, found, meant in (
        ("(e，5m,tg)", "，", ","),
        ("(e,5m、tg)", "、", ","),
        ("（e,5m,tg)", "（", "("),
        ("(e,5m,tg）", "）", ")"),
        ("(e,rs［5m],tg)", "［", "["),
        ("(e,rs[5m］,tg)", "］", "]"),
        ("(e,５m,tg)", "５", "5"),
        ("(e,5ｍ,tg)", "ｍ", "m"),
        ("(ｅ,5m,tg)", "ｅ", "e"),
    ):
        assert act_refusal(act)[1].endswith(f'; "{found}" is to be typed as "{meant}"'), act


def test_quotes_and_points_of_an_input_method_are_shown_as_the_ones_to_type() -> None:
    assert refusal(match(before=f"mtp[,,,snt[“東京”]]{PLAYERS}"))[2].endswith('"“" is to be typed as \'"\'')
    assert refusal(match(frame(pfs="pfs[25.0,2５.0,25.0,25.0]")))[2].endswith('"５" is to be typed as "5"')


@looped(
    ("tile", "spelled"),
    ("1z", "ew"), ("4z", "nw"), ("5z", "wd"), ("6z", "gd"), ("7z", "rd"), ("E", "ew"), ("N", "nw"),
    ("P", "wd"), ("F", "gd"), ("C", "rd"), ("?", "uk"), ("東", "ew"), ("中", "rd"),
    ("5mr", "0m"), ("5pr", "0p"), ("r5s", "0s"),
)  # fmt: skip
@looped("act", "(e,{},tg)", "(e,5m,{})", "(e,ch[4m{}],5m)", "(e,5m,rc[{}])")
def test_a_tile_of_another_notation_is_shown_as_jmjp_spells_it(act: str, tile: str, spelled: str) -> None:
    assert act_refusal(act.format(tile))[1].endswith(f"; the tile {tile} is spelled {spelled}")


def test_letters_of_other_notations() -> None:
    for act in ("(e,8z,tg)", "(e,5m,5x)", "(x,5m,tg)", "(e,4mr,tg)"):
        assert "spelled" not in act_refusal(act)[1]


def test_a_late_error_in_a_long_file_is_placed() -> None:
    frames = frame(flow(*["e,5m,tg"] * 50)) * 100
    assert refusal(match(frames) * 50 + match(frames + "\nfrm[E1-0,,,,\n,x,,])"))[:2] == (4, 2)


def test_long_letters_are_cut_and_control_characters_made_visible() -> None:
    assert refusal("x" * 100)[2] == f'found "{"x" * 16}…", expected "("'
    assert "\x1b" not in str(refused("jmjp[1.0](\x1b[2J", "jmjp"))


def test_columns_are_those_of_the_original_text() -> None:
    assert refusal(match(frame(f"{HANDS}\n ( e , // east\n   5 m , t x ){HANDS}")))[:2] == (4, 10)


def test_a_text_that_lark_does_not_refuse_is_a_fault_of_mjconv() -> None:
    """Lark and the regular expressions accept the same texts. `explain` does not rely on it."""
    error = explain(StrippedText("jmjp[1.0]" + match(frame(flow("e,5m,tg")))), "", len("jmjp[1.0]"))
    assert "please report it as a fault of mjconv" in error.message
    assert error.place is not None


PIECES = ["", "(", ")", "[", "]", ",", '"', "frm[", "ply[", "e", "5m", "uk", "0", "//", "\\", "tg", ")("]
EDIT = st.tuples(st.floats(0, 1), st.integers(0, 6), st.sampled_from(PIECES))


@given(st.sampled_from([0, 1]), st.lists(EDIT, min_size=1, max_size=4))
def test_a_broken_text_is_explained_or_read(major: int, edits: list[tuple[float, int, str]]) -> None:
    text, head = whole(major), len(f"jmjp[{VERSIONS[major]}]")
    for at, length, put in edits:
        begin = head + int(at * (len(text) - head))
        text = text[:begin] + put + text[begin + length :]
    report = Report(lenient=True)
    for _ in read(text.encode(), report):
        pass
    for fault in report.faults:
        assert fault.error.place is not None
        assert "fault of mjconv" not in fault.error.message


# Misspelt words are met with the word that was probably meant; a weekday is compared with its date.


def meant(text: str, major: int = 1) -> str:
    """Return the hint of the error of a text, or an empty string if the error has none."""
    return refused(f"jmjp[{VERSIONS[major]}]{text}", "jmjp").message.partition("did you mean ")[2]


def header(*, tnm: str = "", mtp: str = ",,,", team: str = "", affiliation: str = "") -> str:
    players = PLAYERS.replace("ply[0,,,,]", f"ply[0,,{team},{affiliation},]")
    return match(before=f"{tnm}mtp[{mtp}]{players}")


class TestWords:
    def test_the_word_that_was_probably_meant(self) -> None:
        for text, expected in (
            *(
                (header(team=team), f'"mlg-drn" in place of "{team}"?')
                for team in ("mlg-drnn", "mlg-dnr", "MLG-DRN")
            ),
            (header(affiliation="saikousen"), '"saikouisen" in place of "saikousen"?'),
            (header(mtp="20240115,mond,,"), '"mon" in place of "mond"?'),
            (header(mtp=",,,mgl-std"), '"mlg-std" in place of "mgl-std"?'),
            (header(tnm="tnm[mlgg,,,,]"), '"mlg" in place of "mlgg"?'),
            (header().replace("mtp[", "mpt["), '"mtp[" in place of "mpt["?'),
            (match("fmr[E1-0,,,,,,,]"), '"frm[" in place of "fmr["?'),
            (match(frame(pfe="pfe[1.0,1.0,1.0,1.0]").replace("pfe", "pef")), '"pfe[" in place of "pef["?'),
            (match(frame(HANDS.replace("(n,hnd", "(n,hdn"))), '"hnd[" in place of "hdn["?'),
            # A shorthand of another field is not suggested, and none for a word near to none.
            *((header(team=team), "") for team in ("saikousen", "xyzw", "zz", "5")),
        ):
            assert meant(text) == expected, text

    def test_every_shorthand_with_a_letter_too_many_is_understood(self) -> None:
        for code in CODES:
            text = f",{code}x,"
            for offset in (1, 1 + len(code)):
                found = hint(text, offset, {field.upper() for field in CODES[code].fields})
                assert found == f'did you mean "{code}" in place of "{code}x"?'

    @given(st.text(alphabet="mlg-drn1,[](x"), st.integers(0, 30))
    def test_any_text_has_a_hint_or_none(self, text: str, offset: int) -> None:
        found = hint(text, min(offset, len(text)), {"PLYER_TEAM", "COMMA"}, {"ply[", ","})
        assert found is None or found.startswith("did you mean ")

    def test_a_very_long_word_takes_no_longer(self) -> None:
        text = f",{'mlg-' * 100_000},"
        begin = time.perf_counter()
        for offset in (1, len(text) // 2, len(text) - 1):
            hint(text, offset, {"PLYER_TEAM"}, {"ply["})
        assert time.perf_counter() - begin < 1


class TestWeekdays:
    def warnings(self, text: str) -> list[Warn]:
        return trips.read(text.encode(), "jmjp").warnings

    def test_a_weekday_that_is_not_that_of_the_date_is_a_warning(self) -> None:
        for mtp, message in (
            *((right, None) for right in ("20240115,mon,,", "20240115,,,", ",tue,,", "20240229,thu,,")),
            ("20240115,tue,,", "the weekday is tue, but 2024-01-15 is mon"),
            ("00010107,mon,,", "the weekday is mon, but 0001-01-07 is sun"),
        ):
            found = self.warnings(f"jmjp[1.0]{header(mtp=mtp)}")
            assert [warning.message for warning in found] == ([] if message is None else [message]), mtp

    def test_the_warning_has_its_place_and_both_values_stay(self) -> None:
        text = TYPED.replace("mtp[,,,]", "mtp[20240115,\n tue,,]")
        [finding] = mjconv.validate(text.encode(), format="jmjp")
        assert (finding.code, finding.severity) == ("S010", "warning")
        assert spot(finding.place) == (5, 2)
        assert b"mtp[20240115,tue,,]" in mjconv.convert(text.encode(), source="jmjp", target="jmjp").data

    def test_of_several_matches_the_wrong_one_is_named(self) -> None:
        tricky = header(tnm='tnm[snt["mtp["],,,,]', mtp="20240115,sun,,")
        [warning] = self.warnings(file(header(mtp="20240115,mon,,"), tricky))
        assert (warning.match, warning.line) == (1, 1)
        assert warning.column == len(file(header(mtp="20240115,mon,,"))) + tricky.index("sun") + 1


def test_a_misspelt_message_type_of_mjai_too() -> None:
    text = b'{"type":"start_game"}\n{"type":"tsmo","actor":0,"pai":"1m"}\n'
    [finding, *_] = mjconv.validate(text, format="mjai")
    assert finding.message == "Unknown message type 'tsmo', did you mean 'tsumo'?"
