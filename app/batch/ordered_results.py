"""What is on its way: members given out in order, outcomes taken back in that order, a bounded number between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from msgspec.structs import replace

from mjconv.batch.work import Outcome, Task, failure
from mjconv.batch.worker_pool import Crew
from mjconv.sources.members import Bad, Held, Member, Passed

#: A chunk has no more members, and holds no more bytes, than this; the first are smaller, so that all begin.
_CHUNK: Final = 16
_CHUNK_BYTES: Final = 1 << 20
#: So many members for each worker, and so many bytes for all, may be on their way at a time.
_WINDOW: Final = 64
_WINDOW_BYTES: Final = 1 << 26


@dataclass
class _Slot:
    """A member on its way, what came of it, and how many bytes the two take."""

    member: Member
    outcome: Outcome | None
    size: int


class Window:
    """Has members converted by a crew, few enough at a time that memory does not grow with their number."""

    def __init__(self, crew: Crew, jobs: int) -> None:
        self.crew = crew
        self.jobs = jobs
        self.slots: dict[int, _Slot] = {}
        self.size = 0
        self.given = 0

    def outcomes(self, members: Iterator[Member], patience: float) -> Iterator[tuple[Member, Outcome]]:
        """Give each member with what came of it, in their order; raises `WorkerError`."""
        first = 0
        more = True
        while more or self.slots:
            while more and self._has_room():
                more = self._give(members)
            while first in self.slots and (outcome := self.slots[first].outcome) is not None:
                slot = self.slots.pop(first)
                self.size -= slot.size
                first += 1
                yield slot.member, outcome
            if first in self.slots and not (more and self._has_room()):
                found = self.crew.outcome(patience)
                if found is not None:
                    self._take(found)

    def _has_room(self) -> bool:
        return not self.slots or (len(self.slots) < _WINDOW * self.jobs and self.size < _WINDOW_BYTES)

    def _give(self, members: Iterator[Member]) -> bool:
        """Give a chunk out; tell whether there may be more members."""
        most = min(_CHUNK, 1 + self.given // (4 * self.jobs))
        tasks: list[Task] = []
        held = count = 0
        for member in islice(members, most):
            count += 1
            number, self.given = self.given, self.given + 1
            outcome = at_once(number, member)
            size = len(member.piece.data) if isinstance(member.piece, Held) else 0
            self.slots[number] = _Slot(member, outcome, size)
            self.size += size
            held += size
            if outcome is None:
                tasks.append(Task(number, member))
            if held >= _CHUNK_BYTES:
                break
        if tasks:
            self.crew.give(tasks)
        return count == most or held >= _CHUNK_BYTES

    def _take(self, outcome: Outcome) -> None:
        slot = self.slots[outcome.number]
        made = outcome.made
        size = 0 if made is None else sum(map(len, made.parts))
        size += len(outcome.bad or b"")
        self.size += size - slot.size
        member = slot.member
        if isinstance(member.piece, Held) and outcome.failure is None:
            member = replace(member, piece=Held(b""))
        self.slots[outcome.number] = _Slot(member, outcome, size)


def at_once(number: int, member: Member) -> Outcome | None:
    """Give the outcome of a member that there is nothing to read of; none for any other."""
    if isinstance(member.piece, Passed):
        return Outcome(number, passed=member.piece.kind)
    if isinstance(member.piece, Bad):
        try:
            member.raw()
        except Exception as error:
            return Outcome(number, failure=failure(member.name, error))
    return None
