"""`mjconv stats`: its outputs, the same result from records and from columns, and its errors."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from given import BAD_INPUT, Outcome, Run, put_files

import mjconv
from corpus_files import CORPUS, SAMPLE
from mjconv import packages

RECORDS = [CORPUS / "grammar", CORPUS / "tenhou" / "hanchan.mjlog", CORPUS / "majsoul" / "client.json", SAMPLE]


@pytest.fixture
def columns() -> str:
    """Write the records as columns, in small row groups, so that games are divided."""
    pq.write_table(mjconv.to_arrow(mjconv.iter_records(RECORDS)), "events.parquet", row_group_size=50)
    return "events.parquet"


@pytest.mark.parametrize(
    "words", [[], ["--by", "seat"], ["--by", "month"], ["--by", "team"], ["--where", "players = 4 and rounds > 1"]]
)
def test_records_and_columns_give_the_same(run: Run, columns: str, words: list[str]) -> None:
    of_records = run("stats", *RECORDS, "-q", *words)
    assert (of_records.status, of_records.out) == (0, run("stats", columns, "-q", *words).out)
    assert of_records.out.count(b"\n") > 4


def test_a_folder_of_tables_is_read_by_its_events(run: Run, columns: str) -> None:
    wanted = run("stats", columns, "-q").out
    put_files({"tables/month=2024-01/events.parquet": Path(columns).read_bytes()})
    pq.write_table(mjconv.to_arrow(SAMPLE, table="games"), "tables/games.parquet")
    assert run("stats", "tables", "-q").out == wanted
    Path("tables/month=2024-01/events.parquet").unlink()
    run("stats", "tables", "-q").check(BAD_INPUT, err="its table events")


def test_the_warnings_of_all_files_are_cut_at_twenty(run: Run) -> None:
    whole = SAMPLE.read_text("utf-8").splitlines(keepends=True)
    put_files({f"logs/{number:02}.mjson": "".join(whole[:9]) for number in range(23)})
    lines = run("stats", "logs").check(0).err.splitlines()
    assert (len(lines), lines[-1]) == (21, "mjconv: … and 26 more warnings")


def table(run: Run, *words: str) -> list[list[str]]:
    done = run("stats", *RECORDS, "-q", "--format", "csv", *words).check(0)
    return list(csv.reader(io.StringIO(done.out.decode())))


def test_rows_and_columns_are_chosen(run: Run) -> None:
    whole = table(run)
    games = whole[0].index("games")
    assert table(run, "--columns", "riichi_rate,games")[0] == ["player", "riichi_rate", "games"]
    names = {row[0] for row in whole[1:] if int(row[games]) >= 2}
    assert 0 < len(names) < len(whole) - 1
    assert {row[0] for row in table(run, "--min-games", "2")[1:]} == names
    one, other = sorted(names)[:2]
    assert {row[0] for row in table(run, "--player", one, "--player", other)[1:]} == {one, other}
    for column, sign in (("average_place", 1), ("points", -1)):
        cells = [row[whole[0].index(column)] for row in table(run, "--sort", column)[1:]]
        numbers = [sign * float(cell) for cell in cells if cell]
        assert numbers == sorted(numbers)
        assert cells == [cell for cell in cells if cell] + [""] * cells.count("")
    assert [row[0] for row in table(run, "--sort", "player")[1:]] == sorted(row[0] for row in whole[1:])
    assert "did you mean 'win_rate'" in run("stats", SAMPLE, "--sort", "winrate").err
    assert "--columns is one of" in run("stats", SAMPLE, "--columns", "games,x").err


@pytest.mark.parametrize("by", [None, "seat", "month"])
def test_the_library_returns_the_table_that_the_command_writes(run: Run, by: Any) -> None:
    words = [] if by is None else ["--by", by]
    written = run("stats", *RECORDS, "-q", "--format", "csv", *words).out.decode()
    assert mjconv.stats(mjconv.iter_records(RECORDS), by=by).separated(",") == written
    assert mjconv.stats(SAMPLE, by=by).rows == mjconv.stats(mjconv.read(SAMPLE), by=by).rows


def test_the_library_refuses_what_the_command_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mjconv.stats(SAMPLE, where="players = 3").rows == []
    reason = "by is one of month, room, seat, rank, team, not 'sea', did you mean"
    with pytest.raises(mjconv.UsageError, match=reason):
        mjconv.stats(SAMPLE, by="sea")  # type: ignore[arg-type]
    with pytest.raises(mjconv.MissingFileError):
        mjconv.stats("none.mjson")
    monkeypatch.setattr(packages, "find_spec", lambda _: None)
    with pytest.raises(mjconv.UsageError, match="pip install polars pyarrow"):
        mjconv.stats(SAMPLE)


def test_every_format_has_the_same_table(run: Run) -> None:
    for ending in ("csv", "json", "md", "xlsx", "parquet"):
        run("stats", SAMPLE, "-o", f"table.{ending}", "-q").check(0)
    rows = list(csv.DictReader(io.StringIO(Path("table.csv").read_text())))
    assert [row["player"] for row in rows] == [row["player"] for row in json.loads(Path("table.json").read_text())]
    table = pl.read_parquet("table.parquet")
    assert (table["player"].to_list(), table.columns) == ([row["player"] for row in rows], list(rows[0]))
    for text, number in zip((row["average_win"] for row in rows), table["average_win"], strict=True):
        assert (float(text) if text else None) == number
    assert Path("table.md").read_text().startswith("| player | games |")
    assert Path("table.xlsx").read_bytes()[:2] == b"PK"


def test_several_files_are_added(run: Run, columns: str) -> None:
    once, twice = (
        json.loads(run("stats", columns, *more, "--format", "json", "-q").out) for more in ((), RECORDS)
    )
    assert [(row["games"] * 2, row["win_rate"]) for row in once] == [
        (row["games"], row["win_rate"]) for row in twice
    ]


def test_a_filter_that_keeps_nothing_leaves_a_header(run: Run) -> None:
    outcome = run("stats", SAMPLE, "--where", "players = 3")
    assert (outcome.status, outcome.out.count(b"\n")) == (0, 1)
    assert "1 match left out by --where" in outcome.err
    run("stats", SAMPLE, "--where", "players = 3", "-o", "none.parquet").check(0)
    assert pl.read_parquet("none.parquet").height == 0


def test_other_games_are_counted(run: Run) -> None:
    outcome = run("stats", SAMPLE, CORPUS / "hk" / "example.hk")
    outcome.check(0, err="1 match skipped: no riichi game of three or four players")


def test_a_bad_file_does_not_hide_the_others(run: Run) -> None:
    put_files({"bad.mjson": "{", "bad.parquet": "{"})
    pq.write_table(pa.table({"game": [1]}), "other.parquet")
    outcome = run("stats", "bad.mjson", "bad.parquet", "other.parquet", SAMPLE)
    assert (outcome.status, outcome.out.count(b"\n")) == (BAD_INPUT, 5)
    for part in ("bad.parquet: this is no Parquet file", "other.parquet: there is no column round", "bad.mjson"):
        assert part in outcome.err


def test_of_several_records_of_a_play_the_one_that_states_most_counts(run: Run) -> None:
    stream, bare = (mjconv.convert(SAMPLE.read_bytes(), target="mjai", **more) for more in ({"seat": 1}, {}))
    put_files({"0.mjson": stream.data, "1.mjson": b"\n".join(bare.data.splitlines()[1:])})
    once = run("stats", SAMPLE, "-q").out
    assert run("stats", "0.mjson", "1.mjson", SAMPLE, "-q").out != once
    outcome = run("stats", "0.mjson", SAMPLE, "1.mjson", "--dedup")
    assert outcome == Outcome(0, once, "mjconv: 2 matches left out by --dedup\n")
    # First the filter, then the choice.
    assert run("stats", "0.mjson", SAMPLE, "--dedup", "--where", "rounds > 99").out.count(b"\n") == 1
    for name in ("-", "events.parquet"):
        Path("events.parquet").touch()
        run("stats", SAMPLE, name, "--dedup").check(2, out="", err="mjconv batch --dedup writes")
    assert run("stats", SAMPLE, "--min-games", "10001").out.count(b"\n") == 1
