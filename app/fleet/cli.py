"""The commands ``mjconv fleet``: their arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

from mjconv.batch.options import CheckMembers, KanachanSettings, StrictMembers, VerifyMembers
from mjconv.fleet.options import (
    AsJson,
    Attempts,
    ClusterAddress,
    EngineName,
    FleetFolder,
    FleetOutput,
    FleetTarget,
    Lines,
    ShardGames,
    SkipFailed,
    StartAgain,
)
from mjconv.group import SubCommand
from mjconv.options import Fill, From, HouseRules, Limit, Lossy, NoWall, Paths, Plain, Quiet, TextEncoding

# The modules of the actions are loaded where they are used: no other command needs them.

HELP = """Convert archives on many machines: a plan of shards, an engine that runs them, and a manifest.

\b
  mjconv fleet plan 's3://logs/**/*.zip' -o s3://out/run --to parquet
  mjconv fleet run s3://out/run --engine ray
  mjconv fleet status s3://out/run
"""

fleet_commands = typer.Typer(help=HELP, rich_markup_mode=None)
Jobs = Annotated[str | None, typer.Option("--jobs", metavar="N", help="Number of workers; default: one per core.")]


@fleet_commands.command(cls=SubCommand)
def plan(
    inputs: Paths,
    output: FleetOutput,
    target: FleetTarget,
    source: From = None,
    lines: Lines = False,
    games: ShardGames = None,
    engine: EngineName = "local",
    jobs: Jobs = None,
    address: ClusterAddress = None,
    plain: Plain = False,
    fill: Fill = False,
    lossy: Lossy = False,
    strict: StrictMembers = False,
    check: CheckMembers = False,
    house: HouseRules = None,
    verify: VerifyMembers = False,
    kanachan: KanachanSettings = None,
    force: StartAgain = False,
    _limit: Limit = None,
    _encoding: TextEncoding = None,
    _no_wall: NoWall = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Divide archives into shards, and write the plan."""
    from mjconv.batch.launch import BatchOptions
    from mjconv.fleet.command import EngineOptions, make_plan

    batch = BatchOptions(
        inputs=inputs,
        output=output,
        target=target,
        source=source,
        plain=plain,
        fill=fill,
        lossy=lossy,
        strict=strict,
        check=check,
        house=house,
        verify=verify,
        kanachan=kanachan,
        quiet=quiet,
    )
    options = EngineOptions(engine, jobs, address)
    raise typer.Exit(make_plan(batch, options, lines=lines, games=games, force=force, as_json=as_json))


@fleet_commands.command(cls=SubCommand)
def run(
    output: FleetFolder,
    engine: EngineName = "local",
    jobs: Jobs = None,
    address: ClusterAddress = None,
    attempts: Attempts = None,
    skip_failed: SkipFailed = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Convert the shards that have no result yet, and write the manifest.

    An interrupted run is continued by the same command, also with another engine.
    """
    from mjconv.fleet.command import EngineOptions, RunOptions
    from mjconv.fleet.command import run as run_fleet

    options = RunOptions(EngineOptions(engine, jobs, address), attempts, skip_failed, as_json, quiet)
    raise typer.Exit(run_fleet(output, options))


@fleet_commands.command(cls=SubCommand)
def status(output: FleetFolder, as_json: AsJson = False) -> None:
    """Show the number of shards that are done. Another process may run them at the same time."""
    from mjconv.fleet.command import show_status

    raise typer.Exit(show_status(output, as_json=as_json))


@fleet_commands.command(cls=SubCommand)
def clean(output: FleetFolder, quiet: Quiet = False) -> None:
    """Remove the objects of earlier plans, and the temporary files of killed processes.

    A run may go on at the same time.
    """
    from mjconv.fleet.command import clean as clean_fleet

    raise typer.Exit(clean_fleet(output, quiet=quiet))
