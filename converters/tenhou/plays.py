"""The events of draws and discards, made once: a piece such as ``T114/>`` is looked up, not parsed."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from mjconv.converters.tenhou.copies import ALIKE, BIT
from mjconv.converters.tenhou.tiles import PLAIN, WITH_REDS
from mjconv.ir import events as ev

#: The letters of draws and of discards, by seat.
DRAWS: Final = "TUVW"
DISCARDS: Final = "DEFG"


class Play(NamedTuple):
    """A draw or a discard: the seat, the tile by its number, its bit, the bits of like tiles, and the event.

    `drawn` is the event of a draw; None for a discard. `from_hand` is the discard of a tile of the hand, `at_once`
    that of the tile just drawn. For a draw, both are the draw.
    """

    seat: int
    tile: int
    bit: int
    alike: int
    drawn: ev.Draw | None
    from_hand: ev.Event
    at_once: ev.Event


@cache
def plays(reds: bool, seats: int) -> dict[str, Play]:
    """Return the plays of a game, with or without red fives, by the piece of text that states them.

    >>> plays(True, 4)["D16/>"].from_hand
    Discard(actor=0, pai='5mr', tsumogiri=False)
    """
    found: dict[str, Play] = {}
    for number, tile in enumerate(WITH_REDS if reds else PLAIN):
        alike = ALIKE[reds][number]
        for seat, (draw, discard) in enumerate(zip(DRAWS[:seats], DISCARDS[:seats], strict=True)):
            event = ev.Draw(seat, tile)
            drawn = Play(seat, number, BIT[number], alike, event, event, event)
            from_hand = ev.Discard(seat, tile, tsumogiri=False)
            thrown = Play(
                seat, number, BIT[number], alike, None, from_hand, ev.Discard(seat, tile, tsumogiri=True)
            )
            found[f"{draw}{number}/>"] = drawn
            found[f"{discard}{number}/>"] = thrown
    return found
