"""The group of sub-commands: its default command, its help texts and its exit statuses."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from mjconv.command.console import Exit, leaving_on_error
from mjconv.files.sites import missing, site_of
from mjconv.ir.errors import MissingFileError, UsageError

#: The command when the first argument is not a sub-command.
DEFAULT: Final = "convert"
#: Words that other programs have as commands, and the words of mjconv for them.
_OTHER_WORDS: Final = {
    "help": "--help",
    "version": "--version",
    "check": "validate",
    "lint": "validate",
    "list": "info",
}
_WORD: Final = re.compile("[A-Za-z][A-Za-z-]*")


class _AsTyped:
    """A command or group whose parameters have their values as typed."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters.

        Newer versions of typer check values with pydantic, whose import takes half the start time. They do not
        check these.
        """
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            described = getattr(param, "type_descriptor", None)
            if described is not None and described.annotation in (bool, str, list[str]):
                param.get_runtime_param = _Unchecked
        return params


class ConvertByDefault(_AsTyped, TyperGroup):
    """A group of sub-commands that runs `convert` if the first argument is not a sub-command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the default command if no command is named; without arguments, show the help."""
        if not args and not ctx.resilient_parsing:
            typer.echo(ctx.get_help(), err=True)
            ctx.exit(Exit.WRONG_USAGE)
        own = {option for param in self.get_params(ctx) for option in param.opts}
        if args and args[0] not in own and args[0] not in self.commands:
            if not ctx.resilient_parsing:
                with exit_on_error():
                    self._refuse_misspelt(args)
            args = [DEFAULT, *args]
            ctx.meta[_UNNAMED] = True
        return super().parse_args(ctx, args)

    def _refuse_misspelt(self, args: list[str]) -> None:
        """Raise an error if the first word is no file, and looks like the name of a command."""
        word, *rest = args
        if not _WORD.fullmatch(word) or os.path.lexists(word):
            return
        closest = _closest(word.lower(), [*self.commands, *_OTHER_WORDS])
        if closest is None and site_of(word) is not None:
            raise missing(word)
        if closest is None:
            reason = "No such file or directory, and no such command; mjconv --help lists the commands"
            raise MissingFileError(word, reason)
        meant = _OTHER_WORDS.get(closest, closest)
        # `help validate` is `validate --help`.
        words = (
            [*rest[:1], meant] if meant == "--help" and rest[:1] and rest[0] in self.commands else [meant, *rest]
        )
        raise UsageError(f"there is no file and no command {word!r}; did you mean: mjconv {shlex.join(words)}")

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an error becomes a message and an exit status."""
        with exit_on_error():
            return super().invoke(ctx)

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Show the default command first."""
        formatter.write_usage(ctx.command_path, "IN... -o OUT")
        formatter.write_usage(ctx.command_path, "COMMAND ...", prefix=" " * len("Usage: "))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Show the options of the default command among the group's own."""
        _describe([*self.commands[DEFAULT].params, *self.get_params(ctx)], ctx, formatter)
        self.format_commands(ctx, formatter)


#: The key of the data of a context that is set if no command was named.
_UNNAMED: Final = "mjconv.unnamed"


def _closest(word: str, names: list[str]) -> str | None:
    """Return the name that a misspelt word means; None if it is like none of them.

    >>> _closest("validte", ["info", "validate"]), _closest("val", ["validate"]), _closest("game", ["merge"])
    ('validate', 'validate', None)
    """
    # Loaded here: a spelling mistake is rare, and every start of the command would pay for the import.
    from difflib import get_close_matches

    begun = [name for name in names if len(word) > 2 and name.startswith(word)]
    return next(iter(begun or get_close_matches(word, names, 1, 0.7)), None)


class SubGroup(_AsTyped, TyperGroup):
    """A sub-command that has sub-commands of its own."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the interface of typer
        """Return the parts of the usage line after the name of the command."""
        return ["COMMAND", "..."]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Show the options and commands."""
        _describe(self.get_params(ctx), ctx, formatter)
        self.format_commands(ctx, formatter)


class SubCommand(_AsTyped, TyperCommand):
    """A sub-command whose help shows arguments by their metavar, such as ``IN...``."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Parse the arguments. If the command was not named, errors show the usage of the group instead."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except Exception as error:
            if getattr(error, "possibilities", None):
                # typer proposes --help for --where.
                meant = _closest(error.option_name, error.possibilities)  # type: ignore[attr-defined]
                error.possibilities = [] if meant is None else [meant]  # type: ignore[attr-defined]
            if parent is not None and parent.meta.get(_UNNAMED) and hasattr(error, "ctx"):
                error.ctx = parent
            raise

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line after the name of the command."""
        arguments = [param.metavar for param in self.get_params(ctx) if param.param_type_name == "argument"]
        return ["[OPTIONS]", *(name for name in arguments if name)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Show the arguments and options."""
        _describe(self.get_params(ctx), ctx, formatter)


class _Unchecked:
    """Returns flags, words and lists of words as typed."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ARG002 - the interface of typer
        return list(value or ()) if param.nargs == -1 else value


#: The headings of a long help, each with its options by name. The options that are used most come first.
_HEADINGS: Final = {
    "What to read and write": "output target source where seat match round step since until season select ignore "
    "players date tournament place rules like bot compare dedup split shards lines files in_place no_clobber",
    "How": "",
    "Checks": "check strict verify house level fail_on_warnings propose fix_list",
    "Limits and messages": "limit text_encoding no_wall timeout attempts skip_failed report color quiet "
    "install_completion show_completion version help",
}
#: The most options under one heading.
_FEW: Final = 8


def _describe(params: Iterable[Any], ctx: Any, formatter: Any) -> None:
    sections = {
        "Arguments": [(param.metavar, param.help) for param in params if param.param_type_name == "argument"]
    }
    options = {param.name: param.get_help_record(ctx) for param in params if param.param_type_name == "option"}
    shown = {name: record for name, record in options.items() if record is not None}
    sections["Options"] = [*shown.values()] if len(shown) <= _FEW else []
    if len(shown) > _FEW:
        named = {heading: names.split() for heading, names in _HEADINGS.items()}
        known = {name for names in named.values() for name in names}
        for heading, names in named.items():
            sections[heading] = [
                shown[name] for name in names or [name for name in shown if name not in known] if name in shown
            ]
    for title, entries in sections.items():
        if entries:
            with formatter.section(title):
                formatter.write_dl(entries)


def exit_on_error() -> AbstractContextManager[None]:
    """Print an error on standard error, and leave the command with its status."""
    return leaving_on_error(typer.Exit)
