"""The values of a record that no field of the hub holds, in `extras` of a match and of its rounds."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec

from mjconv.converters.shared.extras import as_extras, read_part, stated
from mjconv.ir.match import Frozen, Match, Round

#: The key of the format in `extras`.
KEY: Final = "majsoul"

Fields = dict[str, Any]
Own = TypeVar("Own", bound=Frozen)


class MatchExtras(Frozen, frozen=True):
    """The values of a match.

    `head` are the fields of the head, `accounts` and `results` those of players by seat, `inputs` what is recorded
    before the first deal, and `other` what is beside the head and the records.
    """

    head: Fields = msgspec.field(default_factory=dict)
    accounts: list[Any] = msgspec.field(default_factory=list)
    results: list[Any] = msgspec.field(default_factory=list)
    inputs: list[Any] = msgspec.field(default_factory=list)
    other: Fields = msgspec.field(default_factory=dict)


class RoundExtras(Frozen, frozen=True):
    """The values of a round.

    `records` are pairs of the index of a record's event and the fields of the record that the writer would not
    write. `passed` are the milliseconds since the begin of the game, of each record. `inputs` are pairs of the
    number of events before, and what is recorded there beside the play: inputs, players who leave, and the like.
    `beside` are pairs of the index of an event and the fields beside its record.
    """

    records: list[tuple[int, Fields]] = msgspec.field(default_factory=list)
    passed: list[int] = msgspec.field(default_factory=list)
    inputs: list[tuple[int, Fields]] = msgspec.field(default_factory=list)
    beside: list[tuple[int, Fields]] = msgspec.field(default_factory=list)


def read_extras(whole: Match | Round, kind: type[Own]) -> Own:
    """Return the values of a match or round; the empty ones where its extras are not those of this format.

    >>> read_extras(Round(extras={"majsoul": {"passed": [1]}}), RoundExtras).passed
    [1]
    >>> read_extras(Round(extras={"majsoul": 5}), RoundExtras)
    RoundExtras()
    """
    return read_part(whole, KEY, kind)


def built(*, full: bool = True, **values: Any) -> dict[str, Any]:
    """Return values as `extras` of a match or round, empty if there are none. If not `full`, leave the values out.

    >>> built(passed=[]), built(passed=[1]), built(full=False, passed=[1])
    ({}, {'majsoul': {'passed': [1]}}, {'majsoul': {}})
    """
    return as_extras(KEY, values) if full else stated(KEY, values.values())
