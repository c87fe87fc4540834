"""Applies an event that the table refused, so that the events after it can be played.

The referee reports every fault of a record, not only the first one. A lenient reader reads on after a fault.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.match import Meld
from mjconv.ir.table import (
    CALLED,
    DECLARED,
    DISCARDED,
    DRAWN,
    KAN,
    RIICHI_ACCEPTED,
    RIICHI_DECLARED,
    RULES,
    WON,
    Table,
)
from mjconv.ir.tiles import HIDDEN, Tile


def force(table: Table, event: Any) -> bool:
    """Apply an event that the table refused. Return whether it was applied.

    An event that names a player who is not at the table is not applied. If the hand does not hold a tile that
    leaves it, the hand keeps all its tiles: so no later move of a tile is refused for it. The number of tiles in
    that hand is then doubtful.

    >>> table = Table([["1m"], ["2m"], ["3m"], ["4m"]])
    >>> force(table, ev.Discard(2, "9p", tsumogiri=False)), table.rivers[2], table.hands[2]
    (True, ['9p'], ['3m'])
    >>> force(table, ev.Draw(4, "9p"))
    False
    """
    actor = getattr(event, "actor", 0)
    target = getattr(event, "target", UNSET)
    if not 0 <= actor < table.seats or not (target is UNSET or 0 <= target < table.seats):
        return False
    kind = type(event)
    (_FORCED.get(kind) or RULES[kind])(table, event)
    return True


def _take(table: Table, actor: int, tile: Tile) -> None:
    hand = table.hands[actor]
    if tile in hand:
        hand.remove(tile)
    elif HIDDEN in hand:
        hand.remove(HIDDEN)


def _draw(table: Table, event: ev.Draw) -> None:
    table.hands[event.actor].append(event.pai)
    table.turn, table.drawn, table.phase = event.actor, event.pai, DRAWN


def _discard(table: Table, event: ev.Discard) -> None:
    _take(table, event.actor, event.pai)
    table.rivers[event.actor].append(event.pai)
    table.turn = table.last_actor = event.actor
    table.last_tile, table.drawn, table.phase = event.pai, None, DISCARDED


def _call(table: Table, event: ev.Chi | ev.Pon | ev.Daiminkan) -> None:
    for tile in event.consumed:
        _take(table, event.actor, tile)
    table.melds[event.actor].append(Meld(_KINDS[type(event)], event.consumed, event.pai, event.target))
    table.turn, table.drawn = event.actor, None
    table.phase = CALLED
    if isinstance(event, ev.Daiminkan):
        table.kans += 1
        table.phase = KAN


def _kakan(table: Table, event: ev.Kakan) -> None:
    pon = table.pon_of(event.actor, event.pai)
    melds = table.melds[event.actor]
    _take(table, event.actor, event.pai)
    if pon is None:
        melds.append(Meld("kakan", event.consumed[:2], event.consumed[-1], UNSET, event.pai))
    else:
        melds[melds.index(pon)] = Meld("kakan", pon.own, pon.called, pon.target, event.pai)
    _kan_made(table, event.actor, event.pai)


def _ankan(table: Table, event: ev.Ankan) -> None:
    for tile in event.consumed:
        _take(table, event.actor, tile)
    table.melds[event.actor].append(Meld("ankan", event.consumed))
    _kan_made(table, event.actor, event.consumed[0])


def _nukidora(table: Table, event: ev.Nukidora) -> None:
    tile = "N" if event.pai is UNSET else event.pai
    _take(table, event.actor, tile)
    table.melds[event.actor].append(Meld("nukidora", (tile,)))
    _kan_made(table, event.actor, tile)
    table.kans -= 1


def _kan_made(table: Table, actor: int, tile: Tile) -> None:
    table.kans += 1
    table.turn = table.last_actor = actor
    table.last_tile, table.drawn, table.phase = tile, None, KAN


def _riichi(table: Table, event: ev.Riichi) -> None:
    table.riichi[event.actor] = max(table.riichi[event.actor], RIICHI_DECLARED)
    table.turn, table.phase = event.actor, DECLARED


def _accept(table: Table, event: ev.RiichiAccepted) -> None:
    table.riichi[event.actor] = RIICHI_ACCEPTED


def _win(table: Table, event: ev.Win) -> None:
    table.winners.append(event.actor)
    table.phase = WON


_KINDS: Final[dict[type, Any]] = {ev.Chi: "chi", ev.Pon: "pon", ev.Daiminkan: "daiminkan"}

_FORCED: Final[dict[type, Callable[[Table, Any], None]]] = {
    ev.Draw: _draw,
    ev.Discard: _discard,
    ev.Chi: _call,
    ev.Pon: _call,
    ev.Daiminkan: _call,
    ev.Kakan: _kakan,
    ev.Ankan: _ankan,
    ev.Nukidora: _nukidora,
    ev.Riichi: _riichi,
    ev.RiichiAccepted: _accept,
    ev.Win: _win,
}
