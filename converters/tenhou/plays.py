"""The events of draws and discards, made once: a piece such as ``T114/>`` is looked up, not parsed."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple, TypeAlias

from mjconv.converters.shared.tile_numbers import PLAIN, TILES, WITH_REDS
from mjconv.converters.tenhou.copies import ALIKE, BIT
from mjconv.ir import events as ev

#: The letters of draws and of discards, by seat.
DRAWS: Final = "TUVW"
DISCARDS: Final = "DEFG"


#: A draw or a discard: the seat, the tile by its number, its bit, the bits of like tiles, and three events.
#:
#: The first event is that of a draw; None for a discard. The second is the discard of a tile of the hand, the
#: third that of the tile just drawn. For a draw, both are the draw. Python unpacks a plain tuple faster than a
#: named one.
Play: TypeAlias = tuple[int, int, int, int, ev.Draw | None, ev.Event, ev.Event]


@cache
def plays(reds: bool, seats: int) -> dict[str, Play]:
    """Return the plays of a game, with or without red fives, by the piece of text that states them.

    >>> plays(True, 4)["D16/>"][-2]
    Discard(actor=0, pai='5mr', tsumogiri=False)
    """
    found: dict[str, Play] = {}
    for number, tile in enumerate(WITH_REDS if reds else PLAIN):
        alike = ALIKE[reds][number]
        for seat, (draw, discard) in enumerate(zip(DRAWS[:seats], DISCARDS[:seats], strict=True)):
            event = ev.Draw(seat, tile)
            drawn: Play = (seat, number, BIT[number], alike, event, event, event)
            from_hand = ev.Discard(seat, tile, tsumogiri=False)
            at_once = ev.Discard(seat, tile, tsumogiri=True)
            thrown: Play = (seat, number, BIT[number], alike, None, from_hand, at_once)
            found[f"{draw}{number}/>"] = drawn
            found[f"{discard}{number}/>"] = thrown
    return found


class Turns(NamedTuple):
    """The events of draws and discards by seat and tile: the draws, discards of the hand, discards at once."""

    draws: list[list[ev.Event]]
    from_hand: list[list[ev.Event]]
    at_once: list[list[ev.Event]]


@cache
def turns(reds: bool, seats: int) -> Turns:
    """Return the events of `plays` by seat and tile.

    >>> turns(True, 4).at_once[0][16]
    Discard(actor=0, pai='5mr', tsumogiri=True)
    """
    found = plays(reds, seats)
    draws, from_hand, at_once = (
        [[found[f"{letter}{tile}/>"][kind] for tile in range(TILES)] for letter in letters[:seats]]
        for letters, kind in ((DRAWS, -1), (DISCARDS, -2), (DISCARDS, -1))
    )
    return Turns(draws, from_hand, at_once)  # type: ignore[arg-type]
