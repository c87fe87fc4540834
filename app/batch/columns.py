"""A run into columns: members become Arrow batches in the workers, and one Parquet file in the end.

Loading this module loads pyarrow.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import UNSET

from mjconv.batch.disk import Growing
from mjconv.batch.journal import Entry
from mjconv.batch.work import Made
from mjconv.columns.losses import lose
from mjconv.columns.rows import record_batches
from mjconv.columns.schema import SCHEMA
from mjconv.conversion import Conversion, Source
from mjconv.ir.derive import fill as filled
from mjconv.ir.losses import Loss, Report
from mjconv.ir.match import Match

#: A row group has at least so many rows, but for the last: what is in memory at a time.
GROUP_ROWS: Final = 1 << 17
#: What the file that grows is called in the journal.
_SPOOL: Final = "spool"
_PACKED: Final = pa.ipc.IpcWriteOptions(compression="zstd")


def in_columns(source: Source, *, fill: bool = False) -> Conversion:
    """Give the events of a source as an Arrow stream; its matches are counted from 0.

    >>> from mjconv.conversion import source_of
    >>> log = b'{"type":"start_game","names":["A","B","C","D"]}'
    >>> conversion = in_columns(source_of(log, "mjai", "game.mjson"))
    >>> pa.ipc.open_stream(conversion.data).read_all().column("names").to_pylist()
    [['A', 'B', 'C', 'D']]
    """
    report = Report()
    stream = pa.BufferOutputStream()
    with pa.ipc.new_stream(stream, SCHEMA, options=_PACKED) as writer:
        for batch in record_batches(_told(source, report, fill=fill), source=source.name):
            writer.write_batch(batch)
    return Conversion(stream.getvalue().to_pybytes(), report.losses, report.warnings)


def _told(source: Source, report: Report, *, fill: bool) -> Iterator[Match]:
    """Give the matches; what the columns leave out of them is reported, and what they say beyond them."""
    for number, (match, _) in enumerate(source.readings(report)):
        lose(match, report, number)
        yield _filled(match, report, number) if fill else match


def _filled(match: Match, report: Report, number: int) -> Match:
    """Derive what was unsaid, and report it as assumed."""
    whole = filled(match)
    for index, (before, after) in enumerate(zip(match.rounds, whole.rounds, strict=True)):
        for event, (said, told) in enumerate(zip(before.events, after.events, strict=True)):
            if said is not told:
                kind = type(told).__struct_config__.tag
                names = (name for name in told.__struct_fields__ if getattr(said, name) is UNSET)
                report.losses += [
                    Loss(f"{kind}.{name}", "assumed", number, index, event, before.label)
                    for name in names
                    if getattr(told, name) is not UNSET
                ]
    return whole


class ColumnFile:
    """One Parquet file of all events: streams are gathered as they come, and written as row groups at the end."""

    def __init__(self, data: str, temporary: str) -> None:
        self.data = data
        self.temporary = temporary
        self.spool = Growing(f"{data}.{_SPOOL}")

    def restore(self, entry: Entry) -> None:
        """Remember how much was gathered."""
        self.spool.size = entry.grown.get(_SPOOL, self.spool.size)

    def add(self, path: str, made: Made) -> tuple[dict[str, int], tuple[int, ...]]:  # noqa: ARG002
        """Gather a stream."""
        self.spool.append(b"".join(made.parts))
        return {_SPOOL: self.spool.size}, ()

    def finish(self, entries: Callable[[], Iterator[Entry]]) -> None:
        """Write the file, games counted through; raises `OSError`."""
        # Cut off what is of a run that was cut off, where nothing came after it.
        self.spool.append(b"")
        self.spool.leave()
        with pq.ParquetWriter(self.temporary, SCHEMA, compression="zstd") as writer:
            waiting: list[pa.RecordBatch] = []
            rows = 0
            for batch in self._batches(entries()):
                waiting.append(batch)
                rows += batch.num_rows
                if rows >= GROUP_ROWS:
                    _write_group(writer, waiting)
                    rows = 0
            if waiting:
                _write_group(writer, waiting)
        os.replace(self.temporary, self.data)

    def _batches(self, entries: Iterator[Entry]) -> Iterator[pa.RecordBatch]:
        games = 0
        place = SCHEMA.get_field_index("game")
        with pa.OSFile(self.spool.path) as stream:
            for entry in entries:
                if entry.output is None:
                    continue
                for batch in pa.ipc.open_stream(stream):
                    counted = pc.add(batch.column(place), games)
                    yield batch.set_column(place, SCHEMA.field(place), counted)
                stream.seek(entry.grown[_SPOOL])
                games += entry.counts.games

    def leave(self) -> None:
        """Let go of the file."""
        self.spool.leave()


def _write_group(writer: pq.ParquetWriter, batches: list[pa.RecordBatch]) -> None:
    table = pa.Table.from_batches(batches, SCHEMA).unify_dictionaries()
    writer.write_table(table, row_group_size=table.num_rows)
    batches.clear()
