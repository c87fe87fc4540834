"""Runs of plain turns, played in one go: by far most of a round is draws and discards.

What is not plain is left to the table's own rules. A turn that is played here is one that they play just so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from mjconv.ir.events import Discard, Draw, Event
from mjconv.ir.table import DISCARDED, Table
from mjconv.ir.tiles import HIDDEN


def play_turns(table: Table, events: Sequence[Event], begin: int) -> int:
    """Play turns from an index on, as long as they are plain; give the index after the last one.

    In a plain turn the next player draws a known tile after a discard and discards it, said to be the tile drawn,
    or another one that the hand holds, said not to be. Its events have no `extras`.

    >>> table = Table([["1m"], ["2m"], ["3m"], ["4m"]])
    >>> opening = [Draw(0, "9p"), Discard(0, "9p", tsumogiri=True)]  # the dealer's draw comes after no discard
    >>> turns = [Draw(1, "9s"), Discard(1, "2m", tsumogiri=False), Draw(2, "9s"), Discard(2, "E", tsumogiri=False)]
    >>> play_turns(table, opening + turns, 0)
    0
    >>> for event in opening:
    ...     table.apply(event)
    >>> play_turns(table, opening + turns, 2), table.hands
    (4, [['1m'], ['9s'], ['3m'], ['4m']])
    """
    if table.phase is not DISCARDED:
        return begin
    hands, rivers = table.hands, table.rivers
    following = (*range(1, table.seats), 0)
    actor = following[table.last_actor]
    at, end = begin, len(events) - 1
    # One loop without calls: it runs over every turn of every game.
    while at < end:
        draw, discard = events[at], events[at + 1]
        if (
            type(draw) is not Draw
            or type(discard) is not Discard
            or draw.actor != actor
            or discard.actor != actor
            or draw.extras is not UNSET
            or discard.extras is not UNSET
        ):
            break
        drawn, tile = draw.pai, discard.pai
        if drawn == HIDDEN or discard.tsumogiri is not (drawn == tile):
            break
        if drawn != tile:
            hand = hands[actor]
            try:
                hand.remove(tile)
            except ValueError:
                break
            hand.append(drawn)
        rivers[actor].append(tile)
        actor = following[actor]
        at += 2
    if at > begin:
        last: Any = events[at - 1]
        table.turn = table.last_actor = last.actor
        table.last_tile = last.pai
    return at
