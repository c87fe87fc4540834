"""What a new file begins with, for formats that people type."""

import datetime
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from mjconv.converters.shared.tidy import TidyLine, joined
from mjconv.ir.errors import LineError, UsageError
from mjconv.ir.match import USUAL_SEATS, Match, Name, Player, Text, Tournament

#: Returns of a state the rules, each with a comment, the line of names, and comments about lines of games.
HeadOf: TypeAlias = Callable[[Any], tuple[Iterable[tuple[str, str]], str, str]]


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

    def put(self, match: Match) -> None:
        """Put the names, the date, the tournament and the place into a match."""
        if self.names():
            match.players = list(map(_player, self.players))
        if self.tournament is not None:
            match.tournament = replace(match.tournament or Tournament(), name=_text(self.tournament))
        if self.place is not None:
            match.place = _text(self.place)
        if self.date is not None:
            match.date = self.date


def evening(sheet: Sheet, like: bytes | None, state: Any, read: Callable[[str, Any], Any], head: HeadOf) -> bytes:
    """Return a file for an evening whose games are typed as results, with the rules and names of a file `like`.

    `state` is the one at the beginning, `read` returns the state after a line. Raises `UsageError` for values of
    the sheet that no file of results has.
    """
    if (sheet.tournament, sheet.place, sheet.rules) != (None, None, None):
        raise UsageError(
            "a file of results has no tournament and no place, and its rules are lines: leave these out"
        )
    for line in (like or b"").decode("utf-8", "replace").splitlines():
        with suppress(LineError):
            state = read(line, state)
    rules, names, results = head(state)
    day = TidyLine((sheet.date or datetime.date.today()).isoformat(), "# the evening")
    return (joined([day, *(TidyLine(*rule) for rule in rules), TidyLine(names, apart=True)]) + results).encode()


def _player(name: str) -> Player:
    last, _, first = name.strip().partition(" ")
    return Player(Name(_text(last), _text(first)) if last or first else UNSET)


def _text(text: str) -> Text | UnsetType:
    if not text.strip():
        return UNSET
    return Text(roman=text.strip()) if text.isascii() else Text(native=text.strip())
