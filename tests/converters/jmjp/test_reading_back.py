"""The writer knows what most frames are read back as without reading them; that must be what reading gives."""

from __future__ import annotations

from typing import Any

import pytest

from engine import STYLES, play
from logs import Log, logs
from mjconv.converters.interface import WriteOptions
from mjconv.converters.jmjp import writer
from mjconv.ir.losses import Loss, Report
from mjconv.ir.match import Match
from trips import read


def written(matches: list[Match], options: WriteOptions) -> tuple[bytes, list[Loss]]:
    report = Report()
    return writer.write(matches, report, options), report.losses


def check(data: bytes, monkeypatch: pytest.MonkeyPatch) -> int:
    """Compare what is written either way, in every flavour; give how many frames needed no reading back."""
    matches = read(data, "mjai").matches
    plan, known = writer.plan_frame, 0

    def counting(*given: Any) -> Any:
        nonlocal known
        planned = plan(*given)
        known += planned.events is not None
        return planned

    def forgetting(*given: Any) -> Any:
        return plan(*given)._replace(events=None)

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
    # Most rounds are regular, or there would be no point in knowing.
    assert check(play(7, length="east", chooser=style), monkeypatch) > 0


def test_a_frame_that_might_read_otherwise_is_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    log = play(3, length="round", deal="triplets")
    hidden = log.replace(b'"pai":"5p"', b'"pai":"?"', 1)
    assert check(hidden, monkeypatch) <= check(log, monkeypatch)
