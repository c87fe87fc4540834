"""The benchmark of whole archives measures a few games."""

import json
from pathlib import Path

import pytest

from benchmarks import archive
from benchmarks.games import REAL_LOGS


@pytest.mark.slow
def test_it_converts_archives_there_and_back_and_prints_figures(
    real_logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(REAL_LOGS, str(real_logs))
    archive.main(["--games", "10", "--jobs", "2", "1", "--json", str(tmp_path / "figures.json")])
    printed = capsys.readouterr().out
    assert "10 games equal their single conversion\n" in printed
    assert "10 games equal their single conversion back\n" in printed
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert [(row["games"], row["jobs"]) for row in figures] == [(1, 2)] * 3 + [(10, 2)] * 6 + [(10, 1), (10, 2)]
    assert all(row["seconds"] > 0 and row["parent"] > 0 for row in figures)


def test_games_that_differ_are_reported(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "one" / "a").write_text("a")
    (tmp_path / "other" / "a").write_text("b")
    with pytest.raises(SystemExit, match="differ"):
        archive.same(tmp_path, "one", "other")
