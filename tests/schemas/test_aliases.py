"""Aliases become the standard names."""

import copy
from typing import Any

from hypothesis import given, settings

from mjconv.converters.mjai.aliases import fold, whole
from strategies import Message, broken_messages, messages, older_messages

WIN = {"type": "hora", "actor": 1, "target": 0}
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
