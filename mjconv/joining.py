"""What the referee finds and what a reader tells, joined: each mistake once, and not what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from mjconv.ir.errors import InputError, Place
from mjconv.ir.limits import LimitError
from mjconv.ir.losses import Fault, Report, Warn
from mjconv.ir.match import Match
from mjconv.referee.findings import Finding, level_of

#: What these codes tell of a round as a whole, the readers warn of as well.
_BROKEN_OFF: Final = frozenset({"O009", "O010", "O011", "O012"})
#: What is told of a round as a whole, and is so because some of it could not be read.
_OF_WHOLE: Final = _BROKEN_OFF | {"O008"}
#: The codes of how a round follows from the one before.
_FOLLOWING: Final = "R06"
#: The label of a round of which nothing is known.
_NAMELESS: Final = "?"


class Told:
    """How much of a report was told already: readers may know more of it than they have given matches."""

    def __init__(self) -> None:
        self.faults = 0
        self.warnings = 0
        self.waiting: list[Fault | Warn] = []

    def new(self, report: Report, match: int | None = None) -> tuple[list[Fault], list[Warn]]:
        """Give the faults and warnings that are new, up to a match: those of later ones wait."""
        entries = [*self.waiting, *report.faults[self.faults :], *report.warnings[self.warnings :]]
        self.faults, self.warnings = len(report.faults), len(report.warnings)
        self.waiting = [e for e in entries if match is not None and e.match is not None and e.match > match]
        now = [entry for entry in entries if match is None or entry.match is None or entry.match <= match]
        faults = [entry for entry in now if isinstance(entry, Fault)]
        return faults, [entry for entry in now if isinstance(entry, Warn)]


def joined(found: Sequence[Finding], faults: Sequence[Fault], warnings: Sequence[Warn]) -> list[Finding]:
    """Join what the referee and the reader found: what may follow from a fault, or is told twice, is left out.

    What a reader finds odd about a round that has an error, such as a note that no longer fits, follows from that;
    but play that is wrong from where something odd stands shows that this is an error, and follows from it.

    >>> from mjconv.ir.errors import InputError
    >>> fault = Fault(InputError("no tile"), 0, 1, 5)
    >>> later = Finding("R005", "error", "does not hold 9p", 0, 1, 7)
    >>> [finding.code for finding in joined([later], [fault], [])]
    ['S001']
    """
    wrong = [*found, *map(_of_fault, faults)]
    doubts = [warn for warn in warnings if any(_breaks(finding, warn) for finding in wrong)]
    warnings = [warn for warn in warnings if warn not in doubts]
    kept = [fault for fault in faults if not any(_breaks(_of_fault(fault), warn) for warn in doubts)]
    faults = [*kept, *map(_certain, doubts)]
    rest = [finding for finding in found if not any(_may_follow(finding, fault) for fault in faults)]
    rest += map(_of_fault, faults)
    broken_off = {(finding.match, finding.round) for finding in found if finding.code in _BROKEN_OFF}
    broken_off |= {(fault.match, None) for fault in faults}
    wrong = [finding for finding in rest if finding.severity == "error"]
    rounds = {(finding.match, where) for finding in wrong for where in (finding.round, finding.label)}
    new = [
        warn
        for warn in warnings
        if (warn.line is not None or (warn.match, warn.round) not in broken_off)
        and not _follows(warn, rounds, faults)
    ]
    return [*rest, *map(_of_warning, new)]


def labelled(finding: Finding, match: Match, number: int) -> Finding:
    """Give a finding of this match the name of its round, where it has none and the round has one."""
    index = finding.round
    label = finding.label
    if label is None and finding.match == number and index is not None and index < len(match.rounds):
        label = match.rounds[index].label
    return finding if label == finding.label else replace(finding, label=None if label == _NAMELESS else label)


def _may_follow(finding: Finding, fault: Fault) -> bool:
    """Tell whether a finding may be there only because something could not be read.

    From a fault on a round is in doubt, and so is how the next one follows from it; the end of the match as well.
    """
    if fault.match is None or fault.match != finding.match:
        return False
    if fault.round is None or finding.round is None:
        return finding.code in _BROKEN_OFF or level_of(finding.code) == "rules"
    if finding.round == fault.round + 1:
        return finding.code.startswith(_FOLLOWING)
    in_doubt = finding.event is None or fault.event is None or finding.event >= fault.event
    return finding.round == fault.round and (in_doubt or finding.code in _OF_WHOLE)


def _follows(warn: Warn, rounds: set[tuple[int | None, int | str | None]], faults: Sequence[Fault]) -> bool:
    """Tell whether a warning is about a round that has an error, or of a match with one around its rounds."""
    if warn.round is None and warn.label is None:
        return any(fault.match == warn.match and fault.round is None for fault in faults)
    return any(where is not None and (warn.match, where) in rounds for where in (warn.round, warn.label))


def _breaks(finding: Finding, warn: Warn) -> bool:
    """Tell whether play is wrong from where something odd stands."""
    there = warn.event is not None and finding.event is not None and finding.event >= warn.event
    return there and finding.severity == "error" and (finding.match, finding.round) == (warn.match, warn.round)


def _certain(warn: Warn) -> Fault:
    return Fault(InputError(warn.message, _place(warn)), warn.match, warn.round, warn.event, warn.label)


def _place(warn: Warn) -> Place | None:
    return None if warn.line is None else Place(warn.line, warn.column or 1, "")


def _of_fault(fault: Fault) -> Finding:
    error = fault.error
    code = "S003" if isinstance(error, LimitError) else "S001"
    return Finding(
        code, "error", error.message, fault.match, fault.round, fault.event, fault.label, place=error.place
    )


def _of_warning(warn: Warn) -> Finding:
    return Finding(
        "S010", "warning", warn.message, warn.match, warn.round, warn.event, warn.label, place=_place(warn)
    )
