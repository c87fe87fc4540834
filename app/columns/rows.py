"""Convert matches to Arrow record batches."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
import pyarrow as pa
from msgspec import UNSET

from mjconv.columns.schema import FIXED, SCHEMA
from mjconv.ir import events as ev
from mjconv.ir.match import Match
from mjconv.record import Record

#: The approximate number of rows of a batch.
BATCH_ROWS: Final = 1 << 16

_CODES: Final = {name: {value: code for code, value in enumerate(values)} for name, values in FIXED.items()}
_VALUES: Final = {name: pa.array(values, pa.string()) for name, values in FIXED.items()}
_KIND_CODES: Final = {kind: _CODES["type"][name] for name, kind in ev.KINDS.items()}
_EXTRAS: Final = msgspec.json.Encoder(decimal_format="number")
#: Values of the deal that are repeated in every row of the round.
_OF_DEAL: Final = ("bakaze", "kyoku", "honba", "oya")
#: The columns of each kind of event: attribute, column.
_FIELDS: Final = {
    kind: tuple(
        (name, key)
        for name, key in zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
        if name != "extras" and name not in _OF_DEAL
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
    """Columns under construction: for each, the rows that have a value, and the values."""

    def __init__(self) -> None:
        self.length = 0
        self.rows: dict[str, list[int]] = {name: [] for name in SCHEMA.names}
        self.values: dict[str, list[Any]] = {name: [] for name in SCHEMA.names}

    def add(self, match: Match, game: int, source: str | None) -> None:
        begin = self.length
        self._add_events(match.opening)
        names = [player.name.shown if player.name is not UNSET else "" for player in match.players]
        for row, event in enumerate(match.opening, begin):
            if type(event) is ev.StartGame and any(names):
                self._put("names", row, names)
                break
        for number, game_round in enumerate(match.rounds):
            first = self.length
            self._add_events(game_round.events)
            span = range(first, self.length)
            self._fill("round", span, number)
            self._fill("date", span, _day(game_round.date, match.date))
            start = game_round.start
            if start is not None:
                for name in _OF_DEAL:
                    self._fill(name, span, getattr(start, name))
        last = self.length
        self._add_events(match.closing)
        around = (*range(begin, begin + len(match.opening)), *range(last, self.length))
        self._fill("date", around, _day(match.date))
        whole = range(begin, self.length)
        self._fill("game", whole, game)
        if source is not None:
            self._fill("source", whole, source)

    def _add_events(self, events: Sequence[ev.Event]) -> None:
        turns: dict[int, int] = {}
        kinds, numbers = self.values["type"], self.values["event"]
        row = self.length
        for number, event in enumerate(events):
            kind = type(event)
            kinds.append(_KIND_CODES[kind])
            numbers.append(number)
            for name, column in _FIELDS[kind]:
                value = getattr(event, name)
                if value is not UNSET:
                    self.rows[column].append(row)
                    self.values[column].append(value)
            actor = getattr(event, "actor", UNSET)
            if actor is not UNSET:
                turn = turns.get(actor, 1)
                self._put("turn", row, turn)
                if kind is ev.Discard:
                    turns[actor] = turn + 1
            if event.extras is not UNSET:
                self._put("extras", row, _EXTRAS.encode(dict(event.extras)).decode())
            row += 1
        every = range(self.length, row)
        self.rows["type"].extend(every)
        self.rows["event"].extend(every)
        self.length = row

    def _put(self, column: str, row: int, value: Any) -> None:
        self.rows[column].append(row)
        self.values[column].append(value)

    def _fill(self, column: str, rows: Sequence[int], value: Any) -> None:
        if value is not UNSET:
            self.rows[column].extend(rows)
            self.values[column].extend([value] * len(rows))

    def batch(self) -> pa.RecordBatch:
        return pa.record_batch([self._array(field) for field in SCHEMA], schema=SCHEMA)

    def _array(self, field: pa.Field) -> pa.Array:
        name = field.name
        values: list[Any] = [None] * self.length
        codes = _CODES.get(name) if name != "type" else None
        for row, value in zip(self.rows[name], self.values[name], strict=True):
            values[row] = value if codes is None else codes[value]
        if name in _VALUES:
            return pa.DictionaryArray.from_arrays(pa.array(values, field.type.index_type), _VALUES[name])
        if pa.types.is_dictionary(field.type):
            return pa.array(values, field.type.value_type).dictionary_encode().cast(field.type)
        return pa.array(values, field.type)


def _day(*days: datetime.date | msgspec.UnsetType) -> datetime.date | msgspec.UnsetType:
    return next((day for day in days if day is not UNSET), UNSET)
