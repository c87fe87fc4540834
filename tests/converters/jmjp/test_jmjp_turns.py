"""Acts that are plain turns, turns that cannot be written, and how a text is read back."""

import pytest

from looped import looped
from mjconv.converters.jmjp.round_writer import plan_frame
from mjconv.converters.jmjp.spelling import PlainTurns
from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.ir import events as ev
from mjconv.ir.match import Round

HAND = ("1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "E", "E", "S", "S")
DEAL = ev.StartRound("E", "9p", 1, 0, 0, 0, (25000,) * 4, (HAND,) * 4)
NUMBERED = [f"{rank}{suit}" for suit in "mps" for rank in range(10)]
TILES = [*NUMBERED, "ew", "sw", "ww", "nw", "wd", "gd", "rd", "uk"]


def test_the_seat_counts_from_the_dealer() -> None:
    assert PlainTurns(0)["n,9p,tg"] == (ev.Draw(3, "9p"), ev.Discard(3, "9p", tsumogiri=True))
    assert PlainTurns(2)["n,9p,0m"] == (ev.Draw(1, "9p"), ev.Discard(1, "5mr", tsumogiri=False))


def test_turns_are_bounded_and_read_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjconv.converters.jmjp.spelling._MOST_TURNS", 100)
    turns = PlainTurns(0)
    acts = [f"{seat},{drawn},{tile}" for seat in "eswn" for drawn in TILES for tile in (*TILES, "kg", "tg", "tm")]
    read = {act: turns[act] for act in acts}
    assert all(turns[act] == turn for act, turn in read.items())
    assert len(turns) <= 100 < len(acts)


@looped("turn", *range(4))
def test_a_tile_without_a_word_is_reported_at_its_draw(turn: int) -> None:
    events: list[ev.Event] = [DEAL, ev.Draw(0, "9s"), ev.Discard(0, "9s", tsumogiri=True)]
    for place in range(4):
        tile = "10p" if place == turn else "9p"
        events += [ev.Draw((place + 1) % 4, tile), ev.Discard((place + 1) % 4, tile, tsumogiri=True)]
    with pytest.raises(CannotHoldError, match="jmjp has no word for 10p") as caught:
        plan_frame(Round(events), DEAL, 1)
    assert caught.value.event == 3 + 2 * turn
