"""The action of `mjconv validate`: check files, print the findings, and sum them up."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast, get_args

from mjconv.colours import colours_for
from mjconv.console import print_message
from mjconv.files import check_one_standard_input
from mjconv.finding_outputs import output_of
from mjconv.finding_text import summary_lines
from mjconv.ir.errors import UsageError
from mjconv.ir.plural import counted
from mjconv.referee.findings import Finding, Level
from mjconv.referee.house import house_of
from mjconv.status_line import Share, StatusLine, total_bytes
from mjconv.validation import Validation, Wanted


@dataclass(frozen=True)
class ValidateOptions:
    """The options of the command: what is checked, which findings are printed, and how.

    `select` and `ignore` are lists of codes, of their beginnings and names, separated by commas.
    """

    level: str = "rules"
    source: str | None = None
    house: str = ""
    pictures: bool = False
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    output: str = "text"
    color: str = "auto"
    strict: bool = False
    quiet: bool = False


def validate_files(paths: Sequence[str], options: ValidateOptions) -> bool:
    """Print the findings in files, folders and archives; return whether there are no errors.

    With `strict`, warnings count as errors. With `quiet`, only errors are printed, without a summary. Raises
    `UsageError`.
    """
    output = output_of(options.output)
    painted = options.output == "text"
    colours = colours_for(options.color, sys.stdout if painted else None)
    check_one_standard_input(paths)
    with StatusLine(quiet=options.quiet) as status:
        share = Share(lambda: total_bytes(paths))
        validation = Validation(_wanted(options), options.source, lambda: status.update(text))

        def text() -> str:
            share.done = validation.done
            return _progress(validation, share)

        def found() -> Iterator[Finding]:
            for path in paths:
                for finding in validation.of_path(path):
                    if finding.severity == "error" or not options.quiet:
                        yield finding

        for part in output(found(), colours):
            status.erase()
            print(part)
    if not options.quiet:
        sys.stdout.flush()
        colours = colours_for(options.color, sys.stderr)
        for line in summary_lines(
            validation.files, validation.matches, validation.counts, validation.passed, colours
        ):
            print_message(line)
    return not validation.number("error") and not (options.strict and validation.number("warning"))


def _wanted(options: ValidateOptions) -> Wanted:
    if options.level not in get_args(Level):
        raise UsageError(f"unknown level {options.level!r}; the levels are {', '.join(get_args(Level))}")
    select, ignore = _codes(options.select), _codes(options.ignore)
    level = cast(Level, options.level)
    return Wanted(level, house_of(options.house), options.pictures, select, ignore or frozenset())


def _codes(lists: Sequence[str]) -> frozenset[str] | None:
    """Return the codes of lists of words, None if there is no list."""
    if not lists:
        return None
    # Imported here: most runs select no codes.
    from mjconv.referee.codes import codes_of

    return codes_of(word for words in lists for word in words.split(","))


def _progress(validation: Validation, share: Share) -> str:
    parts = [
        counted(validation.files, "file", grouped=True),
        counted(validation.matches, "match", grouped=True),
        counted(validation.number("error"), "error", grouped=True),
        share.text(),
    ]
    return ", ".join(filter(None, parts))
