"""The command ``mjconv``: its arguments and options."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Final

import typer

from mjconv import view_options as viewing
from mjconv.batch.options import (
    BatchOutput,
    BatchTarget,
    CheckMembers,
    Jobs,
    KanachanSettings,
    KeepBad,
    Resume,
    Shards,
    StartAgain,
    StrictMembers,
    SummaryFile,
    VerifyMembers,
)
from mjconv.batch.shapes import TARGETS
from mjconv.commands import ConvertOptions, join, summarise_files
from mjconv.commands import split as split_file
from mjconv.console import json_line, print_message
from mjconv.converters.formats import all_formats, find
from mjconv.exits import Exit, error_text, exit_status, show_any_character
from mjconv.fleet.cli import fleet_commands
from mjconv.group import DEFAULT, ConvertByDefault, SubCommand, SubGroup
from mjconv.ir.errors import UsageError
from mjconv.options import (
    Check,
    Fill,
    From,
    HouseRules,
    InPlace,
    Inputs,
    Limit,
    Lossy,
    NoClobber,
    NoWall,
    Output,
    Paths,
    Plain,
    Quiet,
    ReportFile,
    Seat,
    Strict,
    TextEncoding,
    To,
    Verify,
    score_formats,
    score_periods,
)
from mjconv.storage.address import is_address
from mjconv.summary import FileSummary, lines
from mjconv.validate_options import (
    AsJson,
    Color,
    Explain,
    Files,
    FindingFormat,
    Ignore,
    Level,
    Select,
    WarningsAsErrors,
)
from mjconv.version import VERSION

HELP: Final = """Convert mahjong records from one notation to another; report every loss.

\b
  mjconv game.jmjp -o game.mjson     formats from the file names
  mjconv - --from jmjp --to mjai     standard input to standard output
  mjconv mon.mjson tue.jmjp -o all.jmjp
  mjconv info game.jmjp              show players, rounds and results
  mjconv view game.jmjp --open       show a match step by step
  mjconv validate logs.zip           check records for errors
  mjconv batch logs.zip -o out/ --to jmjp

If a file has the name of a command, write its folder too: ./info
"""

app = typer.Typer(
    name="mjconv",
    cls=ConvertByDefault,
    help=HELP,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


def _joining(*, like_first: bool) -> Callable[..., None]:
    """Return a command that writes all inputs to one output; `convert` and `merge` have the same options."""

    def command(
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
        no_clobber: NoClobber = False,
        in_place: InPlace = False,
        verify: Verify = False,
        seat: Seat = None,
        _limit: Limit = None,
        _encoding: TextEncoding = None,
        _no_wall: NoWall = False,
    ) -> None:
        options = ConvertOptions(
            source,
            target,
            plain,
            fill,
            strict,
            report,
            quiet,
            lossy,
            check,
            house,
            clobber=not no_clobber,
            in_place=in_place,
            verify=verify,
            seat=seat,
        )
        join(inputs, output, options, like_first=like_first)

    return command


app.command(DEFAULT, cls=SubCommand, hidden=True, help="Convert records; several inputs become one output.")(
    _joining(like_first=False)
)


@app.command(cls=SubCommand)
def info(
    files: Inputs,
    source: From = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per file, each on one line.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Also read folders and archives: show all records in them.")
    ] = False,
    quiet: Quiet = False,
    _limit: Limit = None,
    _encoding: TextEncoding = None,
) -> None:
    """Show the contents of files: players, rounds, results."""
    if source is not None:
        find(source)
    worst = Exit.DONE
    for summary in summarise_files(files, source, everything=everything, quiet=quiet):
        if isinstance(summary, FileSummary):
            print(json_line(summary) if as_json else "\n".join(lines(summary)))
        else:
            # A bad file must not hide the others.
            print_message(error_text(summary))
            worst = max(worst, exit_status(summary))
    raise typer.Exit(worst)


@app.command(cls=SubCommand)
def validate(
    files: Files,
    level: Level = "rules",
    explain: Explain = False,
    select: Select = None,
    ignore: Ignore = None,
    output: FindingFormat = "text",
    as_json: AsJson = False,
    color: Color = "auto",
    source: From = None,
    house: HouseRules = None,
    strict: WarningsAsErrors = False,
    quiet: Quiet = False,
    _limit: Limit = None,
    _encoding: TextEncoding = None,
) -> None:
    """Check records: grammar, order of events, rules of play."""
    # Loaded here: no other command needs it, and it would slow down every start.
    from mjconv.validate_files import ValidateOptions, validate_files

    if as_json and output not in ("text", "json"):
        raise UsageError(f"--json is --format json, but --format is {output!r}: leave one of them out")
    options = ValidateOptions(
        level=level,
        source=source,
        house=house or "",
        pictures=explain,
        select=select or (),
        ignore=ignore or (),
        output="json" if as_json else output,
        color=color,
        strict=strict,
        quiet=quiet,
    )
    raise typer.Exit(Exit.DONE if validate_files(files, options) else Exit.BAD_INPUT)


@app.command(cls=SubCommand)
def formats() -> None:
    """List the formats with their flavours and extensions."""
    rows = [("FORMAT", "EXTENSIONS", "DESCRIPTION")]
    for form in all_formats():
        rows.append((form.id, " ".join(form.extensions), form.description))
        for flavour, description in form.flavours.items():
            rows.append((flavour, " ".join(form.own_extensions(flavour)), description))
    # Of all commands, only batch writes it.
    rows += [(name, target.extension, target.description) for name, target in TARGETS.items()]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for name, extensions, description in rows:
        print(f"{name:<{widths[0]}}  {extensions:<{widths[1]}}  {description}")


@app.command(cls=SubCommand)
def split(
    file: Annotated[str, typer.Argument(metavar="IN", help="File to split; - is standard input.")],
    where: Annotated[
        str,
        typer.Option("-o", "--output", metavar="OUT", help="Folder, or a pattern such as out/game_%03d.jmjp."),
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
    verify: Verify = False,
    _limit: Limit = None,
    _encoding: TextEncoding = None,
    _no_wall: NoWall = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
) -> None:
    """Write each match of a file to its own file.

    The format stays the same unless --to or the output name sets another.
    """
    split_file(
        file,
        where,
        ConvertOptions(source, target, plain, fill, strict, report, quiet, lossy, check, house, verify=verify),
        force=force,
    )


@app.command(cls=SubCommand)
def view(
    file: viewing.File,
    output: viewing.Page = None,
    opens: viewing.Open = False,
    terminal: viewing.Terminal = False,
    text: viewing.AsText = False,
    seat: viewing.Seat = "0",
    place: viewing.RoundName = None,
    step: viewing.StepNumber = "0",
    match: viewing.MatchNumber = None,
    lang: viewing.Lang = None,
    check: viewing.Marked = False,
    house: HouseRules = None,
    no_wall: viewing.NoWallShown = False,
    source: From = None,
    no_clobber: NoClobber = False,
    quiet: Quiet = False,
    _limit: Limit = None,
    _encoding: TextEncoding = None,
) -> None:
    """Show a match step by step: as a page for the browser, in the terminal, or as text.

    The page is one file that uses no network.
    """
    # Loaded here: no other command needs it, and it would slow down every start.
    from mjconv.view_command import ViewOptions, view_file

    view_file(
        file,
        ViewOptions(
            output,
            opens,
            terminal,
            text,
            source,
            viewing.whole_number("--seat", seat),
            0 if place is None else place,
            viewing.whole_number("--step", step),
            None if match is None else viewing.whole_number("--match", match, 1),
            lang,
            check,
            house,
            not no_wall,
            not no_clobber,
            quiet,
        ),
    )


MERGE_HELP: Final = """Write the matches of several files to one file.

