"""Whether records are right: what the referee finds in matches and in files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from msgspec import Struct, structs

from mjconv.converters import formats, hub
from mjconv.files.address import redacted
from mjconv.files.members import Member, SpecialFile
from mjconv.files.walk import members
from mjconv.ir import limits
from mjconv.ir.errors import InputError, MjconvError, Place
from mjconv.ir.losses import Fault, Report
from mjconv.ir.match import House, Match
from mjconv.ir.plural import counted
from mjconv.ir.spelling import Spelling
from mjconv.ir.suggestion import check_word
from mjconv.referee.codes import CODES
from mjconv.referee.findings import LEVELS, Finding, Level, Severity
from mjconv.source import FileName, Source, source_of
from mjconv.validation.merge import NewEntries, merged, with_label
from mjconv.validation.positions import SourceLines, with_places

if TYPE_CHECKING:
    from mjconv.archive.where import Where

#: The codes of a file that is not checked, or not to its end. They are findings, whatever codes are wanted.
_NOT_CHECKED: Final = frozenset({"S002", "S003"})
#: The code of a note that is the same for all matches.
_ONCE: Final = "R081"


class RefereeError(InputError):
    """The referee found errors, so nothing was converted. `findings` are all findings."""

    def __init__(self, findings: list[Finding]) -> None:
        errors = [finding for finding in findings if finding.severity == "error"]
        code = errors[0].code
        first = f"{code} ({CODES[code].name}): {errors[0].message}"
        message = f"the referee found {counted(len(errors), 'error')}, first {first}"
        super().__init__(message, errors[0].place, errors[0].file)
        self.findings = findings


class Wanted(Struct, frozen=True):
    """The options of a check: the level, the rules of the house, and whether findings have pictures.

    `select` are the codes that are findings, None for all. `ignore` are codes that are no findings. A file that
    cannot be read, or is beyond a limit, is a finding unless `ignore` has its code. With `propose`, other values
    are tried where a value is wrong (`mjconv.validation.proposals`).
    """

    level: Level = "rules"
    house: House = House()
    pictures: bool = False
    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    propose: bool = False

    def includes(self, finding: Finding) -> bool:
        """Return whether a finding is wanted."""
        code = finding.code
        selected = self.select is None or code in self.select or code in _NOT_CHECKED
        return selected and code not in self.ignore


def check(
    match: Match, *, level: Level = "rules", house: House | None = None, pictures: bool = False
) -> list[Finding]:
    """Return the findings in a match, in the order of the record. The list is empty if the match is right.

    Level ``order`` checks only the order of the messages. Level ``rules`` also checks the rules of play: by those
    of `house`, then the rules in the record, then the usual rules of its format (`Match.house`). With
    `pictures`, each finding shows the table.

    >>> from mjconv.ir import events as ev
    >>> from mjconv.ir.match import Round
    >>> deal = ev.StartRound(oya=0, dora_marker="1m", tehais=(("?",) * 13,) * 4)
    >>> play = [deal, ev.Draw(0, "9p"), ev.Draw(1, "9p"), ev.Ryukyoku(), ev.EndRound()]
    >>> match = Match(rounds=[Round(play)], opening=[ev.StartGame()], closing=[ev.EndGame()])
    >>> [(finding.code, finding.event, finding.message) for finding in check(match, level="order")]
    [('O001', 2, 'south (player 1) draws, but play waits for a discard of east (player 0)')]
    """
    # Imported here: most uses of the package need no referee.
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
    r"""Return the findings in a file, in the files of a folder or archive, or in the bytes of a file.

    Level ``syntax`` checks only the grammar of the format. Level ``order`` also checks the order of the messages,
    level ``rules`` also the rules of play, by the rules of `house`. The findings of each file are in the order of
    their places. A file that cannot be read is a finding too. The format is `format`, else it comes from the file
    name (for bytes, from `file`), else from the contents. Raises `UsageError` for an unknown format or level.

    >>> findings = validate(b'{"type":"start_game"}\n{"type":"tsumo","actor":7}\n{"type":"end_game"}\n')
    >>> [(finding.code, finding.place.line) for finding in findings]
    [('S001', 2)]
    """
    validation = Validation(Wanted(level, house or House(), pictures), format)
    if isinstance(source, bytes):
        return list(validation.of_bytes(source, file))
    return list(validation.of_path(os.fspath(source)))


@dataclass
class Validation:
    """Checks files one after another, and counts `files`, `matches`, and findings by severity and code.

    `passed` counts the files of folders and archives that are no records, and `done` the bytes that the checked
    files take in their sources. `tick` is called after each match. `where` keeps some of the matches: findings in
    the others are left out.

    Raises `UsageError` for an unknown `format`.
    """

    wanted: Wanted
    form: str | None = None
    tick: Callable[[], None] = lambda: None
    where: Where | None = None
    files: int = 0
    matches: int = 0
    passed: int = 0
    done: int = 0
    counts: Counter[tuple[Severity, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        check_word("level", self.wanted.level, LEVELS)
        if self.form is not None:
            formats.find(self.form)

    def of_path(self, path: str) -> Iterator[Finding]:
        """Yield the findings in a file, or in the records of a folder or archive; ``-`` is standard input.

        A path without any record is a finding too.
        """
        files = self.files
        try:
            for member in members([path]):
                if isinstance(member.piece, SpecialFile):
                    self.passed += 1
                else:
                    yield from self._of_member(member)
                self.done += member.weight
        except (MjconvError, OSError) as error:
            yield from self.unread(error, redacted(path))
        if self.files == files:
            yield from self._wanted([Finding("S002", "error", "there is no record in it", file=redacted(path))])

    def _of_member(self, member: Member) -> Iterator[Finding]:
        try:
            data = member.read()
            if not member.is_record(data, self.form):
                self.passed += 1
                return
        except (MjconvError, OSError) as error:
            yield from self.unread(error, member.name)
        else:
            yield from self.of_bytes(data, member.name)

    def of_bytes(self, data: bytes, name: str | None = None) -> Iterator[Finding]:
        """Yield the findings in the bytes of a file, up to the limit of faults."""
        # Loaded here: its patterns take long to compile, and workers of a batch check no bytes.
        from mjconv.encoding_guess import refuse_other

        try:
            source = source_of(data, self.form, name)
            # A lenient reader would report each name in another encoding.
            refuse_other(source.data, name)
        except MjconvError as error:
            yield from self.unread(error, name)
            return
        self.files += 1
        findings = (finding for finding in _of_source(source, self) if self.wanted.includes(finding))
        yield from self._wanted(_no_more(findings, name))

    def unread(self, error: MjconvError | OSError, name: str | None) -> Iterator[Finding]:
        """Yield the finding that a file cannot be read."""
        self.files += 1
        if isinstance(error, MjconvError):
            code = "S003" if isinstance(error, limits.LimitError) else "S002"
            finding = Finding(code, "error", error.message, place=error.place, file=error.file or name)
        else:
            finding = Finding("S002", "error", error.strerror or str(error), file=name)
        return self._wanted([finding])

    def _wanted(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield and count the findings that are wanted."""
        for finding in findings:
            if self.wanted.includes(finding) and not (finding.code == _ONCE and self.counts["note", _ONCE]):
                self.counts[finding.severity, finding.code] += 1
                yield finding

    def number(self, severity: Severity) -> int:
        """Return the number of findings of a severity so far."""
        return sum(count for (kind, _), count in self.counts.items() if kind == severity)


