"""Collect the events of matches as columns, and convert these to Arrow record batches."""

import datetime
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, TypedDict

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import UNSET, Meta, Struct, field

from mjconv.archive.facts import Facts, facts_of
from mjconv.columns.derived import derived
from mjconv.columns.schema import DERIVED, FIXED, SCHEMA, TEXT, facts_row, python_type
from mjconv.converters.formats import find
from mjconv.converters.interface import Format
from mjconv.converters.shared.filled import filled
from mjconv.ir import events as ev
from mjconv.ir.answers import check_match
from mjconv.ir.match import Answer, Match
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
#: The type of numbers of rows.
_INDEX: Final = pa.int32()
_EXTRAS: Final = msgspec.json.Encoder(decimal_format="number")
#: Values of the deal that are repeated in every row of the round.
_OF_DEAL: Final = ("bakaze", "kyoku", "honba", "oya")
#: The columns that have one value for all rows of a part: of a round, or of the events around the rounds.
_OF_PARTS: Final = ("source", "game", "date", "round", *_OF_DEAL)
#: A row is one number of eight bytes: the codes of its kind, of its tile, of `tsumogiri` and of its actor take a
#: byte each, and the turn four. This is the number without a tile, `tsumogiri`, actor and turn. No turn is zero.
_ROW_BYTES: Final = 8
_NO_CODE: Final = -1
_NO_ACTOR: Final = -128
_OF_ROW: Final = {"type": 0, "pai": 1, "tsumogiri": 2, "actor": 3}


def _coded(**codes: int) -> int:
    """Return the part of a row that codes make, each of one byte."""
    return sum((code & 0xFF) << 8 * _OF_ROW[name] for name, code in codes.items())


_TURN: Final = 1 << 32
_KINDS: Final = {kind: _coded(type=FIXED["type"].index(name)) for name, kind in ev.KINDS.items()}
_TILES: Final[dict[str | None, int]] = {
    None: _coded(pai=_NO_CODE),
    **{name: _coded(pai=code) for code, name in enumerate(FIXED["pai"])},
}
_NO_TSUMOGIRI: Final = _coded(tsumogiri=_NO_CODE)
_DRAWN: Final = {tile: _KINDS[ev.Draw] + code + _NO_TSUMOGIRI for tile, code in _TILES.items()}
_DISCARDED: Final[dict[Any, int]] = {
    value: _KINDS[ev.Discard] + _coded(tsumogiri=code)
    for value, code in ((UNSET, _NO_CODE), (False, 0), (True, 1))
}
#: The other values of each kind of event: attribute, key. A key without a column is one of the extras.
_FIELDS: Final = {
    kind: tuple(
        (name, key)
        for name, key in zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
        if name != "extras" and key not in _OF_PARTS and key not in ("actor", "pai", "tsumogiri")
    )
    for kind in ev.KINDS.values()
}
#: What some records state where no ura dora counts: it is no yaku.
_NO_URA: Final = ("uradora", 0)
#: The acts beside draws and discards whose tile can be won.
_ROBBED: Final = (ev.Kakan, ev.Ankan)


class _Actors(dict[int | None, int]):
    """By actor, the part of a row that has the actor and its turn."""

    def __missing__(self, actor: int | None) -> int:
        if actor is None:
            self[actor] = _coded(actor=_NO_ACTOR)
        else:
            # Raises an error for a seat that has no code.
            [code] = actor.to_bytes(1, "little", signed=True)
            self[actor] = _coded(actor=code) + _TURN
        return self[actor]


if TYPE_CHECKING:
    _Values: TypeAlias = dict[str, list[Any]]
else:
    _LISTS = {name: list[python_type(name, kind)] for name, kind in _TYPES.items()}
    _Values = TypedDict("_Values", _LISTS, total=False)

_Int32: TypeAlias = Annotated[int, Meta(ge=-(1 << 31), lt=1 << 31)]


class RowsPart(Struct, array_like=True):
    """The number of rows of a round, or of the events around the rounds, and the values that all of them have."""

    length: int
    source: str | None
    game: int
    date: datetime.date | None
    round: _Int32 | None = None
    bakaze: str | None = None
    kyoku: _Int32 | None = None
    honba: _Int32 | None = None
    oya: Annotated[int, Meta(ge=-128, lt=128)] | None = None


