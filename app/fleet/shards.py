"""Shards: the parts of a plan, each with everything that its conversion depends on."""

import hashlib
import os
from collections.abc import Iterable
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mjconv.batch.plan import Plan, libraries_for
from mjconv.batch.shapes import LINES, PARQUET, STREAMS
from mjconv.ir.errors import UsageError
from mjconv.version import VERSION

#: The usual number of entries or files of a shard.
SHARD_FILES: Final = 10_000
#: The bytes of input at which a shard ends, whatever its number of matches.
SHARD_BYTES: Final = 1 << 28
#: The extension of a part, by the shape of the output.
ENDINGS: Final = {PARQUET: ".parquet", "zip": ".zip", LINES: ".jsonl", STREAMS: ".arrows"}


class ListedFile(Struct, frozen=True, tag="file"):
    """A file: its path or address, and its path below the source.

    `name` is its name in messages, empty if the path is this name. `archive` is False if the file is certainly no
    archive. If it is an archive, `above` is the folder of its members. `alone` is True for a file that the caller
    named itself. `stamp` changes with the contents of the file; for a file that is not regular it is ``link`` or
    ``device``. `size` is in bytes.
    """

    path: bytes
    inner: str
    above: str
    stamp: str
    size: int
    name: str = ""
    alone: bool = False
    archive: bool = True


class ZipRange(Struct, frozen=True, tag="zip"):
    """Entries of a zip archive: those in the range from `begin` to `end` of its directory, in bytes.

    `shift` is the number of bytes before the archive. `digest` is a digest of the names, places, sizes and
    checksums of the entries.
    """

    file: ListedFile
    begin: int
    end: int
    shift: int
    digest: str


#: Sources that follow each other: entries of zip archives, records, and archives that are read to their ends.
ShardSource: TypeAlias = tuple[ZipRange | ListedFile, ...]


class ShardRows(Struct, frozen=True, gc=False):
    """Rows that a shard collected: the object that holds them, and their begin and end in it, in bytes.

    `first_match` is the number of the first match of the shard in the split. `before` counts the rows of earlier
    shards in the split and folder.
    """

    object: str
    begin: int
    end: int
    first_match: int
    before: int


class Joining(Struct, frozen=True):
    """The rows of a split and folder that become a file of each table: the file `number` of `files`.

    `rows` counts the rows of all these files.
    """

    split: str
    folder: str
    number: int
    files: int
    rows: int
    pieces: tuple[ShardRows, ...]


class Head(Struct, frozen=True):
    """The first line of a plan: versions, options, and the size of the shards.

    `libraries` are the versions of the libraries that the bytes of a part depend on.
    """

    version: str
    libraries: dict[str, str]
    plan: Plan
    shard_files: int

    def digest(self) -> str:
        """Return a digest of everything that the bytes of a part depend on, beside its source."""
        plan = replace(self.plan, inputs=(), output="")
        return digest_of([self.version, msgspec.json.encode(self.libraries), msgspec.json.encode(plan)])


class ShardLine(Struct, frozen=True, tag="shard"):
    """A shard as a line of the plan. `Head` has the values that all shards share.

    `number` counts from 0 in the order of the input. `id` is a digest of everything that the bytes depend on.
    `entries` is the number of files in it, and `weight` their size in bytes, as stored.
    """

    number: int
    id: str
    source: ShardSource
    entries: int
    weight: int

    @property
    def name(self) -> str:
        """The name of its part and of its result, without folder and extension."""
        return shard_name(self.number, self.id)


class Shard(ShardLine, frozen=True):
    """A shard of a plan. `convert_shard` converts it on any machine, any number of times, to the same bytes.

    It has the values of its line, and `output`, the folder or address of the fleet. With folders or a number of
    files, a shard of the plan collects rows, and further shards join these to files.
    """

    source: ShardSource | Joining  # type: ignore[assignment]
    head: Head
    output: str

    def objects(self) -> list[str]:
        """Return the objects whose rows it joins."""
        return [piece.object for piece in self.source.pieces] if isinstance(self.source, Joining) else []


class LastLine(Struct, frozen=True, tag="end"):
    """The last line of a plan: the numbers of shards and of files, and their size in bytes."""

    shards: int
    entries: int
    weight: int


def shard_name(number: int, shard_id: str) -> str:
    """Return the name of a shard.

    >>> shard_name(12, "8d0f")
    '000012-8d0f'
    """
    return f"{number:06}-{shard_id}"


def digest_of(values: Iterable[str | bytes]) -> str:
    """Return a digest of texts and bytes.

    >>> digest_of(["a", "bc"]) == digest_of(["ab", "c"])
    False
    """
    state = hashlib.blake2b(digest_size=12)
    for value in values:
        data = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
        state.update(len(data).to_bytes(8, "little") + data)
    return state.hexdigest()


def shard_id(head: str, source: ShardSource | Joining) -> str:
    """Return the id of a shard; `head` is the digest of the first line of the plan.

    The checksums of a zip archive stand for its time stamp: a copy of it makes the same parts.
    """
    if not isinstance(source, Joining):
        source = tuple(
            replace(one, file=replace(one.file, stamp="")) if isinstance(one, ZipRange) else one for one in source
        )
    return digest_of([head, msgspec.json.encode(source)])


def check_same_versions(head: Head) -> None:
    """Raise `UsageError` if this process would write other bytes than the plan expects."""
    here = {"mjconv": VERSION, **libraries_for(head.plan)}
    for name, wanted in {"mjconv": head.version, **head.libraries}.items():
        if here.get(name) != wanted:
            reason = f"the plan was made with {name} {wanted}, and this process has {here.get(name)}"
            raise UsageError(f"{reason}: install the same version, or make a new plan")


def shown(file: ListedFile) -> str:
    """Return the name of a file in messages."""
    return file.name or os.fsdecode(file.path)
