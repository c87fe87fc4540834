"""The digest of a file, and a table of digests that takes little more memory than their bytes."""

import hashlib
from typing import Final

from mjconv.files.storage import open_for_reading

#: The number of digests of a bucket at which the buckets are divided.
_FULL: Final = 1024


class DigestTable:
    """A value for each digest. All digests have one length, at least four bytes, and all values have one.

    A value may be empty. A `set` takes five times the memory for digests of 16 bytes.

    >>> digests = DigestTable()
    >>> digests.put(b"12345678", b"A")
    >>> digests.put(b"12345678", b"B")
    >>> digests.get(b"12345678"), digests.get(b"12345679")
    (b'B', None)
    """

    def __init__(self) -> None:
        self._buckets = [bytearray()]
        self._count = 0
        #: The bytes of a digest with its value.
        self._size = 0

    def __contains__(self, digest: bytes) -> bool:
        return self._find(digest)[1] >= 0

    def get(self, digest: bytes) -> bytes | None:
        """Return the value of a digest; None if it has none."""
        bucket, position = self._find(digest)
        return None if position < 0 else bytes(bucket[position + len(digest) : position + self._size])

    def put(self, digest: bytes, value: bytes = b"") -> None:
        """Set the value of a digest."""
        bucket, position = self._find(digest)
        self._size = len(digest) + len(value)
        if position >= 0:
            bucket[position : position + self._size] = digest + value
            return
        bucket.extend(digest + value)
        self._count += 1
        if self._count > _FULL * len(self._buckets):
            self._divide(self._size)

    def _find(self, digest: bytes) -> tuple[bytearray, int]:
        """Return the bucket of a digest, and its position there, which is negative if it has none."""
        bucket = self._buckets[_number(digest) % len(self._buckets)]
        position = bucket.find(digest)
        # The end of one digest and the beginning of the next may look like a digest.
        while position > 0 and position % self._size:
            position = bucket.find(digest, position + 1)
        return bucket, position

    def _divide(self, size: int) -> None:
        """Divide each bucket in two: half of its digests belong to a bucket behind all present ones."""
        count = len(self._buckets)
        for place in range(count):
            bucket = self._buckets[place]
            halves = bytearray(), bytearray()
            for begin in range(0, len(bucket), size):
                entry = bucket[begin : begin + size]
                halves[_number(entry) // count % 2].extend(entry)
            self._buckets[place] = halves[0]
            self._buckets.append(halves[1])


def _number(digest: bytes | bytearray) -> int:
    return int.from_bytes(digest[:4], "big")


def sha256_in(path: str) -> str:
    """Return the SHA-256 of a file, empty if there is none. It is read piece by piece. Raises `OSError`."""
    try:
        with open_for_reading(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return ""
