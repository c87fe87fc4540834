"""Slips in a right record: each is found, with its code and its place, and nothing else is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mutations.records import found_in

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


#: The findings of each slip: the code and the place, as line and column. They are at the slip, or where it shows.
SLIPS: dict[Slip, str] = {
    other_tile: "R005@78:11",
    other_player: "O002@70:13",
    lost_draw: "O001@58:14",
    lost_discard: "O001@52:13",
    doubled_discard: "O001@58:14",
    not_the_tile_drawn: "R006@54:11",
    call_of_another: "O003@394:14",
    other_call: "R009@396:11",
    other_hand: "R005@42:11 R005@48:11",
    riichi_without_tenpai: "R031@40:14 R034@186:11 R050@914:16",
    riichi_after_a_call: "O001@52:14",
    other_points: "R050@914:16",
    other_fu: "R046@886:13",
    other_yaku: "R046@886:13",
    other_winner: "R040@886:13",
    other_ura: "R001@888:17 R001@888:17 R046@886:13 R047@896:15 R051@915:16 R073@890:18",
    dora_without_a_kan: "R001@737:11 R070@64:16",
    no_result: "O009@880:14 S010@11:3",
}


def with_slip(slip: Slip) -> bytes:
    """Return the game with a slip in its first round."""
    game = json.loads(json.dumps(GAME))
    slip(game["log"][0])
    return json.dumps(game, indent=1).encode()


def test_the_record_is_right() -> None:
    assert found_in(with_slip(id), "majiang") == ""


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.__name__.replace("_", " "))
def test_a_slip_is_found_with_its_place(slip: Slip) -> None:
    assert found_in(with_slip(slip), "majiang") == SLIPS[slip]
