"""Reads Tenhou records: finds the syntax of the file, and reads that syntax."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mjconv.converters.interface import Reading
from mjconv.converters.tenhou.detect import syntax_of
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report

#: The first characters of a file, among which its first sign is.
_LEADING: Final = 5000


def read(data: bytes, report: Report) -> Iterator[Reading]:
    """Read the matches of a file one by one. Raises `InputError` with its place.

    A file of mjlog XML holds one match, a file of tenhou.net/6 objects or of links one or more. With a lenient
    report, an error in a round is a fault, and the reader continues with the next round.

    >>> [reading] = read(b'<mjloggm ver="2.3"><GO type="185" lobby="0"/></mjloggm>', Report())
    >>> reading.match.rules.players
    3
    """
    text = _decoded(data, report)
    syntax = syntax_of(data)
    if text is None:
        return
    begin = text[:_LEADING].lstrip("\ufeff \t\r\n")
    if syntax == "xml" or begin.startswith("<"):
        from mjconv.converters.tenhou.xml_reader import read_xml

        yield from read_xml(text, data, report)
    elif syntax == "json" or begin.startswith(("{", "[")):
        from mjconv.converters.tenhou.json_reader import read_json

        yield from read_json(data, report)
    elif syntax == "url" or begin.startswith("http"):
        from mjconv.converters.tenhou.json_reader import read_links

        yield from read_links(data, report)
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
