"""The command ``mjconv``: its words and options."""

from __future__ import annotations

import sys
from typing import Annotated, Final, TypeAlias, get_args

import typer

from mjconv.batch.command import batch
from mjconv.commands import Wishes, describe, join, judge
from mjconv.commands import split as split_file
from mjconv.console import json_line, say
from mjconv.converters.formats import FORMATS, find, known_names
from mjconv.group import DEFAULT, Exit, FrontDoor, SubCommand, message, status
from mjconv.ir import limits
from mjconv.ir.errors import MjconvError
from mjconv.referee.findings import Level
from mjconv.referee.house import SWITCHES
from mjconv.summary import lines
from mjconv.version import VERSION

HELP: Final = """Convert mahjong records from one notation to another; every loss is named.

\b
  mjconv game.jmjp -o game.mjson     formats by the names of the files
  mjconv - --from jmjp --to mjai     from standard input to standard output
  mjconv mon.mjson tue.jmjp -o all.jmjp
  mjconv info game.jmjp              what is in a file
  mjconv validate logs.zip           whether records are right

A file named like a command is given with its folder: ./info
"""

app = typer.Typer(
    name="mjconv",
    cls=FrontDoor,
    help=HELP,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _names(incomplete: str) -> list[str]:
    return [name for name in known_names() if name.startswith(incomplete)]


Inputs: TypeAlias = Annotated[
    list[str], typer.Argument(metavar="IN...", help="Files to read; - is standard input.", show_default=False)
]
Output: TypeAlias = Annotated[
    str | None, typer.Option("-o", "--output", metavar="OUT", help="File to write; - is standard output.")
]
From: TypeAlias = Annotated[
    str | None,
    typer.Option("--from", metavar="FORMAT", help="Format of the input.", autocompletion=_names),
]
To: TypeAlias = Annotated[
    str | None,
    typer.Option("--to", metavar="FORMAT", help="Format of the output.", autocompletion=_names),
]
Plain: TypeAlias = Annotated[
    bool, typer.Option("--plain", help="Leave out the notes that carry what the format cannot say.")
]
Fill: TypeAlias = Annotated[bool, typer.Option("--fill", help="Write derived values where the source was silent.")]
Lossy: TypeAlias = Annotated[
    bool, typer.Option("--lossy", help="Hide tiles that the format does not know, instead of refusing them.")
]
Strict: TypeAlias = Annotated[
    bool,
    typer.Option("--strict", help="Write nothing if anything is dropped, assumed or approximated: status 3."),
]
ReportFile: TypeAlias = Annotated[
    str | None, typer.Option("--report", metavar="FILE", help="Write all losses and warnings as JSON.")
]
Check: TypeAlias = Annotated[
    bool,
    typer.Option("--check", help="Let the referee look first; write nothing if it finds errors."),
]


def _hold(context: typer.Context, settings: list[str] | None) -> None:
    """Let these limits hold while the command runs."""
    if settings:
        context.with_resource(limits.using(limits.parse(*settings)))


HouseRules: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--house", metavar="RULES", help=f"Rules of the house, with commas: {', '.join(SWITCHES)}, reds=111."
    ),
]
Limit: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--limit", metavar="NAME=NUMBER", callback=_hold, help="Read more or less than usual: file-bytes=2GiB."
    ),
]
Quiet: TypeAlias = Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"mjconv {VERSION}")
        raise typer.Exit


