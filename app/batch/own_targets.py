"""Converts members to the targets that only batch writes: columns of events, decisions, rows of Kanachan.

Loading this module loads pyarrow, and `convert_to` may load the engine.
"""

from __future__ import annotations

from typing import Final

from mjconv.batch.columns import EVENTS, Table, arrow_stream, convert_to_columns
from mjconv.batch.plan import Plan
from mjconv.batch.shapes import KANACHAN, PARQUET, TARGETS
from mjconv.conversion import Conversion
from mjconv.ir.losses import Report
from mjconv.source import Source

#: The least number of rows of a group of decisions, except the last one. A row takes some ten kilobytes in memory.
GROUP_DECISIONS: Final = 1 << 13


def convert_to(source: Source, plan: Plan) -> Conversion:
    """Convert a source to the target of a plan, which is one of `shapes.TARGETS`."""
    players = TARGETS[plan.target].players
    if players is None:
        return convert_to_columns(source, fill=plan.fill)
    # Rows need the events alone.
    report = Report(extras=False)
    readings = source.readings(report)
    if plan.target == KANACHAN:
        from mjconv.train.kanachan import kanachan_rows

        rows = kanachan_rows(readings, report, source=source.name or "", settings=plan.kanachan)
        data = "".join(rows).encode()
    else:
        from mjconv.train.layout import schema_for
        from mjconv.train.rows import decision_batches

        data = arrow_stream(decision_batches(readings, players, report, source=source.name), schema_for(players))
    return Conversion(data, report.losses, report.warnings)


def table_of(target: str) -> Table:
    """Return the table of a target whose output is one Parquet file."""
    players = TARGETS[target].players
    if target == PARQUET or players is None:
        return EVENTS
    from mjconv.train.layout import schema_for

    return Table(schema_for(players), GROUP_DECISIONS)
