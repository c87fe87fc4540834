"""The exit statuses of the command, and the messages of errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from mjconv.ir.errors import LossError, MjconvError, UsageError, file_of, visible
from mjconv.ir.plural import counted
from mjconv.languages import translated
from mjconv.settings import Setting

if TYPE_CHECKING:
    from mjconv.archive.where import Where


#: Whether only errors are printed.
quiet: Final = Setting("quiet", False)


class Exit(IntEnum):
    """The exit statuses of the command."""

    DONE = 0
    BAD_INPUT = 1
    WRONG_USAGE = 2
    WOULD_LOSE = 3
    INTERRUPTED = 130


@contextmanager
def leaving_on_error(leave: Callable[[int], BaseException]) -> Iterator[None]:
    """Print an error on standard error, and raise the exception that `leave` makes of its status."""
    try:
        yield
        # A language server closes it.
        if sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the output has ended, and Python would report the rest of it at exit.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise leave(Exit.BAD_INPUT) from None
    except (MjconvError, OSError) as error:
        print_message(error_text(error))
        raise leave(exit_status(error)) from None
    except KeyboardInterrupt:
        print_message("mjconv: interrupted")
        raise leave(Exit.INTERRUPTED) from None


def show_any_character() -> None:
    """Print a character that the terminal cannot show as an escape, instead of an error; elsewhere, print UTF-8.

    Windows would write its code page and CR LF to files and pipes, and JSON with escapes that are none of JSON.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            if not stream.isatty() and "PYTHONIOENCODING" not in os.environ:
                stream.reconfigure(encoding="utf-8", newline="\n")
            stream.reconfigure(errors="backslashreplace")


def error_text(error: MjconvError | OSError) -> str:
    """Return the message of an error, safe for a terminal.

    >>> error_text(FileNotFoundError(2, "No such file or directory", "game.jmjp"))
    'mjconv: error: game.jmjp: No such file or directory'
    """
    if isinstance(error, MjconvError):
        # Its text is safe already, and the line breaks before the shown line must stay.
        return f"mjconv: error: {error}"
    return visible(": ".join(filter(None, ("mjconv: error", file_of(error), error.strerror or str(error)))))


def exit_status(error: MjconvError | OSError) -> Exit:
    """Return the exit status for an error.

    >>> int(exit_status(UsageError("no such format")))
    2
    """
    if isinstance(error, UsageError):
        return Exit.WRONG_USAGE
    return Exit.WOULD_LOSE if isinstance(error, LossError) else Exit.BAD_INPUT


class Failures:
    """Prints the errors of files, unless it is `silent`: a bad file must not hide the others.

    `number` counts the errors, and `status` is the exit status of the worst.
    """

    def __init__(self) -> None:
        self.number = 0
        self.status = Exit.DONE
        self.silent = False

    def add(self, error: MjconvError | OSError) -> None:
        """Print an error."""
        self.number += 1
        self.status = max(self.status, exit_status(error))
        if not self.silent:
            print_message(error_text(error))

    @contextmanager
    def going_on(self) -> Iterator[None]:
        """Add an error instead of raising it. Raises `BrokenPipeError` all the same."""
        try:
            yield
        except BrokenPipeError:
            # Nobody reads the output any more.
            raise
        except (MjconvError, OSError) as error:
            self.add(error)


def print_message(text: str) -> None:
    """Print on standard error in the language of the person, unless its reader has ended or it is closed.

    `text` must be safe for a terminal.
    """
    if sys.stderr is None:
        # `print` would write to standard output instead, in the middle of a record.
        return
    with suppress(BrokenPipeError):
        print(translated(text), file=sys.stderr, flush=True)


def print_note(text: str) -> None:
    """Print a message that is no error, unless ``--quiet`` is given."""
    if not quiet.current():
        print_message(text)


def print_messages(lines: Iterable[str]) -> None:
    """Print lines on standard error, as `print_message` does."""
    for line in lines:
        print_message(line)


def print_notes(lines: Iterable[str]) -> None:
    """Print lines, as `print_note` does."""
    print_messages(() if quiet.current() else lines)


def print_left_out(where: Where | None) -> None:
    """Print the number of matches that ``--where`` left out, if it did."""
    if where is not None and where.left_out:
        print_note(f"mjconv: {counted(where.left_out, 'match', grouped=True)} left out by --where")
