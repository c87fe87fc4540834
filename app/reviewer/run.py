"""A review of files, folders and archives: worker processes, each with a bot, and a file that keeps their results.

The file has a line for each member, in the order of the input, and a head. So an interrupted review is continued
after its last whole line. Rows, pages and records are made of it at the end.
"""

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from math import inf
from operator import attrgetter
from typing import IO, Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from mjconv.api import iter_records
from mjconv.batch.journal import write_fully
from mjconv.batch.ordered_results import OrderedResults
from mjconv.batch.plan import Plan
from mjconv.batch.worker_pool import WorkerPool
from mjconv.files.members import Member
from mjconv.files.read_ahead import read_ahead
from mjconv.files.walk import members
from mjconv.ir import events as ev
from mjconv.ir.errors import UsageError
from mjconv.ir.match import Answer, Match
from mjconv.reviewer.play import with_answers
from mjconv.reviewer.rows import ReviewRow, event_of
from mjconv.reviewer.summary import ReviewSummary
from mjconv.reviewer.worker import COMMAND, BotOptions, Reviewed
from mjconv.version import VERSION


class ReviewHead(Struct, frozen=True):
    """The first line of the file: all that its results depend on."""

    version: str
    plan: Plan
    bot: BotOptions


class ReviewRun:
    """A review that keeps its results in the file `kept`. `summary` has the numbers so far."""

    def __init__(self, plan: Plan, bot: BotOptions, kept: str) -> None:
        self.head = ReviewHead(VERSION, plan, bot)
        self.kept = kept
        self.summary = ReviewSummary()
        self.read_bytes = 0

    def execute(self, names: list[str], jobs: int, watch: Callable[[], None], *, resume: bool = False) -> None:
        """Review all members that the file does not list yet; `watch` is called after each.

        Raises `FileExistsError` if there is a file of an interrupted review, without `resume`; `UsageError` if
        its options or inputs were others; `OSError`.
        """
        listed = members(names, avoid={os.path.realpath(self.kept)})
        if not resume and os.path.lexists(self.kept):
            reason = "Is of an interrupted review: --resume continues it; else remove it"
            raise FileExistsError(errno.EEXIST, reason, self.kept)
        with open(self.kept, "ab+") as file:
            self._continue(file, listed)
            command = (*COMMAND, msgspec.json.encode(self.head.bot).decode())
            with WorkerPool(self.head.plan, jobs, command=command, seconds=inf) as pool:
                for member, outcome in OrderedResults(pool).outcomes(read_ahead(listed)):
                    found = Reviewed(member.name, member.stamp)
                    if outcome.failure is not None:
                        found.failures.append(f"{member.name}: {outcome.failure.error}")
                    parts = [] if outcome.output is None else outcome.output.parts
                    line = b"".join(parts) or msgspec.json.encode(found) + b"\n"
                    write_fully(file.fileno(), line, self.kept)
                    self._count(_RESULT.decode(line), member)
                    watch()

    def _continue(self, file: IO[bytes], listed: Iterator[Member]) -> None:
        """Skip the members of the whole lines of the file, and cut off the rest."""
        file.seek(0)
        head = msgspec.json.encode(self.head) + b"\n"
        first = file.readline()
        if not first.endswith(b"\n"):
            file.truncate(0)
            write_fully(file.fileno(), head, self.kept)
            return
        if first != head:
            raise UsageError(f"{self.kept} is of a review with other inputs, options or version: remove it")
        end = file.tell()
        # A power failure may leave a last line of other bytes.
        with suppress(msgspec.MsgspecError):
            while (line := file.readline()).endswith(b"\n"):
                found = _RESULT.decode(line)
                member = next(listed, None)
                if member is None or (member.name, member.stamp) != (found.member, found.stamp):
                    raise UsageError(f"the inputs changed since the review was started: {found.member}")
                self._count(found, member)
                end = file.tell()
        file.truncate(end)

    def _count(self, found: Reviewed, member: Member) -> None:
        summary = self.summary
        self.read_bytes += member.weight
        summary.seats.update(found.seats)
        summary.left_out += found.left_out
        summary.errors = summary.errors or found.errors
        for row in found.rows:
            summary.add_row(row)
        summary.add_lost(found.lost, found.failures)

    def results(self) -> Iterator[Reviewed]:
        """Return the results that the file keeps, one by one."""
        with open(self.kept, "rb") as file:
            next(file)
            yield from map(_RESULT.decode, file)

    def rows(self) -> Iterator[ReviewRow]:
        """Return all rows, one by one."""
        return (row for found in self.results() for row in found.rows)

    def matches(self, names: list[str]) -> Iterator[Match]:
        """Read the matches again, and return each that was reviewed with its answers, one by one."""
        options = self.head.plan.options
        records = iter_records(names, format=options.source, where=options.where, errors=lambda _: None)
        for (source, number), rows in groupby(self.rows(), attrgetter("source", "match")):
            record = next(one for one in records if (one.source, one.index) == (source, number))
            yield answered(record.match, rows)


def answered(match: Match, rows: Iterable[ReviewRow]) -> Match:
    """Return a match with the answers of its rows.

    If all are of one seat, the match names it as the seat that it was recorded at: then mjai has answers as lines.
    """
    answers: list[list[Answer]] = [[] for _ in match.rounds]
    seats: set[int] = set()
    for row in rows:
        if row.answered is not None:
            seats.add(row.seat)
            answers[row.round].append(Answer(row.event, event_of(row.answered, row.values), row.seat))
    if len(seats) == 1:
        opening = [
            replace(event, id=min(seats)) if type(event) is ev.StartGame and event.id is UNSET else event
            for event in match.opening
        ]
        match = replace(match, opening=opening)
    return with_answers(match, answers)


_RESULT: Final = msgspec.json.Decoder(Reviewed)
