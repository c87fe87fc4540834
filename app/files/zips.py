"""List the entries of a zip archive in order, and read one of them.

`zipfile` is not used: it loads the whole directory, 124 MB of memory for 200,000 entries. This reader holds one
entry of the directory at a time.
"""

import os
import stat
import zlib
from collections.abc import Iterator
from io import BytesIO
from struct import Struct as Layout
from typing import IO, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from mjconv.files.compression import BY_NAME, check_expansion, decompress_bounded
from mjconv.files.reading import ZIP_MAGICS
from mjconv.ir import limits
from mjconv.ir.errors import InputError

LOCAL_MAGIC, END_MAGIC = ZIP_MAGICS
ENTRY_MAGIC, LOCATOR64_MAGIC, END64_MAGIC = b"PK\x01\x02", b"PK\x06\x07", b"PK\x06\x06"
#: The header before the data: its last fields are the lengths of the name and of the extra field.
LOCAL: Final = Layout("<4sHHHHHIIIHH")
#: A directory entry. From the fourth field on: flags, method, time, date, checksum, sizes; lengths of name, extra
#: field and comment; two numbers, attributes, offset.
ENTRY: Final = Layout("<4sHHHHHHIIIHHHHHII")
#: The end record. Its last fields: number of entries, size and offset of the directory, length of the comment.
END: Final = Layout("<4sHHHHIIH")
#: The zip64 locator, right before the end record, of archives of more than 4 GiB or 65,535 entries. Its third
#: field is the offset of the zip64 end record, whose last fields are those of the end record without the comment.
LOCATOR64: Final = Layout("<4sIQI")
END64: Final = Layout("<4sQHHIIQQQQ")
#: The flag of names in UTF-8, the largest values of fields without zip64, and the number of the field with zip64.
UTF8: Final = 0x800
FULL, MANY = 0xFFFFFFFF, 0xFFFF
ZIP64_FIELD: Final = 1

STORED: Final = 0
_NOT_THERE: Final = "cannot be read from the archive (there is no entry at the offset in the directory)"
#: The compression methods by their numbers.
METHODS: Final = {
    8: replace(BY_NAME["gzip"], name="deflate", frame=lambda: zlib.decompressobj(-zlib.MAX_WBITS)),
    12: BY_NAME["bzip2"],
    93: BY_NAME["zstd"],
}


class ZipEntry(Struct, frozen=True):
    """An entry of the directory: offset of its header, compression method, sizes in bytes, and checksum."""

    offset: int
    method: int
    packed: int
    size: int
    crc: int


def read_entry(stream: IO[bytes], entry: ZipEntry, name: str) -> bytes:
    """Read an entry; raises `InputError` if it is broken, too large, or has an unknown compression method."""
    stream.seek(entry.offset)
    head = stream.read(LOCAL.size)
    if len(head) < LOCAL.size or not head.startswith(LOCAL_MAGIC):
        raise InputError(_NOT_THERE, file=name)
    *_, name_size, extra_size = LOCAL.unpack(head)
    stream.seek(entry.offset + LOCAL.size + name_size + extra_size)
    if entry.packed > limits.current().file_bytes:
        raise limits.LimitError("file_bytes", file=name)
    raw = stream.read(entry.packed)
    if len(raw) < entry.packed:
        raise InputError("cannot be read from the archive (it ends too early)", file=name)
    data = _unpack(raw, entry, name)
    if zlib.crc32(data) != entry.crc:
        raise InputError("cannot be read from the archive (its checksum is wrong)", file=name)
    return data


def _unpack(raw: bytes, entry: ZipEntry, name: str) -> bytes:
    if entry.method == STORED:
        check_expansion(len(raw), len(raw), name)
        return raw
    compression = METHODS.get(entry.method)
    if compression is None:
        raise InputError(f"has zip compression method {entry.method}, which mjconv does not know", file=name)
    try:
        # The size in the directory may be false, so the decompressed bytes are counted.
        return b"".join(decompress_bounded(BytesIO(raw), compression, name))
    except limits.LimitError:
        raise
    except InputError as error:
        raise InputError(f"cannot be read from the archive ({error.message})", file=name) from None


_ENCRYPTED: Final = 0x1
_LONGEST_COMMENT: Final = 0xFFFF


class ListedEntry(NamedTuple):
    """An entry of the directory; `kind` if it is not a file, `trouble` if it cannot be read.

    `end` is the offset in the stream after its record. `shift` is the number of bytes before the archive.
    """

    name: str
    entry: ZipEntry
    trouble: str | None = None
    kind: str | None = None
    end: int = 0
    shift: int = 0


def entries(stream: IO[bytes]) -> Iterator[ListedEntry]:
    """List the entries of an archive, without folders, in its own order; raises `InputError` if it is broken.

    The number of entries that the archive states is checked before the first entry.
    """
    begin, size, shift = directory(stream)
    yield from entries_between(stream, begin, begin + size, shift, begin)


