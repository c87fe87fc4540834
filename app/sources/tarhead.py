"""The headers of tar archives."""

from __future__ import annotations

from typing import Final, NamedTuple

from mjconv.ir.errors import InputError

BLOCK: Final = 512
_CHECKSUM: Final = slice(148, 156)
#: What a header is about: a file; what is said of the one that follows; what is no file.
FILES: Final = frozenset(b"0\x007")
FOLDER: Final = ord("5")
LONG_NAME: Final = ord("L")
LONG_LINK: Final = ord("K")
PAX: Final = frozenset(b"xX")
PAX_FOR_ALL: Final = ord("g")
SPARSE: Final = ord("S")
LINKS: Final = frozenset(b"12")


class Header(NamedTuple):
    """What a header says: the name's bytes, the size of what follows, and its type."""

    name: bytes
    size: int
    kind: int


def is_tar(head: bytes) -> bool:
    """Tell a tar archive by its first block.

    >>> is_tar(b"jmjp[1.0]")
    False
    """
    if len(head) < BLOCK or not any(head[:BLOCK]):
        return False
    try:
        return _checksum(head[:BLOCK]) == _number(head[_CHECKSUM])
    except InputError:
        return False


def parse(block: bytes) -> Header:
    """Read a header of one block; raises `InputError` when it is none."""
    if _checksum(block) != _number(block[_CHECKSUM]):
        raise InputError("a header's checksum is wrong")
    name = _text(block[:100])
    # The prefix is there by the standard alone: GNU has other things in its place.
    if block[257:263] == b"ustar\0" and (prefix := _text(block[345:500])):
        name = prefix + b"/" + name
    return Header(name, _number(block[124:136]), block[156])


def pax_records(data: bytes) -> dict[bytes, bytes]:
    r"""Read the records of a pax header: each its length, a key and a value; raises `InputError`.

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
    """Add the bytes up, with blanks where the sum itself stands."""
    return sum(block) - sum(block[_CHECKSUM]) + 8 * ord(" ")


def _number(field: bytes) -> int:
    """Read a number: octal digits, or bytes behind a mark for one that is larger."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    digits = field.strip(b" \0")
    try:
        return int(digits or b"0", 8)
    except ValueError:
        raise InputError("a header holds no number where one should be") from None


def _text(field: bytes) -> bytes:
    return field.partition(b"\0")[0]
