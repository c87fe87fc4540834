"""The arguments and options of `mjconv validate`."""

from __future__ import annotations

from typing import Annotated, TypeAlias, get_args

import typer

from mjconv.colours import WHEN
from mjconv.finding_outputs import OUTPUTS
from mjconv.options import code_names, level_names, one_of
from mjconv.referee.findings import Level as CheckLevel

Files: TypeAlias = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Files, folders, archives; - is standard input.", show_default=False),
]
Level: TypeAlias = Annotated[
    str,
    typer.Option(
        "--level",
        metavar="LEVEL",
        autocompletion=level_names,
        help=f"The level of the checks: {', '.join(get_args(CheckLevel))}.",
    ),
]
Explain: TypeAlias = Annotated[
    bool, typer.Option("--explain", help="Show a picture of the table at each finding.")
]
Select: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        metavar="CODES",
        help="Report only these: R042, R04, furiten, with commas.",
        autocompletion=code_names,
    ),
]
Ignore: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--ignore", metavar="CODES", help="Do not report these.", autocompletion=code_names),
]
FindingFormat: TypeAlias = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="OUTPUT",
        help=f"How findings are printed: {', '.join(OUTPUTS)}.",
        autocompletion=one_of(*OUTPUTS),
    ),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="The same as --format json.")]
Color: TypeAlias = Annotated[
    str,
    typer.Option("--color", metavar="WHEN", help=f"Use colours: {', '.join(WHEN)}.", autocompletion=one_of(*WHEN)),
]
WarningsAsErrors: TypeAlias = Annotated[
    bool, typer.Option("--strict", help="Treat warnings as errors (status 1).")
]
