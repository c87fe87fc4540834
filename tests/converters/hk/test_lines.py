"""The lines of a file: every form, in any layout, the errors of a line, and the games after an error."""

import datetime
import json
import re
from decimal import Decimal
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, structs

import faults
import mjconv
from corpus_files import CORPUS
from faults import leniently, refused, refused_at, reported, spot, where
from looped import looped
from mjconv.converters import formats, hub
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError
from mjconv.ir.events import EndGame, Ryukyoku, StartGame, Win
from mjconv.ir.losses import Fault, Report, Warn
from mjconv.ir.match import Match, Name, Player, Round, Rules, Text
from trips import places, read, write

HK = formats.find("hk")[0]
USUAL = Rules(base=Decimal(1), max_faan=13, responsibility="full", growth="half")


def match(text: str) -> Match:
    return read(text.encode(), "hk").match


def names(one: Match) -> list[str]:
    return [player.name.shown for player in one.players if player.name is not UNSET]


class TestForms:
    def test_a_game_is_a_round_of_its_result_alone(self) -> None:
        for line, event in (
            ("- - - -", Ryukyoku()),
            ("- - f -", Ryukyoku(reason="chombo", actor=2)),
            ("- 0 - -", Win(1, target=1, fan=0)),
            ("013 - - d", Win(0, target=3, fan=13)),
            ("- D 6 -", Win(2, fan=6, liable=1)),
            ("S - - 6", Win(3, target=3, fan=6, liable=0)),
        ):
            [game_round] = match(f"R=half\nA B C D\n{line}\n").rounds
            assert game_round.events == [event], line

    def test_rules_and_dates_hold_until_others_are_declared(self) -> None:
        one = match("A B C D\n- - - -\nB=.5\nM=0\n- - - -\nS=spicy\nR=half\n- - - -\n- - - -\n")
        assert one.rules == USUAL
        first = Rules(base=Decimal("0.5"), max_faan=0, responsibility="full", growth="half")
        then = structs.replace(first, responsibility="half", growth="spicy")
        assert [game_round.rules for game_round in one.rounds] == [UNSET, first, then, then]
        one, two = read(b"2024-01-20\nM=8\nA B C D\n- - - -\n2024-01-21\n- - - -\nE F G H\n", "hk").matches
        assert (one.date, one.rounds[1].date) == (datetime.date(2024, 1, 20), datetime.date(2024, 1, 21))
        assert (two.date, two.rules) == (datetime.date(2024, 1, 21), one.rules)

    def test_names_begin_a_match_though_they_are_the_same(self) -> None:
        matches = read(b"A B C D\n1 - - -\nA B C D\nA B C D\n- - - -\n", "hk").matches
        assert [len(one.rounds) for one in matches] == [1, 0, 1]
        assert all(one.opening == [StartGame()] and one.closing == [EndGame()] for one in matches)

    def test_four_words_that_may_be_names_are_names(self) -> None:
        unusual = ("阿强 Ümit x1 y-", "\u3000a\xa0b\tc  d\u2003", "a b c d#e", "\" ' , ;")
        for line in ("d D S f", "B=2 M=x R= S", *unusual):
            assert names(match(line)) == line.partition("#")[0].split(), line

    @looped("line", "d d d d", "f S D S")
    def test_also_those_that_would_be_results(self, line: str) -> None:
        with pytest.raises(InputError, match="two players are called"):
            match(f"A B C D\n{line}")

    def test_a_comment_may_follow_anything(self) -> None:
        one = match("#\n2024-01-20# x\nB=2 #\nM=8#\nR=half # R=full\nS=spicy#\nA B C D # - - - -\n- 2 - d#f\n")
        assert one.rules == Rules(base=Decimal(2), max_faan=8, responsibility="half", growth="spicy")
        assert len(one.rounds) == 1

    @looped("ends", "\n", "\r\n", "\r", "\x0b", "\x1e", "\x85", "\u2029")
    def test_lines_end_as_text_lines_do(self, ends: str) -> None:
        text = (CORPUS / "hk" / "evenings.hk").read_text("utf-8")
        assert read(text.replace("\n", ends).encode(), "hk").matches == read(text.encode(), "hk").matches

    def test_a_byte_order_mark_is_no_text(self) -> None:
        assert names(match("\ufeffA B C D\n")) == [*"ABCD"]
        assert names(match("\ufeff\ufeffA B C D\n")) == ["\ufeffA", *"BCD"]

    @looped("text", "# nothing\n", "M=8\n2024-01-20\n", "\n\n", "")
    def test_without_names_there_is_no_match(self, text: str) -> None:
        assert read(text.encode(), "hk").matches == []


