"""Liability (pao): who pays for a yakuman because their discard made it sure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from mjconv.ir.match import Meld
from mjconv.ir.tiles import DRAGONS, WINDS, plain
from mjconv.rules.mahjong_package import HAN_OF_YAKUMAN
from mjconv.rules.riichi_values import HandValue

#: The yakuman with liability: the tiles of their groups, and the number of groups.
_LIABLE: Final = {"daisangen": (frozenset(DRAGONS), 3), "daisuushii": (frozenset(WINDS), 4)}
_FOUR_KANS: Final = "suukantsu"
_KANS: Final = frozenset({"daiminkan", "kakan", "ankan"})


class Liability(NamedTuple):
    """The seat that is liable, the number of yakuman that it pays for, and whether every house has this rule."""

    seat: int
    yakuman: int
    everywhere: bool = True


def liability(value: HandValue, melds: Sequence[Meld]) -> Liability | None:
    """Return who is liable for a yakuman of a hand: the player whose discard completed its last group.

    >>> from mjconv.rules.riichi_values import Payment
    >>> dragons = [Meld("pon", (tile, tile), tile, 2) for tile in "PFC"]
    >>> liability(HandValue(13, 40, (("daisangen", 13),), 1, Payment(), 40), dragons)
    Liability(seat=2, yakuman=1, everywhere=True)
    """
    for name, han in value.yaku:
        if name in _LIABLE:
            tiles, count = _LIABLE[name]
            made_of = [meld for meld in melds if plain(meld.own[0]) in tiles]
        elif name == _FOUR_KANS:
            # Four kans are sure from the fourth on; only a kan of a discard makes another player liable.
            made_of, count = [meld for meld in melds if meld.kind in _KANS], 4
            if made_of[-1].kind != "daiminkan":
                continue
        else:
            continue
        if len(made_of) == count and made_of[-1].kind != "ankan" and isinstance(made_of[-1].target, int):
            everywhere = all(each != _FOUR_KANS for each, _ in value.yaku)
            return Liability(made_of[-1].target, han // HAN_OF_YAKUMAN, everywhere)
    return None
