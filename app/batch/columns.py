"""Batch output as tables: workers collect the columns of members, and the run writes Parquet files of them.

Loading this module loads pyarrow, and `convert_to` may load the engine.
"""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from io import BytesIO
from itertools import product
from struct import Struct as Layout
from typing import BinaryIO, Final, NamedTuple, TypeAlias

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from mjconv.archive.facts import Facts
from mjconv.archive.partition import MOST, partition_of
from mjconv.batch.journal import AppendFile, JournalEntry
from mjconv.batch.outputs import ConvertAll, Output
from mjconv.batch.parquet_join import JoinedParquet
from mjconv.batch.paths import RunPaths
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Outcome, OutputData
from mjconv.batch.shapes import KANACHAN, PARQUET, TARGETS
from mjconv.columns.losses import report_losses
from mjconv.columns.rows import EventColumns, collected, decoded
from mjconv.columns.schema import SCHEMA, facts_row, schema_with
from mjconv.conversion import Conversion
from mjconv.files.members import Member, SpooledRows
from mjconv.ir.errors import InputError, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mjconv.source import Source

#: The least number of rows of a row group, except the last one: the rows in memory at a time.
GROUP_ROWS: Final = 1 << 17
#: The names of growing files in the sizes of a journal entry begin so. The folder follows.
_SPOOL: Final = "spool:"
_COMPRESSION: Final = "zstd"
#: The head of a stream in a work file: the numbers of `_Spooled`, but the offset.
_SPOOLED: Final = Layout("<QQQQ")


class Frame(NamedTuple):
    """Rows that a worker returns of a member: their folder, their number, and a stream of them."""

    folder: str
    rows: int
    stream: bytes


frames_of: Final = msgspec.msgpack.Decoder(list[Frame]).decode


def convert_to_columns(
    source: Source, name: str | None = None, derive: str | None = None, partition_by: str | None = None
) -> Conversion:
    """Convert a source to frames of its events, with this name; its matches count from 0.

    `derive` names derived columns. `partition_by` makes frames for each folder.

    >>> from mjconv.source import source_of
    >>> log = b'{"type":"start_game","names":["A","B","C","D"]}'
    >>> conversion = convert_to_columns(source_of(log, "mjai", "game.mjson"), partition_by="players")
    >>> [(folder, rows, _)] = frames_of(conversion.data)
    >>> folder, rows
    ('players=4', 1)
    """
    report = Report(played=False)

    def folder_of(facts: Facts) -> str:
        return "" if partition_by is None else partition_of(facts_row(facts), partition_by)

    parts = collected(
        _matches(source, report),
        source=name,
        form=source.form,
        derive=derive.split(",") if derive else (),
        folder_of=folder_of,
    )
    frames = [Frame(folder, columns.length, _packed(columns.encoded())) for folder, columns in parts]
    data = msgspec.msgpack.encode(frames)
    return Conversion(data, report.losses, report.warnings, impossible=report.impossible)


def _packed(data: bytes) -> bytes:
    packed: bytes = pa.compress(data, _COMPRESSION, asbytes=True)
    return packed


def _unpacked(stream: bytes) -> pa.NativeFile:
    return pa.CompressedInputStream(pa.BufferReader(stream), _COMPRESSION)


