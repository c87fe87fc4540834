"""The table at a moment, as text for a person.

Tiles of a suit are written together, the ranks before the letter of the suit, a red five as 0: ``123m 40p ES``.
Ranks above nine have brackets. In a river ``*`` marks the riichi discard, and brackets mark a tile that was
called.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.derive import RIICHI_STICK
from mjconv.ir.match import Meld
from mjconv.ir.plural import counted
from mjconv.ir.table import DRAWN, RIICHI_ACCEPTED, RIICHI_DECLARED
from mjconv.ir.tiles import RED_FIVES, SUITS, WINDS, Tile, sorted_tiles
from mjconv.referee.round_state import RoundState

_CALLS: Final = (ev.Chi, ev.Pon, ev.Daiminkan)
_RIICHI: Final = {RIICHI_DECLARED: ", declares riichi", RIICHI_ACCEPTED: ", in riichi"}


def short(tiles: Iterable[Tile]) -> str:
    """Return tiles in the short spelling, in their order.

    >>> short(["1m", "2m", "3m", "4p", "5pr", "E", "S", "?"]), short(["9m", "16m"])
    ('123m 40p ES?', '9(16)m')
    """
    words = []
    for suit, group in groupby(tiles, key=_suit):
        words.append("".join(map(_rank, group)) + suit)
    return " ".join(words)


def _suit(tile: Tile) -> str:
    return tile[1] if tile in RED_FIVES else tile[-1] if tile[-1] in SUITS else ""


def _rank(tile: Tile) -> str:
    if tile in RED_FIVES:
        return "0"
    if not _suit(tile):
        return tile
    rank = tile[:-1]
    return rank if len(rank) == 1 else f"({rank})"


def picture(state: RoundState) -> str:
    """Return the picture of the table: the round, then the hand, the calls and the river of each player."""
    start, table = state.start, state.table
    head = [state.record.label]
    if state.left is not None:
        head.append(f"{counted(max(state.left, 0), 'tile')} left to draw")
    markers = _indicators(state)
    if markers:
        head.append(f"dora indicators {short(markers)}")
    lines = [", ".join(head)]
    names = [f"{_wind(state, seat)} (player {seat})" for seat in range(state.seats)]
    rivers = _rivers(state)
    scores = start.scores
    for seat, name in enumerate(names):
        paid = RIICHI_STICK * (table.riichi[seat] == RIICHI_ACCEPTED)
        points = f", {scores[seat] - paid} points" if scores is not UNSET else ""
        lines.append(f"{name}{points}{_RIICHI.get(table.riichi[seat], '')}")
        lines.append(f"  hand   {_hand(state, seat)}")
        if table.melds[seat]:
            lines.append(f"  calls  {', '.join(_meld(meld, names) for meld in table.melds[seat])}")
        if rivers[seat]:
            lines.append(f"  river  {' '.join(rivers[seat])}")
    return "\n".join(lines)


def _wind(state: RoundState, seat: int) -> str:
    return WINDS[(seat - state.table.oya) % state.seats] if state.seats <= len(WINDS) else "-"


def _hand(state: RoundState, seat: int) -> str:
    table = state.table
    hand = sorted_tiles(table.hands[seat])
    drawn = table.drawn
    if table.phase is not DRAWN or table.turn != seat or drawn is None or drawn not in hand:
        return short(hand)
    hand.remove(drawn)
    return f"{short(hand)} + {short([drawn])}"


def _meld(meld: Meld, names: Sequence[str]) -> str:
    own = short(sorted_tiles(meld.own))
    if meld.called is UNSET:
        return f"{meld.kind} {own}"
    source = f" from {names[meld.target]}" if meld.target is not UNSET else ""
    added = f" + {short([meld.added])}" if meld.added is not UNSET else ""
    return f"{meld.kind} {own} + {short([meld.called])}{source}{added}"


def _past(state: RoundState) -> Sequence[ev.Event]:
    return state.events[: state.index + state.played]


def _indicators(state: RoundState) -> list[Tile]:
    first = [] if state.start.dora_marker is UNSET else [state.start.dora_marker]
    return first + [event.dora_marker for event in _past(state) if isinstance(event, ev.Dora)]


def _rivers(state: RoundState) -> list[list[str]]:
    """Return each seat's discards, with the marks of riichi and of calls."""
    rivers: list[list[str]] = [[] for _ in range(state.seats)]
    declared: int | None = None
    for event in _past(state):
        if isinstance(event, ev.Riichi):
            declared = event.actor
        elif isinstance(event, ev.Discard):
            rivers[event.actor].append(short([event.pai]) + "*" * (declared == event.actor))
            declared = None
        elif isinstance(event, _CALLS) and rivers[event.target]:
            rivers[event.target][-1] = f"({rivers[event.target][-1].strip('()')})"
    return rivers
