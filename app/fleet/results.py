"""The result of a shard: an object that is written after its part. It shows that the part is complete."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from mjconv.batch.summary import Summary
from mjconv.ir.errors import InputError

#: The folders of the objects of a fleet.
PARTS: Final = "parts"
DONE: Final = "done"
FAILED: Final = "failed"
FAILURES: Final = "failures"
RENAMED: Final = "renamed"
FOLDERS: Final = (PARTS, DONE, FAILED, FAILURES, RENAMED)
#: The objects beside the folders.
PLAN: Final = "plan.jsonl"
MANIFEST: Final = "manifest.json"


class Done(Struct, frozen=True):
    """The result of a shard that is converted.

    `part` is the name of its part, `size` the size of the part in bytes, and `digest` its BLAKE2b digest of 16
    bytes.
    `rows` is the number of rows of a Parquet part. `summary` counts its members, games, losses and failures.
    `failures` and `renamed` are the names of its lists of members, empty if there is none.
    """

    number: int
    id: str
    part: str
    size: int
    digest: str
    rows: int
    summary: Summary
    failures: str = ""
    renamed: str = ""

    def encoded(self) -> bytes:
        """Return the bytes of the object."""
        return msgspec.json.encode(self) + b"\n"

    @classmethod
    def of(cls, data: bytes) -> Done:
        """Read the object; raises `InputError` if it is damaged."""
        try:
            return msgspec.json.decode(data, type=cls)
        except msgspec.DecodeError as error:
            raise InputError(f"is damaged ({error})", file=DONE) from None


class FailedShard(Struct, frozen=True):
    """A shard that could not be converted: its name, the error, and the number of attempts."""

    shard: str
    error: str
    attempts: int

    def encoded(self) -> bytes:
        """Return the bytes of the object."""
        return msgspec.json.encode(self) + b"\n"
