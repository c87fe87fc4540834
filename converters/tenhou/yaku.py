"""The yaku of a hand as Tenhou lists them: their numbers and their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from mjconv.converters.shared.winning_hands import (
    BY_TILES,
    DRAGON_YAKU,
    Scored,
    WinningHand,
    honour_groups,
    hub_yaku,
)
from mjconv.converters.shared.yaku_numbers import YAKU_BY_ID
from mjconv.converters.tenhou.vocabulary import VALUE_TILES, YAKU_IDS, YAKU_ORDER
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.tiles import WINDS, Tile
from mjconv.ir.vocabulary import WIND_NAMES, YAKU

#: The han that each yakuman counts in `Win.yakus`.
HAN_OF_YAKUMAN: Final = 13
_DORA: Final = YAKU_IDS["dora"]
#: The yaku that are yakuman, by number.
_YAKUMAN: Final = frozenset(number for number, name in enumerate(YAKU_BY_ID) if YAKU[name].yakuman)


def in_order(yaku: Sequence[Scored], hand: WinningHand) -> list[Scored]:
    """Return yaku in the order in which Tenhou lists them.

    Honours follow the groups of the hand: closed triplets, then calls. Of one group, the round wind is first.

    >>> hand = WinningHand(("5m",) * 2, "5m", ("C", "E"), "E", "S")
    >>> [name for name, _ in in_order([("dora", 1), ("round_wind_east", 1), ("chun", 1)], hand)]
    ['chun', 'round_wind_east', 'dora']
    """
    sets = list(honour_groups(hand))

    def place(one: Scored) -> tuple[int, int, bool]:
        name = one[0]
        if name not in VALUE_TILES:
            return YAKU_ORDER.get(name, len(YAKU_ORDER)), 0, False
        tile = _TILE_OF[name]
        return YAKU_ORDER[YAKU_BY_ID[10]], sets.index(tile) if tile in sets else 0, name.startswith("seat")

    return sorted(yaku, key=place)


_TILE_OF: Final = {
    **{f"{whose}_wind_{WIND_NAMES[wind]}": wind for whose in ("seat", "round") for wind in WINDS},
    **{name: tile for tile, name in DRAGON_YAKU.items()},
}


class ListedYaku(NamedTuple):
    """The yaku of a win as an mjlog lists them: the text, all han, and the number of yakuman."""

    text: str
    han: int
    yakuman: int


def listed_yaku(yaku: Sequence[Scored]) -> ListedYaku:
    """Return yaku as an mjlog lists them: number and han of each, or the numbers of yakuman alone.

    A yaku that Tenhou does not have is left out. Norths that were set aside count as dora.

    >>> listed_yaku([("riichi", 1), ("dora", 1), ("nukidora", 2)])
    ListedYaku(text='1,1,52,3', han=4, yakuman=0)
    >>> listed_yaku([("daisangen", 13)])
    ListedYaku(text='39', han=13, yakuman=1)
    """
    found: dict[int, int] = {}
    for name, han in yaku:
        if name in YAKU_IDS:
            number = YAKU_IDS[name]
            found[number] = found.get(number, 0) + han
    han = sum(found.values())
    yakuman = 0 if _YAKUMAN.isdisjoint(found) else han // HAN_OF_YAKUMAN
    parts = map(str, found) if yakuman else [f"{number},{han}" for number, han in found.items()]
    return ListedYaku(",".join(parts), han, yakuman)


@lru_cache(4096)
def yaku_by_winds(
    yakus: tuple[tuple[str, int], ...], round_wind: Tile, seat_wind: Tile, *, ordered: bool
) -> ListedYaku | None:
    """Return the yaku of `Win.yakus` as an mjlog lists them, or None if that depends on the hand.

    With `ordered`, the yaku are put in Tenhou's order.

    >>> yaku_by_winds((("jikaze", 1), ("reach", 1)), "E", "S", ordered=False)
    ListedYaku(text='11,1,1,1', han=2, yakuman=0)
    """
    if not BY_TILES.isdisjoint([spelling for spelling, _ in yakus]):
        return None
    hand = WinningHand((), "", (), round_wind, seat_wind)
    yaku = hub_yaku(yakus, hand) or []
    if ordered:
        if not VALUE_TILES.isdisjoint([name for name, _ in yaku]):
            return None
        yaku = in_order(yaku, hand)
    return listed_yaku(yaku)


def in_messages(pairs: Sequence[tuple[int, int]], norths: int) -> tuple[tuple[str, int], ...]:
    """Return yaku as `Win.yakus` names them, from pairs of number and han.

    `norths` is the number of norths that the winner set aside: mjlog counts them as dora.

    >>> in_messages([(1, 1), (52, 3)], 2)
    (('reach', 1), ('dora', 1), ('nukidora', 2))
    """
    return tuple(_in_messages(pairs, norths))


def _in_messages(pairs: Sequence[tuple[int, int]], norths: int) -> Iterator[tuple[str, int]]:
    for number, han in pairs:
        if number == _DORA and 0 < norths <= han:
            if han > norths:
                yield "dora", han - norths
            yield "nukidora", norths
        else:
            yield YAKU_IN_MESSAGES[YAKU_BY_ID[number]], han
