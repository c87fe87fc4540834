"""The action of ``mjconv convert`` and ``mjconv merge``: write the matches of all inputs to one file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mjconv.batch.shapes import TARGETS
from mjconv.command import paths
from mjconv.command.console import print_message, print_note, print_notes
from mjconv.conversion import checked, placing, refuse, transcribed
from mjconv.converters import formats
from mjconv.converters.interface import Format
from mjconv.files.reading import STANDARD, STDIN_NAME, check_one_standard_input, unpack
from mjconv.files.writing import Staging, packed_pieces, write_bytes
from mjconv.ir.errors import UnsupportedError, UsageError
from mjconv.ir.losses import ORIGINAL, Report
from mjconv.messages import loss_lines, losses_json, warning_lines
from mjconv.options import ConvertOptions, Options
from mjconv.settings import anonymity
from mjconv.source import Source, target_of

if TYPE_CHECKING:
    from mjconv.referee.findings import Finding

# Modules that only some commands need are imported where they are used: every start would pay for them.


class FileOptions(Options, frozen=True, kw_only=True):
    """The options of a conversion from files to files: how to convert, and messages.

    With `in_place`, the output may replace an input.
    """

    INNER = ("convert", ConvertOptions)

    convert: ConvertOptions = ConvertOptions()
    report: str | None = None
    in_place: bool = False


class JoinOptions(FileOptions, frozen=True, kw_only=True):
    """The arguments and options of ``mjconv convert`` and ``mjconv merge``."""

    inputs: list[str]
    output: str | None = None


def merge(options: JoinOptions) -> None:
    """Write the matches of all inputs to one file, in the format of the first unless another is named."""
    join(options, like_first=True)


def join(options: JoinOptions, *, like_first: bool = False) -> None:
    """Write the matches of all inputs to one file.

    Without `output`, the matches are written to standard output. If neither the options nor the output name set a
    format, `like_first` takes the format of the first input. Raises `MjconvError` and `OSError`; then nothing is
    written.
    """
    inputs, output = options.inputs, options.output
    replaces = options.in_place and output is None
    if output is None and (like_first or replaces):
        output = paths.replaced_input(inputs) if replaces else STANDARD
    try:
        # Before the work where possible: a wrong name is reported at once.
        _check_join(inputs, output, options)
        output = output or STANDARD
        # Files of a format may have such a name, which files of other kinds have too.
        shared = any(formats.has_extension(output, form) for form in formats.FORMATS)
        first_decides = options.convert.target is None and (
            replaces or ((like_first or shared) and not formats.by_extension(output))
        )
        target = None if first_decides else target_of(options.convert.target, output, TARGETS)
    except (UsageError, OSError) as error:
        # Whoever names an archive needs another command, and not another output. A missing input is named first.
        for path in inputs if getattr(error, "filename", None) != inputs[0] else ():
            paths.refuse_several(path)
        raise
    sources = [paths.open_source(path, options.convert.source) for path in inputs]
    form, flavour = target or (sources[0].form, formats.flavour_of(output, sources[0].form))
    if first_decides and not (replaces or like_first or formats.has_extension(output, form)):
        target_of(None, output)
    if replaces and form is not sources[0].form:
        kept = sources[0].form.id
        raise UsageError(f"--in-place keeps the format of {output}, {kept}: name another file with -o")
    check_before(sources, form, options)
    report = Report()
    written = replace(options.convert.write, flavour=flavour)
    with Staging() as stage:
        pieces: Iterable[bytes] = transcribed(sources, form, written, report)
        inserts = replaces and written.fill and written.seat is None
        filled = form.for_typed("fill", "filled") if inserts else None
        rearranged = form.for_typed("tidy", "rearranged") if options.in_place and len(sources) == 1 else None
        if filled is not None and options.convert.verify:
            raise UsageError("--verify compares the output with the input, and --in-place --fill inserts values")
        if filled is not None and written.plain:
            raise UsageError(
                "--fill keeps the text and inserts values, and --plain writes it anew: leave one of them out"
            )
        if filled is not None:
            pieces = [_filled(sources[0], filled, report)]
        elif rearranged is not None:
            pieces = [rearranged(sources[0].data, b"".join(pieces))]
        stage.write(output, packed_pieces(output, pieces))
        if options.in_place and not options.convert.write.plain:
            _keep_originals(report, output)
        if options.in_place and len(sources) == 1:
            # Imported here: most conversions write another file.
            from mjconv.command.typed import report_moves

            report_moves(sources[0].data, unpack(stage.contents()), report)
        finish(report, sources, output, [output], form, options)
        if options.convert.verify:
            # Imported here: most conversions are not verified.
            from mjconv.verification import verify

            name = None if output == STANDARD else output
            data = stage.contents()
            plain = not form.writes_notes(written)
            # The sources are read again, so no match is kept while the output is written.
            matches = (reading.match for source in sources for reading in source.readings(Report()))
            done = verify(matches, form, data, report.losses, plain=plain, name=name)
            print_note(f"mjconv: verified: {done.line()}")


def _filled(source: Source, filled: Callable[..., bytes], report: Report) -> bytes:
    """Return a typed text with what follows from it, and print where the two disagree."""
    from mjconv.validation.check import validate

    with placing((), source.name):
        data = filled(source.data, report)
    _print_findings(validate(data, format=source.form.id, file=source.name))
    return data


def _keep_originals(report: Report, output: str) -> None:
    """Raise `UnsupportedError` if a file that replaces its input would lose the original record."""
    if any(loss.what == ORIGINAL and loss.fate == "dropped" for loss in report.losses):
        raise UnsupportedError(
            f"{output} would lose the parts of the record that mjconv does not read; --plain rewrites it without "
            "them, and -o writes another file"
        )


def check_before(sources: Sequence[Source], form: Format, options: FileOptions) -> None:
    """Check the sources with the referee if the options ask for it, and whether the output can be verified.

    Raises `RefereeError` if the referee finds errors, and `UsageError`.
    """
    convert = options.convert
    if convert.verify:
        from mjconv.verification import check_verifiable

        check_verifiable(form, convert.write.seat)
    if not convert.check and convert.house is None:
        return
    from mjconv.validation.check import RefereeError

    house = convert.house_rules()
    try:
        _print_findings(checked(sources, house))
    except RefereeError as error:
        _print_findings(error.findings)
        raise


def _print_findings(findings: Sequence[Finding]) -> None:
    from mjconv.validation.text import finding_line

    for finding in findings:
        (print_message if finding.severity == "error" else print_note)(finding_line(finding))


def _check_join(inputs: Sequence[str], output: str | None, options: FileOptions) -> None:
    paths.refuse_other_output(inputs, output, options.convert.target)
    if output is None and options.convert.target is None:
        paths.check_exists(inputs[0])
        # `mjconv IN OUT` without -o: OUT does not exist yet.
        new = len(inputs) == 2 and os.path.exists(inputs[0]) and not os.path.exists(inputs[1])
        hint = f"; did you mean: {inputs[0]} -o {inputs[1]}?" if new else ""
        raise UsageError(f"no output: name a file with -o, or a format for standard output with --to{hint}")
    check_one_standard_input(inputs)
    paths.check_one_anonymous(len(inputs) > 1)
    if options.report is not None and options.report in (output, STANDARD):
        raise UsageError("--report must name a file that is neither an input nor an output")
    paths.check_output(output or STANDARD, inputs, in_place=options.in_place)
    if options.report is not None:
        paths.check_output(options.report)


def finish(
    report: Report, sources: Iterable[Source], output: str, files: list[str], form: Format, options: FileOptions
) -> None:
    """Print the warnings and the losses, and write the report. Raises `LossError` for `--strict`."""
    names = [source.name or STDIN_NAME for source in sources]
    if options.report is not None:
        taken = {os.path.realpath(name) for name in (*names, *files) if name not in (STANDARD, STDIN_NAME)}
        if os.path.realpath(options.report) in taken:
            raise UsageError("--report must name a file that is neither an input nor an output")
    seat = options.convert.write.seat
    target = form.id if seat is None else f"{form.id} at seat {seat}"
    print_notes(warning_lines(report.warnings, names[0] if len(names) == 1 else output))
    print_notes(loss_lines(report.losses, target))
    if options.report is not None:
        names = names if anonymity.current() is None else []
        write_bytes(options.report, losses_json(names, output, form.id, report.losses, report.warnings))
    if options.convert.strict:
        refuse(report.losses, names[0] if len(names) == 1 else None)
