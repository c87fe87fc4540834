"""Reads the deal of a round: the dealer, the hands, and what the round begins with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import UNSET, UnsetType

from mjconv.converters.riichicity import fields
from mjconv.converters.riichicity.extras import Fields
from mjconv.converters.riichicity.tiles import TILE_OF, WIND_OF
from mjconv.converters.shared.json_values import WrongValueError, shown
from mjconv.converters.shared.walls import HAND
from mjconv.ir import events as ev

_DICE: Final = 6


class Deal(NamedTuple):
    """The deal of a round.

    `scores` are None if the record does not state them. `turned` is the number of the dora indicator.
    """

    start: ev.StartRound
    oya: int
    sticks: int
    dice: tuple[int, ...] | UnsetType
    scores: list[int] | None
    turned: int


def read_deal(
    value: Fields, data: Fields, hands: Sequence[Sequence[int]], seats: Mapping[int, int], first_dealer: int
) -> Deal:
    """Return the deal of the round `value`. `data` are the fields of the last hand. Raises `WrongValueError`.

    `hands` are those of all seats. `first_dealer` is the position of the first dealer of the game.
    """
    count = len(seats)
    oya = (fields.number(data, "dealer_pos", 0, count - 1) - first_dealer) % count
    for holder, hand in enumerate(hands):
        if len(hand) != HAND and not (holder == oya and len(hand) == HAND + 1):
            raise WrongValueError(
                f"the hand of seat {holder} has {len(hand)} tiles: expected 13, or 14 of the dealer"
            )
    scores = fields.by_seat(data, "user_info_list", seats, "hand_points", stated=True)
    turned = fields.tile(data, "bao_pai_card")
    sticks = fields.number(data, "li_zhi_bang_num")
    wind = value.get("quanFeng", data.get("quan_feng", 0))
    if type(wind) is not int or wind not in WIND_OF:
        raise WrongValueError(f"the round wind is {shown(wind)}: expected 49, 65, 81 or 97", ("quan_feng",))
    kyoku = value.get("changCi", data.get("chang_ci", 0))
    honba = value.get("benChangNum", data.get("ben_chang_num", 0))
    named = {"chang_ci": kyoku, "ben_chang_num": honba}
    start = ev.StartRound(
        WIND_OF[wind],
        TILE_OF[turned],
        fields.number(named, "chang_ci", 1, count),
        fields.number(named, "ben_chang_num"),
        sticks,
        oya,
        UNSET if scores is None else tuple(scores),
        tuple([tuple([TILE_OF[number] for number in hand[:HAND]]) for hand in hands]),
    )
    return Deal(start, oya, sticks, _dice(data.get("dices")), scores, turned)


def _dice(stated: Any) -> tuple[int, ...] | UnsetType:
    if not isinstance(stated, list) or len(stated) != 2:
        return UNSET
    return tuple(stated) if all(type(die) is int and 1 <= die <= _DICE for die in stated) else UNSET
