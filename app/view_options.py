"""The arguments and options of `mjconv view`."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import typer

from mjconv.ir.errors import UsageError
from mjconv.options import one_of

#: The languages that ``--lang`` takes. `mjconv.viewer.words` is not loaded at every start.
LANGUAGES: Final = ("en", "ja", "zh")

File: TypeAlias = Annotated[str, typer.Argument(metavar="IN", help="File to show; - is standard input.")]
Page: TypeAlias = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="OUT", help="Page to write, such as game.html; - is standard output."),
]
Open: TypeAlias = Annotated[
    bool, typer.Option("--open", help="Open the page in the browser; without -o it is a temporary file.")
]
Terminal: TypeAlias = Annotated[
    bool, typer.Option("--terminal", help="Show the match in the terminal; needs Textual.")
]
AsText: TypeAlias = Annotated[bool, typer.Option("--text", help="Print the match as text.")]
Seat: TypeAlias = Annotated[
    str, typer.Option("--seat", metavar="SEAT", help="Look from this seat, counted from 0.")
]
RoundName: TypeAlias = Annotated[
    str | None,
    typer.Option("--round", metavar="ROUND", help="Begin with this round, such as S3-1."),
]
StepNumber: TypeAlias = Annotated[
    str, typer.Option("--step", metavar="STEP", help="Begin with this step of the round; 0 is the deal.")
]
MatchNumber: TypeAlias = Annotated[
    str | None, typer.Option("--match", metavar="N", help="Show this match of the file, counted from 1.")
]
Lang: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--lang",
        metavar="LANG",
        help="Language: en, ja or zh; default: the browser's, else en.",
        autocompletion=one_of(*LANGUAGES),
    ),
]
Marked: TypeAlias = Annotated[
    bool, typer.Option("--check", help="Check the match by the rules, and mark the findings at their steps.")
]
NoWallShown: TypeAlias = Annotated[
    bool, typer.Option("--no-wall", help="Show no walls, and do not work them out.")
]

#: The most digits of a number that an option takes.
_MOST_DIGITS: Final = 9


def whole_number(option: str, text: str, least: int = 0) -> int:
    """Return the number that an option has. Raises `UsageError` if it is none, or less than `least`.

    >>> whole_number("--seat", "2")
    2
    """
    if not text.isascii() or not text.isdigit() or len(text) > _MOST_DIGITS or int(text) < least:
        raise UsageError(f"{option} takes a whole number from {least} on, not {text!r}")
    return int(text)
