"""The set of digests finds each digest, however many there are."""

from __future__ import annotations

import hashlib

import pytest

from mjconv.batch.digests import DigestSet


def digest(number: int, size: int) -> bytes:
    return hashlib.blake2b(number.to_bytes(4, "big"), digest_size=size).digest()


@pytest.mark.parametrize("size", [8, 16])
def test_a_digest_stays_when_others_join(size: int) -> None:
    digests = DigestSet()
    for number in range(10_000):
        digests.add(digest(number, size))
        digests.add(digest(number // 2, size))
    assert all(digest(number, size) in digests for number in range(10_000))
    assert not any(digest(number, size) in digests for number in range(10_000, 20_000))


def test_the_end_of_one_digest_and_the_beginning_of_the_next_are_no_digest() -> None:
    digests = DigestSet()
    for one in (b"aaaabbbb", b"ccccdddd"):
        digests.add(one)
    assert b"bbbbcccc" not in digests
    assert b"ccccdddd" in digests
