"""Misspelt words are met with the word that was probably meant; a weekday is compared with its date."""

import time
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import mjconv
from faults import refused, spot
from mjconv.converters.jmjp.explain import hint
from mjconv.converters.jmjp.spelling import CODES
from mjconv.ir.losses import Warn
from trips import read

from .texts import HANDS, PLAYERS, VERSIONS, file, frame, match

SAMPLE = (Path(__file__).parents[3] / "corpus" / "sample" / "game.jmjp").read_text("utf-8")


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
        return read(text.encode(), "jmjp").warnings

    def test_a_weekday_that_is_not_that_of_the_date_is_a_warning(self) -> None:
        for mtp, message in (
            *((right, None) for right in ("20240115,mon,,", "20240115,,,", ",tue,,", "20240229,thu,,")),
            ("20240115,tue,,", "the weekday is tue, but 2024-01-15 is mon"),
            ("00010107,mon,,", "the weekday is mon, but 0001-01-07 is sun"),
        ):
            found = self.warnings(f"jmjp[1.0]{header(mtp=mtp)}")
            assert [warning.message for warning in found] == ([] if message is None else [message]), mtp

    def test_the_warning_has_its_place_and_both_values_stay(self) -> None:
        text = SAMPLE.replace("mtp[,,,]", "mtp[20240115,\n tue,,]")
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
