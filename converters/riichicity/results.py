"""Reads the result of a round: wins, an exhausted wall, abortive draws."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import UNSET, UnsetType, structs

from mjconv.converters.riichicity.schema import MOST_VALUES, PlayerPoints, Profit, ResultData, WinInfo
from mjconv.converters.riichicity.tiles import TILE_OF
from mjconv.converters.riichicity.yaku import NAGASHI, names_of, total_of
from mjconv.converters.shared.json_values import WrongValueError, check_list, check_number, within
from mjconv.converters.shared.wins import split_gains
from mjconv.ir import events as ev
from mjconv.ir.message_names import REASON_IN_MESSAGES
from mjconv.ir.table import Table

_RON: Final = 0
_TSUMO: Final = 1
TRIPLE: Final = 5
_EXHAUSTED: Final = 7
#: The reasons of draws, by `end_type`. The other numbers are ends that only rooms of friends have.
_REASONS: Final = {2: "four_winds", 3: "four_kans", 4: "four_riichi", TRIPLE: "triple_ron", 6: "nine_kinds"}
_LAST_END: Final = 11
#: The yaku for which a player may be liable.
_LIABLE_FOR: Final = frozenset({43, 45, 40})
#: The most wins on one tile.
_WINS: Final = 3

Seats = Mapping[int, int]


def seat_of(user: int, seats: Seats) -> int:
    """Return the seat of the player with this id. `seats` are the seats by id. Raises `WrongValueError`."""
    seat = seats.get(user)
    if seat is None:
        raise WrongValueError(f"user_id is {user}, and no player of the game has this id", ("user_id",))
    return seat


def by_seat(
    key: str, listed: Sequence[PlayerPoints | Profit] | None, value: str, seats: Seats
) -> tuple[int, ...] | UnsetType:
    """Return the points of each player from the list under a key; `UNSET` if a player's points are not in it.

    `value` is the name of the points. Raises `WrongValueError`.
    """
    stated: dict[int, int] = {}
    for index, one in enumerate(listed or ()):
        with within(key, index):
            seat = seat_of(one.user_id, seats)
        points = getattr(one, value)
        if points is not UNSET:
            stated[seat] = points
    return tuple([stated[seat] for seat in range(len(seats))]) if len(stated) == len(seats) else UNSET


def read_result(
    data: ResultData, table: Table, seats: Seats, sticks: int, honba: int
) -> tuple[Sequence[ev.Win | ev.Ryukyoku], str]:
    """Return the events of a result, and a warning about it or an empty text. Raises `WrongValueError`.

    `table` is the table before the result, `sticks` the number of riichi sticks on it. `honba` is a number too.
    """
    kind = check_number(data.end_type, ("end_type",), f"a number from 0 to {_LAST_END}", 0, _LAST_END)
    gained = by_seat("user_profit", data.user_profit, "point_profit", seats)
    most = {_RON: _WINS, _TSUMO: _WINS, _EXHAUSTED: len(seats)}.get(kind, MOST_VALUES)
    infos = check_list(data.win_info or [], ("win_info",), f"a list of {most} objects at most", most=most)
    if kind in (_RON, _TSUMO):
        wins = _wins(data, table, seats, drawn=kind == _TSUMO)
        return wins if gained is UNSET else split_gains(wins, gained, sticks, honba), ""
    if kind == _EXHAUSTED:
        return [_exhausted(infos, seats, gained)], ""
    if kind in _REASONS:
        return [ev.Ryukyoku(REASON_IN_MESSAGES[_REASONS[kind]], deltas=gained)], ""
    warning = f"the round ends with end_type {kind}: it was read as a draw without a reason"
    return [ev.Ryukyoku(deltas=gained)], warning


def _exhausted(infos: Sequence[WinInfo], seats: Seats, gained: tuple[int, ...] | UnsetType) -> ev.Ryukyoku:
    """Read an exhausted wall: `infos` are the hands in tenpai, and a nagashi mangan."""
    ready: set[int] = set()
    reason = "exhaustive_draw"
    for index, one in enumerate(infos):
        with within("win_info", index):
            seat = seat_of(one.user_id, seats)
        nagashi = any(number == NAGASHI for number, _ in _yaku_of(one))
        if nagashi:
            reason = "nagashi_mangan"
        if not nagashi or one.ting_card_list:
            ready.add(seat)
    tenpais = tuple([seat in ready for seat in range(len(seats))])
    return ev.Ryukyoku(REASON_IN_MESSAGES[reason], tenpais=tenpais, deltas=gained)


def _wins(data: ResultData, table: Table, seats: Seats, *, drawn: bool) -> list[ev.Win]:
    infos = data.win_info or []
    if not infos or (drawn and len(infos) > 1):
        raise WrongValueError(f"the round ends with a win, and win_info has {len(infos)} wins", ("win_info",))
    wins: list[ev.Win] = []
    for index, one in enumerate(infos):
        with within("win_info", index):
            wins.append(_win(one, table, seats, drawn=drawn))
    liable = [seats[one.user_id] for one in data.user_profit or () if one.is_bao_pai]
    if len(liable) == 1:
        others = [index for index, win in enumerate(wins) if win.actor != liable[0]]
        others.sort(key=lambda index: _LIABLE_FOR.isdisjoint([number for number, _ in _yaku_of(infos[index])]))
        for index in others[:1]:
            wins[index] = structs.replace(wins[index], liable=liable[0])
    wins.sort(key=lambda win: (win.actor - table.last_actor) % len(seats))
    return wins


def _win(one: WinInfo, table: Table, seats: Seats, *, drawn: bool) -> ev.Win:
    seat = seat_of(one.user_id, seats)
    tile = table.drawn if drawn else table.last_tile
    if tile is None:
        raise WrongValueError("a self-drawn win, and the player drew no tile", ("user_id",))
    if not drawn and table.last_actor in (-1, seat):
        raise WrongValueError("a win on a discard, and no other player discarded last", ("user_id",))
    yaku = _yaku_of(one)
    unknown = table.riichi[seat] and one.li_bao_card is None
    return ev.Win(
        seat,
        seat if drawn else table.last_actor,
        tile,
        ura_markers=UNSET if unknown else tuple([TILE_OF[number] for number in one.li_bao_card or ()]),
        yakus=names_of(yaku),
        fu=one.all_fu,
        fan=total_of(yaku, one.all_fang_num),
        hora_points=one.all_point,
    )


def _yaku_of(one: WinInfo) -> list[tuple[int, int]]:
    return [(each.fang_type, each.fang_num) for each in one.fang_info or ()]
