"""The values of a state that no field of the hub holds, in `extras` of its round."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from mjconv.converters.shared.extras import read_part
from mjconv.ir.match import Frozen, Round

#: The key of the format in `extras`.
KEY: Final = "mjx"


class RoundExtras(Frozen, frozen=True):
    """The values of a round.

    `hands` are the numbers of the tiles of each dealt hand, `discards` those of the discards, `opens` the numbers
    of the calls, `wall` is the wall of the file. `other` are the fields that mjconv does not know, by the part of
    the state that has them: ``state``, ``public``, ``hidden``, ``terminal``.
    """

    hands: list[list[int]] = msgspec.field(default_factory=list)
    discards: list[int] = msgspec.field(default_factory=list)
    opens: list[int] = msgspec.field(default_factory=list)
    wall: list[int] = msgspec.field(default_factory=list)
    other: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)


def read_extras(game_round: Round) -> RoundExtras:
    """Return the values of a round; the empty ones where its extras are not those of this format.

    >>> read_extras(Round(extras={"mjx": {"opens": [3]}})).opens
    [3]
    >>> read_extras(Round(extras={"mjx": 5}))
    RoundExtras()
    """
    return read_part(game_round, KEY, RoundExtras)
