"""What workers do for tables: they collect the rows of members, and make row groups of Parquet of them.

Loading this module loads pyarrow, and `convert_to` may load the engine.
"""

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Final

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from mjconv.archive.facts import Facts
from mjconv.archive.partition import partition_of
from mjconv.batch.parquet_output import RowFrame
from mjconv.batch.plan import Plan
from mjconv.batch.shapes import KANACHAN, TARGETS
from mjconv.columns.losses import report_losses
from mjconv.columns.rows import EventColumns, collected, decoded
from mjconv.columns.schema import facts_row, schema_with
from mjconv.conversion import Conversion
from mjconv.files.members import SpooledRows
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mjconv.source import Source

_CODEC: Final = "zstd"


def convert_to_columns(
    source: Source, name: str | None = None, derive: str | None = None, partition_by: str | None = None
) -> Conversion:
    """Convert a source to frames of its events, with this name; its matches count from 0.

    `derive` names derived columns. `partition_by` makes frames for each folder.

    >>> from mjconv.batch.parquet_output import frames_of
    >>> from mjconv.source import source_of
    >>> log = b'{"type":"start_game","names":["A","B","C","D"]}'
    >>> conversion = convert_to_columns(source_of(log, "mjai", "game.mjson"), partition_by="players")
    >>> [(folder, rows, _)] = frames_of(conversion.data)
    >>> folder, rows
    ('players=4', 1)
    """
    report = Report(played=False)
    names = derive.split(",") if derive else ()

    def folder_of(facts: Facts) -> str:
        return "" if partition_by is None else partition_of(facts_row(facts), partition_by)

    matches = _matches(source, report)
    parts = collected(matches, source=name, form=source.form, derive=names, folder_of=folder_of)
    frames = [
        RowFrame(folder, one.length, pa.compress(one.encoded(), _CODEC, asbytes=True)) for folder, one in parts
    ]
    return Conversion(msgspec.msgpack.encode(frames), report.losses, report.warnings, impossible=report.impossible)


def _unpacked(stream: bytes) -> pa.NativeFile:
    return pa.CompressedInputStream(pa.BufferReader(stream), _CODEC)


def _arrow_stream(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> RowFrame:
    """Return record batches as one stream.

    It is compressed as a whole: Arrow's own compression packs each of its hundred buffers alone, and takes ten
    times as long.
    """
    data, rows = pa.BufferOutputStream(), 0
    with pa.CompressedOutputStream(data, _CODEC) as packed, pa.ipc.new_stream(packed, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
            rows += batch.num_rows
    return RowFrame("", rows, data.getvalue().to_pybytes())


def _matches(source: Source, report: Report) -> Iterator[Match]:
    """Return the matches, and report the data without a column."""
    for number, (match, _) in enumerate(source.readings(report)):
        report_losses(match, report, number)
        yield match


def row_groups(piece: SpooledRows, plan: Plan) -> list[bytes]:
    """Return a Parquet file with one row group for each table of collected streams."""
    table = _joined(_streams(piece), plan)
    if not any(plan.tables):
        return [_parquet(table)]
    # Loaded here: polars is optional.
    from mjconv.columns.tables import made_table

    return [_parquet(made_table(table, name)) for name in plan.tables]


def _joined(streams: Iterable[tuple[bytes, int]], plan: Plan) -> pa.Table:
    """Return the rows of streams. The number of its first match comes with each stream."""
    players = TARGETS[plan.target].players
    if players is None:
        schema, columns = schema_with(plan.options.derive), EventColumns()
        for stream, game in streams:
            columns.join(decoded(_unpacked(stream).read()), game)
        return pa.Table.from_batches([columns.batch(schema)], schema)
    from mjconv.train.layout import schema_for

    batches = [batch for stream, _ in streams for batch in pa.ipc.open_stream(_unpacked(stream))]
    # Many small chunks take a quarter longer to write than one.
    return pa.Table.from_batches(batches, schema_for(players)).unify_dictionaries().combine_chunks()


def _streams(piece: SpooledRows) -> Iterator[tuple[bytes, int]]:
    with open(piece.path, "rb") as file:
        for offset, size, first in piece.streams:
            file.seek(offset)
            yield file.read(size), first


def _parquet(table: pa.Table) -> bytes:
    stream = BytesIO()
    pq.write_table(table, stream, compression="zstd", row_group_size=max(1, table.num_rows))
    return stream.getvalue()


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
