"""A run: members in, files out, in one order whatever the workers do, and never more in memory than a window."""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mjconv.batch.disk import Growing, put
from mjconv.batch.journal import Entry, Head, Journal
from mjconv.batch.names import Names, safe, target_name
from mjconv.batch.ordered_results import Window
from mjconv.batch.places import FAILURES, RENAMED, WORK, Places
from mjconv.batch.plan import LINES, PARQUET, Plan
from mjconv.batch.progress import Progress
from mjconv.batch.quarantine import Keeper
from mjconv.batch.sinks import sink_for
from mjconv.batch.summary import Summary
from mjconv.batch.work import Failure, Made, Outcome, failure
from mjconv.batch.worker_pool import Crew
from mjconv.ir.errors import InputError, UsageError
from mjconv.sources.members import Member
from mjconv.sources.walk import members
from mjconv.version import VERSION

#: How long an outcome is waited for before the workers are looked after, in seconds.
_PATIENCE: Final = 0.5
#: Errors of the system that are about one name, and not about the disk.
_OF_THE_NAME: Final = frozenset(
    {errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ, errno.ENOTDIR, errno.EISDIR, errno.ELOOP}
)
#: The kind of failure of a member whose name cannot be written.
NAME: Final = "name"


class Renamed(Struct, frozen=True):
    """A line of ``renamed.jsonl``: a member that was written under another name than its own."""

    member: str
    output: str


