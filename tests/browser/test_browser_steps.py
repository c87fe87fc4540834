"""After every step, forward and back, the page shows the table of mjconv. It does so in both layouts."""

from __future__ import annotations

from itertools import groupby

import pytest
from chromium import NARROW, WIDE, Browser
from records import PLAYED, Record
from shown import WALK, expected

import mjconv

layouts = pytest.mark.parametrize(
    ("size", "key"), [(WIDE, ""), (NARROW, ""), (NARROW, "v")], ids=["wide", "narrow", "lanes"]
)
played = pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.name)


@played
@layouts
def test_every_step_shows_the_table(browser: Browser, game: Record, size: tuple[int, int], key: str) -> None:
    browser.open(game.data, size=size)
    browser.press(key)
    for number, group in groupby(mjconv.steps(game.match), key=lambda step: step.round):
        wanted = [expected(step) for step in group]
        assert browser.place() == (number, 0)
        forward = browser.run(WALK, "ArrowRight", len(wanted) - 1)
        for step, (shown, table) in enumerate(zip(forward, wanted, strict=True)):
            assert shown == table, f"round {number}, step {step}"
        back = browser.run(WALK, "ArrowLeft", len(wanted) - 1)
        assert back == forward[::-1], f"round {number}, backwards"
        browser.press("PageDown")
    assert browser.place()[0] == number


@layouts
def test_hidden_hands_are_backs_until_they_lie_open(browser: Browser, size: tuple[int, int], key: str) -> None:
    game = PLAYED[0]
    browser.open(game.data, size=size)
    browser.press("h", key)
    for step in (step for step in mjconv.steps(game.match) if step.round == 0):
        shown = browser.run(WALK, "", 0)[0]
        for seat, hand in enumerate(step.state.hands):
            hidden = seat != 0 and not step.state.open[seat]
            assert shown["hands"][seat] == (["?"] * len(hand.split()) if hidden else hand.split())
        browser.press("ArrowRight")
