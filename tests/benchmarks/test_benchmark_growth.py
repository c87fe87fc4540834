"""Growth is an exponent, flagged above linear; instructions are counted of the tree that was asked for."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from idle import nothing

from benchmarks import growth, instructions
from benchmarks.__main__ import main
from benchmarks.games import Game
from benchmarks.growth import GROWING, Growing, Growth, as_it_is, measure
from benchmarks.instructions import EVERY, HOTTEST, Way, count, laid_out, prepared, work
from benchmarks.sides import Side
from looped import looped
from mjconv.converters import formats
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
    heads, one, other = growth.table([LINEAR, SQUARE]).splitlines()
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


# Instructions are counted of the tree that was asked for, start left out.
ROOT = Path(__file__).parents[2]


def test_a_tree_lies_as_it_installs_and_is_what_runs(game: Game, tmp_path: Path) -> None:
    tree = laid_out(ROOT, tmp_path / "tree")
    folder = prepared([game], tmp_path / "games", HOTTEST)
    for way in HOTTEST:
        command = work(folder, way, 2)
        done = subprocess.run(command, env=instructions.environment(tree), capture_output=True, check=True)
        assert done.stdout.decode().strip() == str(tree / "mjconv/__init__.py")


def test_games_are_written_in_each_format_that_is_read(game: Game, tmp_path: Path) -> None:
    folder = prepared([game, game], tmp_path / "games", HOTTEST)
    assert {path.name for path in folder.iterdir()} == {"mjai", "jmjp"}
    assert [path.read_bytes() for path in sorted((folder / "mjai").iterdir())] == [game.data] * 2


def test_every_format_of_play_is_read_and_written_among_all_conversions() -> None:
    of_riichi = {form.id: form.writes for form in formats.FORMATS if form.holds.has("riichi") and form.id != "hk"}
    assert {way.source for way in EVERY} == {*of_riichi, "tenhou-json"}
    assert {way.target for way in EVERY} == {
        *(form for form, writes in of_riichi.items() if writes),
        "tenhou-json",
    }


def test_records_of_platforms_are_converted_as_they_are(game: Game, tmp_path: Path) -> None:
    way = Way("riichicity", "mjai", records=True)
    folder = prepared([game], tmp_path / "games", [way])
    assert all(b"handEventRecord" in path.read_bytes() for path in (folder / "riichicity-records").iterdir())
    assert b"mjconv" in subprocess.run(work(folder, way, 1), capture_output=True, check=True).stdout


def test_what_it_takes_to_start_goes_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    a_game = {("here", "mjai"): 7, ("here", "jmjp"): 8, ("there", "mjai"): 20, ("there", "jmjp"): 21}

    def counted(_folder: Path, tree: Path, way: Way, times: int) -> int:
        return 1_000_000 + 5 * times * a_game[tree.name, way.source]

    monkeypatch.setattr(instructions, "instructions", counted)
    monkeypatch.setattr(instructions, "_warm", lambda *_: None)
    trees = {"here": tmp_path / "here", "b0dca41": tmp_path / "there"}
    for number in range(5):
        for form in ("mjai", "jmjp"):
            (tmp_path / form / str(number)).mkdir(parents=True)
    assert count(trees, tmp_path, HOTTEST) == {
        "mjai -> jmjp": {"here": 7, "b0dca41": 20},
        "jmjp -> mjai": {"here": 8, "b0dca41": 21},
        "mjai -> uzje": {"here": 7, "b0dca41": 20},
    }


def test_the_table_has_millions_and_the_ratio() -> None:
    heads, line = instructions.table({"mjai -> jmjp": {"here": 15e6, "b0dca41": 30e6}}).splitlines()
    assert heads.split("  ")[0] == "millions of instructions a game"
    assert heads.split()[-3:] == ["here", "b0dca41", "ratio"]
    assert line.split() == ["mjai", "->", "jmjp", "15.00", "30.00", "0.500"]
    assert instructions.table({"mjai -> jmjp": {"here": 15e6}}).splitlines()[1].split()[-1] == "15.00"


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ((0, b"{tree}/mjconv/__init__.py", b"==1== Collected : 5150"), None),
        ((0, b"/elsewhere/mjconv/__init__.py", b"==1== Collected : 5150"), "the process ran another tree"),
        ((1, b"", b"Traceback"), "callgrind failed: Traceback"),
        ((0, b"{tree}/mjconv/__init__.py", b"nothing"), "callgrind failed: nothing"),
    ],
)
def test_callgrind_is_asked_and_its_answer_read(
    said: tuple[int, bytes, bytes], wrong: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[list[str]] = []

    def run(command: list[str], *, env: dict[str, str], **_: Any) -> subprocess.CompletedProcess[bytes]:
        asked.append(command)
        assert env["PYTHONHASHSEED"] == "0"
        status, out, err = said
        return subprocess.CompletedProcess(command, status, out.replace(b"{tree}", str(tmp_path).encode()), err)

    monkeypatch.setattr(subprocess, "run", run)
    if wrong is None:
        assert instructions.instructions(tmp_path, tmp_path, HOTTEST[0], 3) == 5150
        assert asked[0][:2] == ["valgrind", "--tool=callgrind"]
    else:
        with pytest.raises(RuntimeError, match=wrong):
            instructions.instructions(tmp_path, tmp_path, HOTTEST[0], 3)


def test_without_valgrind_it_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(SystemExit) as stopped:
        main(["instructions"])
    assert stopped.value.code == 1
    assert "valgrind, which is not installed" in capsys.readouterr().err


@pytest.mark.usefixtures("real_logs")
def test_the_command_prints_the_table_and_writes_all_figures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/valgrind")
    monkeypatch.setattr(instructions, "instructions", lambda *asked: 1000 * asked[-1])
    file = tmp_path / "figures.json"
    main(["instructions", "--json", str(file)])
    title, heads, *lines = capsys.readouterr().out.splitlines()
    assert title.startswith("3 games (real logs)")
    assert (heads.split()[-1], len(lines)) == ("here", len(HOTTEST))
    figures = json.loads(file.read_bytes())
    assert [row["work"] for row in figures["instructions"]] == list(map(str, HOTTEST))
    assert all(row["instructions_a_game"] == {"here": 1000 / 3} for row in figures["instructions"])
