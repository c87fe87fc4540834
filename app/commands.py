"""The actions of the command on files: convert and join, split, validate, summarise."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, cast, get_args

from mjconv.console import encodable, print_message, print_messages, report_json, warning_lines
from mjconv.conversion import Conversion, checked, refuse, shifted, transcribed
from mjconv.converters import flow, formats
from mjconv.converters.interface import Format, Reading, WriteOptions
from mjconv.files import (
    STANDARD,
    STDIN_NAME,
    check_one_standard_input,
    check_writable,
    packed_pieces,
    read_bytes,
    staging,
    write_bytes,
)
from mjconv.finding_text import finding_json, finding_line, summary_line
from mjconv.ir.errors import MjconvError, PlayError, UsageError
from mjconv.ir.losses import Report
from mjconv.referee.findings import Finding, Level
from mjconv.referee.house import house_of
from mjconv.source import Source, source_of, target_of
from mjconv.summary import FileSummary, summarise
from mjconv.validation import RefereeError, Validation, Wanted

#: The place for the number of a match in the names that `split` writes: ``%d``, ``%03d``.
NUMBER: Final = re.compile(r"%0?(\d{0,2})d")


@dataclass(frozen=True)
class ConvertOptions:
    """The options of a conversion: formats, how to write, checks, and messages."""

    source: str | None = None
    target: str | None = None
    plain: bool = False
    fill: bool = False
    strict: bool = False
    report: str | None = None
    quiet: bool = False
    lossy: bool = False
    check: bool = False
    house: str | None = None

    def write_options(self, flavour: str) -> WriteOptions:
        """Return the options for the writer of this flavour."""
        return WriteOptions(flavour, self.plain, self.fill, self.lossy)


def open_source(path: str, source: str | None = None) -> Source:
    """Read a file, or standard input for ``-``, and find its format; raises as `read_bytes` and `source_of`."""
    return source_of(read_bytes(path), source, STDIN_NAME if path == STANDARD else path)


def join(inputs: Sequence[str], output: str | None, options: ConvertOptions, *, like_first: bool = False) -> None:
    """Write the matches of all inputs to one file.

    Without `output`, the matches are written to standard output. If neither the options nor the output name set a
    format, `like_first` takes the format of the first input. Raises `MjconvError` and `OSError`; then nothing is
    written.
    """
    if output is None and like_first:
        output = STANDARD
    _check_join(inputs, output, options)
    output = output or STANDARD
    for path in (output, options.report):
        if path is not None:
            check_writable(path)
    first_decides = like_first and options.target is None and not formats.by_extension(output)
    # Before the work where possible: a wrong name is reported at once.
    target = None if first_decides else target_of(options.target, output)
    sources = [open_source(path, options.source) for path in inputs]
    form, flavour = target or (sources[0].form, "")
    _check(sources, options)
    report = Report()
    with staging() as stage:
        pieces = transcribed(sources, form, options.write_options(flavour), report)
        stage.write(output, packed_pieces(output, pieces))
        _finish(report, sources, output, [output], form, options)
        stage.commit()


def _check(sources: Sequence[Source], options: ConvertOptions) -> None:
    """Check the sources with the referee if the options ask for it; raises `RefereeError` if there are errors."""
    house = house_of(options.house or "")
    if not options.check:
        if options.house is not None:
            raise UsageError("--house needs --check: it sets the rules for the check")
        return
    try:
        _print_findings(checked(sources, house), quiet=options.quiet)
    except RefereeError as error:
        _print_findings(error.findings, quiet=options.quiet)
        raise


def _print_findings(findings: Sequence[Finding], *, quiet: bool) -> None:
    for finding in findings:
        if finding.severity == "error" or not quiet:
            print_message(finding_line(finding))


def _check_join(inputs: Sequence[str], output: str | None, options: ConvertOptions) -> None:
    if output is None and options.target is None:
        # `mjconv IN OUT` without -o: OUT does not exist yet.
        new = len(inputs) == 2 and os.path.exists(inputs[0]) and not os.path.exists(inputs[1])
        hint = f"; did you mean: {inputs[0]} -o {inputs[1]}?" if new else ""
        raise UsageError(f"no output: name a file with -o, or a format for standard output with --to{hint}")
    check_one_standard_input(inputs)
    if options.report is not None and options.report in (output, STANDARD):
        raise UsageError("--report must name a file that is neither an input nor an output")


def split(path: str, where: str, options: ConvertOptions, *, force: bool = False) -> None:
    """Write each match of a file to its own file: all of them, or none.

    `where` is a folder, or a name with ``%03d`` for the number of the match, which counts from 1. Raises
    `FileExistsError` if a file exists, unless `force` allows to overwrite it.
    """
    _check_where(where)
    source = open_source(path, options.source)
    form, flavour, extension = _split_format(source, where, options.target)
    _check([source], options)
    report = Report()
    with staging() as stage:
        number = 0
        check_writable(_numbered(where, source, extension, 1, 1)[0])
        for number, reading in enumerate(source.readings(report), 1):
            own = Report()
            # All names end alike, so that any of them says how the file is compressed.
            [name] = _numbered(where, source, extension, number, number)
            try:
                pieces = flow.write(form, [reading.match], own, options.write_options(flavour))
                stage.write(name, packed_pieces(name, pieces))
            except MjconvError as error:
                _find_place(error, reading)
                error.file = error.file or source.name
                raise
            report.losses += shifted(own.losses, number - 1)
        names = _numbered(where, source, extension, 1, number)
        for name in names if not force else ():
            if os.path.lexists(name):
                raise FileExistsError(errno.EEXIST, "Exists already; --force overwrites it", name)
        for name in names:
            check_writable(name)
        stage.rename(names)
        _finish(report, [source], where, names, form, options)
        stage.commit()


def _find_place(error: MjconvError, reading: Reading) -> None:
    """Give an error of the writer of a single match its place in the source."""
    if isinstance(error, PlayError) and error.place is None and error.at is not None:
        error.place = reading.locate(*error.at[1:], "")


def _check_where(where: str) -> None:
    if not os.path.isdir(where) and len(NUMBER.findall(os.path.basename(where))) != 1:
        reason = "Is neither a folder nor a name with a number pattern such as game_%03d"
        raise FileNotFoundError(errno.ENOENT, reason, where)


def _split_format(source: Source, where: str, target: str | None) -> tuple[Format, str, str]:
    """Return the format, flavour and extension of the parts: those of the source, unless another target is set."""
    pattern = "" if os.path.isdir(where) else where
    if target is not None or formats.by_extension(pattern):
        form, flavour = target_of(target, pattern)
        return form, flavour, form.extension_for(flavour)
    extension = _stem_and_extension(source.name or "")[1]
    if extension not in source.form.extensions:
        extension = next(iter(source.form.extensions))
    return source.form, source.form.extensions[extension], extension


def _numbered(where: str, source: Source, extension: str, first: int, last: int) -> list[str]:
    """Return the names of the files of these matches, which count from 1."""
    numbers = range(first, last + 1)
    if not os.path.isdir(where):
        folder, pattern = os.path.split(where)
        return [
            os.path.join(folder, NUMBER.sub(lambda found: found.group() % number, pattern))  # noqa: B023
            for number in numbers
        ]
    stem = (
        "match"
        if source.name in (None, STDIN_NAME)
        else _stem_and_extension(os.path.basename(source.name or ""))[0]
    )
    width = max(3, len(str(last)))
    return [os.path.join(where, f"{stem}_{number:0{width}}{extension}") for number in numbers]


def _stem_and_extension(name: str) -> tuple[str, str]:
    """Split a file name into stem and extension, without a final ``.gz``."""
    stem, extension = os.path.splitext(name)
    if extension.lower() == ".gz":
        stem, extension = os.path.splitext(stem)
    return stem, extension.lower()


def validate_files(
    paths: Sequence[str],
    level: str,
    *,
    source: str | None = None,
    house: str = "",
    pictures: bool = False,
    as_json: bool = False,
    strict: bool = False,
    quiet: bool = False,
) -> bool:
    """Print the findings in files, folders and archives; return whether there are no errors.

    With `strict`, warnings count as errors. With `quiet`, only errors are printed, without a summary. Raises
    `UsageError`.
    """
    if level not in get_args(Level):
        raise UsageError(f"unknown level {level!r}; the levels are {', '.join(get_args(Level))}")
    check_one_standard_input(paths)
    validation = Validation(Wanted(cast(Level, level), house_of(house), pictures), source)
    for path in paths:
        before: Finding | None = None
        for finding in validation.of_path(path):
            if finding.severity == "error" or not quiet:
                # Text shows a picture only below the first finding of a moment; each JSON object is complete.
                print(finding_json(finding) if as_json else finding_line(finding, before))
                before = finding
    if not quiet:
        sys.stdout.flush()
        print_message(summary_line(validation.files, validation.matches, validation.counts, validation.passed))
    return not validation.counts["error"] and not (strict and validation.counts["warning"])


def summarise_file(path: str, source: str | None = None, *, quiet: bool = False) -> FileSummary:
    """Summarise a file; warnings of its reader are printed on standard error, unless `quiet`."""
    opened = open_source(path, source)
    report = Report()
    matches = tuple(summarise(reading.match) for reading in opened.readings(report))
    if not quiet:
        for line in warning_lines(report.warnings, opened.name or path):
            print_message(line)
    return FileSummary(encodable(opened.name or path), opened.form.id, matches)


def _finish(
    report: Report,
    sources: Iterable[Source],
    output: str,
    files: Sequence[str],
    form: Format,
    options: ConvertOptions,
) -> None:
    """Print what was lost and what was odd, and write the report. Raises `LossError` for `--strict`."""
    names = [source.name or STDIN_NAME for source in sources]
    if options.report is not None:
        taken = {os.path.realpath(name) for name in (*names, *files) if name not in (STANDARD, STDIN_NAME)}
        if os.path.realpath(options.report) in taken:
            raise UsageError("--report must name a file that is neither an input nor an output")
    conversion = Conversion(b"", report.losses, report.warnings)
    if not options.quiet:
        print_messages(conversion, names[0] if len(names) == 1 else output, form.id)
    if options.report is not None:
        write_bytes(options.report, report_json(names, output, form.id, conversion))
    if options.strict:
        refuse(report.losses, names[0] if len(names) == 1 else None)
