"""The values of a source that no field of the hub holds: each format's part of `extras` of a match or round."""

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
    part = whole.extras.get(key)
    if not part:
        return kind()
    try:
        return msgspec.convert(part, kind)
    except msgspec.ValidationError:
        # Notes are input: a part that someone edited counts as absent.
        return kind()


def as_extras(key: str, values: Frozen) -> dict[str, Any]:
    """Return values as `extras` of a match or round. Values that are their default are left out.

    >>> class Ticks(Frozen, frozen=True):
    ...     ticks: tuple[int, ...] = ()
    >>> as_extras("clock", Ticks((5, 6))), as_extras("clock", Ticks())
    ({'clock': {'ticks': [5, 6]}}, {})
    """
    part: dict[str, Any] = msgspec.to_builtins(values, builtin_types=(Decimal,))
    part = {name: list(value) if isinstance(value, tuple) else value for name, value in part.items()}
    return {key: part} if part else {}


def put_part(whole: Match | Round, key: str, values: Frozen) -> None:
    """Set a format's part of the extras of a match or round, if there is any."""
    whole.extras = {**whole.extras, **as_extras(key, values)}
