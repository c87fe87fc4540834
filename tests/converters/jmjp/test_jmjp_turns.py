"""Acts that are plain turns, turns that cannot be written, and how a text is read back."""

from typing import Any

import pytest

import trips
from engine import STYLES, play
from logs import Log, logs
from looped import looped
from mjconv.converters.interface import WriteOptions
from mjconv.converters.jmjp import writer
from mjconv.converters.jmjp.round_writer import plan_frame
from mjconv.converters.jmjp.spelling import NO_TURN, PlainTurns
from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.ir import events as ev
from mjconv.ir.losses import Loss, Report
from mjconv.ir.match import Match, Round

HAND = ("1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "E", "E", "S", "S")
DEAL = ev.StartRound("E", "9p", 1, 0, 0, 0, (25000,) * 4, (HAND,) * 4)
NUMBERED = [f"{rank}{suit}" for suit in "mps" for rank in range(10)]
TILES = [*NUMBERED, "ew", "sw", "ww", "nw", "wd", "gd", "rd", "uk"]


def test_the_seat_counts_from_the_dealer() -> None:
    assert PlainTurns(0)["n,9p,tg"] == (ev.Draw(3, "9p"), ev.Discard(3, "9p", tsumogiri=True))
    assert PlainTurns(2)["n,9p,0m"] == (ev.Draw(1, "9p"), ev.Discard(1, "5mr", tsumogiri=False))


def test_acts_that_are_no_plain_turns() -> None:
    for act in (
        "e,9p,",
        "e,9p,9p",
        "e,9p,kg",
        "e,9p,rc[1m]",
        "e,uk,tg",
        "e,uk,1m",
        "e,rs[9p],tg",
        "e,ch[1m2m],ew",
        "e,oy,tg",
    ):
        assert PlainTurns(0)[act] == NO_TURN, act


def test_turns_are_bounded_and_read_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjconv.converters.jmjp.spelling._MOST_TURNS", 100)
    turns = PlainTurns(0)
    acts = [f"{seat},{drawn},{tile}" for seat in "eswn" for drawn in TILES for tile in (*TILES, "kg", "tg", "tm")]
    read = {act: turns[act] for act in acts}
    assert all(turns[act] == turn for act, turn in read.items())
    assert len(turns) <= 100 < len(acts)


@looped("turn", range(4))
def test_a_tile_without_a_word_is_reported_at_its_draw(turn: int) -> None:
    events: list[ev.Event] = [DEAL, ev.Draw(0, "9s"), ev.Discard(0, "9s", tsumogiri=True)]
    for place in range(4):
        tile = "10p" if place == turn else "9p"
        events += [ev.Draw((place + 1) % 4, tile), ev.Discard((place + 1) % 4, tile, tsumogiri=True)]
    with pytest.raises(CannotHoldError, match="jmjp has no word for 10p") as caught:
        plan_frame(Round(events), DEAL, 1)
    assert caught.value.event == 3 + 2 * turn


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


@looped("log", logs(4), ids=str, every=3)
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
