"""The folders of ``--partition-by``, by facts of a match: ``month=2024-01/room=houou``, as Hive names them."""

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any, Final
from urllib.parse import quote

from mjconv.ir.suggestion import check_word

#: The parts of a date that name a folder, by the number of their characters.
_DATES: Final = {"year": 4, "month": 7, "day": 10}
KEYS: Final = (
    *_DATES,
    "platform",
    "room",
    "format",
    "game",
    "length",
    "season",
    "players",
    "lobby",
    "reds",
    "whole",
)
#: The most folders of a run.
MOST: Final = 1000
#: The name of a missing value in Hive, polars, duckdb and pyarrow. No value has it: capitals are escaped.
_NONE: Final = "__HIVE_DEFAULT_PARTITION__"
#: The most characters of a value. A longer one counts as missing.
_LONGEST: Final = 40


def keys_of(text: str) -> list[str]:
    """Return the keys of ``--partition-by``, each once. Raises `UsageError` for an unknown one.

    >>> keys_of("month,room")
    ['month', 'room']
    """
    keys = list(dict.fromkeys(text.split(",")))
    for key in keys:
        check_word("--partition-by", key, KEYS)
    return keys


def partition_of(facts: Mapping[str, Any], text: str) -> str:
    """Return the folder of a match with these facts, below the table. A missing fact may be None.

    >>> partition_of({"room": "../A b", "players": 4}, "room,players,month")
    'room=..%2F%41%20b/players=4/month=__HIVE_DEFAULT_PARTITION__'
    """
    values = {key: facts.get("date" if key in _DATES else key) for key in text.split(",")}
    return "/".join(f"{key}={_escaped(str(value)[: _DATES.get(key)], value)}" for key, value in values.items())


def _escaped(text: str, value: Any) -> str:
    """Return a value as a part of a name that is another one on each system, whatever the case of letters."""
    if value is None or not 0 < len(text) <= _LONGEST:
        return _NONE
    if isinstance(value, bool):
        text = text.lower()
    # Systems that ignore case or dots at the end would take two values for one.
    name = "".join(
        f"%{ord(one):X}" if one in ascii_uppercase else quote(one, "", errors="replace") for one in text
    )
    return name[:-1] + "%2E" if name.endswith(".") else name
