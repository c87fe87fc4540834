"""The table of the outputs of findings: each makes text of them, line by line."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from mjconv.ir.errors import UsageError, printable, visible
from mjconv.referee.findings import Finding
from mjconv.validation.colours import Colours
from mjconv.validation.text import finding_json, finding_lines, located_message, name_of


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
    kind = "notice" if finding.severity == "note" else finding.severity
    return f"::{kind} {stated}::{_data(printable(located_message(finding)))}"


def _data(text: str) -> str:
    return visible(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


#: Yields the text of findings, a finding or a part of a document at a time.
Output: TypeAlias = Callable[[Iterable[Finding], Colours], Iterator[str]]


def _sarif(findings: Iterable[Finding], _: Colours) -> Iterator[str]:
    from mjconv.validation.sarif import sarif

    return sarif(findings)


#: The outputs, by the names that ``--format`` takes.
OUTPUTS: Final[dict[str, Output]] = {
    "text": finding_lines,
    "json": lambda findings, _: map(finding_json, findings),
    "github": lambda findings, _: map(annotation, findings),
    "sarif": _sarif,
}


def output_of(name: str) -> Output:
    """Return the output of a name. Raises `UsageError` for an unknown name.

    >>> list(output_of("github")([Finding("S002", "error", "is empty", file="a.mjson")], Colours()))
    ['::error file=a.mjson,title=S002 unreadable::is empty']
    """
    if name not in OUTPUTS:
        raise UsageError(f"--format is {name!r}; expected {', '.join(OUTPUTS)}")
    return OUTPUTS[name]
