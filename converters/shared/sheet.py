"""What a new file begins with, for formats that people type."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from msgspec import Struct

from mjconv.ir.errors import UsageError
from mjconv.ir.match import USUAL_SEATS


class Sheet(Struct, frozen=True, kw_only=True):
    """What a new file begins with. `rules` are points: start, return, what the 4th and what the 3rd pay."""

    players: Sequence[str] = ()
    date: datetime.date | None = None
    tournament: str | None = None
    place: str | None = None
    rules: str | None = None

    def names(self) -> Sequence[str]:
        """Return the names of the four players, or none. Raises `UsageError` for other numbers of names."""
        if len(self.players) not in (0, USUAL_SEATS):
            raise UsageError(f"--players takes four names with commas between them, not {len(self.players)}")
        return self.players
