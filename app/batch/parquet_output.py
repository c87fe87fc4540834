"""Batch output as Parquet: the run collects streams of rows, and joins the row groups that workers make of them.

This module does not load pyarrow, so the process of the run does not either.
"""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import product
from math import inf
from struct import Struct as Layout
from typing import IO, Final, NamedTuple

import msgspec

from mjconv.archive.partition import MOST
from mjconv.batch.journal import AppendFile, JournalEntry
from mjconv.batch.outputs import ConvertAll, Entries, Output
from mjconv.batch.parquet_join import JoinedParquet
from mjconv.batch.paths import RunPaths
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Outcome, OutputData
from mjconv.batch.shapes import PARQUET, TARGETS
from mjconv.files.members import Member, SpooledRows
from mjconv.ir.errors import InputError, UnsupportedError

#: The names of growing files in the sizes of a journal entry begin so. The folder follows.
_SPOOL: Final = "spool:"
#: The head of a stream in a work file: the numbers of `_Spooled`, but the offset.
_SPOOLED: Final = Layout("<QQQQ")


class RowFrame(NamedTuple):
    """Rows that a worker returns of a member: their folder, their number, and a stream of them."""

    folder: str
    rows: int
    stream: bytes


frames_of: Final = msgspec.msgpack.Decoder(list[RowFrame]).decode


class ParquetOutput(Output):
    """Parquet files of each split and folder: collects streams. At the end, workers make row groups of them.

    A work file holds the streams of a split and folder, each behind its size, its rows and the number of its first
    match. The matches of all folders of a split are numbered together.
    """

    def __init__(self, plan: Plan, paths: RunPaths) -> None:
        super().__init__(plan, paths)
        self.matches = dict.fromkeys(plan.splits, 0)
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

    def finish(self, entries: Entries, convert: ConvertAll) -> None:  # noqa: ARG002
        """Write the Parquet files. Raises `OSError`, and `UnsupportedError` if no row group can be written."""
        self._cut()
        for key, shard, paths in self._outputs():
            self._write(paths, convert(self._groups(self.spools[key].path, shard)))

    def _cut(self) -> None:
        """Cut off bytes of an interrupted run that no later stream replaced."""
        for spool in self.spools.values():
            spool.append(b"")
            spool.close()

    def take(
        self, key: tuple[str, str], file: IO[bytes], end: int, first: int, chosen: Callable[[int], bool]
    ) -> None:
        """Collect streams of a split and folder again: those of a file from its position to `end`.

        `first` is added to the numbers of their matches. `chosen` selects streams by the number of rows before
        them in these bytes.
        """
        before = 0
        for one in _spooled(file, end):
            if chosen(before):
                head = _SPOOLED.pack(one.size, one.rows, one.match + first, one.weight)
                self.spool(*key).append(head + file.read(one.size))
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
            for table in tables:
                table.finish()
        for name, path in paths.items():
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            os.replace(own[name], path)

    def _groups(self, spool: str, shard: int) -> Iterator[Member]:
        """Yield the row groups of a shard as members: the same ones for any number of workers, at least one."""
        least = TARGETS[self.plan.target].group_rows
        shards = max(1, self.plan.shards)
        whole = sum(each.rows for each in _spooled_in(spool)) if shards > 1 else 1
        before = rows = first = weight = 0
        streams: list[tuple[int, int, int]] = []

        def group() -> Member:
            return Member(f"row groups from row {first} on", SpooledRows(spool, tuple(streams)), weight=weight)

        for one in _spooled_in(spool):
            if shards == 1 or before * shards // whole == shard:
                streams.append((one.offset, one.size, one.match))
                rows, weight = rows + one.rows, weight + one.weight
            before += one.rows
            if rows - first >= least:
                yield group()
                streams, first, weight = [], rows, 0
        if streams or not rows:
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

    def finish(self, entries: Entries, convert: ConvertAll) -> None:  # noqa: ARG002
        """Write the file. Raises `OSError`."""
        self._cut()
        self._rows = {}
        with open(self.paths.data, "wb") as whole:
            for key in sorted(self.spools):
                path = self.spools[key].path
                self._rows[key] = sum(one.rows for one in _spooled_in(path))
                with open(path, "rb") as spool:
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


def _spooled(file: IO[bytes], end: float = inf) -> Iterator[_Spooled]:
    while file.tell() < end and (head := file.read(_SPOOLED.size)):
        one = _Spooled(file.tell(), *_SPOOLED.unpack(head))
        yield one
        file.seek(one.offset + one.size)
