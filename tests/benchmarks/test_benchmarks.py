"""The benchmarks measure the work that they name, on any game. No test asks how fast it is."""

import gc
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import count, product
from pathlib import Path
from time import perf_counter
from typing import Any

import orjson
import pytest
from idle import ONCE, nothing

from benchmarks import measure as measuring
from benchmarks import report
from benchmarks.__main__ import main
from benchmarks.games import REAL_LOGS, Game, each
from benchmarks.measure import Pace, Result, clock_of, measure, shortest
from benchmarks.peers import FLOOR, JSONSCHEMA, NOT_RUN, RIICHIENV
from benchmarks.rows import _NEED_PLAY, ROWS, Row
from benchmarks.shares import kind_of, shares
from benchmarks.sides import Side
from benchmarks.targets import Target, at_least, at_most_ms, times
from looped import looped
from mjconv.converters.formats import FORMATS

PAGE = Path(__file__).parents[2] / "docs/performance.md"
#: The inputs of a row are made by the writer of its format.
IDS = [form.id for form in FORMATS if form.writes and form.holds.has("riichi")]
#: A package that nobody has.
NOBODYS = "no_such_package"

RESULT = Result(Row(nothing("ours"), nothing("theirs"), times(2)), 4, 2000, (2.0, 8.0, 3.0), (1.0, 2.0, 2.0))
ALONE = replace(RESULT, row=Row(nothing("ours"), nothing("theirs", NOBODYS), times(2)), peer_ms=())

# The rows.

#: Rows with other numbers of processes do the same work: one of them runs.
WORK = {re.sub(r"\d+ (process|worker)\w*", r"\1", row.ours.name): row for row in ROWS}


@pytest.mark.slow
@pytest.mark.parametrize("row", WORK.values(), ids=lambda row: row.ours.name)
def test_each_row_runs_on_a_game(row: Row, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.commands._COPIES", 2)
    # Each side runs once.
    monkeypatch.setattr("benchmarks.measure._LONG", 0.0)
    # Of a platform, the samples are enough.
    monkeypatch.delenv(REAL_LOGS, raising=False)
    [result] = measure([row], [game], ONCE)
    assert len(result.ours_ms) == len(result.peer_ms) == 1
    assert result.games == len(row.take([game]))
    assert result.lines == (row.lines or sum(taken.messages for taken in row.take([game])))
    assert min(result.ours_ms + result.peer_ms) > 0


def test_each_row_is_there_once() -> None:
    names = [row.ours.name for row in ROWS]
    assert len(names) == len(set(names))


def test_every_direction_has_a_row() -> None:
    """Formats that need play cannot be written from scores."""
    names = {row.ours.name for row in ROWS}
    directions = set(product(IDS, repeat=2)) - {("hk", form) for form in _NEED_PLAY}
    assert {f"{source} -> {target}" for source, target in directions} <= names
    assert {f"{work} {form}" for work in ("read", "write") for form in IDS} <= names
    assert {f"validate mjai, {level}" for level in ("syntax", "order", "rules")} <= names
    assert {f"batch mjai -> jmjp, {jobs}" for jobs in ("1 process", "2 processes", "4 processes")} <= names


def test_the_rows_with_a_target_are_on_the_page() -> None:
    lines = PAGE.read_text("utf-8").splitlines()
    begin = lines.index("| Work | Against | To reach |") + 2
    shown = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines[begin : begin + 60]]
    rows = [(f"`{row.ours.name}`", row.peer.name, str(row.target)) for row in ROWS if row.target is not None]
    assert shown[: shown.index(("",))] == rows


