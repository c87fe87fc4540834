"""Slips in a right record: each is found, with its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

import mjconv

Value = dict[str, Any]
Slip = Callable[[list[Value]], None]
FOUR = (Path(__file__).parents[3] / "corpus/majsoul/four.json").read_bytes()


def nth(records: list[Value], name: str, number: int = 0) -> Value:
    found: Value = [record["data"] for record in records if record["name"] == name][number]
    return found


def other_tile(records: list[Value]) -> None:
    nth(records, "DiscardTile", 3)["tile"] = "7z"


def other_seat(records: list[Value]) -> None:
    draw = nth(records, "DealTile", 2)
    draw["seat"] = (draw["seat"] + 1) % 4


def lost_draw(records: list[Value]) -> None:
    records.remove(next(record for record in records if record["name"] == "DealTile"))


def doubled_discard(records: list[Value]) -> None:
    at = next(at for at, record in enumerate(records) if record["name"] == "DiscardTile")
    records.insert(at, records[at])


def not_the_tile_drawn(records: list[Value]) -> None:
    [discard] = [one["data"] for one in records if one["name"] == "DiscardTile" and not one["data"]["moqie"]][1:2]
    discard["moqie"] = True


def lost_discard_before_the_call(records: list[Value]) -> None:
    at = next(at for at, record in enumerate(records) if record["name"] == "ChiPengGang")
    del records[at - 1]


def other_points(records: list[Value]) -> None:
    nth(records, "Hule")["delta_scores"][0] += 100


def other_fu(records: list[Value]) -> None:
    nth(records, "Hule")["hules"][0]["fu"] += 10


def other_winner(records: list[Value]) -> None:
    item = nth(records, "Hule")["hules"][0]
    item["seat"] = (item["seat"] + 1) % 4


def no_result(records: list[Value]) -> None:
    records.pop()


def riichi_without_tenpai(records: list[Value]) -> None:
    nth(records, "DiscardTile", 0)["is_liqi"] = True


SLIPS = [
    other_tile, other_seat, lost_draw, doubled_discard, not_the_tile_drawn, lost_discard_before_the_call,
    other_points, other_fu, other_winner, no_result, riichi_without_tenpai,
]  # fmt: skip


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.__name__.replace("_", " "))
def test_a_slip_is_found_with_its_place(slip: Slip) -> None:
    assert mjconv.validate(FOUR, format="majsoul") == []
    game = orjson.loads(FOUR)
    slip(game["rounds"][0])
    text = orjson.dumps(game, option=orjson.OPT_INDENT_2)
    findings = mjconv.validate(text, format="majsoul")
    assert findings
    assert all(finding.place is not None and finding.place.line > 1 for finding in findings)
