"""Writes Tenhou records, each flavour in its syntax."""

from __future__ import annotations

from mjconv.converters.interface import Part, Rendered, WriteOptions
from mjconv.converters.tenhou import xml_writer
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match


def render(match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:
    """Write a match. Raises `UnsupportedError` for a second match in a file of mjlog."""
    if before is not None or not last:
        raise UnsupportedError("an mjlog holds one match: `mjconv split` writes each match as a file of its own")
    return xml_writer.render_xml(match, options)


def place_note(part: Part, note: bytes) -> bytes:
    """Return the text of a part with a note in it."""
    return xml_writer.place_note(part, note)
