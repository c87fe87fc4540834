"""Writes the values of a win: its tiles, its yaku by number, and its points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.mjx.vocabulary import YAKU_NUMBERS, YAKUMAN
from mjconv.converters.shared.meldcode import decode
from mjconv.converters.shared.tile_numbers import WITH_REDS
from mjconv.converters.shared.winning_hands import WinningHand, hub_yaku
from mjconv.ir import events as ev
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.tiles import WINDS

_SEATS: Final = 4
_KNOWN: Final = frozenset(YAKU_IN_MESSAGES.values())
_DRAGONS: Final = frozenset(YAKU_NUMBERS[name] for name in ("haku", "hatsu", "chun"))


def write_win(
    win: ev.Win, tile: int, hand: dict[str, Any], ura: Sequence[int], deal: ev.StartRound
) -> dict[str, Any]:
    """Return the values of a win. `hand` has the winning `tile`, `ura` are the ura indicators that it shows.

    >>> hand = {"closedTiles": [0, 1]}
    >>> win = ev.Win(1, 0, yakus=(("reach", 1),), fu=30, hora_points=1000, deltas=(-1000, 1000, 0, 0))
    >>> write_win(win, 1, hand, [5], ev.StartRound(oya=0))["yakus"]
    [1]
    """
    target = win.actor if win.target is UNSET else win.target
    found: dict[str, Any] = {"who": win.actor, "fromWho": target}
    found = {key: seat for key, seat in found.items() if seat}
    found["hand"] = hand
    pairs = _numbered(win, tile, hand, deal)
    yakuman = [number for number, _ in pairs if number in YAKUMAN]
    # mjx states no fu of a yakuman.
    values = {"winTile": tile, "fu": 0 if yakuman else int(win.fu or 0), "ten": int(win.hora_points or 0)}
    found |= {key: value for key, value in values.items() if value}
    found["tenChanges"] = list(win.deltas or ())
    if yakuman:
        found["yakumans"] = yakuman
    elif pairs:
        found |= {"yakus": [number for number, _ in pairs], "fans": [han for _, han in pairs]}
    if ura:
        found["uraDoraIndicators"] = list(ura)
    return found


def _numbered(win: ev.Win, tile: int, hand: dict[str, Any], deal: ev.StartRound) -> list[tuple[int, int]]:
    """Return the yaku of a win as pairs of number and han. A yaku without a number is left out."""
    calls = [decode(code) for code in hand.get("opens", ())]
    whole = WinningHand(
        [WITH_REDS[number] for number in hand.get("closedTiles", ())],
        WITH_REDS[tile],
        [WITH_REDS[call.tile] for call in calls if call is not None],
        deal.bakaze or WINDS[0],
        WINDS[(win.actor - int(deal.oya or 0)) % _SEATS],
    )
    known = [(name, han) for name, han in win.yakus or () if name in _KNOWN]
    named = hub_yaku(known, whole) or ()
    pairs = [(YAKU_NUMBERS[name], han) for name, han in named if name in YAKU_NUMBERS]
    # mjx has the dragons of a hand in the order of their numbers.
    dragons = iter(sorted(number for number, _ in pairs if number in _DRAGONS))
    return [(next(dragons) if number in _DRAGONS else number, han) for number, han in pairs]
