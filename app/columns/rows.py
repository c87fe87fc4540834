"""Convert matches to Arrow record batches."""

import sys
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec
import pyarrow as pa
from msgspec import UNSET, structs

from mjconv.archive.facts import facts_of
from mjconv.columns.derived import derived
from mjconv.columns.schema import DERIVED, FIXED, SCHEMA, TEXT, facts_row
from mjconv.converters.formats import find
from mjconv.converters.interface import Format
from mjconv.converters.shared.filled import filled
from mjconv.ir import events as ev
from mjconv.ir.answers import check_match
from mjconv.ir.match import Answer, Match, Round
from mjconv.ir.tiles import HIDDEN
from mjconv.source import Record

#: The approximate number of rows of a batch.
BATCH_ROWS: Final = 1 << 16

#: The code of each value of the columns with a fixed dictionary. None has none.
_CODES: Final[dict[str, dict[str | None, int | None]]] = {
    name: {**{value: code for code, value in enumerate(values)}, None: None} for name, values in FIXED.items()
}
_VALUES: Final = {name: pa.array(values, pa.string()) for name, values in FIXED.items()}
_TYPES: Final = {field.name: field.type for field in SCHEMA} | {name: one.type for name, one in DERIVED.items()}
#: The type of numbers of rows and of offsets in lists, and its size in bytes.
_INDEX: Final = pa.int32()
_INDEX_BYTES: Final = 4
#: The code of each kind of event in the column `type`.
_KINDS: Final = {kind: FIXED["type"].index(name) for name, kind in ev.KINDS.items()}
#: The first numbers, as `_numbers` returns them: a round rarely has more events.
_MANY: Final = 1 << 9
_FIRST: Final = array("i", range(_MANY)).tobytes()
_EXTRAS: Final = msgspec.json.Encoder(decimal_format="number")
#: Values of the deal that are repeated in every row of the round.
_OF_DEAL: Final = ("bakaze", "kyoku", "honba", "oya")
#: The columns that have one value for all rows of a part: of a round, or of the events around the rounds.
_OF_PARTS: Final = ("source", "game", "date", "round", *_OF_DEAL)
#: The columns that draws and discards have a value in. `_EventColumns` keeps one for each row.
_OF_MOVES: Final = ("actor", "pai", "tsumogiri", "turn")
#: The other values of each kind of event: attribute, key. A key without a column is one of the extras.
_FIELDS: Final = {
    kind: tuple(
        (name, key)
        for name, key in zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
        if name != "extras" and key not in _OF_PARTS and key not in _OF_MOVES
    )
    for kind in ev.KINDS.values()
}
#: What some records state where no ura dora counts: it is no yaku.
_NO_URA: Final = ("uradora", 0)
#: The acts beside draws and discards whose tile can be won.
_ROBBED: Final = (ev.Kakan, ev.Ankan)


def record_batches(
    matches: Iterable[Match | Record],
    *,
    source: str | None = None,
    form: Format | None = None,
    game: int = 0,
    rows: int = BATCH_ROWS,
    schema: pa.Schema = SCHEMA,
) -> Iterator[pa.RecordBatch]:
    """Return the events of matches as record batches of about `rows` rows; a match is never divided.

    Values that a record leaves out and that follow from it are filled. The first match has the number `game`.
    `source` is the name of their file; without it, a `Record` has its own. `form` is their format, if it is known;
    a `Record` has its own. `schema` has the columns of `SCHEMA`, and derived ones.

    >>> [batch] = record_batches([Match(opening=[ev.StartGame()], closing=[ev.EndGame()])])
    >>> batch.column("type").to_pylist()
    ['start_game', 'end_game']
    """
    columns = _EventColumns(schema)
    for number, item in enumerate(matches, game):
        if isinstance(item, Record):
            known = form if item.format is None else find(item.format)[0]
            columns.add(item.match, number, item.source if source is None else source, known)
        else:
            columns.add(item, number, source, form)
        if columns.length >= rows:
            yield columns.batch()
            columns = _EventColumns(schema)
    if columns.length:
        yield columns.batch()


