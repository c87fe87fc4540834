"""The records of a round as Mahjong Soul states them: their fields, types and defaults.

An absent field is zero: protobuf leaves zeros out. A field that no class here names is kept in the extras.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from mjconv.converters.majsoul.tiles import TILE_OF
from mjconv.converters.shared import jsontext
from mjconv.ir import limits

if TYPE_CHECKING:
    Spelled: TypeAlias = str
else:
    # The decoder checks spellings against these. For the type checker a tile is a string.
    Spelled = Literal[tuple(TILE_OF)]
_MOST: Final = 1_000_000_000
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=9999)]
Points: TypeAlias = Annotated[int, Meta(ge=-_MOST, le=_MOST)]
Total: TypeAlias = Annotated[int, Meta(ge=0, le=_MOST)]
Tiles: TypeAlias = Annotated[tuple[Spelled, ...], Meta(max_length=14)]
PerSeat: TypeAlias = Annotated[tuple[Points, ...], Meta(max_length=4)]


class Raw(msgspec.Struct, frozen=True, gc=False):
    """Base of the records."""


class Liqi(Raw, frozen=True):
    """An accepted riichi: its seat, the points of the seat, and the number of sticks on the table."""

    seat: Seat = 0
    score: Points = 0
    liqibang: Count = 0
    failed: bool = False


class NewRound(Raw, frozen=True):
    """The deal. The dealer has 14 tiles."""

    chang: Seat = 0
    ju: Seat = 0
    ben: Count = 0
    honba: Count = 0
    liqibang: Count = 0
    scores: PerSeat = ()
    tiles0: Tiles = ()
    tiles1: Tiles = ()
    tiles2: Tiles = ()
    tiles3: Tiles = ()
    dora: Spelled | Literal[""] = ""
    doras: Tiles = ()
    dora_indicators: Tiles = ()
    dora_marker: Spelled | Literal[""] = ""
    left_tile_count: Count | UnsetType = UNSET
    paishan: str = ""
    md5: str = ""
    sha256: str = ""
    salt: str = ""


class DealTile(Raw, frozen=True):
    """A draw."""

    tile: Spelled
    seat: Seat = 0
    left_tile_count: Count | UnsetType = UNSET
    doras: Tiles = ()
    dora_marker: Spelled | Literal[""] = ""
    liqi: Liqi | None = None


class DiscardTile(Raw, frozen=True):
    """A discard."""

    tile: Spelled
    seat: Seat = 0
    moqie: bool = False
    is_liqi: bool = False
    is_wliqi: bool = False
    doras: Tiles = ()


class ChiPengGang(Raw, frozen=True):
    """A call of a discard: 0 chi, 1 pon, 2 open kan. The last tile is the called one."""

    tiles: Annotated[tuple[Spelled, ...], Meta(min_length=3, max_length=4)]
    froms: Annotated[tuple[Seat, ...], Meta(min_length=3, max_length=4)]
    seat: Seat = 0
    type: Annotated[int, Meta(ge=0, le=2)] = 0
    liqi: Liqi | None = None


class AnGangAddGang(Raw, frozen=True):
    """A kan of the hand: 3 concealed, 2 added. `tiles` is one tile."""

    tiles: Spelled
    seat: Seat = 0
    type: Literal[2, 3] = 2
    doras: Tiles = ()


class BaBei(Raw, frozen=True):
    """A north that is set aside."""

    seat: Seat = 0
    moqie: bool = False
    doras: Tiles = ()


class DoraRecord(Raw, frozen=True):
    """A dora that is turned: a record of RiichiEnv."""

    dora_marker: Spelled


class Fan(Raw, frozen=True):
    """One yaku of a win: its number and its han, or its number of yakuman."""

    id: Annotated[int, Meta(ge=0, le=9999)]
    val: Count = 0


class HuleItem(Raw, frozen=True):
    """One win."""

    hu_tile: Spelled
    seat: Seat = 0
    zimo: bool = False
    liqi: bool = False
    li_doras: Tiles | UnsetType = UNSET
    ura_dora_indicators: Tiles | UnsetType | None = UNSET
    yiman: bool = False
    count: Count = 0
    fu: Count = 0
    fans: Annotated[tuple[Fan, ...], Meta(max_length=64)] = ()
    point_rong: Total = 0
    point_zimo_qin: Total = 0
    point_zimo_xian: Total = 0
    dadian: Total = 0
    baopai: Annotated[int, Meta(ge=0, le=4)] = 0
    doras: Tiles = ()


class Hule(Raw, frozen=True):
    """One win or several on one tile."""

    hules: Annotated[tuple[HuleItem, ...], Meta(min_length=1, max_length=3)]
    delta_scores: PerSeat = ()


class NoTilePlayer(Raw, frozen=True):
    """A player at an exhausted wall."""

    tingpai: bool = False


class NoTileScore(Raw, frozen=True):
    """Points that an exhausted wall, or one nagashi mangan, moves."""

    delta_scores: PerSeat = ()


class NoTile(Raw, frozen=True):
    """An exhausted wall."""

    liujumanguan: bool = False
    players: Annotated[tuple[NoTilePlayer, ...], Meta(max_length=4)] = ()
    scores: Annotated[tuple[NoTileScore, ...], Meta(max_length=4)] = ()


class LiuJu(Raw, frozen=True):
    """An abortive draw: 1 nine kinds, 2 four winds, 3 four kans, 4 four riichi, 5 three rons."""

    type: Annotated[int, Meta(ge=1, le=5)]
    seat: Seat = 0
    liqi: Liqi | None = None


Record = TypeVar("Record", bound=Raw)

#: The records of riichi mahjong, by their names without ``.lq.Record``.
RECORDS: Final[Mapping[str, type[Raw]]] = MappingProxyType(
    {
        "NewRound": NewRound,
        "DealTile": DealTile,
        "DiscardTile": DiscardTile,
        "ChiPengGang": ChiPengGang,
        "AnGangAddGang": AnGangAddGang,
        "BaBei": BaBei,
        "dora": DoraRecord,
        "Hule": Hule,
        "NoTile": NoTile,
        "LiuJu": LiuJu,
    }
)
#: The records of event modes: other games, which this package does not read.
EVENT_MODES: Final = frozenset(
    (
        *("ChangeTile", "SelectGap", "GangResult", "GangResultEnd", "HuleXueZhanMid", "HuleXueZhanEnd"),
        *("RevealTile", "UnveilTile", "LockTile", "FillAwaitingTiles"),
    )
)
#: The least number of a yaku of an event mode.
EVENT_YAKU: Final = 1000
#: The fields of each record that the reader reads. The other fields are kept.
FIELDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {name: frozenset(kind.__struct_fields__) for name, kind in RECORDS.items()}
)
_ZEROS: Final = frozenset({"zhenting", "tile_states"})
_HOLDERS: Final = frozenset((dict, list))
#: The depth from which on the limit is compared, and the objects and lists around a field of a record.
_DEEP: Final = 8
_OUTER: Final = 7


class FieldError(ValueError):
    """A field of a record that is wrong: what is wrong, and the way to the field."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.path = path