class EventColumns(Struct, array_like=True):
    """The events of matches as columns, in a form that a worker can send and the next one can join.

    `rows` has the number of each row. `values` has the other values by column, and `places` the numbers of their
    rows, in ascending order.
    """

    rows: bytearray = field(default_factory=bytearray)
    parts: list[RowsPart] = field(default_factory=list)
    values: _Values = field(default_factory=dict)
    places: dict[str, list[int]] = field(default_factory=dict)

    @property
    def length(self) -> int:
        """The number of rows."""
        return len(self.rows) // _ROW_BYTES

    def join(self, other: "EventColumns", game: int) -> None:
        """Add the rows of others. `game` is the number of their first match; they count from 0."""
        begin = self.length
        self.rows += other.rows
        for part in other.parts:
            part.game += game
        self.parts += other.parts
        for name, values in other.values.items():
            self.values.setdefault(name, []).extend(values)
            self.places.setdefault(name, []).extend([begin + place for place in other.places[name]])

    def add(self, match: Match, facts: Facts, game: int, source: str | None, derive: Collection[str] = ()) -> None:
        """Add the events of a match whose values are filled. `derive` names derived columns."""
        begin = self.length
        day = _known(facts.date)
        self._add_part(match.opening, source, game, day)
        names = match.names
        starts = (row for row, event in enumerate(match.opening, begin) if type(event) is ev.StartGame)
        if any(names) and (start := next(starts, None)) is not None:
            # The row may have names already: the last value counts.
            self._add_value("names", start, names)
        for number, game_round in enumerate(match.rounds):
            if game_round.answers and game_round.events:
                self._add_answers(game_round.answers)
            if derive and facts.game == "riichi":
                for index, column, value in derived(game_round.events, match.seats, derive):
                    self._add_value(column, self.length + index, value)
            deal = game_round.start
            of_deal = [] if deal is None else [_known(getattr(deal, name)) for name in _OF_DEAL]
            date = day if game_round.date is UNSET else game_round.date
            self._add_part(game_round.events, source, game, date, number, *of_deal)
        self._add_part(match.closing, source, game, day)
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

    def _add_part(self, events: Sequence[Any], *values: Any) -> None:
        """Add the events of a round, or around the rounds. `values` are those of `RowsPart` after the length."""
        if not events:
            return
        self.parts.append(RowsPart(len(events), *values))
        rows = array("Q")
        actors = _Actors()
        last: str | None = None
        for row, event in enumerate(events, self.length):
            kind = type(event)
            # Six of seven events are draws and discards.
            if kind is ev.Draw:
                last = event.pai
                rows.append(actors[event.actor] + _DRAWN[last])
            elif kind is ev.Discard:
                last = event.pai
                actor = actors[event.actor]
                actors[event.actor] = actor + _TURN
                rows.append(actor + _DISCARDED[event.tsumogiri] + _TILES[last])
            else:
                tile = self._add_fields(event, row, last)
                if kind in _ROBBED:
                    last = tile or event.consumed[0]
                actor = actors[_known(getattr(event, "actor", None))]
                rows.append(actor + _KINDS[kind] + _TILES[tile] + _NO_TSUMOGIRI)
                continue
            if event.extras is not UNSET:
                self._add_extras(row, event.extras)
        self.rows += rows.tobytes()

    def _add_fields(self, event: Any, row: int, last: str | None) -> str | None:
        """Add the values of an event other than a draw or a discard. Return its tile; `last` is the one before."""
        kind, rest = type(event), {}
        for name, column in _FIELDS[kind]:
            value = getattr(event, name)
            if column == "yakus" and value:
                value = [{"name": yaku, "fan": fan} for yaku, fan in value if (yaku, fan) != _NO_URA]
            if value is not UNSET and column in _TYPES:
                self._add_value(column, row, value)
            elif value is not UNSET:
                rest[column] = value
        if rest or event.extras is not UNSET:
            self._add_extras(row, rest | dict(event.extras or {}))
        tile: str | None = _known(getattr(event, "pai", None))
        if kind is ev.Win:
            tile = tile or (last if last != HIDDEN else None)
            if event.tsumo is UNSET and event.target is not UNSET:
                self._add_value("tsumo", row, event.target == event.actor)
        return tile

    def _add_extras(self, row: int, extras: Mapping[str, Any]) -> None:
        self._add_value("extras", row, _EXTRAS.encode(dict(extras)).decode())

    def _add_value(self, column: str, row: int, value: Any) -> None:
        self.values.setdefault(column, []).append(value)
        self.places.setdefault(column, []).append(row)

    def encoded(self) -> bytes:
        """Return the columns as bytes, for `decoded`. Raises an error for a value that a column cannot hold."""
        data = msgspec.msgpack.encode(self)
        # Decoding checks the types of all values, ten times as fast as Arrow converts them.
        decoded(data)
        return data

    def batch(self, schema: pa.Schema = SCHEMA) -> pa.RecordBatch:
        """Return the rows as a record batch."""
        length = self.length
        lengths = [part.length for part in self.parts]
        numbers = memoryview(array("i", range(max(lengths, default=0))))
        runs = (array("i", [number]) * length for number, length in enumerate(lengths))
        parts = _of_bytes(_INDEX, b"".join(runs))
        turns = _of_bytes(pa.int32(), memoryview(self.rows).cast("i")[1::2].tobytes())
        columns = {
            "event": _of_bytes(_INDEX, b"".join([numbers[:length] for length in lengths])),
            "type": pa.DictionaryArray.from_arrays(self._codes("type"), _VALUES["type"]),
            "pai": pa.DictionaryArray.from_arrays(_without(self._codes("pai"), _NO_CODE), _VALUES["pai"]),
            "tsumogiri": _without(self._codes("tsumogiri"), _NO_CODE).cast(pa.bool_()),
            "actor": _without(self._codes("actor"), _NO_ACTOR),
            "turn": _without(turns, 0),
        }
        for name in _OF_PARTS:
            columns[name] = _array(name, [getattr(part, name) for part in self.parts]).take(parts)
        for name in (one for one in schema.names if one not in columns):
            values, places = self.values.get(name, []), self.places.get(name, [])
            columns[name] = _spread(_array(name, values), places, length)
        return pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)

    def _codes(self, name: str) -> pa.Array:
        return _of_bytes(pa.int8(), bytes(self.rows[_OF_ROW[name] :: _ROW_BYTES]))


