"""The messages of Mahjong Soul's protobuf: the number, the name and the type of each field.

One line describes a message. ``[]`` marks a repeated field. After a colon comes the type: ``s`` text, ``b`` a
truth value, ``y`` bytes, or the name of a message; without it, the field is a number. The fields are those of
public descriptions of the protocol. A field that is not here is kept under its number.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

_MESSAGES: Final = """
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
GameDetailRule:
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


class Field(NamedTuple):
    """A field of a message. `kind` is the letter of a plain type or the name of a message; empty for a number."""

    name: str
    kind: str
    repeated: bool


Schema = Mapping[str, Mapping[int, Field]]


@cache
def messages() -> Schema:
    """Return the fields of each message, by their numbers.

    >>> messages()["RecordDealTile"][2]
    Field(name='tile', kind='s', repeated=False)
    """
    found = {}
    for line in _MESSAGES.strip().splitlines():
        name, _, fields = line.partition(":")
        found[name] = dict(_field(text) for text in fields.split(",") if text.strip())
    return found


def _field(text: str) -> tuple[int, Field]:
    number, _, spelled = text.strip().partition(" ")
    name, _, kind = spelled.partition(":")
    return int(number), Field(name.removesuffix("[]"), kind, name.endswith("[]"))