class _EventColumns:
    """Columns under construction.

    `lengths` has the number of rows of each part, and `parts` one value of each part. `kinds` has the code of the
    kind of each row, and `rows` one value of each row. `values` has the other values, and `places` the numbers of
    their rows, in ascending order. None is no value.
    """

    def __init__(self, schema: pa.Schema) -> None:
        self.schema = schema
        self.derive = frozenset(DERIVED).intersection(schema.names)
        self.length = 0
        self.lengths: list[int] = []
        self.parts: dict[str, list[Any]] = {name: [] for name in _OF_PARTS}
        self.rows: dict[str, list[Any]] = {name: [] for name in _OF_MOVES}
        self.kinds = bytearray()
        self.values: defaultdict[str, list[Any]] = defaultdict(list)
        self.places: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, match: Match, game: int, source: str | None, form: Format | None) -> None:
        """Add the events of a match. Raises `UnsupportedError` as `check_match` does."""
        check_match(match)
        match = filled(match)
        facts = facts_of(match, form, source)
        around = {"source": source, "game": game, "date": _known(facts.date)}
        begin = self.length
        self._add_part(match.opening, around)
        names = [player.name.shown if player.name is not UNSET else "" for player in match.players]
        starts = (row for row, event in enumerate(match.opening, begin) if type(event) is ev.StartGame)
        if any(names) and (start := next(starts, None)) is not None:
            values, places = self.values["names"], self.places["names"]
            # The opening may have names already, before and after this row.
            index = bisect_left(places, start)
            end = index + (places[index : index + 1] == [start])
            values[index:end], places[index:end] = [names], [start]
        for number, game_round in enumerate(match.rounds):
            if game_round.answers and game_round.events:
                self._add_answers(game_round.answers)
            if self.derive and facts.game == "riichi":
                for index, column, value in derived(game_round.events, match.seats, self.derive):
                    self._add_value(column, self.length + index, value)
            self._add_part(game_round.events, around | _of_round(game_round, number))
        self._add_part(match.closing, around)
        if self.length > begin:
            self._add_value("facts", begin, facts_row(facts))

    def _add_answers(self, answers: Sequence[Answer]) -> None:
        """Add the answers of a round in the row of the event before them, before the events of the round."""
        of_rows: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
        for answer in answers:
            message = _EXTRAS.encode(ev.to_message(answer.message)).decode()
            row = self.length + max(answer.index - 1, 0)
            of_rows[row].append({"seat": _known(answer.seat), "message": message})
        for row, of_row in of_rows.items():
            self._add_value("answers", row, of_row)

    def _add_part(self, events: Sequence[ev.Event], values: dict[str, Any]) -> None:
        """Add the events of a round, or around the rounds, with the values that all of them have."""
        if not events:
            return
        for name, column in self.parts.items():
            column.append(values.get(name))
        self.lengths.append(len(events))
        self.kinds += bytes(map(_KINDS.__getitem__, map(type, events)))
        for name, moved in zip(_OF_MOVES, zip(*self._moves(events), strict=True), strict=True):
            self.rows[name] += moved
        self.length += len(events)

    def _moves(self, events: Sequence[Any]) -> Iterator[tuple[int | None, str | None, bool | None, int | None]]:
        """Yield the values of `_OF_MOVES` of each event, and add its other values."""
        turns: defaultdict[int, int] = defaultdict(lambda: 1)
        last: str | None = None
        for row, event in enumerate(events, self.length):
            kind = type(event)
            # Six of seven events are draws and discards.
            if kind is ev.Draw:
                actor, last = event.actor, event.pai
                yield actor, last, None, turns[actor]
            elif kind is ev.Discard:
                actor, last, tsumogiri = event.actor, event.pai, event.tsumogiri
                turn = turns[actor]
                turns[actor] = turn + 1
                yield actor, last, None if tsumogiri is UNSET else tsumogiri, turn
            else:
                actor = _known(getattr(event, "actor", None))
                rest: dict[str, Any] = {}
                for name, column in _FIELDS[kind]:
                    value = getattr(event, name)
                    if column == "yakus" and value:
                        value = [yaku for yaku in value if tuple(yaku) != _NO_URA]
                    if value is not UNSET and column in _TYPES:
                        self._add_value(column, row, value)
                    elif value is not UNSET:
                        rest[column] = value
                if rest:
                    event = structs.replace(event, extras={**rest, **(event.extras or {})})
                tile = _known(getattr(event, "pai", None))
                if kind is ev.Win:
                    tile = tile or (last if last != HIDDEN else None)
                    if event.tsumo is UNSET and event.target is not UNSET:
                        self._add_value("tsumo", row, event.target == event.actor)
                elif kind in _ROBBED:
                    last = tile or event.consumed[0]
                yield actor, tile, None, None if actor is None else turns[actor]
            if event.extras is not UNSET:
                self._add_value("extras", row, _EXTRAS.encode(dict(event.extras)).decode())

    def _add_value(self, column: str, row: int, value: Any) -> None:
        self.values[column].append(value)
        self.places[column].append(row)

    def batch(self) -> pa.RecordBatch:
        """Return the rows as a record batch."""
        columns = {name: _array(name, values) for name, values in self.rows.items()}
        columns["type"] = pa.DictionaryArray.from_arrays(_of_bytes(pa.int8(), self.kinds), _VALUES["type"])
        columns["event"] = _of_bytes(pa.int32(), b"".join(map(_numbers, self.lengths)))
        parts = _of_bytes(_INDEX, _runs(range(len(self.lengths)), self.lengths))
        for name, values in self.parts.items():
            if values.count(None) < len(values):
                columns[name] = _array(name, values).take(parts)
        for name, places in self.places.items():
            columns[name] = _scattered(_array(name, self.values[name]), places, self.length)
        arrays = [columns[name] if name in columns else _nulls(name, self.length) for name in self.schema.names]
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)


