"""What a run has done so far, a line a member: where it goes on from when it was cut off."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct, field

from mjconv.batch.disk import Growing, put
from mjconv.batch.plan import Plan
from mjconv.batch.work import Counts
from mjconv.ir.errors import UsageError
from mjconv.sources.members import Member

_NAME: Final = "journal.jsonl"
#: No line is longer than this: names of output and members, losses by kind.
_LONGEST: Final = 1 << 24


class Head(Struct, frozen=True):
    """The first line: who wrote it, and what was asked for."""

    version: str
    plan: Plan


class Entry(Struct, frozen=True, omit_defaults=True):
    """A member that is done: which, what came of it, and how long each file that grows is now.

    `output` is the name it was written under; `failed` and `passed` the kind of what it was instead. `directory`
    is what an archive's directory will say of it.
    """

    member: str
    stamp: str
    output: str | None = None
    failed: str | None = None
    passed: str | None = None
    kept: str | None = None
    counts: Counts = field(default_factory=Counts)
    said: list[str] = field(default_factory=list)
    grown: dict[str, int] = field(default_factory=dict)
    directory: tuple[int, ...] = ()
    weight: int = 0

    def is_of(self, member: Member) -> bool:
        """Tell whether it is about this member, and its file has not changed."""
        return self.member == member.name and self.stamp == member.stamp


_read_head: Final = msgspec.json.Decoder(Head)
_read_entry: Final = msgspec.json.Decoder(Entry)


class Journal:
    """The journal in a folder of its own; `begin` or `resume` before anything is noted."""

    def __init__(self, folder: str) -> None:
        self.path = os.path.join(folder, _NAME)
        self._file = Growing(self.path)

    def begin(self, head: Head) -> None:
        """Write the first line: from now on there is a run to go on with."""
        line = msgspec.json.encode(head) + b"\n"
        put(self.path, line, self.path + ".tmp")
        self._file = Growing(self.path, len(line))

    def head(self) -> Head | None:
        """Give the first line; none where there is no journal. Raises `UsageError` where it cannot be read."""
        try:
            with open(self.path, "rb") as stream:
                return _read_head.decode(stream.readline(_LONGEST))
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as error:
            raise self._broken(f"its first line: {error}") from None

    def entries(self) -> Iterator[Entry]:
        """Give the lines after the first, up to the one that was cut off, and go on behind them.

        Raises `UsageError` where the journal was damaged.
        """
        with open(self.path, "rb") as stream:
            size = len(stream.readline(_LONGEST))
            for line in iter(lambda: stream.readline(_LONGEST), b""):
                if not line.endswith(b"\n"):
                    break
                try:
                    entry = _read_entry.decode(line)
                except msgspec.DecodeError as error:
                    raise self._broken(f"at byte {size}: {error}") from None
                yield entry
                size += len(line)
        self._file.leave()
        self._file = Growing(self.path, size)

    def note(self, entry: Entry) -> None:
        """Write a line; raises `OSError`."""
        self._file.append(msgspec.json.encode(entry) + b"\n")

    def _broken(self, where: str) -> UsageError:
        reason = f"is damaged, or of another version of mjconv ({where}); --force begins anew"
        return UsageError(reason, file=self.path)

    def leave(self) -> None:
        """Let go of the file."""
        self._file.leave()