class Run:
    """One run over the members, from where an earlier one was cut off."""

    def __init__(self, plan: Plan, output: str, keep_bad: str | None = None) -> None:
        self.plan = plan
        self.places = Places.of(plan, output)
        self.journal = Journal(self.places.work)
        self.sink = sink_for(plan, output, self.places.data, self.places.temporary)
        self.keeper = None if keep_bad is None else Keeper(keep_bad)
        self.failures = Growing(self.places.failures)
        self.renamed = Growing(self.places.renamed)
        self.names = Names()
        for own in (FAILURES, RENAMED, WORK):
            self.names.take(own)
        self.ending = plan.ending()
        self.summary = Summary()

    def prepare(self, *, resume: bool = False, force: bool = False) -> bool:
        """Find or make the place to work in; tell whether there is anything to do.

        Raises `FileExistsError` where something is there that is not to be gone on with, `UsageError` where what
        is asked for is not what the run that was cut off was asked for.
        """
        places = self.places
        head = Head(VERSION, self.plan)
        if resume and (old := self.journal.head()) is not None:
            self._check_same(old)
            return True
        if resume and places.sweep():
            return False
        if force or (resume and not os.path.lexists(self.journal.path)):
            shutil.rmtree(places.work, ignore_errors=True)
        if not force:
            places.check_free()
            if self.keeper is not None:
                self.keeper.check_free()
        places.make()
        self.journal.begin(head)
        return True

    def _check_same(self, old: Head) -> None:
        if old.version != VERSION:
            raise UsageError(
                f"the run was begun by mjconv {old.version}, and this is {VERSION}; --force begins anew"
            )
        if differences := list(old.plan.differences(self.plan)):
            raise UsageError(f"the run was begun with other {', '.join(differences)}; --force begins anew")

    def go(
        self, names: list[str], jobs: int, progress: Progress, crew: Callable[[Plan, int], Crew] = Crew
    ) -> Summary:
        """Convert all members that are not done, and put the output in place.

        Raises `OSError` where something cannot be written: then, or after a kill, the run can be gone on with.
        Raises `UsageError` where the inputs are not those of the run that was cut off.
        """
        began = time.monotonic()
        self.summary.workers = jobs
        try:
            if os.path.lexists(self.places.whole):
                for entry in self.journal.entries():
                    self._remember(entry)
            else:
                with ExitStack() as stack:
                    left = self._past_done(members(names, avoid=self._own_paths()))
                    stack.enter_context(progress)
                    window = Window(stack.enter_context(crew(self.plan, jobs)), jobs)
                    for member, outcome in window.outcomes(left, _PATIENCE):
                        self._commit(member, outcome)
                        self.summary.seconds = time.monotonic() - began
                        progress.tell(self.summary)
                self._close()
            self._put_in_place()
        finally:
            self.summary.seconds = time.monotonic() - began
            for file in (self.failures, self.renamed, self.sink, self.journal):
                file.leave()
        return self.summary

    def _own_paths(self) -> set[str]:
        paths = [self.places.output, self.places.work, self.places.failures, self.places.renamed]
        if self.keeper is not None:
            paths.append(self.keeper.folder)
        return {os.path.realpath(path) for path in paths}

    def _past_done(self, listed: Iterator[Member]) -> Iterator[Member]:
        """Go past the members that an earlier run did, and remember what it did."""
        for entry in self.journal.entries():
            member = next(listed, None)
            if member is None or not entry.is_of(member):
                found = "nothing more is" if member is None else f"now {member.name} is, or it has changed"
                raise UsageError(
                    f"the inputs are not those that the run was begun with: where {entry.member} was, {found}; "
                    "--force begins anew"
                )
            self._remember(entry)
        return listed

    def _remember(self, entry: Entry) -> None:
        self.sink.restore(entry)
        self.failures.size = entry.grown.get(FAILURES, self.failures.size)
        self.renamed.size = entry.grown.get(RENAMED, self.renamed.size)
        if entry.output:
            self.names.take(entry.output)
        if entry.kept and self.keeper is not None:
            self.keeper.names.take(entry.kept)
        self.summary.add(entry)

    def _commit(self, member: Member, outcome: Outcome) -> None:
        """Write what came of a member, then that it is done: what is cut off in between is done once more."""
        entry = Entry(member.name, member.stamp, counts=outcome.counts, said=outcome.said, weight=member.weight)
        if outcome.made is not None:
            entry = self._write(member, entry, outcome.made)
        elif outcome.failure is not None:
            entry = self._fail(member, entry, outcome.failure, outcome.bad)
        else:
            entry = replace(entry, passed=outcome.passed)
        self.journal.note(entry)
        self.summary.add(entry)
        self.summary.here += 1
        self.summary.games_here += entry.counts.games
        self.summary.bytes_here += entry.weight

    def _write(self, member: Member, entry: Entry, made: Made) -> Entry:
        if self.plan.shape in (LINES, PARQUET):
            grown, _ = self.sink.add("", made)
            return replace(entry, output="", grown=grown)
        usual = target_name(member.inner, self.ending)
        path = self.names.free(safe(usual))
        try:
            grown, directory = self.sink.add(path, made)
        except InputError as error:
            return self._fail(member, entry, Failure(member.name, NAME, error.message))
        except OSError as error:
            if error.errno not in _OF_THE_NAME:
                raise
            return self._fail(member, entry, replace(failure(member.name, error), kind=NAME))
        if path != usual.removeprefix("./"):
            self.renamed.append(msgspec.json.encode(Renamed(member.name, path)) + b"\n")
            grown = {**grown, RENAMED: self.renamed.size}
        return replace(entry, output=path, grown=grown, directory=directory)

    def _fail(self, member: Member, entry: Entry, why: Failure, bad: bytes | None = None) -> Entry:
        if self.keeper is not None:
            why = replace(why, kept=self.keeper.keep(member, bad))
        self.failures.append(msgspec.json.encode(why) + b"\n")
        # What was counted on the way is not in the output.
        return replace(
            entry, failed=why.kind, kept=why.kept, counts=Outcome(0).counts, grown={FAILURES: self.failures.size}
        )

    def _close(self) -> None:
        self.sink.finish(self.journal.entries)
        self.failures.close()
        self.renamed.close()
        put(self.places.whole, b"", self.places.temporary)

    def _put_in_place(self) -> None:
        """Have the output stand where it belongs; cut off in between, this is done again."""
        if not self.places.in_folder and os.path.lexists(self.places.data):
            os.replace(self.places.data, self.places.output)
        self.places.remove()
