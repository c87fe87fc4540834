"""A run: reads members and writes outputs, in the order of the input, with bounded memory."""

import errno
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Final, TypeAlias

from msgspec.structs import replace

from mjconv.batch.doubles import Doubles, changed, instead
from mjconv.batch.finished import Damage, Finished, Survey, survey
from mjconv.batch.finishing import OutputFiles, finish, move_into_place, remove_earlier
from mjconv.batch.journal import AppendFile, Journal, JournalEntry, JournalHead, sync_paths
from mjconv.batch.ordered_results import OrderedResults
from mjconv.batch.packing import PACKINGS
from mjconv.batch.paths import FAILURES, FINISHED, RENAMED, SUMS, WORK, RunPaths, UsedNames, output_name, safe_path
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Counts, Failure, Outcome, OutputData
from mjconv.batch.quarantine import Quarantine
from mjconv.batch.shapes import LINES, PARQUET, STREAMS
from mjconv.batch.summary import Summary
from mjconv.batch.worker_pool import WorkerPool
from mjconv.files.locks import LOCK
from mjconv.files.members import Member
from mjconv.files.read_ahead import read_ahead
from mjconv.files.walk import members
from mjconv.ir.errors import InputError, UsageError, shortened
from mjconv.messages import json_record
from mjconv.version import VERSION

#: System errors that concern one name, and not the disk.
_NAME_ERRORS: Final = frozenset(
    {errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ, errno.ENOTDIR, errno.EISDIR, errno.ELOOP}
)
#: The share of the work of the first pass that a later one takes: of writing, with `--dedup`, and of tables.
_LATER: Final = 1 / 8
#: The kind of failure of a member whose name cannot be written.
NAME: Final = "name"
#: Is called with the sums after each member, and after each group of rows.
Watch: TypeAlias = Callable[[Summary], None]


