"""What a broken record is put through, and what may come of it: matches, or an error in words.

It is read, written in another notation with the originals of its matches and without them, read leniently, and
validated; what a person would be told of it is looked at as a terminal would. Whatever else comes of it is a
crash.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import islice, product
from time import process_time
from typing import Final, NamedTuple, TypeVar

from mjconv.command.info import lines
from mjconv.converters import formats, hub
from mjconv.converters.interface import Format, Reading, WriteOptions
from mjconv.converters.shared.originals import without
from mjconv.ir.errors import MjconvError, PlayError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mjconv.messages import loss_lines, warning_lines
from mjconv.source import source_of
from mjconv.summary import FileSummary, summarise
from mjconv.validation.check import validate
from mjconv.validation.text import finding_line

#: A step takes no longer than this, in seconds of the processor; to write takes so much longer for each byte.
MOST_SECONDS: Final = 1.0
_SECONDS_A_BYTE: Final = 1e-6
#: What a person is told at once is no longer, in characters.
MOST_TOLD: Final = 4_000
#: So many of the warnings, losses, faults and findings of a record are looked at.
_LOOKED_AT: Final = 20
#: What a terminal acts on: controls, and what turns the direction of writing. Lines of an error may end.
_CONTROL: Final = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)

Result = TypeVar("Result")


class PromiseError(AssertionError):
    """Something came of a record that must not: it took too long, or would be told in a way that harms."""


class Outcome(NamedTuple):
    """What came of a record: whether it was read whole, and the slowest step with its seconds."""

    whole: bool
    slowest: str
    seconds: float


class Trial:
    """One record on its way: `targets` are the formats and flavours that it is written in."""

    def __init__(self, form: Format, data: bytes, targets: tuple[str, ...]) -> None:
        self.form = form
        self.data = data
        self.targets = targets
        self._took: dict[str, float] = {}
        #: What the step at hand may take beyond the usual, in seconds.
        self._free = 0.0

    def run(self) -> Outcome:
        """Put the record through everything; raises what is a crash."""
        try:
            self.data = self._timed("unpack", lambda: source_of(self.data, self.form.id).data)
        except MjconvError as error:
            look_at(str(error))
            return self._outcome(whole=False)
        self._timed("recognise", lambda: formats.recognise(self.data))
        report = Report()
        try:
            matches = self._timed("read", lambda: hub.read_matches(self.form, self.data, report))
        except MjconvError as error:
            look_at(str(error))
            self._read_on(None, error)
            return self._outcome(whole=False)
        self._tell(matches, report)
        ways = {"": matches}
        if any(match.original is not None for match in matches):
            ways[" without originals"] = [without(match) for match in matches]
        for (way, tried), target in product(ways.items(), self.targets if matches else ()):
            self._timed(f"write {target}{way}", partial(self._write, tried, target))
        self._read_on(matches)
        return self._outcome(whole=True)

    def _write(self, matches: list[Match], target: str) -> None:
        form, flavour = formats.find(target)
        report = Report()
        try:
            data = hub.written(form, matches, report, WriteOptions(flavour, lossy=len(self.data) % 2 == 0))
        except MjconvError as error:
            look_at(str(error))
            return
        self._free = len(data) * _SECONDS_A_BYTE
        for line in loss_lines(report.losses, target):
            look_at(line)
        back = _read_again(form, data, target)
        if any(match.original is not None for match in back):
            self._write_back(back)

    def _write_back(self, matches: list[Match]) -> None:
        """Write matches with their originals in the format that they were read from."""
        try:
            data = hub.written(self.form, matches, Report(), WriteOptions())
        except MjconvError as error:
            look_at(str(error))
            return
        self._free += len(data) * _SECONDS_A_BYTE
        if _read_again(self.form, data, f"{self.form.id} on the way back") != matches:
            raise PromiseError(f"the way back to {self.form.id} gives something else")

    def _read_on(self, whole: list[Match] | None, refusal: MjconvError | None = None) -> None:
        """Read leniently: nothing is raised, and of a right record nothing is different.

        It may find fault with what a strict reading lets pass, such as a key that stands twice.
        """
        report = Report(lenient=True)
        try:
            readings = self._timed("read on", lambda: list(hub.read(self.form, self.data, report)))
        except MjconvError as error:
            raise PromiseError(f"a lenient reading raised {error}") from error
        for fault in report.faults[:_LOOKED_AT]:
            look_at(str(fault.error))
        # What cannot be played is kept for the referee.
        if not report.faults and refusal is not None and not isinstance(refusal, PlayError):
            raise PromiseError("what a strict reading refuses a lenient one has no fault in")
        matches = [reading.match for reading in readings]
        if whole is not None and matches != whole:
            raise PromiseError(f"a lenient reading gives something else: {_difference(whole, matches)}")
        self._timed("validate", self._validate)
        self._timed("locate", lambda: self._find(readings))

    def _validate(self) -> None:
        pictures = len(self.data) % 4 == 0
        for finding in validate(self.data, format=self.form.id, pictures=pictures)[:_LOOKED_AT]:
            for line in finding_line(finding).splitlines():
                look_at(line)

    def _find(self, readings: list[Reading]) -> None:
        for match, locate in readings[:_LOOKED_AT]:
            for index, game_round in islice(enumerate(match.rounds), _LOOKED_AT):
                for event in (-1, 0, len(game_round.events) - 1, len(game_round.events)):
                    for key in ("", "pai", "deltas"):
                        place = locate(index, event, key)
                        if place is not None:
                            look_at(place.picture())
            if locate(len(match.rounds), 0, "") is not None:
                raise PromiseError("a round that is not there has a place")

    def _tell(self, matches: list[Match], report: Report) -> None:
        summary = FileSummary("", self.form.id, tuple(map(summarise, matches[:_LOOKED_AT])))
        for line in islice(lines(summary), _LOOKED_AT):
            look_at(line, most=len(line))
        for line in warning_lines(report.warnings, ""):
            look_at(line)

    def _timed(self, step: str, work: Callable[[], Result]) -> Result:
        begin = process_time()
        try:
            return work()
        finally:
            self._took[step] = max(process_time() - begin - self._free, 0.0)
            self._free = 0.0

    def _outcome(self, *, whole: bool) -> Outcome:
        slowest = max(self._took, key=lambda step: self._took[step])
        return Outcome(whole, slowest, self._took[slowest])


def _read_again(form: Format, data: bytes, target: str) -> list[Match]:
    """Read what was written: an error breaks a promise."""
    try:
        return hub.read_matches(form, data, Report())
    except MjconvError as error:
        raise PromiseError(f"what was written as {target} cannot be read: {error}") from error


def _difference(matches: list[Match], others: list[Match]) -> str:
    """Tell the first difference, roughly."""
    for number, (match, other) in enumerate(zip(matches, others, strict=False)):
        for index, (one, two) in enumerate(zip(match.rounds, other.rounds, strict=False)):
            for at, (event, another) in enumerate(zip(one.events, two.events, strict=False)):
                if event != another:
                    return f"match {number}, round {index}, event {at}: {event} and {another}"
            if one != two:
                return f"match {number}, round {index}: {str(one)[-200:]} and {str(two)[-200:]}"
        if match != other:
            return f"match {number}: {str(match)[:200]} and {str(other)[:200]}"
    return f"{len(matches)} and {len(others)} matches"


def look_at(told: str, most: int = MOST_TOLD) -> None:
    """Look at what a person would be told."""
    found = _CONTROL.search(told)
    if found is not None:
        raise PromiseError(f"{found[0]!r} would reach a terminal")
    if len(told) > most:
        raise PromiseError(f"{len(told)} characters would be told at once: {told[:60]}…")
