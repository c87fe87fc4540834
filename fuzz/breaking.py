"""Ways to break a record: by bytes, lines, words and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from fuzz.packed import break_packing
from fuzz.values import BYTES, NUMBERS, SIGNS, WORDS
from fuzz.wellformed import break_json, break_note
from mjconv.testing.json_types import break_type

#: The length limit of a broken record, in bytes.
MOST_BYTES: Final = 100_000
#: How many ways to break one record; mostly one, because the reader may read past a single damage.
_BREAKS: Final = (1, 1, 1, 1, 2, 3, 4)
#: How often to repeat a part.
_MANY: Final = (2, 3, 10, 300, 5_000)

_WORD: Final = re.compile(rb"[A-Za-z0-9_]+|[^\x00-\x20A-Za-z0-9_]|\s+")
_NUMBER: Final = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?")
_TILE: Final = re.compile(
    rb"(?<![A-Za-z0-9])(?:[0-9]{1,2}[mpstz]r?|[ESWNPFCB]|uk|[eswn]w|[wgr]d)(?![A-Za-z0-9])|[0-9][mps]"
)
_BRACKETS: Final = (b"[]", b"()", b"{}", b"<>", b'""')

Breakage = Callable[[bytes, Sequence[bytes], Random], bytes]


def broken(records: Sequence[bytes], rng: Random) -> bytes:
    """Choose a record, short ones more often, and break it in one way or several."""
    data = records[min(rng.randrange(len(records)), rng.randrange(len(records)))]
    return broken_further(data, records, rng)


def broken_further(data: bytes, records: Sequence[bytes], rng: Random) -> bytes:
    """Break data in one way or several; it may receive parts of the records."""
    for _ in range(rng.choice(_BREAKS)):
        data = rng.choice(BREAKAGES)(data, records, rng)[:MOST_BYTES]
    return break_packing(data, rng)[:MOST_BYTES] if not rng.randrange(40) else data


def _span(length: int, rng: Random, most: int = 60) -> tuple[int, int]:
    begin = rng.randrange(length + 1)
    return begin, min(length, begin + rng.randrange(1, most))


def _flip(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _cut_out(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    begin, end = _span(len(data), rng)
    return data[:begin] + data[end:]


def _break_off(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _put_in(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(BYTES) + data[at:]


def _repeat_span(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    begin, end = _span(len(data), rng)
    return data[:end] + data[begin:end] * rng.choice(_MANY) + data[end:]


def _move_span(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    begin, end = _span(len(data), rng)
    rest = data[:begin] + data[end:]
    at = rng.randrange(len(rest) + 1)
    return rest[:at] + data[begin:end] + rest[at:]


def _splice(data: bytes, records: Sequence[bytes], rng: Random) -> bytes:
    other = rng.choice(records)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def _borrow(data: bytes, records: Sequence[bytes], rng: Random) -> bytes:
    other = rng.choice(records)
    begin, end = _span(len(other), rng, 200)
    at = rng.randrange(len(data) + 1)
    return data[:at] + other[begin:end] + data[at:]


def _lines(change: Callable[[list[bytes], Random], None]) -> Breakage:
    def broken_lines(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
        lines = data.splitlines(keepends=True)
        if lines:
            change(lines, rng)
        return b"".join(lines)

    return broken_lines


def _leave_out(items: list[bytes], rng: Random) -> None:
    del items[rng.randrange(len(items))]


def _repeat(items: list[bytes], rng: Random) -> None:
    at = rng.randrange(len(items))
    items[at:at] = [items[at]] * min(rng.choice(_MANY), MOST_BYTES // len(items[at]))


def _exchange(items: list[bytes], rng: Random) -> None:
    one, other = rng.randrange(len(items)), rng.randrange(len(items))
    items[one], items[other] = items[other], items[one]


def _other_ends(items: list[bytes], rng: Random) -> None:
    end = rng.choice((b"\r", b"\r\n", b"\n\n", b"", b" ", b"\x0b", b"\xe2\x80\xa8", b"\xc2\x85"))
    items[:] = [item.rstrip(b"\r\n") + end for item in items]


def _indent(items: list[bytes], rng: Random) -> None:
    at = rng.randrange(len(items))
    items[at] = rng.choice((b" ", b"\t", b"\xe3\x80\x80", b":", b"#", b"//")) + items[at]


def _words(change: Callable[[list[bytes], Random], None]) -> Breakage:
    def broken_words(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
        words = _WORD.findall(data)
        if words:
            change(words, rng)
        return b"".join(words)

    return broken_words


def _other_word(words: list[bytes], rng: Random) -> None:
    words[rng.randrange(len(words))] = rng.choice(words) if rng.randrange(2) else rng.choice(WORDS)


def _further_word(words: list[bytes], rng: Random) -> None:
    words.insert(rng.randrange(len(words) + 1), rng.choice(WORDS))


def _found(pattern: re.Pattern[bytes], values: Sequence[bytes]) -> Breakage:
    """Replace a match by one of the values, or by another match."""

    def replaced(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
        found = list(pattern.finditer(data))
        if not found:
            return data
        one = rng.choice(found)
        value = rng.choice(values) if values and rng.randrange(3) else rng.choice(found)[0]
        return data[: one.start()] + value + data[one.end() :]

    return replaced


def _nest(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    """Put a part in brackets, or only open or only close them, once or very often."""
    begin, end = _span(len(data), rng)
    opening, closing = (bytes([sign]) * rng.choice(_MANY) for sign in rng.choice(_BRACKETS))
    kind = rng.randrange(3)
    return data[:begin] + opening * (kind != 1) + data[begin:end] + closing * (kind != 2) + data[end:]


def _sign(data: bytes, _: Sequence[bytes], rng: Random) -> bytes:
    """Replace a sign of syntax by another, or remove it."""
    places = [at for at, byte in enumerate(data) if byte in SIGNS]
    if not places:
        return data
    at = rng.choice(places)
    other = bytes([rng.choice(SIGNS)]) if rng.randrange(2) else b""
    return data[:at] + other + data[at + 1 :]


#: All ways. Those that know the form of records stand several times: of the others most end at the first token.
BREAKAGES: Final[tuple[Breakage, ...]] = (
    _flip,
    _cut_out,
    _break_off,
    _put_in,
    _repeat_span,
    _move_span,
    _splice,
    _borrow,
    _nest,
    _sign,
    *map(_lines, (_leave_out, _repeat, _exchange, _other_ends, _indent)),
    *map(_lines, (_leave_out, _repeat, _exchange)),
    *map(_words, (_leave_out, _repeat, _exchange, _other_word, _further_word)),
    *map(_words, (_leave_out, _exchange, _other_word)),
    *[_found(_NUMBER, NUMBERS)] * 4,
    *[_found(_TILE, ())] * 4,
    *[break_json] * 5,
    *[break_note] * 5,
    *[break_type] * 4,
)
