"""The matches of a member that one output gets: by their facts, and by their play."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from mjconv.archive.play import play_digest
from mjconv.archive.split import split_of
from mjconv.converters.interface import Format
from mjconv.ir.match import Match
from mjconv.options import ConvertOptions

if TYPE_CHECKING:
    from mjconv.archive.where import Where


class Selection:
    """Keeps the matches of one split that fit ``--where``, with ``--dedup`` each play once.

    `only` are the digests of the matches to keep; empty: all. `split` is the name of the split; None: that of the
    first match. `plays` are the digests of the kept matches, and `others` the other splits that have matches.
    """

    def __init__(self, options: ConvertOptions, only: Collection[str], split: str | None = None) -> None:
        self.options = options
        self.only = frozenset(only)
        self.split = split
        self.where: Where | None = None
        if options.where is not None:
            # Imported here: most runs keep all matches.
            from mjconv.archive.where import Where

            self.where = Where(options.where)
        self.plays: list[str] = []
        #: Other splits, in the order of their first matches.
        self.others: dict[str, None] = {}
        self.duplicates = 0
        self._seen: set[str] = set()

    @property
    def left_out(self) -> int:
        """The number of matches that do not fit ``--where``."""
        return 0 if self.where is None else self.where.left_out

    def keeps(self, match: Match, form: Format, source: str | None) -> bool:
        """Return whether a match is kept."""
        if self.where is not None and not self.where.keeps(match, form, source):
            return False
        if not self.options.dedup and self.options.split is None:
            return True
        play = play_digest(match)
        if (self.only and play not in self.only) or (self.options.dedup and play in self._seen):
            self.duplicates += 1
            return False
        self._seen.add(play)
        split = split_of(play, self.options.split)
        if self.split is None:
            self.split = split
        if split != self.split:
            self.others[split] = None
            return False
        self.plays.append(play)
        return True
