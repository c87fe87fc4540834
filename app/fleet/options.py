"""The options of ``mjconv fleet`` that no other command has."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import typer

from mjconv.batch.options import batch_targets

#: The engines, each with the package that it needs.
ENGINES: Final = {"local": "", "ray": "ray", "dask": "distributed"}


def engine_names(incomplete: str) -> list[str]:
    """Return the engines that begin so, for completion."""
    return [name for name in ENGINES if name.startswith(incomplete)]


FleetOutput: TypeAlias = Annotated[
    str, typer.Option("-o", "--output", metavar="OUT", help="Folder or address for the plan, parts and manifest.")
]
FleetTarget: TypeAlias = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help="Format of the parts; parquet: columns of all events; decisions, kanachan: rows for training.",
        autocompletion=batch_targets,
    ),
]
FleetFolder: TypeAlias = Annotated[
    str, typer.Argument(metavar="OUT", help="Folder or address that fleet plan wrote to.", show_default=False)
]
Lines: TypeAlias = Annotated[
    bool, typer.Option("--lines", help="Parts are files with one game per line, not zip archives.")
]
ShardGames: TypeAlias = Annotated[
    str | None, typer.Option("--games", metavar="N", help="Number of files in a shard; default: 10000.")
]
EngineName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="ENGINE",
        help=f"Engine that runs the shards: {', '.join(ENGINES)}.",
        autocompletion=engine_names,
    ),
]
ClusterAddress: TypeAlias = Annotated[
    str | None,
    typer.Option("--address", metavar="ADDRESS", help="Cluster of Ray or Dask to use; default: this machine."),
]
Attempts: TypeAlias = Annotated[
    str | None, typer.Option("--attempts", metavar="N", help="Number of times a shard is tried; default: 3.")
]
SkipFailed: TypeAlias = Annotated[
    bool, typer.Option("--skip-failed", help="Write the manifest without the shards that fail, and list them.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
StartAgain: TypeAlias = Annotated[bool, typer.Option("--force", help="Replace the plan of the output.")]
