"""Parse the headers of tar archives."""

from __future__ import annotations

from typing import Final, NamedTuple

from mjconv.ir.errors import InputError

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
    r"""Parse the records of a pax header, each with length, key and value; raises `InputError`.

    >>> pax_records(b"10 path=a\n")
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
        records[key] = value[:-1]
        position += int(digits)
    return records


def _checksum(block: bytes) -> int:
    """Return the sum of the bytes, with spaces in place of the checksum field."""
    return sum(block) - sum(block[_CHECKSUM]) + 8 * ord(" ")


def _number(field: bytes) -> int:
    """Read a number: octal digits, or for large numbers a mark and binary bytes."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    digits = field.strip(b" \0")
    try:
        return int(digits or b"0", 8)
    except ValueError:
        raise InputError("a header has no valid number") from None


def _text(field: bytes) -> bytes:
    return field.partition(b"\0")[0]
