"""The sources of a plan: list their files, and divide them into shards; an engine divides archives."""

import hashlib
import os
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from io import BytesIO
from threading import Event

from msgspec import Struct
from msgspec.structs import replace

from mjconv.converters import formats
from mjconv.files.address import has_secret, is_address, is_hidden, path_text, redacted
from mjconv.files.members import Member, SpecialFile, WholeFile, ZipMember
from mjconv.files.reading import ZIP_MAGICS
from mjconv.files.remote import StorageError
from mjconv.files.storage import open_for_reading, read_ranges, record_in, size_and_stamp
from mjconv.files.tars import BLOCK
from mjconv.files.walk import expand, file_members, files_in, is_archive, joined_path, substitute
from mjconv.files.zips import ListedEntry, directory, entries_between
from mjconv.fleet.engines import ATTEMPTS, Engine, run_tasks
from mjconv.fleet.shards import SHARD_BYTES, ListedFile, ShardSource, ZipRange, shown
from mjconv.ir import limits
from mjconv.ir.errors import InputError, UsageError
from mjconv.ir.limits import Limits

#: Stamps of members that are not regular files.
_SPECIAL = ("link", "device")


class Piecewise(Struct, frozen=True):
    """A shard without a number and an id: its source, its number of files, and their size in bytes."""

    source: ShardSource
    entries: int
    weight: int


def listed_files(sources: Iterable[str], avoid: Collection[str] = ()) -> Iterator[ListedFile]:
    """List the files of sources in the order of batch, without opening them.

    Raises `OSError`, `StorageError`, and `UsageError` for an address with a secret.
    """
    several = list(sources)
    for name in several:
        if record_in(name) is not None:
            reason = "is a link that holds a record itself, and a plan lists files: mjconv LINK -o OUT converts it"
            raise UsageError(reason, file=redacted(name))
    for name in filter(has_secret, several):
        reason = "has a password or parameters, which the plan would store: set them for fsspec instead"
        raise UsageError(reason, file=redacted(name))
    for path, inner, above, kind, about, alone in files_in(expand(several), avoid):
        if isinstance(kind, OSError):
            raise kind
        size, stamp = (0, kind) if kind is not None else about or size_and_stamp(path)
        # A path on disk becomes absolute, because workers have other current folders.
        whole = path if is_address(path) else os.path.abspath(path)
        name = "" if path_text(path) == whole else path_text(path)
        # The name of a record, compressed or not, is that of no archive.
        archive = alone or (kind is None and not formats.by_extension(inner))
        yield ListedFile(os.fsencode(whole), inner, above, stamp, size, name, alone, archive)


def divide(
    task: tuple[int, ListedFile],
    *,
    shard_files: int,
    most: Limits,
    stop: Event | None = None,  # noqa: ARG001
) -> list[Piecewise]:
    """Divide a file, by its number and itself: a zip archive by its directory; any other file is one shard.

    A broken zip archive is one shard, whose conversion reports the error. This is a task of an engine.
    """
    _, file = task
    path, whole = os.fsdecode(file.path), Piecewise((file,), 1, file.size)
    with limits.using(most):
        try:
            with open_for_reading(path, file.size) as stream:
                head = stream.read(BLOCK)
                if not is_archive(stream, head):
                    return [replace(whole, source=(replace(file, archive=False),))]
                if not head.startswith(ZIP_MAGICS):
                    return [whole]
                begin, size, shift = directory(stream)
                entries = entries_between(stream, begin, begin + size, shift, begin)
                return list(_ranges(file, entries, begin, shard_files))
        except (InputError, OSError) as error:
            if isinstance(error, OSError) and is_address(path):
                raise
            return [whole]


def _ranges(file: ListedFile, listed: Iterator[ListedEntry], begin: int, shard_files: int) -> Iterator[Piecewise]:
    entries: list[ListedEntry] = []
    weight = 0
    for total, entry in enumerate(listed, 1):
        if total > limits.current().archive_members:
            raise limits.LimitError("archive_members")
        entries.append(entry)
        weight += entry.entry.packed
        if len(entries) >= shard_files or weight >= SHARD_BYTES:
            yield _range(file, begin, entries, weight)
            begin, entries, weight = entry.end, [], 0
    if entries:
        yield _range(file, begin, entries, weight)


def _range(file: ListedFile, begin: int, entries: list[ListedEntry], weight: int) -> Piecewise:
    last = entries[-1]
    return Piecewise((ZipRange(file, begin, last.end, last.shift, _digest(entries)),), len(entries), weight)


