"""One game in every container: made of the records that the writer writes, with the package `protobuf`."""

import gzip
from pathlib import Path
from typing import Any

import orjson
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

from logs import FOLDER

Value = dict[str, Any]
#: Runs a test for each real game in the folder that `MJCONV_REAL_LOGS` names, as its argument `path`.
real_games = pytest.mark.parametrize(
    "path", sorted((Path(FOLDER) / "majsoul").glob("*.json")) if FOLDER else [], ids=lambda path: path.name
)
_TYPES = {"": 3, "b": 8, "s": 9, "y": 12}
#: The messages of the server, more than mjconv reads. The fields are those of public descriptions of the protocol.
#: One line describes a message. ``[]`` marks a repeated field. After a colon comes the type: ``s`` text, ``b`` a
#: truth value, ``y`` bytes, or the name of a message; without it, the field is a number.
_MESSAGES = """
Wrapper: 1 name:s, 2 data:y
ResGameRecord: 1 error:Error, 3 head:RecordGame, 4 data:y, 5 data_url:s
Error: 1 code
RecordGame: 1 uuid:s, 2 start_time, 3 end_time, 5 config:GameConfig, 11 accounts[]:AccountInfo, \
12 result:GameEndResult
AccountInfo: 1 account_id, 2 seat, 3 nickname:s, 4 avatar_id, 6 title, 7 level:AccountLevel, \
8 level3:AccountLevel, 9 avatar_frame, 10 verified
AccountLevel: 1 id, 2 score
GameConfig: 1 category, 2 mode:GameMode, 3 meta:GameMetaData
GameMode: 1 mode, 4 ai:b, 5 extendinfo:s, 6 detail_rule:GameDetailRule
GameDetailRule: 3 dora_count, 10 changbang_value, 15 have_qieshangmanguan:b, 27 have_helelianzhuang:b, \
29 have_tingpailianzhuang:b, 60 disable_leijiyiman:b, \
62 disable_double_yakuman, 64 enable_shiti, 65 enable_nontsumo_liqi
GameMetaData: 1 room_id, 2 mode_id, 3 contest_uid
GameEndResult: 1 players[]:PlayerItem
PlayerItem: 1 seat, 2 total_point, 3 part_point_1, 4 part_point_2, 5 grading_score, 6 gold
GameDetailRecords: 1 records[]:y, 2 version, 3 actions[]:GameAction, 4 bar:y
GameAction: 1 passed, 2 type, 3 result:y, 4 user_input:GameUserInput, 5 user_event:GameUserEvent, \
6 game_event
GameUserInput: 1 seat, 2 type, 3 emo, 10 operation:GameSelfOperation, 11 cpg:GameChiPengGang, \
12 vote:GameVoteGameEnd
GameUserEvent: 1 seat, 2 type
GameSelfOperation: 1 type, 2 index, 3 tile:s, 4 cancel_operation:b, 5 moqie:b, 6 timeuse, 7 tile_state
GameChiPengGang: 1 type, 2 index, 3 cancel_operation:b, 6 timeuse
GameVoteGameEnd: 1 yes:b
RecordNewRound: 1 chang, 2 ju, 3 ben, 4 dora:s, 5 scores[], 6 liqibang, 7 tiles0[]:s, 8 tiles1[]:s, \
9 tiles2[]:s, 10 tiles3[]:s, 11 tingpai[]:TingPai, 12 operation:OptionalOperationList, 13 md5:s, \
14 paishan:s, 15 left_tile_count, 16 doras[]:s, 17 opens[]:NewRoundOpenedTiles, \
19 operations[]:OptionalOperationList, 20 ju_count, 21 field_spell, 22 sha256:s
TingPai: 1 seat, 2 tingpais1[]:TingPaiInfo
RecordDealTile: 1 seat, 2 tile:s, 3 left_tile_count, 5 liqi:LiQiSuccess, 6 doras[]:s, 7 zhenting[]:b, \
8 operation:OptionalOperationList, 9 tile_state, 12 tile_index
RecordDiscardTile: 1 seat, 2 tile:s, 3 is_liqi:b, 5 moqie:b, 6 zhenting[]:b, 7 tingpais[]:TingPaiInfo, \
8 doras[]:s, 9 is_wliqi:b, 10 operations[]:OptionalOperationList, 11 tile_state
RecordChiPengGang: 1 seat, 2 type, 3 tiles[]:s, 4 froms[], 5 liqi:LiQiSuccess, 7 zhenting[]:b, \
8 operation:OptionalOperationList, 9 tile_states[], 11 scores[], 12 liqibang
RecordAnGangAddGang: 1 seat, 2 type, 3 tiles:s, 6 doras[]:s, 7 operations[]:OptionalOperationList
RecordBaBei: 1 seat, 6 doras[]:s, 7 operations[]:OptionalOperationList, 8 moqie:b, 10 tile_state
RecordHule: 1 hules[]:HuleInfo, 2 old_scores[], 3 delta_scores[], 4 wait_timeout, 5 scores[], \
6 gameend:GameEnd, 7 doras[]:s, 9 baopai
GameEnd: 1 scores[]
HuleInfo: 1 hand[]:s, 2 ming[]:s, 3 hu_tile:s, 4 seat, 5 zimo:b, 6 qinjia:b, 7 liqi:b, 8 doras[]:s, \
9 li_doras[]:s, 10 yiman:b, 11 count, 12 fans[]:FanInfo, 13 fu, 14 title:s, 15 point_rong, \
16 point_zimo_qin, 17 point_zimo_xian, 18 title_id, 19 point_sum, 20 dadian, 21 baopai, 22 baopai_seats[], \
24 tianming_bonus
FanInfo: 1 name:s, 2 val, 3 id
RecordNoTile: 1 liujumanguan:b, 2 players[]:NoTilePlayerInfo, 3 scores[]:NoTileScoreInfo, 4 gameend:b, \
9 hules_history[]:HuleInfo
NoTilePlayerInfo: 3 tingpai:b, 4 hand[]:s, 5 tings[]:TingPaiInfo, 6 already_hule:b
NoTileScoreInfo: 1 seat, 2 old_scores[], 3 delta_scores[], 4 hand[]:s, 5 ming[]:s, 6 doras[]:s, 7 score, \
8 taxes[]
RecordLiuJu: 1 type, 2 gameend:GameEnd, 3 seat, 4 tiles[]:s, 5 liqi:LiQiSuccess, 6 allplayertiles[]:s, \
9 hules_history[]:HuleInfo
LiQiSuccess: 1 seat, 2 score, 3 liqibang, 4 failed:b
OptionalOperationList: 1 seat, 2 operation_list[]:OptionalOperation, 4 time_add, 5 time_fixed
OptionalOperation: 1 type, 2 combination[]:s, 3 change_tiles[]:s, 4 change_tile_states[], 5 gap_type
TingPaiInfo: 1 tile:s, 2 haveyi:b, 3 yiman:b, 4 count, 5 fu, 6 biao_dora_count, 7 yiman_zimo:b, \
8 count_zimo, 9 fu_zimo
NewRoundOpenedTiles: 1 seat, 2 tiles[]:s, 3 count[]
"""