def convert(data: Mapping[str, Any], kind: type[Record]) -> Record:
    """Return the record of these fields. Raises `FieldError`.

    >>> convert({"dora_marker": "1m"}, DoraRecord)
    DoraRecord(dora_marker='1m')
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        message, _, way = str(error).partition(" - at `$")
        raise FieldError(message, *_path(way.rstrip("`"))) from None


def _path(way: str) -> list[str | int]:
    """Return the way to a value of an error of msgspec.

    >>> _path(".hules[0].seat")
    ['hules', 0, 'seat']
    """
    parts = way.replace("[", ".").replace("]", "").split(".")
    return [int(part) if part.isdecimal() else part for part in parts if part and part != "..."]


def short_name(name: str) -> str:
    """Return the name of a record without what some containers put before it.

    >>> short_name(".lq.RecordNewRound"), short_name("RecordHule"), short_name("NoTile")
    ('NewRound', 'Hule', 'NoTile')
    """
    return name.removeprefix(".lq.").removeprefix("Record")


def trimmed(value: Any, depth: int = 0) -> Any:
    """Return a value without fields that are zero, false or empty: protobuf does not write these.

    A list of zeros stays, but for those that have a place for each seat or tile. Raises `LimitError` if the value
    is nested too deep.

    >>> trimmed({"seat": 0, "zhenting": [False, False], "operation_list": [{"type": 1, "combination": []}]})
    {'operation_list': [{'type': 1}]}
    """
    if depth > _DEEP and depth > limits.current().nesting - _OUTER:
        raise limits.LimitError("nesting")
    if type(value) is dict:
        kept = {}
        for key, part in value.items():
            if part:
                if type(part) in _HOLDERS:
                    if key in _ZEROS and not any(part):
                        continue
                    part = trimmed(part, depth + 1)
                    if not part:
                        continue
                kept[key] = part
        return kept
    if type(value) is list:
        return [trimmed(part, depth + 1) if type(part) in _HOLDERS else part for part in value]
    return value


def may_be_deep(data: bytes, value: Any) -> bool:
    """Return whether `trimmed` may refuse a part of this value, which was read from JSON."""
    return jsontext.is_deep(data, value, max(_DEEP, limits.current().nesting - _OUTER))


def differing(found: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a record that are there and differ from those that the writer writes.

    >>> differing({"seat": 0, "tile": "1m", "zhenting": [True]}, {"seat": 0, "tile": "1m", "moqie": False})
    {'zhenting': [True]}
    """
    kept = {}
    stated = trimmed(found)
    for key, given in found.items():
        expected = usual.get(key)
        if given != expected:
            value = stated.get(key)
            if value is not None:
                if value != trimmed(expected):
                    kept[key] = value
            elif trimmed(expected):
                kept[key] = given
    return kept
