"""The calls of the element N: for each number of a call its event, and the tiles that leave the hand."""

from __future__ import annotations

import re
from functools import lru_cache, reduce
from operator import or_
from typing import Any, Final, NamedTuple

from mjconv.converters.shared import meldcode
from mjconv.converters.shared.tile_numbers import PLAIN, WITH_REDS
from mjconv.converters.tenhou.attributes import LISTED
from mjconv.converters.tenhou.copies import ALIKE, Copies, bits_of
from mjconv.ir import events as ev
from mjconv.ir.tiles import ORDER

#: The largest number of a call.
MOST_CALL: Final = 0xFFFF
#: A call as Tenhou writes it.
_CALL: Final = re.compile(r'N who="([0-3])" m="(0|[1-9][0-9]{0,4})" />')
_CALLS: Final[dict[str, Any]] = {"chi": ev.Chi, "pon": ev.Pon, "daiminkan": ev.Daiminkan}


class Laid(NamedTuple):
    """The tiles that a call takes out of the hand, in order: their bits, and the bits of all copies of them.

    `digits` state the tiles if the hand holds no others like them.
    """

    tiles: tuple[int, ...]
    bits: int
    alike: int
    digits: tuple[str, ...]


class ReadCall(NamedTuple):
    """A call that a number states: its event, the caller, the number, the call, the discarder, and its tiles."""

    event: ev.Event
    actor: int
    code: int
    call: meldcode.Call
    target: int
    laid: Laid


@lru_cache(8192)
def read_call(actor: int, code: int, seats: int, reds: bool) -> ReadCall | None:
    """Return the call of a player that a number states, or None if it states none."""
    call = meldcode.decode(code)
    target = -1 if call is None else (actor + call.giver) % LISTED
    if call is None or target >= seats:
        return None
    spelled = WITH_REDS if reds else PLAIN
    own = tuple(sorted([spelled[tile] for tile in call.own], key=ORDER.__getitem__))
    tile = spelled[call.tile]
    event: ev.Event
    if call.kind == "kakan":
        event = ev.Kakan(actor, tile, own)
    elif call.kind == "ankan":
        event = ev.Ankan(actor, own)
    elif call.kind == "nukidora":
        event = ev.Nukidora(actor, tile)
    else:
        event = _CALLS[call.kind](actor, target, tile, own)
    tiles = (call.tile,) if call.kind == "kakan" else call.own
    laid = tuple(sorted(tiles, key=lambda tile: (ORDER[spelled[tile]], tile)))
    alone = Copies(1, reds=reds)
    bits = bits_of(laid)
    alone.held = [bits]
    for tile_number in laid:
        alone.lay_down(0, tile_number)
    alike = reduce(or_, [ALIKE[reds][each] for each in laid])
    return ReadCall(event, actor, code, call, target, Laid(laid, bits, alike, tuple(alone.picked)))


@lru_cache(8192)
def usual_call(piece: str, seats: int, reds: bool) -> ReadCall | None:
    """Return the call of a piece that is spelled in the usual way, or None for any other piece."""
    found = _CALL.fullmatch(piece)
    if found is None or int(found[1]) >= seats or int(found[2]) > MOST_CALL:
        return None
    return read_call(int(found[1]), int(found[2]), seats, reds)
