"""The messages between the run and its workers: eight bytes with the length, then MessagePack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Final, TypeVar

import msgspec
from msgspec import Struct, field

from mjconv.batch.plan import Plan
from mjconv.files.members import Member

_LENGTH_BYTES: Final = 8
T = TypeVar("T")


class Task(Struct, frozen=True):
    """A member to convert, and its number in the order of the input."""

    number: int
    member: Member


class Counts(Struct):
    """The contents of members: numbers of matches, rounds, messages and warnings; losses by ``"fate name"``.

    `impossible` is the number of events that no table allows, and that were written as the members state them.

    `left_out` is the number of matches that `--where` left out, and `duplicates` that of `--dedup`.

    `verified` matches were read again from the output; `differing` of them differ from the input in reported
    losses.
    """

    matches: int = 0
    rounds: int = 0
    messages: int = 0
    losses: dict[str, int] = field(default_factory=dict)
    warnings: int = 0
    impossible: int = 0
    verified: int = 0
    differing: int = 0
    left_out: int = 0
    duplicates: int = 0

    def add(self, other: Counts) -> None:
        """Add the counts of other members."""
        for name in self.__struct_fields__:
            if name != "losses":
                setattr(self, name, getattr(self, name) + getattr(other, name))
        add_numbers(self.losses, other.losses)


def add_numbers(sums: dict[str, int], others: Mapping[str, int]) -> None:
    """Add the numbers of others to sums by name."""
    for name, number in others.items():
        sums[name] = sums.get(name, 0) + number


class Failure(Struct, frozen=True, omit_defaults=True):
    """A member that could not be converted, and the reason: a line of ``failures.jsonl``.

    `line` and `column` count from 1. `text` is the line. `kept` is the name of the copy that ``--keep-bad`` made.
    """

    member: str
    kind: str
    error: str
    line: int | None = None
    column: int | None = None
    text: str | None = None
    kept: str | None = None


class OutputData(Struct, frozen=True):
    """The bytes to write for one member, already packed as the output needs them.

    `size` and `crc` (zip only) are the size in bytes and the CRC-32 of the unpacked data. Of rows of a
    table and of lines, `size` is the number of their matches, and `weight` the bytes of the member.
    `sha256` is the digest of a file of a folder.
    """

    parts: list[bytes]
    size: int
    crc: int = 0
    sha256: str = ""
    weight: int = 0


class Outcome(Struct, frozen=True):
    """The result of a task: exactly one of `output`, `failure` and `skipped`, which is the reason of a skip.

    `warnings` are the first warnings of the member. `raw` holds the bytes of a failed member for ``--keep-bad``.
    `sha256` is the digest of the member's bytes as they were read. With ``--dedup`` or ``--split``, `plays` are
    the digests of the matches in the output by their play; with ``--dedup``, `measures` say how much each match
    states. If the matches are in several splits, `more` has the results of the splits other than `split`.
    """

    number: int
    output: OutputData | None = None
    failure: Failure | None = None
    skipped: str | None = None
    counts: Counts = field(default_factory=Counts)
    warnings: list[str] = field(default_factory=list)
    raw: bytes | None = None
    sha256: str = ""
    split: str = ""
    plays: tuple[str, ...] = ()
    measures: tuple[int, ...] = ()
    more: tuple[Outcome, ...] = ()

    def all_plays(self) -> list[str]:
        """Return the digests of the matches in all outputs."""
        return [play for one in (self, *self.more) for play in one.plays]


read_plan: Final = msgspec.msgpack.Decoder(Plan)
#: Reads a chunk: some tasks, which one worker converts one after another.
read_chunk: Final = msgspec.msgpack.Decoder(list[Task])
#: Reads the first message of a worker: the id of its process.
read_ready: Final = msgspec.msgpack.Decoder(int)
read_outcome: Final = msgspec.msgpack.Decoder(Outcome)


def send(stream: IO[bytes], message: object) -> None:
    """Write a message; raises `OSError` if the other process has ended."""
    data = msgspec.msgpack.encode(message)
    stream.write(len(data).to_bytes(_LENGTH_BYTES, "little"))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes], decoder: msgspec.msgpack.Decoder[T]) -> T | None:
    """Read a message; returns None if the other process has ended, even in the middle of a message."""
    head = stream.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        return None
    size = int.from_bytes(head, "little")
    data = stream.read(size)
    return decoder.decode(data) if len(data) == size else None
