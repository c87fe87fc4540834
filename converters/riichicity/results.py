"""Reads the result of a round: wins, an exhausted wall, abortive draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import UNSET, UnsetType, structs

from mjconv.converters.riichicity import fields
from mjconv.converters.riichicity.extras import Fields, rest
from mjconv.converters.riichicity.tiles import TILE_OF
from mjconv.converters.riichicity.yaku import NAGASHI, names_of, total_of
from mjconv.converters.shared.json_values import WrongValueError
from mjconv.converters.shared.wins import split_gains
from mjconv.ir import events as ev
from mjconv.ir.derive import RIICHI_STICK
from mjconv.ir.message_names import REASON_IN_MESSAGES

_RON: Final = 0
_TSUMO: Final = 1
TRIPLE: Final = 5
_EXHAUSTED: Final = 7
#: The reasons of draws, by `end_type`. The other numbers are ends that only rooms of friends have.
_REASONS: Final = {2: "four_winds", 3: "four_kans", 4: "four_riichi", TRIPLE: "triple_ron", 6: "nine_kinds"}
_LAST_END: Final = 11
_LIABLE_FOR: Final = frozenset({43, 45, 40})
_READ: Final = frozenset({"end_type", "win_info", "user_profit"})
_OF_HAND: Final = frozenset({"user_id", "user_cards", "fang_info"})
_OF_WIN: Final = _OF_HAND | {"all_fang_num", "all_fu", "all_point", "li_bao_card"}
#: The fields of `win_info` that the reader reads, by `end_type`.
_READ_OF_WIN: Final = {_RON: _OF_WIN, _TSUMO: _OF_WIN, _EXHAUSTED: _OF_HAND}
_READ_OF_PROFIT: Final = frozenset({"user_id", "point_profit", "li_zhi_profit", "is_bao_pai", "user_point"})


class Position(NamedTuple):
    """The round before its result.

    `sticks` are the riichi sticks on the table. `riichi` says of each player whether they are in riichi. `scores`
    are None if the record does not state them.
    """

    seats: Mapping[int, int]
    hands: Sequence[Sequence[int]]
    drawn: int | None
    last_actor: int
    last_tile: int
    sticks: int
    riichi: Sequence[bool]
    scores: Sequence[int] | None


class Result(NamedTuple):
    """The events of a result, and a warning about it."""

    events: Sequence[ev.Win | ev.Ryukyoku]
    warning: str = ""


def read_result(data: Fields, position: Position) -> Result:
    """Read the result of a round. Raises `WrongValueError`."""
    kind = fields.number(data, "end_type", 0, _LAST_END)
    gained = fields.by_seat(data, "user_profit", position.seats, "point_profit")
    if kind in (_RON, _TSUMO):
        return Result(_wins(data, position, gained, drawn=kind == _TSUMO))
    deltas: tuple[int, ...] | UnsetType = UNSET if gained is None else tuple(gained)
    if kind == _EXHAUSTED:
        return Result([_exhausted(data, position, deltas)])
    # Only the extras have these values. They are checked without extras as well.
    fields.objects(data, "win_info")
    if kind in _REASONS:
        return Result([ev.Ryukyoku(REASON_IN_MESSAGES[_REASONS[kind]], deltas=deltas)])
    warning = f"the round ends with end_type {kind}: it was read as a draw without a reason"
    return Result([ev.Ryukyoku(deltas=deltas)], warning)


def others_of_result(data: Fields, position: Position, result: Result) -> Fields:
    """Return the fields of a result that no event holds. Raises `WrongValueError`."""
    kind = data.get("end_type", _RON)
    kept = rest(data, _READ)
    profits = [_other_profit(one, position) for one in fields.objects(data, "user_profit")]
    if any(profits):
        kept["user_profit"] = profits
    shown = fields.objects(data, "win_info")
    if kind in (_RON, _TSUMO, _EXHAUSTED):
        others = _others_of_wins(shown, position, kind)
        if any(other for _, other in others):
            kept["win_info"] = others
    elif shown:
        kept["win_info"] = shown
    if kind in (_RON, _TSUMO):
        liable = _liable(data, position)
        if liable and all(event.liable is UNSET for event in result.events if type(event) is ev.Win):
            kept["is_bao_pai"] = liable
    elif kind != _EXHAUSTED and kind not in _REASONS:
        kept["end_type"] = kind
    return kept


def _other_profit(one: Fields, position: Position) -> Fields:
    """Return the fields of a player's gain that no event holds: points that do not follow from the others, too."""
    kept = rest(one, _READ_OF_PROFIT)
    stated = one.get("user_point")
    if stated is not None and position.scores is not None:
        seat = fields.seat_of(one, position.seats)
        if stated != position.scores[seat] + fields.points(one, "point_profit"):
            kept["user_point"] = stated
    return kept


