"""The table at a moment, as text for a person.

Tiles of a suit are written together, the ranks before the letter of the suit, a red five as 0: ``123m 40p ES``.
Ranks above nine have brackets. In a river ``*`` marks the riichi discard, and brackets mark a tile that was
called.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.match import Meld
from mjconv.ir.plural import counted
from mjconv.ir.spelling import Seating, Spelling
from mjconv.ir.table import DRAWN, RIICHI_ACCEPTED, RIICHI_DECLARED
from mjconv.ir.tiles import RED_FIVES, Tile, plain, sorted_tiles
from mjconv.referee.round_state import RoundState
from mjconv.rules.scores import RIICHI_STICK

#: The letter of flowers, which have numbers and no suit.
_NO_SUIT: Final = "f"
_RIICHI: Final = {RIICHI_DECLARED: ", declares riichi", RIICHI_ACCEPTED: ", in riichi"}


def short(tiles: Iterable[Tile], spell: Callable[[Tile], str] = str) -> str:
    """Return tiles in the short spelling, in their order. Their letters are those of `spell`.

    >>> short(["1m", "2m", "3m", "4p", "5pr", "E", "S", "?"]), short(["9m", "16m"])
    ('123m 40p ES?', '9(16)m')
    >>> short(["1m", "2m", "E", "S"], {"1m": "1m", "2m": "2m", "E": "ew", "S": "sw"}.__getitem__)
    '12m ew sw'
    """
    words = []
    for suit, group in groupby((_parts(tile, spell) for tile in tiles), key=itemgetter(1)):
        ranks = [rank for rank, _ in group]
        if suit:
            words.append("".join(rank if len(rank) == 1 else f"({rank})" for rank in ranks) + suit)
        else:
            words.append(("" if all(len(rank) == 1 for rank in ranks) else " ").join(ranks))
    return " ".join(words)


def _parts(tile: Tile, spell: Callable[[Tile], str]) -> tuple[str, str]:
    """Return the rank of a tile and the letter of its suit; of a tile without a suit its spelling."""
    spelled = spell(plain(tile))
    if len(spelled) > 1 and tile[0].isdigit() and tile[-1] != _NO_SUIT and spelled[-1].isalpha():
        return ("0" if tile in RED_FIVES else spelled[:-1]), spelled[-1]
    return spell(tile), ""


def picture(state: RoundState, spelling: Spelling, seating: Seating) -> str:
    """Return the picture of the table: the round, then the hand, the calls and the river of each player."""
    return _Picture(state, spelling, seating).text()


class _Picture:
    def __init__(self, state: RoundState, spelling: Spelling, seating: Seating) -> None:
        self.state = state
        self.spell = spelling.short_tile
        self.names = [spelling.short_player(seat, seating) for seat in range(state.seats)]

    def text(self) -> str:
        state = self.state
        start, table = state.start, state.table
        head = [state.record.label]
        if state.left is not None:
            head.append(f"{counted(max(state.left, 0), 'tile')} left to draw")
        markers = _indicators(state)
        if markers:
            head.append(f"dora indicators {self.short(markers)}")
        lines = [", ".join(head)]
        rivers = self.rivers()
        scores = start.scores or ()
        for seat, name in enumerate(self.names):
            paid = RIICHI_STICK * (table.riichi[seat] == RIICHI_ACCEPTED)
            points = f", {scores[seat] - paid} points" if seat < len(scores) else ""
            lines.append(f"{name}{points}{_RIICHI.get(table.riichi[seat], '')}")
            lines.append(f"  hand   {self.hand(seat)}")
            if table.melds[seat]:
                lines.append(f"  calls  {', '.join(map(self.meld, table.melds[seat]))}")
            if rivers[seat]:
                lines.append(f"  river  {' '.join(rivers[seat])}")
        return "\n".join(lines)

    def short(self, tiles: Iterable[Tile]) -> str:
        return short(tiles, self.spell)

    def hand(self, seat: int) -> str:
        table = self.state.table
        hand = sorted_tiles(table.hands[seat])
        drawn = table.drawn
        if table.phase is not DRAWN or table.turn != seat or drawn is None or drawn not in hand:
            return self.short(hand)
        hand.remove(drawn)
        return f"{self.short(hand)} + {self.short([drawn])}"

    def meld(self, meld: Meld) -> str:
        own = self.short(sorted_tiles(meld.own))
        if meld.called is UNSET:
            return f"{meld.kind} {own}"
        source = f" from {self.names[meld.target]}" if meld.target is not UNSET else ""
        added = f" + {self.short([meld.added])}" if meld.added is not UNSET else ""
        return f"{meld.kind} {own} + {self.short([meld.called])}{source}{added}"

    def rivers(self) -> list[list[str]]:
        """Return each seat's discards, with the marks of riichi and of calls."""
        rivers: list[list[str]] = [[] for _ in range(self.state.seats)]
        declared: int | None = None
        event: Any
        for event in _past(self.state):
            if isinstance(event, ev.Riichi):
                declared = event.actor
            elif isinstance(event, ev.Discard):
                rivers[event.actor].append(self.short([event.pai]) + "*" * (declared == event.actor))
                declared = None
            elif type(event) in ev.CALL_KINDS and rivers[event.target]:
                rivers[event.target][-1] = f"({rivers[event.target][-1].strip('()')})"
        return rivers


def _past(state: RoundState) -> Sequence[ev.Event]:
    return state.events[: state.index + state.played]


def _indicators(state: RoundState) -> list[Tile]:
    first = [] if state.start.dora_marker is UNSET else [state.start.dora_marker]
    return first + [event.dora_marker for event in _past(state) if isinstance(event, ev.Dora)]
