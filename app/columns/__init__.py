"""Convert matches to Arrow tables and Parquet files with one row per event.

Columns need pyarrow, which the extra ``parquet`` installs. It is loaded on first use.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from mjconv.api import iter_records
from mjconv.columns.names import EVENTS, TABLES
from mjconv.ir.errors import UsageError
from mjconv.ir.match import Match
from mjconv.ir.suggestion import check_word
from mjconv.packages import check_packages
from mjconv.source import FileName, Record

if TYPE_CHECKING:
    import pyarrow as pa

#: One match or several, or the name of a file, a folder or an archive.
Matches: TypeAlias = Match | Record | Iterable[Match | Record] | FileName


def to_arrow(
    matches: Matches, *, source: str | None = None, table: str = "events", derive: str | None = None
) -> pa.Table:
    """Return the events of one match or several as an Arrow table with one row per event.

    `matches` may also be the path of a file, a folder or an archive, which `iter_records` reads. The columns are
    those of `mjconv.columns.schema.COLUMNS`: ``game`` counts the matches from 0, ``round`` their rounds; a missing
    value is null. The column ``source`` holds the source of each `Record`, as `iter_records` yields them. If
    `source` is set, it holds that for all matches. `table` is ``events``, or ``games``, ``seats`` or ``rounds``,
    which are made of the events by polars. `derive` names columns of `schema.DERIVED` to add to the events, as
    ``shanten,waits``. Raises `UsageError` for an unknown name, for `derive` with another table, and if a package
    is not installed, and the errors of `iter_records`.

    >>> from mjconv.ir.events import Draw
    >>> from mjconv.ir.match import Round
    >>> table = to_arrow(Match(rounds=[Round([Draw(2, "5mr")])]))
    >>> table.select(["game", "round", "turn", "type", "actor", "pai"]).to_pylist()
    [{'game': 0, 'round': 0, 'turn': 1, 'type': 'tsumo', 'actor': 2, 'pai': '5mr'}]
    """
    check_installed("to_arrow")
    import pyarrow as pa

    from mjconv.columns.rows import record_batches
    from mjconv.columns.schema import schema_with

    check_word("table", table, TABLES)
    if derive and table != EVENTS:
        raise UsageError(f"derive adds columns to the table {EVENTS}, not to {table}")
    schema = schema_with(derive)
    batches = record_batches(matches_of(matches), source=source, schema=schema)
    events = pa.Table.from_batches(batches, schema).unify_dictionaries()
    if table == EVENTS:
        return events
    # Loaded here: polars is optional.
    from mjconv.columns.tables import made_table

    return made_table(events, table)


def matches_of(matches: Matches) -> Iterable[Match | Record]:
    """Return matches or records one by one: those of a path are read. Raises the errors of `iter_records`."""
    if isinstance(matches, str | os.PathLike):
        return iter_records(matches, wall=False)
    return [matches] if isinstance(matches, Match | Record) else matches


def check_installed(user: str) -> None:
    """Raise `UsageError` if pyarrow is not installed, and on a machine with big-endian numbers.

    `user` is what needs them, as the message names it.
    """
    check_packages(user, "pyarrow")
    if sys.byteorder != "little":
        raise UsageError("columns need a machine with little-endian numbers")
