"""Hands that a result states again, compared with the play before it.

No field of the hub holds a second statement. The reader compares it, warns where it differs, and keeps nothing of
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.tiles import HIDDEN, Tile, plain, sorted_tiles

_CALLS: Final = frozenset({ev.Chi, ev.Pon, ev.Daiminkan, ev.Kakan, ev.Ankan, ev.Nukidora})
_OF_A_HAND: Final = _CALLS | {ev.Draw, ev.Discard}


def hand_played(
    events: Sequence[ev.Event],
    seat: int,
    tiles: Iterable[Tile],
    calls: Iterable[Sequence[Tile]] | None = None,
    won: Tile | None = None,
) -> str | None:
    """Return the hand of a seat after the events of a round, if the record states another one; else None.

    `tiles` are the concealed tiles that the record states, `calls` the tiles of each call, if it states them.
    `won` is the tile of another player that completes the hand. If the play does not show the hand, returns None.

    >>> deal = ev.StartRound(tehais=(("1m", "E", "E"), (), (), ()))
    >>> play = [deal, ev.Draw(1, "E"), ev.Discard(1, "E"), ev.Pon(0, 1, "E", ("E", "E"))]
    >>> hand_played(play, 0, ["1m"], ["EEE"]), hand_played(play, 0, ["2m"])
    (None, '1m')
    """
    deal = events[0] if events else None
    if type(deal) is not ev.StartRound or deal.tehais is UNSET:
        return None
    hand = [*deal.tehais[seat], *(() if won is None else (won,))]
    add, take = hand.append, hand.remove
    melds: list[list[Tile]] = []
    try:
        # Most events are another player's: this is the fastest way to skip them.
        own: Any = [event for event in events if type(event) in _OF_A_HAND and event.actor == seat]  # type: ignore
        for event in own:
            kind = type(event)
            if kind is ev.Draw:
                add(event.pai)
            elif kind is ev.Discard:
                take(event.pai)
            else:
                _call(event, hand, melds)
    except ValueError:
        # The hand does not hold the tile: the referee reports it.
        return None
    stated = sorted(tiles)
    known = HIDDEN not in hand and HIDDEN not in stated
    same_calls = calls is None or sorted(map(sorted, calls)) == sorted(map(sorted, melds))
    if not known or (stated == sorted(hand) and same_calls):
        return None
    return ", ".join(" ".join(sorted_tiles(each)) for each in (hand, *(melds if calls is not None else ())))


def _call(event: Any, hand: list[Tile], melds: list[list[Tile]]) -> None:
    """Move the tiles of a call out of a hand. Raises `ValueError` where the hand or the pon does not have them."""
    kind = type(event)
    own = [] if kind is ev.Nukidora else [*event.consumed]
    pai = [] if kind is ev.Ankan else [event.pai or "N"]
    for tile in pai if kind in (ev.Kakan, ev.Nukidora) else own:
        hand.remove(tile)
    if kind is ev.Kakan:
        del melds[[list(map(plain, meld)) for meld in melds].index([plain(event.pai)] * 3)]
    melds.append(own + pai)
