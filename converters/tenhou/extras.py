"""The values of an mjlog that no field of the hub holds, in `extras` of a match and of its rounds."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec

from mjconv.converters.shared.extras import as_extras, read_part
from mjconv.ir.match import Frozen, Match, Round

#: The key of the format in `extras`.
KEY: Final = "tenhou"
#: Begins the key of attributes of an element that is an annotation: its number in the round follows.
BESIDE: Final = "+"

#: The attributes of elements that differ from those that the writer works out; None for one that is absent.
Attributes = dict[str, dict[str, str | None]]
Own = TypeVar("Own", bound=Frozen)


class MatchExtras(Frozen, frozen=True):
    """The values of a match: attributes by the name of the element (``SHUFFLE``, ``GO``, ``UN``).

    An element without attributes in it is `None`: the file does not have it. `bare_riichi` is true if the file
    states no points at an accepted riichi, as files of 2009 do. `without_ends` is true if the game ends after a
    result that does not have the final scores.

    Of a tenhou.net/6 file: `json_keys` are the keys of the object that the writer would not write so,
    `json_absent` those that the object does not have. `json_objects` is the number of rounds of each object, if
    the game has several.
    """

    attributes: dict[str, dict[str, str | None] | None] = msgspec.field(default_factory=dict)
    bare_riichi: bool = False
    without_ends: bool = False
    json_keys: dict[str, Any] = msgspec.field(default_factory=dict)
    json_absent: list[str] = msgspec.field(default_factory=list)
    json_objects: list[int] = msgspec.field(default_factory=list)


class RoundExtras(Frozen, frozen=True):
    """The values of a round.

    `copies` are the copies of tiles, a digit from 0 to 3 for each, where a player could discard or call one of
    several like tiles. `drawn` are those of the tiles dealt, drawn and turned, where several were left: only if no
    seed determines them. `attributes` are those of elements, by the index of the event. `json` are the parts
    of a round of tenhou.net/6 that the writer would not write so, by their index in the round.
    """

    copies: str = ""
    drawn: str = ""
    attributes: Attributes = msgspec.field(default_factory=dict)
    json: dict[str, Any] = msgspec.field(default_factory=dict)


def read_extras(whole: Match | Round, kind: type[Own]) -> Own:
    """Return the values of a match or round; the empty ones where its extras are not those of this format.

    >>> read_extras(Round(extras={"tenhou": {"copies": "01"}}), RoundExtras).copies
    '01'
    >>> read_extras(Round(extras={"tenhou": 5}), RoundExtras)
    RoundExtras()
    """
    return read_part(whole, KEY, kind)


def built(extras: Frozen) -> dict[str, Any]:
    """Return values as `extras` of a match or round, empty if there are none.

    >>> built(RoundExtras()), built(RoundExtras(copies="01"))
    ({}, {'tenhou': {'copies': '01'}})
    """
    return as_extras(KEY, extras)
