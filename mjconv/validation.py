"""Whether records are right: what the referee finds in matches and in files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from math import inf
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from mjconv.conversion import Source, source_of
from mjconv.converters import formats
from mjconv.converters.formats import Finder
from mjconv.ir import limits
from mjconv.ir.errors import InputError, MjconvError, Place, PlayError
from mjconv.ir.limits import LimitError
from mjconv.ir.losses import Fault, Report, Warn
from mjconv.ir.match import Match
from mjconv.referee.findings import Finding, Level, Severity, level_of
from mjconv.referee.house import House
from mjconv.sources.members import Member, Passed
from mjconv.sources.walk import members

FileName: TypeAlias = str | os.PathLike[str]

#: What these codes tell of a round as a whole, the readers warn of as well.
_BROKEN_OFF: Final = frozenset({"O009", "O010", "O011", "O012"})


#: The codes of how a round follows from the one before.
_FOLLOWING: Final = "R06"


class RefereeError(InputError):
    """A record is not right, and was not converted: `findings` are all that the referee found."""

    def __init__(self, findings: list[Finding]) -> None:
        errors = [finding for finding in findings if finding.severity == "error"]
        told = f"the referee found {len(errors)} error{'s' * (len(errors) > 1)}, first {errors[0].code}"
        super().__init__(f"{told}: {errors[0].message}", errors[0].place, errors[0].file)
        self.findings = findings


class Wanted(Struct, frozen=True):
    """How records are looked at: to which level, by the rules of which house, with pictures or without."""

    level: Level = "rules"
    house: House = House()
    pictures: bool = False


def check(
    match: Match, *, level: Level = "rules", house: House | None = None, pictures: bool = False
) -> list[Finding]:
    """Tell all that is not right in a match, in the order of the record; an empty list when it is.

    At level ``order`` only the order of the messages is looked at, at ``rules`` also the rules of play, as `house`
    has them. `pictures` shows the table at each finding.

    >>> from mjconv.ir import events as ev
    >>> from mjconv.ir.match import Round
    >>> deal = ev.StartRound(oya=0, dora_marker="1m", tehais=(("?",) * 13,) * 4)
    >>> play = [deal, ev.Draw(0, "9p"), ev.Draw(1, "9p"), ev.Ryukyoku(), ev.EndRound()]
    >>> match = Match(rounds=[Round(play)], opening=[ev.StartGame()], closing=[ev.EndGame()])
    >>> [(finding.code, finding.event, finding.message) for finding in check(match, level="order")]
    [('O001', 2, 'south (player 1) draws, where play waits for a discard of east (player 0)')]
    """
    # Loaded here: most uses of the package need no referee.
    from mjconv.referee.referee import check as referee

    return referee(match, level=level, house=house, pictures=pictures)


def validate(
    source: FileName | bytes,
    *,
    level: Level = "rules",
    house: House | None = None,
    pictures: bool = False,
    format: str | None = None,  # noqa: A002 - the field's word
    file: str | None = None,
) -> list[Finding]:
    r"""Tell all that is not right in a file, the files of a folder or archive, or the bytes of a file.

    At level ``syntax`` only the format's own grammar is looked at, at ``order`` also the order of the messages, at
    ``rules`` also the rules of play, as `house` has them. The findings of each file are in the order of their
    places. What cannot be read is a finding as well. The format is `format`, else what the name says (of bytes,
    `file`), else what the contents say. Raises `UsageError` for an unknown format.

    >>> findings = validate(b'{"type":"start_game"}\n{"type":"tsumo","actor":7}\n{"type":"end_game"}\n')
    >>> [(finding.code, finding.place.line) for finding in findings]
    [('S001', 2)]
    """
    wanted = Wanted(level, house or House(), pictures)
    validation = Validation(wanted, format)
    if isinstance(source, bytes):
        return list(validation.of_bytes(source, file))
    return list(validation.of_path(os.fspath(source)))


class Validation:
    """Looks at files one after another, and counts: `files`, `matches`, and findings by how grave they are.

    Raises `UsageError` for an unknown `format`.
    """

    def __init__(self, wanted: Wanted, form: str | None = None) -> None:
        if form is not None:
            formats.find(form)
        self.wanted = wanted
        self.form = form
        self.files = 0
        self.matches = 0
        self.counts: Counter[Severity] = Counter()

    def of_path(self, path: str) -> Iterator[Finding]:
        """Give the findings of a file, of the records of a folder or of an archive; ``-`` is standard input."""
        try:
            for member in members([path]):
                if isinstance(member.piece, Passed):
                    continue
                yield from self._of_member(member)
        except (MjconvError, OSError) as error:
            yield self._unread(error, path)

    def _of_member(self, member: Member) -> Iterator[Finding]:
        try:
            data = member.read()
            if not member.is_record(data, self.form):
                return
        except (MjconvError, OSError) as error:
            yield self._unread(error, member.name)
        else:
            yield from self.of_bytes(data, member.name)

    def of_bytes(self, data: bytes, name: str | None = None) -> Iterator[Finding]:
        """Give the findings of the bytes of a file, no more than the limit of faults lets be."""
        try:
            source = source_of(data, self.form, name)
        except MjconvError as error:
            yield self._unread(error, name)
            return
        self.files += 1
        most = limits.current().faults
        for number, finding in enumerate(_of_source(source, self)):
            if number == most:
                said = f"{limits.refusal('faults')}: the rest is left out"
                yield self._counted(Finding("S003", "error", said, file=name))
                return
            yield self._counted(finding)

    def _unread(self, error: MjconvError | OSError, name: str | None) -> Finding:
        self.files += 1
        if isinstance(error, MjconvError):
            code = "S003" if isinstance(error, LimitError) else "S002"
            return self._counted(Finding(code, "error", error.message, place=error.place, file=error.file or name))
        return self._counted(Finding("S002", "error", error.strerror or str(error), file=name))

    def _counted(self, finding: Finding) -> Finding:
        self.counts[finding.severity] += 1
        return finding


def _of_source(source: Source, validation: Validation) -> Iterator[Finding]:
    """Read a file match by match, and give the findings of each by their places."""
    report = Report(lenient=True)
    finder = _Places(source, lenient=True)
    wanted = validation.wanted
    done = _Done()
    number = -1
    try:
        for number, match in enumerate(source.form.read(source.data, report, source.flavour)):
            validation.matches += 1
            found = [] if wanted.level == "syntax" else _checked(match, number, wanted)
            joined = _joined(found, *done.new(report, number), wanted.level)
            yield from finder.placed([_labelled(finding, match, number) for finding in joined])
        if number < 0 and not report.faults:
            said = f"no match in it, where a record in {source.form.id} was expected"
            yield Finding("S001", "error", said, place=Place(1, 1, ""), file=source.name)
    except MjconvError as error:
        report.faults.append(Fault(error))
    yield from finder.placed(_joined([], *done.new(report), wanted.level))


def refuse_wrong(sources: Iterable[Source], wanted: Wanted) -> list[Finding]:
    """Read files as a conversion does, and give what the referee finds in them; raises as reading does.

    Raises `RefereeError` where anything is an error, and not only odd.
    """
    found: list[Finding] = []
    for source in sources:
        finder = _Places(source, lenient=False)
        for number, match in enumerate(source.matches(Report())):
            found += finder.placed(_checked(match, number, wanted))
    if any(finding.severity == "error" for finding in found):
        raise RefereeError(found)
    return found


def _checked(match: Match, number: int, wanted: Wanted) -> list[Finding]:
    from mjconv.referee.referee import check as referee

    return referee(match, level=wanted.level, house=wanted.house, pictures=wanted.pictures, number=number)


class _Done:
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


def _joined(found: list[Finding], faults: list[Fault], warnings: list[Warn], level: Level) -> list[Finding]:
    """Join what the referee and the reader found: what may follow from a fault, or is told twice, is left out."""
    rest = [finding for finding in found if not any(_may_follow(finding, fault) for fault in faults)]
    told = {(finding.match, finding.round) for finding in found if finding.code in _BROKEN_OFF}
    told |= {(fault.match, number) for fault in faults for number in (fault.round, None)}
    rest += [_of_fault(fault) for fault in faults if level == "rules" or not isinstance(fault.error, PlayError)]
    new = [warn for warn in warnings if warn.line is not None or (warn.match, warn.round) not in told]
    return [*rest, *map(_of_warning, new)]


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
    return finding.round == fault.round and (in_doubt or finding.code in _BROKEN_OFF)


def _labelled(finding: Finding, match: Match, number: int) -> Finding:
    """Give a finding the name of its round, where it has none."""
    index = finding.round
    if finding.label is not None or finding.match != number or index is None or index >= len(match.rounds):
        return finding
    return replace(finding, label=match.rounds[index].label)


def _of_fault(fault: Fault) -> Finding:
    error = fault.error
    code = "S003" if isinstance(error, LimitError) else "R010" if isinstance(error, PlayError) else "S001"
    return Finding(code, "error", error.message, fault.match, fault.round, fault.event, place=error.place)


def _of_warning(warn: Warn) -> Finding:
    place = None if warn.line is None else Place(warn.line, 1, "")
    return Finding("S010", "warning", warn.message, warn.match, warn.round, None, warn.label, place=place)


class _Places:
    """Finds where the findings of a file stand in it; it is read for that once, and only if there are any."""

    def __init__(self, source: Source, *, lenient: bool) -> None:
        self.source = source
        self.lenient = lenient

    @cached_property
    def find(self) -> Finder:
        """The finder of the format, or one that finds nothing where the data cannot be read."""
        try:
            return self.source.form.places(self.source.data, lenient=self.lenient)
        except MjconvError:
            return _nowhere

    def placed(self, findings: list[Finding]) -> list[Finding]:
        """Give the findings with file and place, in the order of their places."""
        found = [replace(finding, file=self.source.name, place=self._place(finding)) for finding in findings]
        return sorted(dict.fromkeys(found), key=lambda finding: _order(finding.place))

    def _place(self, finding: Finding) -> Place | None:
        if finding.place is not None or finding.match is None:
            return finding.place
        return self.find(finding.match, finding.round or 0, -1 if finding.event is None else finding.event)


def _nowhere(match: int, game_round: int, event: int) -> None:  # noqa: ARG001 - as all finders
    return None


def _order(place: Place | None) -> tuple[float, int]:
    return (inf, 0) if place is None else (place.line, place.column)
