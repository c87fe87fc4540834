"""The lines of a file: every form, in any layout, and what is wrong with one."""

import datetime
from decimal import Decimal

import pytest
from msgspec import UNSET, structs

import mjconv
from corpus_files import CORPUS
from faults import refused, refused_at
from looped import looped
from mjconv.converters import formats, hub
from mjconv.ir.errors import InputError
from mjconv.ir.events import EndGame, Ryukyoku, StartGame, Win
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Rules
from trips import read, write

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