def _arrow_stream(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Frame:
    """Return record batches as one stream.

    It is compressed as a whole: Arrow's own compression packs each of its hundred buffers alone, and takes ten
    times as long.
    """
    data, rows = pa.BufferOutputStream(), 0
    with pa.CompressedOutputStream(data, _COMPRESSION) as packed, pa.ipc.new_stream(packed, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
            rows += batch.num_rows
    return Frame("", rows, data.getvalue().to_pybytes())


def _matches(source: Source, report: Report) -> Iterator[Match]:
    """Return the matches, and report the data without a column."""
    for number, (match, _) in enumerate(source.readings(report)):
        report_losses(match, report, number)
        yield match


#: Streams of a work file, each with the number of its first match.
Streams: TypeAlias = Iterable[tuple[bytes, int]]


class TableLayout(NamedTuple):
    """The rows of one Parquet file: their schema, the rows of a group, and what makes a table of streams.

    A group has at least `group_rows` rows, except the last one: these are in memory at a time.
    """

    schema: pa.Schema
    group_rows: int
    joined: Callable[[Streams, pa.Schema], pa.Table]


def _events(streams: Streams, schema: pa.Schema) -> pa.Table:
    """Return the events of streams, with the matches of all members numbered."""
    columns = EventColumns()
    for stream, game in streams:
        columns.join(decoded(_unpacked(stream).read()), game)
    return pa.Table.from_batches([columns.batch(schema)], schema)


def _batches(streams: Streams, schema: pa.Schema) -> pa.Table:
    """Return the rows of Arrow streams."""
    batches = [batch for stream, _ in streams for batch in pa.ipc.open_stream(_unpacked(stream))]
    # Many small chunks take a quarter longer to write than one.
    return pa.Table.from_batches(batches, schema).unify_dictionaries().combine_chunks()


#: The columns of all events.
EVENTS: Final = TableLayout(SCHEMA, GROUP_ROWS, _events)


class ParquetOutput(Output):
    """Parquet files of each split and folder: collects streams. At the end, workers make row groups of them.

    A work file holds the streams of a split and folder, each behind its size, its rows and the number of its first
    match. The matches of all folders of a split are numbered together.
    """

    def __init__(self, table: TableLayout, plan: Plan, paths: RunPaths) -> None:
        self.table = table
        self.plan = plan
        self.paths = paths
        self.matches = dict.fromkeys(plan.splits, 0)
        self.changed: set[str] = set()
        self.spools: dict[tuple[str, str], AppendFile] = {}
        if plan.options.partition_by is None:
            for split in plan.splits:
                self.spool(split, "")

    def spool(self, split: str, folder: str) -> AppendFile:
        """Return the work file of a split and folder."""
        if (split, folder) not in self.spools:
            name = hashlib.blake2b(f"{split}/{folder}".encode(), digest_size=16).hexdigest()
            self.spools[split, folder] = AppendFile(f"{self.paths.data}-{name}")
        return self.spools[split, folder]

    def restore(self, entry: JournalEntry) -> None:
        """Restore the sizes of the collected streams, and the number of matches."""
        if entry.output is not None:
            for name, size in entry.sizes.items():
                if name.startswith(_SPOOL):
                    self.spool(entry.split, name.removeprefix(_SPOOL)).size = size
            self.matches[entry.split] += entry.counts.matches

    def add(self, path: str, data: OutputData) -> tuple[dict[str, int], tuple[int, ...]]:
        """Collect the streams of a member in a split. Raises `InputError` if there would be too many folders."""
        frames = frames_of(b"".join(data.parts))
        new = {(path, folder) for folder, *_ in frames} - self.spools.keys()
        if len(self.spools) + len(new) > MOST:
            raise InputError(f"--partition-by makes more than {MOST} folders: partition by another fact")
        sizes, weight = {}, data.weight
        for folder, rows, stream in frames:
            spool = self.spool(path, folder)
            spool.append(_SPOOLED.pack(len(stream), rows, self.matches[path], weight) + stream)
            weight = 0
            if len(self.spools) > len(self.plan.splits):
                # A process may not hold so many files open.
                spool.close()
            self.changed.add(spool.path)
            sizes[_SPOOL + folder] = spool.size
        self.matches[path] += data.size
        return sizes, ()

    def written(self) -> set[str]:
        """Return the files with new streams."""
        changed, self.changed = self.changed, set()
        return changed

    def files(self) -> list[tuple[str, str]]:
        """Return the Parquet files."""
        return [(split, path) for (split, _), _, paths in self._outputs() for path in paths.values()]

    def _outputs(self) -> Iterator[tuple[tuple[str, str], int, dict[str, str]]]:
        """Yield the files that are written together: split and folder, number of the shard, path by table."""
        plan, shards = self.plan, max(1, self.plan.shards)
        for key, shard in product(sorted(self.spools), range(shards)):
            paths = {}
            for table in plan.tables:
                name = "-".join(filter(None, (key[0], table)))
                if plan.shards or plan.options.partition_by:
                    name = "/".join(filter(None, (name, key[1], f"{shard:05}-of-{shards:05}")))
                own = os.path.join(self.paths.output, *f"{name}.{PARQUET}".split("/"))
                paths[table] = own if name else self.paths.data
            yield key, shard, paths

    def finish(self, entries: Callable[[], Iterator[JournalEntry]], convert: ConvertAll) -> None:  # noqa: ARG002
        """Write the Parquet files. Raises `OSError`, and `UnsupportedError` if no row group can be written."""
        self._cut()
        for key, shard, paths in self._outputs():
            self._write(paths, convert(self._groups(self.spools[key].path, shard)))

    def _cut(self) -> None:
        """Cut off bytes of an interrupted run that no later stream replaced."""
        for spool in self.spools.values():
            spool.append(b"")
            spool.close()

    def take(self, key: tuple[str, str], data: bytes, first: int, chosen: Callable[[int], bool]) -> None:
        """Collect streams of a split and folder again, from the bytes of a work file.

        `first` is added to the numbers of their matches. `chosen` selects streams by the number of rows before
        them in these bytes.
        """
        before = 0
        for one in _spooled(BytesIO(data)):
            if chosen(before):
                head = _SPOOLED.pack(one.size, one.rows, one.match + first, one.weight)
                self.spool(*key).append(head + data[one.offset : one.offset + one.size])
            before += one.rows

    def _write(self, paths: dict[str, str], groups: Iterator[tuple[Member, Outcome]]) -> None:
        """Write the tables of a split, folder and shard."""
        with ExitStack() as stack:
            own = {name: f"{self.paths.temporary}{name}" for name in paths}
            tables = [JoinedParquet(stack.enter_context(open(one, "wb"))) for one in own.values()]
            for member, outcome in groups:
                if outcome.output is None:
                    reason = outcome.failure.error if outcome.failure else "no output"
                    raise UnsupportedError(f"{member.name} cannot be written: {reason}")
                for table, part in zip(tables, outcome.output.parts, strict=True):
                    table.add(part)
            if tables[0].footer is None:
                for table, part in zip(tables, _row_groups([], self.table, self.plan), strict=True):
                    table.add(part)
            for table in tables:
                table.finish()
        for name, path in paths.items():
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            os.replace(own[name], path)

    def _groups(self, spool: str, shard: int) -> Iterator[Member]:
        """Yield the row groups of a shard as members: the same ones for any number of workers."""
        shards = max(1, self.plan.shards)
        whole = sum(each.rows for each in _spooled_in(spool)) if shards > 1 else 1
        before = rows = first = weight = 0
        streams: list[tuple[int, int, int]] = []

        def group() -> Member:
            piece = SpooledRows(spool, tuple(streams))
            return Member(f"row groups from row {first} on", piece, weight=weight)

        for one in _spooled_in(spool):
            if shards == 1 or before * shards // whole == shard:
                streams.append((one.offset, one.size, one.match))
                rows, weight = rows + one.rows, weight + one.weight
            before += one.rows
            if rows - first >= self.table.group_rows:
                yield group()
                streams, first, weight = [], rows, 0
        if streams:
            yield group()

    def close(self) -> None:
        """Close the collected streams."""
        for spool in self.spools.values():
            spool.close()


class StreamsOutput(ParquetOutput):
    """Collects Arrow streams, and leaves them in one file, the streams of each split and folder together."""

    def files(self) -> list[tuple[str, str]]:
        """Return the file."""
        return [("", self.paths.data)]

    def collected(self) -> list[tuple[str, str, int, int]]:
        """Return each split and folder, in the order of the file, with its bytes and its rows."""
        return [(*key, self.spools[key].size, rows) for key, rows in self._rows.items()]

    def finish(self, entries: Callable[[], Iterator[JournalEntry]], convert: ConvertAll) -> None:  # noqa: ARG002
        """Write the file. Raises `OSError`."""
        self._cut()
        self._rows = {
            key: sum(one.rows for one in _spooled_in(self.spools[key].path)) for key in sorted(self.spools)
        }
        with open(self.paths.data, "wb") as whole:
            for key in self._rows:
                with open(self.spools[key].path, "rb") as spool:
                    shutil.copyfileobj(spool, whole)


class _Spooled(NamedTuple):
    """A stream of a work file: offset, size, rows, the number of its first match, and its bytes of the input."""

    offset: int
    size: int
    rows: int
    match: int
    weight: int


def _spooled_in(path: str) -> Iterator[_Spooled]:
    """Yield the streams of a work file."""
    with open(path, "rb") as file:
        yield from _spooled(file)


def _spooled(file: BinaryIO) -> Iterator[_Spooled]:
    while head := file.read(_SPOOLED.size):
        one = _Spooled(file.tell(), *_SPOOLED.unpack(head))
        yield one
        file.seek(one.offset + one.size)


def row_groups(piece: SpooledRows, plan: Plan) -> list[bytes]:
    """Return a Parquet file with one row group for each table of collected streams."""
    with open(piece.path, "rb") as file:
        return _row_groups(_streams(file, piece), table_of(plan), plan)


def _streams(file: BinaryIO, piece: SpooledRows) -> Iterator[tuple[bytes, int]]:
    for offset, size, first in piece.streams:
        file.seek(offset)
        yield file.read(size), first


def _row_groups(streams: Streams, layout: TableLayout, plan: Plan) -> list[bytes]:
    table = layout.joined(streams, layout.schema)
    if not any(plan.tables):
        return [_parquet(table)]
    # Loaded here: polars is optional.
    from mjconv.columns.tables import made_table

    return [_parquet(made_table(table, name)) for name in plan.tables]


def _parquet(table: pa.Table) -> bytes:
    stream = pa.BufferOutputStream()
    pq.write_table(table, stream, compression="zstd", row_group_size=max(1, table.num_rows))
    data: bytes = stream.getvalue().to_pybytes()
    return data


#: The least number of rows of a group of decisions, except the last one. Their features take 80 MB as an array.
GROUP_DECISIONS: Final = 1 << 13


def convert_to(source: Source, plan: Plan, name: str | None) -> Conversion:
    """Convert a source to the target of a plan, which is one of `shapes.TARGETS`. `name` is in its rows."""
    players = TARGETS[plan.target].players
    if players is None:
        return convert_to_columns(source, name, plan.options.derive, plan.options.partition_by)
    report = Report()
    readings = source.readings(report)
    if plan.target == KANACHAN:
        from mjconv.train.kanachan import kanachan_rows

        rows = kanachan_rows(readings, report, source=name or "", settings=plan.options.kanachan or "")
        data = "".join(rows).encode()
    else:
        from mjconv.train.layout import schema_for
        from mjconv.train.rows import decision_batches

        batches = decision_batches(readings, players, report, source=name, form=source.form)
        data = msgspec.msgpack.encode([_arrow_stream(batches, schema_for(players))])
    return Conversion(data, report.losses, report.warnings)


def table_of(plan: Plan) -> TableLayout:
    """Return the table of a plan whose target is written as Parquet."""
    players = TARGETS[plan.target].players
    if players is None:
        return EVENTS._replace(schema=schema_with(plan.options.derive))
    from mjconv.train.layout import schema_for

    return TableLayout(schema_for(players), GROUP_DECISIONS, _batches)