class TestErrors:
    def test_matches_before_an_error_are_read(self) -> None:
        readings = hub.read(HK, b"A B C D\n- - - -\nE F G H\n- - - - -\n", Report())
        assert len(next(readings).match.rounds) == 1
        with pytest.raises(InputError):
            next(readings)

    def test_lines_and_columns_are_counted_as_they_are_seen(self) -> None:
        for text, line, column in (
            ("A B C D\r\n\r\n- 14 - -\r\n", 3, 3),
            ("\ufeffA B A D", 1, 5),
            ("A B C D\r\u3000- 2\xa0x -\r", 2, 6),
            ("A B C D\n  1  2 - -", 2, 6),
        ):
            assert refused_at(text, "hk")[:2] == (line, column), text

    @looped("number", "9" * 5000, "1" * 20, "1000")
    def test_numbers_without_end(self, number: str) -> None:
        for line in (f"{number} - - -", f"M={number}", f"B={number * 13}"):
            with pytest.raises(InputError, match=r"above the maximum|out of range"):
                match(f"A B C D\n{line}\n")

    def test_zeros_before_a_number_do_not_matter(self) -> None:
        assert match(f"M={'0' * 5000}8\nA B C D\n{'0' * 5000}7 - - -").rounds[0].select(Win)[0].fan == 7


def test_names_in_full_width_signs_that_read_as_results_come_back() -> None:
    for names in (
        ["３", "５", "Ｓ", "ｄ"],
        ["－", "ー", "３", "ｄ"],
        ["d", "D", "S", "f"],
        ["Ａ", "３", "－", "ｄ"],
    ):
        players = [Player(Name(Text(name))) for name in names]
        assert mjconv.read(mjconv.write_bytes(Match(players), "hk"), format="hk").names == names


def test_a_line_with_unusual_signs_is_shown_as_it_is_written() -> None:
    for line, right in (
        ("b=2", "B=2"),
        ("B: 2", "B=2"),
        ("m = 8", "M=8"),
        ("r HALF", "R=half"),
        *((date, "2024-01-05") for date in ("2024/01/05", "2024.1.5", "2024年1月5日")),
        ("3,-,d,-", "3 - d -"),
        ("3; -; d; -", "3 - d -"),
        ("3 – — d", "3 - - d"),
        ("３ - - d", "3 - - d"),
        ("３　－　ｄ　－", "3 - d -"),
        ("－ ― ３ ｄ", "- - 3 d"),
    ):
        text = f"A B C D\n{line}\n- - - -\n"
        number, _, message = refused_at(text, "hk")
        assert message.endswith(f"this is no line of scores; write {right}"), line
        assert number == 2, line
        assert mjconv.read(text.replace(line, right).encode(), format="hk"), line


def test_other_errors_show_the_right_spelling() -> None:
    for line, message in (
        ("3 0 0 d", "two players win, and at most one can; write - for all others"),
        ("05.01.2024", "'05.01.2024' is no date of scores: write the year first, as in 2024-01-31"),
        ("2024/13/45", "'2024/13/45' is no date, no declaration (B= M= R= S= L= T=), no names and no results"),
        ("3 - x d", "'x' is no result: digits, - d D S or f"),
    ):
        assert refused(f"A B C D\n{line}\n", "hk").message == message, line


class TestHouses:
    def test_a_table_of_payments_replaces_the_growth(self) -> None:
        one = match("L=1\nT=1,3,10\nA B C D\n2 - - d\nT=\n7 - - d\n")
        rules = one.rules or Rules()
        assert (rules.min_faan, rules.multipliers) == (1, (1, 3, 10))
        table = mjconv.hk_score(one)
        assert {row.name: int(row.net) for row in table.rows} == {"A": 20 + 96, "B": 0, "C": 0, "D": -20 - 96}
        assert mjconv.hk_score(match("T=1,3,10\nA B C D\n- - 9 -\n")).rows[0].net == 30

    def test_declarations_come_back(self) -> None:
        text = b"L=3\nT=0,0,0,8,16\nA B C D\n3 - - -\nL=0\nT=\n0 - - -\n"
        one = read(text, "hk").match
        assert write([one], "hk").data == text
        assert read(write([one], "mjai").data, "mjai").match.rules == one.rules

    @looped(
        ("text", "message"),
        ("L=3\nA B C D\n2 - - -\n", "the faan are below the least, which is 3"),
        ("T=1,,2\n", "T= is followed by a multiplier for each faan"),
        ("L=9999\n", "out of range"),
        ("L=x\n", "L= is followed by digits"),
        ("X=3\n", "no declaration (B= M= R= S= L= T=)"),
    )
    def test_wrong_houses_are_errors(self, text: str, message: str) -> None:
        assert message in refused(text, "hk").message


