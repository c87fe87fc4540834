"""Print findings as SARIF 2.1.0, the JSON of static analysis that code hosts and editors read.

The document is printed in parts: findings of an archive never are in memory together.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from mjconv.ir.errors import printable
from mjconv.messages import encodable, json_line
from mjconv.referee.findings import Finding, level_of
from mjconv.validation.text import located_message, where_of
from mjconv.version import VERSION

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
    # Imported here: other outputs need only the names of codes.
    from mjconv.referee.codes import CODES

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
    properties = where_of(finding)
    if properties:
        result["properties"] = properties
    return result


def uri(path: str) -> str:
    """Return a path as a URI reference: relative, or with the scheme ``file`` for an absolute path.

    >>> uri("logs/ä:1.mjson"), uri("/tmp/100%.mjson")
    ('logs/%C3%A4%3A1.mjson', 'file:///tmp/100%25.mjson')
    """
    quoted = quote(PurePath(path).as_posix() if os.sep == "\\" else path, errors="surrogateescape")
    return f"file:///{quoted.lstrip('/')}" if os.path.isabs(path) else quoted
