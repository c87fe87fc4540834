"""The parts of a round that cannot be trusted after a finding, so that one mistake is reported once."""

from __future__ import annotations

from typing import Any, Final

from mjconv.ir import events as ev
from mjconv.ir.illegal import Rule
from mjconv.ir.tiles import Tile

_RIICHI: Final = frozenset({ev.Riichi, ev.RiichiAccepted})
_MOVES_TILES: Final = frozenset(
    {ev.Draw, ev.Discard, ev.Chi, ev.Pon, ev.Daiminkan, ev.Kakan, ev.Ankan, ev.Nukidora}
)
#: The code of a riichi that is not accepted. The finding is about the event that comes instead.
_NOT_ACCEPTED: Final = "O004"
#: The codes of the rules that make a hand, a riichi, the scores, or the next dealer suspect.
_HANDS: Final = frozenset({"R006", "R031", "R040", "R041", "R048"})
_OF_RIICHI: Final = frozenset({"R036"})
_SCORES: Final = frozenset({"R050", "R051", "R053", "R057"})
_DEALER: Final = frozenset({"R040", "R053", "R054", "R055", "R056"})
#: After the table refuses an event by one of these rules, the player's hand is not known any more.
_HAND_UNKNOWN: Final = frozenset({"turn", "held", "drawn", "called", "left", "meld", "pon"})
#: After these refusals, the event may have been another player's.
_MAYBE_ANOTHERS: Final = frozenset({"turn", "left"})


class SuspectState:
    """The parts of a round that are suspect so far. Checks do not report what depends on them.

    | attribute | meaning |
    | --- | --- |
    | `hands` | the seats whose hands are suspect |
    | `riichi` | the seats whose riichi is suspect |
    | `tiles` | by seat, the tiles that it probably does not have, with the number that it held then |
    | `wall` | the number of tiles drawn |
    | `last_tile` | the tile that was shown last |
    | `sticks` | the number of riichi sticks paid |
    | `scores` | the scores after the round |
    | `dealer` | the next dealer |
    | `cut` | a deal is missing after the round |

    >>> suspect = SuspectState()
    >>> suspect.note_finding("R050", 2)
    >>> suspect.scores, suspect.dealer
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

    def note_finding(self, code: str, actor: int | None) -> None:
        """Suspect the subject of a finding of the rules."""
        if actor is not None and code in _HANDS:
            self.hands.add(actor)
        if actor is not None and code in _OF_RIICHI:
            self._suspect_riichi({actor})
        self.scores |= code in _SCORES
        self.dealer |= code in _DEALER

    def note_tile(self, seat: int, tile: Tile, held: int) -> None:
        """Suspect that a seat does not hold so many of a tile."""
        self.tiles.setdefault(seat, {})[tile] = held

    def note_out_of_order(self, code: str, event: Any, seats: set[int]) -> None:
        """Suspect the subject of an event out of order; `seats` are those whose event it may be."""
        kind = type(event)
        if kind in _RIICHI or code == _NOT_ACCEPTED:
            self._suspect_riichi(seats)
        elif kind in ev.RESULTS:
            self.dealer = True
        elif kind in _MOVES_TILES:
            self.wall = True

    def note_refusal(self, rule: Rule, actor: int, others: set[int]) -> None:
        """Suspect the hands of an event that the table refused; it may be an event of `others`."""
        if rule in _HAND_UNKNOWN:
            self.hands.add(actor)
        if rule in _MAYBE_ANOTHERS:
            # The player whose event it should be has played less than the record says.
            self.hands |= others

    def _suspect_riichi(self, seats: set[int]) -> None:
        self.riichi |= seats
        self.sticks = self.scores = True
