"""Slips in right records of four platforms: each is found, with its code and its place, and nothing else is."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import mjconv
from corpus_files import CORPUS
from looped import looped
from mjconv.converters import formats
from mjconv.ir.errors import InputError, PlayError, UnsupportedError
from trips import bare, read, write

Value = dict[str, Any]
#: The findings of a slip, as code and place, and the slip. The place is that of the slip, or where the slip shows.
Slips = dict[str, tuple[str, Callable[[Any], object]]]


def of_kind(records: list[Value], name: str, number: int = 0) -> int:
    """Return the index of the record of Mahjong Soul with a name: the `number`th one."""
    return [at for at, record in enumerate(records) if record["name"] == name][number]


def data_of(records: list[Value], name: str, number: int = 0) -> Any:
    return records[of_kind(records, name, number)]["data"]


def next_seat(value: Value, key: str, step: int = 1) -> None:
    """Name another player in a field that is absent for player 0."""
    value[key] = (value.get(key, 0) + step) % 4


def repeat(records: list[Any], at: int) -> None:
    records.insert(at, records[at])


def discarded_as_drawn(records: list[Value]) -> None:
    kept = [one["data"] for one in records if one["name"] == "DiscardTile" and not one["data"]["moqie"]]
    kept[1]["moqie"] = True


MAJSOUL: Slips = {
    "another tile": ("R005@232:19", lambda records: data_of(records, "DiscardTile", 3).update(tile="7z")),
    "another seat": ("O002@222:17", lambda records: next_seat(data_of(records, "DealTile", 2), "seat")),
    "a lost draw": ("S001@187:20", lambda records: records.pop(of_kind(records, "DealTile"))),
    "a discard twice": ("O001@157:17", lambda records: repeat(records, of_kind(records, "DiscardTile"))),
    "a tile of the hand as the one drawn": ("R006@179:20", discarded_as_drawn),
    "a lost discard before a call":
        ("O001@147:17 R001@415:19", lambda records: records.pop(of_kind(records, "ChiPengGang") - 1)),
    "other points": ("R050@595:27", lambda records: add(data_of(records, "Hule")["delta_scores"], 0, 100)),
    "another fu": ("R046@522:17", lambda records: add(data_of(records, "Hule")["hules"][0], "fu", 10)),
    "another winner": ("R040@522:17", lambda records: next_seat(data_of(records, "Hule")["hules"][0], "seat")),
    "no result": ("O009@512:17 O011@65:17", lambda records: records.pop()),
    "riichi without tenpai":
        ("O004@157:17 R031@147:17", lambda records: data_of(records, "DiscardTile").update(is_liqi=True)),
}  # fmt: skip


def add(value: Any, key: Any, number: Any) -> None:
    value[key] += number


_DRAW, _ACT, _END = 2, 4, 5
_DISCARD, _CHI = 11, 3


def nth(records: list[Value], kind: int, action: int | None = None, number: int = 0) -> int:
    """Return the index of a record of Riichi City of a kind, and of an action; draws are of a tile."""
    return [
        at
        for at, record in enumerate(records)
        if record["eventType"] == kind
        and (action is None or record["data"]["action"] == action)
        and (kind != _DRAW or record["data"].get("in_card"))
    ][number]


def of(records: list[Value], kind: int, action: int | None = None, number: int = 0) -> Any:
    return records[nth(records, kind, action, number)]["data"]


def won(records: list[Value]) -> Any:
    return of(records, _END)["win_info"][0]


def next_user(value: Value, key: str) -> None:
    value[key] = 1001 + (value[key] - 1000) % 4


def other_drawn_tile(records: list[Value]) -> None:
    data = of(records, _DRAW, None, 4)
    data["in_card"] = 81 if data["in_card"] != 81 else 49


def swap(values: Any, one: Any, other: Any) -> None:
    values[one], values[other] = values[other], values[one]


def swapped_hands(records: list[Value]) -> None:
    first, second = (record["data"] for record in records[:2])
    first["hand_cards"], second["hand_cards"] = second["hand_cards"], first["hand_cards"]


RIICHICITY: Slips = {
    "another tile": ("R005@284:157", lambda records: of(records, _ACT, _DISCARD, 2).update(card=129)),
    "another player": ("O002@243:6", lambda records: next_user(records[nth(records, _DRAW, None, 2)], "userId")),
    "a lost draw": ("O001@243:6", lambda records: records.pop(nth(records, _DRAW, None, 2))),
    "a lost discard": ("O001@219:6", lambda records: records.pop(nth(records, _ACT, _DISCARD, 2))),
    "a discard twice": ("O001@227:6", lambda records: repeat(records, nth(records, _ACT, _DISCARD, 2))),
    "another drawn tile": ("R005@684:157", other_drawn_tile),
    "another call": ("R011@188:82", lambda records: of(records, _ACT, _CHI).update(group_cards=[17, 18])),
    "another hand": ("R005@236:157 R005@284:157", swapped_hands),
    "another indicator":
        ("R001@820:30 R046@1347:6 R047@1348:270 R051@1348:402",
         lambda records: [record["data"].update(bao_pai_card=113) for record in records[:4]]),
    "riichi without tenpai":
        ("O004@187:6 R031@171:6", lambda records: of(records, _ACT, _DISCARD).update(is_li_zhi=True)),
    "another profit":
        ("R050@1348:402", lambda records: add(of(records, _END)["user_profit"][0], "point_profit", 100)),
    "another fu": ("R046@1347:6", lambda records: won(records).update(all_fu=90)),
    "other points": ("R047@1348:270", lambda records: add(won(records), "all_point", 1000)),
    "another yaku": ("R046@1347:6", lambda records: won(records)["fang_info"][0].update(fang_type=24)),
    "another winner": ("R040@1347:6", lambda records: next_user(won(records), "user_id")),
    "another ura":
        ("R001@1347:6 R046@1347:6 R047@1348:270 R051@1348:403",
         lambda records: won(records).update(li_bao_card=[49])),
    "no result": ("O009@1331:6 S010@13:4", lambda records: records.pop(nth(records, _END))),
}  # fmt: skip


def step_of(steps: list[Value], kind: str, number: int = 0) -> int:
    """Return the index of the step of majiang of a kind."""
    return [at for at, step in enumerate(steps) if kind in step][number]


def body(steps: list[Value], kind: str, number: int = 0) -> Any:
    return steps[step_of(steps, kind, number)][kind]


def other_call(steps: list[Value]) -> None:
    step = body(steps, "fulou", 1)
    step["m"] = "z555" + next(sign for sign in step["m"] if sign in "-=+")


def call_of_another(steps: list[Value]) -> None:
    step = body(steps, "fulou", 1)
    step["m"] = step["m"].translate(str.maketrans("-=+", "=+-"))


def step_as_drawn(steps: list[Value]) -> None:
    step = next(step["dapai"] for step in steps[4:] if "dapai" in step and "_" not in step["dapai"]["p"])
    step["p"] += "_"


MAJIANG: Slips = {
    "another tile": ("R005@78:11", lambda steps: body(steps, "dapai", 3).update(p="z6")),
    "another player": ("O002@70:13", lambda steps: next_seat(body(steps, "zimo", 2), "l")),
    "a lost draw": ("O001@58:14", lambda steps: steps.pop(step_of(steps, "zimo", 1))),
    "a lost discard": ("O001@52:13", lambda steps: steps.pop(step_of(steps, "dapai", 1))),
    "a discard twice": ("O001@58:14", lambda steps: repeat(steps, step_of(steps, "dapai", 1))),
    "a tile of the hand as the one drawn": ("R006@54:11", step_as_drawn),
    "a call of another": ("O003@394:14", call_of_another),
    "another call": ("R009@396:11", other_call),
    "another hand": ("R005@42:11 R005@48:11", lambda steps: swap(body(steps, "qipai")["shoupai"], 0, 1)),
    "riichi without tenpai":
        ("R031@40:14 R034@186:11 R050@914:16", lambda steps: add(body(steps, "dapai"), "p", "*")),
    "riichi after a call":
        ("O001@52:14", lambda steps: add(steps[step_of(steps, "fulou") + 1]["dapai"], "p", "*")),
    "other points": ("R050@914:16", lambda steps: add(body(steps, "hule")["fenpei"], 0, 100)),
    "another fu": ("R046@886:13", lambda steps: body(steps, "hule").update(fu=90)),
    "another yaku": ("R046@886:13", lambda steps: body(steps, "hule")["hupai"][1].update(name="小三元")),
    "another winner": ("R040@886:13", lambda steps: next_seat(body(steps, "hule"), "l", 2)),
    "another ura":
        ("R001@888:17 R001@888:17 R046@886:13 R047@896:15 R051@915:16 R073@890:18",
         lambda steps: body(steps, "hule").update(fubaopai=["z1", "z2"])),
    "a dora without a kan":
        ("R001@737:11 R070@64:16",
         lambda steps: steps.insert(step_of(steps, "dapai", 2), {"kaigang": {"baopai": "z1"}})),
    "no result": ("O009@880:14 S010@11:3", lambda steps: steps.pop()),
}  # fmt: skip


def events(state: Value) -> Any:
    return state["publicObservation"]["events"]


def event_at(state: Value, kind: str, number: int = 0) -> int:
    """Return the index of the event of mjx of a kind; of an empty kind, of a discard."""
    kinds = [event.get("type", "").removeprefix("EVENT_TYPE_") for event in events(state)]
    return [at for at, each in enumerate(kinds) if each == kind][number]


def hand_of(state: Value, seat: int) -> Any:
    return state["privateObservations"][seat]["initHand"]["closedTiles"]


def first_win(state: Value) -> Any:
    return state["roundTerminal"]["wins"][0]


def unheld_tile(state: Value) -> None:
    event = events(state)[event_at(state, "", 2)]
    held = {*hand_of(state, event.get("who", 0)), *range(event["tile"] // 4 * 4, event["tile"] // 4 * 4 + 4)}
    event["tile"] = next(number for number in range(136) if number not in held)


def swapped_draws(state: Value) -> None:
    seat = events(state)[event_at(state, "DRAW", 2)].get("who", 0)
    swap(state["privateObservations"][seat]["drawHistory"], 0, 1)


def other_ura(state: Value) -> None:
    win = first_win(state)
    win["uraDoraIndicators"] = [number ^ 32 for number in win.get("uraDoraIndicators", [4])]


def other_winner(state: Value) -> None:
    next_seat(first_win(state), "who")
    events(state)[-1]["who"] = first_win(state)["who"]


def riichi_before_a_discard(state: Value) -> None:
    at = event_at(state, "")
    events(state).insert(at, {"type": "EVENT_TYPE_RIICHI", "who": events(state)[at].get("who", 0)})


def other_open(state: Value) -> None:
    next(event for event in events(state) if "open" in event)["open"] ^= 1


def other_scores(state: Value) -> None:
    tens = state["publicObservation"]["initScore"]["tens"]
    tens[0], tens[1] = tens[1] + 100, tens[0]


def other_indicator(state: Value) -> None:
    state["publicObservation"]["doraIndicators"][0] ^= 32


MJX: Slips = {
    "another tile": ("R005@2:1054", unheld_tile),
    "another player": ("O002@2:971", lambda state: next_seat(events(state)[event_at(state, "", 1)], "who")),
    "a lost discard": ("O001@2:971", lambda state: events(state).pop(event_at(state, "", 1))),
    "a discard twice": ("O001@2:996", lambda state: repeat(events(state), event_at(state, "", 1))),
    "a lost draw": ("O001@2:1060 S001@2:3323", lambda state: events(state).pop(event_at(state, "DRAW", 3))),
    "another drawn tile": ("S010@2:26", swapped_draws),
    "another hand": ("R005@2:1161", lambda state: hand_of(state, 1).__setitem__(3, hand_of(state, 2)[4])),
    "other points": ("R050@2:4884", lambda state: add(first_win(state)["tenChanges"], 0, 100)),
    "another fu": ("R046@2:4744", lambda state: add(first_win(state), "fu", 10)),
    "another han": ("R046@2:4744", lambda state: add(first_win(state)["fans"], 0, 1)),
    "another ura": ("S010@2:26", other_ura),
    "another indicator": ("S010@2:26", other_indicator),
    "another winner": ("O001@2:4754", other_winner),
    "another yaku": ("R046@2:4744", lambda state: first_win(state)["yakus"].__setitem__(0, 30)),
    "no result": ("S001@2:4625", lambda state: events(state).pop()),
    "riichi without tenpai": ("O004@2:973 R031@2:907", riichi_before_a_discard),
    "another call": ("S001@2:2504", other_open),
    "other scores": ("O011@1:1 R067@2:1", other_scores),
}


@cache
def sample(name: str) -> bytes:
    return (CORPUS / name).read_bytes()


def majsoul(slip: Callable[[Any], object]) -> bytes:
    """Return a record with a slip in its first round."""
    game = json.loads(sample("majsoul/four.json"))
    slip(game["rounds"][0])
    return json.dumps(game, ensure_ascii=False, indent=2).encode()


def riichicity(slip: Callable[[Any], object]) -> bytes:
    """Return a record with a slip in its first round, whose data are texts of JSON."""
    answer = json.loads(sample("riichicity/four.json"))
    records = answer["data"]["handRecord"][0]["handEventRecord"]
    for record in records:
        record["data"] = json.loads(record["data"])
    slip(records)
    # A record that is there twice is one object.
    records[:] = [{**record, "data": json.dumps(record["data"])} for record in records]
    return json.dumps(answer, indent=1).encode()


def majiang(slip: Callable[[Any], object]) -> bytes:
    """Return a game with a slip in its second round. The first round is not followed by the second one."""
    game = json.loads(sample("majiang/game.json"))
    del game["log"][0]
    slip(game["log"][0])
    return json.dumps(game, indent=1).encode()


def mjx(slip: Callable[[Any], object]) -> bytes:
    """Return a game with a slip in its last state."""
    *others, state = map(json.loads, sample("mjx/game.json").splitlines())
    slip(state)
    return "\n".join(map(json.dumps, [*others, state])).encode()


def found_in(data: bytes, form: str) -> str:
    """Return the code and the place of every finding, as ``R005@12:3``; of an error, its place."""
    try:
        found = [(finding.code, finding.place) for finding in mjconv.validate(data, format=form)]
    except InputError as error:
        found = [("error", error.place)]
    return " ".join(sorted(f"{code}@{place.line}:{place.column}" if place else code for code, place in found))


def findings_on_ways(data: bytes, source: str) -> list[set[tuple[str, int | None, int | None]]]:
    """Return codes, rounds and events that the referee finds: as read, through notes, and in the own format again.

    Each way is taken with the originals of its matches, and without them. A record that is refused takes no way.
    """
    form, _ = formats.find(source)
    try:
        matches = read(data, source).matches
    except InputError:
        return [set()]
    ways = [matches]
    for tried in (matches, bare(matches)):
        back = read(write(tried, "mjai").data, "mjai").matches
        ways.append(back)
        try:
            own = write(back, source).data
        except (PlayError, UnsupportedError):
            continue
        # Without notes, a record holds less than its source.
        if form.notes:
            ways.append(read(own, source).matches)
    return [{(one.code, one.round, one.event) for match in way for one in mjconv.check(match)} for way in ways]


PLATFORMS = {"majsoul": (majsoul, MAJSOUL), "riichicity": (riichicity, RIICHICITY), "majiang": (majiang, MAJIANG),
             "mjx": (mjx, MJX)}  # fmt: skip
EVERY = [(platform, name) for platform, (_, slips) in PLATFORMS.items() for name in slips]


@looped("platform", *PLATFORMS)
def test_the_record_is_right(platform: str) -> None:
    assert found_in(PLATFORMS[platform][0](id), platform) == ""


@pytest.mark.parametrize(("platform", "name"), EVERY)
def test_a_slip_is_found_with_its_place(platform: str, name: str) -> None:
    with_slip, slips = PLATFORMS[platform]
    expected, slip = slips[name]
    assert found_in(with_slip(slip), platform) == expected


# majiang keeps no original, so that its ways differ less.
@pytest.mark.parametrize(("platform", "name"), [one for one in EVERY if one[0] != "majiang"])
def test_a_slip_is_found_on_all_ways(platform: str, name: str) -> None:
    with_slip, slips = PLATFORMS[platform]
    first, *others = findings_on_ways(with_slip(slips[name][1]), platform)
    assert others == [first] * len(others)
