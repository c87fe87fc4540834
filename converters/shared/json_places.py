"""Finds the values of a JSON text: the offset of each, by the path of keys and indices that leads to it."""

import json
import re
from collections.abc import Collection, Sequence
from typing import Final, TypeAlias

from mjconv.converters.shared.json_values import Path
from mjconv.ir import events as ev

#: A character of a JSON string as it is written: two escapes may be the halves of one character.
_WRITTEN: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)
_BLANK: Final = re.compile(r"[ \t\n\r]*+")
#: Reads a value to find its end. Numbers stay texts, so their digits have no limit.
_VALUES: Final = json.JSONDecoder(parse_int=str, parse_float=str, strict=False)
_TOKEN: Final = re.compile(r'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"?+|[][{},:]|[^][{},:"\s]++')


def offset_in_string(text: str, begin: int, character: int) -> int:
    r"""Return the offset of a character of the JSON string that begins at `begin` in a text.

    `character` counts the characters of the decoded string.

    >>> text = r'["{\"a\":1}"]'
    >>> text[offset_in_string(text, 1, 5) :]
    '1}"]'
    """
    offset = begin + 1
    for _ in range(character):
        written = _WRITTEN.match(text, offset)
        if written is None:
            break
        offset = written.end()
    return offset


#: The ways to the fields of records by the keys of events, in the order in which they are tried.
Ways: TypeAlias = dict[str, list[tuple[str | int, ...]]]


def way_to(key: str, ways: Ways, fields: Collection[str], earlier: Sequence[ev.Event] = ()) -> Path:
    """Return the way to the value of a key of an event in a record with these fields; empty if it has none.

    The way to a value of a win has the index 0 of the first one. `earlier` are the events before the win.

    >>> way_to("pai", {"pai": [("tile",), ("won", 0)]}, ["won"], [ev.Win(1)])
    ('won', 1)
    """
    way = next((way for way in ways.get(key, ()) if way[0] in fields), ())
    return tuple([len(ev.select(earlier, ev.Win)) if part == 0 else part for part in way])


class JsonPlaces:
    """The offsets of the values of a JSON text. The text is searched when an offset is asked for.

    The text must be well-formed JSON.

    >>> text = '{"log": [[1, 2], {"name": "a,b", "more": []}]}'
    >>> places = JsonPlaces(text)
    >>> text[places.offset(("log", 0, 1)) :][:2], text[places.offset(("log", 1, "more")) :][:2]
    ('2]', '[]')

    For a value that is not there, returns the offset of the innermost value on the way to it.

    >>> places.offset(("log", 0, 7)) == places.offset(("log", 0))
    True
    """

    def __init__(self, text: str) -> None:
        self.text = text
        #: The offsets of the values of each object and array on a way, by its offset.
        self._parts: dict[int, dict[str | int, int]] = {}

    def offset(self, path: Path = ()) -> int:
        """Return the offset of the value at the end of a path."""
        offset = self._after_blank(0)
        for step in path:
            if offset not in self._parts:
                self._parts[offset] = self._parts_of(offset)
            inner = self._parts[offset].get(step)
            if inner is None:
                break
            offset = inner
        return offset

    def _parts_of(self, begin: int) -> dict[str | int, int]:
        """Return the offsets of the values of an object or array by key or index; none of any other value.

        Of a key that is there twice, the last one counts.
        """
        parts: dict[str | int, int] = {}
        opening = self._sign(begin)
        if opening not in ("{", "["):
            return parts
        offset = self._after_blank(begin + 1)
        try:
            while self._sign(offset) not in ("]", "}", ""):
                key: str | int = len(parts)
                if opening == "{":
                    key, offset = _VALUES.raw_decode(self.text, offset)
                    offset = self._after_blank(self._after_blank(offset) + 1)
                parts[key] = offset
                offset = self._after_blank(self._end(offset))
                if self._sign(offset) == ",":
                    offset = self._after_blank(offset + 1)
        except (ValueError, RecursionError):
            # The text is nested too deep for the decoder, or is no JSON: the values before are found.
            pass
        return parts

    def _end(self, begin: int) -> int:
        """Return the offset behind a value. Raises `ValueError` if there is none."""
        try:
            return _VALUES.raw_decode(self.text, begin)[1]
        except ValueError:
            # No JSON: the end is behind the bracket that closes the value, or behind its only token.
            depth = 0
            for token in _TOKEN.finditer(self.text, begin):
                if depth == 0 and token[0] in ",:]}":
                    break
                depth += (token[0] in "[{") - (token[0] in "]}")
                if depth == 0:
                    return token.end()
            raise

    def _sign(self, offset: int) -> str:
        return self.text[offset] if offset < len(self.text) else ""

    def _after_blank(self, offset: int) -> int:
        blank = _BLANK.match(self.text, offset)
        return offset if blank is None else blank.end()
