"""The values of a majiang record that no field of the hub holds, in `extras` of a match and of its rounds."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec

from mjconv.converters.shared.extras import as_extras, read_part
from mjconv.ir.match import Frozen, Match, Round

#: The key of the format in `extras`.
KEY: Final = "majiang"
Own = TypeVar("Own", bound=Frozen)


class MatchExtras(Frozen, frozen=True):
    """The values of a match.

    `first` is the index of the first dealer among the players. `keys` are the keys of the object that the record
    spells otherwise than usual, and those of other programs. `absent` are the usual keys that it does not have.
    """

    first: int = 0
    keys: dict[str, Any] = msgspec.field(default_factory=dict)
    absent: list[str] = msgspec.field(default_factory=list)


class RoundExtras(Frozen, frozen=True):
    """The values of a round: the steps that the record spells otherwise than usual, by their index."""

    steps: dict[str, Any] = msgspec.field(default_factory=dict)


def read_extras(whole: Match | Round, kind: type[Own]) -> Own:
    """Return the values of a match or round; the empty ones where its extras are not those of this format.

    >>> read_extras(Match(extras={"majiang": {"first": 2}}), MatchExtras).first
    2
    >>> read_extras(Round(extras={"majiang": 5}), RoundExtras)
    RoundExtras()
    """
    return read_part(whole, KEY, kind)


def built(extras: Frozen) -> dict[str, Any]:
    """Return values as `extras` of a match or round, empty if there are none.

    >>> built(RoundExtras()), built(MatchExtras(first=1))
    ({}, {'majiang': {'first': 1}})
    """
    return as_extras(KEY, extras)
