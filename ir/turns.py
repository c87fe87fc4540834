"""Plays runs of plain turns in one loop: most events of a round are draws and discards.

The rules of the table play every other event. For a plain turn they have the same result as this loop. An act of
jmjp is a turn: without the loop, mjai -> jmjp takes 1.8 times as long, and jmjp -> mjai 1.6 times.
"""

from collections.abc import Sequence
from typing import cast

from msgspec import UNSET

from mjconv.ir.events import Discard, Draw, Event
from mjconv.ir.table import DEALT, DISCARDED, Table
from mjconv.ir.tiles import HIDDEN


def play_turns(table: Table, events: Sequence[Event], begin: int) -> int:
    """Play the plain turns from the index `begin` on. Return the index after the last one.

    In a plain turn, the next player draws a known tile. Then the player discards it with `tsumogiri` true, or
    another tile of the hand with `tsumogiri` false. The two events have no `extras`.

    >>> table = Table([["1m"], ["2m"], ["3m"], ["4m"]])
    >>> turns = [Draw(0, "9s"), Discard(0, "1m", tsumogiri=False), Draw(1, "9s"), Discard(1, "E", tsumogiri=False)]
    >>> play_turns(table, turns, 0), table.hands
    (2, [['9s'], ['2m'], ['3m'], ['4m']])
    """
    if table.phase is DISCARDED:
        actor = (table.last_actor + 1) % table.seats
    elif table.phase is DEALT:
        actor = table.turn
    else:
        return begin
    hands, rivers = table.hands, table.rivers
    following = (*range(1, table.seats), 0)
    index, end = begin, len(events) - 1
    # One loop without calls: it runs over every turn of every game.
    while index < end:
        draw, discard = events[index], events[index + 1]
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
        index += 2
    if index > begin:
        table.draws += (index - begin) // 2
        last = cast(Discard, events[index - 1])
        table.turn = table.last_actor = last.actor
        table.last_tile = last.pai
        table.drawn = None
        table.phase = DISCARDED
    return index
