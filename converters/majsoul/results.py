"""The records of results: what the writer states of a win or a draw, by the events and the state of the round.

The reader compares it with the record, and keeps what differs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.majsoul.state import State
from mjconv.converters.majsoul.tiles import in_order, spelled
from mjconv.converters.majsoul.yaku import HAN_OF_YAKUMAN, fans_of
from mjconv.converters.shared.winning_hands import WinningHand
from mjconv.ir import events as ev
from mjconv.ir.tiles import WINDS, Tile
from mjconv.ir.vocabulary import YAKU
from mjconv.rules.riichi_values import Payment, payment

#: The hub's name of each reason of an abortive draw, by its number.
REASONS: Final[Mapping[int, str]] = MappingProxyType(
    {1: "nine_kinds", 2: "four_winds", 3: "four_kans", 4: "four_riichi", 5: "triple_ron"}
)
REASON_NUMBERS: Final = {name: number for number, name in REASONS.items()}
#: The name of the limit of a win, by its base points.
_TITLES: Final = ((6000, 4), (4000, 3), (3000, 2), (2000, 1))
_FIRST_YAKUMAN_TITLE: Final = 5
_MANY: Final = 64


def hule(state: State, round_wind: Tile, wins: Sequence[ev.Win], totals: Sequence[int]) -> dict[str, Any]:
    """Return the record of the wins on one tile. `totals` are the values of the wins of each seat before."""
    sums = list(totals)
    items = []
    for win in wins:
        sums[win.actor] += int(win.hora_points or 0)
        items.append(_item(state, round_wind, win, sums[win.actor]))
    moved = [sum(column) for column in zip(*(win.deltas or (0,) * state.seats for win in wins), strict=True)]
    liable = next((win.liable for win in wins if win.liable is not UNSET), None)
    return {
        "hules": items,
        **_points(state, moved),
        "scores": [score + gain for score, gain in zip(state.scores, moved, strict=False)],
        "baopai": 0 if liable is None else liable + 1,
    }


def _points(state: State, moved: Sequence[int]) -> dict[str, Any]:
    return {"old_scores": list(state.scores), "delta_scores": list(moved)}


def _item(state: State, round_wind: Tile, win: ev.Win, total: int) -> dict[str, Any]:
    seat = win.actor
    zimo = win.target == seat or win.target is UNSET
    tile = state.drawn if zimo else state.last_tile
    tile = tile or "" if win.pai is UNSET else win.pai
    held = list(state.hands[seat])
    if zimo and tile in held:
        held.remove(tile)
    count = _yakuman(win)
    fan = int(win.fan or 0)
    dealer = seat == state.oya
    paid = _payments(win, fan, count, dealer=dealer)
    points = int(win.hora_points or 0)
    riichi = state.riichi[seat]
    item: dict[str, Any] = {"hand": spelled(in_order(held))}
    if state.ming[seat]:
        item["ming"] = state.stated_ming(seat)
    winds = round_wind, WINDS[(seat - state.oya) % state.seats]
    hand = WinningHand([*held, tile], tile, state.groups[seat], *winds)
    item |= {
        "hu_tile": spelled([tile])[0],
        "seat": seat,
        "zimo": zimo,
        "qinjia": dealer,
        "liqi": riichi,
        "doras": spelled(state.doras),
        "yiman": bool(count),
        "count": count or fan,
        "fans": fans_of(win.yakus or (), hand, yakuman=bool(count), riichi=riichi),
        "fu": int(win.fu or 0),
        "title_id": _title(paid[0].discarder, count, dealer=dealer),
        "point_rong": paid[0].discarder,
        "point_zimo_qin": paid[1].dealer,
        "point_zimo_xian": paid[1].other,
        "point_sum": total,
    }
    if riichi or win.ura_markers:
        item["li_doras"] = spelled(win.ura_markers or ())
    if points and points != value_of(item, state.seats):
        item |= {"dadian": points} if zimo else {"point_rong": points}
    if win.liable is not UNSET:
        item["baopai"] = win.liable + 1
    return item


def value_of(item: Mapping[str, Any], seats: int) -> int:
    """Return the points of a win without honba and sticks.

    >>> value_of({"zimo": True, "point_zimo_qin": 2000, "point_zimo_xian": 1000}, 4)
    4000
    """
    if item.get("dadian"):
        return int(item["dadian"])
    if not item.get("zimo"):
        return int(item.get("point_rong", 0))
    return value_of_draw(
        item.get("point_zimo_qin", 0), item.get("point_zimo_xian", 0), seats, dealer=item.get("qinjia", False)
    )


def value_of_draw(dealer_pays: int, other_pays: int, seats: int, *, dealer: bool) -> int:
    """Return the points of a self-drawn win."""
    return other_pays * (seats - 1) if dealer else dealer_pays + other_pays * (seats - 2)


def _yakuman(win: ev.Win) -> int:
    """Return the number of yakuman of a win, 0 for one that counts han."""
    names = {name for name, _ in win.yakus or ()}
    return int(win.fan or 0) // HAN_OF_YAKUMAN if names & _YAKUMAN else 0


def _payments(win: ev.Win, fan: int, count: int, *, dealer: bool) -> tuple[Payment, Payment]:
    """Return the payments by discard and by self-draw; nothing where the value is not known."""
    fu = int(win.fu or 0)
    if not (count or (fan and fu)) or count > _MANY or fan > _MANY or fu > 1000:
        return Payment(), Payment()
    return payment(fan, fu, count, dealer), payment(fan, fu, count, dealer, tsumo=True)


def _title(discarder: int, count: int, *, dealer: bool) -> int:
    if count:
        return _FIRST_YAKUMAN_TITLE + count - 1
    base = discarder // (6 if dealer else 4)
    return next((title for least, title in ((8000, 5), *_TITLES) if base >= least), 0)


def no_tile(state: State, draw: ev.Ryukyoku, *, nagashi: bool) -> dict[str, Any]:
    """Return the record of an exhausted wall."""
    players = [
        {"tingpai": True, "hand": spelled(in_order(state.hands[seat]))} if tenpai else {"tingpai": False}
        for seat, tenpai in enumerate(draw.tenpais or (False,) * state.seats)
    ]
    moved = draw.deltas or ()
    scores = {"old_scores": list(state.scores), "delta_scores": list(moved) if any(moved) else []}
    return {"liujumanguan": nagashi, "players": players, "scores": [scores]}


def liu_ju(state: State, reason: str) -> dict[str, Any]:
    """Return the record of an abortive draw."""
    found: dict[str, Any] = {"type": REASON_NUMBERS[reason]}
    if reason == "nine_kinds":
        found |= {"seat": state.turn, "tiles": spelled(in_order(state.hands[state.turn]))}
    return found


def _yakuman_names() -> frozenset[str]:
    from mjconv.ir.message_names import YAKU_IN_MESSAGES

    return frozenset(YAKU_IN_MESSAGES.get(name, name) for name, yaku in YAKU.items() if yaku.yakuman)


_YAKUMAN: Final = _yakuman_names()
