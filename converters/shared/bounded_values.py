"""Types of JSON values that need no check of their size: whole numbers of 53 bits, and a few levels of values."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from mjconv.ir import limits

#: A number that each reader takes as it is.
Number: TypeAlias = Annotated[int, Meta(ge=-(1 << 53), le=1 << 53)]
#: A text, a number that is whole, a truth value, or null.
Scalar: TypeAlias = Number | str | bool | None
_LEVELS: Final = 6
#: The digits of the largest number, and more levels than any struct with these values has.
_MOST_DIGITS: Final = 16
_MOST_LEVELS: Final = 16


def _values(levels: int) -> Any:
    """Return the type of values that are nested up to a number of levels."""
    if not levels:
        return Scalar
    inner: Any = _values(levels - 1)
    return Scalar | list[inner] | dict[str, inner]


def are_within_limits() -> bool:
    """Return whether the limits in force allow all numbers and levels of these types.

    >>> with limits.using(limits.Limits(digits=5)):
    ...     are_within_limits()
    False
    """
    most = limits.current()
    return most.nesting >= _MOST_LEVELS and most.digits >= _MOST_DIGITS


#: The fields of an object.
FIELDS: Final[Any] = dict[str, _values(_LEVELS)]  # type: ignore[misc]
