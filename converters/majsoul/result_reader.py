"""Reads the records of results: wins, an exhausted wall, and abortive draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, UnsetType, structs

from mjconv.converters.majsoul import results
from mjconv.converters.majsoul.extras import Fields
from mjconv.converters.majsoul.records import (
    EVENT_YAKU,
    FieldError,
    Hule,
    HuleItem,
    LiuJu,
    NoTile,
    convert,
    differing,
)
from mjconv.converters.majsoul.state import State
from mjconv.converters.majsoul.tiles import TILE_OF
from mjconv.converters.majsoul.yaku import HAN_OF_YAKUMAN, names_of
from mjconv.converters.shared.wins import split_gains
from mjconv.ir import events as ev
from mjconv.ir.derive import RIICHI_STICK
from mjconv.ir.message_names import REASON_IN_MESSAGES
from mjconv.ir.tiles import Tile

#: The number of the draw after three rons.
THREE_RONS: Final = results.REASON_NUMBERS["triple_ron"]
#: Fields of wins that only RiichiEnv has, for a field that the writer writes.
_ALIASES: Final = frozenset({"ura_dora_indicators"})


def read_hule(record: Hule, state: State) -> list[ev.Win]:
    """Return the wins of a record. Raises `FieldError`."""
    deltas: Sequence[int] | None = record.delta_scores or None
    if deltas is not None and len(deltas) != state.seats:
        raise FieldError(
            f"there are points of {len(deltas)} players, and the game has {state.seats}", "delta_scores"
        )
    wins = [_win(item, at, state) for at, item in enumerate(record.hules)]
    if deltas is not None:
        sticks = RIICHI_STICK * state.sticks
        shares = split_gains([(win.actor, win.target, win.liable) for win in wins], deltas, sticks)
        wins = [structs.replace(win, deltas=share) for win, share in zip(wins, shares, strict=True)]
    return wins


def others_of_hule(
    wins: Sequence[ev.Win], data: Fields, state: State, wind: Tile, totals: Sequence[int]
) -> Fields:
    """Return the fields of a record of wins to keep.

    `wind` is the round wind, `totals` are the values of the wins of each seat before.
    """
    usual = results.hule(state, wind, wins, totals)
    kept = differing({key: value for key, value in data.items() if key != "hules"}, usual)
    items = [
        differing({key: value for key, value in item.items() if key not in _ALIASES}, expected)
        for item, expected in zip(data["hules"], usual["hules"], strict=True)
    ]
    if any(items):
        kept["hules"] = items
    return kept


def _win(item: HuleItem, at: int, state: State) -> ev.Win:
    if item.seat >= state.seats:
        raise FieldError(f"seat is {item.seat}, and the game has {state.seats} players", "hules", at, "seat")
    target = item.seat if item.zimo else state.last_actor
    if target < 0 or (target == item.seat and not item.zimo):
        raise FieldError("a win on a discard, and no other player discarded last", "hules", at)
    if any(fan.id >= EVENT_YAKU for fan in item.fans):
        raise FieldError("the yaku belong to an event mode: only riichi mahjong is read", "hules", at, "fans")
    if item.baopai > state.seats:
        raise FieldError(f"baopai is {item.baopai}: expected a seat and 1", "hules", at, "baopai")
    ura = item.li_doras if item.li_doras is not UNSET else item.ura_dora_indicators
    points = item.dadian or item.point_rong
    if item.zimo and not item.dadian:
        dealer = item.seat == state.oya
        points = results.value_of_draw(item.point_zimo_qin, item.point_zimo_xian, state.seats, dealer=dealer)
    markers: tuple[Tile, ...] | UnsetType = tuple([TILE_OF[tile] for tile in ura or ()])
    return ev.Win(
        item.seat,
        target,
        TILE_OF[item.hu_tile],
        ura_markers=UNSET if ura is UNSET and state.riichi[item.seat] else markers,
        yakus=names_of(item.fans, yakuman=item.yiman),
        fu=item.fu,
        fan=item.count * (HAN_OF_YAKUMAN if item.yiman else 1),
        hora_points=points,
        liable=item.baopai - 1 if item.baopai else UNSET,
    )


def read_no_tile(data: Fields, state: State, *, extras: bool) -> tuple[ev.Ryukyoku, Fields]:
    """Return the draw of an exhausted wall, and with `extras` the fields to keep. Raises `FieldError`."""
    record = convert(data, NoTile)
    seats = state.seats
    deltas = [0] * seats
    for at, score in enumerate(record.scores):
        count = len(score.delta_scores)
        if count not in (0, seats):
            message = f"there are points of {count} players, and the game has {seats}"
            raise FieldError(message, "scores", at, "delta_scores")
        deltas = [a + b for a, b in zip(deltas, score.delta_scores or (0,) * seats, strict=True)]
    reason = "nagashi_mangan" if record.liujumanguan else "exhaustive_draw"
    tenpais = tuple([player.tingpai for player in record.players])
    draw = ev.Ryukyoku(
        REASON_IN_MESSAGES[reason], tenpais=tenpais if len(tenpais) == seats else UNSET, deltas=tuple(deltas)
    )
    usual = results.no_tile(state, draw, nagashi=record.liujumanguan) if extras else {}
    return draw, differing(data, usual) if extras else {}


def read_liu_ju(record: LiuJu, data: Fields, state: State, *, extras: bool) -> tuple[ev.Ryukyoku, Fields]:
    """Return an abortive draw, and with `extras` the fields to keep."""
    reason = results.REASONS[record.type]
    draw = ev.Ryukyoku(REASON_IN_MESSAGES[reason])
    if not extras:
        return draw, {}
    usual = results.liu_ju(state, reason)
    return draw, differing({key: value for key, value in data.items() if key != "liqi"}, usual)
