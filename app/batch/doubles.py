"""Several records of one play in a run: the one that states most is written.

A later record may state more than an earlier one, so the outcomes of all members wait in a file of the work folder
until every member is converted. An interrupted run reads this file again, up to the first damaged outcome.
"""

import os
import zlib
from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from mjconv.batch.digests import DigestTable
from mjconv.batch.journal import AppendFile
from mjconv.batch.outputs import ConvertAll
from mjconv.batch.protocol import Counts, Outcome, read_outcome
from mjconv.files.members import Member
from mjconv.ir.errors import UsageError

#: The reason of a skip of a member whose matches are all written from other members.
DUPLICATE: Final = "duplicate"
_NAME: Final = "outcomes"
#: The bytes before an outcome: its length and its CRC-32.
_LENGTH, _CRC = 8, 4
#: The bytes of a measure, and of the number of a member: no more than four billion.
_MEASURE, _NUMBER = 5, 4


class _Waiting(msgspec.Struct, frozen=True):
    """A member with its outcome, and for each match in it the digest and the measure of `Selection`."""

    member: Member
    plays: tuple[str, ...]
    measures: tuple[int, ...]
    outcome: bytes


_read: Final = msgspec.msgpack.Decoder(_Waiting)


class Doubles:
    """The outcomes of all members, and for each play the number of the member that states most about it."""

    def __init__(self, folder: str) -> None:
        self.path = os.path.join(folder, _NAME)
        self._file = AppendFile(self.path)
        self._best = DigestTable()
        self._count = 0

    def collect(self, listed: Iterator[Member], convert: ConvertAll, *, begun: bool) -> Iterator[Member]:
        """Convert the members that no earlier run converted; yield each member.

        If the run has `begun` to write, there must be no new members: raises `UsageError`.
        """
        for waiting in self._waiting():
            member = next(listed, None)
            if member is None or (member.name, member.stamp) != (waiting.member.name, waiting.member.stamp):
                raise changed(waiting.member.name, instead(member))
            self._note(waiting)
            yield member
        for member, outcome in convert(listed):
            if begun:
                raise changed(member.name, "is new")
            measures = tuple(measure for one in (outcome, *outcome.more) for measure in one.measures)
            waiting = _Waiting(member, tuple(outcome.all_plays()), measures, msgspec.msgpack.encode(outcome))
            self._note(waiting)
            data = msgspec.msgpack.encode(waiting)
            self._file.append(len(data).to_bytes(_LENGTH, "big") + zlib.crc32(data).to_bytes(_CRC, "big") + data)
            yield member

    def chosen(self) -> Iterator[Member]:
        """Yield all members. A member is converted again if only some of its matches are written."""
        for number, waiting in enumerate(self._waiting()):
            best = [self._best.get(bytes.fromhex(play)) for play in waiting.plays]
            own = number.to_bytes(_NUMBER, "big")
            kept = tuple(play for play, one in zip(waiting.plays, best, strict=True) if one and one.endswith(own))
            outcome = waiting.outcome
            if not kept and waiting.plays:
                outcome = _left_out(read_outcome.decode(outcome))
            if kept and len(kept) < len(waiting.plays):
                yield replace(waiting.member, only=kept)
            else:
                yield replace(waiting.member, outcome=outcome)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _note(self, waiting: _Waiting) -> None:
        for play, measure in zip(waiting.plays, waiting.measures, strict=True):
            digest, stated = bytes.fromhex(play), measure.to_bytes(_MEASURE, "big")
            best = self._best.get(digest)
            # Of records that state as much, the first counts.
            if best is None or best[:_MEASURE] < stated:
                self._best.put(digest, stated + self._count.to_bytes(_NUMBER, "big"))
        self._count += 1

    def _waiting(self) -> Iterator[_Waiting]:
        """Read the outcomes. Cuts off what an interrupted run wrote in part."""
        size = 0
        if os.path.lexists(self.path):
            with open(self.path, "rb") as stream:
                while head := stream.read(_LENGTH + _CRC):
                    data = stream.read(int.from_bytes(head[:_LENGTH], "big"))
                    if zlib.crc32(data).to_bytes(_CRC, "big") != head[_LENGTH:]:
                        break
                    size += len(head) + len(data)
                    yield _read.decode(data)
        if not self._file.size:
            self._file = AppendFile(self.path, size)


def _left_out(outcome: Outcome) -> bytes:
    duplicates = outcome.counts.duplicates + len(outcome.all_plays())
    counts = Counts(left_out=outcome.counts.left_out, duplicates=duplicates)
    return msgspec.msgpack.encode(Outcome(outcome.number, skipped=DUPLICATE, counts=counts, sha256=outcome.sha256))


def changed(name: str, how: str) -> UsageError:
    """Return the error about a member that is not as it was when the run was started."""
    return UsageError(f"the inputs changed since the run was started: {name} {how}; --force starts again")


def instead(member: Member | None) -> str:
    """Say in words that a member is in the place of another one, or that none is."""
    return "is missing" if member is None else f"changed, or is now {member.name}"
