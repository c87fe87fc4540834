"""The results of shards, each written after its part, and the manifest, the last object of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mjconv.batch.summary import Summary
from mjconv.fleet.shards import ENDINGS, Head, Shard, shard_name
from mjconv.fleet.store import Store
from mjconv.messages import indented_json, json_record

#: The folders of the objects of a fleet.
PARTS: Final = "parts"
DONE: Final = "done"
FAILED: Final = "failed"
FAILURES: Final = "failures"
RENAMED: Final = "renamed"
FOLDERS: Final = (PARTS, DONE, FAILED, FAILURES, RENAMED)
#: The objects beside the folders.
PLAN: Final = "plan.jsonl"
MANIFEST: Final = "manifest.json"


class Done(Struct, frozen=True):
    """The result of a shard that is converted.

    `part` is the name of its part, `size` the size of the part in bytes, and `digest` its BLAKE2b digest of 16
    bytes.
    `rows` is the number of rows of a Parquet part. `summary` counts its members, matches, losses and failures.
    `failures` and `renamed` are the names of its lists of members, empty if there is none.
    """

    number: int
    id: str
    part: str
    size: int
    digest: str
    rows: int
    summary: Summary
    failures: str = ""
    renamed: str = ""

    def encoded(self) -> bytes:
        """Return the bytes of the object."""
        return json_record(self)

    @classmethod
    def of(cls, data: bytes, shard: str) -> Done | None:
        """Read the object of a shard; None if it is damaged, or names an object that is not of this shard."""
        try:
            done = msgspec.json.decode(data, type=cls)
        except msgspec.DecodeError:
            return None
        own = shard_name(done.number, done.id) == shard
        own &= done.part in [f"{PARTS}/{shard}{ending}" for ending in ENDINGS.values()]
        own &= done.failures in ("", f"{FAILURES}/{shard}.jsonl")
        return done if own and done.renamed in ("", f"{RENAMED}/{shard}.jsonl") else None


class FailedShard(Struct, frozen=True):
    """A shard that could not be converted: its name, the error, and the number of attempts.

    `changed` is true if a source changed after the plan was made.
    """

    shard: str
    error: str
    attempts: int
    changed: bool = False

    @classmethod
    def of(cls, data: bytes, shard: str) -> FailedShard:
        """Read the object of a shard. The error of a damaged object is that it is damaged."""
        try:
            failed = msgspec.json.decode(data, type=cls)
        except msgspec.DecodeError:
            failed = cls(shard, "the object with its error is damaged", 0)
        return replace(failed, shard=shard)

    def encoded(self) -> bytes:
        """Return the bytes of the object."""
        return json_record(self)


#: The number of results that are read at the same time.
_TOGETHER = 256


class Part(Struct, frozen=True):
    """A part: its name below the output, its size in bytes, and its digest (BLAKE2b, 16 bytes).

    The matches of a part count from 0; in the whole output they count from `first_match`. `rows` counts the rows
    of a Parquet file.
    """

    path: str
    size: int
    digest: str
    matches: int
    first_match: int
    rows: int


class LossCount(Struct, frozen=True):
    """A kind of loss, its fate, and how often it occurs."""

    what: str
    fate: str
    count: int


class Manifest(Struct, frozen=True):
    """A complete run: its plan, its parts in the order of the input, and the sums of its results.

    `failures` and `renamed` are the names of the lists of members, empty if there is none. `missing` are the
    shards that were left out because they failed.
    """

    version: str
    libraries: dict[str, str]
    inputs: tuple[str, ...]
    target: str
    members: int
    converted: int
    failed: int
    skipped: int
    matches: int
    rounds: int
    messages: int
    rows: int
    losses: list[LossCount]
    failure_kinds: dict[str, int]
    skips: dict[str, int]
    failures: str
    renamed: str
    missing: list[FailedShard]
    parts: list[Part]

    def encoded(self) -> bytes:
        """Return the bytes of the object."""
        return indented_json(self, indent=1)

    @classmethod
    def read(cls, store: Store) -> Manifest | None:
        """Read the manifest of a store; None if there is none yet, or a damaged one."""
        try:
            return msgspec.json.decode(store.read(MANIFEST), type=cls)
        except (FileNotFoundError, msgspec.DecodeError):
            return None


def results(store: Store, names: Iterable[str]) -> Iterator[Done | None]:
    """Read the results of shards, in order; None for a damaged one."""
    rest = iter(names)
    while waiting := list(islice(rest, _TOGETHER)):
        yield from map(Done.of, store.read_all([f"{DONE}/{name}.json" for name in waiting]), waiting)


def pending(shards: Iterable[Shard], store: Store) -> Iterator[Shard]:
    """Yield the shards that have no result, or no part."""
    done, parts = store.sizes(DONE), store.sizes(PARTS)
    for shard in shards:
        part = f"{PARTS}/{shard.name}{ENDINGS[shard.head.plan.shape]}"
        if f"{DONE}/{shard.name}.json" not in done or part not in parts:
            yield shard


def damaged(done: Iterable[Done | None], names: Iterable[str], store: Store) -> list[str]:
    """Return the names of shards whose result is damaged, or whose part has another size than stated."""
    parts = store.sizes(PARTS)
    return [name for one, name in zip(done, names, strict=True) if one is None or parts.get(one.part) != one.size]


def summed(head: Head, done: Iterable[Done], missing: list[FailedShard]) -> tuple[Manifest, list[str], list[str]]:
    """Return the manifest of results in order, and the names of their lists of failures and of renamed members."""
    whole = Summary()
    parts: list[Part] = []
    failures: list[str] = []
    renamed: list[str] = []
    rows = 0
    for one in done:
        matches = one.summary.counts.matches
        parts.append(Part(one.part, one.size, one.digest, matches, whole.counts.matches, one.rows))
        failures += filter(None, [one.failures])
        renamed += filter(None, [one.renamed])
        rows += one.rows
        whole.merge(one.summary)
    manifest = Manifest(
        version=head.version,
        libraries=head.libraries,
        inputs=head.plan.inputs,
        target=head.plan.target,
        members=whole.members,
        converted=whole.converted,
        failed=whole.failed,
        skipped=whole.skipped,
        matches=whole.counts.matches,
        rounds=whole.counts.rounds,
        messages=whole.counts.messages,
        rows=rows,
        losses=[LossCount(what, fate, number) for fate, what, number in whole.losses()],
        failure_kinds=dict(sorted(whole.failures.items())),
        skips=dict(sorted(whole.skips.items())),
        failures="failures.jsonl" if failures else "",
        renamed="renamed.jsonl" if renamed else "",
        missing=missing,
        parts=parts,
    )
    return manifest, failures, renamed
