"""The usual lines of mjai: draws and discards, which are six of seven messages of a log.

The reader looks such a line up, and neither decodes nor checks it. The events are made once, and all logs share
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, Literal

import msgspec

from mjconv.ir.events import Discard, Draw, Event
from mjconv.ir.match import USUAL_SEATS
from mjconv.ir.tiles import HIDDEN, RIICHI_TILES

#: The bytes at the beginning of a log by which its spelling is recognised.
_HEAD: Final = 4096


def spelled_as(data: bytes) -> Mapping[bytes, Event]:
    r"""Return the event of each usual line, as this log spells them: with sorted keys or not, with spaces or not.

    The lines are without line breaks.

    >>> spelled_as(b'{"actor": 0, "pai": "9p", "type": "tsumo"}\n')[b'{"actor": 3, "pai": "E", "type": "tsumo"}']
    Draw(actor=3, pai='E')
    """
    head = data[:_HEAD]
    return usual_lines("sorted" if b'{"actor"' in head else None, spaced=b'": ' in head)


@cache
def usual_lines(order: Literal["sorted"] | None = None, *, spaced: bool = False) -> Mapping[bytes, Event]:
    """Return the event of each usual line, by default as mjconv writes them.

    If `order` is None, the keys are in the order of mjai. Lines that are `spaced` have a space after each colon
    and comma, as Python's `json` writes them.

    >>> usual_lines()[b'{"type":"dahai","actor":1,"pai":"9p","tsumogiri":true}']
    Discard(actor=1, pai='9p', tsumogiri=True)
    """
    events = list(_turns())
    text = msgspec.json.Encoder(order=order).encode_lines(events)
    if spaced:
        text = text.replace(b":", b": ").replace(b",", b", ")
    return dict(zip(text.splitlines(), events, strict=True))


def _turns() -> Iterator[Event]:
    """Yield the draw and both discards of each tile by each player."""
    for actor in range(USUAL_SEATS):
        for tile in (*RIICHI_TILES, HIDDEN):
            yield Draw(actor, tile)
            yield Discard(actor, tile, tsumogiri=False)
            yield Discard(actor, tile, tsumogiri=True)
