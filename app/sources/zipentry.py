"""One entry of a zip archive: where it is, and its bytes."""

from __future__ import annotations

import zlib
from io import BytesIO
from struct import Struct as Layout
from typing import IO, Final

from msgspec import Struct

from mjconv.compression import PACKINGS, Packing, check_unpacked, unpacked
from mjconv.ir import limits
from mjconv.ir.errors import InputError

LOCAL_MAGIC: Final = b"PK\x03\x04"
#: The header before the bytes: of its fields only the lengths of name and extra field are read here.
LOCAL: Final = Layout("<4s22xHH")

STORED: Final = 0
_BY_NAME: Final = {packing.name: packing for packing in PACKINGS}
#: The methods by their numbers.
METHODS: Final = {
    8: Packing(
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
    """What the directory of an archive says of an entry: where its header is, its method, sizes and checksum."""

    offset: int
    method: int
    packed: int
    size: int
    crc: int


def read_entry(stream: IO[bytes], entry: ZipEntry, name: str) -> bytes:
    """Read the bytes of an entry; raises `InputError` where they are broken, too many, or packed otherwise."""
    stream.seek(entry.offset)
    head = stream.read(LOCAL.size)
    if len(head) < LOCAL.size or not head.startswith(LOCAL_MAGIC):
        raise InputError("cannot be read from the archive (there is no entry where it is said to be)", file=name)
    _, name_size, extra_size = LOCAL.unpack(head)
    stream.seek(entry.offset + LOCAL.size + name_size + extra_size)
    if entry.packed > limits.current().file_bytes:
        raise limits.LimitError("file_bytes", file=name)
    raw = stream.read(entry.packed)
    if len(raw) < entry.packed:
        raise InputError("cannot be read from the archive (it breaks off)", file=name)
    data = _unpack(raw, entry, name)
    if zlib.crc32(data) != entry.crc:
        raise InputError("cannot be read from the archive (its checksum is wrong)", file=name)
    return data


def _unpack(raw: bytes, entry: ZipEntry, name: str) -> bytes:
    if entry.method == STORED:
        check_unpacked(len(raw), len(raw), name)
        return raw
    packing = METHODS.get(entry.method)
    if packing is None:
        raise InputError(f"is packed by method {entry.method} of zip, which is not known here", file=name)
    parts: list[bytes] = []
    size = 0
    stream = BytesIO(raw)
    try:
        for part in unpacked(stream, packing):
            size += len(part)
            # The size an archive states may be false: what comes out is counted.
            check_unpacked(size, stream.tell(), name)
            parts.append(part)
    except limits.LimitError:
        raise
    except InputError as error:
        raise InputError(f"cannot be read from the archive ({error.message})", file=name) from None
    return b"".join(parts)
