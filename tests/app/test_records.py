"""Where a match came from, bytes instead of files, and how a match is shown."""

from pathlib import Path
from typing import Any

import pytest
from given import GAME, ROUND, put_files
from msgspec import UNSET
from typer.testing import CliRunner

import mjconv
from batch.archives import zipped
from corpus_files import CORPUS
from looped import looped
from mjconv.command.cli import app
from mjconv.ir.events import KINDS
from mjconv.ir.match import Name, Player, Round, Text


@pytest.fixture
def logs() -> Path:
    """Create an archive: a file of two matches, a broken file, and a file of one match."""
    files = {"may/1.mjson": (GAME + ROUND).encode(), "may/2.mjson": b"[", "june/1.mjson": ROUND.encode()}
    put_files({"logs.zip": zipped(files)})
    return Path("logs.zip")


def places(records: list[mjconv.Record]) -> list[tuple[str, int]]:
    return [(record.source, record.index) for record in records]


class TestRecords:
    def test_a_record_names_the_member_and_counts_its_matches(self, logs: Path) -> None:
        errors: list[object] = []
        records = list(mjconv.iter_records(logs, errors=errors.append))
        may, june = "logs.zip/may/1.mjson", "logs.zip/june/1.mjson"
        assert (places(records), len(errors)) == ([(may, 0), (may, 1), (june, 0)], 1)
        assert [record.match for record in records] == list(mjconv.iter_matches(logs, errors=errors.append))

    def test_the_numbers_in_a_file_do_not_depend_on_the_shard(self) -> None:
        Path("day.mjson").write_text(GAME * 5)
        shards = [list(mjconv.iter_records("day.mjson", shard=(turn, 2))) for turn in (0, 1)]
        assert [[record.index for record in shard] for shard in shards] == [[0, 2, 4], [1, 3]]

    def test_an_unknown_format_is_refused_at_once(self) -> None:
        with pytest.raises(mjconv.UsageError, match="unknown format"):
            mjconv.iter_records("logs", format="tenuki")

    @looped("read", mjconv.iter_matches, mjconv.iter_records)
    def test_warnings_name_the_line_of_the_caller(self, read: type[object]) -> None:
        put_files({"odd.tally": "tally\nodd\n", "broken.tally": "tally\n!\n"})
        with pytest.warns(mjconv.MjconvWarning) as caught:
            list(read(["odd.tally", "broken.tally"], errors="skip"))  # type: ignore[call-arg, call-overload]
        assert {warning.filename for warning in caught} == {__file__}

    def test_the_column_source_is_the_source_of_the_record(self, logs: Path) -> None:
        records = list(mjconv.iter_records(logs, errors=lambda _: None))

        def sources(records: Any, **options: str) -> set[str | None]:
            return {*mjconv.to_arrow(records, **options).column("source").to_pylist()}

        table, may, june = mjconv.to_arrow(records), "logs.zip/may/1.mjson", "logs.zip/june/1.mjson"
        rows = zip(table.column("source").to_pylist(), table.column("game").to_pylist(), strict=True)
        assert list(dict.fromkeys(rows)) == [(may, 0), (may, 1), (june, 2)]
        assert (sources(records[0]), sources(records, source="x")) == ({may}, {"x"})
        assert sources(record.match for record in records) == {None}


class TestBytes:
    def test_read_takes_the_bytes_of_a_file(self) -> None:
        Path("game.mjson").write_text(ROUND)
        for data in (ROUND.encode(), bytearray(ROUND.encode()), memoryview(ROUND.encode())):
            assert mjconv.read(data, format="mjai") == mjconv.read("game.mjson")
            converted = mjconv.Conversion(ROUND.encode(), [], [], source="mjai", extension=".mjson")
            assert mjconv.convert(data, target="mjai") == converted
        assert mjconv.read(ROUND.encode()) == mjconv.read("game.mjson")
        assert len(mjconv.read_all((GAME * 3).encode(), format="mjai")) == 3

    def test_errors_and_warnings_name_the_input(self) -> None:
        with pytest.raises(mjconv.InputError, match=r"^<input>:2:1: a name does not begin with '!'"):
            mjconv.read(b"tally\n!\n", format="tally")
        with pytest.raises(mjconv.InputError, match=r"^the file holds 2 matches; expected one"):
            mjconv.read((GAME * 2).encode(), format="mjai")
        with pytest.warns(mjconv.MjconvWarning) as caught:
            mjconv.read_all(b"tally\nodd\nguessed\n", format="tally")
        messages = [str(warning.message) for warning in caught]
        assert messages == ["<input>: match 1, line 2: an odd name", "<input>: player.name assumed (1)"]

    def test_bytes_that_no_format_knows_need_a_format(self) -> None:
        with pytest.raises(mjconv.UsageError, match="the format of the input is not clear"):
            mjconv.read(b"day.mjson")

    def test_a_text_or_a_path_is_refused_where_bytes_are_expected(self) -> None:
        with pytest.raises(TypeError, match=r"must be the bytes of a file, not str; for a text, pass"):
            mjconv.convert(GAME, source="mjai", target="mjai")  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"not PosixPath; for a file, pass Path\(name\)\.read_bytes\(\)"):
            mjconv.convert(Path("game.mjson"), source="mjai", target="mjai")  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"must be the bytes of a file, not list"):
            mjconv.read(["game.mjson"])  # type: ignore[arg-type]


