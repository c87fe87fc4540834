"""Slips in a right record: each is found, with its place, or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mjconv
from mjconv.ir.errors import InputError

Step = dict[str, dict[str, Any]]
Slip = Callable[[list[Step]], object]
GAME = json.loads((Path(__file__).parents[3] / "corpus/majiang/game.json").read_text("utf-8"))
# The first round is not followed by the second one.
del GAME["log"][0]


def nth(steps: list[Step], kind: str, number: int = 0) -> int:
    """Return the index of a step of this kind."""
    return [at for at, step in enumerate(steps) if kind in step][number]


def body(steps: list[Step], kind: str, number: int = 0) -> dict[str, Any]:
    return steps[nth(steps, kind, number)][kind]


def other_tile(steps: list[Step]) -> None:
    body(steps, "dapai", 3)["p"] = "z6"


def other_player(steps: list[Step]) -> None:
    step = body(steps, "zimo", 2)
    step["l"] = (step["l"] + 1) % 4


def lost_draw(steps: list[Step]) -> None:
    del steps[nth(steps, "zimo", 1)]


def lost_discard(steps: list[Step]) -> None:
    del steps[nth(steps, "dapai", 1)]


def doubled_discard(steps: list[Step]) -> None:
    at = nth(steps, "dapai", 1)
    steps.insert(at, steps[at])


def not_the_tile_drawn(steps: list[Step]) -> None:
    step = next(step["dapai"] for step in steps[4:] if "dapai" in step and "_" not in step["dapai"]["p"])
    step["p"] += "_"


def call_of_another(steps: list[Step]) -> None:
    step = body(steps, "fulou", 1)
    step["m"] = step["m"].translate(str.maketrans("-=+", "=+-"))


def other_call(steps: list[Step]) -> None:
    step = body(steps, "fulou", 1)
    step["m"] = "z555" + next(sign for sign in step["m"] if sign in "-=+")


def other_hand(steps: list[Step]) -> None:
    hands = body(steps, "qipai")["shoupai"]
    hands[0], hands[1] = hands[1], hands[0]


def riichi_without_tenpai(steps: list[Step]) -> None:
    body(steps, "dapai")["p"] += "*"


def riichi_after_a_call(steps: list[Step]) -> None:
    at = nth(steps, "fulou")
    steps[at + 1]["dapai"]["p"] += "*"


def other_points(steps: list[Step]) -> None:
    body(steps, "hule")["fenpei"][0] += 100


def other_fu(steps: list[Step]) -> None:
    body(steps, "hule")["fu"] = 90


def other_yaku(steps: list[Step]) -> None:
    body(steps, "hule")["hupai"][1]["name"] = "小三元"


def other_winner(steps: list[Step]) -> None:
    step = body(steps, "hule")
    step["l"] = (step["l"] + 2) % 4


def other_ura(steps: list[Step]) -> None:
    body(steps, "hule")["fubaopai"] = ["z1", "z2"]


def dora_without_a_kan(steps: list[Step]) -> None:
    steps.insert(nth(steps, "dapai", 2), {"kaigang": {"baopai": "z1"}})


def no_result(steps: list[Step]) -> None:
    steps.pop()


SLIPS = [
    other_tile, other_player, lost_draw, lost_discard, doubled_discard, not_the_tile_drawn, call_of_another,
    other_call, other_hand, riichi_without_tenpai, riichi_after_a_call, other_points, other_fu, other_yaku,
    other_winner, other_ura, dora_without_a_kan, no_result,
]  # fmt: skip


def lines_of(game: Any) -> set[int]:
    """Return the lines of the findings; of an error, its line."""
    text = json.dumps(game, indent=1).encode()
    try:
        places = [finding.place for finding in mjconv.validate(text, format="majiang")]
    except InputError as error:
        places = [error.place]
    return {place.line if place is not None else 0 for place in places}


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.__name__.replace("_", " "))
def test_a_slip_is_found_with_its_place(slip: Slip) -> None:
    assert not lines_of(GAME)
    game = json.loads(json.dumps(GAME))
    slip(game["log"][0])
    found = lines_of(game)
    assert found
    assert min(found) > 1
