"""Names from archives: files stay below the output and have different names."""

import hashlib
import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjconv.batch.digests import DigestTable
from mjconv.batch.paths import UsedNames, output_name, safe_path
from strategies import any_text

#: Text that names in archives may hold, with many parts that lead elsewhere.
PIECES = ["..", "/", "\\", ".", "C:", "\0", "\n", "nul", "CON.txt", "~", " ", "é", "e\u0301", "\u202e"]
NASTY = st.lists(st.sampled_from(PIECES) | any_text(max_size=8), max_size=8).map("".join)


@given(NASTY)
def test_no_name_leads_out_of_the_output(name: str) -> None:
    path = safe_path(name)
    assert path
    assert os.path.normpath(path) == path
    assert not os.path.isabs(path)
    assert os.path.commonpath(["/out", os.path.normpath(f"/out/{path}")]) == "/out"
    for part in path.split("/"):
        assert part.strip(". ")
        assert not part.startswith(".")
        assert not part.endswith((".", " "))
        assert not any(unicodedata.category(char) == "Cc" or char in '<>:"|?*\\' for char in part)
        assert part.partition(".")[0].lower() not in ("con", "prn", "aux", "nul", "com1", "lpt1")


@given(NASTY)
def test_safe_names_stay_the_same(name: str) -> None:
    assert safe_path(safe_path(name)) == safe_path(name)


@given(any_text(min_size=200, max_size=3000))
def test_long_names_fit_on_disk(name: str) -> None:
    assert all(len(part.encode()) <= 255 for part in safe_path(name).split("/"))
    assert len(safe_path(name).encode()) < 1000


@given(st.lists(NASTY, max_size=30))
def test_names_are_unique_on_every_system(raw: list[str]) -> None:
    given_out = UsedNames()
    free = [given_out.reserve(safe_path(name)) for name in raw]
    keys = [unicodedata.normalize("NFC", name).casefold() for name in free]
    assert len(set(keys)) == len(keys)
    # No file is the folder of another.
    assert not set(keys) & {parent.as_posix() for key in keys for parent in Path(key).parents}


@given(st.lists(NASTY, max_size=10), st.lists(NASTY, max_size=10))
def test_names_of_an_earlier_run_stay_used(before: list[str], after: list[str]) -> None:
    whole, begun, resumed = UsedNames(), UsedNames(), UsedNames()
    wanted = [whole.reserve(safe_path(name)) for name in before + after]
    for name in before:
        resumed.add(begun.reserve(safe_path(name)))
    assert [resumed.reserve(safe_path(name)) for name in after] == wanted[len(before) :]


def test_many_names_stay_used() -> None:
    given_out = UsedNames()
    for number in range(3000):
        assert given_out.reserve(f"{number}.jmjp") == f"{number}.jmjp"
    assert all(given_out.reserve(f"{number}.jmjp") == f"{number}~2.jmjp" for number in range(0, 3000, 97))


def test_the_extension_becomes_that_of_the_target() -> None:
    named = {"a/b.mjson": "a/b", "b.JSON.gz": "b", "c.mjson.zst": "c", "d": "d", "e.2024": "e.2024", ".gz": ".gz"}
    assert {old: output_name(old, ".jmjp") for old in named} == {old: f"{new}.jmjp" for old, new in named.items()}


# The set of digests finds each digest, however many there are.


def digest(number: int, size: int) -> bytes:
    return hashlib.blake2b(number.to_bytes(4, "big"), digest_size=size).digest()


@pytest.mark.parametrize("size", [8, 16])
def test_a_digest_stays_when_others_join(size: int) -> None:
    digests = DigestTable()
    for number in range(10_000):
        digests.put(digest(number, size))
        digests.put(digest(number // 2, size))
    assert all(digest(number, size) in digests for number in range(10_000))
    assert not any(digest(number, size) in digests for number in range(10_000, 20_000))


def test_the_end_of_one_digest_and_the_beginning_of_the_next_are_no_digest() -> None:
    digests = DigestTable()
    for one in (b"aaaabbbb", b"ccccdddd"):
        digests.put(one)
    assert b"bbbbcccc" not in digests
    assert b"ccccdddd" in digests
