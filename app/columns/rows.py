"""Convert matches to Arrow record batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, repeat
from typing import Any, Final

import msgspec
import pyarrow as pa
from msgspec import UNSET

from mjconv.columns.schema import FIXED, SCHEMA
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.record import Record

#: The approximate number of rows of a batch.
BATCH_ROWS: Final = 1 << 16

#: The code of each value of the columns with a fixed dictionary. None has none.
_CODES: Final[dict[str, dict[str | None, int | None]]] = {
    name: {**{value: code for code, value in enumerate(values)}, None: None} for name, values in FIXED.items()
}
_VALUES: Final = {name: pa.array(values, pa.string()) for name, values in FIXED.items()}
_KINDS: Final = {kind: name for name, kind in ev.KINDS.items()}
_EXTRAS: Final = msgspec.json.Encoder(decimal_format="number")
#: Values of the deal that are repeated in every row of the round.
_OF_DEAL: Final = ("bakaze", "kyoku", "honba", "oya")
#: The columns that have one value for all rows of a part: of a round, or of the events around the rounds.
_OF_PARTS: Final = ("source", "game", "date", "round", *_OF_DEAL)
#: The columns that most rows have a value in. `_Columns` keeps an entry of theirs for each row.
_OF_ROWS: Final = ("event", "turn", "type", "actor", "pai", "tsumogiri")
#: The other columns of each kind of event: attribute, column.
_FIELDS: Final = {
    kind: tuple(
        (name, key)
        for name, key in zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
        if name != "extras" and key not in _OF_PARTS and key not in _OF_ROWS
    )
    for kind in ev.KINDS.values()
}


def record_batches(
    matches: Iterable[Match | Record], *, source: str | None = None, game: int = 0, rows: int = BATCH_ROWS
) -> Iterator[pa.RecordBatch]:
    """Return the events of matches as record batches of about `rows` rows; a match is never divided.

    The first match has the number `game`. `source` is the name of their file; without it, a `Record` has its own.

    >>> [batch] = record_batches([Match(opening=[ev.StartGame()], closing=[ev.EndGame()])])
    >>> batch.column("type").to_pylist()
    ['start_game', 'end_game']
    """
    columns = _Columns()
    for number, item in enumerate(matches, game):
        if isinstance(item, Record):
            columns.add(item.match, number, item.source if source is None else source)
        else:
            columns.add(item, number, source)
        if columns.length >= rows:
            yield columns.batch()
            columns = _Columns()
    if columns.length:
        yield columns.batch()


class _Columns:
    """Columns under construction.

    `lengths` has the number of rows of each part, `parts` one value of each part, `rows` one value of each row.
    `values` has the other values, each with the number of its row. None is no value.
    """

    def __init__(self) -> None:
        self.length = 0
        self.lengths: list[int] = []
        self.parts: dict[str, list[Any]] = {name: [] for name in _OF_PARTS}
        self.rows: dict[str, list[Any]] = {name: [] for name in _OF_ROWS}
        self.values: dict[str, list[tuple[int, Any]]] = {
            name: [] for name in SCHEMA.names if name not in self.parts and name not in self.rows
        }

    def add(self, match: Match, game: int, source: str | None) -> None:
        """Add the events of a match."""
        around = {"source": source, "game": game, "date": _known(match.date)}
        begin = self.length
        self._add_part(match.opening, around)
        names = [player.name.shown if player.name is not UNSET else "" for player in match.players]
        starts = (row for row, event in enumerate(match.opening, begin) if type(event) is ev.StartGame)
        if any(names) and (start := next(starts, None)) is not None:
            self.values["names"].append((start, names))
        for number, game_round in enumerate(match.rounds):
            self._add_part(game_round.events, around | _of_round(game_round, number))
        self._add_part(match.closing, around)

    def _add_part(self, events: Sequence[ev.Event], values: dict[str, Any]) -> None:
        """Add the events of a round, or around the rounds, with the values that all of them have."""
        if not events:
            return
        for name, column in self.parts.items():
            column.append(values.get(name))
        self.lengths.append(len(events))
        self._add_rows(events)
        self.rows["type"] += map(_KINDS.__getitem__, map(type, events))
        self.rows["event"] += range(len(events))
        self.length += len(events)

    def _add_rows(self, events: Sequence[Any]) -> None:
        """Add the values of each event."""
        add_turn, add_actor, add_tile, add_tsumogiri = (
            self.rows[name].append for name in ("turn", "actor", "pai", "tsumogiri")
        )
        turns: dict[int, int] = {}
        for row, event in enumerate(events, self.length):
            kind = type(event)
            turn: int | None
            tsumogiri = None
            # Six of seven events are draws and discards.
            if kind is ev.Draw:
                actor, tile = event.actor, event.pai
                turn = turns.get(actor, 1)
            elif kind is ev.Discard:
                actor, tile, tsumogiri = event.actor, event.pai, _known(event.tsumogiri)
                turn = turns.get(actor, 1)
                turns[actor] = turn + 1
            else:
                actor, tile = _known(getattr(event, "actor", None)), _known(getattr(event, "pai", None))
                turn = None if actor is None else turns.get(actor, 1)
                for name, column in _FIELDS[kind]:
                    value = getattr(event, name)
                    if value is not UNSET:
                        self.values[column].append((row, value))
            add_turn(turn)
            add_actor(actor)
            add_tile(tile)
            add_tsumogiri(tsumogiri)
            if event.extras is not UNSET:
                self.values["extras"].append((row, _EXTRAS.encode(dict(event.extras)).decode()))

    def batch(self) -> pa.RecordBatch:
        """Return the rows as a record batch."""
        parts = pa.array(list(chain.from_iterable(map(repeat, count(), self.lengths))), pa.int32())
        return pa.record_batch([self._column(field, parts) for field in SCHEMA], schema=SCHEMA)

    def _column(self, field: pa.Field, parts: pa.Array) -> pa.Array:
        """Return a column. `parts` has the number of the part of each row."""
        name = field.name
        if name in self.parts:
            return _array(field, self.parts[name]).take(parts)
        if name in self.rows:
            return _array(field, self.rows[name])
        if not self.values[name]:
            return _nulls(field, self.length)
        values: list[Any] = [None] * self.length
        for row, value in self.values[name]:
            values[row] = value
        return _array(field, values)


def _array(field: pa.Field, values: list[Any]) -> pa.Array:
    codes = _CODES.get(field.name)
    if codes is not None:
        indices = pa.array(list(map(codes.__getitem__, values)), field.type.index_type)
        return pa.DictionaryArray.from_arrays(indices, _VALUES[field.name])
    if pa.types.is_dictionary(field.type):
        return pa.array(values, field.type.value_type).dictionary_encode().cast(field.type)
    return pa.array(values, field.type)


def _nulls(field: pa.Field, length: int) -> pa.Array:
    if field.name in _VALUES:
        return pa.DictionaryArray.from_arrays(pa.nulls(length, field.type.index_type), _VALUES[field.name])
    return pa.nulls(length, field.type)


def _of_round(game_round: Round, number: int) -> dict[str, Any]:
    """Return the values that all rows of a round have, and a match does not have."""
    start = game_round.start
    values = {} if start is None else {name: _known(getattr(start, name)) for name in _OF_DEAL}
    if game_round.date is not UNSET:
        values["date"] = game_round.date
    return {"round": number, **values}


def _known(value: Any) -> Any:
    """Return a value, or None for a value that is absent."""
    return None if value is UNSET else value
