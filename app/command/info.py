"""Summarise files for ``mjconv info``, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import UNSET, structs

from mjconv.archive.facts import Facts
from mjconv.command.console import print_messages
from mjconv.command.paths import INFO_READS, open_source
from mjconv.files.address import redacted
from mjconv.files.reading import STANDARD
from mjconv.ir.errors import InputError, MjconvError, visible
from mjconv.ir.losses import Report
from mjconv.ir.plural import counted
from mjconv.languages import translated
from mjconv.messages import warning_lines
from mjconv.rules.rulesets import by_id
from mjconv.source import Source, source_of
from mjconv.summary import FileSummary, RoundResult, summarised

if TYPE_CHECKING:
    from mjconv.archive.where import Where


def lines(summary: FileSummary) -> Iterator[str]:
    """Return a summary as lines of text, safe for a terminal."""
    number = len(summary.matches)
    yield visible(f"{summary.file}: {summary.format}, {counted(number, 'match')}")
    for index, match in enumerate(summary.matches, 1):
        names = [name or translated(f"seat {seat}") for seat, name in enumerate(match.players)]
        yield visible(f"match {index}: {', '.join(names)}")
        rules = by_id(match.game)
        if match.game:
            yield visible(f"  game: {rules.name.english}")
        known_facts = Facts(0, 0) if match.facts is UNSET else match.facts
        date, time = match.date or known_facts.date, match.time or known_facts.time
        facts = (date, time, match.place, known_facts.room, match.tournament)
        if known := ", ".join(str(fact) for fact in facts if fact is not UNSET):
            yield visible(f"  {known}")
        day = date
        for played in match.rounds:
            if played.date is not UNSET and played.date != day:
                day = played.date
                yield f"  {day}"
            ends = "; ".join(_result_line(result, names, rules.unit.english) for result in played.results)
            yield visible(f"  {played.round:<6} {ends or translated('no result')}")
        answers = sum(played.answers for played in match.rounds)
        if answers:
            yield f"  answers of players: {answers}"
        for word, points in (("points", match.points), ("final scores", match.final_scores)):
            if points is not UNSET:
                pairs = zip(names, points, strict=False)
                yield visible(f"  {translated(word)}: {', '.join(f'{name} {value}' for name, value in pairs)}")


def _result_line(result: RoundResult, names: list[str], unit: str) -> str:
    def name(seat: int) -> str:
        return names[seat] if 0 <= seat < len(names) else translated(f"seat {seat}")

    end = translated(result.end)
    words = [end if result.winner is UNSET else f"{name(result.winner)} {end}"]
    if result.target is not UNSET and result.target != result.winner:
        words.append(translated(f"from {name(result.target)}"))
    if result.reason is not UNSET:
        words.append(f"({result.reason})")
    words += [f"{value} {unit}" for value in (result.han, result.faan, result.fan) if value is not UNSET]
    if result.fu is not UNSET:
        words.append(f"{result.fu} fu")
    line = " ".join(words)
    if result.deltas is UNSET:
        return line
    moved = ", ".join(f"{name(seat)} {delta:+}" for seat, delta in enumerate(result.deltas) if delta)
    return f"{line}: {moved or translated('no points move')}"


def summarise_files(
    paths: Iterable[str],
    source: str | None = None,
    *,
    everything: bool = False,
    quiet: bool = False,
    where: Where | None = None,
) -> Iterator[FileSummary | MjconvError | OSError]:
    """Summarise files; yields the error of a bad one. Warnings of readers are printed, unless `quiet`.

    With `everything`, also reads the records in folders and archives. `where` keeps some of the matches.
    """
    for path in paths:
        try:
            if everything and path != STANDARD:
                yield from _summarised_members(path, source, where, quiet=quiet)
            else:
                opened = open_source(path, source, INFO_READS)
                yield _warned(structs.replace(opened, where=where), quiet=quiet)
        except (MjconvError, OSError) as error:
            yield error


def _summarised_members(
    path: str, source: str | None, where: Where | None, *, quiet: bool
) -> Iterator[FileSummary | MjconvError | OSError]:
    # Loaded here: most uses of the command read no archive.
    from mjconv.files.members import SpecialFile
    from mjconv.files.walk import members

    records = 0
    for member in members([path]):
        if isinstance(member.piece, SpecialFile):
            continue
        try:
            data = member.read()
            if not member.is_record(data, source):
                continue
            records += 1
            yield _warned(source_of(data, source, member.name, where), quiet=quiet)
        except (MjconvError, OSError) as error:
            records += 1
            yield error
    if not records:
        raise InputError("there is no record in it", file=redacted(path))


def _warned(opened: Source, *, quiet: bool) -> FileSummary:
    """Summarise a file. Warnings of its reader are printed, unless `quiet`."""
    report = Report()
    summary = summarised(opened, report)
    if not quiet:
        print_messages(warning_lines(report.warnings, opened.name or ""))
    return summary
