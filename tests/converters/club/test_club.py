"""Club results: what each line means, what is wrong with one, and how a match becomes a line."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from msgspec import UNSET

import mjconv
from corpus_files import SAMPLE
from faults import leniently, spot
from looped import looped
from mjconv.converters import formats
from mjconv.ir.errors import InputError
from mjconv.ir.events import EndGame, Ryukyoku
from mjconv.ir.match import Annotation, Match, Name, Player, Round, Rules, Text
from trips import read, write

CLUB = formats.find("club")[0]
HEAD = "Ann Ben Cho Dee Eve\n"


def games(text: str) -> list[Match]:
    return read(text.encode(), "club").matches


def points(text: str) -> dict[str, int]:
    [match] = games(text)
    [end] = match.closing
    assert isinstance(end, EndGame)
    assert end.scores is not UNSET
    names = [player.name.shown for player in match.players if player.name is not UNSET]
    return dict(zip(names, end.scores, strict=True))


@looped(
    "line",
    *("42.3 31 18.2 - 8.5", "42300 31,000 18200 - 8500  # whole", "423 310 182 - 85", "42.3, 31, 18.2, -, 8.5"),
    *("42.3\t31\t18.2\t-\t8.5", "４２．３　３１　１８．２　－　８．５", "Ann 42.3 Ben 31 Cho 18.2 Eve 8.5"),
    *("Ann: 42.3, Ben: 31, Cho: 18.2, Eve: 8.5", "Ann 42.3k, Ben 31k, Cho 18.2k, Eve 8.5k"),
    *("Ann 42300点、Ben 31000点、Cho 18200点、Eve 8500点", "2024年5月3日（金） 42.3 31 18.2 - 8.5"),
    "42.3 31 18.2 - 8.5 = 100",
)
def test_points_are_read_in_every_spelling(line: str) -> None:
    assert points(HEAD + line) == {"Ann": 42300, "Ben": 31000, "Cho": 18200, "Eve": 8500}


@looped(
    ("text", "expected"),
    ("start 30\nA B C\n50 ▲2.5 42.5", {"A": 50000, "B": -2500, "C": 42500}),
    ("A B C\n35 35 35", {"A": 35000, "B": 35000, "C": 35000}),
    ("A B C D\n26000 25000 24000 24000 = 99", {"A": 26000, "B": 25000, "C": 24000, "D": 24000}),
    ("A B C D\n26 25 24 24 = 99", {"A": 26000, "B": 25000, "C": 24000, "D": 24000}),
    ('Mei Wong, "P 2", 石橋\n36 35 34', {"Mei Wong": 36000, "P 2": 35000, "石橋": 34000}),
    ('Mei Wong 36 "a#b ""c""" 35 "uma" 34', {"Mei Wong": 36000, 'a#b "c"': 35000, "uma": 34000}),
)
def test_points_fit_the_points_at_the_start(text: str, expected: dict[str, int]) -> None:
    assert points(text) == expected


JAPANESE = "ウマ１０－２０、返し３００００"
TIES = {"share": [20, 20, -20, -20], "dealer": [25, 15, -15, -25]}


@looped(
    ("settings", "line", "final"),
    *((text, "40 30 20 10", [50, 10, -20, -40]) for text in ("return 30 uma 20 10", "oka 20 uma 10-20", JAPANESE)),
    ("uma 50 10 -20 -40", "40 30 20 10", [65, 15, -25, -55]),
    ("uma 15 0 -15", "50 30 25", [30, -5, -25]),
    *((f"uma 20 10 ties {ties}", "30 30 20 20", final) for ties, final in TIES.items()),
    *(
        (f"uma {one} 10 return 30 ties share", "30 30 30 10", [*[(one + 20) / 3] * 3, -one - 20])
        for one in (20, 30)
    ),
    ("chombo 20", "40 chombo 30 20 chombo chombo 10", [-5, 5, -45, -15]),
    ("start 25", "40 30 20 10", [15, 5, -5, -15]),
    ("start 0", "+12.5 +3 -5 -10.5", [12.5, 3, -5, -10.5]),
    ("uma 20 10\nusual\nchombo 0", "40 30 20 10", [15, 5, -5, -15]),
)
def test_the_settings_decide_the_final_points(settings: str, line: str, final: list[float]) -> None:
    [match] = games(f"{settings}\n{' '.join('ABCD'[: len(final)])}\n{line}\n")
    assert match.final_scores is not UNSET
    assert all(abs(each - wanted * 1000) < 1 for each, wanted in zip(match.final_scores, final, strict=True))
    penalties = 20_000 * line.count("chombo")
    assert sum(match.final_scores) == -penalties