# The lenient reader reports each wrong line as a fault, and reads the games after it.
EVENINGS = (CORPUS / "hk" / "evenings.hk").read_text("utf-8")

GAMES = ["M=8", "A B C D", "- 2 d -", "3 - - -", "# so far", "- - - -", "E F G H", "- - f -", "1 - - -"]


def read_on(data: bytes | str) -> tuple[list[Match], list[Fault], list[Warn]]:
    was = reported(data, "hk")
    return was.matches, was.faults, was.warnings


refusal = partial(faults.refused, source="hk")


def with_line(at: int, text: str, lines: list[str] = GAMES) -> str:
    return "\n".join([*lines[:at], text, *lines[at + 1 :]])


def results(matches: list[Match]) -> list[list[list[ev.Event]]]:
    return [[game_round.events for game_round in match.rounds] for match in matches]


WHOLE = results(read("\n".join(GAMES).encode(), "hk").matches)


class TestBadGames:
    def test_are_empty_rounds_in_their_places(self) -> None:
        wrong = (
            "- 2 d x, - x d -, 9 - - d, 1 2 - -, - 2 d d, d - - -, f 1 - -, - 2 d, - 2 d - -, - 2 D -, 1 -1 - -"
        )
        for line in (*wrong.split(", "), "٣ - - -", "- - - 99999999999999999999"):
            for at, match, game_round in ((3, 0, 1), (5, 0, 2), (7, 1, 0)):
                matches, [fault], _ = read_on(with_line(at, line))
                assert where(fault) == (match, game_round, 0)
                expected = [[list(one) for one in rounds] for rounds in WHOLE]
                expected[match][game_round] = []
                assert results(matches) == expected, (line, at)

    def test_of_those_before_any_names_only_the_first_is_a_fault(self) -> None:
        matches, faults, _ = read_on("\n".join(["1 - - -", "2 - - -", "M=x", "- 3 - x", *GAMES]))
        assert [(spot(fault)[0], where(fault)) for fault in faults] == [(at, (None,) * 3) for at in (1, 3)]
        assert results(matches) == WHOLE


class TestBadNames:
    @looped("line", "E F E H", "E F* G H", "d d d D")
    def test_begin_a_match_and_are_taken_as_they_are(self, line: str) -> None:
        matches, [fault], _ = read_on(with_line(6, line))
        assert where(fault) == (1, None, None)
        assert results(matches) == WHOLE
        assert [player.name.shown for player in matches[1].players if player.name] == line.split()

    def test_their_match_can_be_written_and_read_again(self) -> None:
        matches, _, _ = read_on(with_line(6, "E F* E H"))
        assert read(write(matches, "hk").data, "hk").matches == matches


class TestBadDeclarations:
    @looped(
        ("number", "line", "left"),
        *((6, line, [[*WHOLE[0], *WHOLE[1]]]) for line in ("E F G", "E F G H I")),
        *(
            (4, line, WHOLE)
            for line in ["M=x", "B=", "R=both", "S=hot", "2024-02-30", "X=1", "M=9999999", "hello"]
        ),
    )
    def test_are_left_out_and_too_many_or_few_names_too(self, number: int, line: str, left: object) -> None:
        matches, [fault], _ = read_on(with_line(number, line))
        assert where(fault) == (0, None, None)
        assert results(matches) == left

    def test_a_date_that_runs_backward_does_not_hold(self) -> None:
        [match], [_], _ = read_on("2024-02-02\nA B C D\n1 - - -\n2024-01-01\n1 - - -\n2024-03-03\n- 1 - -\n")
        dates = [str(game_round.date or match.date) for game_round in match.rounds]
        assert dates == ["2024-02-02", "2024-02-02", "2024-03-03"]