def _of_bytes(kind: pa.DataType, data: bytes | bytearray) -> pa.Array:
    """Return an array of integers without a null."""
    return pa.Array.from_buffers(kind, len(data) * 8 // kind.bit_width, [None, pa.py_buffer(data)])


def _numbers(length: int) -> bytes:
    """Return the numbers from 0 as the bytes of an array of 32-bit integers."""
    return _FIRST[: _INDEX_BYTES * length] if length <= _MANY else array("i", range(length)).tobytes()


def _runs(numbers: Iterable[int], lengths: Iterable[int]) -> bytes:
    """Return numbers, each as often as its length, as the bytes of an array of `_INDEX`."""
    return b"".join(
        number.to_bytes(_INDEX_BYTES, sys.byteorder) * length
        for number, length in zip(numbers, lengths, strict=True)
    )


def _scattered(values: pa.Array, places: Sequence[int], length: int) -> pa.Array:
    """Return an array of this length with values at ascending places, and null at all other places.

    >>> _scattered(pa.array([7, None]), [1, 3], 5).to_pylist()
    [None, 7, None, None, None]
    >>> _scattered(pa.array([["a"], ["b", "c"]]), [1, 3], 5).to_pylist()
    [None, ['a'], None, ['b', 'c'], None]
    """
    kind = values.type
    if pa.types.is_dictionary(kind):
        return pa.DictionaryArray.from_arrays(_scattered(values.indices, places, length), values.dictionary)
    if values.null_count or not (pa.types.is_list(kind) or pa.types.is_integer(kind)):
        index: list[int | None] = [None] * length
        for number, place in enumerate(places):
            index[place] = number
        return values.take(pa.array(index, _INDEX))
    # To copy bytes takes a third of the time of `take`.
    valid = bytearray(-(-length // 8))
    for place in places:
        valid[place >> 3] |= 1 << (place & 7)
    if pa.types.is_list(kind):
        # A null begins and ends where the list before it ends.
        offsets = _runs(
            values.offsets.to_pylist(), (end - begin for begin, end in pairwise((-1, *places, length)))
        )
        buffers = [pa.py_buffer(valid), pa.py_buffer(offsets)]
        return pa.Array.from_buffers(kind, length, buffers, children=[values.values])
    width = kind.bit_width // 8
    raw, data = values.buffers()[1].to_pybytes(), bytearray(length * width)
    for number, place in enumerate(places):
        data[place * width : (place + 1) * width] = raw[number * width : (number + 1) * width]
    return pa.Array.from_buffers(kind, length, [pa.py_buffer(valid), pa.py_buffer(data)])


def _array(name: str, values: list[Any]) -> pa.Array:
    kind, codes = _TYPES[name], _CODES.get(name)
    if codes is not None:
        indices = pa.array(list(map(codes.__getitem__, values)), kind.index_type)
        return pa.DictionaryArray.from_arrays(indices, _VALUES[name])
    if kind == TEXT:
        return pa.array(values, kind.value_type).dictionary_encode()
    return pa.array(values, kind)


def _nulls(name: str, length: int) -> pa.Array:
    if name in _VALUES:
        return pa.DictionaryArray.from_arrays(pa.nulls(length, _TYPES[name].index_type), _VALUES[name])
    return pa.nulls(length, _TYPES[name])


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
