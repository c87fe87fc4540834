"""What of a round can no longer be trusted, since something in it is known to be wrong: one slip is told once."""

from __future__ import annotations

from typing import Any, Final

from mjconv.ir import events as ev
from mjconv.ir.illegal import Rule
from mjconv.ir.tiles import Tile

_RIICHI: Final = frozenset({ev.Riichi, ev.RiichiAccepted})
_DRAWN_OR_GIVEN: Final = frozenset(
    {ev.Draw, ev.Discard, ev.Chi, ev.Pon, ev.Daiminkan, ev.Kakan, ev.Ankan, ev.Nukidora}
)
#: The finding of a riichi that is not accepted, at what comes in its stead.
_NOT_ACCEPTED: Final = "O004"
#: What findings of the rules put in doubt: the hand of whom they are about, a riichi, the scores, who deals next.
_HANDS: Final = frozenset({"R006", "R031", "R040", "R041"})
_OF_RIICHI: Final = frozenset({"R036"})
_SCORES: Final = frozenset({"R050", "R051", "R053", "R057"})
_DEALER: Final = frozenset({"R040", "R053", "R054", "R055", "R056"})
#: After these refusals nobody knows what the hand of the player holds.
_HELD: Final = frozenset({"turn", "held", "drawn", "called", "left", "meld", "pon"})
#: After these it may have been another player.
_OF_SOMEBODY_ELSE: Final = frozenset({"turn", "left"})


class Doubt:
    """What of a round is in doubt so far.

    `hands` and `riichi` are the seats whose hands, or whose riichi, nobody knows for sure. `tiles` are of each
    seat those that it can hardly have, with how many it then held: with so many, its hand is in doubt. `wall` is
    how many tiles were drawn, `last_tile` the tile that was shown last, `sticks` how many riichi sticks were paid,
    `scores` what the points are after the round, `dealer` who deals next.
    `cut` says that a deal is missing after the round.

    >>> doubt = Doubt()
    >>> doubt.told("R050", 2)
    >>> doubt.scores, doubt.dealer
    (True, False)
    """

    __slots__ = ("cut", "dealer", "hands", "last_tile", "riichi", "scores", "sticks", "tiles", "wall")

    def __init__(self) -> None:
        self.hands: set[int] = set()
        self.riichi: set[int] = set()
        self.tiles: dict[int, dict[Tile, int]] = {}
        self.wall = False
        self.last_tile = False
        self.sticks = False
        self.scores = False
        self.dealer = False
        self.cut = False

    def told(self, code: str, actor: int | None) -> None:
        """Doubt what a finding of the rules is about."""
        if actor is not None and code in _HANDS:
            self.hands.add(actor)
        if actor is not None and code in _OF_RIICHI:
            self._doubt_riichi({actor})
        self.scores |= code in _SCORES
        self.dealer |= code in _DEALER

    def tile(self, seat: int, tile: Tile, held: int) -> None:
        """Doubt that a seat has so many of a tile."""
        self.tiles.setdefault(seat, {})[tile] = held

    def misplaced(self, code: str, event: Any, seats: set[int]) -> None:
        """Doubt what an event out of order is about; `seats` are those whose it may have been."""
        kind = type(event)
        if kind in _RIICHI or code == _NOT_ACCEPTED:
            self._doubt_riichi(seats)
        elif kind in ev.RESULTS:
            self.dealer = True
        elif kind in _DRAWN_OR_GIVEN:
            self.wall = True

    def refused(self, rule: Rule, actor: int, others: set[int]) -> None:
        """Doubt the hands that an event is about that the table refused; `others` may have been meant."""
        if rule in _HELD:
            self.hands.add(actor)
        if rule in _OF_SOMEBODY_ELSE:
            # Who it should have been has played less than the record says.
            self.hands |= others

    def _doubt_riichi(self, seats: set[int]) -> None:
        self.riichi |= seats
        self.sticks = self.scores = True
