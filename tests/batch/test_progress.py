"""The progress of a run, on a terminal and elsewhere."""

from __future__ import annotations

import io
import sys

import pytest

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


def test_no_percentage_without_a_total(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_for(None, quiet=False) as shown:
        shown.update(FAR)
    assert "%" not in terminal.getvalue()


def test_lines_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert isinstance(progress_for(1000, quiet=False), ProgressLines)
    with ProgressLines(interval=0) as often, ProgressLines(interval=3600) as seldom:
        often.update(FAR)
        seldom.update(FAR)
    assert capsys.readouterr().err == "mjconv: 1,200 members, 1,190 games, 3 failed\n"


def test_no_progress_when_quiet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress_for(1000, quiet=True) as shown:
        assert isinstance(shown, NoProgress)
        shown.update(FAR)
    assert capsys.readouterr().err == ""
