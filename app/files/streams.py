"""Streams that are read forward: a plain file, and the contents of a compressed file."""

import os
from typing import IO, Final

from mjconv.files.compression import FREELY_UNPACKED, Compression, decompress
from mjconv.ir import limits

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
