"""Messages between the run and its workers: their length in eight bytes, then MessagePack."""

from __future__ import annotations

from typing import IO, Final, TypeVar

import msgspec
from msgspec import Struct

from mjconv.batch.plan import Plan
from mjconv.batch.work import Outcome, Task

_LENGTH: Final = 8
T = TypeVar("T")

encode: Final = msgspec.msgpack.encode


class Chunk(Struct, frozen=True):
    """Some tasks, done one after another."""

    tasks: list[Task]


class Ready(Struct, frozen=True):
    """What a worker says first."""

    process: int


read_plan: Final = msgspec.msgpack.Decoder(Plan)
read_chunk: Final = msgspec.msgpack.Decoder(Chunk)
read_ready: Final = msgspec.msgpack.Decoder(Ready)
read_outcome: Final = msgspec.msgpack.Decoder(Outcome)


def send(stream: IO[bytes], message: Struct) -> None:
    """Write a message; raises `OSError` where nobody reads it any more."""
    data = encode(message)
    stream.write(len(data).to_bytes(_LENGTH, "little"))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes], decoder: msgspec.msgpack.Decoder[T]) -> T | None:
    """Read a message; none where the other side has ended, be it in the middle of one."""
    head = stream.read(_LENGTH)
    if len(head) < _LENGTH:
        return None
    size = int.from_bytes(head, "little")
    data = stream.read(size)
    return decoder.decode(data) if len(data) == size else None
