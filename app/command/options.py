"""The arguments and options of all commands, which ``options.json`` lists in the order of their help.

A row of its ``rows`` has the keyword of the command as its key. If a keyword means another thing in a command, the
key has the name of that command too: ``seat@view``. ``commands`` lists the rows of a command; ``+write`` is a
group of rows.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, Final, get_args

import typer
from msgspec import Struct

from mjconv import encoding
from mjconv.batch.plan import line_formats
from mjconv.batch.shapes import TARGETS
from mjconv.converters.formats import known_names
from mjconv.ir import limits
from mjconv.ir.catalogue import catalogue
from mjconv.languages import LANGUAGES
from mjconv.referee.findings import Level
from mjconv.rules.house import RENCHAN, SWITCHES
from mjconv.settings import walls
from mjconv.validation.colours import WHEN
from mjconv.validation.outputs import OUTPUTS


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """An argument, or an option if it has `names`, which spaces separate.

    An option without a `metavar` is a flag. `many` options may be given again, and `many` arguments are a list. A
    value in a `range` is a whole number from its first number to its second one; without it, the value is 0. An
    argument that `expands` has patterns, which become the files that they match. `words` name the values that
    complete it (`WORDS`); ``{}`` in its `help` is their list. A `setting` is put in force while the command runs
    (`SETTINGS`). The command does not receive its value.
    """

    help: str
    names: str = ""
    metavar: str = ""
    many: bool = False
    expands: bool = False
    required: bool = False
    default: str | None = None
    range: tuple[int, int | None] | None = None
    words: str = ""
    setting: str = ""


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    rows: dict[str, Row]
    groups: dict[str, str]
    commands: dict[str, str]


_TABLE: Final = catalogue(__name__, "options.json", _Table)


def _rows(names: str) -> Iterator[tuple[str, Row]]:
    for name in names.split():
        if name.startswith("+"):
            yield from _rows(_TABLE.groups[name[1:]])
        else:
            yield name.partition("@")[0], _TABLE.rows[name]


#: The rows of each command, by keyword. Each command has a language.
COMMANDS: Final = {command: dict(_rows(f"{names} lang")) for command, names in _TABLE.commands.items()}


def house_rules(incomplete: str) -> list[str]:
    """Return the rules that a list of house rules can continue with, for completion.

    >>> house_rules("kiriage,red")
    ['kiriage,reds=']
    """
    head, comma, begun = incomplete.rpartition(",")
    words = (*SWITCHES, *(f"no-{name}" for name in SWITCHES if begun.startswith("no-")), "reds=", "honba=")
    words += tuple(f"renchan={value}" for value in RENCHAN)
    return [f"{head}{comma}{word}" for word in words if word.startswith(begun) and word not in head.split(",")]


def code_names(incomplete: str) -> list[str]:
    """Return the codes and names that a list of codes can continue with, for completion.

    >>> code_names("R042,furi")
    ['R042,furiten']
    """
    # Imported here: only completion needs the table.
    from mjconv.referee.codes import CODES

    head, comma, begun = incomplete.rpartition(",")
    words = (*(kind.name for kind in CODES.values()), *CODES)
    return [f"{head}{comma}{word}" for word in words if word.startswith(begun)]


#: What ``stats --by`` takes. `mjconv.score.stats` needs polars, and is not loaded at every start.
STATS_BY: Final = ("month", "room", "seat", "rank", "team")
#: The engines of ``fleet``, each with the package that it needs.
ENGINES: Final = {"local": "", "ray": "ray", "dask": "distributed"}

#: The words that a value may be, or that it may continue with. They are made when they are needed.
WORDS: Final[Mapping[str, Callable[[str], Iterable[str]]]] = {
    "codes": code_names,
    "colours": lambda _: WHEN,
    "encodings": lambda _: encoding.COMMON,
    "engines": lambda _: ENGINES,
    "formats": lambda _: known_names(),
    "house": house_rules,
    "languages": lambda _: LANGUAGES,
    "levels": lambda _: get_args(Level),
    "limits": lambda _: (f"{name}=" for name, *_ in limits.described()),
    "lines": lambda _: line_formats(),
    "outputs": lambda _: OUTPUTS,
    "periods": lambda _: import_module("mjconv.score.score").PERIODS,
    "protocols": lambda _: ("lines", "batch"),
    "stats-by": lambda _: STATS_BY,
    "tables": lambda _: import_module("mjconv.score.formats").FORMATS,
    "targets": lambda _: (*known_names(), *TARGETS),
}


def _hold(context: typer.Context, settings: list[str] | None) -> None:
    if settings:
        context.with_resource(limits.using(limits.parse(*settings)))


def _hold_served(context: typer.Context, settings: list[str] | None) -> None:
    """Put the limits of a server in force, which are lower."""
    served = limits.parse("file-bytes=16MiB", "unpacked-bytes=64MiB", "archive-members=1000", "faults=1000")
    context.with_resource(limits.using(limits.parse(*settings or (), base=served)))


def _read_in(context: typer.Context, name: str | None) -> None:
    if name is not None:
        context.with_resource(encoding.using(name))


def _without_walls(context: typer.Context, wanted: bool) -> None:
    if wanted:
        context.with_resource(walls.using(False))


#: The settings, each with the function that puts its value in force while the command runs. The group of commands
#: does so for the language, which help and wrong usage have too.
SETTINGS: Final[Mapping[str, Callable[[typer.Context, Any], None]]] = {
    "limit": _hold,
    "served-limit": _hold_served,
    "encoding": _read_in,
    "no-wall": _without_walls,
}
