"""Arguments and options of commands as rows of a table, and commands that are made of such rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from inspect import Parameter as Keyword
from inspect import Signature
from typing import Any, Final, NamedTuple, TypeAlias

import typer

from mjconv.command.group import SubCommand
from mjconv.files.storage import matching, with_scheme
from mjconv.ir.errors import UsageError

#: The largest number of workers, shards, attempts, or files of a shard.
MOST: Final = 10_000
#: The most digits of a number that an option takes.
_MOST_DIGITS: Final = 9


class Parameter(NamedTuple):
    """An argument or option: the type of its value, and its description for typer."""

    kind: Any
    described: Any


#: The parameters of a command by the names of its keywords, in the order of its help.
Parameters: TypeAlias = Mapping[str, Parameter]


def flag(names: str, help: str, callback: Any = None) -> Parameter:  # noqa: A002 - typer's word
    """Describe an option without a value. `names` are its names, with spaces between them."""
    return Parameter(bool, typer.Option(False, *names.split(), help=help, callback=callback))


def value(
    names: str,
    metavar: str,
    help: str,  # noqa: A002
    *,
    default: Any = None,
    kind: Any = str,
    completion: Callable[[str], list[str]] | None = None,
    callback: Any = None,
) -> Parameter:
    """Describe an option with a value, a text if it has no other kind. With the default ``...`` it is required."""
    info = typer.Option(
        default, *names.split(), metavar=metavar, help=help, autocompletion=completion, callback=callback
    )
    return Parameter(kind | None if default is None else kind, info)


def number(
    names: str,
    metavar: str,
    help: str,  # noqa: A002
    *,
    most: int | None = MOST,
) -> Parameter:
    """Describe an option with a whole number from 1 on. Without the option, the value is 0."""

    def read(text: str | None) -> int:
        return 0 if text is None else whole_number(names.split()[-1], text, 1, most)

    return value(names, metavar, help, callback=read)


def argument(
    metavar: str,
    help: str,  # noqa: A002
    kind: Any = str,
    *,
    needed: bool = True,
    expands: bool = False,
) -> Parameter:
    """Describe an argument, a name. With the kind ``list[str]``, it takes several, and none if not `needed`.

    With `expands`, patterns become the files that they match. Else the command does that.
    """

    def read(names: str | list[str] | None) -> str | list[str]:
        if isinstance(names, str):
            found = matching(with_scheme(names))
            if len(found) > 1:
                raise UsageError(f"{names} matches {len(found)} files, and the command takes one")
            return found[0]
        each = [with_scheme(name) for name in names or ()]
        return [file for name in each for file in matching(name)] if expands else each

    default = ... if needed else None
    return Parameter(kind, typer.Argument(default, metavar=metavar, help=help, show_default=False, callback=read))


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


def add_command(
    group: typer.Typer, parameters: Parameters, *, without: Collection[str] = (), **settings: Any
) -> Callable[[Callable[..., int | None]], None]:
    """Return a decorator that adds a function to a group as a command with these parameters.

    The function takes their values as keywords, except for the parameters `without`, and returns the exit status,
    or None for success. `settings` are those of typer. Without them, the command has the name and the docstring of
    the function.
    """

    def add(action: Callable[..., int | None]) -> None:
        def run(**given: Any) -> None:
            status = action(**{key: given[key] for key in given if key not in without})
            if status is not None:
                raise typer.Exit(status)

        keywords = [
            Keyword(key, Keyword.KEYWORD_ONLY, default=row.described, annotation=row.kind)
            for key, row in parameters.items()
        ]
        run.__name__, run.__doc__ = action.__name__, action.__doc__
        run.__signature__ = Signature(keywords)  # type: ignore[attr-defined]
        group.command(cls=SubCommand, **settings)(run)

    return add
