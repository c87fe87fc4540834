"""The columns: their names, types and meanings. Loading this module loads pyarrow."""

from __future__ import annotations

import datetime
from typing import Any, Final, NamedTuple

import msgspec
import pyarrow as pa

from mjconv.archive.facts import Facts
from mjconv.ir.events import KINDS
from mjconv.ir.tiles import ORDER, WINDS

#: The names of tiles, in the order of their codes.
TILE_NAMES: Final = tuple(ORDER)

_KIND: Final = pa.dictionary(pa.int8(), pa.string())
_TILE: Final = pa.dictionary(pa.int8(), pa.string())
#: Columns of texts that often repeat.
TEXT: Final = pa.dictionary(pa.int32(), pa.string())
_TILES: Final = pa.list_(pa.string())
_SEAT: Final = pa.int8()
_POINTS: Final = pa.int32()
_PER_SEAT: Final = pa.list_(pa.int32())


class Column(NamedTuple):
    """A column: its Arrow type and a one-line description."""

    type: pa.DataType
    meaning: str


#: The place of a row.
PLACE: Final[dict[str, Column]] = {
    "source": Column(TEXT, "the file or archive member it came from, where that is known"),
    "game": Column(pa.int64(), "the number of the match, from 0"),
    "date": Column(pa.date32(), "the day it was played"),
    "round": Column(pa.int32(), "the number of the round in the match, from 0; null around the rounds"),
    "bakaze": Column(_TILE, "the round wind"),
    "kyoku": Column(pa.int32(), "the number of the round in that wind, from 1"),
    "honba": Column(pa.int32(), "the counters"),
    "oya": Column(_SEAT, "the dealer's seat"),
    "event": Column(
        pa.int32(),
        "the number of the event in its round, from 0 (the deal); around the rounds, its number in that list",
    ),
    "turn": Column(pa.int32(), "the turn of `actor`: the tiles they discarded before, and one"),
}

#: The values of an event, named by the keys of its JSON message.
SAID: Final[dict[str, Column]] = {
    "type": Column(_KIND, "the kind of event, by mjai's name"),
    "actor": Column(_SEAT, "who acts"),
    "target": Column(_SEAT, "whose tile it is"),
    "pai": Column(_TILE, "the tile; of a win also where the record leaves it out"),
    "tsumogiri": Column(pa.bool_(), "whether the tile just drawn is discarded"),
    "consumed": Column(_TILES, "the tiles of the hand in a call"),
    "dora_marker": Column(_TILE, "the dora indicator"),
    "kyotaku": Column(pa.int32(), "riichi sticks on the table at the deal"),
    "tehais": Column(pa.list_(_TILES), "the hands dealt, or shown at a draw, by seat"),
    "scores": Column(_PER_SEAT, "points by seat"),
    "deltas": Column(_PER_SEAT, "what each seat gains"),
    "tsumo": Column(pa.bool_(), "whether the win is self-drawn; null if not known"),
    "ura_markers": Column(_TILES, "the ura dora indicators"),
    "hora_tehais": Column(_TILES, "the winning hand"),
    "yakus": Column(
        pa.list_(pa.struct([("name", pa.string()), ("fan", pa.int32())])), "the yaku and what each counts"
    ),
    "fu": Column(pa.int32(), "fu"),
    "fan": Column(pa.int32(), "han, faan or fan"),
    "hora_points": Column(_POINTS, "what the hand is worth, without sticks"),
    "pao": Column(_SEAT, "who is liable"),
    "reason": Column(TEXT, "why a round was drawn"),
    "tenpais": Column(pa.list_(pa.bool_()), "who is tenpai, by seat"),
    "names": Column(pa.list_(pa.string()), "the players' names, at the start of the game"),
    "id": Column(_SEAT, "the seat that the record was made at"),
    "kyoku_first": Column(pa.int32(), "a key of mjai-reviewer"),
    "aka_flag": Column(pa.bool_(), "whether there are red fives"),
    "uri": Column(pa.string(), "where the game was played"),
    "extras": Column(pa.string(), "keys beyond these, as JSON"),
}

_TEXT_PER_SEAT: Final = pa.list_(pa.string())
#: The facts of a match, by the names of `mjconv.archive.facts.Facts`.
FACTS: Final = pa.struct(
    [
        ("players", pa.int8()),
        ("rounds", pa.int32()),
        *((name, pa.string()) for name in ("format", "id")),
        ("date", pa.date32()),
        ("time", pa.time64("us")),
        *((name, pa.string()) for name in ("platform", "room")),
        ("lobby", pa.int32()),
        *((name, pa.string()) for name in ("season", "game", "length")),
        ("reds", pa.int32()),
        ("open_tanyao", pa.bool_()),
        ("start", pa.int32()),
        *((name, _TEXT_PER_SEAT) for name in ("names", "teams", "ranks")),
        ("ratings", pa.list_(pa.float64())),
        ("places", pa.list_(pa.int8())),
        *((name, _PER_SEAT) for name in ("points", "final_scores")),
        ("whole", pa.bool_()),
    ]
)
#: The columns beside an event.
BESIDE: Final = {
    "answers": Column(
        pa.list_(pa.struct([("seat", _SEAT), ("message", pa.string())])),
        "the answers to the event: the seat, null if not known, and the message as JSON",
    )
}
#: The columns about a match.
OF_MATCH: Final = {"facts": Column(FACTS, "the facts of the match, in its first row")}


def facts_row(facts: Facts) -> dict[str, Any]:
    """Return facts as a value of the column `facts`."""
    row: dict[str, Any] = msgspec.to_builtins(facts, builtin_types=(datetime.date, datetime.time))
    if "time" in row:
        row["time"] = row["time"].replace(tzinfo=None)
    return row


#: All columns, in order.
COLUMNS: Final = PLACE | SAID | BESIDE | OF_MATCH

SCHEMA: Final = pa.schema(
    [pa.field(name, column.type, metadata={"description": column.meaning}) for name, column in COLUMNS.items()]
)

#: The values of columns with a fixed dictionary, in the order of their codes.
FIXED: Final[dict[str, tuple[str, ...]]] = {
    "type": tuple(KINDS),
    "bakaze": WINDS,
    "pai": TILE_NAMES,
    "dora_marker": TILE_NAMES,
}
