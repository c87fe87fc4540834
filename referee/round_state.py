"""The state of one round while the referee follows it, and the base class of its checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from msgspec import UNSET, UnsetType

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Match, Round, Rules
from mjconv.ir.table import Table
from mjconv.ir.tiles import HIDDEN, Tile
from mjconv.referee.suspect_state import SuspectState
from mjconv.rules.circumstances import DRAWS
from mjconv.rules.house import House

#: Takes a finding's code, its sentence with gaps, and the values of the gaps: an int is a player, a string a
#: tile, a
#: tuple tiles.
Report: TypeAlias = Callable[..., None]
#: The functions of a check, by the kind of event that they take.
Hooks: TypeAlias = Mapping[type, Callable[[Any], None]]


class RoundState:
    """The state of a round before or after the event `index`.

    | attribute | meaning |
    | --- | --- |
    | `match`, `number`, `record` | the match, the index of the round, the round |
    | `events`, `index` | the events of play, without in-game talk, and the index of the present one |
    | `played` | whether the event `index` was played already |
    | `start` | the deal, with derived values |
    | `table` | the table |
    | `draws` | the number of draws so far |
    | `riichi` | whether a dora indicator is known or riichi is declared; only then riichi's own rules hold |
    | `suspect` | the parts of the state that cannot be trusted; what depends on them is not checked |
    | `refused` | the index of the last event that the table refused; it is applied and reported already |
    | `out_of_order` | the codes of the order check, by the index of the event |
    | `disputed` | the codes of the values of the deal that do not follow from the round before |
    | `report` | the function that takes a finding |
    """

    __slots__ = (
        "disputed",
        "draws",
        "events",
        "house",
        "index",
        "match",
        "number",
        "out_of_order",
        "played",
        "record",
        "refused",
        "report",
        "riichi",
        "seats",
        "start",
        "suspect",
        "table",
    )

    def __init__(self, match: Match, number: int, start: ev.StartRound, house: House, report: Report) -> None:
        self.match: Final = match
        self.number: Final = number
        self.record: Final[Round] = match.rounds[number]
        self.events: Final = self.record.events
        self.start: Final = start
        self.house: Final = house
        self.report: Final = report
        self.table = Table.dealt(start)
        self.seats = self.table.seats
        self.index = 0
        self.played = False
        self.draws = 0
        self.refused = -1
        self.suspect: Final = SuspectState()
        self.out_of_order: Mapping[int, str] = {}
        self.disputed: frozenset[str] = frozenset()
        self.riichi = start.dora_marker not in (UNSET, HIDDEN) or bool(self.record.select(ev.Riichi))

    def hand(self, seat: int) -> list[Tile]:
        """Return the concealed tiles of a seat."""
        return self.table.hands[seat]

    def knows(self, seat: int) -> bool:
        """Return whether the whole hand of a seat is known and can be trusted."""
        hand = self.table.hands[seat]
        if seat in self.suspect.hands or HIDDEN in hand:
            return False
        suspect = self.suspect.tiles.get(seat)
        return suspect is None or all(hand.count(tile) < held for tile, held in suspect.items())

    def note_refusal(self, event: Any, error: IllegalPlayError) -> None:
        """Suspect the hands of the present event, which the table refused."""
        self.refused = self.index
        others = {self.table.turn, (self.table.last_actor + 1) % self.seats}
        self.suspect.note_refusal(error.rule, event.actor, others)

    def note_out_of_order(self, code: str, event: Any) -> None:
        """Suspect the subject of an event that the order check reported, before it is played."""
        seats = {getattr(event, "actor", UNSET), self.table.turn, self.table.last_actor}
        self.suspect.note_out_of_order(code, event, {seat for seat in range(self.seats) if seat in seats})

    @property
    def rules(self) -> Rules | UnsetType:
        """The rules that the record states for the round."""
        return self.match.rules if self.record.rules is UNSET else self.record.rules

    @property
    def left(self) -> int | None:
        """The tiles that can still be drawn in a riichi round; below zero where more were drawn than there are.

        None where the number is not known: the record lacks a draw, or has one too many.
        """
        return None if self.suspect.wall else self.undrawn

    @property
    def undrawn(self) -> int | None:
        """The tiles that are left to draw if the draws of the record are all the draws that were made."""
        if not self.riichi or self.seats not in DRAWS:
            return None
        return DRAWS[self.seats] - self.draws


class Check:
    """A family of rules for one round. Each family has its module, with its codes.

    The functions of `before` take an event before the table plays it, those of `after` take it afterwards. `end`
    is called when the round is over, or breaks off.
    """

    def __init__(self, state: RoundState) -> None:
        self.state = state

    def before(self) -> Hooks:
        """Return the functions to call before events."""
        return {}

    def after(self) -> Hooks:
        """Return the functions to call after events."""
        return {}

    def refused(self, event: Any, error: IllegalPlayError) -> None:
        """Note an event that the table refused. It is applied all the same."""

    def end(self) -> None:
        """Check the round as a whole."""
