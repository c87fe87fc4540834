"""The start of the command ``mjconv``: plain conversions of files run at once, without the parser of all commands.

Most runs convert one file, and typer takes longer to load than the conversion. This module reads the arguments of
such runs itself. Everything else, also wrong usage, is for the whole command in `mjconv.command.cli`.
"""

import gc
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, Final

#: The options of plain conversions, by the keywords of the command.
_PLAIN: Final = ("output@convert", "source", "target", "report", "quiet", "plain", "fill", "strict", "lossy")
_EXTENSIONS: Final = "typing_extensions"
#: The number of new objects after which a plain conversion first collects garbage.
_OBJECTS: Final = 100_000
#: The variable that the shell sets where it wants completion.
_COMPLETION: Final = "_MJCONV_COMPLETE"


def plain_conversion(words: Sequence[str]) -> tuple[list[str], dict[str, Any]] | None:
    """Return the inputs and options of a conversion of files, or None for all other arguments.

    An input must be a file, and its name must not look like a command or an option. So any other argument, and any
    mistake, is left to the whole command.

    >>> plain_conversion([__file__, "-o", "game.mjson", "--plain"]) == (
    ...     [__file__],
    ...     {"output": "game.mjson", "plain": True},
    ... )
    True
    >>> plain_conversion(["validate", __file__]), plain_conversion([__file__, "--help"])
    (None, None)
    """
    inputs: list[str] = []
    options: dict[str, Any] = {}
    rows = _rows()
    rest = iter(words)
    for word in rest:
        field, takes_value = rows.get(word, ("", False))
        if takes_value:
            value = next(rest, "")
            if not value or (value.startswith("-") and value != "-"):
                return None
            options[field] = value
        elif field:
            options[field] = True
        elif word.startswith("-") or not (set("./\\") & set(word)) or not os.path.isfile(word):
            return None
        else:
            inputs.append(word)
    return (inputs, options) if inputs else None


def _rows() -> dict[str, tuple[str, bool]]:
    """Return the keyword of each option of plain conversions, by its names, and whether it takes a value."""
    _load_msgspec()
    from mjconv.ir.catalogue import catalogue

    rows = catalogue(__name__, "options.json", dict[str, dict[str, Any]])["rows"]
    return {
        name: (keyword.partition("@")[0], "metavar" in rows[keyword])
        for keyword in _PLAIN
        for name in rows[keyword]["names"].split()
    }


#: The signals that end a process, beside that of Ctrl-C. Windows has no SIGHUP.
_ENDING: Final = ("SIGTERM", "SIGHUP")


def main() -> None:
    """Run the command. A signal that ends it does so as Ctrl-C does: temporary files are removed."""
    try:
        for number in (getattr(signal, name) for name in _ENDING if hasattr(signal, name)):
            # `nohup` ignores SIGHUP, and then the command ignores it too.
            if signal.getsignal(number) == signal.SIG_DFL:
                signal.signal(number, signal.default_int_handler)
        _run()
    except KeyboardInterrupt:
        # Modules may still be loading, so nothing of them is used.
        if sys.stderr is not None:
            print("mjconv: interrupted", file=sys.stderr)
        sys.exit(130)


def _run() -> None:
    plain = None if _COMPLETION in os.environ else plain_conversion(sys.argv[1:])
    if plain is not None:
        from mjconv.command.config import config_path

    # A configuration file is for the whole command.
    if plain is None or config_path():
        from mjconv.command.cli import main as whole

        whole()
        return
    from mjconv.command.console import leaving_on_error, quiet, show_any_character

    show_any_character()
    # The modules of a short run stay loaded, so a search for garbage among them finds nothing.
    gc.set_threshold(_OBJECTS)
    inputs, options = plain
    with leaving_on_error(SystemExit):
        from mjconv.command.convert import JoinOptions, join

        with quiet.using(options.pop("quiet", False)):
            join(JoinOptions.of(inputs=inputs, **options))
    sys.exit(0)


def _load_msgspec() -> None:
    """Import msgspec without `typing_extensions`, which takes as long to load as msgspec itself.

    msgspec prefers it where it is installed, but since Python 3.11 it finds all that it needs in `typing`.
    """
    if _EXTENSIONS in sys.modules:
        return
    # An import of a module that is None here is an `ImportError`.
    sys.modules[_EXTENSIONS] = None  # type: ignore[assignment]
    try:
        import msgspec  # noqa: F401
    finally:
        del sys.modules[_EXTENSIONS]
