"""The messages of Mahjong Soul that mjconv reads: their fields, types and defaults.

A number in an annotation is the number of the field in protobuf. A field without a number is one of RiichiEnv's
JSON. All other fields are skipped: `Match.original` keeps them. An absent field is zero: protobuf leaves zeros
out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeAlias,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import UNSET, Meta, UnsetType

from mjconv.converters.majsoul.tiles import TILE_OF
from mjconv.converters.shared.json_values import Count, Points, Seat, Worth

if TYPE_CHECKING:
    Spelled: TypeAlias = str
else:
    # The decoder checks spellings against these. For the type checker a tile is a string.
    Spelled = Literal[tuple(TILE_OF)]
Tiles: TypeAlias = Annotated[tuple[Spelled, ...], Meta(max_length=14)]
#: Spellings that a record repeats: they are compared with the play.
Repeated: TypeAlias = Annotated[tuple[str, ...], Meta(max_length=14)]
PerSeat: TypeAlias = Annotated[tuple[Points, ...], Meta(max_length=4)]


class ServerMessage(msgspec.Struct, frozen=True, gc=False):
    """Base of the messages."""


# The records of a round.


class Liqi(ServerMessage, frozen=True):
    """A riichi that is accepted, or that `failed`."""

    seat: Annotated[Seat, 1] = 0
    score: Annotated[Points | UnsetType, 2] = UNSET
    liqibang: Annotated[Count | UnsetType, 3] = UNSET
    failed: Annotated[bool, 4] = False


class NewRound(ServerMessage, frozen=True):
    """The deal. The dealer has 14 tiles."""

    chang: Annotated[Seat, 1] = 0
    ju: Annotated[Seat, 2] = 0
    ben: Annotated[Count, 3] = 0
    honba: Count = 0
    liqibang: Annotated[Count, 6] = 0
    scores: Annotated[PerSeat, 5] = ()
    tiles0: Annotated[Tiles, 7] = ()
    tiles1: Annotated[Tiles, 8] = ()
    tiles2: Annotated[Tiles, 9] = ()
    tiles3: Annotated[Tiles, 10] = ()
    dora: Annotated[Spelled | Literal[""], 4] = ""
    doras: Annotated[Tiles, 16] = ()
    dora_indicators: Tiles = ()
    dora_marker: Spelled | Literal[""] = ""
    paishan: Annotated[str, 14] = ""
    md5: Annotated[str, 13] = ""
    sha256: Annotated[str, 22] = ""
    salt: str = ""
    left_tile_count: Annotated[Count | UnsetType, 15] = UNSET


class DealTile(ServerMessage, frozen=True):
    """A draw."""

    tile: Annotated[Spelled, 2]
    seat: Annotated[Seat, 1] = 0
    doras: Annotated[Tiles, 6] = ()
    dora_marker: Spelled | Literal[""] = ""
    liqi: Annotated[Liqi | None, 5] = None
    left_tile_count: Annotated[Count | UnsetType, 3] = UNSET


class DiscardTile(ServerMessage, frozen=True):
    """A discard. `is_wliqi` is a double riichi."""

    tile: Annotated[Spelled, 2]
    seat: Annotated[Seat, 1] = 0
    moqie: Annotated[bool, 5] = False
    is_liqi: Annotated[bool, 3] = False
    is_wliqi: Annotated[bool, 9] = False
    doras: Annotated[Tiles, 8] = ()


class ChiPengGang(ServerMessage, frozen=True):
    """A call of a discard: 0 chi, 1 pon, 2 open kan. `froms` are the seats that the tiles come from."""

    tiles: Annotated[tuple[Spelled, ...], Meta(min_length=3, max_length=4), 3]
    froms: Annotated[tuple[Seat, ...], Meta(min_length=3, max_length=4), 4]
    seat: Annotated[Seat, 1] = 0
    type: Annotated[int, Meta(ge=0, le=2), 2] = 0
    liqi: Annotated[Liqi | None, 5] = None


class AnGangAddGang(ServerMessage, frozen=True):
    """A kan of the hand: 3 concealed, 2 added. `tiles` is one tile."""

    tiles: Annotated[Spelled, 3]
    seat: Annotated[Seat, 1] = 0
    type: Annotated[int, Meta(ge=2, le=3), 2] = 2
    doras: Annotated[Tiles, 6] = ()


class BaBei(ServerMessage, frozen=True):
    """A north that is set aside."""

    seat: Annotated[Seat, 1] = 0
    doras: Annotated[Tiles, 6] = ()


class DoraTurned(ServerMessage, frozen=True):
    """A dora that is turned: a record of RiichiEnv."""

    dora_marker: Spelled


class Fan(ServerMessage, frozen=True):
    """One yaku of a win: its number and its han, or its number of yakuman."""

    id: Annotated[int, Meta(ge=0, le=9999), 3]
    val: Annotated[Count, 2] = 0


class HuleItem(ServerMessage, frozen=True):
    """One win."""

    hu_tile: Annotated[Spelled, 3]
    seat: Annotated[Seat, 4] = 0
    zimo: Annotated[bool, 5] = False
    li_doras: Annotated[Tiles | UnsetType, 9] = UNSET
    ura_dora_indicators: Tiles | UnsetType | None = UNSET
    yiman: Annotated[bool, 10] = False
    count: Annotated[Count, 11] = 0
    fu: Annotated[Count, 13] = 0
    fans: Annotated[tuple[Fan, ...], Meta(max_length=64), 12] = ()
    point_rong: Annotated[Worth, 15] = 0
    point_zimo_qin: Annotated[Worth, 16] = 0
    point_zimo_xian: Annotated[Worth, 17] = 0
    dadian: Annotated[Worth, 20] = 0
    baopai: Annotated[int, Meta(ge=0, le=4), 21] = 0
    baopai_seats: Annotated[tuple[Seat, ...], Meta(max_length=4), 22] = ()
    doras: Annotated[Tiles, 8] = ()
    hand: Annotated[Repeated, 1] = ()
    ming: Annotated[Repeated | UnsetType, 2] = UNSET
    qinjia: Annotated[bool | UnsetType, 6] = UNSET
    liqi: Annotated[bool | UnsetType, 7] = UNSET


class Hule(ServerMessage, frozen=True):
    """One win or several on one tile."""

    hules: Annotated[tuple[HuleItem, ...], Meta(min_length=1, max_length=3), 1]
    delta_scores: Annotated[PerSeat, 3] = ()
    old_scores: Annotated[PerSeat, 2] = ()
    scores: Annotated[PerSeat, 5] = ()
    baopai: Annotated[int, Meta(ge=0, le=4), 9] = 0


class NoTilePlayer(ServerMessage, frozen=True):
    """A player at an exhausted wall."""

    tingpai: Annotated[bool, 3] = False
    hand: Annotated[Repeated, 4] = ()


class NoTileScore(ServerMessage, frozen=True):
    """Points that an exhausted wall, or one nagashi mangan, moves."""

    delta_scores: Annotated[PerSeat, 3] = ()
    old_scores: Annotated[PerSeat, 2] = ()


class NoTile(ServerMessage, frozen=True):
    """An exhausted wall."""

    liujumanguan: Annotated[bool, 1] = False
    players: Annotated[tuple[NoTilePlayer, ...], Meta(max_length=4), 2] = ()
    scores: Annotated[tuple[NoTileScore, ...], Meta(max_length=4), 3] = ()


class LiuJu(ServerMessage, frozen=True):
    """An abortive draw: 1 nine kinds, 2 four winds, 3 four kans, 4 four riichi, 5 three rons."""

    type: Annotated[int, Meta(ge=1, le=5), 1]
    liqi: Annotated[Liqi | None, 5] = None
    seat: Annotated[Seat, 3] = 0
    tiles: Annotated[Repeated, 4] = ()


#: The records of riichi mahjong, by their names without ``.lq.Record``.
RECORDS: Final[Mapping[str, type[ServerMessage]]] = {
    kind.__name__: kind
    for kind in (NewRound, DealTile, DiscardTile, ChiPengGang, AnGangAddGang, BaBei, Hule, NoTile, LiuJu)
} | {"dora": DoraTurned}
#: The records of event modes: other games, which this package does not read.
EVENT_MODES: Final = frozenset(
    (
        *("ChangeTile", "SelectGap", "GangResult", "GangResultEnd", "HuleXueZhanMid", "HuleXueZhanEnd"),
        *("RevealTile", "UnveilTile", "LockTile", "FillAwaitingTiles"),
    )
)


# The head of a game.


class Level(ServerMessage, frozen=True):
    """The rank of a player: two digits of its number are the rank, two are the stars."""

    id: Annotated[int, 1] = 0


class Account(ServerMessage, frozen=True):
    """A player. A seat without an account is a computer player."""

    seat: Annotated[int, 2] = 0
    nickname: Annotated[str | UnsetType, 3] = UNSET
    level: Annotated[Level | None, 7] = None
    level3: Annotated[Level | None, 8] = None


class DetailRule(ServerMessage, frozen=True):
    """The rules of a room of friends or of a contest. They are empty in ranked games."""

    dora_count: Annotated[Count, 3] = 0
    changbang_value: Annotated[Count, 10] = 0
    have_qieshangmanguan: Annotated[bool, 15] = False
    have_helelianzhuang: Annotated[bool, 27] = False
    have_tingpailianzhuang: Annotated[bool, 29] = False
    disable_leijiyiman: Annotated[bool, 60] = False
    disable_double_yakuman: Annotated[int | bool, 62] = 0
    enable_shiti: Annotated[int | bool, 64] = 0
    enable_nontsumo_liqi: Annotated[int | bool, 65] = 0


class GameMode(ServerMessage, frozen=True):
    """The length of the game: 1 and 2 east and south with four players, 11 and 12 with three."""

    mode: Annotated[int, 1] = 0
    detail_rule: Annotated[DetailRule | None, 6] = None


class GameMeta(ServerMessage, frozen=True):
    """The place of the game: the number of a room of friends, or of a room for ranked games."""

    room_id: Annotated[int, 1] = 0
    mode_id: Annotated[int, 2] = 0


class GameConfig(ServerMessage, frozen=True):
    """The rules of the game."""

    mode: Annotated[GameMode | None, 2] = None
    meta: Annotated[GameMeta | None, 3] = None


class EndPlayer(ServerMessage, frozen=True):
    """The points of a player at the end of the game, before and after oka and uma."""

    seat: Annotated[int, 1] = 0
    total_point: Annotated[Points, 2] = 0
    part_point_1: Annotated[Points, 3] = 0


class EndResult(ServerMessage, frozen=True):
    """The points at the end of the game."""

    players: Annotated[tuple[EndPlayer, ...], 1] = ()


class GameHead(ServerMessage, frozen=True):
    """The head of a game. `start_time` are seconds since 1970."""

    uuid: Annotated[str, 1] = ""
    start_time: Annotated[int, 2] = 0
    config: Annotated[GameConfig | None, 5] = None
    accounts: Annotated[tuple[Account, ...], 11] = ()
    result: Annotated[EndResult | None, 12] = None


# The containers of protobuf. The bytes of a field are a message of another kind.


class UserInput(ServerMessage, frozen=True):
    """An input of a player. `emo` is the number of an emote."""

    seat: Annotated[int, 1] = 0
    emo: Annotated[int, 3] = 0


class UserEvent(ServerMessage, frozen=True):
    """An event of a player's connection: 1 the player returned, 2 the player left."""

    seat: Annotated[int, 1] = 0
    type: Annotated[int, 2] = 0


