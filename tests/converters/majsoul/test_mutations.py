"""Slips in a right record: each is found, with its code and its place, and nothing else is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from mutations.records import findings_on_ways, found_in

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


#: The findings of each slip: the code and the place, as line and column. They are at the slip, or where it shows.
SLIPS: dict[Slip, str] = {
    other_tile: "R005@232:19",
    other_seat: "O002@222:17",
    lost_draw: "S001@187:20",
    doubled_discard: "O001@157:17",
    not_the_tile_drawn: "R006@179:20",
    lost_discard_before_the_call: "O001@147:17 R001@415:19",
    other_points: "R050@595:27",
    other_fu: "R046@522:17",
    other_winner: "R040@522:17",
    no_result: "O009@512:17 O011@65:17",
    riichi_without_tenpai: "O004@157:17 R031@147:17",
}


def with_slip(slip: Slip) -> bytes:
    """Return the record with a slip in its first round."""
    game = orjson.loads(FOUR)
    slip(game["rounds"][0])
    return orjson.dumps(game, option=orjson.OPT_INDENT_2)


def test_the_record_is_right() -> None:
    assert found_in(FOUR, "majsoul") == ""


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.__name__.replace("_", " "))
def test_a_slip_is_found_with_its_place(slip: Slip) -> None:
    assert found_in(with_slip(slip), "majsoul") == SLIPS[slip]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.__name__.replace("_", " "))
def test_a_slip_is_found_on_all_ways(slip: Slip) -> None:
    first, *others = findings_on_ways(with_slip(slip), "majsoul")
    assert others == [first] * len(others)
