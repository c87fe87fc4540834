"""The score table: of the standard's example, random files, windows of dates, several files, broken ones."""

import gzip
import random
import sys
import tracemalloc
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from given import GAME, Outcome, Run
from hypothesis import given
from hypothesis import strategies as st

import mjconv
from corpus_files import CORPUS
from hk_scores import Played, score, write_file
from looped import looped, step
from mjconv import InputError, UsageError, hk_score, hk_score_files
from mjconv.command.score import ScoreOptions, score_files
from mjconv.files.lines import PIECE
from mjconv.ir.limits import Limits, using
from mjconv.score.table import Row, ScoreTable
from trips import known, read

EXAMPLE = CORPUS / "hk" / "example.hk"
TABLE = (CORPUS / "hk" / "example.tsv").read_text("utf-8")
HEAD = "name\tgame_count\twin_count\twin_fraction\tnet_score\tnet_score_per_game\n"


def put(text: str | bytes, name: str = "scores.hk") -> Path:
    path = Path(name)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def rows(text: str | bytes, **window: date) -> list[Row]:
    return list(hk_score_files([put(text)], **window).rows)


def tsv(text: str, *words: str) -> str:
    """Return the rows of the table of a text, without the header."""
    return hk_score_files([put(text)]).tsv(blame="--blame" in words).partition("\n")[2]


def played(table: ScoreTable) -> dict[str, Played]:
    return {row.name: Played(row.games, row.wins, row.blames, row.net) for row in table.rows}


class TestTheTable:
    def test_the_table_of_the_example_byte_for_byte(self, run: Run) -> None:
        assert run("score", EXAMPLE).out == TABLE.encode()
        assert hk_score_files([EXAMPLE]).tsv() == TABLE

    def test_blame_adds_two_columns_after_the_wins(self, run: Run) -> None:
        put("A B C D\n- 2 d -\n- - - f\n1 - S -\n")
        lines = run("score", "scores.hk", "--blame").out.decode().splitlines()
        assert lines[0].split("\t")[3:7] == ["win_fraction", "blame_count", "blame_fraction", "net_score"]
        expected = [["B", "0"], ["A", "0"], ["C", "2"], ["D", "1"], ["*", "3"]]
        assert [line.split("\t")[0:6:4] for line in lines[1:]] == expected
        assert lines[3].split("\t")[5] == "0.6667"

    def test_rows_are_sorted_by_points_per_game_then_by_name(self) -> None:
        names = [row.name for row in rows("z y x w\n1 - - -\nE F G H\na b c d\n- - - -\n")]
        assert names == ["z", *"abcd", *"wxy", *"EFGH"]

    @looped(
        ("net", "games", "printed"),
        ("1/3", 1, ("0.3333", "0.3333")),
        ("-904", 6, ("-904", "-150.6667")),
        ("0.00015", 1, ("0.0001", "0.0001")),
        ("-0.00001", 1, ("0", "0")),
        ("100", 1000, ("100", "0.1")),
        ("1200", 1, ("1200", "1200")),
        ("0", 0, ("0", "nan")),
        ("-1/100000", 3, ("0", "0")),
    )
    def test_numbers_have_four_decimals_at_most(self, net: str, games: int, printed: tuple[str, str]) -> None:
        cells = ScoreTable((Row("A", games, 0, 0, Fraction(net)),)).cells()[1]
        assert (cells[4], cells[5]) == printed

    def test_a_name_with_a_quote_is_quoted(self) -> None:
        assert tsv('"A B C D\n1 - - -\n').startswith('"""A"\t1\t1\t1\t6\t6\n')

    def test_sums_are_exact(self) -> None:
        text = "B=0.1\nA B C D\n" + "0 d - -\n" * 100_000 + "- 0 - d\n" * 100_000
        assert {row.name: row.net for row in rows(text)} == {"A": 20_000, "B": 0, "C": 0, "D": -20_000}

    def test_points_of_any_size_are_written_out(self) -> None:
        [most, *_] = rows("B=999999999999\nM=999\nS=spicy\nA B C D\n999 - - -\n")
        assert most.net == 3 * 999_999_999_999 * 2**999
        assert len(ScoreTable((most,)).cells()[1][4]) == len(str(most.net))


