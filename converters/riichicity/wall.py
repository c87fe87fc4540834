"""The wall of a round: `handCardEncode` with its hash, or `paiShan`, the tiles that are left after the deal."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from msgspec import UNSET, UnsetType

from mjconv.converters.riichicity.schema import HandRecord
from mjconv.converters.riichicity.tiles import TILE_OF
from mjconv.converters.shared.json_values import Warn, WrongValueError
from mjconv.converters.shared.tile_numbers import BY_RANK
from mjconv.converters.shared.walls import WHOLE, Drawn, disagreement, undeal
from mjconv.ir.tiles import HAND, Tile

_CODE: Final = "handCardEncode"
_REST: Final = "paiShan"
_HASH: Final = "handCardsSHA256"


def read_wall(
    stated: HandRecord, hands: Sequence[Sequence[Tile]], drawn: Drawn, turned: Sequence[Tile], warn: Warn
) -> tuple[Tile, ...] | UnsetType:
    """Return the whole wall of a round, if it is stated and the round was played from it.

    `hands` are the hands of the deal, the dealer's first. `turned` are the dora indicators.
    """
    try:
        wall = _stated_wall(stated, hands, drawn, warn)
        if wall is None:
            return UNSET
        wrong = disagreement(wall, hands, drawn, turned)
        if wrong is not None:
            raise WrongValueError(f"the {wrong} differ from the wall", (_CODE,))
    except WrongValueError as error:
        warn(f"{error}. The wall was left out", error.path)
        return UNSET
    return wall


def _stated_wall(
    stated: HandRecord, hands: Sequence[Sequence[Tile]], drawn: Drawn, warn: Warn
) -> tuple[Tile, ...] | None:
    seats, code = len(hands), stated.hand_card_encode
    if not code:
        if not stated.pai_shan or not drawn.front:
            return None
        return (*undeal(hands), drawn.front[0], *_rest_of_wall(stated.pai_shan, seats))
    wall = whole_wall(code, seats)
    if stated.hand_cards_sha256 and str(stated.hand_cards_sha256).lower() != sha256(code.encode()).hexdigest():
        warn(f"the SHA-256 of the wall is wrong: it is not that of {_CODE}", (_HASH,))
    if stated.pai_shan and _rest_of_wall(stated.pai_shan, seats) != wall[HAND * seats + 1 :]:
        raise WrongValueError(f"{_REST} is not the end of {_CODE}", (_REST,))
    return wall


def whole_wall(text: Any, seats: int) -> tuple[Tile, ...]:
    """Return the tiles of `handCardEncode`. Raises `WrongValueError`.

    >>> whole_wall("1m0p", 4)
    Traceback (most recent call last):
    mjconv.converters.shared.json_values.WrongValueError: the wall has 2 tiles: expected 136
    """
    if not isinstance(text, str):
        raise WrongValueError("the wall is no text", (_CODE,))
    pieces = [text[begin : begin + 2] for begin in range(0, len(text), 2)]
    _check_length(_CODE, len(pieces), WHOLE[seats])
    try:
        return tuple([BY_RANK[piece] for piece in pieces])
    except KeyError as error:
        raise WrongValueError(f"the wall has {error.args[0]!r}, which is no tile", (_CODE,)) from None


def _rest_of_wall(numbers: Any, seats: int) -> tuple[Tile, ...]:
    """Return the tiles of `paiShan`: the wall after the deal and the dealer's first draw.

    Raises `WrongValueError`.
    """
    if not isinstance(numbers, list):
        raise WrongValueError("the wall is no list of tiles", (_REST,))
    _check_length(_REST, len(numbers), WHOLE[seats] - HAND * seats - 1)
    try:
        return tuple([TILE_OF[number] for number in numbers])
    except (KeyError, TypeError):
        raise WrongValueError("the wall has a value that is no tile", (_REST,)) from None


def _check_length(field: str, count: int, expected: int) -> None:
    if count != expected:
        raise WrongValueError(f"the wall has {count} tiles: expected {expected}", (field,))