def entries_between(stream: IO[bytes], begin: int, end: int, shift: int, room: int) -> Iterator[ListedEntry]:
    """List the entries between two offsets of a directory, whose records begin and end there.

    `shift` is the number of bytes before the archive, and `room` the number of bytes before the directory. Entries
    that need more bytes together share them: a small archive could expand without a limit. Raises as `entries`.
    """
    position, needed = begin, 0
    while position < end:
        stream.seek(position)
        head = stream.read(ENTRY.size)
        if len(head) < ENTRY.size or not head.startswith(ENTRY_MAGIC):
            raise InputError(f"is a broken zip archive (its directory ends too early, at byte {position})")
        _, _, _, flags, method, _, _, crc, packed, unpacked, *rest, attributes, offset = ENTRY.unpack(head)
        name_size, extra_size, comment_size, *_ = rest
        texts = stream.read(name_size + extra_size)
        position += ENTRY.size + name_size + extra_size + comment_size
        encoding = "utf-8" if flags & UTF8 else "cp437"
        name = texts[:name_size].decode(encoding, "backslashreplace")
        if name.endswith("/"):
            continue
        unpacked, packed, offset = _zip64_values(texts[name_size:], unpacked, packed, offset)
        trouble = "is encrypted" if flags & _ENCRYPTED else None
        kind = "link" if stat.S_ISLNK(attributes >> 16) else None
        entry = ZipEntry(offset + shift, method, packed, unpacked, crc)
        if entry.offset + LOCAL.size + packed > room:
            # Numbers of a broken directory may be too large for any message or file.
            trouble, entry = _NOT_THERE, ZipEntry(0, STORED, 0, 0, 0)
        else:
            needed += LOCAL.size + packed
        if needed > room:
            raise InputError("is a broken zip archive (its entries share bytes)")
        yield ListedEntry(name, entry, trouble, kind, position, shift)


def directory(stream: IO[bytes]) -> tuple[int, int, int]:
    """Return the offset and size of the directory, and the number of bytes before the archive.

    Raises `InputError` if the archive is broken, and `LimitError` if it states too many entries.
    """
    length = stream.seek(0, os.SEEK_END)
    tail_begin = max(0, length - END.size - _LONGEST_COMMENT)
    stream.seek(tail_begin)
    tail = stream.read(length - tail_begin)
    magic = tail.rfind(END_MAGIC)
    while magic >= 0 and (
        magic + END.size > len(tail) or magic + END.size + END.unpack_from(tail, magic)[-1] > len(tail)
    ):
        magic = tail.rfind(END_MAGIC, 0, magic)
    if magic < 0:
        raise InputError("is a broken zip archive (its directory is missing: the file ends too early)")
    *_, count, size, offset, _ = END.unpack_from(tail, magic)
    end = tail_begin + magic
    if FULL in (size, offset) or count == MANY:
        count, size, offset, end = _zip64_directory(stream, end, count, size, offset)
    if count > limits.current().archive_members:
        raise limits.LimitError("archive_members")
    begin = end - size
    if begin < offset or size > end:
        raise InputError("is a broken zip archive (its directory is not at the stated offset)")
    return begin, size, begin - offset


def _zip64_directory(stream: IO[bytes], end: int, count: int, size: int, offset: int) -> tuple[int, int, int, int]:
    """Return the number of entries, the size and offset of the directory, and the offset after it."""
    stream.seek(max(0, end - LOCATOR64.size))
    locator = stream.read(LOCATOR64.size)
    if len(locator) < LOCATOR64.size or not locator.startswith(LOCATOR64_MAGIC):
        return count, size, offset, end
    # With bytes before the archive, the stated offset is wrong: the record is right before the locator.
    for place in (LOCATOR64.unpack(locator)[2], end - LOCATOR64.size - END64.size):
        if 0 <= place < end:
            stream.seek(place)
            record = stream.read(END64.size)
            if len(record) == END64.size and record.startswith(END64_MAGIC):
                *_, count, size, offset = END64.unpack(record)
                return count, size, offset, place
    raise InputError("is a broken zip archive (its directory is missing)")


def _zip64_values(extra: bytes, *values: int) -> Iterator[int]:
    """Return sizes and offset; values too large for their fields come from the zip64 extra field."""
    large = b""
    while len(extra) >= 4:
        kind, length = int.from_bytes(extra[:2], "little"), int.from_bytes(extra[2:4], "little")
        if kind == ZIP64_FIELD:
            large = extra[4 : 4 + length]
        extra = extra[4 + length :]
    for value in values:
        if value == FULL:
            if len(large) < 8:
                raise InputError("is a broken zip archive (its directory lacks a size)")
            value, large = int.from_bytes(large[:8], "little"), large[8:]
        yield value
