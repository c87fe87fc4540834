"""Score tables in every file format, sorted, by day, month or year, and points after each game."""

import json
import random
import sys
import zipfile
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

import pytest
from given import BAD_INPUT, ROUND, WRONG_USAGE, Run, put_files, table

import mjconv
from corpus_files import CORPUS
from hk_scores import write_file
from looped import looped
from mjconv.files.reading import read_bytes
from mjconv.score.table import Grid

CLUB = """\
# before the first date
A B C D
1 - - -
2024-01-20
B=0.5
- 2 d -
2024-02-03
E F G A
- 3 - d
1 - - -
"""

#: The names of XML elements of a workbook begin with this.
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@pytest.fixture(autouse=True)
def _club() -> None:
    Path("club.hk").write_text(CLUB)


def score_of(run: Run, text: str, *words: str) -> str:
    """Return what `score` prints of a file of its own."""
    Path("new.hk").write_text(text, "utf-8")
    return run("score", "new.hk", *words).out.decode()


def workbook(path: str) -> list[dict[str, str | float]]:
    """Return the cells of each row of a workbook, by the letter of the column."""
    with zipfile.ZipFile(path) as archive:
        strings, sheet = (
            ElementTree.fromstring(archive.read(f"xl/{name}.xml"))
            for name in ("sharedStrings", "worksheets/sheet1")
        )
    shared = ["".join(node.itertext()) for node in strings]
    assert not list(sheet.iter(f"{SHEET}f")), "a cell has a formula"
    return [
        {
            (cell.get("r") or "").rstrip("0123456789"): shared[int(value)]
            if cell.get("t") == "s"
            else float(value)
            for cell in row
            if (value := cell.findtext(f"{SHEET}v")) is not None
        }
        for row in sheet.iter(f"{SHEET}row")
    ]


