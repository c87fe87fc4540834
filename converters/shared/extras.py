"""The values of a source that no field of the hub holds: each format's part of `extras` of a match or round."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeVar

import msgspec

from mjconv.ir.match import Frozen, Match, Round

Own = TypeVar("Own", bound=Frozen)


def read_part(whole: Match | Round, key: str, kind: type[Own]) -> Own:
    """Return a format's part of the extras; an empty one if they have none, or one of another kind.

    >>> class Ticks(Frozen, frozen=True):
    ...     ticks: int = 0
    >>> read_part(Round(extras={"clock": {"ticks": 5}}), "clock", Ticks).ticks
    5
    >>> read_part(Round(extras={"clock": "five"}), "clock", Ticks).ticks
    0
    """
    found = whole.extras.get(key)
    if not found:
        return kind()
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError:
        # Notes are input: a part that someone edited counts as absent.
        return kind()


def as_extras(key: str, values: Frozen | Mapping[str, Any]) -> dict[str, Any]:
    """Return values as `extras` of a match or round. Empty values are left out.

    >>> as_extras("clock", {"ticks": 5, "names": []}), as_extras("clock", {"ticks": 0})
    ({'clock': {'ticks': 5}}, {})
    """
    if isinstance(values, Frozen):
        found: dict[str, Any] = msgspec.to_builtins(values, builtin_types=(Decimal,))
    else:
        found = {name: value for name, value in values.items() if value}
    return {key: found} if found else {}
