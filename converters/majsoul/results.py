"""Writes the records of results: wins, an exhausted wall, and abortive draws."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from msgspec import UNSET

from mjconv.converters.majsoul.tiles import in_order, spelled
from mjconv.converters.majsoul.vocabulary import REASON_NUMBERS, fans_of
from mjconv.converters.shared.winning_hands import winning_hand
from mjconv.ir import events as ev
from mjconv.ir.catalogue import catalogue
from mjconv.ir.match import Meld
from mjconv.ir.message_names import YAKUMAN_IN_MESSAGES
from mjconv.ir.table import Table
from mjconv.ir.tiles import Tile
from mjconv.ir.vocabulary import HAN_OF_YAKUMAN
from mjconv.rules.riichi_values import Payment, payment

#: The name of the limit of a win, by its base points.
_TITLES: Final = ((6000, 4), (4000, 3), (3000, 2), (2000, 1))
_FIRST_YAKUMAN_TITLE: Final = 5
_MANY: Final = 64
#: The words of wins for the kinds of groups.
_WORDS: Final = catalogue(__name__, "groups.json", dict[str, str])


class AtEnd(NamedTuple):
    """The end of a round: the table, the round wind, the dora indicators as records spell them, and the points."""

    table: Table
    wind: Tile
    doras: Sequence[str]
    scores: Sequence[int]


def hule(end: AtEnd, wins: Sequence[ev.Win], totals: list[int]) -> dict[str, Any]:
    """Return the record of the wins on one tile. The values of the wins are added to the `totals` of the seats."""
    items = []
    for win in wins:
        totals[win.actor] += int(win.hora_points or 0)
        items.append(_item(end, win, totals[win.actor]))
    seats = end.table.seats
    moved = [sum(column) for column in zip(*(win.deltas or (0,) * seats for win in wins), strict=True)]
    liable = next((win.liable for win in wins if win.liable is not UNSET), None)
    return {
        "hules": items,
        "old_scores": list(end.scores),
        "delta_scores": moved,
        "scores": [score + gain for score, gain in zip(end.scores, moved, strict=False)],
        "baopai": 0 if liable is None else liable + 1,
    }


def _item(end: AtEnd, win: ev.Win, total: int) -> dict[str, Any]:
    table = end.table
    seat = win.actor
    zimo = win.giver == seat
    hand = winning_hand(table, win, end.wind)
    melds = [meld for meld in table.melds[seat] if meld.kind in _WORDS]
    dealer = seat == table.oya
    count = _yakuman(win)
    fan = int(win.fan or 0)
    points = int(win.hora_points or 0)
    ways = ways_of(win, dealer=dealer)
    values = [(drawn if zimo else ron).total(table.seats - 1, dealer_wins=dealer) for ron, drawn in ways]
    paid = ways[1] if points == values[1] != values[0] else ways[0]
    riichi = bool(table.riichi[seat])
    item: dict[str, Any] = {
        "hand": spelled(in_order(hand.held)),
        **({"ming": [group_of(meld) for meld in melds]} if melds else {}),
        "hu_tile": spelled([hand.winning])[0],
        "seat": seat,
        "zimo": zimo,
        "qinjia": dealer,
        "liqi": riichi,
        "doras": list(end.doras),
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
    if points and points not in values:
        item["dadian" if zimo else "point_rong"] = points
    if win.liable is not UNSET:
        item["baopai"] = win.liable + 1
    return item


def group_of(meld: Meld) -> str:
    """Return a group as wins state it.

    >>> group_of(Meld("chi", ("2m", "3m"), "1m", 0))
    'shunzi(2m,3m,1m)'
    """
    others = [tile for tile in (meld.called, meld.added) if tile is not UNSET]
    tiles = in_order(meld.own) if meld.kind == "ankan" else [*meld.own, *others]
    return f"{_WORDS[meld.kind]}({','.join(spelled(tiles))})"


def _yakuman(win: ev.Win) -> int:
    """Return the number of yakuman of a win, 0 for one that counts han."""
    names = {name for name, _ in win.yakus or ()}
    return int(win.fan or 0) // HAN_OF_YAKUMAN if names & YAKUMAN_IN_MESSAGES else 0


def ways_of(win: ev.Win, *, dealer: bool) -> list[tuple[Payment, Payment]]:
    """Return the payments by discard and by self-draw, without and with kiriage; nothing if they are not known."""
    fu, fan, count = int(win.fu or 0), int(win.fan or 0), _yakuman(win)
    if not (count or (fan and fu)) or count > _MANY or fan > _MANY or fu > 1000:
        return [(Payment(), Payment())] * 2
    values = fan, fu, count, dealer
    return [(payment(*values, False, kiriage), payment(*values, True, kiriage)) for kiriage in (False, True)]


def _title(discarder: int, count: int, *, dealer: bool) -> int:
    if count:
        return _FIRST_YAKUMAN_TITLE + count - 1
    base = discarder // (6 if dealer else 4)
    return next((title for least, title in ((8000, 5), *_TITLES) if base >= least), 0)


def no_tile(end: AtEnd, draw: ev.Ryukyoku, *, nagashi: bool) -> dict[str, Any]:
    """Return the record of an exhausted wall."""
    hands = end.table.hands
    players = [
        {"tingpai": True, "hand": spelled(in_order(hands[seat]))} if tenpai else {"tingpai": False}
        for seat, tenpai in enumerate(draw.tenpais or (False,) * len(hands))
    ]
    moved = draw.deltas or ()
    scores = {"old_scores": list(end.scores), "delta_scores": list(moved) if any(moved) else []}
    return {"liujumanguan": nagashi, "players": players, "scores": [scores]}


def liu_ju(end: AtEnd, reason: str) -> dict[str, Any]:
    """Return the record of an abortive draw."""
    record: dict[str, Any] = {"type": REASON_NUMBERS[reason]}
    if reason == "nine_kinds":
        turn = end.table.turn
        record |= {"seat": turn, "tiles": spelled(in_order(end.table.hands[turn]))}
    return record
