"""Reads calls of a discard, kans of the hand, and norths that are set aside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from mjconv.converters.riichicity import fields
from mjconv.converters.riichicity.extras import Fields
from mjconv.converters.riichicity.tiles import NORTH, TILE_OF
from mjconv.converters.shared.json_values import WrongValueError
from mjconv.ir import events as ev
from mjconv.ir.tiles import RED_FIVES, Tile, plain

Call: TypeAlias = ev.Chi | ev.Pon | ev.Daiminkan
#: The tiles of each pon of a player, by plain tile.
Pons: TypeAlias = Mapping[Tile, tuple[Tile, ...]]
#: An event, and the tiles that leave the hand.
Own: TypeAlias = tuple[ev.Event, list[int]]
#: The calls of a discard by `action`: the event, and the number of tiles of the hand.
CALLS: Final[Mapping[int, tuple[Callable[..., Call], int]]] = {
    2: (ev.Chi, 2),
    3: (ev.Chi, 2),
    4: (ev.Chi, 2),
    5: (ev.Pon, 2),
    6: (ev.Daiminkan, 3),
}


def read_call(seat: int, discarder: int, action: int, data: Fields) -> tuple[Call, list[int]]:
    """Return the call of a discard, and its tiles of the hand. `discarder` is negative if no tile was discarded.

    Raises `WrongValueError`.
    """
    if discarder < 0:
        raise WrongValueError("a call, and no tile was discarded")
    number = fields.tile(data, "card")
    own = fields.tiles(data, "group_cards")
    kind, expected = CALLS[action]
    if len(own) != expected:
        raise WrongValueError(f"a call with {len(own)} tiles of the hand: expected {expected}", ("group_cards",))
    return kind(seat, discarder, TILE_OF[number], tuple([TILE_OF[each] for each in own])), own


def _ankan(seat: int, number: int, data: Fields, hand: Sequence[int], pons: Pons) -> Own:  # noqa: ARG001
    own = fields.tiles(data, "group_cards", most=4)
    four = own if len(own) == 4 else [number, *own]
    if len(four) != 4:
        four = _four_of(hand, TILE_OF[number])
    if len(four) != 4:
        raise WrongValueError(f"the player holds {len(four)} such tiles: a kan needs four", ("card",))
    return ev.Ankan(seat, tuple([TILE_OF[each] for each in four])), four


def _kakan(seat: int, number: int, data: Fields, hand: Sequence[int], pons: Pons) -> Own:  # noqa: ARG001
    pon = pons.get(plain(TILE_OF[number]))
    if pon is None:
        raise WrongValueError("the player has no pon that the tile can join", ("card",))
    return ev.Kakan(seat, TILE_OF[number], pon), [number]


def _north(seat: int, number: int, data: Fields, hand: Sequence[int], pons: Pons) -> Own:  # noqa: ARG001
    if TILE_OF[number] != NORTH:
        raise WrongValueError("a tile is set aside, and it is no north", ("card",))
    return ev.Nukidora(seat, NORTH), [number]


def _four_of(hand: Sequence[int], tile: Tile) -> list[int]:
    """Return the tiles of a hand that are like a tile, four at most, a red five first.

    >>> _four_of([5, 261, 1, 5, 5], "5p")
    [261, 5, 5, 5]
    """
    like = [number for number in hand if plain(TILE_OF[number]) == plain(tile)]
    return sorted(like, key=lambda number: TILE_OF[number] not in RED_FIVES)[:4]


#: The readers of kans of the hand and of norths, by `action`. Each takes a seat, the number of the tile, the
#: fields of the record, and the player's hand and pons.
KANS: Final[Mapping[int, Callable[[int, int, Fields, Sequence[int], Pons], Own]]] = {
    8: _ankan,
    9: _kakan,
    13: _north,
}
