"""The command ``mjconv``: its sub-commands, and the actions that they begin."""

from typing import Annotated, Any, Final

import typer

from mjconv.batch.shapes import TARGETS
from mjconv.command.console import show_any_character
from mjconv.command.group import DEFAULT, ConvertByDefault, SubGroup
from mjconv.command.options import add_command
from mjconv.converters.formats import all_formats, find
from mjconv.files.address import is_address
from mjconv.ir.suggestion import check_word
from mjconv.languages import translated
from mjconv.messages import aligned
from mjconv.version import VERSION

# Actions that need large modules are loaded where they begin: every start would pay for them.

HELP: Final = """Convert mahjong records from one notation to another; report every loss.

\b
  mjconv game.jmjp -o game.mjson     formats from the file names
  mjconv - -f jmjp -t mjai           standard input to standard output
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
        bool, typer.Option("-V", "--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


@add_command(app, DEFAULT, "convert:join")
def convert() -> None:
    """Convert records; several inputs become one output. The word convert may be left out."""


@add_command(app, "info", "info:show_files")
def info() -> None:
    """Show the contents of files: players, rounds, results."""


@add_command(app, "validate", "validate:validate_files")
def validate() -> None:
    """Check records: grammar, order of events, rules of play."""


@add_command(app, "formats")
def formats(*, names: list[str] | None) -> None:
    """List the formats with their flavours and extensions."""
    rows = [("FORMAT", "EXTENSIONS", "DESCRIPTION")]
    wanted = [find(name)[0] for name in names or ()]
    for form in wanted or all_formats():
        rows.append((form.id, " ".join(form.files.extensions), form.description))
        for flavour, description in form.flavours.items():
            rows.append((flavour, " ".join(form.own_extensions(flavour)), description))
    # Of all commands, only batch writes it.
    own = {} if wanted else TARGETS
    rows += [(name, target.extension, target.description) for name, target in own.items()]
    for line in aligned((*row, translated(description)) for *row, description in rows):
        print(line.rstrip())


@add_command(app, "schema")
def schema(*, names: list[str] | None) -> None:
    """Print JSON Schemas of mjai; without a name, list them."""
    from mjconv import schemas

    for name in names or ():
        check_word("NAME", name, schemas.names())
    print("\n".join(schemas.text(name).rstrip() for name in names) if names else "\n".join(schemas.names()))


@add_command(app, "explain")
def explain(*, words: list[str]) -> None:
    """Explain codes of findings, names of losses and fates, each with the page that has more."""
    from mjconv.command.explain import explain as explained

    print("\n".join(explained(words)))


@add_command(app, "split", "split:split")
def split() -> None:
    """Write each match of a file to its own file.

    The format stays the same unless --to or the output name sets another.
    """


@add_command(app, "view", "view:view_files")
def view() -> None:
    """Show a match step by step: as a page for the browser, in the terminal, or as text.

    The page is one file that uses no network. Several games become one page, with their standings first.
    """


@add_command(app, "new", "new:make_file")
def new() -> None:
    """Make a file to type into: a match in jmjp or uzje, or the results of an evening in club or hk.

    Its comments say what goes where.
    """


@add_command(app, "fmt", "typed:format_files")
def fmt() -> None:
    """Lay out texts that people type, jmjp, uzje, hk and club, in their usual lines.

    Only white space changes: before a file is written, its tokens and comments are compared.
    """


@add_command(app, "lsp", "typed:serve")
def lsp() -> None:
    """Serve an editor: findings while you type, hover, completion, outline (Language Server Protocol).

    The server talks on standard input and output. An editor starts it.
    """


@add_command(app, "merge", "convert:merge")
def merge() -> None:
    """Write the matches of several files to one file.

    The formats may differ. The output has the format of the first file unless --to or the output name sets
    another.
    """


@add_command(app, "score", "score:score_files")
def score() -> None:
    """Add up games by player name: results of riichi, after oka and uma, or games by Hong Kong rules.

    Of records of riichi the points at the end count. With --as hk their hands count by Hong Kong rules. Without
    --format, the table is aligned on a terminal.
    """


@add_command(app, "stats", "stats:count_players")
def stats() -> None:
    """Count the games of players of riichi: places, wins, deal-ins, riichi, calls.

    Records are read in one process; of large archives, make columns first with batch --to parquet. Without
    --format, the table is aligned on a terminal.
    """


@add_command(app, "review", "review:review_files")
def review() -> None:
    """Let a bot that speaks mjai answer in the place of a player, and compare it with the record.

    Any riichi record will do. Without -o, a summary is printed. The status is 1 if an answer was illegal, late, or
    no message.
    """


@add_command(app, "serve", "serve:serve_page")
def serve() -> None:
    """Serve a page for people without a command line, and its API: drop a record, see, check and convert it.

    Each request has a worker process, with limits of time, memory and size. Nothing is kept.
    """


@add_command(app, "batch")
def batch(**given: Any) -> int:
    """Convert whole archives on all cores.

    Files that cannot be converted are listed in failures.jsonl in the output folder, or in OUT.failures.jsonl
    beside an output file. The other files are converted.
    """
    from mjconv.command.batch import BatchOptions, run_batch

    wanted = BatchOptions.of(**given)
    if is_address(wanted.output):
        from mjconv.command.fleet import batch_to_address

        return batch_to_address(wanted)
    return run_batch(wanted)


_FLEET: Final = """Convert archives on many machines: a plan of shards, an engine that runs them, and a manifest.

\b
  mjconv fleet plan 's3://logs/**/*.zip' -o s3://out/run --to parquet
  mjconv fleet run s3://out/run --engine ray
  mjconv fleet status s3://out/run
"""
fleet = typer.Typer(help=_FLEET, rich_markup_mode=None)
app.add_typer(fleet, name="fleet", cls=SubGroup)


@add_command(fleet, "fleet plan", "fleet:make_plan")
def plan() -> None:
    """Divide archives into shards, and write the plan."""


@add_command(fleet, "fleet run", "fleet:run_fleet")
def run() -> None:
    """Convert the shards that have no result yet, and write the manifest.

    An interrupted run is continued by the same command, also with another engine. With --part, several machines
    convert a part each.
    """


@add_command(fleet, "fleet finish", "fleet:finish_fleet")
def finish() -> None:
    """Write the manifest of shards that are converted, for example by parts of a cluster's job."""


@add_command(fleet, "fleet status", "fleet:show_status")
def status() -> None:
    """Show the number of shards that are done. Another process may run them at the same time."""


@add_command(fleet, "fleet verify", "fleet:verify")
def verify() -> None:
    """Compare the contents of all parts with the SHA-256 that were written."""


@add_command(fleet, "fleet clean", "fleet:clean")
def clean() -> None:
    """Remove the objects of earlier plans, and the temporary files of killed processes.

    A run may go on at the same time.
    """


def main() -> None:
    """Run the command."""
    show_any_character()
    app(prog_name="mjconv")
