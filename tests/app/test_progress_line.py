"""The progress of long work: on a terminal a bar that is erased, elsewhere a line now and then."""

import io
import sys
from collections.abc import Callable

import pytest
from given import ROUND, Run, put_files

from batch.archives import zipped
from looped import looped
from mjconv.command import progress
from mjconv.command.progress import ELSEWHERE, ON_TERMINAL, ProgressLine

#: Moves the cursor to the beginning of the line and erases the line.
ERASE = "\r\x1b[2K"


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def terminal(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """Make standard error a terminal. A fixture cannot: pytest sets standard error again after it."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    return screen


def total(size: int | None) -> Callable[[], int | None]:
    return lambda: size


def test_a_bar_of_a_terminal_is_drawn_again_and_erased(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    with ProgressLine(total(1000), clock=clock) as line:
        line.update(lambda: "1 file", 100)
        assert screen.getvalue() == ""
        clock.now += ON_TERMINAL
        line.update(lambda: "2 files", 500)
        line.update(lambda: "3 files", 600)
        drawn = screen.getvalue()
        assert "mjconv: 2 files" in drawn
        assert "50%" in drawn
        assert "3 files" not in drawn
    assert ERASE in screen.getvalue().removeprefix(drawn)


def test_an_erased_bar_is_drawn_again_after_other_text(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    with ProgressLine(total(1000), clock=clock) as line:
        for number in range(3):
            clock.now += ON_TERMINAL
            before = len(screen.getvalue())
            line.update(lambda: f"{number} files", 100 * number)  # noqa: B023
            assert f"mjconv: {number} files" in screen.getvalue()[before:]
            line.erase()


def test_standard_output_is_never_sent_to_the_terminal(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    monkeypatch.setattr(sys, "stdout", out := io.StringIO())
    with ProgressLine(total(10), clock=clock) as line:
        clock.now += ON_TERMINAL
        line.update(lambda: "1 file", 1)
        print("a finding")
    assert out.getvalue() == "a finding\n"
    assert "a finding" not in screen.getvalue()


def drawn(patch: pytest.MonkeyPatch, clock: Clock, size: int | None, text: str, *, quiet: bool = False) -> str:
    """Return what a terminal shows after the first update that is due."""
    screen = terminal(patch)
    with ProgressLine(total(size), quiet=quiet, clock=clock) as line:
        clock.now += ON_TERMINAL
        line.update(lambda: text, 10)
    return screen.getvalue()


def test_a_long_text_is_cut_at_the_width_of_the_terminal(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    shown = drawn(monkeypatch, clock, None, "x" * 100)
    assert "x" * 12 not in shown
    assert "mjconv: xxxxxxxxxx" in shown


@looped("size", None, 0)
def test_no_percentage_without_a_size(size: int | None, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = drawn(monkeypatch, clock, size, "1 file")
    assert "1 file" in shown
    assert "%" not in shown


def test_quiet_shows_nothing(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(monkeypatch, clock, 10, "never", quiet=True) == ""


def test_without_a_terminal_a_line_is_printed_now_and_then(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    with ProgressLine(total(None), clock=clock) as line:
        for _ in range(30):
            clock.now += ELSEWHERE / 10
            line.update(lambda: f"{clock.now:.0f} s", 1)
    assert stream.getvalue() == "mjconv: 10 s\nmjconv: 20 s\nmjconv: 30 s\n"


def test_lines_have_the_share_and_the_time_left(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    with ProgressLine(total(1000), clock=clock) as line:
        # The first members came late, because the workers started.
        for clock.now, done in ((50.0, 300), (55.0, 320), (110.0, 500)):
            line.update(lambda: "1,200 members", done, done - 250)
        clock.now = 170.0
        # --resume has read nothing more yet.
        line.update(lambda: "1,200 members", 500, 50)
        clock.now = 230.0
        line.update(lambda: "1,300 members", 3000)
    assert stream.getvalue().splitlines() == [
        "mjconv: 1,200 members, 30 %",
        "mjconv: 1,200 members, 50 %, 2 minutes left",
        "mjconv: 1,200 members, 50 %",
        "mjconv: 1,300 members, 100 %, 0 seconds left",
    ]


def test_the_size_is_not_counted_before_the_share_is_shown(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    counted: list[int] = []

    def count() -> int:
        counted.append(1)
        return 100

    with ProgressLine(count, clock=clock) as line:
        line.update(lambda: "text", 10)
        assert counted == []
        for _ in range(2):
            clock.now += ON_TERMINAL
            line.update(lambda: "text", 10)
    assert counted == [1]
    assert "10%" in screen.getvalue()


def test_an_archive_shows_files_matches_and_share(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    put_files({"logs.zip": zipped({f"{number}.mjson": ROUND.encode() for number in range(4)})})
    monkeypatch.setattr(progress, "ELSEWHERE", 0.0)
    outcome = run("validate", "logs.zip")
    *shown, summary = outcome.err.splitlines()
    assert summary == "mjconv: 4 files, 4 matches: nothing found"
    assert shown[0] == "mjconv: 1 file, 1 match, 0 errors"
    assert shown[3].startswith("mjconv: 4 files, 4 matches, 0 errors, ")
    assert " %, " in shown[3]
    assert outcome.out == b""
