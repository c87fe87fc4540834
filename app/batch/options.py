"""The options of ``mjconv batch`` that no other command has."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from mjconv.batch.plan import line_formats
from mjconv.batch.shapes import TARGETS
from mjconv.converters.formats import known_names


def batch_targets(incomplete: str) -> list[str]:
    """Return the targets of ``batch`` that begin so, for completion."""
    return [name for name in (*known_names(), *TARGETS) if name.startswith(incomplete)]


BatchOutput: TypeAlias = Annotated[
    str,
    typer.Option("-o", "--output", metavar="OUT", help="Folder, or archive: .zip .tar .tar.gz .tar.zst .parquet"),
]
BatchTarget: TypeAlias = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help="Format of the output; parquet: columns of all events; decisions, kanachan: rows for training.",
        autocompletion=batch_targets,
    ),
]
Jobs: TypeAlias = Annotated[
    str | None, typer.Option("--jobs", metavar="N", help="Number of worker processes; default: one per core.")
]
Resume: TypeAlias = Annotated[
    bool, typer.Option("--resume", help="Continue an interrupted run with the same options.")
]
StartAgain: TypeAlias = Annotated[bool, typer.Option("--force", help="Start again and overwrite existing output.")]
KeepBad: TypeAlias = Annotated[
    str | None,
    typer.Option("--keep-bad", metavar="FOLDER", help="Put copies of the files that fail into this folder."),
]
SummaryFile: TypeAlias = Annotated[
    str | None,
    typer.Option("--report", metavar="FILE", help="Write the summary of the run to this file, as JSON."),
]
Shards: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--shards",
        metavar="N",
        help=f"Write N files with one game per line (--to {', '.join(line_formats())}).",
    ),
]
StrictMembers: TypeAlias = Annotated[
    bool,
    typer.Option("--strict", help="Refuse files whose data would be dropped, assumed or approximated."),
]
KanachanSettings: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--kanachan",
        metavar="SETTINGS",
        help="Values that records do not state, for --to kanachan: room=0..4, level=0..15, grading=N.",
    ),
]
CheckMembers: TypeAlias = Annotated[
    bool, typer.Option("--check", help="Check each file by the rules first; refuse files with errors.")
]
VerifyMembers: TypeAlias = Annotated[
    bool,
    typer.Option("--verify", help="Read each output again and compare it with the input; refuse differences."),
]
