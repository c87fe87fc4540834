"""Reads Tenhou records: finds the syntax of the file, and reads that syntax."""

from __future__ import annotations

from collections.abc import Iterator

from mjconv.converters.interface import Reading
from mjconv.converters.tenhou.detect import syntax_of
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report


def read(data: bytes, report: Report) -> Iterator[Reading]:
    """Read the matches of a file one by one. Raises `InputError` with its place.

    A file of mjlog XML holds one match. With a lenient report, an error in a round is a fault, and the reader
    continues with the next round.

    >>> [reading] = read(b'<mjloggm ver="2.3"><GO type="185" lobby="0"/></mjloggm>', Report())
    >>> reading.match.rules.players
    3
    """
    text = _decoded(data, report)
    syntax = syntax_of(data)
    if text is None:
        return
    if syntax == "xml" or text.lstrip("\ufeff \t\r\n").startswith("<"):
        from mjconv.converters.tenhou.xml_reader import read_xml

        yield from read_xml(text, report)
    elif syntax == "json" or text.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        from mjconv.converters.tenhou.json_reader import read_json

        yield from read_json(data, report)
    else:
        expected = 'expected <mjloggm ver="2.3">, an object of tenhou.net/6, or a link with #json='
        report.fault(InputError(f"this is no Tenhou record: {expected}", Place.at(text[:1000], 0)))


def _decoded(data: bytes, report: Report) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        rest = data[error.start : error.start + 100].decode("utf-8", "replace")
        report.fault(InputError("the text is not UTF-8", Place.at(before + rest, len(before))))
        return None
