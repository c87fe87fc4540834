"""One round as the referee follows it: what its checks see, and how they speak."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Match, Round
from mjconv.ir.table import Table
from mjconv.ir.tiles import HIDDEN, Tile
from mjconv.referee.house import House as House
from mjconv.referee.suspect_state import Doubt

#: Called with a finding's code, its sentence with gaps, and what fills them: an int is a player, a string a tile,
#: a tuple tiles.
Tell: TypeAlias = Callable[..., None]
#: What a check does at each kind of event.
Hooks: TypeAlias = Mapping[type, Callable[[Any], None]]

#: Tiles of a riichi set by the number of players, and of its dead wall.
_SET: Final = {4: 136, 3: 108}
_DEAD_WALL: Final = 14
_DEALT: Final = 13


class Game:
    """What is known of a round at the moment: the table before or after the event `index`.

    `events` are those of the round that are the game: what only a player said in a stream is left out, and
    `index` counts in them. `riichi` tells a game by riichi rules, told by its dora indicator or a riichi; only
    then do riichi's own rules hold. `doubt` is what can no longer be trusted, as something
    impossible was played: what depends on it is not checked. `draws` counts the draws so far. `told` are the codes
    of what the order check spoke of, by the event. `played` says whether `index` was played already.
    """

    __slots__ = (
        "disputed",
        "doubt",
        "draws",
        "events",
        "house",
        "index",
        "match",
        "number",
        "played",
        "record",
        "riichi",
        "seats",
        "start",
        "table",
        "tell",
        "told",
    )

    def __init__(self, match: Match, number: int, start: ev.StartRound, house: House, tell: Tell) -> None:
        self.match: Final = match
        self.number: Final = number
        self.record: Final[Round] = match.rounds[number]
        self.events: Final = self.record.events
        #: The deal, completed with what can be derived.
        self.start: Final = start
        self.house: Final = house
        self.tell: Final = tell
        self.table = Table.dealt(start)
        self.seats = self.table.seats
        self.index = 0
        self.played = False
        self.draws = 0
        self.doubt: Final = Doubt()
        self.told: Mapping[int, str] = {}
        #: The codes of what in the deal does not follow from the round before.
        self.disputed: frozenset[str] = frozenset()
        self.riichi = start.dora_marker not in (UNSET, HIDDEN) or bool(self.record.select(ev.Riichi))

    def hand(self, seat: int) -> list[Tile]:
        """Give the concealed tiles of a seat."""
        return self.table.hands[seat]

    def knows(self, seat: int) -> bool:
        """Tell whether the whole hand of a seat is known and can be trusted."""
        hand = self.table.hands[seat]
        if seat in self.doubt.hands or HIDDEN in hand:
            return False
        odd = self.doubt.tiles.get(seat)
        return odd is None or all(hand.count(tile) < held for tile, held in odd.items())

    def refuse(self, event: Any, error: IllegalPlayError) -> None:
        """Trust the hands of those no longer whom an event is about that the table refused."""
        self.doubt.refused(error.rule, event.actor, {self.table.turn, (self.table.last_actor + 1) % self.seats})

    def misplace(self, code: str, event: Any) -> None:
        """Doubt what the order check spoke of, before it is played."""
        seats = {getattr(event, "actor", UNSET), self.table.turn, self.table.last_actor}
        self.doubt.misplaced(code, event, {seat for seat in range(self.seats) if seat in seats})

    @property
    def left(self) -> int | None:
        """Tiles that can still be drawn in a riichi game; below zero where more were drawn than there are.

        None where that is not known: a draw is missing, or is told that was not.
        """
        return None if self.doubt.wall else self.undrawn

    @property
    def undrawn(self) -> int | None:
        """Tiles that are left to draw if all draws that the record tells were made, and no others."""
        if not self.riichi or self.seats not in _SET:
            return None
        return _SET[self.seats] - _DEAD_WALL - _DEALT * self.seats - self.draws


class Check:
    """A family of rules, watching one round. Each has its module, with its codes.

    `before` is called with the table as it stands before an event, `after` as after it; only for the kinds of
    events that they name. `end` is called when the round is over, or breaks off.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def before(self) -> Hooks:
        """Give what to do before events."""
        return {}

    def after(self) -> Hooks:
        """Give what to do after events."""
        return {}

    def refused(self, event: Any, error: IllegalPlayError) -> None:
        """Take note of an event that the table refused, and that was forced."""

    def end(self) -> None:
        """Look at the round as a whole."""