class TestFormats:
    @looped("name", "table.csv", "table.csv.gz", "table.CSV")
    def test_the_ending_decides_compressed_or_not(self, run: Run, name: str) -> None:
        run("score", "club.hk", "-o", name)
        assert read_bytes(name).startswith(b"name,game_count")

    @pytest.mark.parametrize("name", ["table", "table.txt", "table.tsv"])
    def test_tabs_elsewhere(self, run: Run, name: str) -> None:
        run("score", "club.hk", "-o", name)
        assert Path(name).read_bytes() == run("score", "club.hk").out

    def test_the_option_counts_more_than_the_name(self, run: Run) -> None:
        run("score", "club.hk", "-o", "table.csv", "--format", "json")
        assert json.loads(Path("table.csv").read_text())[0]["name"] == "F"

    def test_json_escapes_what_a_terminal_acts_on(self, run: Run) -> None:
        out = score_of(run, "A B C\u202eD E\x7f\n1 - - -\n", "--format", "json")
        assert "C\\u202eD" in out
        assert "E\\u007f" in out

    def test_json_has_numbers_and_null(self, run: Run) -> None:
        rows = json.loads(score_of(run, "A B C D\nB=0.1\n1 - - -\nE F G H\n", "--format", "json"))
        expected = {"name": "A", "game_count": 1, "win_count": 1, "win_fraction": 1, "net_score": 0.6}
        assert rows[0] == {**expected, "net_score_per_game": 0.6}
        assert (rows[4]["win_fraction"], rows[-1]["name"]) == (None, "*")

    def test_markdown_is_a_table_in_which_names_are_text(self, run: Run) -> None:
        lines = score_of(run, "a|b _c <i> d\n1 - - -\n", "--format", "md").splitlines()
        assert lines[0].startswith(r"| name | game\_count |")
        assert lines[1] == "| :--- | ---: | ---: | ---: | ---: | ---: |"
        assert lines[2] == r"| a\|b | 1 | 1 | 1 | 6 | 6 |"
        assert {line.split(" | ")[0] for line in lines[3:]} == {r"| \<i\>", r"| \_c", "| d", r"| \*"}

    def test_a_workbook_has_the_same_cells(self, run: Run) -> None:
        run("score", "club.hk", "-o", "table.xlsx")
        header, *rows = workbook("table.xlsx")
        assert list(header.values()) == table(run("score", "club.hk").out)[0]
        exact = json.loads(run("score", "club.hk", "--format", "json").out)
        assert [list(row.values()) for row in rows] == [list(row.values()) for row in exact]

    def test_the_same_scores_give_the_same_workbook(self, run: Run) -> None:
        for name in ("one.xlsx", "two.xlsx"):
            run("score", "club.hk", "-o", name)
        assert Path("one.xlsx").read_bytes() == Path("two.xlsx").read_bytes()

    def test_text_in_a_workbook_is_no_formula_link_or_number(self, run: Run) -> None:
        score_of(run, "=1+1 http://x \x1b[2J ~７\n1 - - -\n", "-o", "table.xlsx")
        names = [row["A"] for row in workbook("table.xlsx")[1:]]
        assert names[0] == "=1+1"
        assert {"http://x", "~７"} <= set(names)

    def test_numbers_beyond_a_spreadsheet_are_text_in_a_workbook(self, run: Run) -> None:
        score_of(run, "B=999999999999\nM=999\nS=spicy\nA B C D\n999 - - -\n", "-o", "table.xlsx")
        assert workbook("table.xlsx")[1]["E"] == str(3 * 999_999_999_999 * 2**999)

    def test_a_workbook_without_the_library_names_it(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "xlsxwriter", None)
        monkeypatch.setattr("mjconv.packages.find_spec", lambda _: None)
        run("score", "club.hk", "-o", "table.xlsx").check(WRONG_USAGE, err="pip install xlsxwriter")

    def test_a_terminal_gets_no_workbook(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("mjconv.command.score.on_terminal", lambda _: True)
        assert "name a file with -o" in run("score", "club.hk", "--format", "xlsx").err
        assert run("score", "club.hk", "--format", "csv").out.startswith(b"name,game_count")


class TestSorting:
    @looped(
        ("column", "names"),
        ("name", "ABCDEFG*"),
        ("game_count", "ABCDEFG*"),
        ("net_score", "FEBGDAC*"),
        ("win_fraction", "BEFACDG*"),
    )
    def test_names_go_up_and_numbers_down(self, run: Run, column: str, names: str) -> None:
        assert "".join(row[0] for row in table(run("score", "club.hk", "--sort", column).out)[1:]) == names

    def test_a_column_of_blame_goes_with_its_option(self, run: Run) -> None:
        assert table(run("score", "club.hk", "--sort", "blame_count", "--blame").out)[1][0] == "A"


class TestPeriods:
    def test_a_table_for_each_month_those_without_a_date_first(self, run: Run) -> None:
        header, *rows = table(run("score", "club.hk", "--by", "month").out)
        assert header[:3] == ["month", "name", "game_count"]
        expected = (("", "ABCD*"), ("2024-01", "BADC*"), ("2024-02", "FEGA*"))
        assert [row[:2] for row in rows] == [[month, name] for month, names in expected for name in names]

    @looped("by", "day", "month", "year")
    def test_the_periods_add_up_to_the_whole(self, run: Run, by: str) -> None:
        files = [f"{seed}.hk" for seed in range(4)]
        put_files({name: write_file(random.Random(seed), 300) for seed, name in enumerate(files)})
        whole = {row["name"]: row for row in json.loads(run("score", "-q", *files, "--format", "json").out)}
        games: defaultdict[str, int] = defaultdict(int)
        for row in json.loads(run("score", "-q", *files, "--format", "json", "--by", by).out):
            games[row["name"]] += row["game_count"]
        assert games == {name: row["game_count"] for name, row in whole.items() if row["game_count"]}

    def test_blame_sorting_and_dates_hold_in_each_period(self, run: Run) -> None:
        words = ("--by", "year", "--blame", "--sort", "name", "--since", "2024-02-01")
        header, *rows = table(run("score", "club.hk", *words).out)
        assert "blame_count" in header
        assert [row[:2] for row in rows] == [["2024", name] for name in "AEFG*"]


class TestRunning:
    def test_the_points_of_each_player_after_each_game(self, run: Run) -> None:
        assert table(run("score", "club.hk", "--running").out) == [
            ["game", "date", "A", "B", "C", "D", "E", "F", "G"],
            ["1", "", "6", "-2", "-2", "-2", "", "", ""],
            ["2", "2024-01-20", "6", "2", "-6", "-2", "", "", ""],
            ["3", "2024-02-03", "-2", "2", "-6", "-2", "0", "8", "0"],
            ["4", "2024-02-03", "-3", "2", "-6", "-2", "3", "7", "-1"],
        ]

    def test_or_after_each_period(self, run: Run) -> None:
        assert table(run("score", "club.hk", "--running", "--by", "year").out) == [
            ["year", "A", "B", "C", "D", "E", "F", "G"],
            ["", "6", "-2", "-2", "-2", "", "", ""],
            ["2024", "-3", "2", "-6", "-2", "3", "7", "-1"],
        ]

    def test_games_of_several_files_are_in_the_order_of_their_dates(self, run: Run) -> None:
        early = "2024-01-01\nA B C D\n- - 1 -\n2024-01-03\n- - - 1\n"
        put_files({"late.hk": "2024-01-02\nA B C D\n1 - - -\n2024-01-04\n- 1 - -\n", "early.hk": early})
        rows = table(run("score", "late.hk", "early.hk", "--running").out)
        points = ("-2", "4", "2", "0")
        assert [row[:3] for row in rows[1:]] == [[f"{n}", f"2024-01-0{n}", net] for n, net in enumerate(points, 1)]

    def test_the_last_row_has_the_sums(self, run: Run) -> None:
        Path("random.hk").write_text(write_file(random.Random(7), 300), "utf-8")
        last = json.loads(run("score", "-q", "random.hk", "--running", "--format", "json").out)[-1]
        sums = {row.name: float(row.net) for row in mjconv.hk_score_files(["random.hk"]).rows if row.games}
        assert last["points"] == sums

    def test_a_player_called_like_a_column_keeps_the_points_in_json(self, run: Run) -> None:
        [row] = json.loads(score_of(run, "game date B C\n1 - - -\n", "--running", "--format", "json"))
        assert row == {"game": 1, "date": None, "points": {"game": 6, "date": -2, "B": -2, "C": -2}}

    def test_a_workbook_has_dates_and_empty_cells(self, run: Run) -> None:
        run("score", "club.hk", "--running", "-o", "table.xlsx")
        rows = workbook("table.xlsx")
        assert rows[1] == {"A": 1.0, "C": 6.0, "D": -2.0, "E": -2.0, "F": -2.0}
        assert rows[2]["B"] == 45311.0, "the number of 2024-01-20 in a workbook"

    def test_a_table_that_would_fill_memory_is_refused(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("mjconv.score.score.MOST_CELLS", 20)
        said = "more than 20 cells: choose games by --since, --until or --by"
        run("score", "club.hk", "--running").check(WRONG_USAGE, err=said)


class TestDates:
    @looped(
        ("window", "days"),
        ("--since 2024-01-20 --until 2024-01-20", ["2024-01-20"]),
        ("--since 2024-02", ["2024-02-03", "2024-02-03"]),
        ("--until 2024-01", ["2024-01-20"]),
        ("--since 2024 --until 2024", ["2024-01-20", "2024-02-03", "2024-02-03"]),
    )
    def test_both_ends_are_whole_days_months_or_years(self, run: Run, window: str, days: list[str]) -> None:
        assert [row[1] for row in table(run("score", "club.hk", "--running", *window.split()).out)[1:]] == days

    def test_the_last_month_of_all_has_an_end(self, run: Run) -> None:
        assert run("score", "club.hk", "--until", "9999-12").out == run("score", "club.hk", "--until", "9999").out


class TestFormulas:
    NAMES = ("=cmd|A1", "@SUM", "+D", "＝1")

    @looped(("form", "separator"), ("csv", ","), ("tsv", "\t"))
    @looped("words", (), ("--running",))
    def test_no_name_is_a_formula(self, run: Run, form: str, separator: str, words: tuple[str, ...]) -> None:
        log = f'{{"type":"start_game","names":{json.dumps(self.NAMES)}}}\n{{"type":"end_game"}}\n'
        Path("names.mjson").write_text(log)
        run("names.mjson", "-o", "names.hk", "--plain", "--quiet")
        Path("names.hk").write_text(Path("names.hk").read_text() + "1 - - -\n")
        text = run("score", "names.hk", "--format", form, *words).out.decode()
        cells = [cell for line in text.splitlines() for cell in line.split(separator)]
        assert {f"'{name}" for name in self.NAMES} <= set(cells)
        assert "-2" in cells
        assert not any(cell.startswith(("=", "+", "@", "＝")) for cell in cells)


class TestOtherFormats:
    def test_a_record_is_converted_first_with_a_warning(self, run: Run) -> None:
        Path("game.mjson").write_text(ROUND)
        outcome = run("score", "game.mjson", "club.hk", "--as", "hk")
        assert "game.mjson: this is mjai, so it was converted to HK scores first" in outcome.err
        assert "hora.fan approximated" in outcome.err
        assert [row[:2] for row in table(outcome.out)[1:] if row[0] == "A"] == [["A", "5"]]

    def test_games_by_other_rules_are_refused_unless_hong_kong_rules_are_named(self, run: Run) -> None:
        Path("game.mjson").write_text(ROUND)
        for words in ((), ("-q",), ("--running",), ("--by", "day")):
            reason = "game.mjson: this is mjai, and its games are not by Hong Kong rules; --as hk"
            run("score", "game.mjson", "club.hk", *words).check(WRONG_USAGE, out="", err=reason)
            assert run("score", "game.mjson", "club.hk", *words, "--as", "hk").status == 0

        with pytest.raises(mjconv.UsageError, match="not by Hong Kong rules"):
            mjconv.hk_score_files(["game.mjson"])
        with pytest.warns(mjconv.MjconvWarning, match="hora.fan"):
            assert mjconv.hk_score_files(["game.mjson"], revalue=True).rows

    def test_games_of_chinese_official_count_by_their_stated_points(self, run: Run) -> None:
        file = str(CORPUS / "pmn/ron.pmn")
        outcome = run("score", file, "--blame")
        assert "ron.pmn: this is pmn, and its games count by the points that it states" in outcome.err
        head, *rows = table(outcome.out)
        shown = [dict(zip(head, row, strict=True)) for row in rows]
        moved = [(-8, -8, 45, -29), (-31, -31, 93, -31)]
        expected = dict(zip(("Mei", "Jun", "Tao", "Ling"), map(sum, zip(*moved, strict=True)), strict=True))
        assert {row["name"]: int(row["net_score"]) for row in shown if row["name"] != "*"} == expected
        assert [row["name"] for row in shown if row["win_count"] == "2"] == ["Tao", "*"]
        assert [row["name"] for row in shown if row["blame_count"] == "1"] == ["Ling", "*"]
        assert run("score", file, "--running").status == 0
        assert "hora.fan" in run("score", file, "--as", "hk").err

    def test_penalties_that_do_not_count_are_named(self, run: Run) -> None:
        text = (CORPUS / "pmn/ron.pmn").read_text("utf-8")
        Path("ron.pmn").write_text(text.replace('[Penalty "0 0 0 0"]', '[Penalty "0 -20 0 0"]', 1), "utf-8")
        assert "ron.pmn:1: the hand has penalties" in run("score", "ron.pmn").err

    def test_scores_that_were_converted_to_another_format_are_still_scores(self, run: Run) -> None:
        run("club.hk", "-o", "club.jmjp", "-q").check(0)
        assert run("score", "club.jmjp", "-q").out == run("score", "club.hk").out

    def test_a_file_that_is_named_twice_counts_twice_with_a_warning(self, run: Run) -> None:
        Path("link.hk").symlink_to("club.hk")
        for again in ("club.hk", "./club.hk", "link.hk"):
            outcome = run("score", "club.hk", again)
            assert outcome.err == f"mjconv: warning: {again}: the file is named twice, and its games count twice\n"

    def test_contents_decide_where_the_name_does_not(self, run: Run) -> None:
        Path("game.txt").write_text(ROUND)
        expected = table(run("score", "-q", "game.txt", "--as", "hk").out)
        assert [row[:2] for row in expected[1:2]] == [["A", "1"]]
        assert table(run("score", "-q", "-", "--as", "hk", stdin=ROUND.encode()).out) == expected

    def test_names_are_those_of_the_record(self, run: Run) -> None:
        Path("game.mjson").write_text(ROUND.replace('"A"', '"阿 强"').replace('"B"', '"-b-"'))
        run("game.mjson", "-o", "game.hk", "--plain", "--quiet")
        assert "%2Db-" in Path("game.hk").read_text()
        for file in ("game.mjson", "game.hk"):
            names = {row[0] for row in table(run("score", "-q", file, "--as", "hk").out)[1:-1]}
            # A spreadsheet would take -b- for a formula.
            assert names == {"阿 强", "'-b-", "C", "D"}
        both = table(run("score", "-q", "game.mjson", "game.hk", "--as", "hk").out)
        assert {row[1] for row in both[1:-1]} == {"2"}

    def test_a_player_cannot_be_the_row_for_all(self, run: Run) -> None:
        rows = table(score_of(run, "%2A B C D\n1 - - -\n").encode())
        assert [row[0] for row in rows[1:]] == ["%2A", "B", "C", "D", "*"]


class TestNamesThatLookAlike:
    def test_are_warned_of_with_the_place(self, run: Run) -> None:
        Path("new.hk").write_text("Dad Mum Ann A\n- 3 - d\n  Dda mum Ann A\n1 - - -\n")
        outcome = run("score", "new.hk")
        two = "and they count as two players; if it is one player, write one name\n"
        outcome.check(0)
        assert outcome.err == "".join(
            f"mjconv: warning: new.hk:3: the name '{one}' looks like '{other}', {two}"
            for one, other in (("Dda", "Dad"), ("mum", "Mum"))
        )
        assert run("score", "new.hk", "--quiet").err == ""
        found = run("validate", "new.hk").out.decode().splitlines()
        places = [line.partition(" S010 ")[0] for line in found if "looks like" in line]
        assert places == ["new.hk:3:3:", "new.hk:3:7:"]

    def test_a_doubled_letter_is_warned_of_in_short_names_too(self, run: Run) -> None:
        Path("new.hk").write_text("Eve B C D\nEvee B C D\n")
        assert "'Evee' looks like 'Eve'" in run("score", "new.hk").err

    def test_in_several_files_too(self, run: Run) -> None:
        put_files({"one.hk": "Stephen B C D\n", "two.hk": "Stephan B C D\n"})
        assert "two.hk:1: the name 'Stephan' looks like 'Stephen'" in run("score", "one.hk", "two.hk").err

    @looped(
        "text",
        "Jon John B C\n",
        "Terry B C D\nJerry B C D\n",
        "石橋 B C D\n石田 B C D\n",
        "P1 P2 P3 P4\n",
        "Paulo B C D\nPaula B C D\n",
        "Ann B C D\nAnna B C D\n",
        "Bo B C D\nBoo B C D\n",
        "d D S f\nD d s F\n",
        "かな B C D\nがな B C D\n",
        "player1 B C D\nplayer2 B C D\n",
    )
    def test_names_of_different_players_are_not(self, run: Run, text: str) -> None:
        Path("new.hk").write_text(f"{text}- - - -\n", "utf-8")
        assert run("score", "new.hk").err == ""

    def test_are_a_warning_of_the_library(self) -> None:
        Path("new.hk").write_text("Dad B C D\nDda B C D\n")
        with pytest.warns(mjconv.MjconvWarning, match="'Dda' looks like 'Dad'"):
            mjconv.hk_score_files(["new.hk"])


def test_a_declaration_with_spaces_is_explained(run: Run) -> None:
    Path("new.hk").write_text("A B C D\nB = 0.5\n1 - - -\n")
    for command in ("score", "info", "validate"):
        outcome = run(command, "new.hk")
        text = outcome.err + outcome.out.decode()
        assert "new.hk:2:1: " in text
        assert "this is no line of scores; write B=0.5" in text
        assert outcome.status == BAD_INPUT


def test_a_grid_without_rows_is_aligned_too() -> None:
    assert Grid(["game", "date"], []).aligned() == "game  date\n"


def test_players_with_few_games_have_no_column_in_running_points(run: Run) -> None:
    lines = table(run("score", "club.hk", "--running", "--min-games", "3").out)
    assert lines[0] == ["game", "date", "A"]
    assert [line[2] for line in lines[1:]] == ["6", "6", "-2", "-3"]


@looped("more", [], ["--running"], ["--by", "day"], ["-o", "page.html"])
def test_games_that_no_player_has_are_an_error(run: Run, more: list[str]) -> None:
    outcome = run("score", "club.hk", "--min-games", "9", *more)
    assert (outcome.status, outcome.err) == (BAD_INPUT, "mjconv: error: no player has 9 games\n")
    assert outcome.out == b""


def test_nobody_is_to_blame_in_games_of_riichi(run: Run) -> None:
    Path("a.club").write_text("Ann Ben Cho Dee\n42.3 31 18.2 8.5\n")
    outcome = run("score", "a.club", "--blame")
    reason = "--blame counts games by Hong Kong rules, and these are games of riichi: leave it out"
    assert (outcome.status, outcome.err) == (WRONG_USAGE, f"mjconv: error: {reason}\n")
