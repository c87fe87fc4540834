"""Slips in a right record: each is found, with its code and its place, and nothing else is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from corpus_files import CORPUS
from mutations.records import findings_on_ways, found_in

Fields = dict[str, Any]
Slip = Callable[[list[Fields]], object]
_DRAW, _ACT, _END = 2, 4, 5
_DISCARD, _CHI = 11, 3
WHOLE = json.loads((CORPUS / "riichicity/four.json").read_text("utf-8"))


def first_round(answer: Fields) -> list[Fields]:
    """Return the records of the first round, with their data read."""
    records: list[Fields] = answer["data"]["handRecord"][0]["handEventRecord"]
    for record in records:
        if isinstance(record["data"], str):
            record["data"] = json.loads(record["data"])
    return records


def nth(records: list[Fields], kind: int, action: int | None = None, number: int = 0) -> int:
    """Return the index of a record of this kind, and of this action; draws are of a tile."""
    return [
        at
        for at, record in enumerate(records)
        if record["eventType"] == kind
        and (action is None or record["data"]["action"] == action)
        and (kind != _DRAW or record["data"].get("in_card"))
    ][number]


def of(records: list[Fields], kind: int, action: int | None = None, number: int = 0) -> Fields:
    found: Fields = records[nth(records, kind, action, number)]["data"]
    return found


def other_tile(records: list[Fields]) -> None:
    of(records, _ACT, _DISCARD, 2)["card"] = 129


def other_player(records: list[Fields]) -> None:
    record = records[nth(records, _DRAW, None, 2)]
    record["userId"] = 1001 + (record["userId"] - 1000) % 4


def lost_draw(records: list[Fields]) -> None:
    del records[nth(records, _DRAW, None, 2)]


def lost_discard(records: list[Fields]) -> None:
    del records[nth(records, _ACT, _DISCARD, 2)]


def doubled_discard(records: list[Fields]) -> None:
    at = nth(records, _ACT, _DISCARD, 2)
    records.insert(at, records[at])


def other_drawn_tile(records: list[Fields]) -> None:
    data = of(records, _DRAW, None, 4)
    data["in_card"] = 81 if data["in_card"] != 81 else 49


def other_call(records: list[Fields]) -> None:
    of(records, _ACT, _CHI)["group_cards"] = [17, 18]


def other_hand(records: list[Fields]) -> None:
    records[0]["data"]["hand_cards"], records[1]["data"]["hand_cards"] = (
        records[1]["data"]["hand_cards"],
        records[0]["data"]["hand_cards"],
    )


def other_indicator(records: list[Fields]) -> None:
    for record in records[:4]:
        record["data"]["bao_pai_card"] = 113


def riichi_without_tenpai(records: list[Fields]) -> None:
    of(records, _ACT, _DISCARD)["is_li_zhi"] = True


def other_profit(records: list[Fields]) -> None:
    of(records, _END)["user_profit"][0]["point_profit"] += 100


def other_fu(records: list[Fields]) -> None:
    of(records, _END)["win_info"][0]["all_fu"] = 90


def other_points(records: list[Fields]) -> None:
    of(records, _END)["win_info"][0]["all_point"] += 1000


def other_yaku(records: list[Fields]) -> None:
    of(records, _END)["win_info"][0]["fang_info"][0]["fang_type"] = 24


def other_winner(records: list[Fields]) -> None:
    win = of(records, _END)["win_info"][0]
    win["user_id"] = 1001 + (win["user_id"] - 1000) % 4


def other_ura(records: list[Fields]) -> None:
    of(records, _END)["win_info"][0]["li_bao_card"] = [49]


def no_result(records: list[Fields]) -> None:
    del records[nth(records, _END)]


#: The findings of each slip: the code and the place, as line and column. They are at the slip, or where it shows.
SLIPS: dict[Slip, str] = {
    other_tile: "R005@284:157",
    other_player: "O002@243:6",
    lost_draw: "O001@243:6",
    lost_discard: "O001@219:6",
    doubled_discard: "O001@227:6",
    other_drawn_tile: "R005@684:157",
    other_call: "R011@188:82",
    other_hand: "R005@236:157 R005@284:157",
    other_indicator: "R001@820:30 R046@1347:6 R047@1348:270 R051@1348:402",
    riichi_without_tenpai: "O004@187:6 R031@171:6",
    other_profit: "R050@1348:402",
    other_fu: "R046@1347:6",
    other_points: "R047@1348:270",
    other_yaku: "R046@1347:6",
    other_winner: "R040@1347:6",
    other_ura: "R001@1347:6 R046@1347:6 R047@1348:270 R051@1348:403",
    no_result: "O009@1331:6 S010@13:4",
}


def with_slip(slip: Slip) -> bytes:
    """Return the record with a slip in its first round."""
    answer = json.loads(json.dumps(WHOLE))
    records = first_round(answer)
    slip(records)
    for number, record in enumerate(records):
        # A record that is there twice is one object.
        records[number] = {**record, "data": json.dumps(record["data"])}
    return json.dumps(answer, indent=1).encode()


def test_the_record_is_right() -> None:
    assert found_in(with_slip(id), "riichicity") == ""


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.__name__.replace("_", " "))
def test_a_slip_is_found_with_its_place(slip: Slip) -> None:
    assert found_in(with_slip(slip), "riichicity") == SLIPS[slip]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.__name__.replace("_", " "))
def test_a_slip_is_found_on_all_ways(slip: Slip) -> None:
    first, *others = findings_on_ways(with_slip(slip), "riichicity")
    assert others == [first] * len(others)
