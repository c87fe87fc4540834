"""The table at a moment, for a person to read.

Tiles of a suit are written together, their ranks before the suit's letter, a red five as 0: ``123m 40p ES``. Ranks
above nine stand in brackets. In a river ``*`` marks the riichi discard, and brackets a tile that was called.
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
from mjconv.referee.game import Game

_CALLS: Final = (ev.Chi, ev.Pon, ev.Daiminkan)
_RIICHI: Final = {RIICHI_DECLARED: ", declares riichi", RIICHI_ACCEPTED: ", in riichi"}


def together(tiles: Iterable[Tile]) -> str:
    """Write tiles as people do, in the order given.

    >>> together(["1m", "2m", "3m", "4p", "5pr", "E", "S", "?"]), together(["9m", "16m"])
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


def picture(game: Game) -> str:
    """Draw the table as it stands: the round, then of each player the hand, the calls and the river."""
    start, table = game.start, game.table
    head = [game.record.label]
    if game.left is not None:
        head.append(f"{counted(max(game.left, 0), 'tile')} left to draw")
    markers = _indicators(game)
    if markers:
        head.append(f"dora indicators {together(markers)}")
    lines = [", ".join(head)]
    names = [f"{_wind(game, seat)} (player {seat})" for seat in range(game.seats)]
    rivers = _rivers(game)
    scores = start.scores
    for seat, name in enumerate(names):
        paid = RIICHI_STICK * (table.riichi[seat] == RIICHI_ACCEPTED)
        points = f", {scores[seat] - paid} points" if scores is not UNSET else ""
        lines.append(f"{name}{points}{_RIICHI.get(table.riichi[seat], '')}")
        lines.append(f"  hand   {_hand(game, seat)}")
        if table.melds[seat]:
            lines.append(f"  calls  {', '.join(_meld(meld, names) for meld in table.melds[seat])}")
        if rivers[seat]:
            lines.append(f"  river  {' '.join(rivers[seat])}")
    return "\n".join(lines)


def _wind(game: Game, seat: int) -> str:
    return WINDS[(seat - game.table.oya) % game.seats] if game.seats <= len(WINDS) else "-"


def _hand(game: Game, seat: int) -> str:
    table = game.table
    hand = sorted_tiles(table.hands[seat])
    drawn = table.drawn
    if table.phase is not DRAWN or table.turn != seat or drawn is None or drawn not in hand:
        return together(hand)
    hand.remove(drawn)
    return f"{together(hand)} + {together([drawn])}"


def _meld(meld: Meld, names: Sequence[str]) -> str:
    own = together(sorted_tiles(meld.own))
    if meld.called is UNSET:
        return f"{meld.kind} {own}"
    source = f" from {names[meld.target]}" if meld.target is not UNSET else ""
    added = f" + {together([meld.added])}" if meld.added is not UNSET else ""
    return f"{meld.kind} {own} + {together([meld.called])}{source}{added}"


def _past(game: Game) -> Sequence[ev.Event]:
    return game.events[: game.index + game.played]


def _indicators(game: Game) -> list[Tile]:
    first = [] if game.start.dora_marker is UNSET else [game.start.dora_marker]
    return first + [event.dora_marker for event in _past(game) if isinstance(event, ev.Dora)]


def _rivers(game: Game) -> list[list[str]]:
    """Write each seat's discards, with what became of them."""
    rivers: list[list[str]] = [[] for _ in range(game.seats)]
    declared: int | None = None
    for event in _past(game):
        if isinstance(event, ev.Riichi):
            declared = event.actor
        elif isinstance(event, ev.Discard):
            rivers[event.actor].append(together([event.pai]) + "*" * (declared == event.actor))
            declared = None
        elif isinstance(event, _CALLS) and rivers[event.target]:
            rivers[event.target][-1] = f"({rivers[event.target][-1].strip('()')})"
    return rivers
