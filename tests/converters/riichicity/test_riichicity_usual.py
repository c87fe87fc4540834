"""The usual JSON of Riichi City is decoded into structs. It is read as any other JSON is."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import orjson
import pytest

import mjconv
from corpus_files import CORPUS
from logs import FOLDER
from mjconv.converters import flow, formats
from mjconv.converters.riichicity.usual import usual_game
from mjconv.ir import limits
from mjconv.ir.errors import InputError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match

FORM = formats.find("riichicity")[0]
SAMPLES = sorted((CORPUS / "riichicity").glob("*.json"))
if FOLDER:
    SAMPLES += sorted(Path(FOLDER, "riichicity").glob("*.json"))
GAME = orjson.loads((CORPUS / "riichicity/four.json").read_bytes())
RECORDS = GAME["data"]["handRecord"][0]["handEventRecord"]
FIRST_HAND = next(at for at, one in enumerate(RECORDS) if one["eventType"] == 1)
FIRST_DRAW = next(at for at, one in enumerate(RECORDS) if one["eventType"] == 2)
FIRST_DISCARD = next(at for at, one in enumerate(RECORDS) if one["eventType"] == 4)


def visible(match: Match) -> list[Any]:
    """Return what a match has without the values of extras."""
    rounds = [(one.events, one.wall, one.dice, one.annotations, one.blocked) for one in match.rounds]
    return [rounds, match.players, match.rules, match.date, match.time, match.opening, match.closing]


def read(text: bytes, *, extras: bool) -> tuple[list[Any], list[str], list[str]]:
    """Return what a text is read as: the matches, the faults and the warnings."""
    report = Report(lenient=True, extras=extras)
    matches = flow.read_matches(FORM, text, report)
    faults = [str(one.error) for one in report.faults]
    return [*map(visible, matches)], faults, [one.message for one in report.warnings]


def changed(at: int, **fields: Any) -> bytes:
    """Return the game with other fields in the `data` of one record. A field that is `...` is removed."""
    game = copy.deepcopy(GAME)
    record = game["data"]["handRecord"][0]["handEventRecord"][at]
    inner = orjson.loads(record["data"]) | fields
    record["data"] = orjson.dumps({key: value for key, value in inner.items() if value is not ...}).decode()
    return orjson.dumps(game)


def spelled(at: int, *texts: str) -> bytes:
    """Return the game with other texts in the `data` of records, from one record on."""
    game = copy.deepcopy(GAME)
    records = game["data"]["handRecord"][0]["handEventRecord"]
    for record, text in zip(records[at:], texts, strict=False):
        record["data"] = text
    return orjson.dumps(game)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_sample_is_usual_and_is_read_as_other_json_is(path: Path) -> None:
    text = path.read_bytes()
    assert usual_game(text) is not None
    assert read(text, extras=False) == read(text, extras=True)


@pytest.mark.parametrize("option", [orjson.OPT_INDENT_2, orjson.OPT_SORT_KEYS, orjson.OPT_APPEND_NEWLINE])
def test_spaces_and_the_order_of_keys_do_not_matter(option: int) -> None:
    text = orjson.dumps(GAME, option=option)
    assert usual_game(text) is not None
    assert read(text, extras=False) == read(text, extras=True)


def test_the_head_may_have_any_fields() -> None:
    game = copy.deepcopy(GAME)
    game["data"] |= {"season": "x", "flags": [1, None, "a"], "room": {"id": 5}}
    game["data"]["handRecord"][0]["players"][0]["level"] = 3
    text = orjson.dumps(game)
    assert usual_game(text) is not None
    assert read(text, extras=False) == read(text, extras=True)
    assert usual_game(text.replace(b'"season":"x"', b'"season":1.5')) is None
    assert usual_game(text.replace(b'"season":"x"', b'"season":1,"season":"x"')) is None


def test_each_line_may_be_a_game() -> None:
    text = orjson.dumps(GAME) + b"\n" + orjson.dumps(GAME["data"]) + b"\n" + changed(FIRST_DRAW, new=1) + b"\n"
    matches, faults, _ = read(text, extras=False)
    assert len(matches) == 3
    assert not faults
    assert matches[0] == matches[1] == matches[2]
    assert read(text, extras=False) == read(text, extras=True)


UNUSUAL = {
    "a new field of a record": changed(FIRST_DRAW, new=1),
    "a field of another kind of record": changed(FIRST_DRAW, end_type=0),
    "a hand of fifteen tiles": changed(FIRST_HAND + 1, hand_cards=[1] * 15),
    "a tile that is none": changed(FIRST_DRAW, in_card=10),
    "a draw that is a text": changed(FIRST_DRAW, in_card="1"),
    "a number with a fraction": changed(FIRST_DRAW, oper_fixed_time=1.5),
    "a large number": changed(FIRST_DRAW, oper_fixed_time=1 << 60),
    "a place that is a text": changed(FIRST_DISCARD, move_cards_pos=["1"]),
    "tiles that are none": changed(FIRST_DISCARD, hand_cards=[0]),
    "an action that is none": changed(FIRST_DISCARD, action=True),
    "a record that is none": orjson.dumps(GAME).replace(b'{"data":"{', b'3,{"data":"{', 1),
    "a text that is no JSON": orjson.dumps(GAME).replace(rb'"{\"', rb'"{\"x', 1)[:-40],
    "two objects in a text and none in the next": spelled(FIRST_DRAW, '{"in_card":1}{"action":11,"card":1}', ""),
    "an object cut into two texts": spelled(FIRST_DRAW, '{"in_card":1}{"action":11', ',"card":1}'),
    "a key twice in a text": orjson.dumps(GAME).replace(rb"{\"", rb"{\"card\":1,\"card\":1,\"", 1),
}


@pytest.mark.parametrize("text", UNUSUAL.values(), ids=UNUSUAL.keys())
def test_anything_else_gets_a_closer_look_and_the_same_errors(text: bytes) -> None:
    assert usual_game(text) is None
    assert read(text, extras=False) == read(text, extras=True)


@pytest.mark.parametrize(
    "text",
    [
        changed(FIRST_HAND, hand_cards=[1, 2, 3]),
        changed(FIRST_HAND + 1, hand_cards=...),
        changed(FIRST_HAND + 1, hand_cards=None, dealer_pos=9),
        changed(FIRST_DRAW, in_card=0),
        changed(FIRST_DRAW, in_card=...),
        changed(FIRST_DISCARD, card=0),
        changed(FIRST_DISCARD, action=77),
        changed(FIRST_DISCARD, move_cards_pos=None),
        changed(FIRST_DISCARD, move_cards_pos=[]),
        changed(FIRST_DISCARD, is_li_zhi=True),
    ],
)
def test_unusual_values_of_usual_fields_are_read_alike(text: bytes) -> None:
    assert usual_game(text) is not None
    assert read(text, extras=False) == read(text, extras=True)


def test_an_error_in_the_text_of_a_record_has_its_place() -> None:
    text = changed(FIRST_DISCARD, action=77)
    with pytest.raises(InputError, match="the action is 77") as refused:
        mjconv.convert(text, source="riichicity", target="mjai", plain=True)
    place = refused.value.place
    assert place is not None
    assert text.decode()[place.column - 1 :].startswith("77")


def test_limits_that_the_types_do_not_bound_are_left_to_the_closer_look() -> None:
    text = orjson.dumps(GAME)
    for most in (limits.Limits(nesting=5), limits.Limits(digits=5)):
        with limits.using(most):
            assert usual_game(text) is None


def test_without_whole_walls_a_wall_is_empty_and_its_hash_is_checked() -> None:
    game = copy.deepcopy(GAME)
    first = game["data"]["handRecord"][0]
    assert first["handCardEncode"]
    first["handCardsSHA256"] = "00"
    report = Report(whole_walls=False, extras=False)
    [match] = flow.read_matches(FORM, orjson.dumps(game), report)
    assert match.rounds[0].wall == ()
    assert ["SHA-256" in one.message for one in report.warnings] == [True]


def test_a_wall_that_the_output_does_not_hold_is_reported_as_dropped() -> None:
    for target in ("mjai", "jmjp"):
        losses = mjconv.convert(orjson.dumps(GAME), source="riichicity", target=target, plain=True).losses
        assert ("dropped", "round.wall") in {(loss.fate, loss.what) for loss in losses}
