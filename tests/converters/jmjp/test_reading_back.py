"""The writer knows the reading of most frames while it writes them. It must be the reading of the written text."""

from typing import Any

import pytest

import trips
from engine import STYLES, play
from logs import Log, logs
from mjconv.converters.interface import WriteOptions
from mjconv.converters.jmjp import writer
from mjconv.ir.losses import Loss, Report
from mjconv.ir.match import Match


def written(matches: list[Match], options: WriteOptions) -> tuple[bytes, list[Loss]]:
    report = Report()
    return trips.written("jmjp", matches, report, options), report.losses


def check(data: bytes, monkeypatch: pytest.MonkeyPatch) -> int:
    """Write with and without the play of the plan, in every flavour. Returns how many frames had such a play."""
    matches = trips.read(data, "mjai").matches
    plan, known = writer.plan_frame, 0

    def counting(*args: Any) -> Any:
        nonlocal known
        planned = plan(*args)
        known += planned.play is not None
        return planned

    def forgetting(*args: Any) -> Any:
        return plan(*args)._replace(play=None)

    for flavour in ("", "jmjp-0"):
        for plain in (False, True):
            options = WriteOptions(flavour, plain)
            monkeypatch.setattr(writer, "plan_frame", counting)
            quick = written(matches, options)
            monkeypatch.setattr(writer, "plan_frame", forgetting)
            assert written(matches, options) == quick
            monkeypatch.setattr(writer, "plan_frame", plan)
    return known


@pytest.mark.parametrize("log", logs(4), ids=str)
def test_over_the_logs(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    check(log.data, monkeypatch)


@pytest.mark.parametrize("style", sorted(STYLES))
def test_over_played_games(style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The reader plays most rounds as the source does, or there would be no point in it.
    assert check(play(7, length="east", chooser=style), monkeypatch) > 0


def test_a_frame_that_is_played_otherwise_is_read_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    log = play(3, length="round", deal="triplets")
    hidden = log.replace(b'"pai":"5p"', b'"pai":"?"', 1)
    assert check(hidden, monkeypatch) <= check(log, monkeypatch)
