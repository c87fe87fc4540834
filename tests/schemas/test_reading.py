"""The accepted schemas and the reader accept the same messages, and aliases become the standard names."""

import copy
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from mjconv import schemas
from mjconv.converters.mjai.aliases import KEYS, fold, whole
from mjconv.ir.events import StartRound, Win, from_message
from strategies import (
    REQUIRED_READ,
    TILES,
    VALUES,
    Message,
    as_fractions,
    broken_messages,
    json_values,
    messages,
    older_messages,
)

many = settings(
    max_examples=4 * settings().max_examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
some = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def takes(message: Any) -> bool:
    """Return whether the reader accepts a message."""
    if not isinstance(message, dict):
        return False
    try:
        event = from_message(fold(message))
    except msgspec.ValidationError:
        return False
    if isinstance(event, StartRound):
        hands = event.tehais or ()
        return UNSET not in (event.oya, event.dora_marker, event.tehais) and {13, 16} >= {*map(len, hands)}
    return not (isinstance(event, Win) and event.target is UNSET)


def written(message: Any) -> bool:
    return bool(schemas.validator("message").is_valid(message))


def accepted(message: Any) -> bool:
    return bool(schemas.validator("accepted/message").is_valid(message))


@many
@given(messages())
def test_a_message_of_the_standard_is_written_accepted_and_read(message: Message) -> None:
    assert (written(message), accepted(message), takes(message)) == (True, True, True)


@many
@given(older_messages())
def test_an_older_message_is_accepted_and_read(message: Message) -> None:
    assert (accepted(message), takes(message)) == (True, True)


@settings(many, max_examples=2 * settings().max_examples)
@given(broken_messages())
def test_a_changed_message_is_accepted_exactly_when_it_is_read(message: Any) -> None:
    assert accepted(message) == takes(message)


@pytest.mark.slow
@settings(many, max_examples=5 * settings().max_examples)
@given(broken_messages())
def test_each_of_many_changed_messages_is_accepted_exactly_when_it_is_read(message: Any) -> None:
    assert accepted(message) == takes(message)


@many
@given(st.one_of(messages(), older_messages(), broken_messages()))
def test_all_that_is_written_is_accepted_and_read(message: Any) -> None:
    assert not written(message) or (accepted(message) and takes(message))


ALIASED = [(kind, alias, key) for kind, aliases in KEYS.items() for alias, key in aliases.items()]


@some
@given(st.sampled_from(ALIASED), st.data())
def test_an_alias_is_written_only_beside_its_key(alias_of_key: tuple[str, str, str], data: st.DataObject) -> None:
    kind, alias, key = alias_of_key
    message = data.draw(messages(kind, own_keys=False))
    value = message.pop(key, None)
    assert not written(message | {alias: [0]})
    if value is not None:
        assert written(message | {key: value, alias: [0]})
        assert not written(message | {alias: value})


@many
@given(older_messages())
def test_folding_gives_what_is_written_but_for_keys_that_the_source_lacked(message: Message) -> None:
    folded = fold(message)
    kind = folded["type"]
    missing = [error.validator for error in schemas.validator("message").iter_errors(folded)]
    assert set(missing) <= ({"required"} if kind in ("start_kyoku", "dahai") else set())


@some
@given(json_values)
def test_what_is_no_object_with_a_known_type_is_refused(value: Any) -> None:
    assert (accepted(value), takes(value)) == (False, False)


REQUIRED_KEYS = [(kind, key) for kind, keys in REQUIRED_READ.items() for key in sorted(keys)]
KNOWN_KEYS = [(kind, key) for kind, keys in VALUES.items() for key in keys if key != "seed"]


@pytest.mark.parametrize(("kind", "key"), REQUIRED_KEYS)
@some
@given(st.data())
def test_a_message_without_a_required_key_is_refused(kind: str, key: str, data: st.DataObject) -> None:
    message = data.draw(messages(kind, own_keys=False))
    del message[key]
    assert (accepted(message), takes(message)) == (False, False)


@pytest.mark.parametrize("value", [None, {}, {"0": 1}], ids=["null", "empty object", "object"])
@pytest.mark.parametrize(("kind", "key"), KNOWN_KEYS)
@settings(some, max_examples=3)
@given(st.data())
def test_null_and_objects_are_refused_for_every_key(kind: str, key: str, value: Any, data: st.DataObject) -> None:
    message = data.draw(messages(kind)) | {key: value}
    assert (accepted(message), takes(message)) == (False, False)


WIN = {"type": "hora", "actor": 1, "target": 0}
DEAL = {"type": "start_kyoku", "oya": 0, "dora_marker": "1m", "tehais": [["?"] * 13] * 4}
END = {"type": "ryukyoku"}
START = {"type": "start_game"}

REFUSED: dict[str, Message] = {
    "seat -1": {"type": "reach", "actor": -1},
    "seat 4": {"type": "reach", "actor": 4},
    "seat true": {"type": "reach", "actor": True},
    "seat as a string": {"type": "reach", "actor": "1"},
    "seat 1.5": {"type": "reach", "actor": 1.5},
    "tsumogiri 1": {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": 1},
    "tsumogiri 0.0": {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": 0.0},
    "tsumogiri as a string": {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": "false"},
    "tile 0m": {"type": "tsumo", "actor": 0, "pai": "0m"},
    "tile 10m of a larger set": {"type": "tsumo", "actor": 0, "pai": "10m"},
    "tile of an honour in capitals only": {"type": "tsumo", "actor": 0, "pai": "e"},
    "chi with three tiles": {"type": "chi", "actor": 1, "target": 0, "pai": "1m", "consumed": ["2m"] * 3},
    "ankan with three tiles": {"type": "ankan", "actor": 1, "consumed": ["2m"] * 3},
    "kakan with four tiles": {"type": "kakan", "actor": 1, "pai": "2m", "consumed": ["2m"] * 4},
    "wind P": DEAL | {"bakaze": "P"},
    "round 0": DEAL | {"kyoku": 0},
    "round 5": DEAL | {"kyoku": 5},
    "honba -1": DEAL | {"honba": -1},
    "two hands": DEAL | {"tehais": [["?"] * 13] * 2},
    "five hands": DEAL | {"tehais": [["?"] * 13] * 5},
    "a hand of 12": DEAL | {"tehais": [["?"] * 12] * 4},
    "a hand of 15": DEAL | {"tehais": [["?"] * 15] * 4},
    "a hand of 17": DEAL | {"tehais": [["?"] * 17] * 4},
    "a hand of 14": DEAL | {"tehais": [["?"] * 14] * 4},
    "two scores": DEAL | {"scores": [50000, 50000]},
    "five scores": DEAL | {"scores": [20000] * 5},
    "absurd points": DEAL | {"scores": [0, 0, 0, 1_000_000_001]},
    "absurd honba": DEAL | {"honba": 1_000_000_001},
    "a name that is a number": START | {"names": ["a", "b", "c", 4]},
    "two names": START | {"names": ["a", "b"]},
    "id 4": START | {"id": 4},
    "id as a string, 4": START | {"id": "4"},
    "id as a string with a space": START | {"id": " 1"},
    "id as a string of a wide digit": START | {"id": "１"},
    "six ura markers": WIN | {"ura_markers": ["1m"] * 6},
    "a winning hand of 18": WIN | {"hora_tehais": ["1m"] * 18},
    "a yaku without fan": WIN | {"yakus": [["reach"]]},
    "a yaku of three": WIN | {"yakus": [["reach", 1, 1]]},
    "a yaku the wrong way round": WIN | {"yakus": [[1, "reach"]]},
    "half a fan": WIN | {"fan": 1.5},
    "pao 4": WIN | {"pao": 4},
    "tenpais as numbers": END | {"tenpais": [1, 0, 0, 0]},
    "a shown hand of 18": END | {"tehais": [["1m"] * 18, [], [], []]},
    "a wrong value under another name": WIN | {"uradora_markers": "1m"},
    "null under another name": WIN | {"delta": None},
    "a wrong value under the standard name": WIN | {"deltas": "0", "delta": [0, 0, 0, 0]},
    "null under the standard name": WIN | {"deltas": None, "delta": [0, 0, 0, 0]},
    "kan without target": {"type": "kan", "actor": 1, "pai": "1m", "consumed": ["1m"] * 3},
    "kita without actor": {"type": "kita"},
    "a type of another case": {"type": "Dahai", "actor": 0, "pai": "1m"},
    "a type that is a list": {"type": ["dahai"], "actor": 0, "pai": "1m"},
}


def test_refused() -> None:
    for name, message in REFUSED.items():
        assert (accepted(message), takes(message)) == (False, False), name


TAKEN: dict[str, Message] = {
    "a deal without round, honba and sticks": DEAL,
    "three players": DEAL | {"tehais": [["?"] * 13] * 3, "scores": [35000] * 3},
    "a discard without tsumogiri": {"type": "dahai", "actor": 0, "pai": "1m"},
    "whole numbers as fractions": {"type": "reach_accepted", "actor": 1.0, "scores": as_fractions([25000] * 4)},
    "fan of a yaku as a fraction": WIN | {"yakus": [["reach", 1.0]]},
    "id as a string": START | {"id": "3"},
    "kita": {"type": "kita", "actor": 2, "pai": "N"},
    "kan": {"type": "kan", "actor": 1, "target": 0, "pai": "1m", "consumed": ["1m"] * 3},
    "another name beside the standard one": WIN | {"deltas": [0, 0, 0, 0], "delta": "no matter what"},
    "another message's other name": {"type": "end_game", "delta": "no matter what"},
    "any seed": START | {"seed": [10000, "8192", None]},
    "keys that programs add": {"type": "end_kyoku", "logs": [None] * 4, "extras": {"a": 1}, "meta": {}},
    "five ura markers": WIN | {"ura_markers": ["1m"] * 5},
    "the most points": DEAL | {"scores": [1_000_000_000, -1_000_000_000, 0]},
}


def test_taken() -> None:
    for name, message in TAKEN.items():
        assert (accepted(message), takes(message)) == (True, True), name


def test_every_tile_is_taken() -> None:
    for tile in TILES:
        message = {"type": "dora", "dora_marker": tile}
        assert (written(message), accepted(message), takes(message)) == (True, True, True), tile


# Aliases become the standard names.
KAN = {"actor": 1, "target": 0, "pai": "1m", "consumed": ["1m"] * 3}
PAID = {"type": "reach_accepted", "actor": 0}
REACH = [["reach", 1]]
NOTHING = [0, 0, 0, 0]

FOLDED: dict[str, tuple[Message, Message]] = {
    "kita": ({"type": "kita", "actor": 2, "pai": "N"}, {"type": "nukidora", "actor": 2, "pai": "N"}),
    "kan": ({"type": "kan", **KAN}, {"type": "daiminkan", **KAN}),
    "ura markers of the original server": (WIN | {"uradora_markers": ["1m"]}, WIN | {"ura_markers": ["1m"]}),
    "RiichiEnv": (
        WIN | {"yaku": REACH, "han": 1, "delta": NOTHING},
        WIN | {"yakus": REACH, "fan": 1, "deltas": NOTHING},
    ),
    "sticks": ({"type": "start_kyoku", "kyoutaku": 1}, {"type": "start_kyoku", "kyotaku": 1}),
    "a draw": ({"type": "ryukyoku", "delta": [0] * 4}, {"type": "ryukyoku", "deltas": [0] * 4}),
    "a riichi": (PAID | {"delta": [-1000, 0, 0, 0]}, PAID | {"deltas": [-1000, 0, 0, 0]}),
    "id": ({"type": "start_game", "id": "2"}, {"type": "start_game", "id": 2}),
    "fractions": ({"type": "reach", "actor": 1.0}, {"type": "reach", "actor": 1}),
    "the standard key wins": (
        WIN | {"han": 2, "yaku": [], "yakus": [["reach", 1.0]]},
        WIN | {"fan": 2, "yaku": [], "yakus": REACH},
    ),
}


def test_folded() -> None:
    for message, standard in FOLDED.values():
        before = copy.deepcopy(message)
        folded = fold(message)
        assert folded == standard
        assert [type(value) for value in folded.values()] == [type(standard[key]) for key in folded]
        assert message == before


UNTOUCHED: dict[str, Message] = {
    "the standard": WIN | {"ura_markers": ["1m"], "fan": 2},
    "a name of another message": {"type": "end_game", "delta": [0] * 4, "kyoutaku": 1},
    "a fraction": {"type": "reach", "actor": 1.5},
    "whole fractions in keys without meaning": {"type": "reach", "actor": 1, "meta": 1.0, "scores": [1.0]},
    "the seed": {"type": "start_game", "seed": [1.0, "1"]},
    "an id that is no seat": {"type": "start_game", "id": "4"},
    "an id of another message": {"type": "reach", "actor": 1, "id": "2"},
    "another name beside the standard one": WIN | {"fan": 2, "han": 3.0},
    "an unknown type": {"type": "riichi", "actor": 1.0},
    "a type that is no string": {"type": {"kita": 1}},
    "no type": {"actor": 1.0},
}


def test_the_very_object_comes_back_when_nothing_is_to_fold() -> None:
    for message in UNTOUCHED.values():
        before = copy.deepcopy(message)
        assert fold(message) is message
        assert repr(message) == repr(before)


@settings(deadline=None)
@given(messages())
def test_the_standard_needs_no_folding(message: Message) -> None:
    assert fold(message) is message


@settings(deadline=None)
@given(older_messages())
def test_folding_twice_changes_nothing_more(message: Message) -> None:
    folded = fold(message)
    assert fold(folded) is folded


@settings(deadline=None)
@given(broken_messages())
def test_folding_keeps_order_and_number_of_keys(message: Any) -> None:
    if isinstance(message, dict):
        folded = fold(message)
        assert len(folded) == len(message)
        assert [key for key in folded if key in message] == [key for key in message if key in folded]


def test_only_whole_fractions_become_integers() -> None:
    for value in (True, False, None, "1.0", 1.5, 1, [[[1.0]]], {"a": 1.0}, []):
        assert whole(value) is value


def test_whole_numbers_of_any_size() -> None:
    assert whole([[-0.0, 1e300], 25000.0]) == [[0, int(1e300)], 25000]
    assert type(whole(-0.0)) is int


def test_a_deep_list_is_no_trouble() -> None:
    deep: Any = 1.0
    for _ in range(100_000):
        deep = [deep]
    message = {"type": "reach", "actor": deep}
    assert fold(message) is message
