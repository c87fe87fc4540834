"""Events: the keys of each kind. The JSON form of an event is the mjai message."""

import copy
import json
import pickle
import pydoc
import re
from typing import Any

import msgspec
import pytest
from hypothesis import given
from msgspec import UNSET

from looped import looped
from mjconv.ir import events as ev
from strategies import REQUIRED_READ, VALUES, Message, json_values, messages

EAST = ("E", "E", "E")
EVENTS: dict[str, tuple[ev.Event, Message]] = {
    "start_game": (ev.StartGame(id=1, names=("a", "b", "c", "d")), {"id": 1, "names": ["a", "b", "c", "d"]}),
    "start_kyoku": (
        ev.StartRound("S", "9m", 2, 1, 0, 1, scores=(1, 2, 3)),
        {"bakaze": "S", "dora_marker": "9m", "kyoku": 2, "honba": 1, "kyotaku": 0, "oya": 1, "scores": [1, 2, 3]},
    ),
    "tsumo": (ev.Draw(0, "?"), {"actor": 0, "pai": "?"}),
    "dahai": (ev.Discard(0, "5sr", tsumogiri=False), {"actor": 0, "pai": "5sr", "tsumogiri": False}),
    "chi": (ev.Chi(1, 0, "4s", ("3s", "5s")), {"actor": 1, "target": 0, "pai": "4s", "consumed": ["3s", "5s"]}),
    "pon": (ev.Pon(2, 0, "E", ("E", "E")), {"actor": 2, "target": 0, "pai": "E", "consumed": ["E", "E"]}),
    "daiminkan": (ev.Daiminkan(2, 0, "E", EAST), {"actor": 2, "target": 0, "pai": "E", "consumed": [*EAST]}),
    "kakan": (ev.Kakan(2, "E", EAST), {"actor": 2, "pai": "E", "consumed": [*EAST]}),
    "ankan": (ev.Ankan(2, ("E", "E", "E", "E")), {"actor": 2, "consumed": ["E", "E", "E", "E"]}),
    "nukidora": (ev.Nukidora(2, "N"), {"actor": 2, "pai": "N"}),
    "dora": (ev.Dora("1m"), {"dora_marker": "1m"}),
    "reach": (ev.Riichi(3), {"actor": 3}),
    "reach_accepted": (ev.RiichiAccepted(3), {"actor": 3}),
    "hora": (
        ev.Win(3, 0, deltas=(-8, 0, 0, 8), ura_markers=(), yakus=(("reach", 1),), liable=1),
        {"actor": 3, "target": 0, "deltas": [-8, 0, 0, 8], "ura_markers": [], "yakus": [["reach", 1]], "pao": 1},
    ),
    "ryukyoku": (ev.Ryukyoku("chombo", actor=2), {"reason": "chombo", "actor": 2}),
    "end_kyoku": (ev.EndRound(), {}),
    "end_game": (ev.EndGame(scores=(1, 2, 3, -6)), {"scores": [1, 2, 3, -6]}),
    "none": (ev.Pass(), {}),
    "hello": (ev.Hello("mjsonp", 3, can_act=True), {"protocol": "mjsonp", "protocol_version": 3, "can_act": True}),
    "join": (ev.Join("a", "b"), {"name": "a", "room": "b"}),
    "error": (ev.ErrorMessage("?!"), {"message": "?!"}),
}


def as_json(event: ev.Event) -> Message:
    """Return the message of an event after it was written and read."""
    message: Message = json.loads(json.dumps(ev.to_message(event)))
    return message


each_kind = looped("kind", *EVENTS)


def test_there_is_an_event_for_each_kind_of_message() -> None:
    assert set(ev.KINDS) == set(EVENTS) == set(VALUES)


@each_kind
def test_an_event_is_its_message(kind: str) -> None:
    event, rest = EVENTS[kind]
    message = {"type": kind, **rest}
    assert ev.name_of(event) == kind
    assert as_json(event) == message
    assert ev.from_message(message) == event
    assert msgspec.json.decode(msgspec.json.encode(message), type=ev.Event) == event


@each_kind
def test_absent_values_are_absent_keys(kind: str) -> None:
    kinds = {"actor": 0, "target": 1, "pai": "1m", "dora_marker": "1m"}
    consumed = {"daiminkan": 3, "kakan": 3, "ankan": 4}
    needed: dict[str, Any] = {
        key: ["1m"] * consumed.get(kind, 2) if key == "consumed" else kinds[key]
        for key in REQUIRED_READ[kind] - {"tehais", "oya"} - ({"target"} if kind == "hora" else set())
        if kind != "start_kyoku"
    }
    event = ev.from_message({"type": kind, **needed})
    assert as_json(event) == {"type": kind, **needed}
    for key in type(event).__struct_fields__:
        encoded = {"liable": "pao"}.get(key, key)
        assert (getattr(event, key) is UNSET) == (encoded not in needed)


