"""The hand of a winner, from the events of a round, and the yaku of a win in Tenhou's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.shared.winning_hands import WinningHand, hub_yaku
from mjconv.converters.tenhou.json_results import write_yaku
from mjconv.converters.tenhou.json_spellings import DRAGON, ROUND_WIND, SEAT_WIND
from mjconv.converters.tenhou.yaku import in_order
from mjconv.ir import events as ev
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.tiles import WINDS, Tile, plain

#: The names in messages that do not name the wind or the dragon, as `json_spellings` names them.
_UNNAMED: Final = {
    YAKU_IN_MESSAGES["seat_wind_east"]: SEAT_WIND,
    YAKU_IN_MESSAGES["round_wind_east"]: ROUND_WIND,
    YAKU_IN_MESSAGES["haku"]: DRAGON,
}
_IN_MESSAGES: Final = {**YAKU_IN_MESSAGES, **{name: spelling for spelling, name in _UNNAMED.items()}}
_ALONE: Final = {spelling: name for name, spelling in YAKU_IN_MESSAGES.items()} | _UNNAMED
#: The names in messages that several yaku share: the hand decides which of them it is.
_DECIDED: Final = frozenset(name for name, count in Counter(YAKU_IN_MESSAGES.values()).items() if count > 1)
_NO_HAND: Final = WinningHand((), "", (), WINDS[0], WINDS[0])
#: The events that make a group of tiles, those that take tiles from the hand, and those that can be robbed.
_GROUPS: Final = frozenset({ev.Chi, ev.Pon, ev.Daiminkan, ev.Ankan})
_CALLED: Final = _GROUPS | {ev.Kakan, ev.Nukidora}
_ROBBED: Final = frozenset({ev.Ankan, ev.Kakan, ev.Nukidora})


def yaku_words(win: ev.Win, events: Sequence[ev.Event], seats: int) -> list[str]:
    """Return the words for the yaku of a win, in Tenhou's order. A yaku without han is left out.

    `events` are those of the round before the win, with the deal.

    >>> deal = ev.StartRound("S", oya=1, tehais=((), (), (), ("C", "C", "W", "W", "W")))
    >>> win = ev.Win(3, target=3, yakus=(("dora", 1), ("sangenpai", 1), ("uradora", 0)))
    >>> yaku_words(win, [deal, ev.Draw(3, "C")], 4)
    ['役牌 中(1飜)', 'ドラ(1飜)']
    """
    yakus = [(name, han) for name, han in win.yakus or () if han > 0]
    if not yakus:
        return []
    decided = not _DECIDED.isdisjoint(name for name, _ in yakus)
    hand = winning_hand(events, win, seats) if decided else _NO_HAND
    named = hub_yaku(yakus, hand)
    if named is None:
        named = [(_ALONE.get(name, name), han) for name, han in yakus]
    found: dict[str, int] = {}
    for name, han in in_order(named, hand):
        merged = "dora" if name == "nukidora" else name
        found[merged] = found.get(merged, 0) + han
    return [write_yaku(name, han) for name, han in found.items()]


def in_messages(name: str) -> str:
    """Return a yaku as `Win.yakus` names it; an unknown name stays as it is.

    >>> in_messages("hatsu"), in_messages("a house's own")
    ('sangenpai', "a house's own")
    """
    return _IN_MESSAGES.get(name, name)


def winning_hand(events: Sequence[ev.Event], win: ev.Win, seats: int) -> WinningHand:
    """Return the hand of a winner. `events` are those of the round before the win, with the deal.

    >>> deal = ev.StartRound(oya=0, tehais=(("1m", "P", "P"), (), (), ()))
    >>> winning_hand([deal, ev.Draw(0, "P"), ev.Discard(0, "1m"), ev.Draw(1, "9p")], ev.Win(0, target=1), 4).tiles
    ['P', 'P', 'P', '9p']
    """
    seat = win.actor
    tiles: list[Tile] = []
    calls: list[Tile] = []
    last: Tile = ""
    deal = ev.StartRound()
    event: Any
    for event in events:
        kind = type(event)
        if kind is ev.Draw or kind is ev.Discard:
            last = event.pai
            if event.actor == seat:
                if kind is ev.Draw:
                    tiles.append(last)
                else:
                    _remove(tiles, (last,))
        elif kind is ev.StartRound:
            deal = event
            tiles = list(event.tehais[seat]) if event.tehais else []
        elif kind in _CALLED:
            own = _own_tiles(event)
            if kind in _ROBBED:
                last = own[0]
            if event.actor == seat:
                _remove(tiles, own)
                if kind in _GROUPS:
                    calls.append(plain(own[0]))
    if win.target is not UNSET and win.target != seat:
        tiles.append(last)
    seat_wind = WINDS[(seat - int(deal.oya or 0)) % seats]
    return WinningHand(tiles, last, calls, deal.bakaze or WINDS[0], seat_wind)


def _own_tiles(event: Any) -> tuple[Tile, ...]:
    if type(event) is ev.Nukidora:
        return ("N" if event.pai is UNSET else event.pai,)
    return (event.pai,) if type(event) is ev.Kakan else event.consumed


def _remove(tiles: list[Tile], gone: Sequence[Tile]) -> None:
    for tile in gone:
        with suppress(ValueError):
            tiles.remove(tile)
