"""The columns: their names, types and meanings. Loading this module loads pyarrow."""

import datetime
from typing import Annotated, Any, Final, Literal, NamedTuple, TypedDict

import msgspec
import pyarrow as pa

from mjconv.archive.facts import Facts
from mjconv.columns.names import CATALOGUE, derived_names
from mjconv.ir.events import KINDS
from mjconv.ir.tiles import ORDER, WINDS

#: The names of tiles, in the order of their codes.
TILE_NAMES: Final = tuple(ORDER)

#: Columns of texts that often repeat.
TEXT: Final = pa.dictionary(pa.int32(), pa.string())
#: The types of columns, by their names in the catalogue.
_TYPES: Final = {
    "string": pa.string(),
    "string, by code": TEXT,
    "name, by code": pa.dictionary(pa.int8(), pa.string()),
    "int8": pa.int8(),
    "int16": pa.int16(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "double": pa.float64(),
    "bool": pa.bool_(),
    "bytes": pa.binary(),
    "date": pa.date32(),
    "time": pa.time64("us"),
    "list of string": pa.list_(pa.string()),
    "list of list of string": pa.list_(pa.list_(pa.string())),
    "list of int32": pa.list_(pa.int32()),
    "list of bool": pa.list_(pa.bool_()),
    "list of name and fan": pa.list_(pa.struct([("name", pa.string()), ("fan", pa.int32())])),
    "list of seat and message": pa.list_(pa.struct([("seat", pa.int8()), ("message", pa.string())])),
}
#: The facts by seat, with their columns in the table of seats.
FACTS_BY_SEAT: Final = {
    "names": "name",
    "teams": "team",
    "ranks": "rank",
    "ratings": "rating",
    "places": "place",
    "points": "points",
    "final_scores": "final_score",
}


def _fact(name: str) -> pa.DataType:
    """Return the type of a fact: that of a column of games, or a list of the type of a column of seats."""
    if name in FACTS_BY_SEAT:
        return pa.list_(_TYPES[CATALOGUE["seats"][FACTS_BY_SEAT[name]][0]])
    return _TYPES[CATALOGUE["games"]["rules" if name == "game" else name][0]]


#: The facts of a match, by the names of `mjconv.archive.facts.Facts`.
FACTS: Final = pa.struct([(name, _fact(name)) for name in Facts.__struct_fields__])
_TYPES["facts"] = FACTS


class Column(NamedTuple):
    """A column: its Arrow type and a one-line description."""

    type: pa.DataType
    meaning: str


_COLUMNS: Final = {
    table: {name: Column(_TYPES[kind], meaning) for name, (kind, meaning) in columns.items()}
    for table, columns in CATALOGUE.items()
}
#: The columns of events: the place of a row, the keys of its message, the answers, and the facts of the match.
PLACE, SAID, BESIDE, OF_MATCH = (_COLUMNS.pop(name) for name in ("place", "said", "beside", "of_match"))
#: The columns that ``--derive`` adds to those of events.
DERIVED: Final = _COLUMNS.pop("derived")
#: The columns of decisions. How many bytes two of them have depends on the number of players.
DECISIONS: Final = _COLUMNS.pop("decisions")
#: The columns of the tables that are made from events.
TABLE_COLUMNS: Final = _COLUMNS


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


def schema_with(derive: str | None) -> pa.Schema:
    """Return the schema of events with the derived columns that a text names, as ``shanten,waits``.

    Raises as `derived_names` does.

    >>> schema_with("left").names[-2:]
    ['facts', 'left']
    """
    names = derived_names(derive)
    return schema_of(COLUMNS | {name: DERIVED[name] for name in names}) if names else SCHEMA


#: The values of columns with a fixed dictionary, in the order of their codes.
FIXED: Final[dict[str, tuple[str, ...]]] = {
    "type": tuple(KINDS),
    "bakaze": WINDS,
    "pai": TILE_NAMES,
    "dora_marker": TILE_NAMES,
}

#: The types of Python that msgspec writes as texts.
_TIMES: Final = {pa.date32(): datetime.date, pa.time64("us"): datetime.time}
#: Makes a type of dictionaries while mjconv runs: type checkers know no such call.
_MAKE_TYPE: Final[Any] = TypedDict


def python_type(name: str, kind: pa.DataType) -> Any:
    """Return the type of Python that has the values of a column of this type, for msgspec to check.

    A text or a float needs no check: a column holds each one that msgspec can write.

    >>> msgspec.convert([[127], None], list[python_type("seats", pa.list_(pa.int8()))])
    [[127], None]
    """
    if name in FIXED:
        return Literal[FIXED[name]] | None
    if pa.types.is_list(kind):
        return list[python_type(name, kind.value_type)] | None  # type: ignore[misc]
    if pa.types.is_struct(kind):
        return _MAKE_TYPE(name, {one.name: python_type(one.name, one.type) for one in kind}, total=False) | None
    if pa.types.is_integer(kind):
        most = 1 << kind.bit_width - 1
        return Annotated[int, msgspec.Meta(ge=-most, le=most - 1)] | None
    return _TIMES.get(kind, Any) | None
