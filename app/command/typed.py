"""The actions for texts that people type, `mjconv fmt` and `mjconv lsp`; and what `--in-place` reports."""

import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from difflib import unified_diff

from mjconv.command.console import Exit, Failures, print_note
from mjconv.command.paths import BATCH_READS, FMT_READS, open_source
from mjconv.conversion import placing
from mjconv.files.reading import STANDARD, STDIN_NAME, check_one_standard_input
from mjconv.files.writing import check_rewritable, packed_for, write_bytes
from mjconv.ir.errors import UsageError, visible
from mjconv.ir.losses import Report
from mjconv.ir.plural import counted
from mjconv.options import Options
from mjconv.packages import check_packages
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
    check_one_standard_input(options.files)
    failures, kept = Failures(), True
    for path in options.files:
        with failures.going_on():
            kept = _format(path, options) and kept
    return max(failures.status, Exit.DONE if kept else Exit.BAD_INPUT)


def _format(path: str, options: FmtOptions) -> bool:
    """Lay out one file. Returns false if `options.check` or `options.diff` is set and it has another layout."""
    source = typed_source(path, options.source, FMT_READS)
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


def typed_source(path: str, form: str | None = None, archive_hint: str = BATCH_READS) -> Source:
    """Read a file as `open_source` does. Raises `InputError` too for a typed text in another encoding."""
    source = open_source(path, form, archive_hint)
    if source.form.code.typed:
        # Imported here: few commands need it.
        from mjconv.encoding_guess import refuse_other

        refuse_other(source.data, source.name)
    return source


def laid_out(source: Source) -> bytes:
    """Return the text of a source in the usual layout. Raises `UsageError` for a format without a layout."""
    if "tidy" not in source.form.code.typed:
        name = visible(source.name or STDIN_NAME)
        raise UsageError(f"{name} is {source.form.called}: fmt lays out what people type, jmjp, uzje, hk and club")
    with placing((), source.name):
        return source.form.tidied(source.data)


def _difference(source: Source, laid: bytes) -> list[str]:
    old, new = (data.decode("utf-8", "replace").splitlines(keepends=True) for data in (source.data, laid))
    name = visible(source.name or STDIN_NAME)
    return [line if line.endswith("\n") else f"{line}\n" for line in unified_diff(old, new, name, name)]


def report_moves(before: bytes, after: bytes, report: Report) -> None:
    r"""Report each line of a text that has another place among its lines after the text was written anew.

    Lines that the text has more than once are not compared.

    >>> report = Report()
    >>> report_moves(b"a\nb\n\n// why\nc\n", b"// why\na\nb\nc\n", report)
    >>> [str(warning) for warning in report.warnings]
    ['line 4: this line moves to line 1', '1 blank line is dropped']
    """
    old, new = (text.decode("utf-8", "replace").splitlines() for text in (before, after))
    places = _once(new)
    common = [(number, places[line]) for line, number in _once(old).items() if line in places]
    staying = _rising([place for _, place in common])
    for (number, place), stays in zip(common, staying, strict=True):
        if not stays:
            report.warn(f"this line moves to line {place}", line=number)
    dropped = sum(not line.strip() for line in old) - sum(not line.strip() for line in new)
    if dropped > 0:
        report.warn(f"{counted(dropped, 'blank line')} {'is' if dropped == 1 else 'are'} dropped")
    if b"\r\n" in before and b"\r\n" not in after:
        report.warn("line ends become LF, from CR LF")


def _once(lines: Sequence[str]) -> dict[str, int]:
    """Return the numbers, from 1, of the lines that are not blank and come once."""
    numbers = Counter(lines)
    return {line: number for number, line in enumerate(lines, 1) if line.strip() and numbers[line] == 1}


def _rising(places: Sequence[int]) -> list[bool]:
    """Return which of these numbers belong to one longest part of them that rises.

    >>> _rising([2, 3, 1, 4])
    [True, True, False, True]
    """
    ends: list[int] = []
    lengths = []
    for place in places:
        length = bisect_left(ends, place)
        ends[length : length + 1] = [place]
        lengths.append(length)
    wanted = len(ends) - 1
    rising = [False] * len(places)
    for index in range(len(places) - 1, -1, -1):
        if lengths[index] == wanted:
            rising[index] = True
            wanted -= 1
    return rising


def serve() -> None:
    """Serve an editor on standard input and output until it ends. Raises `UsageError` without pygls."""
    check_packages("lsp", "pygls")
    # Imported here: nothing else needs pygls.
    from mjconv.typist.lsp import make_server

    make_server().start_io()
