"""Print findings as annotations of GitHub Actions: workflow commands, one a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mjconv.finding_text import located_message, name_of
from mjconv.ir.errors import printable, visible
from mjconv.referee.findings import Finding


def annotation(finding: Finding) -> str:
    r"""Return a finding as a workflow command.

    GitHub decodes ``%25``, ``%0D``, ``%0A``, and in properties ``%3A`` and ``%2C``. So no file name and no message
    can begin another command or property. Other control characters become visible.

    >>> print(annotation(Finding("S002", "error", "100% empty", file="a,b\n::error::x")))
    ::error file=a%2Cb%0A%3A%3Aerror%3A%3Ax,title=S002 unreadable::100%25 empty
    """
    place = finding.place
    properties = {
        "file": finding.file,
        "line": None if place is None else str(place.line),
        "col": None if place is None else str(place.column),
        "title": f"{finding.code} {name_of(finding.code)}",
    }
    stated = ",".join(f"{key}={_property(value)}" for key, value in properties.items() if value is not None)
    return f"::{finding.severity} {stated}::{_data(printable(located_message(finding)))}"


def workflow_commands(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield each finding as a workflow command."""
    return map(annotation, findings)


def _data(text: str) -> str:
    return visible(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
