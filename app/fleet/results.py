"""The results of shards, each written after its part, and the manifest, the last object of a run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from mjconv.batch.digests import sha256_in
from mjconv.batch.protocol import add_numbers
from mjconv.batch.shapes import STREAMS
from mjconv.batch.summary import Summary
from mjconv.fleet.shards import ENDINGS, Head, shard_name
from mjconv.fleet.store import COLLECTED, DONE, FAILURES, MANIFEST, PARTS, RENAMED, Store
from mjconv.messages import indented_json
from mjconv.options import ConvertOptions


class Part(Struct, frozen=True):
    """A part: its name below the output, its shard, its size in bytes, and its SHA-256.

    Its name is made of its contents. `read` is the SHA-256 of the members' bytes: of a line for each member with
    its SHA-256 and its name. The matches of a part count from 0; those of all parts of its `split` count from
    `first_match`, which only the manifest states. `rows` counts the rows of a Parquet file.

    A part of joined rows is in a `folder` of the parts, and `read` is the id of its shard. The matches of all such
    parts are numbered together.
    """

    path: str
    shard: str
    size: int
    sha256: str
    read: str
    matches: int
    first_match: int
    rows: int
    split: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]*$")] = ""
    folder: Annotated[str, Meta(pattern="^([A-Za-z0-9_-][A-Za-z0-9_.~%=-]*(/(?=[A-Za-z0-9])|$))*$")] = ""


class Done(Struct, frozen=True):
    """The result of a shard that is converted.

    `parts` are its parts: one, or one for each split. `sha256` has the SHA-256 of the parts and of the lists by
    name. `summary` counts its members, matches, losses and failures. `failures` and `renamed` are the names of its
    lists of members, empty if there is none. `collected` are the rows in its part that other shards join to files,
    in order: split, folder, size in bytes, number of rows.
    """

    number: int
    id: str
    parts: tuple[Part, ...]
    sha256: dict[str, str]
    summary: Summary
    failures: str = ""
    renamed: str = ""
    collected: tuple[tuple[str, str, int, int], ...] = ()

    @classmethod
    def of(cls, data: bytes, shard: str) -> Done | None:
        """Read the object of a shard; None if it is damaged, or names an object that is not of this shard."""
        try:
            done = msgspec.json.decode(data, type=cls)
        except msgspec.DecodeError:
            return None
        own = shard_name(done.number, done.id) == shard
        for part in done.parts:
            names = [part_name(done.number, part.sha256, shape, part.split, part.folder) for shape in ENDINGS]
            own &= part.shard == shard and part.path in names and done.sha256.get(part.path) == part.sha256
        own &= done.failures in ("", f"{FAILURES}/{shard}.jsonl")
        own &= done.renamed in ("", f"{RENAMED}/{shard}.jsonl")
        listed = {part.path for part in done.parts} | {done.failures, done.renamed} - {""}
        return done if own and done.parts and {*done.sha256} == listed else None


def part_name(number: int, sha256: str, shape: str, split: str = "", folder: str = "") -> str:
    """Return the name of a part, made of its contents.

    >>> part_name(12, "8d0f" * 16, "zip"), part_name(12, "8d0f" * 16, "parquet", "val", "val-games/month=2024-01")
    ('parts/000012-8d0f8d0f8d0f8d0f.zip', 'parts/val-games/month=2024-01/000012-8d0f8d0f8d0f8d0f-val.parquet')
    """
    above = COLLECTED if shape == STREAMS else PARTS
    return f"{above}/{folder}{folder and '/'}{number:06}-{sha256[:16]}{split and '-'}{split}{ENDINGS[shape]}"


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


class DamagedShard(NamedTuple):
    """A damaged or missing object, and the name of its shard, empty for a list of all shards."""

    shard: str
    object: str


#: The number of results that are read at the same time.
_TOGETHER = 256


class Manifest(Struct, frozen=True):
    """A complete run: versions, options, inputs, the summary of all results, and parts in the order of the input.

    `failures` and `renamed` are the names of the lists of members, empty if there is none. `missing` are the
    shards that were left out because they failed. `sha256` are the digests of the lists by name.
    """

    version: str
    libraries: dict[str, str]
    inputs: tuple[str, ...]
    options: ConvertOptions
    target: str
    summary: Summary
    rows: int
    failures: str
    renamed: str
    missing: list[FailedShard]
    parts: list[Part]
    sha256: dict[str, str] = {}

    def encoded(self) -> bytes:
        """Return the bytes of the object."""
        return indented_json(self, indent=1)

    def sums(self) -> bytes:
        """Return the list of the SHA-256 of all parts, of the lists, and of the manifest."""
        own = {part.path: part.sha256 for part in self.parts} | self.sha256
        own[MANIFEST] = hashlib.sha256(self.encoded()).hexdigest()
        return "".join(f"{sha256}  {name}\n" for name, sha256 in own.items()).encode()

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


def damaged(
    done: Iterable[Done | None],
    names: Iterable[str],
    store: Store,
    *,
    contents: bool = False,
    spared: Callable[[str], bool] = lambda _: False,
) -> Iterator[DamagedShard]:
    """Yield the shards whose result, part or list is damaged or gone, each with the name of the object.

    Objects that are `spared` may be gone.
    With `contents`, all bytes are read and their SHA-256 compared; else the sizes of the parts are compared.
    """
    sizes = store.sizes(PARTS) | store.sizes(COLLECTED) | store.sizes(FAILURES) | store.sizes(RENAMED)
    for one, name in zip(done, names, strict=True):
        if one is None:
            yield DamagedShard(name, f"{DONE}/{name}.json")
            continue
        stated = {part.path: part.size for part in one.parts}
        for path, sha256 in one.sha256.items():
            if path not in sizes and spared(path):
                continue
            wrong = path not in sizes or sizes[path] != stated.get(path, sizes[path])
            if wrong or (contents and sha256_in(store.path(path)) != sha256):
                yield DamagedShard(name, path)
                break


def summed(head: Head, done: Iterable[Done], missing: list[FailedShard]) -> tuple[Manifest, list[str], list[str]]:
    """Return the manifest of results in order, and the names of their lists of failures and of renamed members."""
    whole = Summary()
    parts: list[Part] = []
    failures: list[str] = []
    renamed: list[str] = []
    first: dict[str, int] = {}
    joined = head.plan.shape == STREAMS
    for one in done:
        for part in one.parts:
            if part.path.startswith(f"{COLLECTED}/"):
                continue
            parts.append(replace(part, first_match=0 if joined else first.get(part.split, 0)))
            add_numbers(first, {part.split: part.matches})
        failures += filter(None, [one.failures])
        renamed += filter(None, [one.renamed])
        whole.merge(one.summary)
    manifest = Manifest(
        version=head.version,
        libraries=head.libraries,
        inputs=head.plan.inputs,
        options=head.plan.options,
        target=head.plan.target,
        summary=whole,
        rows=sum(part.rows for part in parts),
        failures="failures.jsonl" if failures else "",
        renamed="renamed.jsonl" if renamed else "",
        missing=missing,
        parts=parts,
    )
    return manifest, failures, renamed
