"""Batch output as tables: workers convert members to Arrow batches or rows, and the run writes one Parquet file.

Loading this module loads pyarrow, and `convert_to` may load the engine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import UNSET

from mjconv.batch.journal import AppendFile, JournalEntry
from mjconv.batch.outputs import Output
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import OutputData
from mjconv.batch.shapes import KANACHAN, PARQUET, TARGETS
from mjconv.columns.losses import report_losses
from mjconv.columns.rows import record_batches
from mjconv.columns.schema import SCHEMA
from mjconv.conversion import Conversion
from mjconv.ir.losses import Loss, Report
from mjconv.ir.match import Match
from mjconv.rules.succession import fill as filled
from mjconv.source import Source

#: The least number of rows of a row group, except the last one: the rows in memory at a time.
GROUP_ROWS: Final = 1 << 17
#: The name of the growing file in the sizes of a journal entry.
_SPOOL: Final = "spool"
#: The compression of a collected stream, as a whole: Arrow's own compresses each of its hundred buffers alone, and
#: takes ten times as long.
_COMPRESSION: Final = "zstd"


def convert_to_columns(source: Source, *, fill: bool = False) -> Conversion:
    """Convert a source to an Arrow stream of its events; its matches count from 0.

    >>> from mjconv.source import source_of
    >>> log = b'{"type":"start_game","names":["A","B","C","D"]}'
    >>> conversion = convert_to_columns(source_of(log, "mjai", "game.mjson"))
    >>> next(batches_of(conversion.data)).column("names").to_pylist()
    [['A', 'B', 'C', 'D']]
    """
    report = Report(played=False)
    batches = record_batches(_matches(source, report, fill=fill), source=source.name)
    data = arrow_stream(batches, SCHEMA)
    return Conversion(data, report.losses, report.warnings, impossible=report.impossible)


def arrow_stream(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> bytes:
    """Return record batches as a compressed Arrow stream, which `ParquetOutput` collects."""
    stream = pa.BufferOutputStream()
    with pa.CompressedOutputStream(stream, _COMPRESSION) as packed, pa.ipc.new_stream(packed, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    data: bytes = stream.getvalue().to_pybytes()
    return data


def batches_of(data: bytes) -> Iterator[pa.RecordBatch]:
    """Yield the record batches of a compressed Arrow stream."""
    with pa.CompressedInputStream(pa.BufferReader(data), _COMPRESSION) as stream:
        yield from pa.ipc.open_stream(stream)


def _matches(source: Source, report: Report, *, fill: bool) -> Iterator[Match]:
    """Return the matches; report the data without a column, and the values that `fill` adds."""
    for number, (match, _) in enumerate(source.readings(report)):
        report_losses(match, report, number)
        yield _filled(match, report, number) if fill else match


def _filled(match: Match, report: Report, number: int) -> Match:
    """Derive missing values and report each as assumed."""
    whole = filled(match)
    for index, (before, after) in enumerate(zip(match.rounds, whole.rounds, strict=True)):
        for position, (old, new) in enumerate(zip(before.events, after.events, strict=True)):
            if old is not new:
                kind = type(new).__struct_config__.tag
                names = (name for name in new.__struct_fields__ if getattr(old, name) is UNSET)
                report.losses += [
                    Loss(f"{kind}.{name}", "assumed", number, index, position, before.label)
                    for name in names
                    if getattr(new, name) is not UNSET
                ]
    return whole


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
    """One Parquet file: collects Arrow streams, and writes row groups at the end."""

    def __init__(self, table: TableLayout, data: str, temporary: str) -> None:
        self.table = table
        self.data = data
        self.temporary = temporary
        self.spool = AppendFile(f"{data}.{_SPOOL}")

    def restore(self, entry: JournalEntry) -> None:
        """Restore the size of the collected streams."""
        self.spool.size = entry.sizes.get(_SPOOL, self.spool.size)

    def add(self, path: str, data: OutputData) -> tuple[dict[str, int], tuple[int, ...]]:  # noqa: ARG002
        """Collect a stream."""
        self.spool.append(b"".join(data.parts))
        return {_SPOOL: self.spool.size}, ()

    def written(self) -> set[str]:
        """Return the collected streams."""
        return {self.spool.path}

    def finish(self, entries: Callable[[], Iterator[JournalEntry]]) -> None:
        """Write the Parquet file and number the matches of all members in order; raises `OSError`."""
        # Cuts off bytes of an interrupted run that no later stream replaced.
        self.spool.append(b"")
        self.spool.close()
        with pq.ParquetWriter(self.temporary, self.table.schema, compression="zstd") as writer:
            waiting: list[pa.RecordBatch] = []
            rows = 0
            for batch in self._batches(entries()):
                waiting.append(batch)
                rows += batch.num_rows
                if rows >= self.table.group_rows:
                    _write_group(writer, self.table.schema, waiting)
                    rows = 0
            if waiting:
                _write_group(writer, self.table.schema, waiting)
        os.replace(self.temporary, self.data)

    def _batches(self, entries: Iterator[JournalEntry]) -> Iterator[pa.RecordBatch]:
        matches = 0
        schema, numbered = self.table.schema, self.table.numbered
        column = -1 if numbered is None else schema.get_field_index(numbered)
        with pa.OSFile(self.spool.path) as stream:
            for entry in entries:
                if entry.output is None:
                    continue
                for batch in batches_of(stream.read(entry.sizes[_SPOOL] - stream.tell())):
                    if numbered is not None:
                        numbers = pc.add(batch.column(column), matches)
                        batch = batch.set_column(column, schema.field(column), numbers)
                    yield batch
                matches += entry.counts.matches

    def close(self) -> None:
        """Close the collected streams."""
        self.spool.close()


def _write_group(writer: pq.ParquetWriter, schema: pa.Schema, batches: list[pa.RecordBatch]) -> None:
    # Many small chunks take a quarter longer to write than one.
    table = pa.Table.from_batches(batches, schema).unify_dictionaries().combine_chunks()
    writer.write_table(table, row_group_size=table.num_rows)
    batches.clear()


#: The least number of rows of a group of decisions, except the last one. A row takes some ten kilobytes in memory.
GROUP_DECISIONS: Final = 1 << 13


def convert_to(source: Source, plan: Plan) -> Conversion:
    """Convert a source to the target of a plan, which is one of `shapes.TARGETS`."""
    players = TARGETS[plan.target].players
    if players is None:
        return convert_to_columns(source, fill=plan.options.write.fill)
    report = Report()
    readings = source.readings(report)
    if plan.target == KANACHAN:
        from mjconv.train.kanachan import kanachan_rows

        rows = kanachan_rows(readings, report, source=source.name or "", settings=plan.options.kanachan or "")
        data = "".join(rows).encode()
    else:
        from mjconv.train.layout import schema_for
        from mjconv.train.rows import decision_batches

        data = arrow_stream(decision_batches(readings, players, report, source=source.name), schema_for(players))
    return Conversion(data, report.losses, report.warnings)


def table_of(target: str) -> TableLayout:
    """Return the table of a target whose output is one Parquet file."""
    players = TARGETS[target].players
    if target == PARQUET or players is None:
        return EVENTS
    from mjconv.train.layout import schema_for

    return TableLayout(schema_for(players), GROUP_DECISIONS)
