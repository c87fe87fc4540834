"""Merge the findings of the referee with the faults and warnings of a reader: each mistake is reported once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

from msgspec.structs import replace

from mjconv.ir.errors import InputError, Place
from mjconv.ir.limits import LimitError
from mjconv.ir.losses import Fault, Report, Warn
from mjconv.ir.match import Match
from mjconv.referee.findings import Finding, level_of

#: The codes of a round that breaks off: readers warn of it too.
_BROKEN_OFF: Final = frozenset({"O009", "O010", "O011", "O012"})
#: The codes of a round as a whole that may only follow from a part that could not be read.
_OF_WHOLE: Final = _BROKEN_OFF | {"O008"}
#: The codes of how a round follows from the one before.
_FOLLOWING: Final = "R06"
#: The label of a round about which nothing is known.
_NAMELESS: Final = "?"

#: The index of a match and of its round; None for the match as a whole.
_Round: TypeAlias = tuple[int | None, int | None]
Entry = TypeVar("Entry", Fault, Warn)


class NewEntries:
    """Returns the entries of a report that were not reported yet. A reader may know more than it has yielded."""

    def __init__(self) -> None:
        self.faults = 0
        self.warnings = 0
        self.waiting: list[Fault | Warn] = []

    def new(self, report: Report, match: int | None = None) -> tuple[list[Fault], list[Warn]]:
        """Return the new faults and warnings up to a match. Those of later matches wait."""
        entries = [*self.waiting, *report.faults[self.faults :], *report.warnings[self.warnings :]]
        self.faults, self.warnings = len(report.faults), len(report.warnings)
        self.waiting = [e for e in entries if match is not None and e.match is not None and e.match > match]
        now = [entry for entry in entries if match is None or entry.match is None or entry.match <= match]
        faults = [entry for entry in now if isinstance(entry, Fault)]
        return faults, [entry for entry in now if isinstance(entry, Warn)]


def merged(findings: Sequence[Finding], faults: Sequence[Fault], warnings: Sequence[Warn]) -> list[Finding]:
    """Merge findings of the referee with faults and warnings of the reader.

    A finding that a fault may have caused is left out, unless the reader mended the fault. A warning about a round
    with an error, such as a note that no longer fits, is left out. If play is wrong from the event of a warning
    on, the warning becomes an error, and the wrong play is left out.

    >>> from mjconv.ir.errors import InputError
    >>> fault = Fault(InputError("no tile"), 0, 1, 5)
    >>> later = Finding("R005", "error", "does not hold 9p", 0, 1, 7)
    >>> [finding.code for finding in merged([later], [fault], [])]
    ['S001']
    """
    doubts, warnings = _in_doubt(warnings, [*findings, *map(_of_fault, faults)])
    odd = _firsts(doubts)
    kept = [fault for fault in faults if not _breaks(fault, odd.get((fault.match, fault.round)))]
    faults = [*kept, *map(_certain, doubts)]
    doubtful = [fault for fault in faults if not fault.mended]
    firsts = _firsts(doubtful)
    of_match = {fault.match: fault for fault in doubtful}
    dealt = {(fault.match, fault.round) for fault in faults if fault.mended and fault.event == 0}
    rest = [
        finding
        for finding in findings
        # The reader reported the hand of another number of tiles already.
        if not (finding.code == "R019" and (finding.match, finding.round) in dealt)
        and not any(_may_follow(finding, fault) for fault in _near(finding, firsts, of_match))
    ]
    rest += map(_of_fault, faults)
    broken_off = {(finding.match, finding.round) for finding in findings if finding.code in _BROKEN_OFF}
    broken_off |= {(fault.match, None) for fault in faults}
    wrong = [finding for finding in rest if finding.severity == "error"]
    rounds = {(finding.match, where) for finding in wrong for where in (finding.round, finding.label)}
    around = {fault.match for fault in faults if fault.round is None}
    new = [
        warn
        for warn in warnings
        if (warn.line is not None or (warn.match, warn.round) not in broken_off)
        and not _follows(warn, rounds, around)
    ]
    return [*rest, *map(_of_warning, new)]


def with_label(finding: Finding, match: Match, number: int) -> Finding:
    """Return a finding of this match with the name of its round, if the round has a name."""
    index = finding.round
    label = finding.label
    if label is None and finding.match == number and index is not None and index < len(match.rounds):
        label = match.rounds[index].label
    return finding if label == finding.label else replace(finding, label=None if label == _NAMELESS else label)


def _may_follow(finding: Finding, fault: Fault) -> bool:
    """Return whether a finding may only follow from something that could not be read.

    From a fault on, the rest of its round is in doubt, and so are the step to the next round and the end of the
    match.
    """
    if fault.match is None or fault.match != finding.match:
        return False
    if fault.round is None or finding.round is None:
        return finding.code in _BROKEN_OFF or level_of(finding.code) == "rules"
    if finding.round == fault.round + 1:
        return finding.code.startswith(_FOLLOWING)
    in_doubt = finding.event is None or fault.event is None or finding.event >= fault.event
    return finding.round == fault.round and (in_doubt or finding.code in _OF_WHOLE)


def _follows(warn: Warn, rounds: set[tuple[int | None, int | str | None]], around: set[int | None]) -> bool:
    """Return whether a warning is about a round with an error, or a match with an error outside its rounds."""
    if warn.round is None and warn.label is None:
        return warn.match in around
    return any(where is not None and (warn.match, where) in rounds for where in (warn.round, warn.label))


def _in_doubt(warnings: Sequence[Warn], wrong: Sequence[Finding]) -> tuple[list[Warn], list[Warn]]:
    """Separate the warnings from whose event on play is wrong from the other warnings."""
    last: dict[_Round, int] = {}
    for finding in wrong:
        if finding.severity == "error" and finding.event is not None:
            where = finding.match, finding.round
            last[where] = max(finding.event, last.get(where, -1))
    doubts: list[Warn] = []
    others: list[Warn] = []
    for warn in warnings:
        doubtful = warn.event is not None and warn.event <= last.get((warn.match, warn.round), -1)
        (doubts if doubtful else others).append(warn)
    return doubts, others


def _breaks(fault: Fault, warn: Warn | None) -> bool:
    """Return whether a fault of the same round is at the event of a warning, or after it."""
    return warn is not None and None not in (warn.event, fault.event) and (fault.event or 0) >= (warn.event or 0)


def _firsts(entries: Iterable[Entry]) -> dict[_Round, Entry]:
    """Return the first entry of each round. An entry without an event comes before all others."""
    firsts: dict[_Round, Entry] = {}
    for entry in entries:
        before = firsts.setdefault((entry.match, entry.round), entry)
        if before.event is not None and (entry.event is None or entry.event < before.event):
            firsts[entry.match, entry.round] = entry
    return firsts


def _near(
    finding: Finding, firsts: Mapping[_Round, Fault], of_match: Mapping[int | None, Fault]
) -> Iterator[Fault]:
    """Yield the faults that a finding may follow from: of its round, of the round before, and of the match.

    A finding about the whole match may follow from any fault of the match, so one of them is enough.
    """
    if finding.round is None:
        near = [of_match.get(finding.match)]
    else:
        near = [firsts.get((finding.match, where)) for where in (finding.round, finding.round - 1, None)]
    yield from filter(None, near)


def _certain(warn: Warn) -> Fault:
    return Fault(InputError(warn.message, _place(warn)), warn.match, warn.round, warn.event, warn.label)


def _place(warn: Warn) -> Place | None:
    return None if warn.line is None else Place(warn.line, warn.column or 1, "")


def _of_fault(fault: Fault) -> Finding:
    error = fault.error
    code = "S003" if isinstance(error, LimitError) else "S001"
    proposal = error.proposal if isinstance(error, InputError) else None
    where = (fault.match, fault.round, fault.event, fault.label)
    return Finding(code, "error", error.message, *where, place=error.place, proposal=proposal)


def _of_warning(warn: Warn) -> Finding:
    where = (warn.match, warn.round, warn.event, warn.label)
    return Finding("S010", "warning", warn.message, *where, place=_place(warn))
