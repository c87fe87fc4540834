"""Strings between double quotes, as each version spells them (sections 2.3.1 and 3.3)."""

from __future__ import annotations

from typing import Final

#: A string as a regular expression, by version.
STRING: Final = {0: r'"[^"]*"', 1: r'"(?:[^"\\]|\\"?+)*+"'}


def read_string(spelling: str, major: int) -> str:
    r"""Give the text of a string with its quotes. In 1.x ``\"`` is a quote; any other backslash is itself.

    >>> read_string(r'"a\"b\n"', 1), read_string(r'"a\n"', 0)
    ('a"b\\n', 'a\\n')
    """
    inner = spelling[1:-1]
    return inner.replace('\\"', '"') if major else inner


def write_string(text: str, major: int) -> str | None:
    r"""Spell a text with its quotes; None for what the version cannot spell.

    That is, in 1.x, a text that ends in a backslash; in version 0 one with a quote; and half a character.

    >>> write_string('a"b', 1), write_string('a"b', 0), write_string("a\\", 1)
    ('"a\\"b"', None, None)
    """
    if text.endswith("\\") if major else '"' in text:
        return None
    try:
        text.encode()
    except UnicodeEncodeError:
        return None
    return '"' + (text.replace('"', '\\"') if major else text) + '"'
