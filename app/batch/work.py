"""What is done with one member: read, convert, pack. Pure, so that any process may do it, in any order."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct
from msgspec import field as struct_field

from mjconv.batch.plan import PARQUET, Plan
from mjconv.compression import pack, pack_zstd
from mjconv.conversion import Conversion, Source, refuse, source_of, transcribe
from mjconv.converters.interface import Reading
from mjconv.ir.errors import InputError, LossError, MjconvError, PlayError, UnsupportedError, UsageError, said
from mjconv.ir.limits import LimitError
from mjconv.ir.losses import Report
from mjconv.referee.house import house_of
from mjconv.sources.members import Member
from mjconv.sources.tarhead import BLOCK
from mjconv.validation import RefereeError, Wanted, refuse_wrong

#: The kinds of failures by the errors that they come from, the special before the general.
KINDS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (LimitError, "limit"),
    (RefereeError, "referee"),
    (PlayError, "play"),
    (InputError, "input"),
    (UnsupportedError, "unsupported"),
    (LossError, "loss"),
    (UsageError, "format"),
    (OSError, "unreadable"),
)
#: The kind of anything else, which is a mistake in this program.
INTERNAL: Final = "internal"
#: How many warnings of a member are kept word for word.
_KEPT: Final = 5
_LONGEST_LINE: Final = 200


class Task(Struct, frozen=True):
    """A member to convert, and its number in the order of all."""

    number: int
    member: Member


class Counts(Struct):
    """What was in members: games, rounds, messages; losses by fate and name; warnings."""

    games: int = 0
    rounds: int = 0
    messages: int = 0
    losses: dict[str, int] = struct_field(default_factory=dict)
    warnings: int = 0

    def add(self, other: Counts) -> None:
        """Add what was in other members."""
        self.games += other.games
        self.rounds += other.rounds
        self.messages += other.messages
        self.warnings += other.warnings
        for loss, number in other.losses.items():
            self.losses[loss] = self.losses.get(loss, 0) + number


class Failure(Struct, frozen=True, omit_defaults=True):
    """A member that could not be converted, and why: a line of ``failures.jsonl``.

    `line` and `column` count from 1; `text` is the line. `kept` is where a copy is.
    """

    member: str
    kind: str
    error: str
    line: int | None = None
    column: int | None = None
    text: str | None = None
    kept: str | None = None


class Made(Struct, frozen=True):
    """What is to be written: parts, ready as the output takes them; size and checksum of what was packed."""

    parts: list[bytes]
    size: int
    crc: int = 0


class Outcome(Struct, frozen=True):
    """What came of a task: something made, a failure, or neither where the member is no record.

    `bad` are the bytes of a failed member, where they are to be kept.
    """

    number: int
    made: Made | None = None
    failure: Failure | None = None
    passed: str | None = None
    counts: Counts = struct_field(default_factory=Counts)
    said: list[str] = struct_field(default_factory=list)
    bad: bytes | None = None


@dataclass(frozen=True)
class _Counted(Source):
    """A source that counts what is read from it."""

    counts: Counts = field(default_factory=Counts)

    def readings(self, report: Report) -> Iterator[Reading]:
        for reading in super().readings(report):
            match = reading.match
            self.counts.games += 1
            self.counts.rounds += len(match.rounds)
            self.counts.messages += len(match.opening) + len(match.closing)
            self.counts.messages += sum(len(game_round.events) for game_round in match.rounds)
            yield reading


def perform(task: Task, plan: Plan) -> Outcome:
    """Convert a member; whatever goes wrong is the outcome's, and no error."""
    member = task.member
    raw: bytes | None = None
    try:
        raw = member.raw()
        data = member.opened(raw)
        if not member.is_record(data, plan.source):
            return Outcome(task.number, passed="no record")
        named = source_of(data, plan.source, member.name)
        source = _Counted(named.data, named.form, named.name)
        if plan.check:
            _refuse_wrong(source, plan.house)
        conversion = _converted(source, plan)
        if plan.strict:
            refuse(conversion.losses, None)
        return _outcome(task, source.counts, conversion, plan)
    except Exception as error:
        return Outcome(task.number, failure=failure(member.name, error), bad=raw if plan.keep_bad else None)


def _converted(source: Source, plan: Plan) -> Conversion:
    if plan.shape == PARQUET:
        # Loaded here: pyarrow is slow to load, and need not be there.
        from mjconv.batch.columns import in_columns

        return in_columns(source, fill=plan.fill)
    form, options = plan.written()
    return transcribe([source], form, options)


def _refuse_wrong(source: Source, house: str | None) -> None:
    refuse_wrong([Source(source.data, source.form, source.name)], Wanted(house=house_of(house or "")))


def _outcome(task: Task, counts: Counts, conversion: Conversion, plan: Plan) -> Outcome:
    counts.warnings = len(conversion.warnings)
    for loss in conversion.losses:
        name = writable(f"{loss.fate} {loss.what}")
        counts.losses[name] = counts.losses.get(name, 0) + 1
    warned = [writable(str(warning)) for warning in conversion.warnings[:_KEPT]]
    return Outcome(task.number, PACKERS[plan.shape](conversion.data), counts=counts, said=warned)


def failure(name: str, error: Exception) -> Failure:
    """Say what went wrong with a member.

    >>> failure("game.mjson", InputError("is empty")).kind
    'input'
    """
    kind = next((kind for known, kind in KINDS if isinstance(error, known)), INTERNAL)
    if isinstance(error, MjconvError):
        place = error.place
        if place is None:
            return Failure(name, kind, writable(said(error.message)))
        text = writable(place.text[:_LONGEST_LINE])
        return Failure(name, kind, writable(said(error.message)), place.line, place.column, text or None)
    if isinstance(error, OSError):
        return Failure(name, kind, error.strerror or str(error))
    return Failure(name, kind, writable(said(f"{type(error).__name__}: {error}")))


def writable(text: str) -> str:
    r"""Give text as it can be written: halves of characters, which JSON can name, become their codes.

    >>> writable("\ud800")
    '\\ud800'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _as_file(data: bytes) -> Made:
    return Made([data], len(data))


def _as_lines(data: bytes) -> Made:
    return Made(data.splitlines(keepends=True), len(data))


def _as_zip_entry(data: bytes) -> Made:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return Made([packer.compress(data) + packer.flush()], len(data), zlib.crc32(data))


def _as_tar_entry(squeeze: Callable[[bytes], bytes]) -> Callable[[bytes], Made]:
    """Fill the bytes up to whole blocks, and pack them by themselves: packed pieces may follow each other."""
    return lambda data: Made([squeeze(data + bytes(-len(data) % BLOCK))], len(data))


#: How each shape of output takes the bytes of a file.
PACKERS: Final[dict[str, Callable[[bytes], Made]]] = {
    "folder": _as_file,
    "parquet": _as_file,
    "lines": _as_lines,
    "zip": _as_zip_entry,
    "tar": _as_tar_entry(bytes),
    "tar.gz": _as_tar_entry(pack),
    "tar.zst": _as_tar_entry(pack_zstd),
}
