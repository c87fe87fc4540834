"""Batch output as tables: workers convert members to Arrow batches or rows, and the run writes one Parquet file.

Loading this module loads pyarrow, and `convert_to` may load the engine.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from struct import Struct as Layout
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mjconv.archive.partition import MOST, partition_of
from mjconv.batch.journal import AppendFile, JournalEntry
from mjconv.batch.outputs import ConvertAll, Output
from mjconv.batch.parquet_join import JoinedParquet
from mjconv.batch.paths import RunPaths
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Outcome, OutputData
from mjconv.batch.shapes import KANACHAN, PARQUET, TARGETS
from mjconv.columns.losses import report_losses
from mjconv.columns.rows import record_batches
from mjconv.columns.schema import SCHEMA, schema_with
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
#: The compression of a collected stream, as a whole: Arrow's own compresses each of its hundred buffers alone, and
#: takes ten times as long.
_COMPRESSION: Final = "zstd"
#: The head of a stream that a worker returns: the length of the name of its folder, its rows, its size.
_FRAME: Final = Layout("<HQQ")
#: The head of a stream in a work file: the numbers of `_Spooled`, but the offset.
_SPOOLED: Final = Layout("<QQQQ")


def convert_to_columns(
    source: Source, name: str | None = None, derive: str | None = None, partition_by: str | None = None
) -> Conversion:
    """Convert a source to Arrow streams of its events, with this name; its matches count from 0.

    `derive` names derived columns. `partition_by` makes a stream for each folder, else all events are one stream.

    >>> from mjconv.source import source_of
    >>> log = b'{"type":"start_game","names":["A","B","C","D"]}'
    >>> conversion = convert_to_columns(source_of(log, "mjai", "game.mjson"), partition_by="players")
    >>> [(folder, rows, _)] = frames_of(conversion.data)
    >>> folder, rows
    ('players=4', 1)
    """
    report = Report(played=False)
    schema = schema_with(derive)
    batches = record_batches(_matches(source, report), source=name, form=source.form, schema=schema)
    parts = _parted(batches, partition_by) if partition_by else (("", batch) for batch in batches)
    data = arrow_frames(parts, schema)
    return Conversion(data, report.losses, report.warnings, impossible=report.impossible)


def _parted(batches: Iterable[pa.RecordBatch], keys: str) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield slices of batches, each of matches of one folder. The first row of a match has its facts."""
    for batch in batches:
        facts = batch.column("facts")
        begins = pc.indices_nonzero(pc.is_valid(facts))
        folders = [partition_of(row, keys) for row in facts.take(begins).to_pylist()]
        ends = [*begins.to_pylist()[1:], batch.num_rows]
        begin = 0
        for folder, same in groupby(zip(folders, ends, strict=True), key=itemgetter(0)):
            *_, (_, end) = same
            yield folder, batch.slice(begin, end - begin)
            begin = end


class _Stream:
    """A compressed Arrow stream under construction."""

    def __init__(self, schema: pa.Schema) -> None:
        self.data = pa.BufferOutputStream()
        self.packed = pa.CompressedOutputStream(self.data, _COMPRESSION)
        self.writer = pa.ipc.new_stream(self.packed, schema)
        self.rows = 0

    def add(self, batch: pa.RecordBatch) -> None:
        self.writer.write_batch(batch)
        self.rows += batch.num_rows

    def bytes(self) -> bytes:
        self.writer.close()
        self.packed.close()
        data: bytes = self.data.getvalue().to_pybytes()
        return data


def arrow_frames(parts: Iterable[tuple[str, pa.RecordBatch]], schema: pa.Schema) -> bytes:
    """Return record batches as compressed Arrow streams, one for each folder, for `ParquetOutput`."""
    streams: dict[str, _Stream] = {}
    for folder, batch in parts:
        if folder not in streams:
            streams[folder] = _Stream(schema)
        streams[folder].add(batch)
    frames = []
    for folder, stream in streams.items():
        data = stream.bytes()
        frames += [_FRAME.pack(len(folder), stream.rows, len(data)), folder.encode(), data]
    return b"".join(frames)


def frames_of(data: bytes) -> Iterator[tuple[str, int, bytes]]:
    """Yield the streams that `arrow_frames` joined: folder, number of rows, stream."""
    position = 0
    while position < len(data):
        name, rows, size = _FRAME.unpack_from(data, position)
        begin = position + _FRAME.size + name
        yield data[begin - name : begin].decode(), rows, data[begin : begin + size]
        position = begin + size


def batches_of(data: bytes) -> Iterator[pa.RecordBatch]:
    """Yield the record batches of a compressed Arrow stream."""
    with pa.CompressedInputStream(pa.BufferReader(data), _COMPRESSION) as stream:
        yield from pa.ipc.open_stream(stream)


def _matches(source: Source, report: Report) -> Iterator[Match]:
    """Return the matches, and report the data without a column."""
    for number, (match, _) in enumerate(source.readings(report)):
        report_losses(match, report, number)
        yield match


class TableLayout(NamedTuple):
    """The rows of one Parquet file: their schema, the rows of a group, and the column that numbers all matches.

    A group has at least `group_rows` rows, except the last one: these are in memory at a time. `numbered` is None
    if no column numbers the matches of all members.
    """

    schema: pa.Schema
    group_rows: int
    numbered: str | None = None


#: The columns of all events.
EVENTS: Final = TableLayout(SCHEMA, GROUP_ROWS, "game")


