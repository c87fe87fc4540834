"""The yaku of a hand as Tenhou lists them: their numbers and their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mjconv.converters.shared.winning_hands import DRAGON_YAKU, Scored, WinningHand, honour_groups
from mjconv.converters.shared.yaku_numbers import YAKU_BY_ID
from mjconv.converters.tenhou.vocabulary import VALUE_TILES, YAKU_IDS, YAKU_ORDER
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.tiles import WINDS
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


def numbered(yaku: Sequence[Scored]) -> list[tuple[int, int]]:
    """Return yaku as pairs of number and han. A yaku that Tenhou does not have is left out.

    Norths that were set aside count as dora.

    >>> numbered([("riichi", 1), ("dora", 1), ("nukidora", 2)])
    [(1, 1), (52, 3)]
    """
    found: dict[int, int] = {}
    for name, han in yaku:
        if name in YAKU_IDS:
            number = YAKU_IDS[name]
            found[number] = found.get(number, 0) + han
    return list(found.items())


def has_yakuman(pairs: Sequence[tuple[int, int]]) -> bool:
    """Return whether one of the yaku, by number, is a yakuman.

    >>> has_yakuman([(39, 13)]), has_yakuman([(1, 1)])
    (True, False)
    """
    return not _YAKUMAN.isdisjoint([number for number, _ in pairs])


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