@app.callback()
def _group(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


@app.command(DEFAULT, cls=SubCommand, hidden=True)
def convert(
    inputs: Inputs,
    output: Output = None,
    source: From = None,
    target: To = None,
    plain: Plain = False,
    fill: Fill = False,
    strict: Strict = False,
    report: ReportFile = None,
    quiet: Quiet = False,
    lossy: Lossy = False,
    check: Check = False,
    house: HouseRules = None,
    _limit: Limit = None,
) -> None:
    """Convert records; several inputs are joined in one."""
    join(inputs, output, Wishes(source, target, plain, fill, strict, report, quiet, lossy, check, house))


@app.command(cls=SubCommand)
def info(
    files: Inputs,
    source: From = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a file, a line each.")] = False,
    quiet: Quiet = False,
    _limit: Limit = None,
) -> None:
    """Tell what is in files: players, rounds, results."""
    if source is not None:
        find(source)
    worst = Exit.DONE
    for file in files:
        try:
            summary = describe(file, source, quiet=quiet)
        except (MjconvError, OSError) as error:
            # One bad file does not hide the others.
            say(message(error))
            worst = max(worst, status(error))
        else:
            print(json_line(summary) if as_json else "\n".join(lines(summary)))
    raise typer.Exit(worst)


@app.command(cls=SubCommand)
def validate(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...", help="Files, folders, archives; - is standard input.", show_default=False
        ),
    ],
    level: Annotated[
        str,
        typer.Option("--level", metavar="LEVEL", help=f"How far to look: {', '.join(get_args(Level))}."),
    ] = "rules",
    explain: Annotated[bool, typer.Option("--explain", help="Show the table at each finding.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a finding, a line each.")] = False,
    source: From = None,
    house: HouseRules = None,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings count as errors do: status 1.")] = False,
    quiet: Quiet = False,
    _limit: Limit = None,
) -> None:
    """Tell what is not right in records: in their grammar, in the order of messages, by the rules of play."""
    right = judge(
        files,
        level,
        source=source,
        house=house or "",
        pictures=explain,
        as_json=as_json,
        strict=strict,
        quiet=quiet,
    )
    raise typer.Exit(Exit.DONE if right else Exit.BAD_INPUT)


@app.command(cls=SubCommand)
def formats() -> None:
    """List the formats, their flavours and extensions."""
    rows = [("FORMAT", "EXTENSIONS", "DESCRIPTION")]
    for form in FORMATS:
        rows.append((form.id, " ".join(form.extensions), form.description))
        for flavour, description in form.flavours.items():
            usual = (extension for extension, named in form.extensions.items() if named == flavour)
            rows.append((flavour, " ".join(usual), description))
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for name, extensions, description in rows:
        print(f"{name:<{widths[0]}}  {extensions:<{widths[1]}}  {description}")


@app.command(cls=SubCommand)
def split(
    file: Annotated[str, typer.Argument(metavar="IN", help="File to split; - is standard input.")],
    where: Annotated[
        str,
        typer.Option("-o", "--output", metavar="OUT", help="Folder, or a name such as out/game_%03d.jmjp."),
    ],
    source: From = None,
    target: To = None,
    plain: Plain = False,
    fill: Fill = False,
    strict: Strict = False,
    report: ReportFile = None,
    quiet: Quiet = False,
    lossy: Lossy = False,
    check: Check = False,
    house: HouseRules = None,
    _limit: Limit = None,
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there.")] = False,
) -> None:
    """Write each match of a file as a file of its own.

    The format stays the same unless --to, or the name to write to, says another.
    """
    split_file(
        file, where, Wishes(source, target, plain, fill, strict, report, quiet, lossy, check, house), force=force
    )


@app.command(cls=SubCommand)
def merge(
    inputs: Inputs,
    output: Output = None,
    source: From = None,
    target: To = None,
    plain: Plain = False,
    fill: Fill = False,
    strict: Strict = False,
    report: ReportFile = None,
    quiet: Quiet = False,
    lossy: Lossy = False,
    check: Check = False,
    house: HouseRules = None,
    _limit: Limit = None,
) -> None:
    """Join the matches of several files in one.

    Their formats may differ; what is written is the format of the first unless --to, or the name, says another.
    """
    join(
        inputs,
        output,
        Wishes(source, target, plain, fill, strict, report, quiet, lossy, check, house),
        like_first=True,
    )


@app.command(cls=SubCommand)
def score(
    files: Inputs,
    output: Output = None,
    blame: Annotated[
        bool, typer.Option("--blame", help="Count also the games that each player is to blame for.")
    ] = False,
    since: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="Count games of this date and later, yyyy-mm-dd.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--to", metavar="DATE", help="Count games before this date.")
    ] = None,
    _limit: Limit = None,
) -> None:
    """Add up the games of HK score files; players of a name are one.

    Tab-separated in a file or pipe, aligned on a terminal.
    """
    # Loaded here: no other command needs it.
    from mjconv.score import score_files

    score_files(files, output, blame=blame, since=since, until=until)


app.command(cls=SubCommand)(batch)


def main() -> None:
    """Run the command."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            # A name that the terminal's encoding lacks is shown by its code, and is no error.
            stream.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="mjconv")
    except KeyboardInterrupt:
        sys.exit(Exit.INTERRUPTED)