def _digest(listed: Iterable[ListedEntry]) -> str:
    """Return a digest of the entries: names, places, sizes and checksums."""
    state = hashlib.blake2b(digest_size=12)
    for name, entry, trouble, kind, *_ in listed:
        numbers = (entry.offset, entry.method, entry.packed, entry.size, entry.crc)
        state.update(f"{name}\0{numbers}\0{trouble}\0{kind}\n".encode("utf-8", "surrogatepass"))
    return state.hexdigest()


def grouped(pieces: Iterable[Piecewise], shard_files: int) -> Iterator[Piecewise]:
    """Join sources that follow each other to shards, which end at `shard_files` files or `SHARD_BYTES` bytes."""
    waiting: list[Piecewise] = []
    entries = weight = 0
    for piece in pieces:
        if waiting and (entries + piece.entries > shard_files or weight >= SHARD_BYTES):
            yield _joined(waiting)
            waiting, entries, weight = [], 0, 0
        waiting.append(piece)
        entries, weight = entries + piece.entries, weight + piece.weight
    if waiting:
        yield _joined(waiting)


def _joined(pieces: list[Piecewise]) -> Piecewise:
    source = tuple(one for piece in pieces for one in piece.source)
    return Piecewise(source, sum(piece.entries for piece in pieces), sum(piece.weight for piece in pieces))


def members_of(source: ShardSource) -> Iterator[Member]:
    """List the members of a shard, as batch lists them. Raises `ChangedError` if a file changed after the plan."""
    for file in source:
        if isinstance(file, ZipRange):
            yield from _zip_members(file)
            continue
        name = shown(file)
        if file.stamp in _SPECIAL:
            yield Member(name, SpecialFile(file.stamp), file.inner)
            continue
        # A request for each remote record would take longer than its conversion: only its size is checked.
        if file.archive or not is_address(file.path):
            _check_unchanged(file)
        if file.archive:
            yield from file_members(os.fsdecode(file.path), file.inner, file.above, alone=file.alone, name=name)
        else:
            yield Member(name, WholeFile(file.path), file.inner, file.alone, file.stamp, file.size)


def _check_unchanged(file: ListedFile) -> None:
    try:
        _, stamp = size_and_stamp(os.fsdecode(file.path))
    except FileNotFoundError:
        stamp = ""
    if stamp != file.stamp:
        raise _changed(file)


class ChangedError(StorageError):
    """A source changed after the plan was made."""


def _changed(file: ListedFile) -> ChangedError:
    return ChangedError("changed after the plan was made, or is missing: make a new plan", file=shown(file))


def _zip_members(source: ZipRange) -> Iterator[Member]:
    file, name = source.file, shown(source.file)
    _check_unchanged(file)
    [data] = read_ranges([(os.fsdecode(file.path), source.begin, source.end)])
    listed = list(entries_between(BytesIO(data), 0, len(data), source.shift, source.begin))
    if _digest(listed) != source.digest:
        raise _changed(file)
    for entry in listed:
        if is_hidden(entry.name):
            continue
        piece = substitute(entry.trouble, entry.kind) or ZipMember(file.path, entry.entry)
        inner = joined_path(file.above, entry.name)
        yield Member(f"{name}/{entry.name}", piece, inner, False, file.stamp, entry.entry.packed)


def pieces_of(
    sources: Iterable[str], shard_files: int, limits: Limits, engine: Engine, avoid: Collection[str] = ()
) -> Iterator[Piecewise]:
    """Yield the shards of sources in order. Raises `OSError`, `StorageError` and `UsageError`."""
    return grouped(_in_order(listed_files(sources, avoid), shard_files, limits, engine), shard_files)


def _in_order(
    files: Iterator[ListedFile], shard_files: int, limits: Limits, engine: Engine
) -> Iterator[Piecewise]:
    ready: dict[int, list[Piecewise]] = {}
    first = 0

    def tasks() -> Iterator[tuple[int, ListedFile]]:
        for number, file in enumerate(files):
            if file.archive:
                yield number, file
            else:
                ready[number] = [Piecewise((file,), 1, file.size)]

    work = partial(divide, shard_files=shard_files, most=limits)
    for (number, _), result in run_tasks(engine, work, tasks(), ATTEMPTS):
        if isinstance(result, BaseException):
            raise result
        ready[number] = result
        while first in ready:
            yield from ready.pop(first)
            first += 1
    while first in ready:
        yield from ready.pop(first)
        first += 1