@each_kind
def test_events_do_not_change_and_can_be_copied(kind: str) -> None:
    event, _ = EVENTS[kind]
    extra = msgspec.structs.replace(event, extras=ev.Extras({"logs": [None, {"a": 1}]}))
    with pytest.raises(AttributeError):
        extra.extras = UNSET  # type: ignore[misc]
    assert copy.deepcopy(extra) == extra == pickle.loads(pickle.dumps(extra))
    assert hash(extra) == hash(copy.copy(extra))


@given(messages())
def test_any_message_survives_as_an_event(message: Message) -> None:
    assert as_json(ev.from_message(message)) == message


@given(messages())
def test_messages_are_equal_as_their_events_are(message: Message) -> None:
    event = ev.from_message(message)
    assert event == ev.from_message(dict(sorted(message.items())))
    assert event != ev.from_message(message | {"further": 0})


@given(json_values)
def test_keys_of_its_own_a_message_keeps_in_order(value: Any) -> None:
    message = {"type": "reach", "z": value, "actor": 1, "extras": value, "liable": value, "a": None}
    event = ev.from_message(message)
    assert event.extras == {"z": value, "extras": value, "liable": value, "a": None}
    assert ev.to_message(event) == message
    assert list(ev.to_message(event)) == ["type", "actor", "z", "extras", "liable", "a"]


def test_extras_are_a_mapping_equal_and_hashed_by_its_items() -> None:
    extras = ev.Extras({"b": 1, "a": [2]})
    assert extras == {"a": [2], "b": 1}
    assert extras == ev.Extras({"a": [2], "b": 1})
    assert extras != {"a": [2]}
    assert extras != [("b", 1)]
    assert hash(extras) == hash(ev.Extras({"b": 2, "a": 3}))
    assert (list(extras), len(extras), repr(extras)) == (["b", "a"], 2, "Extras({'b': 1, 'a': [2]})")
    assert hash(ev.Extras({"b": 1, "a": 2})) == hash(ev.Extras({"a": 2, "b": 1}))


def test_what_is_no_message_is_refused_naming_the_key() -> None:
    for message, error in (
        ({}, r"Unknown message type None - at `\$\.type`"),
        ({"type": "kong"}, r"Unknown message type 'kong' - at `\$\.type`"),
        ({"type": ["dahai"]}, r"Unknown message type \['dahai'\]"),
        ({"type": "reach"}, "missing required field `actor`"),
        ({"type": "reach", "actor": 4}, r"Expected `int` <= 3 - at `\$\.actor`"),
        ({"type": "reach", "actor": -1}, r"Expected `int` >= 0"),
        ({"type": "reach", "actor": True}, "Expected `int`, got `bool`"),
        ({"type": "tsumo", "actor": 0, "pai": "16m"}, "Invalid enum value '16m'"),
        ({"type": "tsumo", "actor": 0, "pai": None}, r"got `null` - at `\$\.pai`"),
        ({"type": "chi", "actor": 1, "target": 0, "pai": "1m", "consumed": ["2m"]}, "Expected `array` of length"),
        ({"type": "start_kyoku", "tehais": [["1m"] * 12] * 4}, "Expected `array` of length"),
        ({"type": "start_kyoku", "kyoku": 5}, "Expected `int` <= 4"),
        ({"type": "start_kyoku", "honba": -1}, "Expected `int` >= 0"),
        ({"type": "start_kyoku", "scores": [1, 2]}, "Expected `array` of length"),
        ({"type": "hora", "actor": 0, "deltas": [10**9 + 1, 0, 0, 0]}, "Expected `int` <= 1000000000"),
        ({"type": "hora", "actor": 0, "ura_markers": ["1m"] * 6}, "Expected `array` of length"),
    ):
        with pytest.raises(msgspec.ValidationError, match=error):
            ev.from_message(message)


def test_built_in_code_an_event_holds_what_larger_games_need() -> None:
    assert ev.Draw(5, "16m").actor == 5
    assert ev.Win(4, liable=5, deltas=(0, 0, 0, 0, 8, -8)).deltas == (0, 0, 0, 0, 8, -8)
    with pytest.raises(msgspec.ValidationError):
        ev.from_message(ev.to_message(ev.Draw(5, "1m")))


def test_help_shows_the_meaning_of_an_event_and_short_types() -> None:
    for kind in ev.KINDS.values():
        shown = pydoc.plain(pydoc.render_doc(kind))
        assert (kind.__doc__ or "").splitlines()[0] in shown
        assert not re.search("Literal|Annotated|Meta", shown), kind
