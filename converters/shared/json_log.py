"""Objects that hold a game as JSON: a list of rounds under the key ``log``, and keys around it."""

from __future__ import annotations

from typing import Any, Final

from mjconv.converters.shared.json_values import WrongValueError, check_list, shown

#: The key of the rounds, and the key of the notes.
LOG: Final = "log"
NOTE: Final = "mjconv"


def head_and_log(value: Any) -> tuple[dict[str, Any], list[Any]]:
    """Return the keys around the rounds, and the rounds. Raises `WrongValueError` if the value is no such object.

    >>> head_and_log({"title": "", "log": [[]], "mjconv": {}})
    ({'title': ''}, [[]])
    """
    if not isinstance(value, dict):
        raise WrongValueError(f"expected an object with the key {LOG}, not {shown(value)}")
    if LOG not in value:
        raise WrongValueError(f"the object has no key {LOG} with the rounds")
    head = {key: each for key, each in value.items() if key not in (LOG, NOTE)}
    return head, check_list(value[LOG], (LOG,), "a list of rounds")