def client_json(written: bytes) -> Value:
    """Return the game that the writer wrote as the client of Mahjong Soul holds it, with times and inputs."""
    source = orjson.loads(written)
    actions: list[Value] = [
        {"passed": 900 + seat, "type": 3, "user_event": {"seat": seat, "type": 1}} for seat in (0, 3)
    ]
    passed = 2000
    for records in source["rounds"]:
        for number, record in enumerate(_as_server(records)):
            data = dict(record["data"])
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


def flat(client: Value) -> Value:
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
    if isinstance(value, dict):
        return {_camel(key): in_camel_case(one) for key, one in value.items() if one not in (0, "", [], {}, None)}
    return [in_camel_case(part) for part in value] if isinstance(value, list) else value


def reply(client: Value) -> bytes:
    kinds = classes()
    record = kinds["ResGameRecord"](data=details(client))
    json_format.ParseDict({key: value for key, value in client["head"].items() if value}, record.head)
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
    """Return the classes of messages that the package `protobuf` makes of the table."""
    pool = descriptor_pool.DescriptorPool()
    file = descriptor_pb2.FileDescriptorProto(name="liqi.proto", package="lq", syntax="proto3")
    for line in _MESSAGES.strip().splitlines():
        name, _, fields = line.partition(":")
        message = file.message_type.add(name=name)
        for field in filter(None, map(str.strip, fields.split(","))):
            number, _, spelled = field.partition(" ")
            field_name, _, kind = spelled.partition(":")
            plain = _TYPES.get(kind)
            message.field.add(
                name=field_name.removesuffix("[]"),
                number=int(number),
                label=3 if field_name.endswith("[]") else 1,
                type=plain or 11,
                type_name=None if plain else f".lq.{kind}",
            )
    pool.Add(file)
    names = [message.name for message in file.message_type]
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"lq.{name}")) for name in names}
