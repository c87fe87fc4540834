"""A dataset of decisions for PyTorch. Loading this module loads torch, which the extra ``torch`` installs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, InitVar, dataclass
from itertools import chain, islice
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
from torch.utils.data import IterableDataset, get_worker_info

from mjconv.api import OnError, iter_readings, treat
from mjconv.converters.interface import Reading
from mjconv.files.walk import expand
from mjconv.ir.errors import MjconvError, PlayError
from mjconv.ir.losses import Report
from mjconv.source import FileName, Record, names_in
from mjconv.train.features import features_of, legal_of
from mjconv.train.rows import decision_batches

#: The columns of each batch.
_COLUMNS: Final = ("features", "legal", "action")


@dataclass(eq=False, repr=False)
class DecisionDataset(IterableDataset[Any]):
    """Batches of decisions in random order, from files of ``mjconv batch --to decisions`` or from records.

    `source` is a name, a pattern, or several: of Parquet files, or of the files, folders and archives that
    `iter_matches` reads. Records are replayed in each epoch, some 35 ms a game; `players` and `errors`, as in
    `decisions`, are for them. Give the dataset to a `DataLoader` with ``batch_size=None``: it makes tensors.

    A batch is a dict of arrays of `batch` rows: ``features``, ``legal`` and ``action``, and the columns of numbers
    that `columns` names, where NaN is a missing value. `buffer` rows are mixed at a time. The row groups of files
    come in random order, the games of archives in their own; so use a buffer of many games there.

    Each worker of the loader reads its part of the row groups or games, of those of the process that `shard` names
    as number and count, such as ``(rank, world_size)``. Processes may have different numbers of batches.

    `seed` and `epoch` decide the order. The end of an epoch begins the next one. If the workers of the loader are
    not persistent, set `epoch` before each epoch.

    >>> import pyarrow.parquet as pq
    >>> from mjconv.train.layout import schema_for
    >>> pq.write_table(schema_for(4).empty_table(), "games.parquet")
    >>> dataset = DecisionDataset("*.parquet", columns=["delta", "place"])
    >>> len(list(dataset)), dataset.epoch
    (0, 1)
    """

    source: InitVar[FileName | Iterable[FileName]]
    _: KW_ONLY
    batch: int = 256
    buffer: int = 1 << 15
    seed: int = 0
    shard: tuple[int, int] = (0, 1)
    columns: Sequence[str] = ()
    players: int = 4
    errors: OnError = "raise"

    def __post_init__(self, source: FileName | Iterable[FileName]) -> None:
        self.names = expand(names_in(source))
        self.epoch = self._done = 0
        self._own = True

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield the batches of an epoch that are left. Raises as `iter_matches` and `features_of`."""
        worker = get_worker_info()
        number, workers = (0, 1) if worker is None else (worker.id, worker.num_workers)
        if not self._own:
            # The loader takes batches from its workers in turn, and begins with worker 0.
            number = (number + self._done) % workers
            self._done, self._own = -((number - self._done) // workers), True
        part, parts = self.shard[0] * workers + number, self.shard[1] * workers
        for rows in islice(self._batches(part, parts), self._done, None):
            self._done += 1
            yield self._arrays(rows)
        self.epoch, self._done = self.epoch + 1, 0

    def state_dict(self) -> dict[str, int]:
        """Return the state: the epoch, and the number of its batches that this copy of the dataset yielded.

        Without workers, that is the state of the training. A `StatefulDataLoader` of torchdata asks each worker.
        With the workers of a `DataLoader`, count the batches yourself.
        """
        return {"epoch": self.epoch, "batches": self._done}

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Continue from a state: the same batches follow, until the first worker of a loader has no more.

        In the main process, ``batches`` counts those of all workers. The batches before are read again, but not
        made to arrays, which is quick for files. Records are replayed.
        """
        self.epoch, self._done = state["epoch"], state["batches"]
        self._own = get_worker_info() is not None

    def _arrays(self, rows: pa.Table) -> dict[str, Any]:
        action = rows["action"].to_numpy().astype(np.int64)
        # A copy each: torch warns of arrays that it cannot write to, such as those of a table.
        others = {name: rows[name].to_numpy().copy() for name in self.columns}
        return {"features": features_of(rows), "legal": legal_of(rows), "action": action, **others}

    def _batches(self, part: int, parts: int) -> Iterator[pa.Table]:
        """Yield the rows of each batch of a part: the rows of full buffers, mixed."""
        random = np.random.default_rng([self.seed, self.epoch, part])
        held: list[pa.Table] = []
        for table in chain(self._tables(part, parts), [None]):
            held += [] if table is None else [table]
            size = sum(one.num_rows for one in held)
            if size and (table is None or size >= self.buffer):
                rows = pa.concat_tables(held).combine_chunks().take(random.permutation(size))
                # The rows behind the last full batch are mixed with the next ones.
                end = size if table is None else size - size % self.batch
                for begin in range(0, end, self.batch):
                    yield rows.slice(begin, min(self.batch, end - begin))
                held = [rows.slice(end)]

    def _tables(self, part: int, parts: int) -> Iterator[pa.Table]:
        names = [*_COLUMNS, *self.columns]
        if all(name.endswith(".parquet") for name in self.names):
            files = ds.dataset(self.names, format="parquet").get_fragments()
            groups = [group for file in files for group in file.split_by_row_group()]
            # All parts have the same order.
            for number in np.random.default_rng([self.seed, self.epoch]).permutation(len(groups))[part::parts]:
                yield groups[number].to_table(columns=names)
        else:
            # Decisions need the events alone.
            for batches in iter_readings(self._replayed, self.names, None, self.errors, (part, parts), wall=False):
                yield from (pa.Table.from_batches([batch]).select(names) for batch in batches)

    def _replayed(self, record: Record, reading: Reading) -> list[pa.RecordBatch]:
        report = Report()
        try:
            batches = list(decision_batches([reading], self.players, report, source=record.source))
        except MjconvError as error:
            error.file = record.source
            treat(error, self.errors)
            return []
        for warning in report.warnings:
            treat(PlayError(f"{record.source}: {warning.message}"), self.errors)
        return batches
