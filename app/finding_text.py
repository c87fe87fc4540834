"""Print findings: as lines of text, or as JSON objects."""

from __future__ import annotations

from collections import Counter
from typing import Any

from mjconv.console import encodable, json_line
from mjconv.ir.errors import printable
from mjconv.ir.plural import counted
from mjconv.referee.findings import Finding, Severity, level_of


def finding_line(finding: Finding, before: Finding | None = None) -> str:
    """Return a finding as a line of text, safe for a terminal, with its picture of the table below.

    The picture is left out if the finding `before` has the same one.

    >>> from mjconv.ir.errors import Place
    >>> text = "east (player 0) does not hold 5mr"
    >>> print(finding_line(Finding("R005", "error", text, 0, 2, 7, "E3-0", 0, 5, Place(9, 1, ""), file="a.mjson")))
    a.mjson:9:1: R005 error: E3-0, turn 5: east (player 0) does not hold 5mr
    """
    place = "" if finding.place is None else f"{finding.place.line}:{finding.place.column}:"
    kind = f"{finding.code} {finding.severity}"
    lines = [f"{finding.file or '<input>'}:{place} {kind}: {_where(finding)}{finding.message}"]
    if finding.picture is not None and not (before and _moment(before) == _moment(finding)):
        lines += [f"    {line}" for line in finding.picture.splitlines()]
    return "\n".join(map(printable, lines))


def _moment(finding: Finding) -> tuple[object, ...]:
    return finding.file, finding.match, finding.round, finding.event


def _where(finding: Finding) -> str:
    """Return the match (from the second one), round and turn of a finding."""
    label = finding.label
    if label in (None, "?") and finding.round is not None:
        label = f"round {finding.round + 1}"
    parts = (
        f"match {finding.match + 1}" if finding.match else None,
        label,
        None if finding.turn is None else f"turn {finding.turn}",
    )
    where = ", ".join(part for part in parts if part)
    return f"{where}: " if where else ""


def finding_json(finding: Finding) -> str:
    """Return a finding as a JSON object on one line: line and column from 1; match, round and event from 0.

    >>> finding_json(Finding("S002", "error", "is empty", file="a.mjson"))
    '{"file":"a.mjson","code":"S002","level":"syntax","severity":"error","message":"is empty"}'
    """
    place = finding.place
    fields: dict[str, Any] = {
        "file": None if finding.file is None else encodable(finding.file),
        "line": None if place is None else place.line,
        "column": None if place is None else place.column,
        "code": finding.code,
        "level": level_of(finding.code),
        "severity": finding.severity,
        "message": encodable(finding.message),
        "match": finding.match,
        "round": finding.round,
        "event": finding.event,
        "label": None if finding.label is None else encodable(finding.label),
        "actor": finding.actor,
        "turn": finding.turn,
        "picture": None if finding.picture is None else encodable(finding.picture),
    }
    return json_line({key: value for key, value in fields.items() if value is not None})


def summary_line(files: int, matches: int, counts: Counter[Severity], passed: int = 0) -> str:
    """Return a summary of findings as one line; `passed` is the number of files skipped as no records.

    >>> summary_line(2, 1, Counter({"error": 1, "warning": 3}), 4)
    'mjconv: 2 files, 1 match: 1 error, 3 warnings; 4 files skipped'
    """
    kinds: tuple[Severity, ...] = ("error", "warning")
    found = ", ".join(counted(counts[kind], kind) for kind in kinds if counts[kind]) or "nothing found"
    over = f"; {counted(passed, 'file')} skipped" if passed else ""
    return f"mjconv: {counted(files, 'file')}, {counted(matches, 'match')}: {found}{over}"
