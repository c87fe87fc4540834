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
from mjconv.files.storage import read_ranges
from mjconv.fleet.results import Done
from mjconv.fleet.shards import Head, Joining, Piece, Shard, shard_id
from mjconv.fleet.store import Store

#: The bytes of collected rows of a file, about twice its own, unless the plan has a number of files.
FILE_BYTES: Final = 1 << 28


def joinings(head: Head, output: str, first: int, done: Iterable[Done]) -> Iterator[Shard]:
    """Yield the shards that join the rows of complete shards. They count from `first`."""
    plan, digest = head.plan, head.digest()
    always = plan.splits if plan.options.partition_by is None else ()
    found: dict[tuple[str, str], list[tuple[Piece, int]]] = {(split, ""): [] for split in always}
    rows: dict[tuple[str, str], int] = {}
    matches: dict[str, int] = {}
    for one in done:
        end = 0
        for split, folder, size, own in one.collected:
            begin, end = end, end + size
            key = split, folder
            piece = Piece(one.parts[0].path, begin, end, matches.get(split, 0), rows.get(key, 0))
            if own:
                found.setdefault(key, []).append((piece, own))
                rows[key] = rows.get(key, 0) + own
        add_numbers(matches, one.summary.splits or {"": one.summary.counts.matches})
    for key in sorted(found):
        whole = rows.get(key, 0)
        files = plan.shards or 1 + sum(piece.end - piece.begin for piece, _ in found[key]) // FILE_BYTES
        for number in range(files):
            several = [
                piece
                for piece, own in found[key]
                if piece.before * files // whole <= number <= (piece.before + own - 1) * files // whole
            ]
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
    paths = RunPaths.of(own, os.path.join(folder, "part"))
    paths.create()
    output = ParquetOutput(own, paths)
    # A file without rows is written too.
    output.spool(source.split, source.folder)
    for piece in source.pieces:
        [data] = read_ranges([(store.path(piece.object), piece.begin, piece.end)])

        def chosen(before: int, piece: Piece = piece) -> bool:
            return (piece.before + before) * source.files // source.rows == source.number

        output.take((source.split, source.folder), data, piece.first_match, chosen)
    output.finish(lambda: iter(()), lambda groups: ((one, convert_member(Task(0, one), own)) for one in groups))
    for _, path in output.files():
        place = os.path.dirname(os.path.relpath(path, paths.output)).replace(os.sep, "/")
        yield PartFile(path, PARQUET, source.split, name, _matches_in(path), place)


def _matches_in(path: str) -> int:
    """Return the number of matches of a Parquet file. The rows of a match are in one row group."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        games = (file.read_row_group(number, columns=["game"])["game"] for number in range(file.num_row_groups))
        return sum(int(pc.count_distinct(one).as_py()) for one in games)