class TestShown:
    def test_a_match_is_one_line(self) -> None:
        match = mjconv.read(ROUND.encode(), format="mjai")
        assert repr(match) == "<Match: A, B, C, D, 1 round, 7 events>"
        assert repr(match.rounds) == "[<Round S3-1: 5 events, ron>]"
        assert repr(mjconv.Match()) == "<Match: 4 players, 0 rounds, 0 events>"

    def test_a_hostile_name_stays_on_one_short_line(self) -> None:
        match = mjconv.Match([Player(Name(Text(native="a\n\x1b[2J\u202e" + "x" * 100_000)))])
        assert "\n" not in repr(match)
        assert repr(match).isprintable()
        assert len(repr(match)) < 200

    def test_a_notebook_shows_a_row_for_each_round(self) -> None:
        html = mjconv.read(ROUND.encode(), format="mjai")._repr_html_()
        assert "<tr><th>Round</th><th>Result</th><th>A</th><th>B</th><th>C</th><th>D</th></tr>" in html
        row = "".join(f"<td>{cell}</td>" for cell in ("S3-1", "A ron from C", "+5500", "0", "-5500", "0"))
        assert f"<tbody><tr>{row}</tr></tbody>" in html

    def test_the_table_shows_draws_unknown_points_and_two_wins_of_a_round(self) -> None:
        both: list[mjconv.Event] = [
            mjconv.Win(0, 2, deltas=(1000, 0, -1000, 0)),
            mjconv.Win(1, 2, deltas=(0, 2000, -2000, 0)),
        ]
        rounds = [Round(both), Round([mjconv.Ryukyoku(reason="fanpai")]), Round([mjconv.Draw(0, "1m")])]
        html = mjconv.Match([Player(Name(Text(name))) for name in "ABCD"], rounds)._repr_html_()
        results = ["A ron from C; B ron from C", "draw (fanpai)", "no result"]
        assert [row.split("</td>")[1] for row in html.split("<tr>")[2:]] == [f"<td>{end}" for end in results]
        assert "<td>+1000</td><td>+2000</td><td>-3000</td><td>0</td>" in html
        assert html.count("<td></td>") == 8

    def test_the_table_escapes_names_and_stays_small(self) -> None:
        names = [Player(Name(Text(native="<script>alert(1)</script>")))]
        html = mjconv.Match(names, [Round() for _ in range(1000)])._repr_html_()
        assert "<script>" not in html
        assert "&lt;script&gt;" in html
        assert "936 more rounds" in html
        assert html.count("<tr>") < 100


def test_every_kind_of_event_is_a_public_name() -> None:
    for kind in KINDS.values():
        assert getattr(mjconv, kind.__name__) is kind
        assert kind.__name__ in mjconv.__all__


# Walls are worked out from seeds, unless the caller does without them.


WALLED = CORPUS / "tenhou" / "hanchan.mjlog"


def has_walls(match: mjconv.Match) -> bool:
    [known] = {game_round.wall is not UNSET for game_round in match.rounds}
    return known


@looped("wall", True, False)
def test_the_library_reads_with_or_without_walls(wall: bool) -> None:
    assert has_walls(mjconv.read(WALLED, wall=wall)) == wall
    assert [has_walls(match) for match in mjconv.read_all(WALLED, wall=wall)] == [wall]
    assert [has_walls(match) for match in mjconv.iter_matches(WALLED, wall=wall)] == [wall]


@pytest.mark.parametrize("options", [(), ("--no-wall",)])
def test_the_command_converts_with_or_without_walls(options: tuple[str, ...], tmp_path: Path) -> None:
    there, back = tmp_path / "game.mjson", tmp_path / "game.mjlog"
    runner = CliRunner()
    assert runner.invoke(app, ["convert", str(WALLED), "-o", str(there), *options]).exit_code == 0
    assert has_walls(mjconv.read(there)) == (not options)
    assert runner.invoke(app, ["convert", str(there), "-o", str(back)]).exit_code == 0
    assert back.read_bytes() == WALLED.read_bytes()


def test_batch_skips_walls(tmp_path: Path) -> None:
    command = ["batch", str(WALLED.parent), "-o", str(tmp_path), "--to", "mjai", "--no-wall", "--jobs", "1"]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert not has_walls(mjconv.read(tmp_path / "hanchan.mjson"))