def test_the_floor_reads_and_writes_every_line(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[object] = []
    monkeypatch.setattr(orjson, "dumps", written.append)
    FLOOR.run(FLOOR.prepare(game))
    assert written == [json.loads(line) for line in game.data.splitlines()]


def test_the_schemas_take_every_message_or_raise_an_error(game: Game) -> None:
    JSONSCHEMA.run(JSONSCHEMA.prepare(game))
    with pytest.raises(ValueError, match="refuses a message"):
        JSONSCHEMA.run([*game.lines, b'{"type":"reach","actor":4}'])


# Measuring.


def test_both_sides_run_in_turn_on_each_game(game: Game) -> None:
    done: list[str] = []
    ours = Side("ours", lambda _: "ours", done.append)
    peer = Side("peer", lambda _: "peer", done.append)
    measure([Row(ours, peer)], [game, game], Pace(share=0, sweeps=3, seconds=60))
    loaded, turns = done[:2], done[2:]
    assert loaded == ["ours", "peer"]
    # At the end, our side runs once more on each game for the shares.
    assert turns == ["ours", "ours", "peer", "peer"] * 2 * 3 + ["ours", "ours"]


def test_what_is_prepared_is_not_timed_again(game: Game) -> None:
    prepared: list[Game] = []
    side = Side("ours", prepared.append, lambda _: None)
    measure([Row(side, nothing("peer"))], [game], Pace(share=0, sweeps=3, seconds=60))
    assert prepared == [game]


def test_a_sweep_is_over_all_rows_the_quickest_first(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = {"long": count(0, 1).__next__, "quick": count(0, 0.125).__next__}
    monkeypatch.setattr(measuring, "clock_of", lambda ours, _: clocks[ours.name])
    done: list[str] = []
    rows = [Row(Side(name, lambda _, name=name: name, done.append), nothing("peer")) for name in clocks]
    measure(rows, [game], Pace(share=0, sweeps=2, seconds=60))
    assert done[:5] == ["long", "quick", "long", "quick", "quick"]
    second = done[5:]
    assert (second[:3], sorted(second[3:])) == (["quick", "quick", "long"], ["long", "quick"])


def test_when_time_is_up_every_row_was_measured_once(game: Game) -> None:
    results = measure([Row(nothing("one"), nothing("peer"))] * 2, [game], Pace(share=0, sweeps=9, seconds=0))
    assert [len(result.ours_ms) for result in results] == [1, 1]


def test_a_row_that_is_settled_rests() -> None:
    steady, wild = (1.0, 1.01, 1.0, 1.01, 1.0), (1.0, 1.5, 1.0, 1.5, 1.0)
    for ours, settled in ((steady, True), (wild, False), (steady[:4], False)):
        assert Result(RESULT.row, 1, 1, ours, (1.0,) * len(ours)).settled is settled


def test_the_shortest_of_several_runs_counts() -> None:
    moments = iter([0.0, 5.0, 10.0, 12.0, 20.0, 29.0])
    assert shortest(nothing("ours"), None, 7.5, lambda: next(moments)) == 2.0


@pytest.mark.parametrize(
    ("took", "share", "apart", "runs"),
    [
        (0.25, 0, False, 2),
        (0.125, 0.375, False, 3),
        (0.125, 60, False, 5),
        (0.25, 0, True, 5),
        # One long run is enough.
        (1, 0, False, 1),
        (1, 0, True, 1),
    ],
)
def test_runs_are_as_many_as_fit(took: float, share: float, apart: bool, runs: int) -> None:
    done: list[str] = []
    moments = iter([moment for run in range(9) for moment in (10 * run, 10 * run + took)])
    shortest(Side("ours", lambda _: None, done.append, apart=apart), "case", share, lambda: next(moments))
    assert len(done) == runs


def test_what_starts_processes_is_timed_by_the_clock_on_the_wall() -> None:
    assert clock_of(nothing("ours"), nothing("peer", apart=True)) is perf_counter
    assert clock_of(nothing("ours", apart=True)) is perf_counter


def test_the_garbage_collector_is_on_and_sees_only_what_a_run_makes(game: Game) -> None:
    seen: list[tuple[bool, bool]] = []
    side = Side("ours", lambda _: None, lambda _: seen.append((gc.isenabled(), gc.get_freeze_count() > 0)))
    measure([Row(side, nothing("peer"))], [game], ONCE)
    assert (set(seen[1:]), gc.get_freeze_count()) == ({(True, True)}, 0)


# Figures.


def test_ratios_are_of_times_next_to_each_other() -> None:
    assert RESULT.ratios == (2.0, 4.0, 1.5)


def test_figures_are_medians_a_game() -> None:
    assert RESULT.figures == {"ratio": 2.0, "ms": 3.0, "rate": pytest.approx(500 / 0.003)}


@looped(
    ("target", "said", "reached"),
    (times(2), "2 x", True),
    (times(1.9), "1.9 x", False),
    (at_most_ms(3), "3 ms", True),
    (at_most_ms(2.9), "2.9 ms", False),
    (at_least(166_000), "166,000/s", True),
    (at_least(167_000), "167,000/s", False),
)
def test_a_target_is_reached_or_not(target: Target, said: str, reached: bool) -> None:
    result = replace(RESULT, row=Row(nothing("ours"), nothing("theirs"), target))
    assert (str(target), result.reached) == (said, reached)


def test_a_row_without_target_reaches_none() -> None:
    assert Result(Row(nothing("ours"), nothing("theirs")), 1, 1, (1.0,), (1.0,)).reached is None


def test_without_the_peer_there_is_no_ratio_to_reach() -> None:
    assert ALONE.figures == {"ms": 3.0, "rate": pytest.approx(500 / 0.003)}
    assert (ALONE.ratios, ALONE.reached) == ((), None)


# Peers that are not there.


def test_a_row_whose_peer_is_not_installed_is_measured_alone(game: Game) -> None:
    peer = Side("peer", lambda _: pytest.fail("prepared"), lambda _: None, NOBODYS)
    [result] = measure([Row(nothing("ours"), peer)], [game], ONCE)
    assert (len(result.ours_ms), result.peer_ms) == (1, ())


def test_a_row_whose_own_side_is_not_installed_is_left_out(game: Game) -> None:
    rows = [Row(nothing("columns", NOBODYS), nothing("peer")), Row(nothing("ours"), nothing("peer"))]
    assert [result.row.ours.name for result in measure(rows, [game], ONCE)] == ["ours"]


def test_what_is_not_there_is_named_with_what_is_known() -> None:
    rows = [
        Row(nothing("reading"), nothing("fast reader", NOBODYS, known="3 ms a game")),
        Row(nothing("columns", NOBODYS), nothing("peer")),
        Row(nothing("score HK"), nothing("peer")),
    ]
    assert report.missing(rows) == [
        "columns: needs no_such_package",
        "fast reader: no_such_package is not installed; known: 3 ms a game",
        NOT_RUN["score HK"],
    ]
    assert report.missing([RESULT.row]) == []


def test_something_is_known_of_the_peers_that_may_be_missing() -> None:
    peers = {row.peer for row in ROWS if row.peer.needs != "mjconv"}
    assert RIICHIENV in peers
    assert all(peer.known for peer in peers)


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("  ") if cell]


def test_a_row_alone_is_marked_in_the_table() -> None:
    assert cells(report.table([ALONE]).splitlines()[1]) == ["ours", "3.00", "166,667", "theirs", "absent", "2 x"]


# The table.


def test_the_table_has_a_line_a_row_under_its_heads() -> None:
    heads, line = report.table([RESULT]).splitlines()
    assert cells(heads) == [
        *("work", "ms", "lines/s", "against", "its ms", "ratio", "min-max", "target", "reached"),
        "read/play/write/notes",
    ]
    assert cells(line) == ["ours", "3.00", "166,667", "theirs", "2.00", "2.00", "1.50-4.00", "2 x", "yes"]


@pytest.mark.usefixtures("real_logs")
def test_the_command_prints_a_table_and_writes_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    main(["--quick", "--only", "read", "--json", str(file)])
    title, heads, *lines = capsys.readouterr().out.splitlines()
    expected = [row.ours.name for row in ROWS if "read" in row.ours.name]
    assert title.startswith("3 games (real logs)")
    assert heads.startswith("work")
    assert [line.split("  ")[0] for line in lines] == expected
    figures: dict[str, Any] = json.loads(file.read_bytes())
    assert figures["games"]["count"] == 3
    assert set(figures) == {"python", "machine", "cores", "load", "versions", "games", "rows", "not_run"}
    assert [row["work"] for row in figures["rows"]] == expected
    lines_of = {row.ours.name: row.lines or figures["games"]["messages"] for row in ROWS if row.take is each}
    for row in figures["rows"]:
        sweeps = row["sweeps"]
        assert row["lines"] == lines_of.get(row["work"], 2_000)
        assert 1 <= len(sweeps["ms"]) == len(sweeps["peer_ms"]) == len(sweeps["ratio"]) <= 3
        assert min(sweeps["ratio"]) <= row["ratio"] <= max(sweeps["ratio"])
    assert (figures["rows"][0]["target"], figures["not_run"]) == ({"ratio": 1}, [])


@pytest.mark.usefixtures("real_logs")
def test_rows_without_a_target_may_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[Row] = []

    def take(rows: list[Row], *_: object) -> list[Result]:
        measured.extend(rows)
        return []

    monkeypatch.setattr("benchmarks.table.measure", take)
    main(["--quick", "--targets", "--only", "mjai"])
    assert measured == [row for row in ROWS if "mjai" in row.ours.name and row.target]
    assert len(measured) > 10


def test_an_absent_peer_is_null_in_json() -> None:
    [row] = report.figures({}, [ALONE])["rows"]
    assert (row["peer_ms"], row["ratio"], row["reached"]) == (None, None, None)
    assert row["sweeps"]["peer_ms"] == []


# The shares of the kinds of work.


def _busy(module: str, name: str, seconds: float) -> Callable[[], None]:
    """Return a function of a module that works so long."""
    space: dict[str, Any] = {"__name__": module, "clock": perf_counter, "seconds": seconds}
    exec(f"def {name}():\n    end = clock() + seconds\n    while clock() < end: pass", space)
    function: Callable[[], None] = space[name]
    return function


def test_the_functions_that_run_decide_the_kind_of_work() -> None:
    play = _busy("mjconv.ir.play", "follow", 0.06)
    write = _busy("mjconv.converters.hk.writer", "render", 0.02)
    found = shares(Side("ours", lambda game: game, lambda _: (play(), write())), [None], 0)
    assert found["play"] > found["write"] > 0
    assert found["read"] == found["notes"] == 0
    assert shares(nothing("ours", apart=True), [None], 0) == {}


def test_the_reading_that_proves_notes_is_reading_and_its_proof_is_work_on_notes() -> None:
    def kind(*chain: tuple[str, str]) -> str:
        def then() -> str:
            return kind_of(sys._getframe())

        for module, name in reversed(chain):
            space: dict[str, Any] = {"__name__": module, "then": then}
            exec(f"def {name}():\n    return then()", space)
            then = space[name]
        return then()

    prove = ("mjconv.converters.shared.contradictions", "prove")
    bounded = ("mjconv.converters.shared.bounds", "bounded")
    assert kind(bounded, prove, ("mjconv.converters.jmjp.reader", "assemble")) == "read"
    assert kind(bounded, prove, (prove[0], "_differing"), ("mjconv.converters.jmjp.writer", "render")) == "notes"
    assert kind(bounded, prove, ("mjconv.converters.shared.restore", "restore_round")) == "notes"


def test_a_row_shows_its_shares() -> None:
    cells = report._cells(replace(RESULT, shares={"read": 0.5, "play": 0.125, "write": 0.0, "notes": 0.25}))
    assert (cells[-1], report._cells(RESULT)[-1]) == ("50/12/0/25", "")