class ParquetOutput(Output):
    """Parquet files of each split and folder: collects Arrow streams. At the end, workers make row groups of them.

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
                self._spool(split, "")

    def _spool(self, split: str, folder: str) -> AppendFile:
        if (split, folder) not in self.spools:
            name = hashlib.blake2b(f"{split}/{folder}".encode(), digest_size=16).hexdigest()
            self.spools[split, folder] = AppendFile(f"{self.paths.data}-{name}")
        return self.spools[split, folder]

    def restore(self, entry: JournalEntry) -> None:
        """Restore the sizes of the collected streams, and the number of matches."""
        if entry.output is not None:
            for name, size in entry.sizes.items():
                if name.startswith(_SPOOL):
                    self._spool(entry.split, name.removeprefix(_SPOOL)).size = size
            self.matches[entry.split] += entry.counts.matches

    def add(self, path: str, data: OutputData) -> tuple[dict[str, int], tuple[int, ...]]:
        """Collect the streams of a member in a split. Raises `InputError` if there would be too many folders."""
        frames = list(frames_of(b"".join(data.parts)))
        new = {(path, folder) for folder, *_ in frames} - self.spools.keys()
        if len(self.spools) + len(new) > MOST:
            raise InputError(f"--partition-by makes more than {MOST} folders: partition by another fact")
        sizes, weight = {}, data.weight
        for folder, rows, stream in frames:
            spool = self._spool(path, folder)
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
        return [(split, path) for (split, _), _, _, path in self._outputs()]

    def _outputs(self) -> Iterator[tuple[tuple[str, str], str, int, str]]:
        """Yield each file to write: split and folder, table, number of the shard, path."""
        plan, shards = self.plan, max(1, self.plan.shards)
        for key in sorted(self.spools):
            for table in plan.tables:
                for shard in range(shards):
                    name = "-".join(filter(None, (key[0], table)))
                    if plan.shards or plan.options.partition_by:
                        name = "/".join(filter(None, (name, key[1], f"{shard:05}-of-{shards:05}")))
                    own = os.path.join(self.paths.output, *f"{name}.{PARQUET}".split("/"))
                    yield key, table, shard, own if name else self.paths.data

    def finish(self, entries: Callable[[], Iterator[JournalEntry]], convert: ConvertAll) -> None:  # noqa: ARG002
        """Write the Parquet files. Raises `OSError`, and `UnsupportedError` if no row group can be written."""
        for spool in self.spools.values():
            # Cuts off bytes of an interrupted run that no later stream replaced.
            spool.append(b"")
            spool.close()
        for key, table, shard, path in self._outputs():
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            self._write(path, table, convert(self._groups(self.spools[key].path, table, shard)))

    def _write(self, path: str, name: str, groups: Iterator[tuple[Member, Outcome]]) -> None:
        with open(self.paths.temporary, "wb") as stream:
            joined = JoinedParquet(stream)
            for member, outcome in groups:
                if outcome.output is None:
                    reason = outcome.failure.error if outcome.failure else "no output"
                    raise UnsupportedError(f"{member.name} cannot be written: {reason}")
                joined.add(b"".join(outcome.output.parts))
            if joined.footer is None:
                joined.add(_parquet(_made([], self.table.schema, name)))
            joined.finish()
        os.replace(self.paths.temporary, path)

    def _groups(self, spool: str, name: str, shard: int) -> Iterator[Member]:
        """Yield the row groups of a shard as members: the same ones for any number of workers."""
        shards = max(1, self.plan.shards)
        whole = sum(each.rows for each in _spooled(spool)) if shards > 1 else 1
        before = rows = first = weight = 0
        streams: list[tuple[int, int, int]] = []

        def group() -> Member:
            piece = SpooledRows(spool, tuple(streams), name)
            return Member(f"row groups from row {first} on", piece, weight=weight)

        for one in _spooled(spool):
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


class _Spooled(NamedTuple):
    """A stream of a work file: offset, size, rows, the number of its first match, and its bytes of the input."""

    offset: int
    size: int
    rows: int
    match: int
    weight: int


def _spooled(path: str) -> Iterator[_Spooled]:
    """Yield the streams of a work file."""
    with open(path, "rb") as file:
        while head := file.read(_SPOOLED.size):
            one = _Spooled(file.tell(), *_SPOOLED.unpack(head))
            yield one
            file.seek(one.offset + one.size)


def row_group(piece: SpooledRows, plan: Plan) -> bytes:
    """Return a Parquet file with one row group: a table of collected streams, with their games numbered."""
    table = table_of(plan)
    schema, numbered = table.schema, table.numbered
    column = -1 if numbered is None else schema.get_field_index(numbered)
    batches = []
    with open(piece.path, "rb") as stream:
        for offset, size, first in piece.streams:
            stream.seek(offset)
            for batch in batches_of(stream.read(size)):
                if numbered is not None:
                    numbers = pc.add(batch.column(column), first)
                    batch = batch.set_column(column, schema.field(column), numbers)
                batches.append(batch)
    return _parquet(_made(batches, schema, piece.table))


def _made(batches: list[pa.RecordBatch], schema: pa.Schema, name: str) -> pa.Table:
    table = pa.Table.from_batches(batches, schema).unify_dictionaries()
    if not name:
        return table
    # Loaded here: polars is optional.
    from mjconv.columns.tables import made_table

    return made_table(table, name)


def _parquet(table: pa.Table) -> bytes:
    # Many small chunks take a quarter longer to write than one.
    table = table.combine_chunks()
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
        data = arrow_frames((("", batch) for batch in batches), schema_for(players))
    return Conversion(data, report.losses, report.warnings)


def table_of(plan: Plan) -> TableLayout:
    """Return the table of a plan whose target is written as Parquet."""
    players = TARGETS[plan.target].players
    if players is None:
        return EVENTS._replace(schema=schema_with(plan.options.derive))
    from mjconv.train.layout import schema_for

    return TableLayout(schema_for(players), GROUP_DECISIONS)