class Run:
    """One run over all members; it can continue an interrupted run.

    A `durable` run also survives a power failure: a member enters the journal when its output is on the disk.
    """

    def __init__(
        self,
        plan: Plan,
        output: str,
        keep_bad: str | None = None,
        report: str | None = None,
        *,
        durable: bool = True,
    ) -> None:
        self.plan = plan
        self.anonymous = plan.settings.anonymous is not None
        #: Returns a text as files of the run hold it: of an anonymous run its digest.
        self.sealed: Callable[[str], str] = plan.settings.anonymous.sealed if plan.settings.anonymous else str
        self.report = report
        self.paths = RunPaths(plan, output)
        self.journal = Journal(self.paths.work, self._grown if durable else None)
        self.output = PACKINGS[plan.shape].output(plan, self.paths)
        self.quarantine = None if keep_bad is None else Quarantine(keep_bad)
        self.failures = AppendFile(self.paths.failures)
        self.renamed = AppendFile(self.paths.renamed)
        lists = (self.failures, self.renamed)
        self.files = OutputFiles(plan.public(), self.paths, self.output, lists, durable=durable)
        #: With `--dedup`, the outcomes of all members.
        self.doubles = Doubles(self.paths.work) if plan.options.dedup else None
        self.names = UsedNames()
        for own in (FAILURES, RENAMED, WORK, FINISHED, SUMS, LOCK):
            self.names.add(own)
        self.extension = plan.extension()
        self._lock = ExitStack()
        self.summary = Summary()
        #: What `watch` sees: the members that are written, or first converted.
        self.progress = self.summary
        #: The bytes of the inputs that each pass has done: it converts members, writes them, or makes tables.
        self.passes = [Summary(), self.summary, Summary()] if self.doubles else [self.summary, Summary()]
        #: The SHA-256 of the list of members: of the digest and the name of each.
        self.read = hashlib.sha256()
        #: The damaged parts of a complete run.
        self.damage = Damage([], {})

    def work(self, size: int) -> tuple[float, float, float]:
        """Return the work that is done, its part in the last run, and that of all passes over `size` bytes."""
        later = (self.plan.shape == PARQUET) + (self.doubles is not None)
        weights = [1.0] + [_LATER] * (len(self.passes) - 1)
        done = sum(weight * one.read_bytes for weight, one in zip(weights, self.passes, strict=True))
        here = sum(weight * one.bytes_in_last_run for weight, one in zip(weights, self.passes, strict=True))
        return done, here, size * (1 + _LATER * later)

    def survey(self, names: list[str]) -> Survey:
        """Return the size and the state of the inputs."""
        found = survey(names, self._own_paths())
        return found._replace(state=self.sealed(found.state))

    def _members(self, names: list[str]) -> Iterator[Member]:
        """List the members, each with its name in the output if the run is anonymous."""
        listed = members(names, avoid=self._own_paths())
        if not self.anonymous:
            return listed
        numbered = enumerate(listed, 1)
        return (replace(member, alias=self.sealed(member.name) or f"{number:06}") for number, member in numbered)

    def _public(self, member: Member) -> Member:
        """Return a member as files of the run name it."""
        name, inner = member.alias or member.name, member.alias or member.inner
        return replace(member, name=name, inner=inner, stamp=self.sealed(member.stamp))

    def prepare(
        self, inputs: Survey | None = None, *, resume: bool = False, force: bool = False
    ) -> Finished | None:
        """Find or create the work folder; if an earlier run finished everything, return its description instead.

        Then `damage` has the files of a folder that `repair` can write again. If anything else is damaged or
        gone, everything is written again. The output stays locked until the run ends. Raises `FileExistsError`
        if the output exists and neither `resume` nor `force` applies, and if another process writes to it.
        Raises `UsageError` if the earlier run had another plan or, if `inputs` are given, other inputs.
        """
        with ExitStack() as stack:
            stack.enter_context(self.paths.locked())
            done = self._prepare(inputs, resume=resume, force=force)
            if done is None:
                # `convert` ends the lock.
                self._lock = stack.pop_all()
        return done

    def unlock(self) -> None:
        """End the lock of the output, for a run that was prepared and is not continued here."""
        self._lock.close()

    def _prepare(self, inputs: Survey | None, *, resume: bool, force: bool) -> Finished | None:
        paths = self.paths
        if resume and (old := self.journal.head()) is not None:
            self._check_same(old)
            return None
        if resume and (done := Finished.read(paths.finished)) is not None:
            paths.remove_leftovers()
            self._check_same(done)
            done.check(paths)
            if inputs is not None and inputs.state != done.inputs:
                raise UsageError("the inputs changed since the run was finished; --force starts again")
            self.damage = done.damage(paths)
            if not self.damage.files:
                done.restore_sums(paths)
                return done
            force = True
        if force:
            remove_earlier(paths, self.journal)
        if force or (resume and not os.path.lexists(self.journal.path)):
            shutil.rmtree(paths.work, ignore_errors=True)
        if not force:
            paths.check_free()
            if self.quarantine is not None:
                self.quarantine.check_free()
        paths.create()
        self.journal.create(JournalHead(VERSION, self.plan.public()))
        return None

    def _check_same(self, old: JournalHead | Finished) -> None:
        if old.version != VERSION:
            raise UsageError(
                f"mjconv {old.version} started this run, and {VERSION} cannot continue it; --force starts again"
            )
        old.plan.check_same(self.plan.public())

    def execute(self, names: list[str], jobs: int, watch: Watch, inputs: Survey | None = None) -> Summary:
        """Convert all members that are not finished, and move the output to its place.

        `watch` is called with the summary after each member. `inputs` is the result of `survey`, if it is known
        already.

        Raises `OSError` if a file cannot be written; `--resume` can continue then, and after a kill. Raises
        `UsageError` if the inputs changed since the interrupted run.
        """
        # Surveyed before the first member is read: an input that changes later is another input for --resume.
        inputs = inputs or self.survey(names)
        return self.convert(self._members(names), jobs, watch, inputs.state)

    def convert(self, listed: Iterator[Member], jobs: int, watch: Watch, state: str = "") -> Summary:
        """Convert members as `execute` does. `listed` are the members. `state` is that of the inputs."""
        began = time.monotonic()
        self.summary.workers = jobs
        try:
            if os.path.lexists(self.paths.complete):
                for entry in self.journal.entries():
                    self._restore(entry)
            else:
                with WorkerPool(self.plan, jobs) as workers:
                    if self.doubles is not None:
                        listed = self._collected(self.doubles, listed, workers, watch)
                    left = read_ahead(self._skip_finished(listed))
                    for member, outcome in OrderedResults(workers).outcomes(left):
                        self._commit(member, outcome)
                        self.summary.seconds = time.monotonic() - began
                        watch(self.summary)
                    self.summary.seconds = time.monotonic() - began
                    self.journal.write()

                    def convert(rest: Iterator[Member]) -> Iterator[tuple[Member, Outcome]]:
                        for member, outcome in OrderedResults(workers).outcomes(rest):
                            self.passes[-1].read_bytes += member.weight
                            self.passes[-1].bytes_in_last_run += member.weight
                            watch(self.summary)
                            yield member, outcome

                    finish(self.files, self.journal.entries, convert, inputs=state, summary=self.summary)
            move_into_place(self.files)
        finally:
            self.summary.seconds = time.monotonic() - began
            # An error of the disk, which ends the run, is raised already.
            with suppress(OSError):
                self.journal.write()
            for file in (self.failures, self.renamed, self.output, self.journal, self.doubles):
                if file is not None:
                    file.close()
            self.unlock()
        return self.summary

    def repair(self, names: list[str], jobs: int) -> None:
        """Convert the members again whose files in a folder are damaged or gone.

        Raises `OSError`, and `UsageError` if a member does not have the same output as before.
        """
        wanted = self.damage.members
        damaged = (
            replace(member, only=entry.plays)
            for member in self._members(names)
            for entry in wanted.get(self._public(member).name, ())
        )
        with self.paths.locked():
            os.makedirs(self.paths.work, mode=0o700, exist_ok=True)
            try:
                with WorkerPool(self.plan, jobs) as workers:
                    for member, outcome in OrderedResults(workers).outcomes(damaged):
                        several = wanted[self._public(member).name]
                        entry = next(one for one in several if one.plays == member.only)
                        if outcome.output is None or outcome.output.sha256 != entry.written:
                            reason = "cannot be written again as it was: the input changed; --force starts again"
                            raise UsageError(reason, file=entry.output)
                        self.output.add(entry.output or "", outcome.output)
                sync_paths(self.output.written())
            finally:
                self.paths.remove()

    def _own_paths(self) -> set[str]:
        paths = [self.paths.output, self.paths.work, self.paths.failures, self.paths.renamed]
        paths += [self.paths.finished, self.paths.sums, self.paths.lock]
        if self.report is not None:
            paths.append(self.report)
        if self.quarantine is not None:
            paths.append(self.quarantine.folder)
        return {os.path.realpath(path) for path in paths}

    def _skip_finished(self, listed: Iterator[Member]) -> Iterator[Member]:
        """Skip the members that the journal lists, and restore the state after them."""
        member, more = None, False
        for entry in self.journal.entries():
            member = member if more else next(listed, None)
            more = entry.more
            public = None if member is None else self._public(member)
            if public is None or (public.name, public.stamp) != (entry.member, entry.stamp):
                raise changed(entry.member, instead(member))
            self._restore(entry)
        return listed

    def _restore(self, entry: JournalEntry) -> None:
        self.output.restore(entry)
        self.failures.size = entry.sizes.get(FAILURES, self.failures.size)
        self.renamed.size = entry.sizes.get(RENAMED, self.renamed.size)
        if entry.output:
            self.names.add(entry.output)
        if entry.kept and self.quarantine is not None:
            self.quarantine.names.add(entry.kept)
        self.summary.add(entry)

    def _collected(
        self, doubles: Doubles, listed: Iterator[Member], workers: WorkerPool, watch: Watch
    ) -> Iterator[Member]:
        """Convert all members, and return those to write. Raises `UsageError` if the inputs changed."""
        results = OrderedResults(workers)
        self.progress = self.passes[0]
        begun = next(self.journal.entries(), None) is not None
        for member in doubles.collect(listed, lambda rest: results.outcomes(read_ahead(rest)), begun=begun):
            self.progress.members += 1
            self.progress.read_bytes += member.weight
            self.progress.bytes_in_last_run += member.weight
            watch(self.progress)
        self.progress = self.summary
        return doubles.chosen()

    def _commit(self, member: Member, outcome: Outcome) -> None:
        """Write the result of a member, and later its journal entry; interrupted before, both are done again."""
        member = self._public(member)
        for one in (*outcome.more, outcome):
            entry = self._written(member, outcome, one)
            self.journal.add(entry)
            self.summary.add(entry)
            self.summary.matches_in_last_run += entry.counts.matches
            if entry.failed is not None:
                break
        self.read.update(f"{outcome.sha256}  {member.name}\n".encode())
        self.journal.write(only_if_due=True)
        self.summary.members_in_last_run += 1
        self.summary.bytes_in_last_run += member.weight

    def _written(self, member: Member, outcome: Outcome, one: Outcome) -> JournalEntry:
        """Write the result of one split of a member, and return its entry."""
        entry = JournalEntry(
            member.name,
            member.stamp,
            counts=one.counts,
            warnings=one.warnings,
            weight=member.weight if one is outcome else 0,
            read=self.sealed(outcome.sha256),
            split=one.split,
            # The play of results alone has the names of the players.
            plays=() if self.anonymous else one.plays,
            more=one is not outcome,
        )
        if one.output is not None:
            return self._write(member, entry, one.output)
        if one.failure is not None:
            return self._fail(member, entry, one.failure, one.raw)
        return replace(entry, skipped=one.skipped)

    def _grown(self) -> set[str]:
        """Return the paths that must be on the disk before the journal lists their members."""
        return {*self.output.written(), self.failures.path, self.renamed.path}

    def _write(self, member: Member, entry: JournalEntry, data: OutputData) -> JournalEntry:
        inside = self.plan.shape in (LINES, PARQUET, STREAMS)
        usual = "" if inside else "/".join(filter(None, [entry.split, output_name(member.inner, self.extension)]))
        path = "" if inside else self.names.reserve(safe_path(usual))
        if inside:
            data = replace(data, size=entry.counts.matches, weight=entry.weight)
        try:
            sizes, directory = self.output.add(entry.split if inside else path, data)
        except InputError as error:
            return self._fail(member, entry, Failure(member.name, NAME, error.message))
        except OSError as error:
            if error.errno not in _NAME_ERRORS:
                raise
            reason = f"the output {shortened(path)}: {error.strerror or error}"
            return self._fail(member, entry, Failure(member.name, NAME, reason))
        if path != usual.removeprefix("./"):
            self.renamed.append(json_record({"member": member.name, "output": path}))
            sizes = {**sizes, RENAMED: self.renamed.size}
        return replace(entry, output=path, sizes=sizes, directory=directory, written=data.sha256)

    def _fail(
        self, member: Member, entry: JournalEntry, failure: Failure, raw: bytes | None = None
    ) -> JournalEntry:
        failure = replace(failure, member=member.name)
        if self.quarantine is not None:
            failure = replace(failure, kept=self.quarantine.keep(member, raw))
        self.failures.append(json_record(failure))
        sizes = {FAILURES: self.failures.size}
        # The counts of a failed member are not counts of the output.
        entry = replace(entry, failed=failure.kind, kept=failure.kept, counts=Counts(), sizes=sizes)
        return replace(entry, plays=(), more=False)