class TestCountedGames:
    @looped("text", "", "\n", "# nothing yet\n", "M=8\n2024-01-20\n", "\ufeff")
    def test_a_file_without_players_gives_an_empty_table(self, text: str, run: Run) -> None:
        put(text)
        nothing = Outcome(0, f"{HEAD}*\t0\t0\tnan\t0\tnan\n".encode(), "mjconv: warning: no game counted\n")
        assert run("score", "scores.hk") == nothing

    def test_players_without_a_game(self) -> None:
        assert tsv("A B C D\n") == "".join(f"{name}\t0\t0\tnan\t0\tnan\n" for name in "ABCD*")

    def test_lines_may_end_in_any_way(self) -> None:
        for ends in ("\n", "\r\n", "\r", "\u2028", "\x85"):
            for mark in ("", "\ufeff"):
                text = mark + EXAMPLE.read_text("utf-8").replace("\n", ends)
                assert hk_score_files([put(text)]).tsv() == TABLE, (ends, mark)

    def test_dates_select_games_and_keep_earlier_declarations(self) -> None:
        text = "B=2\nA B C D\n1 - - -\n2024-01-19\n1 - - -\nR=half\n2024-01-20\n- 1 - d\n2024-01-21\n- - - f\n"
        [best, *_] = rows(text, since=date(2024, 1, 20), until=date(2024, 1, 20))
        assert (best.name, best.games, best.net) == ("B", 1, Fraction(8))
        assert [row.games for row in rows(text, since=date(2024, 1, 20))] == [2] * 4
        assert [row.games for row in rows(text, until=date(2024, 1, 19))] == [1] * 4
        assert [row.games for row in rows(text)] == [4] * 4

    def test_with_a_window_players_without_a_game_in_it_have_no_row(self) -> None:
        text = "A B C D\n- - - -\n2024-01-20\nA B C E\n- - - -\n"
        assert [row.name for row in rows(text, since=date(2000, 1, 1))] == ["A", "B", "C", "E"]

    def test_each_file_begins_with_the_usual_rules_and_names_join_players(self, run: Run) -> None:
        put("2024-05-05\nB=100\nM=20\nA B C D\n1 - - -\n", "one.hk")
        put("2024-01-01\nE A F G\n- 1 - -\n", "two.txt")
        assert run("score", "one.hk", "two.txt").out.decode().splitlines()[1] == "A\t2\t2\t1\t606\t303"
        Path("three.hk").write_text("A B C D\n14 - - -\n")
        assert "the faan are above the maximum, which is 13" in run("score", "one.hk", "three.hk").err

    def test_standard_input_and_gzip(self, run: Run) -> None:
        data = EXAMPLE.read_bytes()
        assert run("score", "-", stdin=data).out == TABLE.encode()
        parts = gzip.compress(data[:100], mtime=0) + gzip.compress(data[100:])
        assert run("score", "-", stdin=parts).out == TABLE.encode()
        put(gzip.compress(data, mtime=0), "scores.hk.gz")
        assert run("score", "scores.hk.gz").out == TABLE.encode()

    def test_notes_are_comments(self) -> None:
        mjconv.write(mjconv.read(put(GAME.replace('"D"', '"-"'), "game.mjson")), "game.hk")
        assert "#@mjconv" in Path("game.hk").read_text()
        assert [row.name for row in hk_score_files(["game.hk"]).rows] == ["-", "A", "B", "C"]


class TestOutput:
    def test_a_terminal_gets_it_aligned(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        put("石橋 B C \x1b[2J\n- 3 d -\n")
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        score_files(ScoreOptions(files=["scores.hk"]))
        assert capsys.readouterr().out.splitlines()[1:] == [
            "B                 1          1             1         16                  16",
            "\\x1b[2J           1          0             0          0                   0",
            "石橋              1          0             0          0                   0",
            "C                 1          0             0        -16                 -16",
            "*                 4          1          0.25          0                   0",
        ]


class TestErrors:
    def test_the_place_is_named(self, run: Run) -> None:
        put("A B C D\n\n- 2 x -  # x\n", "bad.hk")
        outcome = run("score", EXAMPLE, "bad.hk").check(1, out="", err="bad.hk:3:5: 'x' is no result")
        assert "    - 2 x -  # x\n        ^" in outcome.err

    @looped("path", *sorted((CORPUS / "hk" / "broken").glob("*.hk")), ids=lambda path: path.stem)
    def test_every_error_of_the_format_is_found(self, path: Path, run: Run) -> None:
        """All errors except those of notes, which are comments here."""
        expected = path.with_name(f"{path.name}.error").read_text("utf-8")
        reason = expected.partition(" at byte offset")[0].partition("\n")[0]
        is_note = path.stem.startswith("note-")
        run("score", path).check(*((0,) if is_note else (1, None, reason)))

    def test_a_line_that_was_met_before_is_checked_again_where_the_rules_changed(self) -> None:
        with pytest.raises(InputError) as error:
            rows("A B C D\n8 - - -\nM=6\n# so\n8 - - -\n")
        assert known(error.value.place).line == 5

    def test_no_utf8_far_into_a_file(self) -> None:
        line = b"- 1 - d  # \xe5\xbc\xb7\n"
        count = 2 * PIECE // len(line)
        with pytest.raises(InputError) as error:
            rows(b"A B C D\n" + line * count + b"- - \xff -\n")
        assert str(error.value).startswith(f"scores.hk:{count + 2}:5: not UTF-8: byte 0xff")

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"PK\x03\x04", "is a zip archive"),
            (gzip.compress(b"A B C D\n", mtime=0)[:-4], "is gzip data that ends too early"),
            (gzip.compress(b"A B C D\n", mtime=0)[:9] + b"\xff" * 40, "is broken gzip data"),
            (b"# " + b"x" * (1 << 24), "a line is longer than 16 MiB"),
        ],
    )
    def test_files_that_are_not_text(self, data: bytes, message: str) -> None:
        with pytest.raises(InputError, match=message):
            rows(data)

    def test_a_file_that_is_too_large(self) -> None:
        too_large = "decompresses to more than 1000 bytes"
        with using(Limits(unpacked_bytes=1000)), pytest.raises(InputError, match=too_large):
            rows(gzip.compress(b"#\n" * 600, mtime=0))
        with using(Limits(file_bytes=1000)), pytest.raises(InputError, match="is larger than 1000 bytes"):
            rows(b"#\n" * 600)

    def test_a_match_without_hk_rules_is_no_hk_score(self) -> None:
        match = mjconv.read(put(GAME.replace('{"type":"end_game"}', ROUND), "game.mjson"))
        with pytest.raises(UsageError, match="convert the match to hk first"):
            hk_score(match)


