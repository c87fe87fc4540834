"""Decodes the usual JSON of a game into structs, in half the time that dictionaries take.

The structs of records have the fields of `schema` and of `records`, and no others. A record with any other field
is not usual. The head may have any fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeAlias, Union

import msgspec
from msgspec import UNSET, Meta, UnsetType, structs

from mjconv.converters.majsoul.containers import IN_RECORD, IN_RESULT, Act, Contents, Locate, contents_of
from mjconv.converters.majsoul.records import RECORDS
from mjconv.converters.majsoul.schema import Field, messages
from mjconv.converters.shared import bounded_values, jsontext
from mjconv.ir import limits

#: A type that `msgspec` decodes.
_Type: TypeAlias = Any
_Types: TypeAlias = Mapping[str, _Type]
_Number = bounded_values.Number
_Moment = Annotated[int, Meta(ge=0, lt=1 << 53)]
#: The types of plain fields, by the letter of the schema.
_PLAIN: Final[_Types] = {"": _Number, "s": str, "b": bool, "y": str}
_MARKER: Final = Field("dora_marker", "s", repeated=False)
#: The fields of RiichiEnv's records that are not in the schema.
_OF_RIICHIENV: Final[Mapping[str, tuple[Field, ...]]] = {
    "RecordNewRound": (
        _MARKER,
        Field("honba", "", repeated=False),
        Field("dora_indicators", "s", repeated=True),
        Field("salt", "s", repeated=False),
    ),
    "RecordDealTile": (_MARKER,),
    "Recorddora": (_MARKER,),
    "HuleInfo": (Field("ura_dora_indicators", "s", repeated=True),),
}
#: In a file of RiichiEnv's shape, so many bytes hold the key of the rounds.
_HEAD: Final = 1 << 12
_ROUNDS: Final = b'"rounds"'


def usual_contents(data: bytes, locate: Locate) -> Contents | None:
    """Return the contents of a usual JSON text, or None if the text needs a closer look.

    The fields of its records are structs.

    >>> text = b'{"rounds":[[{"name":"dora","data":{"dora_marker":"1m"}}]]}'
    >>> usual_contents(text, lambda path: None).acts[0].data
    dora(dora_marker='1m')
    >>> usual_contents(b'{"rounds":[],"new":1}', lambda path: None)
    """
    if not bounded_values.are_within_limits():
        return None
    has_rounds = _ROUNDS in data[:_HEAD]
    value = jsontext.loads_whole(data, _rounds_decoder() if has_rounds else _client_decoder())
    if value is None:
        return None
    if has_rounds:
        acts, value.rounds = _of_rounds(value.rounds), []
    else:
        details = value.data.data
        acts, details.actions = _of_actions(details.actions, limits.current().events), []
    around = contents_of(msgspec.to_builtins(value), locate)
    return around._replace(acts=around.acts + acts)


def _of_rounds(rounds: list[Any]) -> list[Act]:
    """Return what the lists of records hold."""
    acts: list[Act] = []
    for number, records in enumerate(rounds):
        outer = ("rounds", number)
        for at, record in enumerate(records):
            data, passed = record.data, record.passed
            acts.append(
                Act(data.__class__.__name__, data, None if passed is UNSET else passed, outer, at, IN_RECORD)
            )
            if record.inputs:
                way = (*outer, at, "inputs")
                acts += [
                    Act("", msgspec.to_builtins(one), None, way, place) for place, one in enumerate(record.inputs)
                ]
    return acts


def _of_actions(actions: list[Any], most: int) -> list[Act]:
    """Return what actions record. Inputs after the first record are left out if they hold nothing for the hub.

    All are there if there are more actions than a round may have: `most`.
    """
    acts: list[Act] = []
    outer = ("data", "data", "actions")
    few = len(actions) <= most
    begun = False
    for at, action in enumerate(actions):
        result = action.result
        if result is not UNSET:
            data = result.data
            begun = few
            acts.append(Act(data.__class__.__name__, data, action.passed, outer, at, IN_RESULT))
        elif not begun or not (user := action.user_input) or user.emo or action.user_event:
            acts.append(Act("", msgspec.to_builtins(action), action.passed, outer, at))
    return acts


# The types. They are made for the first file that is read.


@cache
def _rounds_decoder() -> msgspec.json.Decoder[Any]:
    """Return the decoder of RiichiEnv's shape: a list of records for each round."""
    inputs = {"inputs": _list(_struct("Input", _inputs(), {"passed": _Moment, "type": _Number}))}
    rounds = _list(_list(_result("", {"passed": _Moment, **inputs})))
    head = {"version": _Number, "head": bounded_values.FIELDS, **inputs}
    return msgspec.json.Decoder(_struct("Game", head, {"rounds": rounds}))


@cache
def _client_decoder() -> msgspec.json.Decoder[Any]:
    """Return the decoder of the client's shape: a list of actions."""
    parts = {"result": _result(".lq.Record", {}), **_inputs()}
    action = _struct("Action", parts, {"passed": _Moment, "type": _Number})
    details = _struct("Details", {"bar": str}, {"version": _Number, "actions": _list(action)})
    wrapper = _struct("Wrapper", {}, {"name": Literal[".lq.GameDetailRecords"], "data": details})
    reply = {"error": _message("Error"), "head": bounded_values.FIELDS, "data_url": str}
    return msgspec.json.Decoder(_struct("Reply", reply, {"data": wrapper}))


def _inputs() -> _Types:
    """Return the types of the fields of actions that have no record of play."""
    return {
        "user_input": _message("GameUserInput"),
        "user_event": _message("GameUserEvent"),
        "game_event": _Number,
    }


def _result(before: str, beside: _Types) -> _Type:
    """Return the type of an object with the name of a record and its `data`.

    Each name begins with `before`. The object may have the other fields `beside`.
    """
    kinds = [
        _struct(f"Result{name}", beside, {"data": _record(name)}, tag_field="name", tag=f"{before}{name}")
        for name in RECORDS
    ]
    return Union[tuple(kinds)]  # noqa: UP007 - a list of types has no other form


@cache
def _record(name: str) -> _Type:
    return _struct(name, *_fields(f"Record{name}"))


@cache
def _message(name: str) -> _Type:
    return _struct(name, *_fields(name))


def _fields(message: str) -> tuple[dict[str, _Type], dict[str, _Type]]:
    """Return the types of the optional fields of a message, and those of its required fields.

    `records` checks the values of the records of play.
    """
    kind = RECORDS.get(message.removeprefix("Record"))
    checked = {} if kind is None else {field.name: field for field in structs.fields(kind)}
    optional: dict[str, _Type] = {}
    required: dict[str, _Type] = {}
    for field in (*messages().get(message, {}).values(), *_OF_RIICHIENV.get(message, ())):
        own = None if field.repeated or field.kind not in _PLAIN else checked.get(field.name)
        if own is not None:
            (required if own.required else optional)[field.name] = own.type
        else:
            inner = _PLAIN[field.kind] if field.kind in _PLAIN else _message(field.kind) | None
            optional[field.name] = _list(inner) if field.repeated else inner
    return optional, required


def _list(kind: _Type) -> _Type:
    return list[kind]


def _struct(name: str, optional: _Types, required: _Types, **options: Any) -> _Type:
    """Return a struct that takes no other fields."""
    fields: list[Any] = [*required.items(), *((key, kind | UnsetType, UNSET) for key, kind in optional.items())]
    return msgspec.defstruct(name, fields, forbid_unknown_fields=True, gc=False, **options)
