"""The names of tables and columns, with their types and meanings as texts. This module does not load pyarrow."""

from typing import Final

from mjconv.ir.catalogue import catalogue
from mjconv.ir.suggestion import check_word
from mjconv.packages import check_packages

#: The type and the meaning of each column, by table, or by part of the table of events.
CATALOGUE: Final = catalogue(__name__, "columns.json", dict[str, dict[str, tuple[str, str]]])
#: The name of the table with a row an event.
EVENTS: Final = "events"
#: The names of all tables.
TABLES: Final = ("games", "seats", "rounds", EVENTS)


def derived_names(derive: str | None) -> list[str]:
    """Return the names of derived columns that a text has, as ``shanten,waits``, in the order of the columns.

    Raises `UsageError` for an unknown name, and if a package for a column is missing.

    >>> derived_names("left,waits")
    ['waits', 'left']
    """
    names = derive.split(",") if derive else []
    for name in names:
        check_word("--derive", name, CATALOGUE["derived"])
    if "shanten" in names:
        check_packages("--derive shanten", "riichienv")
    return [name for name in CATALOGUE["derived"] if name in names]
