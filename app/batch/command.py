"""The words of ``mjconv batch``; what it does is loaded when it is called."""

from __future__ import annotations

from typing import Annotated

import typer


def batch(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="IN...", help="Files, folders, archives, patterns.", show_default=False),
    ],
    output: Annotated[
        str,
        typer.Option("-o", "--output", metavar="OUT", help="Folder, or archive: .zip .tar .tar.gz .tar.zst"),
    ],
    target: Annotated[str, typer.Option("--to", metavar="FORMAT", help="Format of the output.")],
    source: Annotated[str | None, typer.Option("--from", metavar="FORMAT", help="Format of the input.")] = None,
    jobs: Annotated[
        str | None, typer.Option("--jobs", metavar="N", help="Worker processes; without it one a core.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was cut off.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Begin anew, and write over what is there.")] = False,
    keep_bad: Annotated[
        str | None, typer.Option("--keep-bad", metavar="FOLDER", help="Copy what cannot be converted.")
    ] = None,
    report: Annotated[
        str | None, typer.Option("--report", metavar="FILE", help="Write the summary as JSON.")
    ] = None,
    shards: Annotated[
        str | None, typer.Option("--shards", metavar="N", help="Write N files of mjai, a game a line.")
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Leave out the notes that carry what the format cannot say.")
    ] = False,
    fill: Annotated[
        bool, typer.Option("--fill", help="Write derived values where the source was silent.")
    ] = False,
    lossy: Annotated[
        bool, typer.Option("--lossy", help="Hide tiles that the format does not know, instead of refusing them.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse what would be dropped, assumed or approximated: status 3.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Let the referee look first; refuse what it finds errors in.")
    ] = False,
    house: Annotated[
        str | None, typer.Option("--house", metavar="RULES", help="Rules of the house for --check, with commas.")
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option("--limit", metavar="NAME=NUMBER", help="Read more or less than usual: file-bytes=2GiB."),
    ] = None,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False,
) -> None:
    """Convert whole archives on all cores.

    What cannot be converted is listed in failures.jsonl, and stops nothing.
    """
    from mjconv.batch.launch import Words, launch
    from mjconv.ir import limits

    limits.install(limits.parse(*(limit or ())))
    launch(
        Words(
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
            quiet=quiet,
        )
    )