@looped(
    ("text", "line", "column", "message"),
    (HEAD + "42.3 31 18.2 8.2 -", 2, 1, "add up to 99.7, and should add up to 100: 0.3 too few"),
    (HEAD + "42.3 31 18.2 7.5 -", 2, 1, "100: 1 too few; if they are right, write = 99 behind"),
    (HEAD + "423 310 182 8.5 -", 2, 1, "should add up to 1000: 76.5 too few"),
    (HEAD + "+12.3 +1 -6.8 -16.5 -", 2, 1, "should add up to 100: 110 too few; write the points"),
    (HEAD + "42.3 31 18,2 8.5", 2, 1, "if 18,2 is one number, write 18.2"),
    ("Ann 42,3 Ben 31 Cho 18.2 Dee 8.5", 1, 8, "if 42,3 is one number, write 42.3"),
    ("uma 20 10\nA B C D\n30 30 20 20", 3, 1, "A and B have the same points"),
    (HEAD + "40 30 30 20 -", 2, 1, "if all begin with 30, write start 30 above"),
    (HEAD + "42.3 31 18.2 8.5 - = 99", 2, 1, "add up to 100, and not to 99"),
    (HEAD + "42.3 31 18.2 8.5", 2, 14, "4 points, and the line of names has 5"),
    (HEAD + "100 - - - -", 2, 1, "a game has points of three or four players, not of 1"),
    (HEAD + "25 25 25 x 25", 2, 10, "x is no points"),
    ("25 25 25 25", 1, 1, "points before any names"),
    ("Ann 25 Ben 25 Cho 25 Dee", 1, 22, "Dee has no points"),
    ("Ann, Ben 42, Cho 33, Dee 30", 1, 4, "Ann has no points"),
    ("Ann 25 25 Cho 25 Dee 25", 1, 8, "25 belongs to no player"),
    *((names, 1, 1, "two players are called Ann") for names in ("Ann 25 Ann 25 Cho 25 Dee 25", "Ann Ben Ann")),
    ("Ann Ben", 1, 1, "2 names"),
    ("Ann 25 ? 25", 1, 8, "? belongs to no player"),
    (HEAD + "? ? ? 25 -", 2, 1, "? is for all players"),
    ("uma 30 10\nA B C D\n25 25 25 25", 3, 1, "A and B and C and D have the same points"),
    ("A B C D\n25 25 25 25 chombo", 2, 1, "the cost of a chombo is not stated"),
    ("oka 20 return 25\nA B C D\n40 30 20 10", 3, 1, "an oka of 20 does not follow"),
    *((uma, 1, 1, "two numbers, or by one for each place") for uma in ("uma 30", "uma 30 10 -10 -20")),
    ("start 25 retrun 30", 1, 1, "'retrun' is no setting"),
    ("ties both", 1, 1, "is followed by share or dealer"),
    (HEAD + "12 3 -5 -10 -", 2, 1, "if all begin with 0, write start 0 above"),
    *((date, 1, 1, "a date begins with the year") for date in ("May 3, 2024", "3 May 2024")),
    ("  6/6", 1, 3, "a date begins with the year"),
    ("2024-02-30", 1, 1, "there is no day 2024-02-30"),
    ("Hello", 1, 1, "'Hello' is no date, no setting"),
    ('Ann, "Ben, Cho', 1, 6, "no second one"),
    ("A 1 B 2 C = 3 D 4", 1, 11, "= is followed by the sum"),
    ("A 0.0001 B 0 C 105", 1, 1, "add up to 105.0001"),
)
def test_a_mistake_is_an_error_with_its_place(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        games(text)
    assert spot(caught.value.place) == (line, column)
    assert message in caught.value.message


def test_a_lenient_reader_keeps_the_game_of_a_line_whose_comment_is_no_text() -> None:
    was = leniently(b"A B C D\n25 25 25 25\n25 25 25 25 # \xff\n25 25 25 25\n", "club")
    assert (len(was.matches), was.fault.match, spot(was.fault)[0]) == (3, 1, 3)


def test_a_lenient_reader_skips_each_wrong_line() -> None:
    was = leniently(HEAD + "1 2 3 4 -\n25 25 25 25 -\n\xff\n", "club")
    assert (len(was.matches), [spot(fault)[0] for fault in was.faults]) == (1, [2, 4])


def test_names_that_look_alike_are_reported() -> None:
    was = leniently("A B Thomas\n35 35 35\nA 35 B 35 Thommas 35\n", "club")
    assert [(warning.line, warning.column) for warning in was.warnings] == [(3, 11)]


def test_dates_settings_and_comments_hold_for_the_next_games() -> None:
    text = "# first\n2024-05-03\nA B C\n35 35 35 # a\nstart 30\n# b\n30 30 30\n2024/5/4\n30 30 30\n# end\n"
    read = games(text)
    assert [str(match.date) for match in read] == ["2024-05-03", "2024-05-03", "2024-05-04"]
    assert [match.rules for match in read[:2]] == [UNSET, Rules(start=30000)]
    assert [[each.value for each in match.annotations] for match in read] == [[" first", " a"], [" b"], [" end"]]


def test_a_game_that_did_not_end_has_no_points() -> None:
    [match] = games("A B C D\n? ? ? ?\n")
    assert (match.closing, len(match.players)) == ([], 4)


@pytest.mark.parametrize(
    ("match", "text"),
    [
        (Match(), "P1 ?, P2 ?, P3 ?, P4 ?\n"),
        (Match(closing=[EndGame((1, -1, 0))], players=[Player()] * 3), "P1 0.001, P2 -0.001, P3 0 = 0\n"),
        (Match(closing=[EndGame((400000, 0, 0, 0))]), "P1 400000, P2 0, P3 0, P4 0 = 400000\n"),
        (
            Match(closing=[EndGame((30000, 30000, 20000, 20000))], rules=Rules(uma=(2000, 1000), start=25000)),
            "start 25 uma 2 1 ties dealer\nP1 30, P2 30, P3 20, P4 20\n",
        ),
        (
            Match(
                [Player(Name(Text(name))) for name in ("a\nb", "A", "A", "7")],
                closing=[EndGame((25000,) * 4)],
                annotations=(Annotation(0, "comment", value="x"), Annotation(0, "mark", 1, "chombo")),
                rules=Rules(by_place=(5000, 1000, -2000, -4000), uma=UNSET, ties="share"),
            ),
            'uma 5 1 -2 -4 ties share chombo 0\n#x\na b 25, A 25 chombo, A~2 25, "7" 25\n',
        ),
        (
            Match([Player(Name(Text("\ufeffA"))), *[Player()] * 3], closing=[EndGame((25000,) * 4)]),
            '"\ufeffA" 25, P2 25, P3 25, P4 25\n',
        ),
    ],
)
def test_a_match_is_written_as_a_line_and_comes_back(match: Match, text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.club"
    mjconv.write(match, path, plain=True)
    assert path.read_text() == text
    mjconv.write(match, path)
    assert mjconv.read(path) == match


def test_rounds_are_in_notes_below_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.club"
    match = mjconv.read(SAMPLE)
    assert {"match.rounds"} <= {loss.what for loss in mjconv.write(match, path)}
    assert mjconv.read(path) == match
    path.write_text(path.read_text().replace("朝倉", "浅倉"))
    edited = mjconv.read(path)
    assert edited.players[0].name == Name(Text("浅倉 春"))
    assert edited.rounds == match.rounds


def test_settings_change_between_matches_and_nothing_else_is_repeated() -> None:
    ends = [EndGame((25000,) * 4)]
    matches = [Match(closing=ends, rules=Rules(start=25000, ties="share"), date=datetime.date(2024, 5, 3))] * 2
    matches += [Match(closing=ends, date=datetime.date(2024, 5, 4)), Match(rounds=[Round([Ryukyoku()])])]
    text = write(matches, "club", plain=True).data.decode()
    line = "P1 25, P2 25, P3 25, P4 25\n"
    rest = f"{line}{line}\n2024-05-04\nusual\n{line}P1 ?, P2 ?, P3 ?, P4 ?\n"
    assert text == f"2024-05-03\nstart 25 ties share\n{rest}"
