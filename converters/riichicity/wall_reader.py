"""Reads the wall of a round, and checks that the round was played from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from mjconv.converters.riichicity import wall
from mjconv.converters.riichicity.extras import Fields
from mjconv.converters.shared.walls import HAND, Drawn
from mjconv.ir.tiles import Tile

#: Reports a warning about a field of the round: the message, and the path to the field.
Warn = Callable[[str, tuple[str | int, ...]], None]


class RoundWall(NamedTuple):
    """The whole wall of a round, if there is one, and whether the hash that is stated is that of the wall."""

    tiles: tuple[Tile, ...] | UnsetType
    right_hash: bool = True


def read_wall(
    value: Fields, hands: Sequence[Sequence[Tile]], drawn: Drawn, turned: Sequence[Tile], warn: Warn
) -> RoundWall:
    """Return the whole wall of the round `value`, if it was played from it.

    `hands` are those dealt, with the dealer's fourteenth tile, the dealer's first. `turned` are the dora
    indicators.
    """
    count = len(hands)
    first = hands[0][HAND:]
    hands = [hand[:HAND] if at == 0 else hand for at, hand in enumerate(hands)]
    text, left = value.get("handCardEncode"), value.get("paiShan")
    right_hash = True
    try:
        if text:
            found = wall.whole_wall(text, count)
            right_hash = _has_right_hash(value, text, warn)
            if left and wall.rest_of_wall(left, count) != found[HAND * count + 1 :]:
                warn("paiShan is not the end of handCardEncode: the wall was left out", ("paiShan",))
                return RoundWall(UNSET)
        elif left and first:
            found = wall.rebuilt(hands, first[0], wall.rest_of_wall(left, count))
        else:
            return RoundWall(UNSET)
    except wall.WallError as error:
        warn(f"{error}. The wall was left out", (error.field,))
        return RoundWall(UNSET)
    wrong = wall.disagreement(found, hands, drawn, turned)
    if wrong is not None:
        warn(f"{wrong} differ from the wall: the wall was left out", ("handCardEncode",))
        return RoundWall(UNSET)
    return RoundWall(found, right_hash)


def states_wall(value: Fields, dealt: Sequence[int], warn: Warn) -> bool:
    """Return whether a round states its whole wall. The hash is checked, and the tiles are not.

    `dealt` are the tiles that the dealer was dealt.
    """
    text = value.get("handCardEncode")
    if isinstance(text, str) and text:
        _has_right_hash(value, text, warn)
        return True
    return bool(value.get("paiShan")) and len(dealt) > HAND


def _has_right_hash(value: Fields, text: str, warn: Warn) -> bool:
    stated = value.get("handCardsSHA256")
    if not stated or wall.has_hash(text, stated):
        return True
    warn("the SHA-256 of the wall is wrong: it is not that of handCardEncode", ("handCardsSHA256",))
    return False
