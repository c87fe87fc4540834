"""Writes down what the checks say: each finding with its code, sentence, place in the record, and picture."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.limits import current
from mjconv.ir.match import Match
from mjconv.ir.tiles import WINDS
from mjconv.referee.codes import CODES
from mjconv.referee.findings import Finding

#: What stands for the events around the rounds, as in the names of losses.
OPENING: Final = "opening"
CLOSING: Final = "closing"

_SEAT_WINDS: Final = dict(zip(WINDS, ("east", "south", "west", "north"), strict=True))


class Clerk:
    """The findings of one match; `number` is that of the match in its file, from 0.

    No more are written down than the limit of faults lets be.
    """

    def __init__(self, match: Match, number: int) -> None:
        self.match: Final = match
        self.number: Final = number
        #: The table at a moment: by round and event.
        self.pictures: Final[dict[tuple[int | None, int | None], str]] = {}
        self._most: Final = current().faults
        self._found: list[tuple[tuple[int, int], Finding]] = []
        self._discards: dict[int, dict[int, list[int]]] = {}
        # The match looks through its rounds for it.
        self.seats: Final = match.seats

    @property
    def findings(self) -> list[Finding]:
        """All that was written down, in the order of the record."""
        ordered = [finding for _, finding in sorted(self._found, key=lambda entry: entry[0])]
        if not self.pictures:
            return ordered
        return [replace(finding, picture=self.pictures.get((finding.round, finding.event))) for finding in ordered]

    def write(
        self,
        code: str,
        sentence: str,
        *about: Any,
        round: int | None = None,  # noqa: A002 - the field's word
        event: int | None = None,
        actor: int | None = None,
        label: str | None = None,
    ) -> None:
        """Write a finding down: its code, a sentence with gaps and what fills them, where it is, whose it is."""
        if len(self._found) >= self._most:
            return
        if label is None:
            label = CLOSING if round is None else self.match.rounds[round].label
        player = named(*self._seating(round), in_round=round is not None)
        finding = Finding(
            code,
            CODES[code].severity,
            IllegalPlayError(sentence, *about).told(player, str),
            self.number,
            round,
            event,
            label,
            actor,
            self._turn(round, event, actor),
        )
        last = len(self.match.rounds)
        number = round if round is not None else -1 if label == OPENING else last
        self._found.append(((number, -1 if event is None else event), finding))

    def _turn(self, number: int | None, event: int | None, actor: int | None) -> int | None:
        """Give the number of a player's turn: the tiles they discarded before, and one."""
        if number is None or event is None or actor is None:
            return None
        discards = self._discards.get(number)
        if discards is None:
            discards = self._discards[number] = {}
            for index, played in enumerate(self.match.rounds[number].events):
                if type(played) is ev.Discard:
                    discards.setdefault(played.actor, []).append(index)
        return 1 + bisect_left(discards.get(actor, []), event)

    def _seating(self, number: int | None) -> tuple[int, int]:
        """Give the dealer of a round and how many play."""
        start = None if number is None else self.match.rounds[number].start
        if start is None:
            return 0, self.seats
        seats = self.seats if start.tehais is UNSET else len(start.tehais)
        dealer = (start.kyoku or 1) - 1 if start.oya is UNSET else start.oya
        return dealer, seats


def named(dealer: int, seats: int, *, in_round: bool) -> Callable[[int], str]:
    """Give how a seat is called: by its wind in the round where there is one, and its number.

    >>> named(1, 4, in_round=True)(2), named(0, 4, in_round=False)(2)
    ('south (player 2)', 'player 2')
    """

    def name(seat: int) -> str:
        wind = (seat - dealer) % seats if seats else seat
        if not in_round or not 0 <= seat < seats or wind >= len(WINDS):
            return f"player {seat}"
        return f"{_SEAT_WINDS[WINDS[wind]]} (player {seat})"

    return name
