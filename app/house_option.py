"""The value of ``--house``: the rules by which a command checks records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mjconv.ir.errors import UsageError

if TYPE_CHECKING:
    from mjconv.rules.house import House


def house_for_check(settings: str | None, *, check: bool) -> House:
    """Return the rules that ``--house`` sets, the usual ones without the option.

    Raises `UsageError` for an unknown rule, and for the option without ``--check``.

    >>> house_for_check("kiriage", check=True).kiriage
    True
    """
    # Imported here: most commands check nothing.
    from mjconv.referee.house import house_of

    house = house_of(settings or "")
    if settings is not None and not check:
        raise UsageError("--house needs --check: it sets the rules for the check")
    return house
