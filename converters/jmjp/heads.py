"""What the head of a frame says, before any act: the deal without its hands, the dora, points by seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from mjconv.converters.jmjp.syntax import Frame
from mjconv.converters.jmjp.tiles import INDICATOR
from mjconv.ir import events as ev
from mjconv.ir.derive import RIICHI_STICK, sticks_left
from mjconv.ir.match import Round
from mjconv.ir.tiles import HIDDEN, Tile

_SEATS: Final = 4
#: Places in the dora field: five dora, each with its ura after it.
DORA: Final = slice(0, None, 2)
URA: Final = slice(1, None, 2)


class FrameError(ValueError):
    """What the frame tells cannot be: the message, and where.

    `part` is ``kyoutak``, or ``start``, ``acts`` or ``end`` of the flow with the `index` of an entry.
    """

    def __init__(self, message: str, part: str = "acts", index: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.part = part
        self.index = index


def deal(frame: Frame, dealer: int, before: Round | None) -> tuple[ev.StartRound, tuple[str, ...]]:
    """Give the deal without its hands, and the keys of it that are carried on from the round before."""
    if frame.kyoutak is None:
        kyotaku = sticks_left(before, before.start if before else None)
    elif frame.kyoutak < 0 or frame.kyoutak % RIICHI_STICK:
        raise FrameError(f"kyoutak counts riichi sticks of 1.0 each, not {frame.kyoutak / 1000}", "kyoutak")
    else:
        kyotaku = frame.kyoutak // RIICHI_STICK
    start = ev.StartRound(
        frame.wind,
        UNSET if frame.dora is None else INDICATOR[frame.dora[0]],
        frame.number,
        frame.honba,
        kyotaku,
        dealer,
        UNSET if frame.pfs is None else by_player(frame.pfs, dealer),
    )
    return start, ("kyotaku",) if frame.kyoutak is None else ()


def by_player(points: Sequence[int], dealer: int) -> tuple[int, ...]:
    """Turn points by seat to points by player.

    >>> by_player((1, 2, 3, 4), 1)
    (4, 1, 2, 3)
    """
    return tuple([points[(player - dealer) % _SEATS] for player in range(_SEATS)])


def known(dora: Sequence[str]) -> tuple[Tile, ...]:
    """Give the indicators up to the last one known."""
    tiles = [INDICATOR[spelling] for spelling in dora]
    while tiles and tiles[-1] == HIDDEN:
        tiles.pop()
    return tuple(tiles)
