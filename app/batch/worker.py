"""A worker: ``python -m mjconv.batch.worker`` reads, converts and packs the members that the run sends to it.

`convert_member` keeps no state, so any process may do any task, in any order.
"""

import hashlib
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Final, TypeAlias

from msgspec import field
from msgspec.structs import replace

from mjconv.archive.selection import Selection
from mjconv.batch import protocol
from mjconv.batch.packing import PACKINGS
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Counts, Failure, Outcome, OutputData, Task, add_numbers
from mjconv.batch.shapes import TARGETS
from mjconv.conversion import Conversion, refuse, transcribe
from mjconv.converters.interface import Reading
from mjconv.files.compression import compression_for
from mjconv.files.members import SpooledRows
from mjconv.files.reading import unpack
from mjconv.files.remote import StorageError
from mjconv.ir import errors
from mjconv.ir.errors import InputError, MjconvError, VerifyError, printable
from mjconv.ir.limits import LimitError
from mjconv.ir.losses import WITHHELD, Report
from mjconv.ir.seats import SeatError
from mjconv.settings import anonymity
from mjconv.source import Source, source_of
from mjconv.validation.check import RefereeError, Wanted, refuse_wrong
from mjconv.verification import Verified, verify

#: The kind of failure for each class of error, the special before the general.
KINDS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (LimitError, "limit"),
    (RefereeError, "referee"),
    (errors.PlayError, "play"),
    (InputError, "input"),
    (errors.UnsupportedError, "unsupported"),
    (errors.LossError, "loss"),
    (VerifyError, "verify"),
    (SeatError, "seat"),
    (errors.UsageError, "format"),
    (OSError, "unreadable"),
    (StorageError, "unreadable"),
)
#: The kind of any other error, which is a bug in mjconv.
INTERNAL: Final = "internal"
#: The number of warnings of a member that are kept as text.
_KEPT_WARNINGS: Final = 5
_LONGEST_LINE: Final = 200

Convert: TypeAlias = Callable[[Task, Plan], Outcome]


class _CountedSource(Source, frozen=True):
    """A source that counts the chosen matches, and their rounds and messages.

    Raises `NothingLeftError` if all its matches are left out.
    """

    counts: Counts = field(default_factory=Counts)

    def readings(self, report: Report) -> Iterator[Reading]:
        for reading in super().readings(report):
            match = reading.match
            self.counts.matches += 1
            self.counts.rounds += len(match.rounds)
            self.counts.messages += len(match.opening) + len(match.closing)
            self.counts.messages += sum(len(game_round.events) for game_round in match.rounds)
            yield reading
        if not self.counts.matches:
            raise NothingLeftError


class NothingLeftError(Exception):
    """All matches of a member are left out."""


def convert_member(task: Task, plan: Plan) -> Outcome:
    """Convert a member; an error becomes a failure in the outcome and is never raised."""
    piece = task.member.piece
    if isinstance(piece, SpooledRows):
        from mjconv.batch.columns import row_groups

        return Outcome(task.number, OutputData(row_groups(piece, plan), 0))
    try:
        raw = task.member.raw()
    except Exception as error:
        return Outcome(task.number, failure=failure_of(task.member.name, error))
    return replace(_converted(task, plan, raw), sha256=hashlib.sha256(raw).hexdigest())


def _converted(task: Task, plan: Plan, raw: bytes) -> Outcome:
    member = task.member
    chosen = Selection(plan.options, member.only)
    try:
        data = member.opened(raw)
        if not member.is_record(data, plan.options.source):
            return Outcome(task.number, skipped="no record")
        source = source_of(data, plan.options.source, member.name)
        outcome = _part(task, source, chosen, plan)
        outcome.counts.left_out, outcome.counts.duplicates = chosen.left_out, chosen.duplicates
        others = [
            _part(task, source, Selection(plan.options, member.only, name, chosen.best), plan)
            for name in chosen.others
        ]
        return replace(outcome, more=tuple(others))
    except NothingLeftError:
        return Outcome(task.number, skipped="left out by --where", counts=Counts(left_out=chosen.left_out))
    except Exception as error:
        return Outcome(task.number, failure=failure_of(member.name, error), raw=raw if plan.keep_bad else None)


