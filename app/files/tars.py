"""List the entries of a tar archive in order.

`tarfile` is not used: after a damaged header it silently ends its list, so files would be lost without a
message. This reader raises `InputError` there.
"""

import os
import time
from collections.abc import Iterator
from typing import IO, Final, NamedTuple

from mjconv.files.compression import FREELY_UNPACKED, Compression, decompress
from mjconv.ir import limits
from mjconv.ir.errors import InputError

_STEP: Final = 1 << 20


class PlainStream:
    """An uncompressed file, from its beginning."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.length = stream.seek(0, os.SEEK_END)
        stream.seek(0)

    def read(self, size: int) -> bytes:
        """Read `size` bytes, or fewer at the end."""
        return self.stream.read(max(0, min(size, self.length)))

    def skip(self, size: int) -> int:
        """Skip bytes without reading them; return the number skipped."""
        here = self.stream.tell()
        there = min(here + size, self.length)
        self.stream.seek(there)
        return there - here

    def tell(self) -> int:
        """Return the position in the file itself, in bytes."""
        return self.stream.tell()


class DecompressedStream:
    """The contents of a compressed file: holds one piece in memory and applies the limit of expansion."""

    def __init__(self, stream: IO[bytes], compression: Compression) -> None:
        self.stream = stream
        self.parts = decompress(stream, compression)
        self.rest = b""
        self.begin = 0
        self.size = 0

    def read(self, size: int) -> bytes:
        """Read `size` bytes, or fewer at the end; raises `InputError` if it is broken or expands too much."""
        taken: list[bytes] = []
        while size > 0 and self._fill():
            part = self.rest[self.begin : self.begin + size]
            self.begin += len(part)
            size -= len(part)
            taken.append(part)
        return taken[0] if len(taken) == 1 else b"".join(taken)

    def skip(self, size: int) -> int:
        """Skip bytes, with at most `_STEP` bytes in memory; return the number skipped."""
        skipped = 0
        while skipped < size and (part := self.read(min(_STEP, size - skipped))):
            skipped += len(part)
        return skipped

    def tell(self) -> int:
        """Return the position in the file itself, in bytes."""
        return self.stream.tell()

    def _fill(self) -> bool:
        while self.begin == len(self.rest):
            part = next(self.parts, None)
            if part is None:
                return False
            self.rest, self.begin = part, 0
            self.size += len(part)
            if self.size > max(FREELY_UNPACKED, self.stream.tell() * limits.current().expansion):
                raise limits.LimitError("expansion")
        return True


BLOCK: Final = 512
_CHECKSUM: Final = slice(148, 156)
#: The types of headers: files, folders, headers with data for the next entry, and entries that are not files.
FILES: Final = frozenset(b"0\x007")
FOLDER: Final = ord("5")
LONG_NAME: Final = ord("L")
LONG_LINK: Final = ord("K")
PAX: Final = frozenset(b"xX")
PAX_FOR_ALL: Final = ord("g")
SPARSE: Final = ord("S")
#: The keys of pax records that matter here.
_NAME: Final = b"path"
_SIZE: Final = b"size"
_SPARSE_KEYS: Final = b"GNU.sparse."
LINKS: Final = frozenset(b"12")


class TarHeader(NamedTuple):
    """A header: the bytes of the name, the size in bytes of the data after it, and its type."""

    name: bytes
    size: int
    kind: int


def is_tar(head: bytes) -> bool:
    """Return whether a first block is that of a tar archive.

    >>> is_tar(b"jmjp[1.0]")
    False
    """
    if len(head) < BLOCK or not any(head[:BLOCK]):
        return False
    try:
        return _checksum(head[:BLOCK]) == _number(head[_CHECKSUM])
    except InputError:
        return False


def parse(block: bytes) -> TarHeader:
    """Parse a header block; raises `InputError` if its checksum is wrong."""
    if _checksum(block) != _number(block[_CHECKSUM]):
        raise InputError("a header's checksum is wrong")
    name = _text(block[:100])
    # Only the POSIX standard has the prefix: GNU archives hold other data in its place.
    if block[257:263] == b"ustar\0" and (prefix := _text(block[345:500])):
        name = prefix + b"/" + name
    return TarHeader(name, _number(block[124:136]), block[156])


def pax_records(data: bytes) -> dict[bytes, bytes]:
    r"""Return the records of a pax header that matter here: name, size, and a mark of a sparse file.

    A record has its length, a key and a value. Raises `InputError`.

    >>> pax_records(b"10 path=a\n13 comment=b\n")
    {b'path': b'a'}
    """
    records: dict[bytes, bytes] = {}
    position = 0
    while position < len(data) and data[position]:
        digits, space, _ = data[position : position + 20].partition(b" ")
        if not space or not digits.isdigit() or not int(digits):
            raise InputError("a pax header is broken")
        record = data[position : position + int(digits)]
        key, equals, value = record[len(digits) + 1 :].partition(b"=")
        if not equals or not value.endswith(b"\n"):
            raise InputError("a pax header is broken")
        # Each entry copies the records for all entries, so there must be few of them.
        if key.startswith(_SPARSE_KEYS):
            records[_SPARSE_KEYS] = b""
        elif key in (_NAME, _SIZE):
            records[key] = value[:-1]
        position += int(digits)
    return records


def _checksum(block: bytes) -> int:
    """Return the sum of the bytes, with spaces in place of the checksum field."""
    return sum(block) - sum(block[_CHECKSUM]) + 8 * ord(" ")


def _number(field: bytes) -> int:
    """Read a number that is not negative: octal digits, or for large numbers a mark and binary bytes."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    digits = field.strip(b" \0") or b"0"
    # `int` also reads a sign, spaces and underscores.
    if digits.strip(b"01234567"):
        raise InputError("a header has no valid number")
    return int(digits, 8)


