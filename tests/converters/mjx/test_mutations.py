"""Slips in right states: each is found, with its place, or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import mjconv
from corpus_files import CORPUS
from mjconv.ir.errors import InputError

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


SLIPS = [
    other_tile, other_player, lost_discard, doubled_discard, lost_draw, other_drawn_tile, other_hand, other_points,
    other_fu, other_han, other_ura, other_indicator, other_winner, other_yaku, no_result, riichi_without_tenpai,
    other_call, other_scores,
]  # fmt: skip


def lines_of(text: bytes) -> set[int]:
    """Return the lines of the findings; of an error, its line."""
    try:
        places = [finding.place for finding in mjconv.validate(text, format="mjx")]
    except InputError as error:
        places = [error.place]
    return {place.line if place is not None else 0 for place in places}


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.__name__.replace("_", " "))
def test_a_slip_is_found_with_its_place(slip: Slip) -> None:
    assert not lines_of(GAME)
    *others, state = map(json.loads, GAME.splitlines())
    slip(state)
    found = lines_of("\n".join(map(json.dumps, [*others, state])).encode())
    assert found
    assert found <= {1, 2}