decoded: Final = msgspec.msgpack.Decoder(EventColumns).decode


def collected(
    matches: Iterable[Match | Record],
    *,
    source: str | None = None,
    form: Format | None = None,
    derive: Collection[str] = (),
    folder_of: Callable[[Facts], str] = lambda _: "",
) -> Iterator[tuple[str, EventColumns]]:
    """Yield the events of matches as columns of about `BATCH_ROWS` rows, with the folder of their matches.

    A match is never divided. Values that a record leaves out and that follow from it are filled. `source` is the
    name of their file; without it, a `Record` has its own. `form` is their format, if it is known; a `Record` has
    its own. `derive` names derived columns. Raises `UnsupportedError` as `check_match` does.
    """
    columns, folder = EventColumns(), ""
    for number, item in enumerate(matches):
        record = item if isinstance(item, Record) else Record("", 0, item)
        name = record.source if source is None and record is item else source
        check_match(record.match)
        match = filled(record.match)
        facts = facts_of(match, form if record.format is None else find(record.format)[0], name)
        before, folder = folder, folder_of(facts)
        if columns.length and before != folder:
            yield before, columns
            columns = EventColumns()
        columns.add(match, facts, number, name, derive)
        if columns.length >= BATCH_ROWS:
            yield folder, columns
            columns = EventColumns()
    if columns.length:
        yield folder, columns


def record_batches(
    matches: Iterable[Match | Record], *, source: str | None = None, schema: pa.Schema = SCHEMA
) -> Iterator[pa.RecordBatch]:
    """Return the events of matches as record batches, as `collected` does.

    `schema` has the columns of `SCHEMA`, and derived ones.

    >>> [batch] = record_batches([Match(opening=[ev.StartGame()], closing=[ev.EndGame()])])
    >>> batch.column("type").to_pylist()
    ['start_game', 'end_game']
    """
    derive = frozenset(DERIVED).intersection(schema.names)
    for _, columns in collected(matches, source=source, derive=derive):
        yield columns.batch(schema)


def _without(values: pa.Array, none: int) -> pa.Array:
    """Return numbers, with a null for each one that is `none`."""
    valid = pc.not_equal(values, none).buffers()[1]
    return pa.Array.from_buffers(values.type, len(values), [valid, values.buffers()[1]])


def _of_bytes(kind: pa.DataType, data: bytes) -> pa.Array:
    """Return an array of integers without a null."""
    return pa.Array.from_buffers(kind, len(data) * 8 // kind.bit_width, [None, pa.py_buffer(data)])


def _spread(values: pa.Array, places: Iterable[int], length: int) -> pa.Array:
    """Return an array of this length with values at their places, and null at all other places.

    >>> _spread(pa.array([7, None]), [1, 3], 5).to_pylist()
    [None, 7, None, None, None]
    """
    if len(values) == 0 and not pa.types.is_dictionary(values.type):
        return pa.nulls(length, values.type)
    rows = array("i", [-1]) * length
    for number, place in enumerate(places):
        rows[place] = number
    return values.take(_without(_of_bytes(_INDEX, rows.tobytes()), -1))


def _array(name: str, values: list[Any]) -> pa.Array:
    kind, codes = _TYPES[name], _CODES.get(name)
    if codes is not None:
        indices = pa.array(list(map(codes.__getitem__, values)), kind.index_type)
        return pa.DictionaryArray.from_arrays(indices, _VALUES[name])
    if kind == TEXT:
        return pa.array(values, kind.value_type).dictionary_encode()
    return pa.array(values, kind)


def _known(value: Any) -> Any:
    """Return a value, or None for a value that is absent."""
    return None if value is UNSET else value
