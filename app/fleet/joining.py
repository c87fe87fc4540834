"""The second step of a fleet whose Parquet has folders or a number of files: it joins the rows of all shards.

The files have the bytes that batch writes on one machine.
"""

import os
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from mjconv.batch.parquet_output import ParquetOutput
from mjconv.batch.paths import RunPaths
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Task, add_numbers
from mjconv.batch.shapes import PARQUET
from mjconv.batch.worker import convert_member
from mjconv.files.storage import open_for_reading
from mjconv.fleet.results import Done
from mjconv.fleet.shards import Head, Joining, Shard, ShardRows, shard_id
from mjconv.fleet.store import Store

#: The bytes of collected rows of a file, about twice its own, unless the plan has a number of files.
FILE_BYTES: Final = 1 << 28


def joinings(head: Head, output: str, first: int, done: Iterable[Done | None]) -> Iterator[Shard]:
    """Yield the shards that join the rows of complete shards. They count from `first`.

    If a result is None, there are no such shards.
    """
    plan, digest = head.plan, head.digest()
    always = plan.splits if plan.options.partition_by is None else ()
    found: dict[tuple[str, str], list[tuple[ShardRows, int]]] = {(split, ""): [] for split in always}
    rows: dict[tuple[str, str], int] = {}
    matches: dict[str, int] = {}
    for one in done:
        if one is None:
            return
        end = 0
        for split, folder, size, own in one.collected:
            begin, end = end, end + size
            key = split, folder
            piece = ShardRows(one.parts[0].path, begin, end, matches.get(split, 0), rows.get(key, 0))
            if own:
                found.setdefault(key, []).append((piece, own))
                rows[key] = rows.get(key, 0) + own
        add_numbers(matches, one.summary.splits or {"": one.summary.counts.matches})
    for key in sorted(found):
        whole = rows.get(key, 0)
        files = plan.shards or 1 + sum(piece.end - piece.begin for piece, _ in found[key]) // FILE_BYTES
        pieces: list[list[ShardRows]] = [[] for _ in range(files)]
        for piece, own in found.pop(key):
            for number in range(piece.before * files // whole, (piece.before + own - 1) * files // whole + 1):
                pieces[number].append(piece)
        for number, several in enumerate(pieces):
            source = Joining(*key, number, files, whole, tuple(several))
            weight = sum(piece.end - piece.begin for piece in several)
            yield Shard(first, shard_id(digest, source), source, len(several), weight, head, output)
            first += 1


class PartFile(NamedTuple):
    """A file that becomes a part: its path, its shape, and values of `Part`."""

    path: str
    shape: str
    split: str
    read: str
    matches: int
    folder: str = ""


def join(plan: Plan, source: Joining, name: str, store: Store, folder: str) -> Iterator[PartFile]:
    """Write the file of each table into a folder. `name` is the id of the shard."""
    # The other splits have files of their own.
    split = f"{source.split}=1" if source.split else None
    own = replace(plan, shape=PARQUET, shards=1, options=replace(plan.options, split=split))
    paths = RunPaths(own, os.path.join(folder, "part"))
    paths.create()
    output = ParquetOutput(own, paths)
    # A file without rows is written too.
    output.spool(source.split, source.folder)
    for piece in source.pieces:

        def chosen(before: int, piece: ShardRows = piece) -> bool:
            return (piece.before + before) * source.files // source.rows == source.number

        # The rows of a shard may be larger than the memory.
        with open_for_reading(store.path(piece.object), piece.end) as file:
            file.seek(piece.begin)
            output.take((source.split, source.folder), file, piece.end, piece.first_match, chosen)
    output.finish(lambda: iter(()), lambda groups: ((one, convert_member(Task(0, one), own)) for one in groups))
    for _, path in output.files():
        place = os.path.dirname(os.path.relpath(path, paths.output)).replace(os.sep, "/")
        yield PartFile(path, PARQUET, source.split, name, _matches_in(path), place)


def _matches_in(path: str) -> int:
    """Return the number of matches with rows in a Parquet file. The rows of a match are in one row group."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        # Decisions have the number of the match in its source.
        keys = ["source", "match"] if "match" in file.schema_arrow.names else ["game"]
        groups = (file.read_row_group(number, columns=keys) for number in range(file.num_row_groups))
        return sum(one.group_by(keys).aggregate([]).num_rows for one in groups)
