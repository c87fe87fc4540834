"""The arguments and options of all commands, which ``options.json`` lists in the order of their help.

A row of its ``rows`` has the keyword of the command as its key. If a keyword means another thing in a command, the
key has the name of that command too: ``seat@view``. A row of ``commands`` lists the rows of a command; ``+write``
is a group of rows.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from inspect import Parameter, Signature
from typing import Any, Final, get_args, get_type_hints

import typer
from msgspec import Struct

from mjconv import encoding
from mjconv.batch.plan import line_formats
from mjconv.batch.shapes import TARGETS
from mjconv.command.config import config
from mjconv.command.console import quiet
from mjconv.command.group import SubCommand
from mjconv.command.paths import beside, clobber
from mjconv.converters.formats import known_names
from mjconv.converters.interface import EVERY_SEAT
from mjconv.files.storage import matching, with_scheme
from mjconv.ir import limits
from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import UsageError
from mjconv.ir.match import Match
from mjconv.ir.seats import seat_number
from mjconv.languages import LANGUAGES
from mjconv.referee.findings import Level
from mjconv.rules.house import RENCHAN, SWITCHES
from mjconv.settings import Anonymity, Setting, anonymity, walls
from mjconv.validation.text import OUTPUTS, WHEN


class OptionRow(Struct, frozen=True, forbid_unknown_fields=True):
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


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """A command: its `rows`, its help, and its action: a module and a function, such as ``typed:format_files``.

    The function is loaded when the command runs. It takes the values of the rows, except for those of settings, as
    keywords or as `options`. It returns the exit status, or None for success.
    """

    action: str
    rows: str
    help: str


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    rows: dict[str, OptionRow]
    groups: dict[str, str]
    commands: dict[str, Command]


_TABLE: Final = catalogue(__name__, "options.json", _Table)


def _rows(names: str) -> Iterator[tuple[str, OptionRow]]:
    for name in names.split():
        if name.startswith("+"):
            yield from _rows(_TABLE.groups[name[1:]])
        else:
            yield name.partition("@")[0], _TABLE.rows[name]


#: The rows of each command, by keyword. Each command has a language.
COMMANDS: Final = {name: dict(_rows(f"{command.rows} lang")) for name, command in _TABLE.commands.items()}


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
ENGINES: Final = {"local": (), "ray": ("ray",), "dask": ("distributed",)}

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


def _flag(setting: Setting[bool], value: bool) -> Callable[[typer.Context, bool], None]:
    """Return a function that puts a value in force if its flag is given."""

    def hold(context: typer.Context, wanted: bool) -> None:
        if wanted:
            context.with_resource(setting.using(value))

    return hold


#: The settings, each with the function that puts its value in force while the command runs. The group of commands
#: does so for the language, which help and wrong usage have too.
SETTINGS: Final[Mapping[str, Callable[[typer.Context, Any], None]]] = {
    "limit": _hold,
    "served-limit": _hold_served,
    "encoding": _read_in,
    "no-wall": _flag(walls, False),
    "no-clobber": _flag(clobber, False),
    "quiet": _flag(quiet, True),
}


#: The most digits of a number that an option takes.
_MOST_DIGITS: Final = 9


def _described(row: OptionRow) -> Any:
    """Return the description of a row for typer."""

    def complete(incomplete: str) -> list[str]:
        return [word for word in WORDS[row.words](incomplete) if word.startswith(incomplete)]

    completed = complete if row.words and row.range is None else None
    if not row.names:

        def read(names: str | list[str] | None) -> str | list[str]:
            if isinstance(names, str):
                found = matching(with_scheme(names))
                if len(found) > 1:
                    raise UsageError(f"{names} matches {len(found)} files, and the command takes one")
                return found[0]
            each = [with_scheme(name) for name in names or ()]
            return [file for name in each for file in matching(name)] if row.expands else each

        default = ... if row.required else None
        shown: Any = {"metavar": row.metavar, "help": row.help, "show_default": False}
        return typer.Argument(default, **shown, callback=read, autocompletion=completed)

    def number(text: str | None) -> int:
        return 0 if text is None or row.range is None else whole_number(row.names.split()[-1], text, *row.range)

    return typer.Option(
        ... if row.required else row.default if row.metavar else False,
        *row.names.split(),
        metavar=row.metavar or None,
        help=row.help.replace("{}", ", ".join(WORDS[row.words](""))) if "{}" in row.help else row.help,
        autocompletion=completed,
        callback=number if row.range else SETTINGS.get(row.setting),
    )


def whole_number(option: str, text: str, least: int = 0, most: int | None = None) -> int:
    """Return the number that an option has. Raises `UsageError` if it is none, or not in the range.

    >>> whole_number("--seat", "2")
    2
    """
    if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
        number = int(text)
        if least <= number and (most is None or number <= most):
            return number
    wanted = f"whole number from {least} on" if most is None else f"number from {least} to {most}"
    raise UsageError(f"{option} takes a {wanted}, not {text!r}")


#: The options that name a file which the command reads, beside its inputs.
_READ_BESIDE: Final = ("anonymous_key", "font", "like", "season")
#: Options beside which an output would not be anonymous, and why.
_NOT_ANONYMOUS: Final = {
    "in_place": "--in-place keeps the text of the input",
    "keep_bad": "--keep-bad copies files as they are",
    "watch": "--watch shows the file as it is typed",
}


def _anonymity(given: dict[str, Any]) -> Anonymity | None:
    """Return how the options of a command make matches anonymous. Raises `UsageError` and `OSError`."""
    path, comments = given.get("anonymous_key"), given.get("keep_comments", False)
    if not (given.get("anonymous") or path):
        if comments:
            raise UsageError("--keep-comments needs --anonymous or --anonymous-key FILE")
        return anonymity.current()
    # Imported here: few runs are anonymous.
    from mjconv.pseudonyms import KEY_BYTES, anonymity_of

    for name, reason in _NOT_ANONYMOUS.items():
        if given.get(name):
            raise UsageError(f"{reason}: leave it or --anonymous out")
    seat_number(Match(), None if given.get("seat") == EVERY_SEAT else given.get("seat"))
    if not path and given.get("resume"):
        raise UsageError("--resume needs --anonymous-key FILE: without a key nothing of the inputs is kept")
    if path is None:
        return anonymity_of(None, keep_comments=comments)
    with open(path, "rb") as stream:
        # A device or a large file is no key.
        return anonymity_of(stream.read(KEY_BYTES + 1), keep_comments=comments)


def _loaded(action: str) -> Callable[..., int | None]:
    """Load the function of an action. If it takes `options`, these are made of the keywords."""
    module, _, name = action.partition(":")
    act: Callable[..., int | None] = getattr(import_module(f"mjconv.command.{module}"), name)
    kind = get_type_hints(act).get("options")
    return act if kind is None else lambda **given: act(kind.of(**given))


def add_commands(app: typer.Typer, fleet: typer.Typer) -> None:
    """Add the commands of the table: ``fleet run`` to the group `fleet`, and so on, the others to `app`."""
    for name, command in _TABLE.commands.items():
        group = fleet if name.startswith("fleet ") else app
        group.command(name.split()[-1], cls=SubCommand, help=command.help)(_runner(name, command.action))


def _runner(command: str, action: str) -> Callable[..., None]:
    """Return the function that typer calls for a command. It takes the values of the rows as keywords."""
    rows = COMMANDS[command]

    def run(**given: Any) -> None:
        config.current().fill(command, given)
        read = tuple([given[name] for name in _READ_BESIDE if given.get(name)])
        with anonymity.using(_anonymity(given)), beside.using(read):
            status = _loaded(action)(**{key: given[key] for key, row in rows.items() if not row.setting})
        if status is not None:
            raise typer.Exit(status)

    keywords = []
    for key, row in rows.items():
        described, kind = _described(row), list[str] if row.many else str if row.metavar else bool
        annotation = kind | None if described.default is None and row.names else kind
        keywords.append(Parameter(key, Parameter.KEYWORD_ONLY, default=described, annotation=annotation))
    run.__signature__ = Signature(keywords)  # type: ignore[attr-defined]
    return run
