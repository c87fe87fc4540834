"""The usual JSON of Mahjong Soul is decoded into structs. It is read as any other JSON is."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import orjson
import pytest

import mjconv
from logs import FOLDER
from mjconv.converters import flow, formats
from mjconv.converters.majsoul.usual import usual_contents
from mjconv.ir import limits
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Match

CORPUS = Path(__file__).parents[3] / "corpus/majsoul"
FORM = formats.find("majsoul")[0]
SAMPLES = sorted(CORPUS.glob("*.json"))
if FOLDER:
    SAMPLES += sorted(Path(FOLDER, "majsoul").glob("*.json"))
CLIENT = orjson.loads((CORPUS / "client.json").read_bytes())
ACTIONS = CLIENT["data"]["data"]["actions"]
FIRST_DEAL = next(at for at, one in enumerate(ACTIONS) if "result" in one)
FIRST_DRAW = next(
    at for at, one in enumerate(ACTIONS) if one.get("result", {}).get("name") == ".lq.RecordDealTile"
)


def locate(path: object) -> Place:
    raise AssertionError(path)


def is_usual(text: bytes) -> bool:
    return usual_contents(text, locate) is not None


def visible(match: Match) -> list[Any]:
    """Return what a match has without the values of extras."""
    rounds = [(one.events, one.wall, one.annotations, one.blocked, sorted(one.extras)) for one in match.rounds]
    head = (match.players, match.rules, match.date, match.time, match.opening, match.closing, match.final_scores)
    return [rounds, head, sorted(match.extras)]


def read(text: bytes, *, extras: bool) -> tuple[list[Any], list[str], list[str]]:
    """Return what a text is read as: the match, the faults and the warnings."""
    report = Report(lenient=True, extras=extras)
    matches = flow.read_matches(FORM, text, report)
    return (
        [*map(visible, matches)],
        [str(one.error) for one in report.faults],
        [one.message for one in report.warnings],
    )


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_sample_is_usual_and_is_read_as_other_json_is(path: Path) -> None:
    text = path.read_bytes()
    assert is_usual(text)
    assert read(text, extras=False) == read(text, extras=True)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_what_mjconv_writes_without_notes_is_usual(path: Path) -> None:
    text = mjconv.convert(path.read_bytes(), source="majsoul", target="majsoul", plain=True).data
    assert is_usual(text)
    assert read(text, extras=False) == read(text, extras=True)


@pytest.mark.parametrize("spaced", [orjson.OPT_INDENT_2, orjson.OPT_SORT_KEYS, orjson.OPT_APPEND_NEWLINE])
def test_spaces_and_the_order_of_keys_do_not_matter(spaced: int) -> None:
    text = orjson.dumps(CLIENT, option=spaced)
    assert is_usual(text)
    assert read(text, extras=False) == read(text, extras=True)


def test_the_head_may_have_any_fields() -> None:
    game = copy.deepcopy(CLIENT)
    game["head"]["standard_rule"] = 1
    game["head"]["robots"] = []
    game["head"]["accounts"][0]["character"] = {
        "charid": 200001,
        "views": [{"slot": 1, "ids": [5]}],
        "rewarded": None,
    }
    text = orjson.dumps(game)
    assert is_usual(text)
    assert read(text, extras=False) == read(text, extras=True)
    assert not is_usual(text.replace(b'"rewarded":null', b'"rewarded":[[[[[[[[]]]]]]]]'))
    assert not is_usual(text.replace(b'"rewarded":null', b'"rewarded":1.5'))
    assert not is_usual(text.replace(b'"rewarded":null', b'"rewarded":1,"rewarded":2'))


def changed(at: int, way: tuple[str, ...], value: Any) -> bytes:
    """Return the client's JSON with another value in one of its actions."""
    game = copy.deepcopy(CLIENT)
    inner = game["data"]["data"]["actions"][at]
    for step in way[:-1]:
        inner = inner[step]
    inner[way[-1]] = value
    return orjson.dumps(game)


UNUSUAL = {
    "a new field of a record": changed(FIRST_DRAW, ("result", "data", "new"), 1),
    "a new field beside a record": changed(FIRST_DRAW, ("result", "new"), [1]),
    "a new field of an action": changed(FIRST_DRAW, ("new",), {"a": 1}),
    "a seat that is null": changed(FIRST_DRAW, ("result", "data", "seat"), None),
    "a seat that no game has": changed(FIRST_DRAW, ("result", "data", "seat"), 4),
    "a tile that is none": changed(FIRST_DRAW, ("result", "data", "tile"), "9z"),
    "a number with a fraction": changed(FIRST_DRAW, ("result", "data", "left_tile_count"), 69.0),
    "a large number": changed(FIRST_DRAW, ("passed",), 1 << 60),
    "a negative time": changed(FIRST_DRAW, ("passed",), -1),
    "a text for a number": changed(FIRST_DEAL, ("result", "data", "chang"), "0"),
    "a record of an event mode": changed(FIRST_DRAW, ("result", "name"), ".lq.RecordChangeTile"),
    "an unknown record": changed(FIRST_DRAW, ("result", "name"), ".lq.RecordOther"),
    "escapes": (CORPUS / "client.json").read_bytes().replace(b'"seat"', b'"s\\u0065at"', 1),
    "no JSON": (CORPUS / "client.json").read_bytes()[:-3],
}


