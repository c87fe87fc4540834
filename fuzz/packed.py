"""Ways to break compressed data."""

from __future__ import annotations

import gzip
from random import Random


def break_packing(data: bytes, rng: Random) -> bytes:
    """Compress a record as gzip, and cut it, flip a bit, append data, or leave it whole."""
    packed = gzip.compress(data, 1, mtime=0)
    kind = rng.randrange(5)
    if kind == 0:
        return packed[: rng.randrange(len(packed))]
    if kind == 1:
        at = rng.randrange(len(packed))
        return packed[:at] + bytes([packed[at] ^ (1 << rng.randrange(8))]) + packed[at + 1 :]
    if kind == 2:
        return packed + gzip.compress(packed, 1, mtime=0)
    if kind == 3:
        return packed + data[:50]
    return packed
