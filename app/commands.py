"""The actions of the command on files: convert and join, split, validate, summarise."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from mjconv.console import encodable, print_message, print_messages, report_json, warning_lines
from mjconv.conversion import Conversion, checked, refuse, shifted, transcribed
from mjconv.converters import flow, formats
from mjconv.converters.interface import Format, Reading, WriteOptions
from mjconv.files import (
    STANDARD,
    STDIN_NAME,
    ArchiveError,
    check_one_standard_input,
    check_writable,
    packed_pieces,
    read_bytes,
    staging,
    write_bytes,
)
from mjconv.house_option import house_for_check
from mjconv.ir.errors import InputError, MjconvError, PlayError, UsageError
from mjconv.ir.losses import Report
from mjconv.output_paths import check_replaces, check_spares, refuse_batch_output, replaced_input
from mjconv.source import Source, source_of, target_of
from mjconv.storage.address import is_address, redacted

if TYPE_CHECKING:
    from mjconv.referee.findings import Finding
    from mjconv.summary import FileSummary

# Modules that only some commands need are imported where they are used: every start would pay for them.

#: The place for the number of a match in the names that `split` writes: ``%d``, ``%03d``.
NUMBER: Final = re.compile(r"%0?(\d{0,2})d")


class ConvertOptions(Struct, frozen=True):
    """The options of a conversion: formats, how to write, checks, and messages.

    Without `clobber`, no existing file is overwritten. With `in_place`, the output may replace an input.
    """

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
    clobber: bool = True
    in_place: bool = False
    verify: bool = False
    seat: int | None = None

    def write_options(self, flavour: str) -> WriteOptions:
        """Return the options for the writer of this flavour."""
        return WriteOptions(flavour, self.plain, self.fill, self.lossy, self.seat)


#: How a command reads all files of a folder or archive, which is not one file.
BATCH_READS: Final = "mjconv batch {} -o OUT --to FORMAT converts all files in it"
INFO_READS: Final = "mjconv info --all {} shows all files in it"


def open_source(path: str, source: str | None = None, archive_hint: str = BATCH_READS) -> Source:
    """Read a file, or standard input for ``-``, and find its format; raises as `read_bytes` and `source_of`.

    The error about an archive or folder ends with `archive_hint`, which has ``{}`` for the name.
    """
    try:
        data = read_bytes(path)
    except ArchiveError as error:
        if path != STANDARD:
            error.message += f": {_hint(archive_hint, path)}"
        raise
    except IsADirectoryError as error:
        reason = f"{error.strerror}: {_hint(archive_hint, path)}"
        raise IsADirectoryError(error.errno, reason, redacted(path)) from None
    return source_of(data, source, STDIN_NAME if path == STANDARD else redacted(path))


def _hint(archive_hint: str, path: str) -> str:
    import shlex

    return archive_hint.format(shlex.quote(redacted(path)))


def _refuse_several(path: str) -> None:
    """Raise the error of `open_source` if a path is an archive or a folder."""
    if path != STANDARD:
        with suppress(FileNotFoundError, PermissionError, UsageError):
            open_source(path)


def join(inputs: Sequence[str], output: str | None, options: ConvertOptions, *, like_first: bool = False) -> None:
    """Write the matches of all inputs to one file.

    Without `output`, the matches are written to standard output. If neither the options nor the output name set a
    format, `like_first` takes the format of the first input. Raises `MjconvError` and `OSError`; then nothing is
    written.
    """
    replaces = options.in_place and output is None
    if output is None and (like_first or replaces):
        output = replaced_input(inputs) if replaces else STANDARD
    try:
        # Before the work where possible: a wrong name is reported at once.
        _check_join(inputs, output, options)
        output = output or STANDARD
        first_decides = (like_first or replaces) and options.target is None and not formats.by_extension(output)
        target = None if first_decides else target_of(options.target, output)
    except (UsageError, OSError):
        for path in inputs:
            # Whoever names an archive needs another command, and not another output.
            _refuse_several(path)
        raise
    sources = [open_source(path, options.source) for path in inputs]
    form, flavour = target or (sources[0].form, "")
    if replaces and form is not sources[0].form:
        raise UsageError(
            f"--in-place keeps the format of {output}, {sources[0].form.id}: name another file with -o"
        )
    if options.verify:
        # Imported here: most conversions are not verified.
        from mjconv import verification

        verification.check_verifiable(form)
    _check(sources, options)
    report = Report()
    written = options.write_options(flavour)
    with staging() as stage:
        pieces = transcribed(sources, form, written, report)
        stage.write(output, packed_pieces(output, pieces))
        _finish(report, sources, output, [output], form, options)
        if options.verify:
            name = None if output == STANDARD else output
            data = stage.contents()
            done = verification.verify_sources(
                sources, form, data, report.losses, plain=not written.noted, name=name
            )
            _print_verified(done.line(), quiet=options.quiet)
        stage.commit()


def _print_verified(line: str, *, quiet: bool) -> None:
    if not quiet:
        print_message(f"mjconv: verified: {line}")


def _check(sources: Sequence[Source], options: ConvertOptions) -> None:
    """Check the sources with the referee if the options ask for it; raises `RefereeError` if there are errors."""
    if not options.check and options.house is None:
        return
    from mjconv.validation import RefereeError

    house = house_for_check(options.house, check=options.check)
    try:
        _print_findings(checked(sources, house), quiet=options.quiet)
    except RefereeError as error:
        _print_findings(error.findings, quiet=options.quiet)
        raise


def _print_findings(findings: Sequence[Finding], *, quiet: bool) -> None:
    from mjconv.finding_text import finding_line

    for finding in findings:
        if finding.severity == "error" or not quiet:
            print_message(finding_line(finding))


def _check_join(inputs: Sequence[str], output: str | None, options: ConvertOptions) -> None:
    refuse_batch_output(inputs, output, options.target)
    if output is None and options.target is None:
        if inputs[0] != STANDARD and not is_address(inputs[0]) and not os.path.lexists(inputs[0]):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), inputs[0])
        # `mjconv IN OUT` without -o: OUT does not exist yet.
        new = len(inputs) == 2 and os.path.exists(inputs[0]) and not os.path.exists(inputs[1])
        hint = f"; did you mean: {inputs[0]} -o {inputs[1]}?" if new else ""
        raise UsageError(f"no output: name a file with -o, or a format for standard output with --to{hint}")
    check_one_standard_input(inputs)
    if options.report is not None and options.report in (output, STANDARD):
        raise UsageError("--report must name a file that is neither an input nor an output")
    check_replaces(output or STANDARD, inputs, clobber=options.clobber, in_place=options.in_place)
    if options.report is not None:
        check_replaces(options.report, (), clobber=options.clobber)
        check_writable(options.report)
    check_writable(output or STANDARD)


def split(path: str, where: str, options: ConvertOptions, *, force: bool = False) -> None:
    """Write each match of a file to its own file: all of them, or none.

    `where` is a folder, or a name with ``%03d`` for the number of the match, which counts from 1. A folder whose
    name ends with a slash is made if it does not exist. Raises `FileExistsError` if a file exists, unless `force`
    allows to overwrite it.
    """
    refuse_batch_output([path], None if _names_folder(where) else where, options.target)
    _check_where(where)
    source = open_source(path, options.source)
    form, flavour, extension = _split_format(source, where, options.target)
    if options.verify:
        # Imported here: most conversions are not verified.
        from mjconv import verification

        verification.check_verifiable(form)
    _check([source], options)
    report = Report()
    with _made(where), staging() as stage:
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
            check_spares(name, [path])
            check_writable(name)
        stage.rename(names)
        _finish(report, [source], where, names, form, options)
        if options.verify:
            parts = ((name, stage.contents(number)) for number, name in enumerate(names))
            done = verification.verify_parts(source, form, parts, report.losses, plain=options.plain)
            _print_verified(done.line(), quiet=options.quiet)
        stage.commit()


def _find_place(error: MjconvError, reading: Reading) -> None:
    """Give an error of the writer of a single match its place in the source."""
    if isinstance(error, PlayError) and error.place is None and error.at is not None:
        error.place = reading.locate(*error.at[1:], "")


def _names_folder(where: str) -> bool:
    """Return whether a name is that of a folder, which may not exist yet."""
    return os.path.isdir(where) or where.endswith(("/", os.sep))


def _check_where(where: str) -> None:
    if not _names_folder(where) and len(NUMBER.findall(os.path.basename(where))) != 1:
        reason = "Is neither a folder nor a name with a number pattern such as game_%03d"
        raise FileNotFoundError(errno.ENOENT, f"{reason}; a / at its end makes the folder", where)


@contextmanager
def _made(where: str) -> Iterator[None]:
    """Make a folder that is named but missing; an error removes it again."""
    missing = _names_folder(where) and not os.path.isdir(where)
    if missing:
        check_writable(where.rstrip("/" + os.sep))
        os.mkdir(where)
    try:
        yield
    except BaseException:
        if missing:
            with suppress(OSError):
                os.rmdir(where)
        raise


def _split_format(source: Source, where: str, target: str | None) -> tuple[Format, str, str]:
    """Return the format, flavour and extension of the parts: those of the source, unless another target is set."""
    pattern = "" if _names_folder(where) else where
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
    if not _names_folder(where):
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


def summarise_files(
    paths: Iterable[str], source: str | None = None, *, everything: bool = False, quiet: bool = False
) -> Iterator[FileSummary | MjconvError | OSError]:
    """Summarise files; yields the error of a bad one. Warnings of readers are printed, unless `quiet`.

    With `everything`, also reads the records in folders and archives.
    """
    for path in paths:
        try:
            if everything and path != STANDARD:
                yield from _summarised_members(path, source, quiet=quiet)
            else:
                yield _summarised(open_source(path, source, INFO_READS), quiet=quiet)
        except (MjconvError, OSError) as error:
            yield error


def _summarised_members(
    path: str, source: str | None, *, quiet: bool
) -> Iterator[FileSummary | MjconvError | OSError]:
    # Loaded here: most uses of the command read no archive.
    from mjconv.sources.members import SpecialFile
    from mjconv.sources.walk import members

    records = 0
    for member in members([path]):
        if isinstance(member.piece, SpecialFile):
            continue
        try:
            data = member.read()
            if not member.is_record(data, source):
                continue
            records += 1
            yield _summarised(source_of(data, source, member.name), quiet=quiet)
        except (MjconvError, OSError) as error:
            records += 1
            yield error
    if not records:
        raise InputError("there is no record in it", file=redacted(path))


def _summarised(opened: Source, *, quiet: bool) -> FileSummary:
    from mjconv.summary import FileSummary, summarise

    name = opened.name or ""
    report = Report()
    matches = tuple(summarise(reading.match) for reading in opened.readings(report))
    if not quiet:
        for line in warning_lines(report.warnings, name):
            print_message(line)
    return FileSummary(encodable(name), opened.form.id, matches)


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
        target = form.id if options.seat is None else f"{form.id} at seat {options.seat}"
        print_messages(conversion, names[0] if len(names) == 1 else output, target)
    if options.report is not None:
        write_bytes(options.report, report_json(names, output, form.id, conversion))
    if options.strict:
        refuse(report.losses, names[0] if len(names) == 1 else None)
