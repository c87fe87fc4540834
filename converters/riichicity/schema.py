"""The JSON of Riichi City: the fields that the reader reads. It skips all other fields.

An absent field is zero, false or empty: the server leaves such fields out.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from mjconv.converters.riichicity.tiles import TILE_OF
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.json_values import Count, Points, Worth, WrongValueError, as_struct, shown

#: The kinds of records, as `eventType` has them.
DEAL: Final = 1
DRAW: Final = 2
OFFER: Final = 3
ACTION: Final = 4
RESULT: Final = 5
END: Final = 6
DORA: Final = 7
ACCEPTED: Final = 8
#: Offers, furiten, a pause, and waits: nothing that happens at the table.
BESIDE: Final = frozenset({OFFER, 9, 10, 11})
#: The most values of a list that has no smaller limit.
MOST_VALUES: Final = 64

#: The id of a player, or a time in milliseconds.
Large: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 62)]
if TYPE_CHECKING:
    Tile: TypeAlias = int
    TileOrNone: TypeAlias = int
else:
    Tile = Literal[tuple(TILE_OF)]
    #: A tile, or 0 for none.
    TileOrNone = Literal[0, *TILE_OF]
#: The tiles of a hand.
Tiles: TypeAlias = Annotated[list[Tile], Meta(max_length=14)] | None


class PlayerInfo(msgspec.Struct, rename="camel", gc=False):
    """A player of a round."""

    user_id: Large = 0
    nickname: str | UnsetType = UNSET
    position: Count = 0


class HandRecord(msgspec.Struct, rename="camel", gc=False):
    """A round.

    `quan_feng`, `chang_ci` and `ben_chang_num` repeat values of the deal, which may lack them; `hand_card_encode`
    and `pai_shan` are the wall. These fields have any type: a wrong value that is not needed is a warning.
    """

    hand_event_record: list[Any]
    quan_feng: Any = UNSET
    chang_ci: Any = UNSET
    ben_chang_num: Any = UNSET
    players: Annotated[list[PlayerInfo], Meta(max_length=MOST_VALUES)] | None = None
    hand_card_encode: Any = None
    hand_cards_sha256: Any = msgspec.field(name="handCardsSHA256", default=None)
    pai_shan: Any = None


class EventRecord(msgspec.Struct, rename="camel", gc=False):
    """A record of a round. `data` is the text of a JSON object: of one of the classes in `DATA`."""

    event_type: Count = 0
    user_id: Large = 0
    start_time: Large = 0
    data: Any = None


class PlayerPoints(msgspec.Struct, gc=False):
    """The points of a player when a round begins (`hand_points`), or when the game ends (`point_num`)."""

    user_id: Large = 0
    hand_points: Points | UnsetType = UNSET
    point_num: Points | UnsetType = UNSET


class YakuInfo(msgspec.Struct, gc=False):
    """A yaku of a win by its number, and its han."""

    fang_type: Count = 0
    fang_num: Count = 0


class WinInfo(msgspec.Struct, gc=False):
    """A win, or a hand in tenpai."""

    user_id: Large = 0
    fang_info: Annotated[list[YakuInfo], Meta(max_length=MOST_VALUES)] | None = None
    all_fang_num: Count = 0
    all_fu: Count = 0
    all_point: Worth = 0
    user_cards: Tiles = None
    li_bao_card: Annotated[list[Tile], Meta(max_length=5)] | None = None
    ting_card_list: Any = None


class Profit(msgspec.Struct, gc=False):
    """The points that a player gains by the result of a round, and has after it (`user_point`)."""

    user_id: Large = 0
    point_profit: Points = 0
    user_point: Points | UnsetType = UNSET
    is_bao_pai: bool = False


class DealData(msgspec.Struct, gc=False):
    """A hand that is dealt, and the values with which the round begins."""

    hand_cards: Tiles = None
    dealer_pos: Count = 0
    dices: Any = None
    bao_pai_card: TileOrNone = 0
    quan_feng: Count | UnsetType = UNSET
    chang_ci: Count | UnsetType = UNSET
    ben_chang_num: Count | UnsetType = UNSET
    li_zhi_bang_num: Count = 0
    user_info_list: Annotated[list[PlayerPoints], Meta(max_length=MOST_VALUES)] | None = None


class DrawData(msgspec.Struct, gc=False):
    """A draw. Without a tile, it is a turn that begins without a draw."""

    in_card: TileOrNone = 0


class ActionData(msgspec.Struct, gc=False):
    """An action of a player: a discard, a call, a kan, a north, or a declaration."""

    action: Count = 0
    card: TileOrNone = 0
    group_cards: Annotated[list[Tile], Meta(max_length=4)] | None = None
    is_li_zhi: bool = False
    move_cards_pos: Any = None
    user_id: Large | UnsetType = UNSET


class DoraData(msgspec.Struct, gc=False):
    """All dora indicators that kans turned so far."""

    cards: Annotated[list[Tile], Meta(max_length=4)] | None = None


class ResultData(msgspec.Struct, gc=False):
    """The result of a round."""

    end_type: int = 0
    win_info: list[WinInfo] | None = None
    user_profit: Annotated[list[Profit], Meta(max_length=MOST_VALUES)] | None = None


class EndData(msgspec.Struct, gc=False):
    """The end of a game."""

    user_data: Annotated[list[PlayerPoints], Meta(max_length=MOST_VALUES)] | None = None


class OtherData(msgspec.Struct, gc=False):
    """The `data` of a record of another kind: the reader reads no field of it."""


Data: TypeAlias = DealData | DrawData | ActionData | DoraData | ResultData | EndData | OtherData
#: The class of the `data` of a record, by its kind.
DATA: Final[dict[int, type[Data]]] = {
    DEAL: DealData,
    DRAW: DrawData,
    ACTION: ActionData,
    RESULT: ResultData,
    END: EndData,
    DORA: DoraData,
}


def fields_of(text: Any) -> dict[str, Any]:
    """Return the fields in the text of a JSON object. Raises `WrongValueError`.

    >>> fields_of('{"in_card":1}')
    {'in_card': 1}
    """
    if not isinstance(text, str):
        raise WrongValueError(f"expected the text of a JSON object, not {shown(text)}")
    try:
        fields = jsontext.loads_unique(text.encode())
    except json.JSONDecodeError as error:
        raise WrongValueError(f"the text is no JSON: {error.msg} at its character {error.pos + 1}") from None
    except (ValueError, RecursionError) as error:
        raise WrongValueError(str(error)) from None
    if not isinstance(fields, dict):
        raise WrongValueError(f"expected the text of a JSON object, not {shown(text)}")
    return fields


def read_record(value: Any) -> tuple[EventRecord, Data]:
    """Return a record and its `data`. Raises `WrongValueError`.

    >>> read_record({"eventType": 2, "userId": 7, "data": '{"in_card":1}'})[1]
    DrawData(in_card=1)
    """
    record = as_struct(value, EventRecord)
    try:
        kind = DATA.get(record.event_type, OtherData)
        return record, as_struct(fields_of(record.data), kind, "the number of a tile")
    except WrongValueError as error:
        raise error.within("data") from None