ROUND = (
    '{"type":"start_kyoku","oya":0,"dora_marker":"?","tehais":['
    + ",".join(['["' + '","'.join("?" * 13) + '"]'] * 4)
    + ']}\n{"type":"hora","actor":0,"target":1,"fan":3}\n{"type":"end_kyoku"}\n{"type":"end_game"}'
)


@pytest.fixture(params=range(0, 25, step(3)))
def text(request: pytest.FixtureRequest) -> str:
    return write_file(random.Random(request.param), 300)


WORDS = [
    "A", "B", "C", "D", "-", "d", "D", "S", "f", "0", "13", "14", "B=2", "B=.", "M=6", "R=half", "S=x", "#",
    "# a b",
]  # fmt: skip
WORDS += ["2024-01-20", "2024-01-19", "2024-02-30", "\n", "\n", "\r\n", "\x85", " ", "\u3000", "*", "\x00"]


@given(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))
def test_what_is_read_is_scored_and_what_is_refused_is_refused_alike(text: str) -> None:
    data = text.encode()
    Path("any.hk").write_bytes(data)
    expected = outcome(lambda: hk_score(read(data, "hk").matches))
    assert outcome(lambda: hk_score_files(["any.hk"])) == expected


def outcome(work: Callable[[], ScoreTable]) -> ScoreTable | tuple[str, int | None, int | None]:
    try:
        return work()
    except InputError as error:
        place = error.place
        return error.message, *((place.line, place.column) if place else (None, None))


class TestRandomFiles:
    def test_the_table_is_that_of_the_rules(self, text: str) -> None:
        table = hk_score_files([put(text)])
        assert (played(table), sum(row.net for row in table.rows)) == (score(text), 0)

    def test_matches_give_the_same_table(self, text: str) -> None:
        assert hk_score(mjconv.read_all(put(text))) == hk_score_files(["scores.hk"])

    def test_in_a_window_of_dates_too(self, text: str) -> None:
        window = {"since": date(2000, 2, 1), "until": date(2001, 1, 1)}
        table = hk_score_files([put(text)], **window)
        found = score(text, *(str(day) for day in window.values()))
        assert played(table) == {name: one for name, one in found.items() if one.games}
        assert hk_score(mjconv.read_all(Path("scores.hk")), **window) == table

    def test_pieces_of_the_file_may_end_anywhere(self, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = hk_score_files([put(text)])
        size = (1, 2, 3, 7, 100)[len(text) % 5]
        monkeypatch.setattr("mjconv.files.lines.PIECE", size)
        with using(Limits(line_bytes=1000)):
            assert hk_score_files(["scores.hk"]) == whole, size

    def test_several_files_are_added_up(self, text: str) -> None:
        other = write_file(random.Random(text), 100)
        table = played(hk_score_files([put(text, "one.hk"), put(other, "two.hk")]))
        ours, theirs = score(text), score(other)
        assert set(table) == set(ours) | set(theirs)
        for name, one in table.items():
            parts = [part[name] for part in (ours, theirs) if name in part]
            assert (one.games, one.net) == (sum(part.games for part in parts), sum(part.net for part in parts))


def _peak(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_the_memory_taken_does_not_grow_with_the_file() -> None:
    """All lines differ: in comments, spacing and faan."""
    for name, games in (("small.hk", 5_000), ("large.hk", 25_000)):
        with open(name, "w") as file:
            file.write("M=999\nA B C D\n")
            for number in range(games):
                file.write(f"{number % 1000}{' ' * (number % 97 + 1)}-{' ' * (number % 89 + 1)}- d # {number}\n")
    small, large = (_peak(lambda name=name: hk_score_files([name])) for name in ("small.hk", "large.hk"))  # type: ignore[misc]
    assert large < 1.5 * small
