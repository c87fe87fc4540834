"""Growth is an exponent, and flagged where it is more than linear."""

import json
from pathlib import Path

import pytest
from idle import nothing

from benchmarks import growth
from benchmarks.__main__ import main
from benchmarks.games import Game
from benchmarks.growth import GROWING, Growing, Growth, as_it_is, measure, table
from benchmarks.sides import Side
from looped import looped
from mjconv.converters.formats import FORMATS

SIZES = (1, 2, 4, 8)
IDS = [form.id for form in FORMATS if form.writes and form.holds.has("riichi")]
#: In mjx, each round follows the one before it: no game repeats its rounds.
REPEATING = [form for form in IDS if form != "mjx"]
#: The formats whose files hold several games.
SEVERAL = [form.id for form in FORMATS if form.id in IDS and "" not in form.files.one_match_a_file]
LINEAR = Growth("rounds", "reading", SIZES, (3.0, 6.0, 12.0, 24.0))
SQUARE = Growth("rounds", "searching", SIZES, (1.0, 4.0, 16.0, 64.0))


@looped(
    ("measured", "doubling", "exponent", "linear"),
    (LINEAR, 2, 1, True),
    (SQUARE, 4, 2, False),
    (Growth("rounds", "starting", SIZES, (5.0, 5.0, 5.0, 5.0)), 1, 0, True),
    # The first size does not count the time of work that is done once.
    (Growth("rounds", "loading", SIZES, (9.0, 6.0, 12.0, 24.0)), 2, 1, True),
)
def test_the_exponent_of_the_size(measured: Growth, doubling: float, exponent: float, linear: bool) -> None:
    assert measured.doubling == pytest.approx(doubling)
    assert measured.exponent == pytest.approx(exponent)
    assert measured.linear is linear


def test_what_is_not_linear_is_flagged() -> None:
    heads, one, other = table([LINEAR, SQUARE]).splitlines()
    assert heads.split() == ["with", "work", "x", "1", "x", "2", "x", "4", "x", "8", "doubling", "exponent"]
    assert one.split() == ["rounds", "reading", "3.00", "6.00", "12.00", "24.00", "2.00", "1.00", "linear"]
    assert other.split()[-3:] == ["2.00", "NOT", "LINEAR"]


def test_each_size_is_measured_on_a_case_of_its_own(game: Game) -> None:
    seen: list[int] = []
    side = Side("reading", lambda game: game.messages, seen.append)
    row = Growing("copies", lambda _: side, growth.repeated)
    [measured] = measure([row], game, SIZES, sweeps=2)
    assert list(dict.fromkeys(seen)) == [game.messages * size for size in SIZES]
    assert seen[len(seen) // 2] == game.messages
    assert (measured.what, measured.work, measured.sizes) == ("copies", "reading", SIZES)


def test_the_side_may_differ_by_size(game: Game) -> None:
    asked: list[int] = []

    def side(size: int) -> Side:
        asked.append(size)
        return nothing("scoring")

    measure([Growing("lines", side, as_it_is)], game, SIZES, sweeps=1)
    assert asked == list(SIZES)


@pytest.mark.slow
@pytest.mark.parametrize("row", GROWING, ids=lambda row: f"{row.side(1).name} by {row.what}")
def test_each_row_runs_on_a_game(row: Growing, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_FEW_FILES", "_MANY_FILES"):
        monkeypatch.setattr(growth, name, 1)
    [measured] = measure([row], game, (1, 2), sweeps=1)
    assert min(measured.ms) > 0


def test_every_format_is_read_written_and_validated() -> None:
    works = {(row.what, row.side(1).name) for row in GROWING}
    for what, ids in (("rounds of a game", REPEATING), ("games in a file", SEVERAL)):
        for form in ids:
            assert {(what, f"read {form}"), (what, f"write {form}"), (what, f"validate {form}, rules")} <= works


@pytest.mark.usefixtures("real_logs")
def test_the_command_prints_a_table_and_writes_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    main(["growth", "--quick", "--only", "read", "--json", str(file)])
    title, heads, *lines = capsys.readouterr().out.splitlines()
    assert title.startswith("1 games (real logs)")
    assert heads.startswith("with")
    figures = json.loads(file.read_bytes())
    assert len(lines) == len(figures["growth"]) == len(REPEATING) + len(SEVERAL)
    for row in figures["growth"]:
        assert len(row["ms"]) == len(row["sizes"]) == 4
        assert set(row) == {"with", "work", "sizes", "ms", "doubling", "exponent", "linear"}
