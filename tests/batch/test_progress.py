"""The progress of a run, on a terminal and elsewhere."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from mjconv.batch.finished import survey
from mjconv.batch.protocol import Counts
from mjconv.batch.summary import NoProgress, ProgressBar, ProgressLines, Summary, progress_for

FAR = Summary(members=1200, failed=3, counts=Counts(games=1190), read_bytes=500)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    shown = progress_for(1000, quiet=False)
    assert isinstance(shown, ProgressBar)
    with shown:
        shown.update(FAR)
        shown.progress.refresh()
    assert "50%" in terminal.getvalue()
    assert "1,200 members, 1,190 games, 3 failed" in terminal.getvalue()


def test_no_percentage_of_empty_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_for(0, quiet=False) as shown:
        shown.update(FAR)
    assert "%" not in terminal.getvalue()


def test_lines_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert isinstance(progress_for(1000, quiet=False), ProgressLines)
    with ProgressLines(interval=0) as often, ProgressLines(interval=3600) as seldom:
        often.update(FAR)
        seldom.update(FAR)
    assert capsys.readouterr().err == "mjconv: 1,200 members, 1,190 games, 3 failed\n"


def test_lines_have_the_share_and_the_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressLines(1000, interval=0) as lines:
        lines.update(replace(FAR, bytes_in_last_run=250, seconds=60.0))
        # --resume has read nothing yet.
        lines.update(FAR)
    assert capsys.readouterr().err.splitlines() == [
        "mjconv: 50 %, 2 minutes left, 1,200 members, 1,190 games, 3 failed",
        "mjconv: 50 %, 1,200 members, 1,190 games, 3 failed",
    ]


def test_a_folder_has_a_size_as_an_archive_has(tmp_path: Path) -> None:
    (tmp_path / "logs" / "below").mkdir(parents=True)
    for name in ("a.mjson", "below/b.mjson", ".hidden", "below/out.zip"):
        (tmp_path / "logs" / name).write_bytes(b"x" * 100)
    (tmp_path / "logs" / "link").symlink_to(tmp_path)
    (tmp_path / "one.zip").write_bytes(b"y" * 1000)
    out = str(tmp_path / "logs" / "below" / "out.zip")
    assert survey([str(tmp_path / "logs"), str(tmp_path / "one.zip")], {out}).size == 1200


def test_no_progress_when_quiet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress_for(1000, quiet=True) as shown:
        assert isinstance(shown, NoProgress)
        shown.update(FAR)
    assert capsys.readouterr().err == ""
