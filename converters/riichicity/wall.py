"""The wall of a round: `handCardEncode` with its hash, or `paiShan`, the tiles that are left after the deal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final

from msgspec import UNSET, UnsetType

from mjconv.converters.riichicity.schema import HandRecord
from mjconv.converters.riichicity.tiles import SPELLED_OF, TILE_OF
from mjconv.converters.shared.json_places import Path
from mjconv.converters.shared.walls import HAND, Drawn, disagreement, undeal
from mjconv.ir.tiles import Tile

#: The tiles of a whole wall, by the number of players.
_WHOLE: Final = {3: 108, 4: 136}
_CODE: Final = "handCardEncode"
_REST: Final = "paiShan"
_HASH: Final = "handCardsSHA256"
#: Reports a warning about a value of a round: the message, and the path to the value.
Warn = Callable[[str, Path], None]


class _WallError(ValueError):
    """A wall that does not fit: the field, and what is wrong with it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def read_wall(
    stated: HandRecord, hands: Sequence[Sequence[Tile]], drawn: Drawn, turned: Sequence[Tile], warn: Warn
) -> tuple[Tile, ...] | UnsetType:
    """Return the whole wall of a round, if it is stated and the round was played from it.

    `hands` are the hands of the deal, the dealer's first. `turned` are the dora indicators.
    """
    try:
        found = _stated_wall(stated, hands, drawn, warn)
        if found is None:
            return UNSET
        wrong = disagreement(found, hands, drawn, turned)
        if wrong is not None:
            raise _WallError(_CODE, f"the {wrong} differ from the wall")
    except _WallError as error:
        warn(f"{error}. The wall was left out", (error.field,))
        return UNSET
    return found


def _stated_wall(
    stated: HandRecord, hands: Sequence[Sequence[Tile]], drawn: Drawn, warn: Warn
) -> tuple[Tile, ...] | None:
    seats, code = len(hands), stated.hand_card_encode
    if not code:
        if not stated.pai_shan or not drawn.front:
            return None
        return (*undeal(hands), drawn.front[0], *_rest_of_wall(stated.pai_shan, seats))
    found = whole_wall(code, seats)
    if stated.hand_cards_sha256 and not has_hash(code, stated.hand_cards_sha256):
        warn(f"the SHA-256 of the wall is wrong: it is not that of {_CODE}", (_HASH,))
    if stated.pai_shan and _rest_of_wall(stated.pai_shan, seats) != found[HAND * seats + 1 :]:
        raise _WallError(_REST, f"{_REST} is not the end of {_CODE}")
    return found


def whole_wall(text: Any, seats: int) -> tuple[Tile, ...]:
    """Return the tiles of `handCardEncode`. Raises `_WallError`.

    >>> whole_wall("1m0p", 4)
    Traceback (most recent call last):
    mjconv.converters.riichicity.wall._WallError: the wall has 2 tiles: expected 136
    """
    if not isinstance(text, str):
        raise _WallError(_CODE, "the wall is no text")
    pieces = [text[at : at + 2] for at in range(0, len(text), 2)]
    _check_length(_CODE, len(pieces), _WHOLE[seats])
    try:
        return tuple([SPELLED_OF[piece] for piece in pieces])
    except KeyError as error:
        raise _WallError(_CODE, f"the wall has {error.args[0]!r}, which is no tile") from None


def _rest_of_wall(numbers: Any, seats: int) -> tuple[Tile, ...]:
    """Return the tiles of `paiShan`: those after the deal and the dealer's first draw. Raises `_WallError`."""
    if not isinstance(numbers, list):
        raise _WallError(_REST, "the wall is no list of tiles")
    _check_length(_REST, len(numbers), _WHOLE[seats] - HAND * seats - 1)
    try:
        return tuple([TILE_OF[number] for number in numbers])
    except (KeyError, TypeError):
        raise _WallError(_REST, "the wall has a value that is no tile") from None


def _check_length(field: str, found: int, expected: int) -> None:
    if found != expected:
        raise _WallError(field, f"the wall has {found} tiles: expected {expected}")


def has_hash(text: str, stated: Any) -> bool:
    """Return whether a hash is the SHA-256 of a wall.

    >>> has_hash("1m", "ABA45E91" + "0" * 56)
    False
    """
    return isinstance(stated, str) and stated.lower() == sha256(text.encode()).hexdigest()
