"""The values of a record that no field of the hub holds, in `extras` of a match and of its rounds."""

from __future__ import annotations

from typing import Any, Final

from mjconv.converters.shared.extras import as_extras, stated

#: The key of the format in `extras`.
KEY: Final = "riichicity"

Fields = dict[str, Any]


def rest(value: Fields, read: frozenset[str]) -> Fields:
    """Return the fields that the reader does not read. Zero, false and empty fields are as good as absent.

    >>> rest({"card": 1, "li_zhi_operate": 0, "new": 2}, frozenset({"card"}))
    {'new': 2}
    """
    return {key: part for key, part in value.items() if part and key not in read}


def built(*, full: bool = True, **values: Any) -> Fields:
    """Return values as `extras` of a match or round, empty if there are none. If not `full`, leave the values out.

    >>> built(head={}), built(head={"keyValue": "x"}), built(full=False, head={"keyValue": "x"})
    ({}, {'riichicity': {'head': {'keyValue': 'x'}}}, {'riichicity': {}})
    """
    return as_extras(KEY, values) if full else stated(KEY, values.values())