The formats may differ. The output has the format of the first file unless --to or the output name sets another.
"""
app.command("merge", cls=SubCommand, help=MERGE_HELP)(_joining(like_first=True))


@app.command(cls=SubCommand)
def score(
    files: Inputs,
    output: Output = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="tsv, csv, json, md or xlsx; default: by the name of OUT, else tsv.",
            autocompletion=score_formats,
        ),
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option(
            "--sort", metavar="COLUMN", help="Sort by this column, such as name; default: net_score_per_game."
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="PERIOD",
            help="A table for each day, month or year.",
            autocompletion=score_periods,
        ),
    ] = None,
    running: Annotated[
        bool, typer.Option("--running", help="The points of each player after each game, or each period of --by.")
    ] = False,
    blame: Annotated[
        bool, typer.Option("--blame", help="Also count the games that each player is to blame for.")
    ] = False,
    since: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="Count games on or after this date, yyyy-mm-dd.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--to", metavar="DATE", help="Count games before this date, yyyy-mm-dd.")
    ] = None,
    quiet: Quiet = False,
    no_clobber: NoClobber = False,
    _limit: Limit = None,
    _encoding: TextEncoding = None,
) -> None:
    """Add up the games of Hong Kong score files, by player name.

    Records of other formats are converted first. Without --format, the table is aligned on a terminal.
    """
    # Loaded here: no other command needs it, and it would slow down every start.
    from mjconv.score_command import ScoreOptions, score_files

    score_files(files, output, ScoreOptions(form, blame, since, until, sort, by, running, quiet, not no_clobber))


@app.command(cls=SubCommand)
def batch(
    inputs: Paths,
    output: BatchOutput,
    target: BatchTarget,
    source: From = None,
    jobs: Jobs = None,
    resume: Resume = False,
    force: StartAgain = False,
    keep_bad: KeepBad = None,
    report: SummaryFile = None,
    shards: Shards = None,
    plain: Plain = False,
    fill: Fill = False,
    lossy: Lossy = False,
    strict: StrictMembers = False,
    check: CheckMembers = False,
    house: HouseRules = None,
    verify: VerifyMembers = False,
    kanachan: KanachanSettings = None,
    _limit: Limit = None,
    _encoding: TextEncoding = None,
    _no_wall: NoWall = False,
    quiet: Quiet = False,
) -> None:
    """Convert whole archives on all cores.

    Files that cannot be converted are listed in failures.jsonl in the output folder, or in OUT.failures.jsonl
    beside an output file. The other files are converted.
    """
    # Loaded here: no other command needs it, and it would slow down every start.
    from mjconv.batch.launch import BatchOptions, launch

    options = BatchOptions(
        inputs=inputs,
        output=output,
        target=target,
        source=source,
        jobs=jobs,
        resume=resume,
        force=force,
        keep_bad=keep_bad,
        report=report,
        shards=shards,
        plain=plain,
        fill=fill,
        lossy=lossy,
        strict=strict,
        check=check,
        house=house,
        verify=verify,
        quiet=quiet,
        kanachan=kanachan,
    )
    if is_address(output):
        from mjconv.fleet.command import batch_to_address

        raise typer.Exit(batch_to_address(options))
    launch(options)


app.add_typer(fleet_commands, name="fleet", cls=SubGroup)


def main() -> None:
    """Run the command."""
    show_any_character()
    try:
        app(prog_name="mjconv")
    except KeyboardInterrupt:
        sys.exit(Exit.INTERRUPTED)
