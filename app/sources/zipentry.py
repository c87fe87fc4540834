"""Read one entry of a zip archive."""

from __future__ import annotations

import zlib
from io import BytesIO
from struct import Struct as Layout
from typing import IO, Final

from msgspec import Struct

from mjconv.compression import COMPRESSIONS, Compression, check_expansion, decompress
from mjconv.ir import limits
from mjconv.ir.errors import InputError

LOCAL_MAGIC: Final = b"PK\x03\x04"
#: The header before the data; only the lengths of the name and of the extra field are read.
LOCAL: Final = Layout("<4s22xHH")

STORED: Final = 0
_BY_NAME: Final = {compression.name: compression for compression in COMPRESSIONS}
#: The compression methods by their numbers.
METHODS: Final = {
    8: Compression(
        "deflate",
        "",
        (),
        lambda: zlib.decompressobj(-zlib.MAX_WBITS),
        _BY_NAME["gzip"].feed,
        _BY_NAME["gzip"].pack,
    ),
    12: _BY_NAME["bzip2"],
    93: _BY_NAME["zstd"],
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
        raise InputError(
            "cannot be read from the archive (there is no entry at the offset in the directory)", file=name
        )
    _, name_size, extra_size = LOCAL.unpack(head)
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
    parts: list[bytes] = []
    size = 0
    stream = BytesIO(raw)
    try:
        for part in decompress(stream, compression):
            size += len(part)
            # The size in the directory may be false, so the decompressed bytes are counted.
            check_expansion(size, stream.tell(), name)
            parts.append(part)
    except limits.LimitError:
        raise
    except InputError as error:
        raise InputError(f"cannot be read from the archive ({error.message})", file=name) from None
    return b"".join(parts)
