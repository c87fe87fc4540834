"""The parts of a zip archive: headers before the files, and the directory at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from struct import Struct as Layout
from typing import Final

_LOCAL: Final = Layout("<4sHHHHHIIIHH")
_ENTRY: Final = Layout("<4sHHHHHHIIIHHHHHII")
_END: Final = Layout("<4sHHHHIIH")
_FAR_END: Final = Layout("<4sQHHIIQQQQ")
_FAR: Final = Layout("<4sIQI")

#: The versions of zip that can read an archive, with fields that are large enough for 4 GiB and without.
_USUAL: Final = 20
_LARGE: Final = 45
_UNIX: Final = 3 << 8
_UTF8: Final = 0x800
_DEFLATE: Final = 8
#: 1980-01-01, the first day there is.
_DATE: Final = 1 << 5 | 1
_MODE: Final = 0o100644 << 16
_FULL: Final = 0xFFFFFFFF
_MANY: Final = 0xFFFF


def local_header(name: str, packed: int, size: int, crc: int) -> bytes:
    """Give the header before the packed bytes of a file."""
    encoded = name.encode()
    large = max(packed, size) >= _FULL
    extra = _far_field(size, packed) if large else b""
    shown = (_FULL, _FULL) if large else (packed, size)
    version = _LARGE if large else _USUAL
    fields = (version, _UTF8, _DEFLATE, 0, _DATE, crc, *shown, len(encoded), len(extra))
    return _LOCAL.pack(b"PK\x03\x04", *fields) + encoded + extra


def ends(listed: Iterable[tuple[str, tuple[int, ...]]], begin: int) -> Iterator[bytes]:
    """Give the directory of files, each a name with offset, packed size, size and checksum, entry by entry."""
    count = length = 0
    for name, (offset, packed, size, crc) in listed:
        entry = _entry(name, offset, packed, size, crc)
        count += 1
        length += len(entry)
        yield entry
    if count >= _MANY or length >= _FULL or begin >= _FULL:
        yield _FAR_END.pack(
            b"PK\x06\x06", _FAR_END.size - 12, _LARGE | _UNIX, _LARGE, 0, 0, count, count, length, begin
        )
        yield _FAR.pack(b"PK\x06\x07", 0, begin + length, 1)
    few = min(count, _MANY)
    yield _END.pack(b"PK\x05\x06", 0, 0, few, few, min(length, _FULL), min(begin, _FULL), 0)


def _entry(name: str, offset: int, packed: int, size: int, crc: int) -> bytes:
    encoded = name.encode()
    far = [value for value in (size, packed, offset) if value >= _FULL]
    extra = _far_field(*far) if far else b""
    version = _LARGE if far else _USUAL
    fields = (version | _UNIX, version, _UTF8, _DEFLATE, 0, _DATE, crc, min(packed, _FULL), min(size, _FULL))
    rest = (len(encoded), len(extra), 0, 0, 0, _MODE, min(offset, _FULL))
    return _ENTRY.pack(b"PK\x01\x02", *fields, *rest) + encoded + extra


def _far_field(*values: int) -> bytes:
    data = b"".join(value.to_bytes(8, "little") for value in values)
    return (1).to_bytes(2, "little") + len(data).to_bytes(2, "little") + data
