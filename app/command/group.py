"""The group of sub-commands: its default command, its help texts and its exit statuses."""

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from inspect import cleandoc
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from mjconv.command.config import config, read_config
from mjconv.command.console import Exit, leaving_on_error, print_message
from mjconv.files.sites import missing, site_of
from mjconv.ir import limits
from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import MissingFileError, UsageError, width
from mjconv.languages import chosen, current, language_of, translated

#: The option of all commands that names the language of messages.
LANG: Final = "--lang"
#: The command when the first argument is not a sub-command.
DEFAULT: Final = "convert"
#: Words that other programs have as commands, and the words of mjconv for them.
_OTHER_WORDS: Final = catalogue(__name__, "other_words.json", dict[str, str])
_WORD: Final = re.compile("[A-Za-z][A-Za-z-]*")


class _AsTyped:
    """A command or group whose parameters have their values as typed, and whose help is translated."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Show the usage line."""
        pieces = self.collect_usage_pieces(ctx)  # type: ignore[attr-defined]
        formatter.write_usage(ctx.command_path, " ".join(pieces), prefix=f"{translated('Usage')}: ")

    def format_help_text(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - the interface of typer
        """Show what the command does."""
        formatter.write_paragraph()
        with formatter.indentation():
            help_text = translated(cleandoc(self.help or "").strip())  # type: ignore[attr-defined]
            formatter.write_text(_folded(help_text, formatter.width - formatter.current_indent))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Show the arguments and options, and the commands of a group."""
        params, commands = self.get_params(ctx), getattr(self, "commands", {})
        # The options of the default command are among those of its group.
        _describe([*commands[DEFAULT].params, *params] if DEFAULT in commands else params, ctx, formatter)
        if commands:
            self.format_commands(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - the interface of typer
        """Show the commands, each with the first sentence of its help."""
        commands = self.commands.items()  # type: ignore[attr-defined]
        with formatter.section(translated("Commands")):
            _write_list(formatter, [(name, _first_sentence(each.help)) for name, each in commands])

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
        """Insert the default command if no command is named; without arguments, show the help.

        The language is in force while the command runs, its help and its errors too.
        """
        if not ctx.resilient_parsing:
            args, tag = _without_language(args)
            with exit_on_error():
                named = None if tag is None else language_of(tag)
            # Errors in the configuration have the language that is named too.
            with chosen.using(named or chosen.current()), exit_on_error():
                settings = read_config()
                language, most = named or settings.spoken(), settings.limited()
            if language is not None:
                ctx.with_resource(chosen.using(language))
            ctx.with_resource(config.using(settings))
            ctx.with_resource(limits.using(most))
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
        of_command = meant == "--help" and rest and rest[0] in self.commands
        words = [rest[0], meant] if of_command else [meant, *rest]
        raise UsageError(f"there is no file and no command {word!r}; did you mean: mjconv {shlex.join(words)}")

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an error becomes a message and an exit status."""
        with exit_on_error():
            try:
                return super().invoke(ctx)
            except Exception as error:
                if hasattr(error, "format_message"):
                    _speak(error)
                raise

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Show the default command first."""
        prefix = f"{translated('Usage')}: "
        formatter.write_usage(ctx.command_path, "IN... -o OUT", prefix=prefix)
        formatter.write_usage(ctx.command_path, "COMMAND ...", prefix=" " * width(prefix))


def _without_language(words: Sequence[str]) -> tuple[list[str], str | None]:
    """Return the arguments without ``--lang``, and its last value. It may be anywhere before ``--``.

    >>> _without_language(["--lang", "ja", "info", "--lang=zh", "--", "--lang"])
    (['info', '--', '--lang'], 'zh')
    """
    rest, tag = [], None
    each = iter(words)
    for word in each:
        if word == LANG:
            tag = next(each, "")
        elif word.startswith(f"{LANG}="):
            tag = word.partition("=")[2]
        else:
            rest += [word, *each] if word == "--" else [word]
    return rest, tag


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


class SubCommand(_AsTyped, TyperCommand):
    """A sub-command whose help shows arguments by their metavar, such as ``IN...``."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Parse the arguments. If the command was not named, errors show the usage of the group instead."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            if getattr(error, "possibilities", None):
                # typer proposes --help for --where.
                meant = _closest(error.option_name, error.possibilities)  # type: ignore[attr-defined]
                error.possibilities = [] if meant is None else [meant]  # type: ignore[attr-defined]
            if hasattr(error, "ctx"):
                # An error of an option without its value has no context.
                error.ctx = ctx.parent if ctx.meta.get(_UNNAMED) else ctx
            raise

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line after the name of the command."""
        arguments = [param.metavar for param in self.get_params(ctx) if param.param_type_name == "argument"]
        return ["[OPTIONS]", *(name for name in arguments if name)]


def _speak(error: Any) -> None:
    """Make an error of typer show itself in the language in force, which it no longer is when errors are shown."""
    hint = translated(f"Try '{error.ctx.command_path} {error.ctx.help_option_names[0]}' for help.")
    message = f"{translated('Error')}: {translated(error.format_message())}"
    text = f"{error.ctx.get_usage()}\n{hint}\n\n{message}"
    error.show = lambda file=None: print_message(text)  # noqa: ARG005 - the interface of typer


class _Unchecked:
    """Returns flags, words and lists of words as typed."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ARG002 - the interface of typer
        return list(value or ()) if param.nargs == -1 else value


#: The headings of a long help, each with its options by name. The options that are used most come first.
_HEADINGS: Final = catalogue(__name__, "headings.json", dict[str, str])
#: The most options under one heading.
_FEW: Final = 8


def _describe(params: Iterable[Any], ctx: Any, formatter: Any) -> None:
    arguments = [(param.metavar, param.help) for param in params if param.param_type_name == "argument"]
    options = {param.name: param.get_help_record(ctx) for param in params if param.param_type_name == "option"}
    shown = {name: record for name, record in options.items() if record is not None}
    named = {heading: names.split() for heading, names in _HEADINGS.items()}
    others = [name for name in shown if not any(name in names for names in named.values())]
    named = named if len(shown) > _FEW else {"Options": [*shown]}
    sections = {"Arguments": arguments}
    for heading, names in named.items():
        sections[heading] = [shown[name] for name in names or others if name in shown]
    for title, entries in sections.items():
        if entries:
            with formatter.section(translated(title)):
                _write_list(formatter, [(name, translated(text or "")) for name, text in entries])


def _first_sentence(text: str) -> str:
    """Return the first sentence of a help text in the current language, without its full stop."""
    return re.split(r"\.(?:\s|$)|。", translated(cleandoc(text).strip()))[0].strip()


def _write_list(formatter: Any, entries: Sequence[tuple[str, str]]) -> None:
    """Write names with their texts."""
    columns = formatter.width - min(30, max(len(name) for name, _ in entries)) - 4
    formatter.write_dl([(name, _folded(text, columns)) for name, text in entries])


def _folded(text: str, columns: int) -> str:
    r"""Return a text of wide characters in lines that typer keeps; typer folds by characters, not by columns.

    >>> with chosen.using("ja"):
    ...     _folded("牌譜を読む。 --to mjai", 8), _folded("a text", 3)
    ('\x08\n牌譜を読\nむ。\n--to\nmjai', 'a text')
    """
    if text.isascii() or current() == "en":
        return text
    paragraphs = []
    for paragraph in text.split("\n\n"):
        lines = ["\b", ""]
        for part in [] if paragraph.startswith("\b") else re.findall(r"[!-~]+|.", paragraph):
            if width(lines[-1] + part) > columns and part not in _NEVER_FIRST:
                lines.append("")
            lines[-1] += part if lines[-1] else part.strip()
        paragraphs.append("\n".join(map(str.rstrip, lines)) if lines[-1] else paragraph)
    return "\n\n".join(paragraphs)


#: Signs with which no line begins.
_NEVER_FIRST: Final = "、。，；：）」』"


def exit_on_error() -> AbstractContextManager[None]:
    """Print an error on standard error, and leave the command with its status."""
    return leaving_on_error(typer.Exit)