def _others_of_wins(shown: Sequence[Fields], position: Position, kind: int) -> list[list[Any]]:
    """Return pairs of a seat and what no event holds of its win or its hand in tenpai.

    `user_cards` are kept if they differ from the hand of the player.
    """
    others = []
    for at, one in enumerate(shown):
        try:
            seat = fields.seat_of(one, position.seats)
            other = rest(one, _READ_OF_WIN[kind])
            held = concealed(position.hands[seat], position.drawn if kind == _TSUMO else None)
            if one.get("user_cards") and sorted(fields.tiles(one, "user_cards")) != held:
                other["user_cards"] = one["user_cards"]
        except WrongValueError as error:
            raise fields.within(error, "win_info", at) from None
        others.append([seat, other])
    return others


def _exhausted(data: Fields, position: Position, deltas: tuple[int, ...] | UnsetType) -> ev.Ryukyoku:
    """Read an exhausted wall: `win_info` has the hands in tenpai, and a nagashi mangan."""
    ready: set[int] = set()
    reason = "exhaustive_draw"
    for at, one in enumerate(fields.objects(data, "win_info", most=len(position.seats))):
        try:
            seat = fields.seat_of(one, position.seats)
            numbers = {number for number, _ in _yaku_of(one)}
        except WrongValueError as error:
            raise fields.within(error, "win_info", at) from None
        if NAGASHI in numbers:
            reason = "nagashi_mangan"
        if NAGASHI not in numbers or one.get("ting_card_list"):
            ready.add(seat)
    tenpais = tuple([seat in ready for seat in range(len(position.seats))])
    return ev.Ryukyoku(REASON_IN_MESSAGES[reason], tenpais=tenpais, deltas=deltas)


def _wins(data: Fields, position: Position, gained: list[int] | None, *, drawn: bool) -> list[ev.Win]:
    wins: list[ev.Win] = []
    found = fields.objects(data, "win_info", most=3)
    if not found or (drawn and len(found) > 1):
        raise WrongValueError(f"the round ends with a win, and win_info has {len(found)} wins", ("win_info",))
    for at, one in enumerate(found):
        try:
            wins.append(_win(one, position, drawn=drawn))
        except WrongValueError as error:
            raise fields.within(error, "win_info", at) from None
    liable = _liable(data, position)
    if liable:
        numbers = [{number for number, _ in _yaku_of(one)} for one in found]
        at = next((at for at, yaku in enumerate(numbers) if yaku & _LIABLE_FOR), 0)
        if len(liable) == 1 and liable[0] != wins[at].actor:
            wins[at] = structs.replace(wins[at], liable=liable[0])
    if gained is not None:
        sides = [(win.actor, win.target, win.liable) for win in wins]
        shares = split_gains(sides, gained, RIICHI_STICK * position.sticks)
        wins = [structs.replace(win, deltas=share) for win, share in zip(wins, shares, strict=True)]
    return wins


def concealed(hand: Sequence[int], drawn: int | None) -> list[int]:
    """Return the concealed tiles of a player in order, without the tile that was just drawn.

    >>> concealed([9, 1, 5], 1)
    [5, 9]
    """
    found = sorted(hand)
    if drawn in found:
        found.remove(drawn)
    return found


def _liable(data: Fields, position: Position) -> list[int]:
    return [
        fields.seat_of(one, position.seats)
        for one in fields.objects(data, "user_profit")
        if one.get("is_bao_pai") is True
    ]


def _win(one: Fields, position: Position, *, drawn: bool) -> ev.Win:
    seat = fields.seat_of(one, position.seats)
    if drawn and position.drawn is None:
        raise WrongValueError("a self-drawn win, and the player drew no tile", ("user_id",))
    if not drawn and position.last_actor in (-1, seat):
        raise WrongValueError("a win on a discard, and no other player discarded last", ("user_id",))
    number = position.drawn if drawn else position.last_tile
    yaku = _yaku_of(one)
    ura = fields.tiles(one, "li_bao_card", most=5)
    unknown = position.riichi[seat] and one.get("li_bao_card") is None
    return ev.Win(
        seat,
        seat if drawn else position.last_actor,
        TILE_OF[number or 0],
        ura_markers=UNSET if unknown else tuple([TILE_OF[each] for each in ura]),
        yakus=names_of(yaku),
        fu=fields.number(one, "all_fu"),
        fan=total_of(yaku, fields.number(one, "all_fang_num")),
        hora_points=fields.points(one, "all_point"),
    )


def _yaku_of(one: Fields) -> list[tuple[int, int]]:
    found = []
    for at, each in enumerate(fields.objects(one, "fang_info")):
        try:
            found.append((fields.number(each, "fang_type"), fields.number(each, "fang_num")))
        except WrongValueError as error:
            raise fields.within(error, "fang_info", at) from None
    return found
