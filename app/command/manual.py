"""The man page and the shell completions of the command, made from the command itself.

``python -m mjconv.command.manual share`` writes them below the folder ``share``, where systems and wheels expect
them.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mjconv.command.console import Exit
from mjconv.command.group import DEFAULT
from mjconv.converters.formats import FORMATS
from mjconv.version import VERSION

NAME: Final = "mjconv"
#: The path of the man page below the folder of shared files.
MAN_PAGE: Final = "man/man1/mjconv.1"
#: The path of the completion of each shell below the folder of shared files.
COMPLETIONS: Final = {
    "bash": "bash-completion/completions/mjconv",
    "zsh": "zsh/site-functions/_mjconv",
    "fish": "fish/vendor_completions.d/mjconv.fish",
}
#: The meaning of each exit status.
STATUSES: Final[Mapping[Exit, str]] = {
    Exit.DONE: "done",
    Exit.BAD_INPUT: "bad input, or a file that cannot be read or written; errors found by a check",
    Exit.WRONG_USAGE: "wrong usage",
    Exit.WOULD_LOSE: "--strict, and something would be lost",
    Exit.INTERRUPTED: "interrupted",
}
#: zsh runs the file as a function when it completes for the first time: the function must complete at once.
_ZSH_AT_ONCE: Final = '\nif [ "${funcstack[1]}" = "_mjconv" ]; then\n  _mjconv_completion "$@"\nfi\n'


def man_page() -> str:
    """Return the man page in roff.

    >>> man_page().splitlines()[0].startswith('.TH MJCONV 1 ')
    True
    """
    # Imported here: the module of the command is large, and it must not be needed to read the names of files.
    import typer.main

    from mjconv.command.cli import app

    group: Any = typer.main.get_command(app)
    context = group.make_context(NAME, [], resilient_parsing=True)
    options = [*group.commands[DEFAULT].get_params(context), *group.get_params(context)]
    middle = [".SH OPTIONS", *_entries(options, context), ".SH COMMANDS", *_commands_of(group, context, NAME)]
    return "\n".join([*_head(group), *middle, *_tail()]) + "\n"


def completion(shell: str) -> str:
    """Return the completion script for bash, zsh or fish, as the command prints it. Raises `KeyError`.

    >>> "complete" in completion("bash")
    True
    """
    _ = COMPLETIONS[shell]
    command, env = [sys.executable, "-m", "mjconv"], {**os.environ, "_MJCONV_COMPLETE": f"source_{shell}"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return f"{done.stdout.strip()}\n{_ZSH_AT_ONCE if shell == 'zsh' else ''}"


def write(folder: str) -> list[str]:
    """Write the man page and all completions below a folder, and return their paths. Raises `OSError`."""
    texts = {MAN_PAGE: man_page(), **{path: completion(shell) for shell, path in COMPLETIONS.items()}}
    paths = {Path(folder, name): text for name, text in texts.items()}
    for path, text in paths.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return list(map(str, paths))


def _head(group: Any) -> Iterator[str]:
    title, _, rest = (group.help or "").partition("\n")
    yield f'.TH {NAME.upper()} 1 "" "{NAME} {VERSION}" "User Commands"'
    yield from (".SH NAME", f"{NAME} \\- {_roff(title.rstrip('.'))}")
    yield from (".SH SYNOPSIS", f".B {NAME}", "IN... \\-o OUT", ".br", f".B {NAME}", "COMMAND ...")
    yield ".SH DESCRIPTION"
    yield from _paragraphs(rest)


def _commands_of(group: Any, context: Any, path: str) -> Iterator[str]:
    for name, command in group.commands.items():
        inner = command.context_class(command, info_name=name, parent=context)
        yield f".SS {path} {name} {_roff(' '.join(command.collect_usage_pieces(inner)))}"
        yield from _paragraphs(command.help or "")
        if name != DEFAULT:
            # Its options are those of mjconv.
            yield from _entries(command.get_params(inner), inner)
        if hasattr(command, "commands"):
            yield from _commands_of(command, inner, f"{path} {name}")


def _tail() -> Iterator[str]:
    yield ".SH FORMATS"
    for form in FORMATS:
        yield from (".TP", f".B {_roff(form.id)}")
        yield _roff(f"{form.description} ({' '.join(form.files.extensions)})")
    yield ".SH EXIT STATUS"
    for status, meaning in STATUSES.items():
        yield from (".TP", f".B {int(status)}", _roff(meaning))


def _entries(params: list[Any], context: Any) -> Iterator[str]:
    """Yield a list of arguments and options with their help."""
    for param in params:
        if param.param_type_name == "argument":
            record = (param.metavar, param.help)
        else:
            record = param.get_help_record(context)
        if record is not None:
            yield from (".TP", f".B {_roff(record[0])}", _roff(record[1] or ""))


def _paragraphs(text: str) -> Iterator[str]:
    r"""Yield the paragraphs of a help text. One that begins with ``\b`` keeps its lines."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        kept = paragraph.startswith("\b\n")
        lines = paragraph.removeprefix("\b\n").splitlines()
        yield ".PP"
        yield from (".nf", *map(_roff, lines), ".fi") if kept else map(_roff, map(str.strip, lines))


def _roff(text: str) -> str:
    r"""Escape a line of text for roff.

    >>> print(_roff(".mjson -o \\"))
    \&.mjson \-o \e
    """
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    # Formatters of man pages expect ASCII.
    escaped = "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in escaped)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def main() -> None:
    """Write the files below the folder that the first argument names, and print their paths."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(f"usage: python -m {NAME}.manual FOLDER")
    print("\n".join(write(sys.argv[1])))


if __name__ == "__main__":
    main()
