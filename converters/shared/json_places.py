"""Finds the values of a JSON text: the offset of each, by the path of keys and indices that leads to it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final, TypeAlias

#: The way to a value: keys of objects and indices of arrays, from the outermost.
Path: TypeAlias = Sequence[str | int]

#: A character of a JSON string as it is written: two escapes may be the halves of one character.
_WRITTEN: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)
_BLANK: Final = re.compile(r"[ \t\n\r]*+")
#: Reads a value to find its end. Numbers stay texts, so their digits have no limit.
_VALUES: Final = json.JSONDecoder(parse_int=str, parse_float=str, strict=False)
#: So many offsets are found one by one. For more, the offsets of all values are found.
_FEW: Final = 2
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
        found = _WRITTEN.match(text, offset)
        if found is None:
            break
        offset = found.end()
    return offset


class _Node:
    """An object or array: its offset, and its values by key or index. Other values are their offsets."""

    __slots__ = ("offset", "parts")

    def __init__(self, offset: int) -> None:
        self.offset = offset
        #: None where it is empty: a text may have millions of empty objects.
        self.parts: dict[str | int, _Node | int] | None = None


class JsonPlaces:
    """The offsets of the values of a JSON text. The text is searched when an offset is asked for.

    The text must be well-formed JSON. `begin` is the offset of the value in the text, `end` that behind it.

    >>> text = '{"log": [[1, 2], {"name": "a,b", "more": []}]}'
    >>> places = JsonPlaces(text)
    >>> text[places.offset(("log", 0, 1)) :][:2], text[places.offset(("log", 1, "more")) :][:2]
    ('2]', '[]')

    For a value that is not there, the offset is that of the innermost value on the way to it.

    >>> places.offset(("log", 0, 7)) == places.offset(("log", 0))
    True
    """

    def __init__(self, text: str, begin: int = 0, end: int | None = None) -> None:
        self.text = text
        self.begin = begin
        self.end = len(text) if end is None else end
        self._asked = 0

    def offset(self, path: Path = ()) -> int:
        """Return the offset of the value at the end of a path."""
        if not path:
            # The others need not be found.
            found = _TOKEN.search(self.text, self.begin, self.end)
            return self.begin if found is None else found.start()
        self._asked += 1
        if self._asked <= _FEW:
            try:
                return self._found(path)
            except (ValueError, IndexError, RecursionError):
                # The text is nested too deep for the decoder, or is no JSON.
                pass
        node = self._root
        for step in path:
            inner = node.parts.get(step) if node.parts else None
            if inner is None:
                break
            if isinstance(inner, int):
                return inner
            node = inner
        return node.offset

    def _found(self, path: Path) -> int:
        """Return the offset of the value at the end of a path. The decoder skips the values beside the way."""
        offset = self.offset()
        for step in path:
            inner = _in_object(self.text, offset, step) if self.text[offset] == "{" else None
            inner = _in_array(self.text, offset, step) if self.text[offset] == "[" else inner
            if inner is None:
                break
            offset = inner
        return offset

    @cached_property
    def _root(self) -> _Node:
        """Find all values, in one loop: a recursion could exhaust the stack."""
        outer: list[_Node] = []
        root = node = _Node(self.begin)
        key: str | None = None
        for token in _TOKEN.finditer(self.text, self.begin, self.end):
            sign = token[0]
            if sign in ",:":
                continue
            if sign in "]}":
                if outer:
                    node = outer.pop()
                continue
            in_object = bool(outer) and self.text[node.offset] == "{"
            if in_object and key is None:
                key = json.loads(sign) if "\\" in sign else sign[1:-1]
                continue
            value = _Node(token.start()) if sign in "[{" else token.start()
            if not outer:
                root = value if isinstance(value, _Node) else _Node(value)
            else:
                if node.parts is None:
                    node.parts = {}
                node.parts[len(node.parts) if key is None else key] = value
                key = None
            if isinstance(value, _Node):
                outer.append(node)
                node = value
        return root


def _in_object(text: str, begin: int, key: str | int) -> int | None:
    """Return the offset of the value of a key, or None. Of a key that is there twice, the last one counts."""
    found: int | None = None
    at = _after_blank(text, begin + 1)
    while text[at] != "}":
        name, at = _VALUES.raw_decode(text, at)
        at = _after_blank(text, _after_blank(text, at) + 1)
        if name == key:
            found = at
        at = _following(text, at)
    return found


def _in_array(text: str, begin: int, index: str | int) -> int | None:
    """Return the offset of the value at an index, or None."""
    at, number = _after_blank(text, begin + 1), 0
    while text[at] != "]":
        if number == index:
            return at
        at = _following(text, at)
        number += 1
    return None


def _following(text: str, begin: int) -> int:
    """Return the offset of the value or key after the value that begins here, or of the closing bracket."""
    at = _after_blank(text, _VALUES.raw_decode(text, begin)[1])
    return _after_blank(text, at + 1) if text[at] == "," else at


def _after_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return at if found is None else found.end()
