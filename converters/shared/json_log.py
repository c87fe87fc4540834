"""Objects that hold a game as JSON: a list of rounds under the key ``log``, and keys around it.

Keys that the source spells otherwise than the writer come back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from mjconv.converters.shared.json_values import WrongValueError, check_list, shown
from mjconv.ir.match import Match

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


def with_kept_keys(
    usual: Mapping[str, Any],
    kept: Mapping[str, Any],
    absent: Collection[str],
    own: Match,
    stated_by: Callable[[Mapping[str, Any]], Match],
    following: Collection[str] = (),
) -> dict[str, Any]:
    """Return the usual keys of an object, with the keys of the source as far as they state the same.

    `kept` are the keys that the source spells otherwise, `absent` the usual keys that it does not have. `own` is
    the match without its rounds. `stated_by` returns the match that keys state, or raises `WrongValueError`. If
    all keys of the source together do not state `own`, the match was changed. Then each key of the source is taken
    that states the same as the usual key, except keys that follow from other keys (`following`).

    >>> from mjconv.ir.match import Name, Player, Text
    >>> def stated_by(keys):
    ...     return Match([Player(Name(Text(keys["name"].strip())))])
    >>> with_kept_keys({"name": "A"}, {"name": " A", "log": 1}, (), stated_by({"name": "A"}), stated_by)
    {'name': ' A'}
    >>> with_kept_keys({"name": "B"}, {"name": " A"}, (), stated_by({"name": "B"}), stated_by)
    {'name': 'B'}
    """
    found = dict(usual)
    other = {key: value for key, value in kept.items() if key not in (LOG, NOTE)}
    missing = [key for key in absent if key in usual]
    if not other and not missing:
        return found

    def states(keys: Mapping[str, Any], match: Match) -> bool:
        try:
            return stated_by(keys) == match
        except WrongValueError:
            return False

    whole = {key: value for key, value in {**found, **other}.items() if key not in missing}
    if states(whole, own):
        return whole
    stated = stated_by(found)
    for key, value in other.items():
        if key not in following and states({**found, key: value}, stated):
            found[key] = value
    for name in missing:
        fewer = {key: value for key, value in found.items() if key != name}
        if states(fewer, stated):
            found = fewer
    return found
