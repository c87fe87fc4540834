"""Decodes the usual JSON of a game into structs, in half the time that dictionaries take.

The structs have the fields that records were seen to have. A record with any other field is not usual. The head of
a game may have any fields. Fields that the reader does not read are here too: without them it could not be known
that no key is there twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from mjconv.converters.riichicity.extras import Fields
from mjconv.converters.riichicity.tiles import TILE_OF
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.bounded_values import Number as _Number
from mjconv.converters.shared.bounded_values import Scalar, are_within_limits

_Count: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 53)]
_Kind: TypeAlias = Annotated[int, Meta(ge=0, le=9999)]
if TYPE_CHECKING:
    _Tile: TypeAlias = int
    _Card: TypeAlias = int
else:
    _Tile = Literal[tuple(TILE_OF)]
    #: A tile, or 0 for none.
    _Card = Literal[0, *TILE_OF]
Number: TypeAlias = _Number | UnsetType
Numbers: TypeAlias = list[_Number] | UnsetType | None
#: Tiles of a hand, and tiles of a wall.
Tiles: TypeAlias = Annotated[list[_Tile], Meta(max_length=14)] | UnsetType | None
_Wall: TypeAlias = list[_Tile] | UnsetType | None
Flag: TypeAlias = bool | UnsetType
String: TypeAlias = str | UnsetType
#: The kinds of records, as `eventType` has them: a hand, the result of a round, and the end of the game.
DEAL: Final = 1
RESULT: Final = 5
END: Final = 6
_LAST_KINDS: Final = frozenset({RESULT, END})


class _Usual(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """Base of the structs. An absent field is `UNSET`.

    The order of the fields is that of real records: fields in this order are decoded fastest.
    """


class _Camel(_Usual, rename="camel"):
    """Base of the structs whose keys are in camel case: all but those of the `data` of records."""


class Record(_Camel):
    """A record of a round. `data` is the text of a JSON object."""

    data: str
    event_pos: Number = UNSET
    event_type: _Kind | UnsetType = UNSET
    hand_id: String = UNSET
    start_time: _Count | UnsetType = UNSET
    user_id: _Count | UnsetType = UNSET


class _Round(_Camel):
    hand_event_record: list[Record]
    ben_chang_num: Number = UNSET
    chang_ci: Number = UNSET
    hand_card_encode: String = UNSET
    hand_cards_sha256: String = msgspec.field(name="handCardsSHA256", default=UNSET)
    hand_id: String = msgspec.field(name="handID", default=UNSET)
    hand_pos: Number = UNSET
    pai_shan: _Wall = UNSET
    players: list[dict[str, Scalar]] | UnsetType | None = UNSET
    quan_feng: Number = UNSET


#: The head of a game: any fields, and the rounds.
_Game: TypeAlias = dict[str, Scalar | list[_Round | Scalar] | dict[str, Scalar]]


class _Answer(_Camel):
    data: _Game
    code: Number = UNSET
    message: String = UNSET


class _Wait(_Usual):
    is_zhen_ting: Flag = UNSET
    is_wu_yi: Flag = UNSET
    left_num: Number = UNSET
    ting_card: Number = UNSET
    is_yi_man: Flag = UNSET
    fang_info: dict[str, _Number] | UnsetType | None = UNSET
    ting_type: Number = UNSET


class _WaitAfter(_Usual):
    discard_card: Number = UNSET
    ting_list: list[_Wait] | UnsetType | None = UNSET


class _UserInfo(_Usual):
    user_id: Number = UNSET
    hand_points: Number = UNSET
    luck_score: Number = UNSET
    is_exist_shao_ji: Flag = UNSET
    room_exist_man_guan: Flag = UNSET


class _Yaku(_Usual):
    fang_type: Number = UNSET
    fang_num: Number = UNSET


class _Win(_Usual):
    fang_info: list[_Yaku] | UnsetType | None = UNSET
    all_fang_num: Number = UNSET
    all_fu: Number = UNSET
    all_point: Number = UNSET
    user_cards: Tiles = UNSET
    li_bao_card: Tiles = UNSET
    user_id: Number = UNSET
    ting_card_list: Numbers = UNSET
    bash_points: Number = UNSET
    luck_score: Number = UNSET


class _Profit(_Usual):
    user_id: Number = UNSET
    point_profit: Number = UNSET
    li_zhi_profit: Number = UNSET
    is_bao_pai: Flag = UNSET
    user_point: Number = UNSET


class _Final(_Usual):
    user_id: Number = UNSET
    point_num: Number = UNSET
    score: Number = UNSET


class _Deal(_Usual):
    """The `data` of a hand that is dealt."""

    hand_cards: Tiles = UNSET
    dealer_pos: Number = UNSET
    dices: Numbers = UNSET
    bao_pai_card: Number = UNSET
    ting_list: list[_Wait] | UnsetType | None = UNSET
    quan_feng: Number = UNSET
    chang_ci: Number = UNSET
    ben_chang_num: Number = UNSET
    li_zhi_bang_num: Number = UNSET
    user_info_list: list[_UserInfo] | UnsetType | None = UNSET
    hand_cards_sha_256: String = UNSET


class _Play(_Usual):
    """The `data` of any record between the hands and the result: fields of draws, offers, discards, and others."""

    in_card: _Card | UnsetType = UNSET
    is_zi_mo: Flag = UNSET
    gang_cards: Numbers = UNSET
    bu_gang_cards: Numbers = UNSET
    is_gang_incard: Flag = UNSET
    is_can_lizhi: Flag = UNSET
    out_card: Number = UNSET
    action_list: Numbers = UNSET
    oper_fixed_time: Number = UNSET
    oper_var_time: Number = UNSET
    in_ting_info: list[_WaitAfter] | UnsetType | None = UNSET
    is_nine_cards: Flag = UNSET
    is_kai_li_zhi: Flag = UNSET
    is_pull_north: Flag = UNSET
    is_first_xun_in: Flag = UNSET
    action: Number = UNSET
    card: _Card | UnsetType = UNSET
    move_cards_pos: Numbers = UNSET
    user_id: Number = UNSET
    hand_cards: Tiles = UNSET
    group_cards: Tiles = UNSET
    is_li_zhi: Flag = UNSET
    li_zhi_operate: Number = UNSET
    li_zhi_type: Number = UNSET
    is_auto_gang: Flag = UNSET
    ting_info: list[_Wait] | UnsetType | None = UNSET
    cards: Tiles = UNSET


class _End(_Usual):
    """The `data` of the result of a round, or of the end of a game."""

    end_type: Number = UNSET
    win_info: list[_Win] | UnsetType | None = UNSET
    user_profit: list[_Profit] | UnsetType | None = UNSET
    zhong_liu_info: Numbers = UNSET
    cheat_info_list: Numbers = UNSET
    user_data: list[_Final] | UnsetType | None = UNSET


class Header(msgspec.Struct, rename="camel", gc=False):
    """What the reader needs of any record of play."""

    event_type: _Kind | UnsetType = UNSET
    start_time: _Count | UnsetType = UNSET
    user_id: _Count | UnsetType = UNSET


class Turn(msgspec.Struct, gc=False):
    """What the reader needs of the `data` of any draw or discard."""

    in_card: _Card | UnsetType = UNSET
    action: Number = UNSET
    card: _Card | UnsetType = UNSET
    hand_cards: Tiles = UNSET
    is_li_zhi: Flag = UNSET
    move_cards_pos: Numbers = UNSET


_ANSWER: Final = msgspec.json.Decoder(_Answer)
_GAME: Final = msgspec.json.Decoder(_Game)
_DEALS: Final = msgspec.json.Decoder(_Deal)
_PLAY: Final = msgspec.json.Decoder(_Play)
_ENDS: Final = msgspec.json.Decoder(_End)


Data: TypeAlias = _Deal | _Play | _End


class UsualRound(NamedTuple):
    """A round: its fields without the records, the records, and the object in the `data` of each record."""

    around: Fields
    records: Sequence[Record]
    data: Sequence[Data]


class UsualGame(NamedTuple):
    """A game: the fields of its head, the way to them, and its rounds."""

    head: Fields
    base: tuple[str, ...]
    rounds: list[UsualRound]


def usual_game(data: bytes) -> UsualGame | None:
    r"""Return the game of a usual JSON text, or None if the text needs a closer look.

    >>> game = usual_game(b'{"handRecord":[{"handEventRecord":[{"data":"{\\"in_card\\":1}","eventType":2}]}]}')
    >>> game.rounds[0].data[0].in_card
    1
    >>> usual_game(b'{"handRecord":[{"new":1}]}')
    """
    if not are_within_limits():
        return None
    answer = jsontext.loads_whole(data, _ANSWER)
    head: Any = jsontext.loads_whole(data, _GAME) if answer is None else answer.data
    listed = None if head is None else head.pop("handRecord", None)
    if type(listed) is not list:
        return None
    rounds = []
    for one in listed:
        if type(one) is not _Round:
            return None
        records, one.hand_event_record = one.hand_event_record, []
        found = _data_of(records)
        if found is None:
            return None
        rounds.append(UsualRound(msgspec.to_builtins(one), records, found))
    return UsualGame(head, () if answer is None else ("data",), rounds)


def _data_of(records: Sequence[Record]) -> list[Data] | None:
    """Return the objects in the `data` of the records of a round, or None if one of them needs a closer look."""
    first, last = 0, len(records)
    while first < last and records[first].event_type == DEAL:
        first += 1
    while first < last and records[last - 1].event_type in _LAST_KINDS:
        last -= 1
    texts = [record.data for record in records]
    deals = jsontext.loads_whole_together(texts[:first], _DEALS)
    play = jsontext.loads_whole_together(texts[first:last], _PLAY)
    ends = jsontext.loads_whole_together(texts[last:], _ENDS)
    return None if deals is None or play is None or ends is None else [*deals, *play, *ends]
