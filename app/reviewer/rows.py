"""The rows of a review, one for each decision of a player, in memory and in files."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, Literal, TypeAlias, get_args, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, astuple

from mjconv.files.address import redacted
from mjconv.files.compression import ending_of
from mjconv.files.reading import read_bytes
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, UsageError, printable

#: The kind of a decision: that of the action that the player took.
Kind: TypeAlias = Literal["discard", "riichi", "call", "kan", "win", "pass"]
AnswerFault: TypeAlias = Literal["illegal", "late", "broken"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
FAULTS: Final[tuple[AnswerFault, ...]] = get_args(AnswerFault)
#: The kind of a decision, by that of the event by which the player acted.
KIND_OF: Final[dict[type, Kind]] = {
    ev.Discard: "discard",
    ev.Riichi: "riichi",
    **dict.fromkeys((ev.Chi, ev.Pon), "call"),
    **dict.fromkeys((ev.Daiminkan, ev.Kakan, ev.Ankan, ev.Nukidora), "kan"),
    **dict.fromkeys((ev.Win, ev.Ryukyoku), "win"),
    ev.Pass: "pass",
}
#: The number of rows of a row group.
_GROUP: Final = 1 << 16
_PIECE: Final = 1 << 20


class ReviewRow(Struct, frozen=True, kw_only=True):
    """A decision of a player, and the answer of the bot in the player's place.

    A message that opens no decision has a row if the answer to it has a fault.

    | field | meaning |
    | --- | --- |
    | `source` | the file or archive member; None in Python |
    | `place` | the line and column of the decision in it, ``12:1``, if the answer has a fault |
    | `match` | the number of the match in it, from 0 |
    | `round` | the number of the round in the match, from 0 |
    | `label` | the name of the round, such as ``E1-0`` |
    | `event` | the number of events of the round before the decision |
    | `seat` | the player |
    | `kind` | the kind of `taken`: ``discard``, ``riichi``, ``call``, ``kan``, ``win`` or ``pass`` |
    | `taken` | the action of the player, an mjai message in JSON; None if a claim lost, or the record breaks off |
    | `answered` | the answer of the bot, likewise; None if there is none |
    | `same` | whether both are the same, never with a `fault`; None without `taken` |
    | `legal` | whether the rules allow the answer |
    | `choices` | the number of actions that the rules allow; 0 without a decision |
    | `seconds` | the time of the answer |
    | `values` | the other keys of the answer, such as ``meta``, in JSON |
    | `fault` | ``illegal``, ``late`` (no answer in time), ``broken`` (no message, or the bot ended), or None |
    | `problem` | the fault in words |
    """

    source: str | None = None
    place: str | None = None
    match: int = 0
    round: int
    label: str
    event: int
    seat: int
    kind: Kind | None = None
    taken: str | None = None
    answered: str | None = None
    same: bool | None = None
    legal: bool | None = None
    choices: int
    seconds: float
    values: str | None = None
    fault: AnswerFault | None = None
    problem: str | None = None

    @property
    def shown(self) -> str:
        """The decision in words, safe for a terminal. Its match counts from 1, as in all messages."""
        file = "".join(f"{part}:" for part in (self.source, self.place) if part is not None) + " "
        number = f"match {self.match + 1}, " if self.match else ""
        return printable(f"{file}{number}{self.label}, event {self.event}, seat {self.seat}".lstrip())


class Lost(Struct, frozen=True):
    """A game that a bot did not play to its end.

    `reason` says why. `source` is the file or archive member, and `match` the number of the match in it.
    """

    seat: int
    reason: str
    source: str | None = None
    match: int = 0


def event_of(answered: str, values: str | None = None) -> ev.Event:
    """Return the answer of a row as an event. Raises `msgspec.MsgspecError` for a text that is none.

    >>> event_of('{"type":"none"}', '{"meta":1}')
    Pass(extras=Extras({'meta': 1}))
    """
    others = {} if values is None else msgspec.json.decode(values, type=dict[str, Any])
    return ev.from_message(msgspec.json.decode(answered, type=dict[str, Any]) | others)


def _jsonl(rows: Iterator[ReviewRow]) -> Iterator[bytes]:
    encoder = msgspec.json.Encoder()
    while lines := encoder.encode_lines(list(islice(rows, _GROUP))):
        yield lines


def _csv(rows: Iterator[ReviewRow]) -> Iterator[bytes]:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(ReviewRow.__struct_fields__)
    for row in rows:
        writer.writerow(str(value).lower() if isinstance(value, bool) else value for value in astuple(row))
        if text.tell() > _PIECE:
            yield text.getvalue().encode("utf-8", "replace")
            text.seek(0)
            text.truncate()
    yield text.getvalue().encode("utf-8", "replace")


def _parquet(rows: Iterator[ReviewRow]) -> Iterator[bytes]:
    # Imported here: pyarrow is optional, and slow to load.
    from tempfile import TemporaryFile

    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {str: pa.string(), int: pa.int32(), bool: pa.bool_(), float: pa.float64()}
    kinds = {name: {hint, *get_args(hint)} for name, hint in get_type_hints(ReviewRow).items()}
    found = {name: next((types[one] for one in types if one in kind), pa.string()) for name, kind in kinds.items()}
    schema = pa.schema(found)
    with TemporaryFile() as stream:
        with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
            while group := list(islice(rows, _GROUP)):
                writer.write_table(pa.Table.from_pylist(list(map(asdict, group)), schema))
        stream.seek(0)
        yield from iter(lambda: stream.read(_PIECE), b"")


def _from_jsonl(data: bytes) -> Iterator[ReviewRow]:
    yield from msgspec.json.decode(b"[%b]" % b",".join(data.split(b"\n")[:-1]), type=list[ReviewRow])


def _from_csv(data: bytes) -> Iterator[ReviewRow]:
    for values in csv.DictReader(io.StringIO(data.decode(), newline="")):
        yield msgspec.convert({key: value for key, value in values.items() if value}, ReviewRow, strict=False)


def _from_parquet(data: bytes) -> Iterator[ReviewRow]:
    import pyarrow.parquet as pq

    for batch in pq.ParquetFile(io.BytesIO(data)).iter_batches(columns=list(ReviewRow.__struct_fields__)):
        yield from msgspec.convert(batch.to_pylist(), list[ReviewRow])


#: The writer and the reader of a kind of files of rows.
_Form: TypeAlias = tuple[Callable[[Iterator[ReviewRow]], Iterator[bytes]], Callable[[bytes], Iterator[ReviewRow]]]
#: The kinds of files of rows, by the ending of their names.
FILES: Final[Mapping[str, _Form]] = {
    ".jsonl": (_jsonl, _from_jsonl),
    ".csv": (_csv, _from_csv),
    ".parquet": (_parquet, _from_parquet),
}


def read_rows(path: str) -> list[ReviewRow]:
    """Read a file of rows, by the ending of its name. Raises `UsageError`, `InputError` and `OSError`."""
    ending = ending_of(path)
    if ending not in FILES:
        raise UsageError(f"--compare reads {', '.join(FILES)} of mjconv review, not {redacted(path)}")
    data = read_bytes(path)
    try:
        return list(FILES[ending][1](data))
    except (ValueError, KeyError, msgspec.MsgspecError) as error:
        raise InputError(f"no rows of mjconv review: {error}", file=redacted(path)) from None
