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


_TEXT: Final = pa.string()
_COUNT: Final = pa.int32()
_GAME: Final = {"game": Column(pa.int64(), "the number of the match, from 0")}
_ROUND: Final = _GAME | {name: PLACE[name] for name in ("round",)}
#: The name of the table with a row an event.
EVENTS: Final = "events"
#: The columns of the tables that are made from events.
TABLE_COLUMNS: Final[dict[str, dict[str, Column]]] = {
    "games": _GAME
    | {
        "source": Column(_TEXT, "the file or archive member it came from"),
        "date": Column(pa.date32(), "the day it was played"),
        "time": Column(pa.time64("us"), "the time of the day"),
        "players": Column(pa.int8(), "the number of players"),
        "rounds": Column(_COUNT, "the number of rounds"),
        "format": Column(_TEXT, "the format of the record"),
        "id": Column(_TEXT, "the identifier on the platform"),
        "platform": Column(_TEXT, "where it was played"),
        "room": Column(_TEXT, "the room of the platform"),
        "lobby": Column(_COUNT, "the private lobby"),
        "season": Column(_TEXT, "year and stage of the tournament"),
        "rules": Column(_TEXT, "riichi, hongkong, mcr ..."),
        "length": Column(_TEXT, "east, south ..."),
        "reds": Column(_COUNT, "the number of red fives"),
        "open_tanyao": Column(pa.bool_(), "whether an open hand may count tanyao"),
        "start": Column(_COUNT, "points of one player at the start"),
        "whole": Column(pa.bool_(), "false if the record begins late or a round has no result"),
    },
    "seats": _GAME
    | {
        "seat": Column(_SEAT, "the seat, from 0"),
        "name": Column(_TEXT, "the player's name"),
        "team": Column(_TEXT, "the player's team"),
        "rank": Column(_TEXT, "the player's rank"),
        "rating": Column(pa.float64(), "the player's rating"),
        "place": Column(pa.int8(), "the place at the end, from 1"),
        "points": Column(_POINTS, "points at the table at the end"),
        "final_score": Column(_POINTS, "the score after oka and uma"),
    },
    "rounds": _ROUND
    | {
        "seat": Column(_SEAT, "the seat, from 0"),
        "bakaze": Column(_TEXT, "the round wind"),
        "kyoku": Column(_COUNT, "the number of the round in that wind, from 1"),
        "honba": Column(_COUNT, "the counters"),
        "kyotaku": Column(_COUNT, "riichi sticks on the table at the deal"),
        "dealer": Column(pa.bool_(), "whether the player deals"),
        "points_before": Column(_POINTS, "points at the deal"),
        "place_before": Column(pa.int8(), "the place by them; of equal points, the lower seat is before"),
        "riichi_turn": Column(_COUNT, "the turn of the riichi; null without riichi"),
        "first_riichi": Column(pa.bool_(), "whether it is the first riichi of the round"),
        "calls": Column(_COUNT, "the number of open calls"),
        "first_call_turn": Column(_COUNT, "the turn of the first of them"),
        "won": Column(pa.bool_(), "whether the player won"),
        "tsumo": Column(pa.bool_(), "whether the win is self-drawn; null without a win"),
        "win_turn": Column(_COUNT, "the turn of the win"),
        "value": Column(_POINTS, "what the hand is worth, without sticks where the record states it so"),
        "dora": Column(_COUNT, "dora of the hand that won; null where the record has no yaku"),
        "dealt_in": Column(pa.bool_(), "whether another player won with the player's tile"),
        "lost": Column(_POINTS, "what the hands that won are worth, if all of them are known"),
        "exhausted": Column(pa.bool_(), "whether the round was drawn with an empty wall"),
        "reason": Column(_TEXT, "why the round was drawn"),
        "tenpai": Column(pa.bool_(), "whether the player was tenpai then; null if not known"),
        "delta": Column(_POINTS, "points that the player gains in the round, the riichi stick included"),
        "points_after": Column(_POINTS, "points after the round"),
        "place_after": Column(pa.int8(), "the place by them"),
    },
}


def facts_row(facts: Facts) -> dict[str, Any]:
    """Return facts as a value of the column `facts`."""
    row: dict[str, Any] = msgspec.to_builtins(facts, builtin_types=(datetime.date, datetime.time))
    if "time" in row:
        row["time"] = row["time"].replace(tzinfo=None)
    return row


#: All columns, in order.
COLUMNS: Final = PLACE | SAID | BESIDE | OF_MATCH

#: Goes up when a column of a table gets another type or meaning, or is gone.
TABLE_VERSION: Final = 2


def schema_of(columns: dict[str, Column]) -> pa.Schema:
    """Return the Arrow schema of columns, with the version of the tables."""
    fields = (pa.field(name, one.type, metadata={"description": one.meaning}) for name, one in columns.items())
    return pa.schema(fields, metadata={"mjconv_tables": str(TABLE_VERSION)})


SCHEMA: Final = schema_of(COLUMNS)

#: The values of columns with a fixed dictionary, in the order of their codes.
FIXED: Final[dict[str, tuple[str, ...]]] = {
    "type": tuple(KINDS),
    "bakaze": WINDS,
    "pai": TILE_NAMES,
    "dora_marker": TILE_NAMES,
}
