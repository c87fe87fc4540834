"""The progress of `mjconv validate`: on a terminal one line that is erased, elsewhere a line now and then."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import pytest
from given import ROUND, Run

from mjconv import status_line
from mjconv.status_line import ELSEWHERE, ON_TERMINAL, Share, StatusLine, total_bytes


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_line_of_a_terminal_is_drawn_again_and_erased(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    with StatusLine(clock=clock) as status:
        status.update(lambda: "1 file")
        assert screen.getvalue() == ""
        clock.now += ON_TERMINAL
        status.update(lambda: "2 files")
        status.update(lambda: "3 files")
        assert screen.getvalue() == "\r\x1b[2Kmjconv: 2 files"
    assert screen.getvalue().endswith("mjconv: 2 files\r\x1b[2K")
    assert "\n" not in screen.getvalue()


def test_a_long_line_is_cut_at_the_width_of_the_terminal(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    monkeypatch.setenv("COLUMNS", "20")
    clock.now = -1.0
    with StatusLine(clock=clock) as status:
        clock.now = 1.0
        status.update(lambda: "x" * 100)
        assert screen.getvalue() == "\r\x1b[2Kmjconv: xxxxxxxxxxx"


def test_without_a_terminal_a_line_is_printed_now_and_then(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    with StatusLine(clock=clock) as status:
        for _ in range(30):
            clock.now += ELSEWHERE / 10
            status.update(lambda: f"{clock.now:.0f} s")
    assert stream.getvalue() == "mjconv: 10 s\nmjconv: 20 s\nmjconv: 30 s\n"


def test_quiet_shows_nothing(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    with StatusLine(quiet=True, clock=clock) as status:
        clock.now = 1000.0
        status.update(lambda: "never")
    assert screen.getvalue() == ""


def test_the_share_is_known_by_the_sizes_of_the_inputs(clock: Clock) -> None:
    share = Share(lambda: 200, clock=clock)
    assert share.text() == ""
    clock.now, share.done = 60.0, 50
    assert share.text() == "25 %, 3:00 left"
    share.done = 900
    assert share.text() == "100 %, 0:00 left"
    unknown = Share(lambda: None, clock=clock)
    unknown.done = 10
    assert unknown.text() == ""


def test_the_sizes_are_not_counted_before_the_share_is_shown(clock: Clock) -> None:
    counted: list[int] = []

    def count() -> int:
        counted.append(1)
        return 100

    share = Share(count, clock=clock)
    share.done = 10
    assert counted == []
    assert share.text()
    assert share.text()
    assert counted == [1]


def test_the_size_of_files_and_folders() -> None:
    Path("logs", "deep").mkdir(parents=True)
    Path("logs", "a").write_bytes(b"x" * 30)
    Path("logs", "deep", "b").write_bytes(b"x" * 12)
    Path("logs", ".hidden").write_bytes(b"x" * 500)
    assert total_bytes(["logs"]) == 42
    assert total_bytes(["logs", "logs/a"]) == 72
    assert total_bytes(["-"]) is None
    assert total_bytes(["missing"]) is None


def test_an_archive_shows_files_matches_and_share(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile("logs.zip", "w") as archive:
        for number in range(4):
            archive.writestr(f"{number}.mjson", ROUND)
    monkeypatch.setattr(status_line, "ELSEWHERE", 0.0)
    outcome = run("validate", "logs.zip")
    *progress, summary = outcome.err.splitlines()
    assert summary == "mjconv: 4 files, 4 matches: nothing found"
    assert progress[0] == "mjconv: 1 file, 1 match, 0 errors"
    assert progress[3].startswith("mjconv: 4 files, 4 matches, 0 errors, ")
    assert " %, " in progress[3]
    assert outcome.out == b""
