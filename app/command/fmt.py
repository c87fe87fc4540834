"""The action of `mjconv fmt`: texts that people typed, in the usual layout."""

import sys
from difflib import unified_diff

from mjconv.command.console import Exit, Failures, print_note
from mjconv.command.paths import open_source
from mjconv.files.reading import STANDARD, STDIN_NAME
from mjconv.files.writing import check_rewritable, packed_for, write_bytes
from mjconv.ir.errors import InputError, UsageError, visible
from mjconv.options import Options
from mjconv.source import Source


class FmtOptions(Options, frozen=True, kw_only=True):
    """The options of `mjconv fmt`: with `check` or `diff`, no file is written."""

    files: list[str]
    check: bool = False
    diff: bool = False
    source: str | None = None


def format_files(options: FmtOptions) -> Exit:
    """Lay out files, ``-`` from standard input to standard output; print the errors of files, and go on.

    Returns the worst exit status of all files. With `options.check` or `options.diff`, a file that has another
    layout has the status of bad input.
    """
    failures, kept = Failures(), True
    for path in options.files:
        with failures.going_on():
            kept = _format(path, options) and kept
    return max(failures.status, Exit.DONE if kept else Exit.BAD_INPUT)


def _format(path: str, options: FmtOptions) -> bool:
    """Lay out one file. Returns false if `options.check` or `options.diff` is set and it has another layout."""
    source = open_source(path, options.source)
    laid = laid_out(source)
    writes = not (options.check or options.diff)
    if options.diff:
        sys.stdout.writelines(_difference(source, laid))
    if writes and (path == STANDARD or laid != source.data):
        check_rewritable(path)
        write_bytes(path, packed_for(path, laid))
    if not writes and laid != source.data:
        print_note(visible(f"mjconv: {source.name or STDIN_NAME} has another layout"))
    return writes or laid == source.data


def laid_out(source: Source) -> bytes:
    """Return the text of a source in the usual layout. Raises `UsageError` for a format without a layout."""
    if "tidy" not in source.form.code.typed:
        name = visible(source.name or STDIN_NAME)
        raise UsageError(f"{name} is {source.form.called}: fmt lays out what people type, jmjp, uzje and hk")
    try:
        return source.form.tidied(source.data)
    except InputError as error:
        error.file = error.file or source.name
        raise


def _difference(source: Source, laid: bytes) -> list[str]:
    old, new = (data.decode("utf-8", "replace").splitlines(keepends=True) for data in (source.data, laid))
    name = visible(source.name or STDIN_NAME)
    return [line if line.endswith("\n") else f"{line}\n" for line in unified_diff(old, new, name, name)]