@pytest.mark.parametrize("text", UNUSUAL.values(), ids=UNUSUAL.keys())
def test_anything_else_gets_a_closer_look_and_the_same_errors(text: bytes) -> None:
    assert not is_usual(text)
    assert read(text, extras=False) == read(text, extras=True)


def test_a_seat_that_is_wrong_later_gets_its_place() -> None:
    three = (CORPUS / "three.json").read_bytes()
    text = three.replace(b'{"name":"DealTile","data":{"seat":1', b'{"name":"DealTile","data":{"seat":3', 1)
    assert text != three
    assert is_usual(text)
    with pytest.raises(InputError, match="seat is 3, and the game has 3 players") as refused:
        mjconv.convert(text, source="majsoul", target="mjai", plain=True)
    assert refused.value.place is not None
    assert read(text, extras=False) == read(text, extras=True)


@pytest.mark.parametrize("key", [b'"seat":', b'"tile":', b'"passed":', b'"name":', b'"version":', b'"uuid":'])
def test_a_key_that_is_there_twice_is_refused(key: bytes) -> None:
    text = orjson.dumps(CLIENT)
    at = text.index(key)
    end = min(found for sign in (b",", b"}") if (found := text.find(sign, at)) >= 0)
    twice = text[:end] + b"," + text[at:end] + text[end:]
    assert not is_usual(twice)
    with pytest.raises(InputError, match="twice"):
        mjconv.convert(twice, source="majsoul", target="mjai", plain=True)


def test_limits_that_the_types_do_not_bound_are_left_to_the_closer_look() -> None:
    text = orjson.dumps(CLIENT)
    for most in (limits.Limits(nesting=5), limits.Limits(digits=5)):
        with limits.using(most):
            assert not is_usual(text)
    with limits.using(limits.Limits(events=10)), pytest.raises(limits.LimitError, match="more than 10 events"):
        mjconv.convert(text, source="majsoul", target="mjai", plain=True)


def test_emotes_and_players_who_leave_are_read_beside_quiet_inputs() -> None:
    game = copy.deepcopy(CLIENT)
    actions = game["data"]["data"]["actions"]
    beside = [
        {"passed": 9000, "type": 2, "user_input": {"seat": 1, "type": 7}},
        {"passed": 9001, "type": 2, "user_input": {"seat": 1, "type": 1, "emo": 5}},
        {"passed": 9002, "type": 3, "user_event": {"seat": 2, "type": 2}},
        {"passed": 9003, "type": 2, "user_input": {"seat": 1}, "user_event": {"seat": 3, "type": 2}},
    ]
    actions[FIRST_DRAW + 1 : FIRST_DRAW + 1] = beside
    text = orjson.dumps(game)
    assert is_usual(text)
    assert read(text, extras=False) == read(text, extras=True)
    [[[rounds, *_]], _, _] = read(text, extras=False)
    kinds = [(one.kind, one.seat) for one in rounds[0][2] if one.kind != "think_time"]
    assert {("emote", 1), ("left", 2), ("left", 3)} <= set(kinds)


def test_without_whole_walls_a_wall_is_empty_and_its_hash_is_checked() -> None:
    found = [
        one for one in CLIENT["data"]["data"]["actions"] if one.get("result", {}).get("data", {}).get("paishan")
    ]
    assert found
    game = copy.deepcopy(CLIENT)
    deal = game["data"]["data"]["actions"][FIRST_DEAL]["result"]["data"]
    deal["sha256" if "sha256" in deal else "md5"] = "00"
    report = Report(whole_walls=False, extras=False)
    [match] = flow.read_matches(FORM, orjson.dumps(game), report)
    assert match.rounds[0].wall == ()
    assert "of the wall is wrong" in report.warnings[0].message


def test_a_wall_that_the_output_does_not_hold_is_reported_as_dropped() -> None:
    text = orjson.dumps(CLIENT)
    for target in ("mjai", "jmjp"):
        losses = mjconv.convert(text, source="majsoul", target=target, plain=True).losses
        assert ("dropped", "round.wall") in {(loss.fate, loss.what) for loss in losses}