def _text(field: bytes) -> bytes:
    return field.partition(b"\0")[0]


#: The largest header of several blocks, in bytes: a long name, or pax records.
LONGEST_HEADER: Final = 1 << 20
#: The longest name of an entry, in bytes. A name for all entries is copied to each of them.
LONGEST_NAME: Final = 1 << 14
#: The most digits of a size in pax records.
_MOST_DIGITS: Final = 19
#: The longest time from one member to the next, in seconds: that of batch for one member.
LISTING_SECONDS: Final = 300.0


class TarEntry(NamedTuple):
    """An entry: its name and size in bytes; `kind` if it is not a file, `trouble` if it cannot be read."""

    name: str
    size: int
    kind: str | None = None
    trouble: str | None = None


class TarReader:
    """A tar archive: `entries` lists its entries, and `take` reads the bytes of the entry listed last."""

    def __init__(self, stream: PlainStream | DecompressedStream) -> None:
        self.stream = stream
        self.left = 0
        self.padding = 0
        self.position = 0
        self.name = "a header"
        self.headers = 0
        self.began = 0.0

    def entries(self) -> Iterator[TarEntry]:
        """List the files, links and devices.

        Raises `InputError` if the archive is broken or ends too early, if it has more headers than an archive may
        have members, and if the next member does not come within `LISTING_SECONDS`.
        """
        self.began = time.monotonic()
        own: dict[bytes, bytes] = {}
        for_all: dict[bytes, bytes] = {}
        while (header := self._header()) is not None:
            if header.kind in PAX or header.kind in (PAX_FOR_ALL, LONG_NAME):
                content = self._long(header)
                if header.kind == LONG_NAME:
                    own[_NAME] = content.rstrip(b"\0")
                else:
                    (for_all if header.kind == PAX_FOR_ALL else own).update(pax_records(content))
                continue
            if header.kind == LONG_LINK:
                self._long(header)
                continue
            records, own = {**for_all, **own}, {}
            entry = self._entry(header, records)
            self.left, self.padding, self.name = entry.size, -entry.size % BLOCK, entry.name
            if header.kind != FOLDER:
                yield entry
                self.began = time.monotonic()
            self._skip_rest()

    def take(self) -> bytes:
        """Read the bytes of the entry listed last; raises `InputError` if the archive ends too early."""
        data = self.stream.read(self.left)
        self.position += len(data)
        self.left -= len(data)
        if self.left:
            raise InputError(f"ends in the middle of {self.name}")
        return data

    def _entry(self, header: TarHeader, records: dict[bytes, bytes]) -> TarEntry:
        raw, digits = records.get(_NAME, header.name), records.get(_SIZE)
        if len(raw) > LONGEST_NAME:
            raise InputError(f"has a name of {len(raw)} bytes, and a name may have {LONGEST_NAME}")
        if digits is not None and not (digits.isdigit() and len(digits) <= _MOST_DIGITS):
            raise InputError("has a pax header without a valid size")
        name = raw.decode("utf-8", "backslashreplace")
        size = header.size if digits is None else int(digits)
        if header.kind in LINKS:
            # A link has no data, although some archives state a size.
            return TarEntry(name, 0, "link")
        if header.kind == SPARSE or _SPARSE_KEYS in records:
            return TarEntry(name, size, trouble="is a sparse file, which mjconv cannot read")
        return TarEntry(name, size, None if header.kind in (*FILES, FOLDER) else "device")

    def _header(self) -> TarHeader | None:
        """Read the next header; None at the end. Zero blocks end an archive, but another archive may follow."""
        while block := self.stream.read(BLOCK):
            if time.monotonic() - self.began > LISTING_SECONDS:
                raise InputError(f"has no next member after {LISTING_SECONDS:g} seconds of reading")
            self.position += len(block)
            if len(block) < BLOCK:
                raise InputError(f"ends too early, at byte {self.position}")
            if any(block):
                self.headers += 1
                if self.headers > limits.current().archive_members:
                    raise limits.LimitError("archive_members")
                try:
                    return parse(block)
                except InputError as error:
                    raise InputError(f"is broken at byte {self.position - BLOCK} ({error.message})") from None
        return None

    def _long(self, header: TarHeader) -> bytes:
        if header.size > LONGEST_HEADER:
            raise InputError(f"is broken at byte {self.position} (a header of {header.size} bytes)")
        self.left, self.padding = header.size, -header.size % BLOCK
        content = self.take()
        self._skip_rest()
        return content

    def _skip_rest(self) -> None:
        done = self.stream.skip(self.left + self.padding)
        self.position += done
        if done < self.left:
            raise InputError(f"ends in the middle of {self.name}")
        self.left = self.padding = 0
