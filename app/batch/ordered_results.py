"""Outcomes in the order of the input, with a bounded number of members in progress."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from msgspec.structs import replace

from mjconv.batch.protocol import Outcome, Task, read_outcome
from mjconv.batch.worker import failure_of
from mjconv.batch.worker_pool import WorkerPool
from mjconv.files.members import HeldBytes, Member, SpecialFile, Unreadable

#: The most members, and the most bytes, of a chunk. The first chunks are smaller: all workers start at once.
_CHUNK: Final = 16
_CHUNK_BYTES: Final = 1 << 20
#: The most members in progress for each worker, and the most bytes in progress for all workers.
_WINDOW: Final = 64
_WINDOW_BYTES: Final = 1 << 26
#: The time to wait for an outcome before the workers are checked, in seconds.
_PATIENCE: Final = 0.5


@dataclass
class _Slot:
    """A member in progress, its outcome (None until it arrives), and the bytes that both hold in memory."""

    member: Member
    outcome: Outcome | None
    size: int


class OrderedResults:
    """Sends members to a worker pool and returns the outcomes in order; memory does not grow with their number."""

    def __init__(self, pool: WorkerPool) -> None:
        self.pool = pool
        self.jobs = len(pool.workers)
        self.slots: dict[int, _Slot] = {}
        self.size = 0
        self.submitted = 0

    def outcomes(self, members: Iterator[Member]) -> Iterator[tuple[Member, Outcome]]:
        """Return each member with its outcome, in the order of `members`; raises `WorkerError`."""
        first = 0
        more = True
        while more or self.slots:
            while more and self._has_room():
                more = self._submit_chunk(members)
            while first in self.slots and (outcome := self.slots[first].outcome) is not None:
                slot = self.slots.pop(first)
                self.size -= slot.size
                first += 1
                yield slot.member, outcome
            if first in self.slots and not (more and self._has_room()):
                arrived = self.pool.next_outcome(_PATIENCE)
                if arrived is not None:
                    self._store(arrived)

    def _has_room(self) -> bool:
        return not self.slots or (len(self.slots) < _WINDOW * self.jobs and self.size < _WINDOW_BYTES)

    def _submit_chunk(self, members: Iterator[Member]) -> bool:
        """Submit a chunk of members; return False if there are no more members."""
        most = min(_CHUNK, 1 + self.submitted // (4 * self.jobs))
        tasks: list[Task] = []
        held = count = 0
        for member in islice(members, most):
            count += 1
            number, self.submitted = self.submitted, self.submitted + 1
            outcome = immediate_outcome(number, member)
            size = _held(member)
            self.slots[number] = _Slot(member, outcome, size)
            self.size += size
            held += size
            if outcome is None:
                tasks.append(Task(number, member))
            if held >= _CHUNK_BYTES:
                break
        if tasks:
            self.pool.submit(tasks)
        return count == most or held >= _CHUNK_BYTES

    def _store(self, outcome: Outcome) -> None:
        slot = self.slots[outcome.number]
        member = slot.member
        # Some of several matches may have to be left out.
        if isinstance(member.piece, HeldBytes) and outcome.failure is None and len(outcome.all_plays()) < 2:
            member = replace(member, piece=HeldBytes(b""))
        outputs = [one.output for one in (outcome, *outcome.more) if one.output is not None]
        size = _held(member) + sum(len(part) for output in outputs for part in output.parts)
        size += len(outcome.raw or b"")
        self.size += size - slot.size
        self.slots[outcome.number] = _Slot(member, outcome, size)


def _held(member: Member) -> int:
    """Return the number of bytes of a member that are in memory."""
    return len(member.outcome) + (len(member.piece.data) if isinstance(member.piece, HeldBytes) else 0)


def immediate_outcome(number: int, member: Member) -> Outcome | None:
    """Return the outcome of a member that is converted or has no bytes to read; None for any other member."""
    if member.outcome:
        return read_outcome.decode(member.outcome)
    if isinstance(member.piece, SpecialFile):
        return Outcome(number, skipped=member.piece.kind)
    if isinstance(member.piece, Unreadable):
        try:
            member.raw()
        except Exception as error:
            return Outcome(number, failure=failure_of(member.name, error))
    return None
