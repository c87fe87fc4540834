"""The command ``mjconv``: its sub-commands, and the actions that they begin."""

from typing import Annotated, Any, Final

import typer

from mjconv.batch.shapes import TARGETS
from mjconv.command.console import leaving_on_error, show_any_character
from mjconv.command.group import ConvertByDefault, SubGroup
from mjconv.command.options import add_commands
from mjconv.converters.formats import all_formats, find
from mjconv.files.address import is_address
from mjconv.ir.errors import UsageError
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
  mjconv score may.club -o may.html  add up the results of an evening
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


def formats(*, names: list[str] | None) -> None:
    """List the formats with their flavours and extensions, or those of these names."""
    rows = [("FORMAT", "EXTENSIONS", "DESCRIPTION")]
    wanted = [find(name, TARGETS)[0] for name in names or () if name not in TARGETS]
    for form in wanted if names else all_formats():
        rows.append((form.id, " ".join(form.files.extensions), form.description))
        for flavour, description in form.flavours.items():
            rows.append((flavour, " ".join(form.own_extensions(flavour)), description))
    # Of all commands, only batch writes it.
    own = {name: target for name, target in TARGETS.items() if not names or name in names}
    rows += [(name, target.extension, target.description) for name, target in own.items()]
    for line in aligned((*row, translated(description)) for *row, description in rows):
        print(line.rstrip())


def schema(*, names: list[str] | None) -> None:
    """Print the JSON Schemas of these names, or list the names."""
    from mjconv import schemas

    for name in names or ():
        check_word("NAME", name, schemas.names())
    print("\n".join(schemas.text(name).rstrip() for name in names) if names else "\n".join(schemas.names()))


def convert_archives(**given: Any) -> int:
    """Convert archives on this machine; as a fleet if the output is an address."""
    from mjconv.command.batch import BatchOptions, run_batch

    options = BatchOptions.of(**given)
    if options.resume and options.force:
        raise UsageError("--resume continues a run, and --force starts it again: leave one of them out")
    if is_address(options.output):
        from mjconv.command.fleet import batch_to_address

        return batch_to_address(options)
    return run_batch(options)


_FLEET: Final = """Convert archives on many machines: a plan of shards, an engine that runs them, and a manifest.

\b
  mjconv fleet plan 's3://logs/**/*.zip' -o s3://out/run --to parquet
  mjconv fleet run s3://out/run --engine ray
  mjconv fleet status s3://out/run
"""
fleet = typer.Typer(help=_FLEET, rich_markup_mode=None)
app.add_typer(fleet, name="fleet", cls=SubGroup)
add_commands(app, fleet)


def main() -> None:
    """Run the command."""
    show_any_character()
    # The help and the version are printed before a command runs.
    with leaving_on_error(SystemExit):
        app(prog_name="mjconv")
