"""What an editor asks of mjai: the names of players."""

import re
from typing import Final

import msgspec

_NAMES: Final = re.compile(r'(?<="names":)\s*\[[^]]*\]')
_NAME: Final = re.compile(r'(?<=[\[,]")[^"]+(?=")')


def names_in(line: str) -> list[tuple[int, int]]:
    """Return where the names of players are in a line.

    >>> names_in('{"type":"start_game","names":["A","Bo"]}')
    [(31, 32), (35, 37)]
    """
    names = _NAMES.search(line)
    return [] if names is None else [name.span() for name in _NAME.finditer(line, names.start(), names.end())]


def spelled_name(name: str) -> str:
    """Return a name as a string of JSON has it, without its quotes."""
    return msgspec.json.encode(name).decode()[1:-1]
