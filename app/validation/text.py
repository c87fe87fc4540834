"""Print findings: as lines of text in colours, as JSON, as notes of GitHub, or as SARIF."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TextIO, TypeAlias

from msgspec.structs import asdict

from mjconv.ir.errors import Proposal, printable, visible
from mjconv.ir.losses import round_named
from mjconv.ir.plural import counted
from mjconv.ir.suggestion import check_word
from mjconv.languages import translated
from mjconv.messages import encodable, json_line
from mjconv.referee.codes import CODES
from mjconv.referee.findings import Finding, Severity, level_of
from mjconv.version import VERSION

When: TypeAlias = Literal["auto", "always", "never"]
#: When text is coloured, as `--color` takes it.
WHEN: Final[tuple[When, ...]] = ("auto", "always", "never")

Colour: TypeAlias = Literal["bold", "red", "yellow", "green", "cyan"]
#: The parameters of the escape sequence SGR, for each colour.
_CODES: Final[dict[Colour, str]] = {"bold": "1", "red": "1;31", "yellow": "1;33", "green": "1;32", "cyan": "36"}


@dataclass(frozen=True)
class Colours:
    r"""Paints text, if `on`.

    >>> Colours(True).paint("red", "error"), Colours().paint("red", "error")
    ('\x1b[1;31merror\x1b[0m', 'error')
    """

    on: bool = False

    def paint(self, colour: Colour, text: str) -> str:
        """Return the text between the sequences that begin and end a colour."""
        return f"\x1b[{_CODES[colour]}m{text}\x1b[0m" if self.on and text else text


def colours_for(when: str, stream: TextIO | None) -> Colours:
    """Return the colours for a stream.

    ``auto`` paints on a terminal, unless the variable ``NO_COLOR`` is set and not empty, or ``TERM`` is ``dumb``.
    Raises `UsageError` for another word than those of `WHEN`.

    >>> colours_for("always", None).on, colours_for("never", None).on, colours_for("auto", None).on
    (True, False, False)
    """
    check_word("--color", when, WHEN)
    if when != "auto":
        return Colours(when == "always")
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return Colours(stream is not None and stream.isatty() and not plain)


_PLAIN: Final = Colours()
_SEVERITIES: Final[dict[Severity, Colour]] = {"error": "red", "warning": "yellow", "note": "cyan"}


def finding_line(finding: Finding) -> str:
    """Return a finding as one line of text, safe for a terminal.

    >>> from mjconv.ir.errors import Place
    >>> text = "east (player 0) does not hold 5mr"
    >>> print(finding_line(Finding("R005", "error", text, 0, 2, 7, "E3-0", 0, 5, Place(9, 1, ""), file="a.mjson")))
    a.mjson:9:1: R005 error (unheld): E3-0, turn 5: east (player 0) does not hold 5mr
    """
    return _head(finding, Colours())


def finding_lines(findings: Iterable[Finding], colours: Colours) -> Iterator[str]:
    """Yield each finding as text: its line, the line of the file with a caret, and its picture of the table.

    The line of the file is left out if it is not known. The picture is left out if the finding before it has the
    same one.
    """
    before: Finding | None = None
    for finding in findings:
        lines = [_head(finding, colours)]
        place = finding.place
        if place is not None and place.text.strip():
            line, caret = place.picture().split("\n")
            lines += [line, colours.paint("green", caret)]
        if finding.proposal is not None:
            likely = translated(printable(f"likely {proposal_text(finding.proposal)}"))
            lines.append(colours.paint("cyan", f"    {likely}"))
        if finding.picture is not None and not (before and _moment(before) == _moment(finding)):
            lines += [colours.paint("cyan", f"    {printable(line)}") for line in finding.picture.splitlines()]
        yield "\n".join(lines)
        before = finding


def _head(finding: Finding, colours: Colours) -> str:
    place = "" if finding.place is None else f"{finding.place.line}:{finding.place.column}:"
    file = colours.paint("bold", printable(f"{finding.file or '<input>'}:{place}"))
    kind = colours.paint(_SEVERITIES[finding.severity], f"{finding.code} {translated(finding.severity)}")
    return f"{file} {kind} ({name_of(finding.code)}): {translated(printable(located_message(finding)))}"


def name_of(code: str) -> str:
    """Return the name of a code.

    >>> name_of("R042")
    'furiten'
    """
    return CODES[code].name


def proposal_text(proposal: Proposal) -> str:
    """Return a proposal as words.

    >>> proposal_text(Proposal("1s", "6m", "the indicator is 5m")), proposal_text(Proposal("", "3s", "the hand"))
    ('6m, not 1s: the indicator is 5m', '3s: the hand')
    """
    proposed = f"no {proposal.stated}" if not proposal.proposed else proposal.proposed
    instead = f", not {proposal.stated}" if proposal.proposed and proposal.stated else ""
    return f"{proposed}{instead}: {proposal.reason}"


def _moment(finding: Finding) -> tuple[object, ...]:
    return finding.file, finding.match, finding.round, finding.event


def located_message(finding: Finding) -> str:
    """Return the message of a finding after its match (from the second one), round and turn.

    >>> located_message(Finding("O009", "warning", "the round breaks off without a result", 1, 0, label="E1-0"))
    'match 2, E1-0: the round breaks off without a result'
    """
    parts = (
        f"match {finding.match + 1}" if finding.match else None,
        round_named(finding.label, finding.round),
        f"id {finding.place.cited}" if finding.place is not None and finding.place.cited else None,
        None if finding.turn is None else f"turn {finding.turn}",
    )
    where = ", ".join(part for part in parts if part)
    return f"{where}: {finding.message}" if where else finding.message


def place_fields(finding: Finding) -> dict[str, Any]:
    """Return the known parts of the place of a finding in its record, by their keys in JSON."""
    values = {key: getattr(finding, key) for key in ("match", "round", "event", "label", "actor", "turn")}
    known = {key: value for key, value in values.items() if value is not None}
    return {key: encodable(value) if key == "label" else value for key, value in known.items()}


def finding_json(finding: Finding) -> str:
    """Return a finding as a JSON object on one line: line and column from 1; match, round and event from 0.

    >>> finding_json(Finding("S002", "error", "is empty", file="a.mjson"))
    '{"file":"a.mjson","code":"S002","name":"unreadable","level":"syntax","severity":"error","message":"is empty"}'
    """
    place = finding.place
    proposal = {} if finding.proposal is None else asdict(finding.proposal)
    fields: dict[str, Any] = {
        "file": None if finding.file is None else encodable(finding.file),
        "line": None if place is None else place.line,
        "column": None if place is None else place.column,
        "code": finding.code,
        "name": name_of(finding.code),
        "level": level_of(finding.code),
        "severity": finding.severity,
        "message": encodable(finding.message),
        **place_fields(finding),
        "id": None if place is None or not place.cited else encodable(place.cited),
        "proposal": {key: encodable(value) for key, value in proposal.items()} or None,
        "picture": None if finding.picture is None else encodable(finding.picture),
    }
    return json_line({key: value for key, value in fields.items() if value is not None})


def summary_lines(
    files: int, matches: int, counts: Counter[tuple[Severity, str]], passed: int = 0, colours: Colours = _PLAIN
) -> Iterator[str]:
    r"""Yield a summary of findings, then a line for each code. `counts` is by severity and code.

    `passed` is the number of files skipped as no records.

    >>> counts = Counter({("error", "R005"): 1, ("warning", "O009"): 3})
    >>> print(*summary_lines(2, 1, counts, 4), sep="\n")
    mjconv: 2 files, 1 match: 1 error, 3 warnings; 4 files skipped
         3 x O009 unfinished: a round without a result
         1 x R005 unheld: a tile is discarded, called with or laid down that the player does not hold
    """
    sums: Counter[Severity] = Counter()
    for (severity, _), number in counts.items():
        sums[severity] += number
    found = [colours.paint(_SEVERITIES[kind], counted(sums[kind], kind)) for kind in _SEVERITIES if sums[kind]]
    summary = ", ".join(found) or "nothing found"
    over = f"; {counted(passed, 'file')} skipped" if passed else ""
    yield f"mjconv: {counted(files, 'file')}, {counted(matches, 'match')}: {summary}{over}"
    if counts:
        for (severity, code), number in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0][1])):
            kind = colours.paint(_SEVERITIES[severity], code)
            yield f"  {number:>4} x {kind} {CODES[code].name}: {CODES[code].meaning}"


SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_SARIF: Final = "2.1.0"


def sarif(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield the document in parts, each on lines of its own; the findings are results, in their order.

    >>> import json
    >>> document = json.loads("".join(sarif([Finding("S002", "error", "is empty", file="a b.mjson")])))
    >>> [run] = document["runs"]
    >>> run["results"][0]["ruleId"], run["results"][0]["locations"]
    ('S002', [{'physicalLocation': {'artifactLocation': {'uri': 'a%20b.mjson'}}}])
    """
    rules = [
        {
            "id": code,
            "name": kind.name,
            "shortDescription": {"text": kind.meaning},
            "defaultConfiguration": {"level": kind.severity},
            "properties": {"tags": [level_of(code)]},
        }
        for code, kind in CODES.items()
    ]
    driver = {"name": "mjconv", "version": VERSION, "rules": rules}
    index = {code: number for number, code in enumerate(CODES)}
    yield f'{{"$schema":"{SCHEMA}","version":"{_SARIF}","runs":[{{"tool":{{"driver":{json_line(driver)}}},'
    yield '"columnKind":"unicodeCodePoints","results":['
    separator = ""
    for finding in findings:
        yield separator + json_line(_result(finding, index[finding.code]))
        separator = ","
    yield "]}]}"


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": encodable(printable(located_message(finding)))},
    }
    if finding.file is not None:
        location: dict[str, Any] = {"artifactLocation": {"uri": uri(finding.file)}}
        if finding.place is not None:
            location["region"] = {"startLine": finding.place.line, "startColumn": finding.place.column}
        result["locations"] = [{"physicalLocation": location}]
    if properties := place_fields(finding):
        result["properties"] = properties
    return result


