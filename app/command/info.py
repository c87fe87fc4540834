"""Summarise files for ``mjconv info``, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import UNSET, structs

from mjconv.api import record_sources
from mjconv.archive.facts import Facts
from mjconv.command.console import Exit, Failures, print_left_out, print_notes
from mjconv.command.paths import INFO_READS, open_source
from mjconv.converters.formats import find
from mjconv.files.address import redacted
from mjconv.files.reading import STANDARD
from mjconv.ir.errors import InputError, visible
from mjconv.ir.losses import Report
from mjconv.ir.plural import counted
from mjconv.languages import translated
from mjconv.messages import json_line, warning_lines
from mjconv.options import Options
from mjconv.rules.rulesets import by_id
from mjconv.source import Source
from mjconv.summary import FileSummary, RoundResult, summarised

if TYPE_CHECKING:
    from mjconv.archive.where import Where


def lines(summary: FileSummary) -> Iterator[str]:
    """Return a summary as lines of text, safe for a terminal."""
    yield visible(f"{summary.file}: {summary.format}, {counted(len(summary.matches), 'match')}")
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


class InfoOptions(Options, frozen=True, kw_only=True):
    """The arguments and options of ``mjconv info``; `everything` reads folders and archives."""

    files: list[str]
    source: str | None = None
    as_json: bool = False
    everything: bool = False
    where: str | None = None


def show_files(options: InfoOptions) -> Exit:
    """Print the summaries of files and the warnings of their readers, and the errors of bad files."""
    if options.source is not None:
        find(options.source)
    failures, where = Failures(), None
    if options.where is not None:
        # Imported here: most uses of the command choose no matches.
        from mjconv.archive.where import Where

        where = Where(options.where)
    for path in options.files:
        with failures.going_on():
            for opened in _sources(path, options, failures, where):
                with failures.going_on():
                    _show(opened, options)
    print_left_out(where)
    return failures.status


def _sources(path: str, options: InfoOptions, failures: Failures, where: Where | None) -> Iterator[Source]:
    if not options.everything or path == STANDARD:
        yield structs.replace(open_source(path, options.source, INFO_READS), where=where)
        return
    before, found = failures.number, False
    for opened in record_sources([path], options.source, failures.add, where=where):
        found = True
        yield opened
    if not found and failures.number == before:
        raise InputError("there is no record in it", file=redacted(path))


def _show(opened: Source, options: InfoOptions) -> None:
    report = Report()
    summary = summarised(opened, report)
    print_notes(warning_lines(report.warnings, opened.name or ""))
    if summary.matches or options.where is None:
        print(json_line(summary) if options.as_json else "\n".join(map(translated, lines(summary))))
