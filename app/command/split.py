"""The action of ``mjconv split``: write each match of a file to its own file."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from msgspec.structs import replace

from mjconv.command.console import print_note
from mjconv.command.convert import FileOptions, check_before, finish
from mjconv.command.paths import check_output, open_source, refuse_other_output
from mjconv.conversion import placing, shifted
from mjconv.converters import formats, hub
from mjconv.converters.interface import Format
from mjconv.files.compression import ending_of, strip_ending
from mjconv.files.reading import STDIN_NAME
from mjconv.files.writing import Staging, check_writable, packed_pieces
from mjconv.ir.losses import Report
from mjconv.source import Source, target_of

#: The place for the number of a match in the names that `split` writes: ``%d``, ``%03d``.
NUMBER: Final = re.compile(r"%0?(\d{0,2})d")


class SplitOptions(FileOptions, frozen=True, kw_only=True):
    """The arguments and options of ``mjconv split``: `where` is a folder, or a name with a number pattern."""

    file: str
    where: str


def split(options: SplitOptions) -> None:
    """Write each match of a file to its own file: all of them, or none.

    `where` is a folder, or a name with ``%03d`` for the number of the match, which counts from 1. A folder whose
    name ends with a slash is made if it does not exist. Raises `FileExistsError` if a file exists and
    `options.no_clobber` keeps it.
    """
    path, where = options.file, options.where
    refuse_other_output([path], None if _names_folder(where) else where, options.convert.target)
    if not _names_folder(where) and len(NUMBER.findall(os.path.basename(where))) != 1:
        reason = "Is neither a folder nor a name with a number pattern such as game_%03d"
        raise FileNotFoundError(errno.ENOENT, f"{reason}; a / at its end makes the folder", where)
    source = open_source(path, options.convert.source)
    form, flavour, extension = _split_format(source, where, options.convert.target)
    check_before([source], form, options)
    written = replace(options.convert.write, flavour=flavour)
    report = Report(played=form.writer_plays)
    with _made(where), Staging() as stage:
        number = 0
        check_writable(_numbered(where, source, extension, 1, 1)[0])
        for number, reading in enumerate(source.readings(report), 1):
            own = Report()
            # All names end alike, so that any of them says how the file is compressed.
            [name] = _numbered(where, source, extension, number, number)
            with placing([(0, reading, source)], source.name):
                stage.write(name, packed_pieces(name, hub.write(form, [reading.match], own, written)))
            report.losses += shifted(own.losses, number - 1)
        names = _numbered(where, source, extension, 1, number)
        for name in names:
            check_output(name, [path])
        stage.rename(names)
        finish(report, [source], where, names, form, options)
        if options.convert.verify:
            # Imported here: most conversions are not verified.
            from mjconv.verification import verify_parts

            parts = ((name, stage.contents(number)) for number, name in enumerate(names))
            done = verify_parts(source, form, parts, report.losses, plain=not form.writes_notes(written))
            print_note(f"mjconv: verified: {done.line()}")


def _names_folder(where: str) -> bool:
    """Return whether a name is that of a folder, which may not exist yet."""
    return os.path.isdir(where) or where.endswith(("/", os.sep))


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
    extension = ending_of(source.name or "")
    if extension not in source.form.files.extensions:
        extension = next(iter(source.form.files.extensions))
    return source.form, source.form.files.extensions[extension], extension


def _numbered(where: str, source: Source, extension: str, first: int, last: int) -> list[str]:
    """Return the names of the files of these matches, which count from 1."""
    numbers = range(first, last + 1)
    if not _names_folder(where):
        folder, pattern = os.path.split(where)
        return [
            os.path.join(folder, NUMBER.sub(lambda directive: directive.group() % number, pattern))  # noqa: B023
            for number in numbers
        ]
    name = source.name if source.name not in (None, STDIN_NAME) else None
    stem = "match" if name is None else os.path.splitext(strip_ending(os.path.basename(name)))[0]
    width = max(3, len(str(last)))
    return [os.path.join(where, f"{stem}_{number:0{width}}{extension}") for number in numbers]