def _part(task: Task, source: Source, chosen: Selection, plan: Plan) -> Outcome:
    """Convert the chosen matches of a member: of one split."""

    def chosen_again() -> Source:
        # Another reading: it must not be counted.
        return replace(source, where=Selection(plan.options, task.member.only, chosen.split, chosen.best))

    if plan.options.check:
        refuse_wrong([chosen_again()], Wanted(house=plan.options.house_rules()))
    counted = _CountedSource(source.data, source.form, source.name, source.walls, chosen)
    conversion = _convert(counted, plan, task.member.alias or source.name)
    if chosen.again:
        chosen.begin()
        return _part(task, source, chosen, plan)
    if plan.options.strict:
        refuse(conversion.losses, None)
    outcome = _outcome(task, counted.counts, conversion, plan)
    if plan.options.verify and outcome.output is not None:
        done = _verify(chosen_again(), outcome.output, conversion, plan)
        outcome.counts.verified, outcome.counts.differing = done
    return replace(outcome, split=chosen.split or "", plays=tuple(chosen.plays), measures=tuple(chosen.measures))


def _convert(source: Source, plan: Plan, name: str | None) -> Conversion:
    if plan.target in TARGETS:
        # Loaded here: pyarrow and the engine load slowly and are optional.
        from mjconv.batch.columns import convert_to

        return convert_to(source, plan, name)
    form, options = plan.write_format()
    return transcribe([source], form, options)


def _verify(source: Source, output: OutputData, conversion: Conversion, plan: Plan) -> Verified:
    """Unpack and read what will be written, and compare it with the source. Raises `VerifyError`."""
    form, options = plan.write_format()
    matches = (reading.match for reading in source.readings(Report()))
    try:
        # A tar archive pads each file: the padding is cut off.
        data = unpack(PACKINGS[plan.shape].unpack(b"".join(output.parts))[: output.size])
    except (InputError, zlib.error) as error:
        raise VerifyError(f"the packed output cannot be read again: {error}") from error
    return verify(matches, form, data, conversion.losses, plain=not form.writes_notes(options))


def _outcome(task: Task, counts: Counts, conversion: Conversion, plan: Plan) -> Outcome:
    counts.warnings = len(conversion.warnings)
    counts.impossible = conversion.impossible
    for loss in conversion.losses:
        add_numbers(counts.losses, {_encodable(f"{loss.fate} {loss.what}"): 1})
    warnings = [_encodable(str(warning)) for warning in conversion.warnings[:_KEPT_WARNINGS]]
    compression = compression_for(plan.options.extension or "")
    data = conversion.data if compression is None else compression.pack(conversion.data)
    return Outcome(task.number, PACKINGS[plan.shape].pack(data), counts=counts, warnings=warnings)


def failure_of(name: str, error: Exception) -> Failure:
    """Describe the error of a member as a failure.

    >>> failure_of("game.mjson", InputError("is empty")).kind
    'input'
    """
    kind = next((kind for known, kind in KINDS if isinstance(error, known)), INTERNAL)
    if anonymity.current() is not None:
        place = error.place if isinstance(error, MjconvError) else None
        return Failure(name, kind, WITHHELD, *(() if place is None else (place.line, place.column)))
    if isinstance(error, MjconvError):
        message, place = _encodable(printable(error.message)), error.place
        if place is None:
            return Failure(name, kind, message)
        text = _encodable(place.text[:_LONGEST_LINE])
        return Failure(name, kind, message, place.line, place.column, text or None)
    if isinstance(error, OSError):
        return Failure(name, kind, error.strerror or str(error))
    return Failure(name, kind, _encodable(printable(f"{type(error).__name__}: {error}")))


def _encodable(text: str) -> str:
    r"""Replace lone surrogates, which JSON input can contain, by escapes: UTF-8 cannot hold them.

    >>> _encodable("\ud800")
    '\\ud800'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def serve(inbox: IO[bytes], outbox: IO[bytes], convert: Convert = convert_member) -> None:
    """Do the tasks from `inbox` and send each outcome as soon as it is ready; return when `inbox` ends."""
    plan = protocol.receive(inbox, protocol.read_plan)
    if plan is None:
        return
    plan.settings.install()
    protocol.send(outbox, os.getpid())
    while (chunk := protocol.receive(inbox, protocol.read_chunk)) is not None:
        for task in chunk:
            protocol.send(outbox, convert(task, plan))


def main(convert: Convert = convert_member) -> None:
    """Serve on standard input and output."""
    # Text that is printed would be read as a message: standard output now discards it.
    outbox = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        serve(sys.stdin.buffer, outbox, convert)
    except (BrokenPipeError, KeyboardInterrupt):
        # The run has ended and reads no more outcomes.
        os._exit(0)


if __name__ == "__main__":
    main()
