"""A match together with its source."""

from __future__ import annotations

from msgspec import Struct

from mjconv.ir.match import Match


class Record(Struct, frozen=True):
    """A match, the name of its file, and its number in that file.

    `source` is the path of the file, or of the member of an archive: ``logs.zip/day/1.mjson``. Bytes of the path
    that are not UTF-8 are written as escapes. `index` is the number of the match in the file, from 0.

    >>> Record("game.mjson", 0, Match())
    Record(source='game.mjson', index=0, match=<Match: 4 players, 0 rounds, 0 events>)
    """

    source: str
    index: int
    match: Match
