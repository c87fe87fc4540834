"""The entries of a zip archive, one after another: its directory is never in memory as a whole."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from struct import Struct as Layout
from typing import IO, Final, NamedTuple

from mjconv.ir import limits
from mjconv.ir.errors import InputError
from mjconv.sources.zipentry import ZipEntry

#: The record at the end: directory entries, the directory's size and place, length of the comment that follows.
_END: Final = Layout("<4s6xHIIH")
_END_MAGIC: Final = b"PK\x05\x06"
#: Where the larger record is, for archives of more than 4 GiB or 65,535 entries; it stands right before the end.
_FAR: Final = Layout("<4s4xQ4x")
_FAR_MAGIC: Final = b"PK\x06\x07"
_FAR_END: Final = Layout("<4s28xQQQ")
_FAR_END_MAGIC: Final = b"PK\x06\x06"
#: An entry of the directory: flags, method, checksum, sizes; lengths of name, extra, comment; attributes, place.
_ENTRY: Final = Layout("<4s4xHH4xIIIHHH4xII")
_ENTRY_MAGIC: Final = b"PK\x01\x02"

_ENCRYPTED: Final = 0x1
_UTF8: Final = 0x800
_FULL: Final = 0xFFFFFFFF
_FAR_FIELD: Final = 1
_LONGEST_COMMENT: Final = 0xFFFF


class Listed(NamedTuple):
    """An entry as the directory lists it; `trouble` says why it cannot be read, `kind` what it is but a file."""

    name: str
    entry: ZipEntry
    trouble: str | None = None
    kind: str | None = None


def entries(stream: IO[bytes]) -> Iterator[Listed]:
    """List the entries of an archive, folders aside, in its own order; raises `InputError` where it is broken.

    How many they are is looked at before the first, as far as the archive itself says it.
    """
    begin, size, shift = _directory(stream)
    position, end = begin, begin + size
    while position < end:
        stream.seek(position)
        head = stream.read(_ENTRY.size)
        if len(head) < _ENTRY.size or not head.startswith(_ENTRY_MAGIC):
            raise InputError(f"is a broken zip archive (its directory breaks off at byte {position})")
        fields = _ENTRY.unpack(head)
        _, flags, method, crc, packed, unpacked, name_size, extra_size, comment_size, attributes, offset = fields
        rest = stream.read(name_size + extra_size)
        position += _ENTRY.size + name_size + extra_size + comment_size
        encoding = "utf-8" if flags & _UTF8 else "cp437"
        name = rest[:name_size].decode(encoding, "backslashreplace")
        if name.endswith("/"):
            continue
        unpacked, packed, offset = _far(rest[name_size:], unpacked, packed, offset)
        trouble = "is encrypted" if flags & _ENCRYPTED else None
        kind = "link" if stat.S_ISLNK(attributes >> 16) else None
        yield Listed(name, ZipEntry(offset + shift, method, packed, unpacked, crc), trouble, kind)


def _directory(stream: IO[bytes]) -> tuple[int, int, int]:
    """Find the directory: where it is, its size, and how many bytes were put before the archive."""
    length = stream.seek(0, os.SEEK_END)
    tail_begin = max(0, length - _END.size - _LONGEST_COMMENT)
    stream.seek(tail_begin)
    tail = stream.read()
    found = tail.rfind(_END_MAGIC)
    while found >= 0 and (
        found + _END.size > len(tail) or found + _END.size + _END.unpack_from(tail, found)[4] > len(tail)
    ):
        found = tail.rfind(_END_MAGIC, 0, found)
    if found < 0:
        raise InputError("is a broken zip archive (its directory is missing: it breaks off)")
    _, count, size, offset, _ = _END.unpack_from(tail, found)
    end = tail_begin + found
    if _FULL in (size, offset) or count == 0xFFFF:
        count, size, offset, end = _far_directory(stream, end, count, size, offset)
    if count > limits.current().archive_members:
        raise limits.LimitError("archive_members")
    begin = end - size
    if begin < offset or size > end:
        raise InputError("is a broken zip archive (its directory is not where it is said to be)")
    return begin, size, begin - offset


def _far_directory(stream: IO[bytes], end: int, count: int, size: int, offset: int) -> tuple[int, int, int, int]:
    """Give the count of entries, the directory's size and place, and where the records after it begin."""
    stream.seek(max(0, end - _FAR.size))
    locator = stream.read(_FAR.size)
    if len(locator) < _FAR.size or not locator.startswith(_FAR_MAGIC):
        return count, size, offset, end
    # With bytes before the archive it is not where it says: it stands right before the locator, then.
    for place in (_FAR.unpack(locator)[1], end - _FAR.size - _FAR_END.size):
        if 0 <= place < end:
            stream.seek(place)
            record = stream.read(_FAR_END.size)
            if len(record) == _FAR_END.size and record.startswith(_FAR_END_MAGIC):
                _, count, size, offset = _FAR_END.unpack(record)
                return count, size, offset, place
    raise InputError("is a broken zip archive (its directory is missing)")


def _far(extra: bytes, *values: int) -> Iterator[int]:
    """Give sizes and place, those that are too large for their fields from the extra field."""
    far = b""
    while len(extra) >= 4:
        kind, length = int.from_bytes(extra[:2], "little"), int.from_bytes(extra[2:4], "little")
        if kind == _FAR_FIELD:
            far = extra[4 : 4 + length]
        extra = extra[4 + length :]
    for value in values:
        if value == _FULL:
            if len(far) < 8:
                raise InputError("is a broken zip archive (its directory lacks a size)")
            value, far = int.from_bytes(far[:8], "little"), far[8:]
        yield value
