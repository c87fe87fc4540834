"""The action of ``mjconv stats``: read records and columns, and write a table of their players."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from glob import escape, glob
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec.structs import replace

from mjconv.api import record_sources
from mjconv.archive.selection import Selection
from mjconv.archive.where import Where
from mjconv.command.console import Exit, Failures, print_left_out, print_note, print_notes
from mjconv.command.options import STATS_BY
from mjconv.command.score import on_terminal, write_table
from mjconv.converters import formats
from mjconv.files.address import redacted
from mjconv.files.reading import STANDARD
from mjconv.files.storage import open_for_reading
from mjconv.files.walk import expand
from mjconv.ir.errors import InputError, UsageError
from mjconv.ir.losses import Report
from mjconv.ir.plural import counted
from mjconv.ir.suggestion import check_word
from mjconv.messages import SHOWN, warning_lines
from mjconv.options import ConvertOptions, Options
from mjconv.packages import check_packages
from mjconv.score.table import Grid, rank
from mjconv.source import Record, Source

if TYPE_CHECKING:
    import pyarrow as pa

    from mjconv.score.stats import By

_ENDING: Final = ".parquet"
#: The columns that fit a terminal of 80 characters.
_NARROW: Final = ("games", "average_place", "win_rate", "deal_in_rate", "riichi_rate")


class StatsOptions(Options, frozen=True, kw_only=True):
    """The options of ``mjconv stats``."""

    inputs: list[str]
    output: str | None = None
    format: str | None = None
    by: str | None = None
    player: list[str] | None = None
    min_games: int = 0
    sort: str | None = None
    columns: str | None = None
    wide: bool = False
    where: str | None = None
    dedup: bool = False
    source: str | None = None


def count_players(options: StatsOptions) -> Exit:
    """Write the table, print the errors of bad files, and return the worst status.

    Raises `UsageError` for wrong options, and `OSError`.
    """
    if options.by is not None:
        check_word("--by", options.by, STATS_BY)
    if options.source is not None:
        formats.find(options.source)
    check_packages("stats", "polars", "pyarrow")
    from mjconv.score.stats import Stats

    reading = _Reading(options)
    narrow = on_terminal(options.output) and options.format is None and not options.wide
    # An empty table has all columns: a wrong name is refused before archives are read.
    _shaped(Stats(cast("By | None", options.by)).grid(), replace(options, player=None), narrow=narrow)
    write_table(
        lambda: _shaped(reading.grid(), options, narrow=narrow), options.inputs, options.output, options.format
    )
    return reading.failures.status


def _shaped(grid: Grid, options: StatsOptions, *, narrow: bool) -> Grid:
    """Return a grid with the wanted rows and columns. A `narrow` one has only columns that fit a terminal."""
    names, rows = list(grid.columns), list[Sequence[Any]](grid.rows)
    keys = names[: names.index("games")]
    player, games = keys.index("player"), len(keys)
    if options.player and not (rows := [row for row in rows if row[player] in options.player]):
        raise UsageError(f"no player is called {' or '.join(map(repr, options.player))}")
    rows = [row for row in rows if row[games] >= options.min_games]
    wanted = options.columns.split(",") if options.columns else _NARROW if narrow else names[games:]
    for option, given in (("--columns", wanted), ("--sort", [options.sort] if options.sort else [])):
        for name in given:
            check_word(option, name, names)
    if options.sort is not None:
        column, by = options.sort, names.index(options.sort)
        rows.sort(key=lambda row: rank(row[by], column))
    shown = [names.index(name) for name in (*keys, *(name for name in wanted if name not in keys))]
    return Grid([names[one] for one in shown], [[row[one] for one in shown] for row in rows], missing=grid.missing)


class _Reading:
    """The inputs of the command, read one after another."""

    def __init__(self, options: StatsOptions) -> None:
        self.options = options
        self.failures = Failures()
        self.where = Where.of(options.where)
        #: With `--dedup`, the matches that count. The records are read twice, first in silence.
        self.selection: Selection | None = None
        self.warnings = 0

    def grid(self) -> Grid:
        from mjconv.score.stats import Stats, complete_games, event_tables

        names = [one for name in expand(self.options.inputs) for one in _columns_in(name) or [name]]
        selection = self._selection(names) if self.options.dedup else None
        stats = Stats(cast("By | None", self.options.by), None if selection else self.where)
        for name in names:
            if _is_columns(name):
                with self.failures.going_on():
                    for table in complete_games(self._row_groups(name)):
                        stats.add(table)
        sources = self._sources([name for name in names if not _is_columns(name)])
        for table in event_tables(record for source in sources for record in self._records(source)):
            stats.add(table)
        where = selection.where if selection else self.where
        if not stats.matches and not (where and where.left_out) and not self.failures.number:
            raise InputError("there is no record in it", file=", ".join(map(redacted, self.options.inputs)))
        if self.warnings > SHOWN:
            print_note(f"mjconv: … and {self.warnings - SHOWN} more warnings")
        print_left_out(where)
        if selection and selection.duplicates:
            print_note(f"mjconv: {counted(selection.duplicates, 'match', grouped=True)} left out by --dedup")
        if stats.others:
            number = counted(stats.others, "match", grouped=True)
            print_note(f"mjconv: {number} skipped: no riichi game of three or four players")
        return stats.grid()

    def _selection(self, names: list[str]) -> Selection:
        """Read the records, and return which match of each play states most. Raises `UsageError` for columns."""
        for name in names:
            if _is_columns(name) or name == STANDARD:
                kind = "standard input" if name == STANDARD else redacted(name)
                raise UsageError(
                    f"--dedup reads records twice, and not {kind}: "
                    "mjconv batch --dedup writes each match once, as Parquet too"
                )
        self.selection = Selection(ConvertOptions(where=self.options.where, dedup=True), ())
        self.failures.silent = True
        for source in self._sources(names):
            deque(self._records(source), 0)
        self.failures.silent = False
        self.selection.begin()
        return self.selection

    def _row_groups(self, name: str) -> Iterator[pa.Table]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        from mjconv.score.stats import COLUMNS, FEW_COLUMNS

        with open_for_reading(name) as stream:
            try:
                file = pq.ParquetFile(stream)
                missing = [column for column in COLUMNS if column not in file.schema_arrow.names]
                if missing:
                    raise InputError(
                        f"there is no column {missing[0]}; expected the events of mjconv batch --to parquet, "
                        "or with --tables its table events",
                        file=redacted(name),
                    )
                columns = FEW_COLUMNS if self.where is None else COLUMNS
                for number in range(file.num_row_groups):
                    yield file.read_row_group(number, columns=list(columns))
            except pa.ArrowException as error:
                raise InputError(
                    f"this is no Parquet file that can be read: {error}", file=redacted(name)
                ) from None

    def _sources(self, names: list[str]) -> Iterator[Source]:
        return record_sources(names, self.options.source, self.failures.add, wall=False)

    def _records(self, source: Source) -> Iterator[Record]:
        """Yield the matches of a source up to its first error."""
        report = Report()
        with self.failures.going_on():
            for reading in source.readings(report):
                if self.selection is None or self.selection.keeps(reading.match, source.form, source.name):
                    yield Record(source.name or "", 0, reading.match, source.form.id)
        if not self.failures.silent:
            # The first warnings of all files are shown, not those of each.
            shown = report.warnings[: max(SHOWN - self.warnings, 0)]
            print_notes(warning_lines(shown, source.name or ""))
            self.warnings += len(report.warnings)


def _columns_in(folder: str) -> list[str]:
    """Return the Parquet files below a folder, in order: those with events, if there are any."""
    found = sorted(glob(os.path.join(escape(folder), "**", f"*{_ENDING}"), recursive=True))
    return [path for path in found if _has_events(path)] or found


def _has_events(path: str) -> bool:
    """Return whether a file has events. A damaged one may have them: whoever reads it reports the damage."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from mjconv.score.stats import COLUMNS

    try:
        return {*COLUMNS} <= {*pq.read_schema(path).names}
    except pa.ArrowException:
        return True


def _is_columns(name: str) -> bool:
    return name.lower().endswith(_ENDING)
