"""The words of a win in tenhou.net/6 JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.tenhou.json_hands import yaku_words
from mjconv.converters.tenhou.json_results import YAKUMAN, Value, hand_points, write_value
from mjconv.ir import events as ev
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.vocabulary import YAKU
from mjconv.rules.riichi_values import limit_of

_YAKUMAN: Final = frozenset(YAKU_IN_MESSAGES.get(yaku.name, "") for yaku in YAKU.values() if yaku.yakuman) - {""}
#: The size of each limit, in halves of a mangan, and its number.
_SIZES: Final = {2: 1, 3: 2, 4: 3, 6: 4}
_LEAST_YAKUMAN: Final = 8
#: A fu and a han whose basic points are those of a mangan.
_MANGAN: Final = (125, 2)


def win_words(win: ev.Win, before: Sequence[ev.Event], deal: ev.StartRound, seats: int) -> list[Any]:
    """Return the seats and the words of a win. `before` are the events of the round before it, with the deal.

    Where the points of the hand are not known, there are no words.

    >>> deal = ev.StartRound("E", oya=0, tehais=((), (), (), ()))
    >>> win = ev.Win(1, 2, fu=30, fan=2, hora_points=2000, yakus=(("reach", 1), ("pinfu", 1)))
    >>> win_words(win, [deal], deal, 4)
    [1, 2, 1, '30符2飜2000点', '立直(1飜)', '平和(1飜)']
    """
    target = win.actor if win.target is UNSET else win.target
    liable = win.actor if win.liable is UNSET else win.liable
    seated: list[Any] = [win.actor, target, liable]
    if win.hora_points is UNSET:
        return seated
    dealer, tsumo = win.actor == deal.oya, target == win.actor
    value = _value(win, win.hora_points, seats, dealer=dealer, tsumo=tsumo)
    words = write_value(value, seats, tsumo=tsumo, dealer=dealer)
    return [*seated, words, *yaku_words(win, before, seats)]


def _value(win: ev.Win, points: int, seats: int, *, dealer: bool, tsumo: bool) -> Value:
    """Return the value of a hand: fu and han, or the limit."""
    yakuman = any(name in _YAKUMAN for name, _ in win.yakus or ())
    fu = None if win.fu is UNSET else win.fu
    han = None if win.fan is UNSET else win.fan
    if han is None and win.yakus:
        han = sum(each for _, each in win.yakus)
    if fu is not None and han is not None and limit_of(han, fu, int(yakuman)) == 0:
        known = hand_points(fu, han, seats, tsumo=tsumo, dealer=dealer)
        if known == points:
            return Value(points, fu, han)
    limit = YAKUMAN if yakuman else _limit(points, seats, dealer=dealer, tsumo=tsumo)
    return Value(points, fu, han, limit)


def _limit(points: int, seats: int, *, dealer: bool, tsumo: bool) -> int:
    """Return the number of the limit whose points these are, or 0.

    >>> _limit(12000, 4, dealer=True, tsumo=False), _limit(6000, 3, dealer=False, tsumo=True)
    (1, 1)
    """
    mangan = hand_points(*_MANGAN, seats, tsumo=tsumo, dealer=dealer)
    halves, rest = divmod(2 * points, mangan)
    return 0 if rest else YAKUMAN if halves >= _LEAST_YAKUMAN else _SIZES.get(halves, 0)
