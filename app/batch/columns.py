"""Batch output as tables: workers convert members to Arrow batches or rows, and the run writes one Parquet file.

Loading this module loads pyarrow, and `convert_to` may load the engine.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mjconv.batch.journal import AppendFile, JournalEntry
from mjconv.batch.outputs import ConvertAll, Output
from mjconv.batch.parquet_join import JoinedParquet
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Outcome, OutputData
from mjconv.batch.shapes import KANACHAN, TARGETS
from mjconv.columns.losses import report_losses
from mjconv.columns.rows import record_batches
from mjconv.columns.schema import SCHEMA, schema_with
from mjconv.conversion import Conversion
from mjconv.files.members import Member, SpooledRows
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mjconv.source import Source

#: The least number of rows of a row group, except the last one: the rows in memory at a time.
GROUP_ROWS: Final = 1 << 17
#: The name of the growing file in the sizes of a journal entry.
_SPOOL: Final = "spool"
#: The compression of a collected stream, as a whole: Arrow's own compresses each of its hundred buffers alone, and
#: takes ten times as long.
_COMPRESSION: Final = "zstd"
#: The bytes of the number of rows behind a stream.
_COUNT_BYTES: Final = 8
_ROWS: Final = "rows"


def convert_to_columns(source: Source, name: str | None = None, derive: str | None = None) -> Conversion:
    """Convert a source to an Arrow stream of its events, with this name; its matches count from 0.

    `derive` names derived columns.

    >>> from mjconv.source import source_of
    >>> log = b'{"type":"start_game","names":["A","B","C","D"]}'
    >>> conversion = convert_to_columns(source_of(log, "mjai", "game.mjson"))
    >>> next(batches_of(split_rows(conversion.data)[0])).column("names").to_pylist()
    [['A', 'B', 'C', 'D']]
    """
    report = Report(played=False)
    schema = schema_with(derive)
    batches = record_batches(_matches(source, report), source=name, form=source.form, schema=schema)
    data = arrow_stream(batches, schema)
    return Conversion(data, report.losses, report.warnings, impossible=report.impossible)


def arrow_stream(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> bytes:
    """Return record batches as a compressed Arrow stream, with the number of rows, for `ParquetOutput`."""
    stream = pa.BufferOutputStream()
    rows = 0
    with pa.CompressedOutputStream(stream, _COMPRESSION) as packed, pa.ipc.new_stream(packed, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
            rows += batch.num_rows
    data: bytes = stream.getvalue().to_pybytes()
    return data + rows.to_bytes(_COUNT_BYTES, "little")


def split_rows(data: bytes) -> tuple[bytes, int]:
    """Return the stream and the number of rows that `arrow_stream` returned."""
    return data[:-_COUNT_BYTES], int.from_bytes(data[-_COUNT_BYTES:], "little")


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
    """Parquet files of each split: collects Arrow streams. At the end, workers make row groups, which are joined.

    `tables` are the paths of the files, by split and by the name of the table, which is empty for the streams as
    they are. The folder `work` holds the streams.
    """

    def __init__(self, table: TableLayout, tables: dict[str, dict[str, str]], work: str, temporary: str) -> None:
        self.table = table
        self.tables = tables
        self.temporary = temporary
        self.spools = {split: AppendFile(os.path.join(work, f"{split}.{_SPOOL}")) for split in tables}

    def restore(self, entry: JournalEntry) -> None:
        """Restore the size of the collected streams."""
        if entry.output is not None:
            self.spools[entry.split].size = entry.sizes[_SPOOL]

    def add(self, path: str, data: OutputData) -> tuple[dict[str, int], tuple[int, ...]]:
        """Collect a stream of a split."""
        spool = self.spools[path]
        spool.append(b"".join(data.parts))
        return {_SPOOL: spool.size, _ROWS: data.size}, ()

    def written(self) -> set[str]:
        """Return the collected streams."""
        return {spool.path for spool in self.spools.values()}

    def files(self) -> list[tuple[str, str]]:
        """Return the Parquet files."""
        return [(split, path) for split, tables in self.tables.items() for path in tables.values()]

    def finish(self, entries: Callable[[], Iterator[JournalEntry]], convert: ConvertAll) -> None:
        """Write the Parquet files, and number the matches of all members of a file in order.

        Raises `OSError`, and `UnsupportedError` if a worker cannot write a row group.
        """
        for split, spool in self.spools.items():
            # Cuts off bytes of an interrupted run that no later stream replaced.
            spool.append(b"")
            spool.close()
            for name, path in self.tables[split].items():
                own = (entry for entry in entries() if entry.output is not None and entry.split == split)
                self._write(path, name, convert(self._groups(spool.path, name, own)))

    def _write(self, path: str, name: str, groups: Iterator[tuple[Member, Outcome]]) -> None:
        with open(self.temporary, "wb") as stream:
            joined = JoinedParquet(stream)
            for member, outcome in groups:
                if outcome.output is None:
                    reason = outcome.failure.error if outcome.failure else "no output"
                    raise UnsupportedError(f"{member.name} cannot be written: {reason}")
                joined.add(b"".join(outcome.output.parts))
            if joined.footer is None:
                joined.add(_parquet(_made([], self.table.schema, name)))
            joined.finish()
        os.replace(self.temporary, path)

    def _groups(self, spool: str, name: str, entries: Iterator[JournalEntry]) -> Iterator[Member]:
        """Yield the row groups as members: the same ones for any number of workers."""
        games = rows = begin = first = weight = 0
        streams: list[tuple[int, int, int]] = []

        def group() -> Member:
            piece = SpooledRows(spool, tuple(streams), name)
            return Member(f"row groups from row {first} on", piece, weight=weight)

        for entry in entries:
            end = entry.sizes[_SPOOL]
            if entry.sizes[_ROWS]:
                streams.append((begin, end - begin, games))
            begin, rows, games = end, rows + entry.sizes[_ROWS], games + entry.counts.matches
            weight += entry.weight
            if rows - first >= self.table.group_rows:
                yield group()
                streams, first, weight = [], rows, 0
        if streams:
            yield group()

    def close(self) -> None:
        """Close the collected streams."""
        for spool in self.spools.values():
            spool.close()


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
        return convert_to_columns(source, name, plan.options.derive)
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
        data = arrow_stream(batches, schema_for(players))
    return Conversion(data, report.losses, report.warnings)


def table_of(plan: Plan) -> TableLayout:
    """Return the table of a plan whose target is written as Parquet."""
    players = TARGETS[plan.target].players
    if players is None:
        return EVENTS._replace(schema=schema_with(plan.options.derive))
    from mjconv.train.layout import schema_for

    return TableLayout(schema_for(players), GROUP_DECISIONS)
