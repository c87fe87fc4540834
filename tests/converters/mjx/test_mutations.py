"""Slips in right states: each is found, with its code and its place, and nothing else is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from corpus_files import CORPUS
from mutations.records import findings_on_ways, found_in

Value = dict[str, Any]
Slip = Callable[[Value], object]
GAME = (CORPUS / "mjx/game.json").read_bytes()


def events(state: Value) -> list[Value]:
    found: list[Value] = state["publicObservation"]["events"]
    return found


def nth(state: Value, kind: str, number: int = 0) -> int:
    """Return the index of an event of this kind; of an empty kind, of a discard."""
    kinds = [event.get("type", "").removeprefix("EVENT_TYPE_") for event in events(state)]
    return [at for at, each in enumerate(kinds) if each == kind][number]


def hand_of(state: Value, seat: int) -> list[int]:
    found: list[int] = state["privateObservations"][seat]["initHand"]["closedTiles"]
    return found


def other_tile(state: Value) -> None:
    event = events(state)[nth(state, "", 2)]
    held = hand_of(state, event.get("who", 0))
    event["tile"] = next(
        number for number in range(136) if number not in held and number // 4 != event["tile"] // 4
    )


def other_player(state: Value) -> None:
    event = events(state)[nth(state, "", 1)]
    event["who"] = (event.get("who", 0) + 1) % 4


def lost_discard(state: Value) -> None:
    del events(state)[nth(state, "", 1)]


def doubled_discard(state: Value) -> None:
    at = nth(state, "", 1)
    events(state).insert(at, events(state)[at])


def lost_draw(state: Value) -> None:
    del events(state)[nth(state, "DRAW", 3)]


def other_drawn_tile(state: Value) -> None:
    seat = events(state)[nth(state, "DRAW", 2)].get("who", 0)
    history = state["privateObservations"][seat]["drawHistory"]
    history[0], history[1] = history[1], history[0]


def other_hand(state: Value) -> None:
    hand_of(state, 1)[3] = hand_of(state, 2)[4]


def other_points(state: Value) -> None:
    state["roundTerminal"]["wins"][0]["tenChanges"][0] += 100


def other_fu(state: Value) -> None:
    state["roundTerminal"]["wins"][0]["fu"] += 10


def other_han(state: Value) -> None:
    state["roundTerminal"]["wins"][0]["fans"][0] += 1


def other_ura(state: Value) -> None:
    win = state["roundTerminal"]["wins"][0]
    win["uraDoraIndicators"] = [number ^ 32 for number in win.get("uraDoraIndicators", [4])]


def other_indicator(state: Value) -> None:
    state["publicObservation"]["doraIndicators"][0] ^= 32


def other_winner(state: Value) -> None:
    win = state["roundTerminal"]["wins"][0]
    win["who"] = events(state)[-1]["who"] = (win.get("who", 0) + 1) % 4


def other_yaku(state: Value) -> None:
    state["roundTerminal"]["wins"][0]["yakus"][0] = 30


def no_result(state: Value) -> None:
    events(state).pop()


def riichi_without_tenpai(state: Value) -> None:
    at = nth(state, "", 0)
    events(state).insert(at, {"type": "EVENT_TYPE_RIICHI", "who": events(state)[at].get("who", 0)})


def other_call(state: Value) -> None:
    at = next(at for at, event in enumerate(events(state)) if "open" in event)
    events(state)[at]["open"] ^= 1


def other_scores(state: Value) -> None:
    tens = state["publicObservation"]["initScore"]["tens"]
    tens[0], tens[1] = tens[1] + 100, tens[0]


#: The findings of each slip: the code and the place, as line and column. They are at the slip, or where it shows.
SLIPS: dict[Slip, str] = {
    other_tile: "R005@2:1054",
    other_player: "O002@2:971",
    lost_discard: "O001@2:971",
    doubled_discard: "O001@2:996",
    lost_draw: "O001@2:1060",
    other_drawn_tile: "S010@2:26",
    other_hand: "R005@2:1161",
    other_points: "R050@2:4884",
    other_fu: "R046@2:4744",
    other_han: "R046@2:4744",
    other_ura: "S010@2:26",
    other_indicator: "S010@2:26",
    other_winner: "O001@2:4754",
    other_yaku: "R046@2:4744",
    no_result: "S001@2:4625",
    riichi_without_tenpai: "O004@2:973 R031@2:907",
    other_call: "S001@2:2504",
    other_scores: "O011@1:1 R067@2:1",
}


def with_slip(slip: Slip) -> bytes:
    """Return the game with a slip in its last state."""
    *others, state = map(json.loads, GAME.splitlines())
    slip(state)
    return "\n".join(map(json.dumps, [*others, state])).encode()


def test_the_record_is_right() -> None:
    assert found_in(GAME, "mjx") == ""


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.__name__.replace("_", " "))
def test_a_slip_is_found_with_its_place(slip: Slip) -> None:
    assert found_in(with_slip(slip), "mjx") == SLIPS[slip]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.__name__.replace("_", " "))
def test_a_slip_is_found_on_all_ways(slip: Slip) -> None:
    first, *others = findings_on_ways(with_slip(slip), "mjx")
    assert others == [first] * len(others)
