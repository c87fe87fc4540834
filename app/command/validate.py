"""The action of `mjconv validate`: check files, print the findings, and sum them up."""

import sys
from collections.abc import Iterator, Sequence
from typing import Final, cast

from mjconv.archive.where import Where
from mjconv.batch.finished import survey
from mjconv.command.console import Exit, print_left_out, print_messages, quiet
from mjconv.command.progress import ProgressLine
from mjconv.command.score import check_table, write_grid
from mjconv.files.reading import STANDARD, check_one_standard_input
from mjconv.ir.errors import UsageError
from mjconv.ir.losses import round_named
from mjconv.ir.plural import counted
from mjconv.options import Options
from mjconv.referee.findings import Finding, Level
from mjconv.rules.house import house_of
from mjconv.score.table import Cell, Grid
from mjconv.validation.check import Validation, Wanted
from mjconv.validation.text import OUTPUTS, colours_for, output_of, summary_lines


class ValidateOptions(Options, frozen=True, kw_only=True):
    """The options of the command: the checks, the findings to print, and their format.

    `propose` tries other values where one is wrong; `fix_list` is the file of a table of the findings with these.
    `select` and `ignore` are lists of codes, of their beginnings and names, separated by commas.
    """

    files: list[str]
    as_json: bool = False
    level: str = "rules"
    source: str | None = None
    house: str | None = None
    pictures: bool = False
    propose: bool = False
    fix_list: str | None = None
    select: Sequence[str] | None = None
    ignore: Sequence[str] | None = None
    output: str = "text"
    color: str = "auto"
    fail_on_warnings: bool = False
    where: str | None = None


def validate_files(options: ValidateOptions) -> Exit:
    """Print the findings in files, folders and archives; return whether there are no errors.

    With `fail_on_warnings`, warnings count as errors. With ``--quiet``, only errors are printed, and no summary.
    Raises `UsageError`.
    """
    if options.as_json and options.output not in ("text", "json"):
        raise UsageError(f"--json is --format json, but --format is {options.output!r}: leave one of them out")
    output = output_of("json" if options.as_json else options.output)
    colours = colours_for(options.color, sys.stdout if output is OUTPUTS["text"] else None)
    paths = options.files
    check_one_standard_input(paths)
    where = Where.of(options.where)
    listed: list[list[Cell]] = []
    if options.fix_list is not None:
        check_table(options.fix_list, None, paths)
    with ProgressLine(lambda: _size(paths)) as status:
        validation = Validation(_wanted(options), options.source, where=where)
        validation.tick = lambda: status.update(lambda: _numbers(validation), validation.done)

        def findings() -> Iterator[Finding]:
            for path in paths:
                for finding in validation.of_path(path):
                    if finding.severity == "error" or not quiet.current():
                        if options.fix_list is not None:
                            listed.append(_fix(finding))
                        yield finding

        for part in output(findings(), colours):
            status.erase()
            print(part)
    if options.fix_list is not None:
        write_grid(Grid(list(_FIX), listed, missing=""), options.fix_list, None)
    if not quiet.current():
        sys.stdout.flush()
        colours = colours_for(options.color, sys.stderr)
        files, matches, counts = validation.files, validation.matches, validation.counts
        print_messages(summary_lines(files, matches, counts, validation.passed, colours))
        print_left_out(where)
    bad = validation.number("error") or (options.fail_on_warnings and validation.number("warning"))
    return Exit.BAD_INPUT if bad else Exit.DONE


def _wanted(options: ValidateOptions) -> Wanted:
    select, ignore = _codes(options.select), _codes(options.ignore)
    level = cast(Level, options.level)
    if options.house is not None and level != "rules":
        raise UsageError(f"--house needs --level rules: the level {level} checks no rules of play")
    propose = options.propose or options.fix_list is not None
    return Wanted(level, house_of(options.house or ""), options.pictures, select, ignore or frozenset(), propose)


#: The columns of the table of findings.
_FIX: Final = ("file", "round", "id", "stated", "proposed", "reason")


def _fix(finding: Finding) -> list[Cell]:
    """Return a row of the table: the id is the number that people cite, or the line and the column."""
    place, proposal = finding.place, finding.proposal
    cited = "" if place is None else place.cited or f"{place.line}:{place.column}"
    why = f"{finding.code} {finding.message}"
    label = round_named(finding.label, finding.round)
    if proposal is None:
        return [finding.file, label, cited, None, None, why]
    return [finding.file, label, cited, proposal.stated, proposal.proposed, f"{why}; {proposal.reason}"]


def _codes(lists: Sequence[str] | None) -> frozenset[str] | None:
    """Return the codes of lists of words, None if there is no list."""
    if not lists:
        return None
    # Imported here: most runs select no codes.
    from mjconv.referee.codes import codes_of

    return codes_of(word for words in lists for word in words.split(","))


def _numbers(validation: Validation) -> str:
    """Return the numbers so far as text."""
    numbers = {"file": validation.files, "match": validation.matches, "error": validation.number("error")}
    return ", ".join(counted(number, name, grouped=True) for name, number in numbers.items())


def _size(paths: Sequence[str]) -> int | None:
    """Return the size of the inputs in bytes; None for standard input, whose size is not known."""
    return None if STANDARD in paths else survey(list(paths)).size
