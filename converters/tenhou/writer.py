"""Writes Tenhou records, each flavour in its syntax."""

from __future__ import annotations

from typing import Any, Final

from mjconv.converters.interface import Part, Rendered, WriteOptions
from mjconv.converters.shared.carry import place_in_object
from mjconv.ir.match import Match

#: The flavour that is tenhou.net/6 JSON.
_JSON: Final = "tenhou-json"
#: The flavour that is links.
_URL: Final = "tenhou-url"


def render(match: Match, before: Any, last: bool, options: WriteOptions) -> Rendered:  # noqa: ARG001
    """Write a match in the syntax of the flavour. Raises as the writer of that syntax does."""
    # Imported here: a run writes one of the syntaxes.
    if options.flavour == _JSON:
        from mjconv.converters.tenhou.json_writer import render_json

        return render_json(match, before, options)
    if options.flavour == _URL:
        from mjconv.converters.tenhou.json_writer import render_links

        return render_links(match, before)
    from mjconv.converters.tenhou.xml_writer import render_xml

    return render_xml(match)


def place_note(part: Part, note: bytes) -> bytes:
    """Return the text of a part with a note in it."""
    if part.text.startswith(b"<"):
        from mjconv.converters.tenhou import xml_writer

        return xml_writer.place_note(part, note)
    return place_in_object(part, note)