class Wrapper(ServerMessage, frozen=True):
    """A message with its name."""

    name: Annotated[str, 1] = ""
    data: Annotated[bytes, 2] = b""


class ServerAction(ServerMessage, frozen=True):
    """A record of the play in a wrapper, or what happened beside the play. `passed` are milliseconds."""

    passed: Annotated[int, 1] = 0
    result: Annotated[bytes, 3] = b""
    user_input: Annotated[UserInput | None, 4] = None
    user_event: Annotated[UserEvent | None, 5] = None


class GameDetails(ServerMessage, frozen=True):
    """The records of a game: in wrappers in older files, else in actions."""

    records: Annotated[tuple[bytes, ...], 1] = ()
    actions: Annotated[tuple[ServerAction, ...], 3] = ()


class ServerReply(ServerMessage, frozen=True):
    """The reply of the server: the head of a game, and its details in a wrapper."""

    head: Annotated[GameHead | None, 3] = None
    data: Annotated[bytes, 4] = b""


# The numbers of protobuf.


class ProtobufField(NamedTuple):
    """A field of a message: a number (`int` or `bool`), a text, bytes, or another message."""

    name: str
    kind: type
    repeated: bool


@cache
def fields_of(message: type[ServerMessage]) -> Mapping[int, ProtobufField]:
    """Return the fields of a message by their numbers in protobuf.

    >>> fields_of(DealTile)[6]
    ProtobufField(name='doras', kind=<class 'str'>, repeated=True)
    """
    hints = get_type_hints(message, include_extras=True)
    return {
        number: ProtobufField(name, *_kind_of(hint))
        for name, hint in hints.items()
        for number in getattr(hint, "__metadata__", ())
        if type(number) is int
    }


def _kind_of(hint: Any, *, repeated: bool = False) -> tuple[type, bool]:
    """Return the type of a field's values, and whether the field is repeated.

    >>> _kind_of(Annotated[Tiles | UnsetType, 9]), _kind_of(Literal[2, 3])
    ((<class 'str'>, True), (<class 'int'>, False))
    """
    origin = get_origin(hint)
    if origin is None:
        return hint, repeated
    inner = get_args(hint)[0]
    if origin is Literal:
        return type(inner), repeated
    return _kind_of(inner, repeated=repeated or origin is tuple)
