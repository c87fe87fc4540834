"""The text of an element of an mjlog, with the spaces that Tenhou writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mjconv.converters.tenhou.attributes import ORDER
from mjconv.converters.tenhou.scanner import escape

#: The elements that end with a space before the slash.
_SPACED: Final = frozenset({"N", "DORA", "AGARI", "RYUUKYOKU", "BYE"})


def element(name: str, found: Mapping[str, str], other: Mapping[str, str | None], *, spaced: bool = False) -> str:
    """Return an element as text. `other` are the attributes that differ from those found; None for one left out.

    >>> element("GO", {"type": "9", "lobby": "0"}, {"type": "169", "x": "1"})
    '<GO type="169" lobby="0" x="1"/>'
    """
    if other:
        values = {**found, **other}
        known = ORDER[name]
        names = [*(key for key in known if key in values), *(key for key in values if key not in known)]
        found = {key: value for key in names if (value := values[key]) is not None and key != "tile"}
    text = " ".join([f'{key}="{value}"' for key, value in found.items()])
    if "&" in text or "<" in text or text.count('"') != 2 * len(found):
        text = " ".join([f'{key}="{escape(value)}"' for key, value in found.items()])
    return f"<{name}{' ' if text else ''}{text}{' ' if spaced or name in _SPACED else ''}/>"
