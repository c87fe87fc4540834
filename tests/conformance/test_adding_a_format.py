"""The example of docs/adding-a-format.md is a whole format, alone and installed as a package of its own."""

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import structs

import mjconv
from corpus_files import CORPUS, SAMPLE
from mjconv.converters import formats, hub
from mjconv.converters.interface import Format, Rendered, WriteOptions
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match

PAGE = (CORPUS.parent / "docs" / "adding-a-format.md").read_text("utf-8")
#: The example, the lines that check it, and the lines that add notes to it.
CODE, CHECKING, NOTES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
PROJECT = next(re.finditer(r"```toml\n(.*?)```", PAGE, re.DOTALL))[1]
HAND_MADE = b"A\tB\tC\tD\nE1-0\t7700\t-7700\t0\t0\nE2-0\t-1000\t3000\t-1000\t-1000\n"


@pytest.fixture
def points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Format:
    """Return the example's format, known as if its package were installed."""
    (tmp_path / "points.py").write_text(CODE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "points", raising=False)
    form: Format = importlib.import_module("points").FORMAT
    monkeypatch.setattr(formats, "_added", lambda: (form,))
    return form


def test_the_example_is_short() -> None:
    assert len([line for line in CODE.splitlines() if line.strip()]) <= 55


@pytest.fixture
def noted_points(points: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Format:
    """Return the example's format with notes, known as if its package were installed."""
    assert not points.notes
    (tmp_path / "points.py").write_text(CODE + NOTES, "utf-8")
    monkeypatch.delitem(sys.modules, "points")
    importlib.invalidate_caches()
    form: Format = importlib.import_module("points").FORMAT
    monkeypatch.setattr(formats, "_added", lambda: (form,))
    return form


def check_as_the_page_does(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the lines of the page that check the format, on the table that it writes and on one made by hand."""
    monkeypatch.chdir(folder)
    mjconv.write(mjconv.read(SAMPLE), "game.points")
    for sample in (Path("game.points").read_bytes(), HAND_MADE):
        Path("game.points").write_bytes(sample)
        exec(compile(CHECKING, "checking", "exec"), {})


@pytest.mark.usefixtures("points")
def test_it_keeps_the_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_as_the_page_does(tmp_path, monkeypatch)


def test_a_writer_that_negates_points_names_its_losses_and_is_found(
    points: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def negated(match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:
        wrong = structs.replace(match, rounds=[structs.replace(one, events=[*one.events]) for one in match.rounds])
        for events in (one.events for one in wrong.rounds):
            for at, event in enumerate(events):
                if isinstance(event, ev.Ryukyoku):
                    events[at] = structs.replace(event, deltas=tuple(-points for points in event.deltas or ()))
        return render(wrong, before, last, options)

    render = points.render
    monkeypatch.setattr(sys.modules["points"], "render", negated)
    message = r"check_text, game.points: .* written again is another text: byte \d+"
    with pytest.raises(AssertionError, match=message):
        check_as_the_page_does(tmp_path, monkeypatch)


@pytest.mark.usefixtures("noted_points")
def test_with_notes_it_keeps_the_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_as_the_page_does(tmp_path, monkeypatch)


def test_with_notes_it_restores_whole_games(noted_points: Format) -> None:
    matches = hub.read_matches(formats.find("mjai")[0], SAMPLE.read_bytes(), Report())
    text = hub.written(noted_points, matches, Report(), WriteOptions())
    assert hub.read_matches(noted_points, text, Report()) == matches


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize(
    ("right", "wrong", "line", "column"),
    [
        (b"D\n", b"D\xff\n", 1, 8),
        (b"\tD\n", b"\n", 1, 1),
        (b"D\n", b"D\tE\n", 1, 1),
        (b"E1-0", b"E5-0", 2, 1),
        (b"E2-0", b"E2-", 3, 1),
        (b"E2-0", b"E2x0", 3, 1),
        (b"7700\t0\t0", b"7700\t0", 2, 1),
        (b"\t0\n", b"\t0\t0\n", 2, 1),
    ],
)
def test_wrong_text_is_an_error_with_its_place(
    points: Format, lenient: bool, right: bytes, wrong: bytes, line: int, column: int
) -> None:
    report = Report(lenient=lenient)
    data = HAND_MADE.replace(right, wrong)
    if lenient:
        [match] = hub.read_matches(points, data, report)
        assert len(match.rounds) == 2
        [error] = [fault.error for fault in report.faults]
    else:
        with pytest.raises(InputError) as raised:
            hub.read_matches(points, data, report)
        error = raised.value
    assert error.place is not None
    assert (error.place.line, error.place.column) == (line, column)


def test_the_library_knows_it(points: Format, tmp_path: Path) -> None:
    match = mjconv.read(SAMPLE)
    mjconv.write(match, tmp_path / "game.points")
    assert (tmp_path / "game.points").read_text("utf-8").splitlines()[1] == "E1-0\t-7700\t7700\t0\t0"
    back = mjconv.read(tmp_path / "game.points")
    assert [player.name.shown for player in back.players] == [player.name.shown for player in match.players]
    assert points.id in formats.known_names()


def test_the_hub_names_everything_that_it_drops(points: Format) -> None:
    report = Report()
    [match] = hub.read_matches(formats.find("mjai")[0], SAMPLE.read_bytes(), report)
    hub.written(points, [match], report, WriteOptions())
    dropped = [loss for loss in report.losses if loss.fate == "dropped"]
    for index, game_round in enumerate(match.rounds):
        named = {loss.event for loss in dropped if loss.round == index}
        for at, event in enumerate(game_round.events):
            if type(event).__name__ in ("Draw", "Discard", "Riichi", "RiichiAccepted", "Chi", "Pon", "Win"):
                assert at in named
    assert {"start_kyoku.tehais", "tsumo", "dahai", "hora"} <= {loss.what for loss in dropped}


@pytest.mark.slow
def test_an_installed_package_adds_its_format(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "site"
    source.mkdir()
    (source / "points.py").write_text(CODE, "utf-8")
    (source / "pyproject.toml").write_text(PROJECT, "utf-8")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), str(source)]
    subprocess.run(pip, check=True)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(target), os.environ.get("PYTHONPATH", "")])}

    def run(*words: str) -> str:
        command = [sys.executable, "-m", "mjconv", *words]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, cwd=tmp_path)
        return done.stdout

    run(str(SAMPLE), "-o", "game.points")
    run("game.points", "-o", "back.mjson")
    assert "points" in run("formats")
    assert '"deltas":[-7700,7700,0,0]' in (tmp_path / "back.mjson").read_text("utf-8")
    run("batch", "game.points", "-o", "out", "--to", "jmjp")
    assert list((tmp_path / "out").iterdir())
