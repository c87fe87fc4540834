"""Shorten an input that does harm."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic


def minimise(data: bytes, harms: Callable[[bytes], bool], seconds: float) -> bytes:
    r"""Remove lines, then bytes, in ever smaller spans, while the rest still does harm.

    Ends after `seconds` at the latest.

    >>> minimise(b"one\ntwo\nx bad y\nfour", lambda data: b"bad" in data, 5)
    b'bad'
    """
    until = monotonic() + seconds
    lines = data.splitlines(keepends=True)
    data = b"".join(_thinned(lines, lambda part: harms(b"".join(part)), until))
    return b"".join(
        _thinned([data[at : at + 1] for at in range(len(data))], lambda part: harms(b"".join(part)), until)
    )


def _thinned(items: list[bytes], harms: Callable[[list[bytes]], bool], until: float) -> list[bytes]:
    size = max(len(items) // 2, 1)
    while monotonic() < until:
        at = 0
        before = len(items)
        while at < len(items) and monotonic() < until:
            without = items[:at] + items[at + size :]
            if harms(without):
                items = without
            else:
                at += size
        if size == 1 and len(items) == before:
            break
        size = max(size // 2, 1)
    return items
