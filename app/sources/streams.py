"""Streams that are read forward: a plain file, and what a packed one holds."""

from __future__ import annotations

import os
from typing import IO, Final

from mjconv.compression import FREELY_UNPACKED, Packing, unpacked
from mjconv.ir import limits

_STEP: Final = 1 << 20


class PlainStream:
    """A file as it lies there."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.length = os.fstat(stream.fileno()).st_size

    def read(self, size: int) -> bytes:
        """Read so many bytes, or what is left."""
        return self.stream.read(min(size, self.length))

    def skip(self, size: int) -> int:
        """Go forward without reading."""
        here = self.stream.tell()
        there = min(here + size, self.length)
        self.stream.seek(there)
        return there - here

    def tell(self) -> int:
        """Say how far the file itself has been read."""
        return self.stream.tell()


class DecompressedStream:
    """What a packed file holds: a piece of it is in memory, and what comes of all is bounded by what went in."""

    def __init__(self, stream: IO[bytes], packing: Packing) -> None:
        self.stream = stream
        self.parts = unpacked(stream, packing)
        self.rest = b""
        self.begin = 0
        self.size = 0

    def read(self, size: int) -> bytes:
        """Read so many bytes, or what is left; raises `InputError` where it is broken, or expands too far."""
        taken: list[bytes] = []
        while size and self._fill():
            part = self.rest[self.begin : self.begin + size]
            self.begin += len(part)
            size -= len(part)
            taken.append(part)
        return taken[0] if len(taken) == 1 else b"".join(taken)

    def skip(self, size: int) -> int:
        """Go forward, as much as `_STEP` bytes in memory."""
        skipped = 0
        while skipped < size and (part := self.read(min(_STEP, size - skipped))):
            skipped += len(part)
        return skipped

    def tell(self) -> int:
        """Say how far the file itself has been read."""
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
