"""The matches of a member that one output gets: by their facts, and by their play."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from mjconv.archive.facts import facts_of
from mjconv.archive.play import measure, play_digest
from mjconv.archive.split import split_of
from mjconv.converters.interface import Format
from mjconv.ir.match import Match
from mjconv.options import ConvertOptions

if TYPE_CHECKING:
    from mjconv.archive.where import Where


class Selection:
    """Keeps the matches of one split that fit ``--where``, with ``--dedup`` each play once.

    `only` are the digests of the matches to keep; empty: all. `split` is the name of the split; None: that of the
    first match. `plays` are the digests of the kept matches, `measures` say how much these state (with
    ``--dedup``), and `others` are the other splits that have matches.

    Of several matches of one play, the one that states most is kept, by `best`. If a match states more than one
    that was kept before it, `again` is true: `begin`, and read the member once more.
    """

    def __init__(
        self,
        options: ConvertOptions,
        only: Collection[str],
        split: str | None = None,
        best: dict[str, tuple[int, int]] | None = None,
    ) -> None:
        self.options = options
        self.only = frozenset(only)
        #: The measure and the number of the match to keep, by its digest.
        self.best = {} if best is None else best
        self._split = split
        self.begin()

    def begin(self) -> None:
        """Begin again with the first match of the member; keep `best`."""
        self.where: Where | None = None
        if self.options.where is not None:
            # Imported here: most runs keep all matches.
            from mjconv.archive.where import Where

            self.where = Where(self.options.where)
        self.split = self._split
        self.plays: list[str] = []
        self.measures: list[int] = []
        #: Other splits, in the order of their first matches.
        self.others: dict[str, None] = {}
        self.duplicates = 0
        self.again = False
        self._number = 0

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
        play, number, stated = play_digest(match), self._number, 0
        self._number += 1
        if self.options.dedup:
            stated = measure(match, facts_of(match, form, source))
            best, kept = self.best.setdefault(play, (stated, number))
            if stated > best:
                self.best[play] = (stated, number)
                self.again = True
            if number != kept:
                self.duplicates += 1
                return False
        if self.only and play not in self.only:
            self.duplicates += 1
            return False
        split = split_of(play, self.options.split)
        if self.split is None:
            self.split = split
        if split != self.split:
            self.others[split] = None
            return False
        self.plays.append(play)
        self.measures.append(stated)
        return True
