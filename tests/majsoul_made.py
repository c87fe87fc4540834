"""One game in every container: made of the records that the writer writes, with the package `protobuf`."""

from __future__ import annotations

import gzip
from hashlib import md5
from pathlib import Path
from typing import Any

import orjson
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

from logs import FOLDER
from mjconv.converters.majsoul.schema import messages
from mjconv.converters.majsoul.tiles import TILE_OF

Value = dict[str, Any]
#: Runs a test for each real game in the folder that `MJCONV_REAL_LOGS` names, as its argument `path`.
real_games = pytest.mark.parametrize(
    "path", sorted((Path(FOLDER) / "majsoul").glob("*.json")) if FOLDER else [], ids=lambda path: path.name
)
_TYPES = {"": 3, "b": 8, "s": 9, "y": 12}
_ORDER = list(TILE_OF)


def in_order(tiles: list[str]) -> list[str]:
    """Return tiles as the older records have them: in order, a red five before the others."""
    return sorted(tiles, key=lambda tile: (tile[1], 4.5 if tile[0] == "0" else int(tile[0])))


def client_json(written: bytes, *, rest: bool = False) -> Value:
    """Return the game that the writer wrote as the client of Mahjong Soul holds it, with times and inputs.

    With `rest`, the hands are in order and the wall has no dealt tiles, as in records of 2021.
    """
    source = orjson.loads(written)
    actions: list[Value] = [
        {"passed": 900 + seat, "type": 3, "user_event": {"seat": seat, "type": 1}} for seat in (0, 3)
    ]
    passed = 2000
    for records in source["rounds"]:
        for number, record in enumerate(_as_server(records)):
            data = dict(record["data"])
            if rest and number == 0:
                _as_rest(data)
            passed += 700 + 111 * (number % 7)
            name = f".lq.Record{record['name']}"
            actions.append({"passed": passed, "type": 1, "result": {"name": name, "data": data}})
            if number == 3:
                actions.append({"passed": passed + 5, "type": 2, "user_input": {"seat": 1, "type": 1, "emo": 4}})
                actions.append({"passed": passed + 9, "type": 3, "user_event": {"seat": 0, "type": 2}})
    actions.append({"passed": passed, "type": 4, "game_event": 2})
    details = {"name": ".lq.GameDetailRecords", "data": {"version": 210715, "actions": actions}}
    return {"head": source.get("head", {}), "data": details, "data_url": ""}


def _as_server(records: list[Value]) -> list[Value]:
    """Return records without those that only RiichiEnv has: the discard after a kan states its dora."""
    doras: list[str] = []
    found: list[Value] = []
    turned = False
    for record in records:
        if record["name"] == "dora":
            doras = [*doras, record["data"]["dora_marker"]]
            turned = True
            continue
        doras = record["data"].get("doras", doras) or doras
        if turned and record["name"] == "DiscardTile":
            record["data"]["doras"] = doras
            turned = False
        found.append(record)
    return found


def _as_rest(data: Value) -> None:
    dealer = f"tiles{data['ju']}"
    for seat in range(4):
        data[f"tiles{seat}"] = in_order(data[f"tiles{seat}"])
    count = len(data["scores"])
    if "paishan" in data:
        data["paishan"] = data["paishan"][2 * (13 * count + 1) :]
        del data["sha256"]
        data["md5"] = md5(data["paishan"].encode(), usedforsecurity=False).hexdigest()
    assert len(data[dealer]) == 14


def flat(client: Value) -> Value:
    """Return the records of a game as one list."""
    return {"head": client["head"], "data": [action["result"] for action in _acts(client) if "result" in action]}


def as_riichienv(client: Value) -> bytes:
    """Return a game as the compressed file that RiichiEnv reads: no head, and short names of records."""
    rounds: list[list[Value]] = []
    for action in _acts(client):
        if "result" in action:
            name = action["result"]["name"].removeprefix(".lq.Record")
            if name == "NewRound":
                rounds.append([])
            rounds[-1].append({"name": name, "data": action["result"]["data"]})
    return gzip.compress(orjson.dumps({"rounds": rounds}), mtime=0)


def in_camel_case(value: Any) -> Any:
    """Return a value with the keys that the JSON of protobuf has."""
    if isinstance(value, dict):
        return {
            _camel(key): in_camel_case(part) for key, part in value.items() if part not in (0, "", [], {}, None)
        }
    return [in_camel_case(part) for part in value] if isinstance(value, list) else value


def reply(client: Value) -> bytes:
    """Return the reply of the server with a game."""
    kinds = classes()
    head = {key: value for key, value in client["head"].items() if value}
    record = kinds["ResGameRecord"](data=details(client))
    json_format.ParseDict(head, record.head)
    wrapper = kinds["Wrapper"](data=record.SerializeToString())
    return b"\x03\x01\x00" + bytes(wrapper.SerializeToString())


def details(client: Value, *, old: bool = False) -> bytes:
    """Return the records of a game in a wrapper; with `old`, the list of records that older games have."""
    kinds = classes()
    found = kinds["GameDetailRecords"]()
    for action in _acts(client):
        rest = {key: value for key, value in action.items() if key != "result"}
        wrapped = b""
        if "result" in action:
            name = action["result"]["name"]
            inner = json_format.ParseDict(action["result"]["data"], kinds[name.removeprefix(".lq.")]())
            wrapped = kinds["Wrapper"](name=name, data=inner.SerializeToString()).SerializeToString()
        if old:
            found.records.extend([wrapped] if wrapped else [])
            continue
        made = json_format.ParseDict(rest, found.actions.add())
        if wrapped:
            made.result = wrapped
    if not old:
        found.version = 210715
    wrapper = kinds["Wrapper"](name=".lq.GameDetailRecords", data=found.SerializeToString())
    return bytes(wrapper.SerializeToString())


def _acts(client: Value) -> list[Value]:
    acts: list[Value] = client["data"]["data"]["actions"]
    return acts


def _camel(key: str) -> str:
    first, *others = key.split("_")
    return first + "".join(part.capitalize() for part in others)


def classes() -> dict[str, Any]:
    """Return the classes of messages that the package `protobuf` makes of the schema."""
    pool = descriptor_pool.DescriptorPool()
    file = descriptor_pb2.FileDescriptorProto(name="liqi.proto", package="lq", syntax="proto3")
    for name, fields in messages().items():
        message = file.message_type.add(name=name)
        for number, field in fields.items():
            plain = _TYPES.get(field.kind)
            message.field.add(
                name=field.name,
                number=number,
                label=3 if field.repeated else 1,
                type=plain or 11,
                type_name=None if plain else f".lq.{field.kind}",
            )
    pool.Add(file)
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"lq.{name}")) for name in messages()}
