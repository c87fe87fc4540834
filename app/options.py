"""The arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeAlias, get_args

import typer

from mjconv import encoding, walls
from mjconv.converters.formats import known_names
from mjconv.ir import limits
from mjconv.referee.findings import Level
from mjconv.referee.house import SWITCHES


def format_names(incomplete: str) -> list[str]:
    """Return the names of formats that begin so, for completion."""
    return [name for name in known_names() if name.startswith(incomplete)]


def score_formats(incomplete: str) -> list[str]:
    """Return the formats of score tables that begin so, for completion."""
    # Imported here: only completion needs the list.
    from mjconv.score_formats import FORMATS

    return [name for name in FORMATS if name.startswith(incomplete)]


def score_periods(incomplete: str) -> list[str]:
    """Return the periods of score tables that begin so, for completion."""
    from mjconv.score_series import PERIODS

    return [name for name in PERIODS if name.startswith(incomplete)]


def level_names(incomplete: str) -> list[str]:
    """Return the levels of the checks that begin so, for completion."""
    return [level for level in get_args(Level) if level.startswith(incomplete)]


def house_rules(incomplete: str) -> list[str]:
    """Return the rules that a list of house rules can continue with, for completion.

    >>> house_rules("kiriage,re")
    ['kiriage,reds=']
    """
    head, comma, begun = incomplete.rpartition(",")
    words = (*SWITCHES, *(f"no-{name}" for name in SWITCHES if begun.startswith("no-")), "reds=")
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


def limit_names(incomplete: str) -> list[str]:
    """Return the names of limits that begin so, each with its equals sign, for completion."""
    return [f"{name}=" for name, *_ in limits.described() if name.startswith(incomplete)]


def one_of(*words: str) -> Callable[[str], list[str]]:
    """Return the function that completes a word of a list.

    >>> one_of("auto", "always", "never")("a")
    ['auto', 'always']
    """
    return lambda incomplete: [word for word in words if word.startswith(incomplete)]


def encoding_names(incomplete: str) -> list[str]:
    """Return the names of common encodings that begin so, for completion."""
    return [name for name in encoding.COMMON if name.startswith(incomplete)]


def _read_in(context: typer.Context, name: str | None) -> None:
    """Put the encoding in force while the command runs."""
    if name is not None:
        context.with_resource(encoding.using(name))


def _without_walls(context: typer.Context, wanted: bool) -> None:
    """Skip walls while the command runs."""
    if wanted:
        context.with_resource(walls.using(False))


def _hold(context: typer.Context, settings: list[str] | None) -> None:
    """Apply the limits while the command runs."""
    if settings:
        context.with_resource(limits.using(limits.parse(*settings)))


Inputs: TypeAlias = Annotated[
    list[str], typer.Argument(metavar="IN...", help="Files to read; - is standard input.", show_default=False)
]
Paths: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="IN...", help="Files, folders, archives, patterns such as 'logs/*.zip'.", show_default=False
    ),
]
Output: TypeAlias = Annotated[
    str | None, typer.Option("-o", "--output", metavar="OUT", help="File to write; - is standard output.")
]
From: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        help="Format of the input, if its name and contents do not show it.",
        autocompletion=format_names,
    ),
]
To: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help="Format of the output, if its name does not show it.",
        autocompletion=format_names,
    ),
]
Plain: TypeAlias = Annotated[
    bool,
    typer.Option("--plain", help="Write no notes. Notes keep data that the output format cannot express."),
]
Fill: TypeAlias = Annotated[
    bool, typer.Option("--fill", help="Write values that can be derived but are missing in the input.")
]
Lossy: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--lossy", help="Hide tiles that the output format lacks. Without --lossy, such a match is refused."
    ),
]
Strict: TypeAlias = Annotated[
    bool,
    typer.Option("--strict", help="Write nothing if data would be dropped, assumed or approximated (status 3)."),
]
ReportFile: TypeAlias = Annotated[
    str | None,
    typer.Option("--report", metavar="FILE", help="Write all losses and warnings to this file, as JSON."),
]
Check: TypeAlias = Annotated[
    bool,
    typer.Option("--check", help="Check the input by the rules first; write nothing if there are errors."),
]
Verify: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--verify", help="Read the output again and compare it with the input; write nothing if they differ."
    ),
]
HouseRules: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--house",
        metavar="RULES",
        autocompletion=house_rules,
        help=f"House rules for the check, separated by commas: {', '.join(SWITCHES)}, reds=111.",
    ),
]
Limit: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=NUMBER",
        callback=_hold,
        autocompletion=limit_names,
        help="Change an input limit, for example file-bytes=2GiB.",
    ),
]
NoClobber: TypeAlias = Annotated[bool, typer.Option("--no-clobber", help="Overwrite no existing file.")]
InPlace: TypeAlias = Annotated[
    bool,
    typer.Option("--in-place", help="Let the output replace an input; without -o, replace the input."),
]
TextEncoding: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        callback=_read_in,
        autocompletion=encoding_names,
        help="Read text in this encoding, for example shift_jis; usually UTF-8. Output is UTF-8.",
    ),
]
Seat: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--seat",
        metavar="SEAT",
        min=0,
        max=3,
        help="Write the in-game stream that the player at this seat, 0 to 3, receives: other tiles are ?.",
    ),
]
NoWall: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--no-wall", callback=_without_walls, help="Do not work out the walls from the seeds of Tenhou records."
    ),
]
Quiet: TypeAlias = Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")]