def uri(path: str) -> str:
    """Return a path as a URI reference: relative, or with the scheme ``file`` for an absolute path.

    >>> uri("logs/ä:1.mjson"), uri("/tmp/100%.mjson")
    ('logs/%C3%A4%3A1.mjson', 'file:///tmp/100%25.mjson')
    """
    # Imported here: only SARIF names files so.
    from pathlib import PurePath
    from urllib.parse import quote

    quoted = quote(PurePath(path).as_posix() if os.sep == "\\" else path, errors="surrogateescape")
    return f"file:///{quoted.lstrip('/')}" if os.path.isabs(path) else quoted


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
FindingsFormat: TypeAlias = Callable[[Iterable[Finding], Colours], Iterator[str]]


#: The outputs, by the names that ``--format`` takes.
OUTPUTS: Final[dict[str, FindingsFormat]] = {
    "text": finding_lines,
    "json": lambda findings, _: map(finding_json, findings),
    "github": lambda findings, _: map(annotation, findings),
    "sarif": lambda findings, _: sarif(findings),
}


def output_of(name: str) -> FindingsFormat:
    """Return the output of a name. Raises `UsageError` for an unknown name.

    >>> list(output_of("github")([Finding("S002", "error", "is empty", file="a.mjson")], Colours()))
    ['::error file=a.mjson,title=S002 unreadable::is empty']
    """
    check_word("format", name, OUTPUTS)
    return OUTPUTS[name]