def _of_source(source: Source, validation: Validation) -> Iterator[Finding]:
    """Read a file match by match, and yield the findings of each by their places."""
    report = Report(lenient=True)
    wanted = validation.wanted
    entries = NewEntries()
    number = -1
    lines = SourceLines(source.data)
    spelling = source.form.spelling_of(source.data)
    try:
        for number, reading in enumerate(hub.read(source.form, source.data, report)):
            match = reading.match
            if validation.where is not None and not validation.where.keeps(match, source.form, source.name):
                entries.new(report, number)
                continue
            validation.matches += 1
            validation.tick()
            findings = [] if wanted.level == "syntax" else _checked(match, number, wanted, spelling)
            findings = [with_label(finding, match, number) for finding in findings]
            findings = merged(findings, *entries.new(report, number))
            if wanted.propose:
                from mjconv.validation.proposals import with_proposals

                bare = structs.replace(wanted, pictures=False)
                judge = partial(_checked, number=number, wanted=bare, spelling=spelling)
                findings = with_proposals(findings, match, number, judge, spelling)
            findings = [with_label(finding, match, number) for finding in findings]
            yield from lines.shown(with_places(findings, reading, number, source.name))
        if number < 0 and not report.faults:
            message = f"there is no match in it; expected a record in {source.form.id}"
            yield Finding("S010", "warning", message, place=Place(1, 1, ""), file=source.name)
    except MjconvError as error:
        report.faults.append(Fault(error))
    if number < 0 and report.faults and isinstance(first := report.faults[0].error, InputError):
        source.explain(first)
    yield from lines.shown(with_places(merged([], *entries.new(report)), None, number, source.name))


def _no_more(findings: Iterable[Finding], file: str | None) -> Iterator[Finding]:
    """Yield the findings of a file up to the limit of faults, and then one that says that the rest is left out."""
    most = limits.current().faults
    rest = iter(findings)
    yield from islice(rest, most)
    if next(rest, None) is not None:
        yield Finding("S003", "error", f"{limits.refusal('faults')}: the rest is left out", file=file)


def refuse_wrong(sources: Iterable[Source], wanted: Wanted) -> list[Finding]:
    """Read files as a conversion does, and return the findings. Raises the errors of the readers.

    Raises `RefereeError` if one of the findings is an error.
    """
    findings: list[Finding] = []
    for source in sources:
        of_source: list[Finding] = []
        spelling = source.form.spelling_of(source.data)
        for number, reading in enumerate(source.readings(Report())):
            of_match = _checked(reading.match, number, wanted, spelling)
            of_source += with_places(of_match, reading, number, source.name)
            if len(of_source) > limits.current().faults:
                break
        findings += _no_more(of_source, source.name)
    if any(finding.severity == "error" for finding in findings):
        raise RefereeError(findings)
    return findings


def _checked(match: Match, number: int, wanted: Wanted, spelling: Spelling) -> list[Finding]:
    from mjconv.referee.referee import check as referee

    # One more than the limit, to know that there are more.
    current, level, house = limits.current(), wanted.level, wanted.house
    with limits.using(structs.replace(current, faults=current.faults + 1)):
        return referee(match, level=level, house=house, pictures=wanted.pictures, number=number, spelling=spelling)
