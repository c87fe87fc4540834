"""The table of the outputs of findings: each makes text of them, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from mjconv.colours import Colours
from mjconv.finding_text import finding_json, finding_lines
from mjconv.ir.errors import UsageError
from mjconv.referee.findings import Finding

#: Yields the text of findings, a finding or a part of a document at a time.
Output: TypeAlias = Callable[[Iterable[Finding], Colours], Iterator[str]]


def _json(findings: Iterable[Finding], _: Colours) -> Iterator[str]:
    return map(finding_json, findings)


def _github(findings: Iterable[Finding], _: Colours) -> Iterator[str]:
    from mjconv.finding_annotations import workflow_commands

    return workflow_commands(findings)


def _sarif(findings: Iterable[Finding], _: Colours) -> Iterator[str]:
    from mjconv.sarif import sarif

    return sarif(findings)


#: The outputs, by the names that ``--format`` takes.
OUTPUTS: Final[dict[str, Output]] = {"text": finding_lines, "json": _json, "github": _github, "sarif": _sarif}


def output_of(name: str) -> Output:
    """Return the output of a name. Raises `UsageError` for an unknown name.

    >>> list(output_of("github")([Finding("S002", "error", "is empty", file="a.mjson")], Colours()))
    ['::error file=a.mjson,title=S002 unreadable::is empty']
    """
    if name not in OUTPUTS:
        raise UsageError(f"--format is {name!r}; expected {', '.join(OUTPUTS)}")
    return OUTPUTS[name]