class TestBytesThatAreNoText:
    def test_are_faults_and_the_line_is_read_all_the_same(self) -> None:
        lines = [line.encode() for line in GAMES]
        lines[2] += b"  # caf\xe9 \xff"
        lines[6] = b"E F G\xfc H"
        lines[7] = b"\xff"
        data = b"\xef\xbb\xbf" + b"\n".join(lines)
        matches, faults, _ = read_on(data)
        found = [(*spot(fault), *where(fault)) for fault in faults]
        assert found == [(3, 15, 0, 0, 0), (7, 6, 1, None, None), (8, 1, 1, None, None)]
        offset = data.index(b"\xfc")
        assert faults[1].error.message == f"not UTF-8: byte 0xfc at byte offset {offset}"
        assert results(matches) == [WHOLE[0], WHOLE[1][1:]]
        assert [player.name.shown for player in matches[1].players if player.name] == ["E", "F", "G\ufffd", "H"]

    @given(st.binary(max_size=80))
    def test_never_end_the_reading(self, data: bytes) -> None:
        for whole in (data, b"A B C D\n1 - - -\n" + data, data + b"\nA B C D\n1 - - -\n"):
            faults = leniently(whole, "hk").faults
            if faults:
                error = refusal(whole)
                text = "\ufffd" in str(error.place)
                assert text or error.message in {fault.error.message for fault in faults}


class TestNotes:
    @staticmethod
    def noted() -> list[str]:
        """Give a file whose match, first round and a round without a line have notes."""
        [match, *_] = read("\n".join(GAMES).encode(), "hk").matches
        match.extras = {"a": 1}
        match.rounds[0].dice = (1, 2)
        match.rounds[2:] = [Round([ev.EndRound()])]
        return write([match], "hk").data.decode().splitlines()

    def test_that_do_not_fit_leave_what_they_belong_to_as_it_is(self) -> None:
        for at, place in ((2, (0, None, None)), (4, (0, 0, None)), (6, (0, 2, None))):
            for more, said in (
                ({"events": [{"at": 99}]}, "the note does not fit"),
                ({"unset": ["walls"]}, "the note does not fit"),
                ({"unset": 7}, "the note is not well-formed"),
            ):
                lines = self.noted()
                mark, note = lines[at].split(maxsplit=1)
                was = json.loads(note)
                [whole] = was.keys() & {"match", "round"}
                hints = {key: was[whole][key] for key in ("hints",) if key in was[whole]}
                lines[at] = f"{mark} {json.dumps(was | {whole: hints | more})}"
                [match], [fault], _ = read_on("\n".join(lines))
                assert fault.error.message.startswith(said)
                assert where(fault)[:2] == place[:2]
                assert len(match.rounds) == 3, (at, more)

    def test_that_are_no_json_are_faults(self) -> None:
        for at, place in ((2, (0, None, None)), (4, (0, 0, None)), (6, (0, 2, 0))):
            lines = self.noted()
            lines[at] = lines[at][:-3]
            [match], [fault], _ = read_on("\n".join(lines))
            assert where(fault) == place
            assert len(match.rounds) == 3

    def test_of_a_game_that_cannot_be_read_is_left_out_with_a_warning(self) -> None:
        lines = self.noted()
        assert lines[3] == "- 2 d -"
        lines[3] = "- 2 d x"
        [match], [fault], warnings = read_on("\n".join(lines))
        assert where(fault) == (0, 0, 0)
        assert match.rounds[0] == Round()
        assert [warning.line for warning in warnings] == [5]


@settings(max_examples=5 * settings().max_examples)
@given(st.data())
def test_the_faults_of_a_file_are_among_its_broken_lines(data: st.DataObject) -> None:
    lines = EVENINGS.splitlines()
    games = [at for at, line in enumerate(lines) if re.match("([0-9]+|[-dDSf]) ", line)]
    chosen = data.draw(st.sets(st.sampled_from(games), max_size=6))
    marks = st.sampled_from(["x", "-", "d", "D", "S", "f", "5", "99"])
    for at in chosen:
        words = lines[at].partition("#")[0].split()
        words[data.draw(st.integers(0, 3))] = data.draw(marks)
        lines[at] = " ".join(words)
    text = "\n".join(lines)
    matches, faults, _ = read_on(text)
    places = [spot(fault)[0] - 1 for fault in faults]
    assert places == sorted(set(places))
    assert set(places) <= chosen
    whole = read(EVENINGS.encode(), "hk").matches
    assert [len(match.rounds) for match in matches] == [len(match.rounds) for match in whole]
    if not faults:
        assert matches == read(text.encode(), "hk").matches


def test_the_places_of_rounds_without_a_line() -> None:
    text = "\n".join(TestNotes.noted())
    find_place = places("hk", text.encode())
    found = [find_place(0, game_round, 0) for game_round in range(3)]
    assert [place.line for place in found if place] == [4, 6, 7]
    # Of a note of another version is none.
    text = "\n".join(TestNotes.noted()).replace('"v":4,"digest":"ddd9c40767f9"', '"v":9')
    text += "\n- - - 1\n"
    find_place = places("hk", text.encode())
    found = [find_place(0, game_round, 0) for game_round in range(3)]
    assert [place.line for place in found if place] == [4, 6, 8]
