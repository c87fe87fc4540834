"""Read the bytes of members before they are needed: many at once, and ranges that are side by side in one request.

A request to remote storage takes many times as long as the conversion of a game.
"""

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import Final

from msgspec.structs import replace

from mjconv.files.address import is_address
from mjconv.files.members import FileSlice, HeldBytes, HeldEntry, Member, WholeFile, ZipMember
from mjconv.files.remote import StorageError
from mjconv.files.storage import read_ranges, size_and_stamp
from mjconv.files.zips import LOCAL
from mjconv.ir import limits

#: The most members, and about the most bytes, that are read at once.
_MEMBERS: Final = 256
_BYTES: Final = 1 << 23
#: The bytes that are read for the header of an entry: its name and its extra field, which is longer only rarely.
_HEADER: Final = LOCAL.size + 512


def read_ahead(members: Iterable[Member]) -> Iterator[Member]:
    """Return members in the same order, with the bytes of those at addresses.

    A member whose bytes are too many, or not where its archive states them, is returned as it is. Raises
    `StorageError`, and `OSError` if a file does not exist any more.
    """
    for is_remote, several in groupby(members, _is_remote):
        if not is_remote:
            yield from several
            continue
        waiting: list[Member] = []
        size = 0
        for member in several:
            waiting.append(member)
            size += member.weight
            if size >= _BYTES or len(waiting) >= _MEMBERS:
                yield from _held(waiting)
                waiting, size = [], 0
        yield from _held(waiting)


@lru_cache(maxsize=1)
def _archive_size(path: bytes, stamp: str) -> int:  # noqa: ARG001 - another stamp is another archive
    """Return the size of an archive in bytes."""
    return size_and_stamp(os.fsdecode(path))[0]


def _is_remote(member: Member) -> bool:
    return isinstance(member.piece, WholeFile | FileSlice | ZipMember) and is_address(member.piece.path)


def _held(members: list[Member]) -> list[Member]:
    wanted = [_range(member) for member in members]
    ranges = {number: part for number, part in enumerate(wanted) if part is not None}
    data = read_ranges(list(ranges.values()))
    held = list(members)
    for number, content in zip(ranges, data, strict=True):
        held[number] = _with_bytes(members[number], content)
    return held


def _range(member: Member) -> tuple[str, int, int] | None:
    """Return the bytes to read: address, begin and end; None for a member that is read later, or not at all."""
    piece = member.piece
    assert isinstance(piece, WholeFile | FileSlice | ZipMember)
    path = os.fsdecode(piece.path)
    size = piece.entry.packed if isinstance(piece, ZipMember) else member.weight
    if size > limits.current().file_bytes:
        return None
    if isinstance(piece, WholeFile):
        return path, 0, size
    if isinstance(piece, FileSlice):
        return path, piece.offset, piece.offset + piece.size
    # A broken archive may state any offset, and storage refuses a range behind the end of a file.
    begin, end = piece.entry.offset, _archive_size(piece.path, member.stamp)
    return (path, begin, min(begin + _HEADER + size, end)) if begin < end else None


def _with_bytes(member: Member, data: bytes) -> Member:
    piece = member.piece
    assert isinstance(piece, WholeFile | FileSlice | ZipMember)
    if not isinstance(piece, ZipMember):
        if len(data) != (piece.size if isinstance(piece, FileSlice) else member.weight):
            raise StorageError("changed after it was listed", file=member.name)
        return replace(member, piece=HeldBytes(data))
    if len(data) < LOCAL.size:
        return member
    *_, name, extra = LOCAL.unpack_from(data)
    end = LOCAL.size + name + extra + piece.entry.packed
    if len(data) < end:
        return member
    return replace(member, piece=HeldEntry(data[:end], replace(piece.entry, offset=0)))
