"""The action of ``mjconv review``: let bots play the places of players, and write what comes out."""

import os
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, cast

from msgspec.structs import replace

from mjconv.api import MjconvWarning, iter_matches, iter_members, write
from mjconv.archive.where import where_of
from mjconv.batch.finished import survey
from mjconv.batch.plan import Plan
from mjconv.command.console import Exit, print_message, print_notes
from mjconv.command.paths import check_one_anonymous, check_output
from mjconv.command.progress import ProgressLine
from mjconv.command.score import check_table, write_grid
from mjconv.converters import formats
from mjconv.converters.interface import EVERY_SEAT
from mjconv.files.address import path_text
from mjconv.files.compression import ending_of
from mjconv.files.reading import STANDARD
from mjconv.files.walk import expand
from mjconv.files.writing import Staging, packed_pieces
from mjconv.ir.errors import UsageError, visible
from mjconv.ir.plural import counted
from mjconv.languages import translated
from mjconv.options import ConvertOptions, Options
from mjconv.reviewer.bot import ANSWER_SECONDS, Protocol
from mjconv.reviewer.rows import FILES, read_rows
from mjconv.reviewer.run import ReviewRun
from mjconv.reviewer.summary import Comparison
from mjconv.reviewer.worker import BotOptions
from mjconv.settings import ReadSettings, anonymity

_PAGE: Final = ".html"
_RECORD: Final = ".mjson"
#: The end of the name of the file that keeps the results until the output is complete.
_KEPT: Final = ".review"


#: The names of options whose fields have other names.
_NAMES: Final = {"source": "from"}


class ReviewOptions(Options, frozen=True, kw_only=True):
    """The arguments and options of ``mjconv review``."""

    inputs: list[str]
    bot: str | None = None
    seat: str | None = None
    output: str | None = None
    protocol: str = "lines"
    listen: str | None = None
    timeout: str | None = None
    jobs: int = 0
    resume: bool = False
    compare: bool = False
    source: str | None = None
    where: str | None = None


def review_files(options: ReviewOptions) -> Exit:
    """Review, or compare two reviews, and return the status. Raises `UsageError`, `InputError` and `OSError`."""
    if options.compare:
        return _compare(options)
    with warnings.catch_warnings():
        # Records are read for their play alone: `mjconv validate` finds their mistakes.
        warnings.simplefilter("ignore", MjconvWarning)
        return _review_files(options)


def _review_files(options: ReviewOptions) -> Exit:
    names = expand(options.inputs)
    bot = _bot(options)
    ending = _check_output(options, names)
    plan = Plan(
        inputs=tuple(map(path_text, names)),
        output=path_text(options.output or ""),
        options=ConvertOptions(source=options.source, where=options.where),
        settings=replace(ReadSettings.current(), walls=False),
    )
    if options.output is not None and plan.settings.anonymous is None:
        return _review(ReviewRun(plan, bot, options.output + _KEPT), names, ending, options)
    with tempfile.TemporaryDirectory() as folder:
        return _review(ReviewRun(plan, bot, os.path.join(folder, _KEPT)), names, ending, options)


def _review(run: ReviewRun, names: list[str], ending: str, options: ReviewOptions) -> Exit:
    summary = run.summary
    with ProgressLine(lambda: survey(names).size) as progress:

        def text() -> str:
            games = counted(summary.seats.total(), "game", grouped=True)
            return f"{games}, {counted(summary.decisions, 'decision', grouped=True)}"

        def watch() -> None:
            progress.update(text, run.read_bytes)

        try:
            run.execute(names, options.jobs or 1, watch, resume=options.resume)
        except KeyboardInterrupt:
            if options.output is not None:
                print_message(visible(f"mjconv: interrupted: {text()} kept; --resume continues"))
            raise
    if options.output is not None:
        if ending in FILES or any(True for _ in run.rows()):
            _write(run, names, ending, options.output)
        else:
            # A page or record of no match would be an empty file.
            print_message(visible(f"mjconv: the bot decided nothing: {options.output} was not written"))
        os.unlink(run.kept)
    if options.output is None:
        print("\n".join(map(translated, summary.lines())))
    else:
        print_notes(summary.lines())
    return Exit.DONE if summary.good else Exit.BAD_INPUT


def _write(run: ReviewRun, names: list[str], ending: str, output: str) -> None:
    """Write the output, in the form of its ending."""
    if ending == _RECORD:
        write(run.matches(names), output)
        return
    hidden = anonymity.current() is not None
    rows = (replace(row, source=None) for row in run.rows()) if hidden else run.rows()
    pieces = _pages(run, names) if ending == _PAGE else FILES[ending][0](rows)
    with Staging() as stage:
        stage.write(output, packed_pieces(output, pieces))


def _pages(run: ReviewRun, names: list[str]) -> Iterator[bytes]:
    # Imported here: only a page needs the viewer.
    from mjconv.viewer.show import view

    for match in run.matches(names):
        seat = run.head.bot.seat
        yield view(match, seat=None if seat == EVERY_SEAT else seat).html.encode()


def _bot(options: ReviewOptions) -> BotOptions:
    """Return the bot of the options. Raises `UsageError`."""
    if options.listen is not None and options.jobs > 1:
        raise UsageError("--listen waits for one bot at a time: leave --jobs out")
    try:
        timeout = ANSWER_SECONDS if options.timeout is None else float(options.timeout)
        if not 0 < timeout < float("inf"):
            raise ValueError
    except ValueError:
        raise UsageError(f"--timeout takes seconds, such as 2.5, not {options.timeout!r}") from None
    if options.bot is None and options.listen is None:
        raise UsageError("name the command of a bot, such as --bot 'python3 bot.py {seat}'")
    bot = BotOptions(options.bot, options.seat, cast("Protocol", options.protocol), options.listen, timeout)
    with bot.bot():
        # Wrong values are errors now, and not of each worker.
        return bot


def _check_output(options: ReviewOptions, names: Sequence[str]) -> str:
    """Check the output and the choice of matches, and return the ending of the output."""
    if options.source is not None:
        formats.find(options.source)
    if options.where is not None:
        where_of(options.where)
    if options.resume and (options.output is None or anonymity.current() is not None):
        raise UsageError("--resume needs -o, and no --anonymous: else nothing of an interrupted review is kept")
    if options.output is None:
        return ""
    ending = ending_of(options.output)
    if ending not in (_PAGE, _RECORD, *FILES) or options.output == STANDARD:
        known = " ".join((_PAGE, _RECORD, *FILES))
        raise UsageError(f"the name of the output decides its kind, and ends in one of {known}")
    if ending == ".parquet":
        from mjconv.columns import check_installed

        check_installed(f"an output in {ending}")
    check_one_anonymous(ending == _RECORD and len(list(islice(iter_members(names), 2))) > 1)
    check_output(options.output, names)
    if ending == _PAGE:
        several = iter_matches(
            names, format=options.source, where=options.where, wall=False, errors=lambda _: None
        )
        if len(list(islice(several, 2))) > 1:
            raise UsageError(f"{options.output} is a page, which shows one match: write rows, or a record")
    return ending


def _compare(options: ReviewOptions) -> Exit:
    """Print or write where the answers of two files of rows differ. Raises `UsageError` for other options."""
    unset = ReviewOptions(inputs=options.inputs, output=options.output, compare=True)
    others = [
        f"--{_NAMES.get(name, name)}"
        for name in options.__struct_fields__
        if getattr(options, name) != getattr(unset, name)
    ]
    if anonymity.current() is not None:
        others.append("--anonymous")
    if others:
        raise UsageError(f"--compare reads rows that are written already: leave {', '.join(others)} out")
    if len(options.inputs) != 2:
        raise UsageError(f"--compare takes two files of rows, not {len(options.inputs)}")
    if options.output is not None:
        check_table(options.output, None, options.inputs)
    one, other = map(read_rows, options.inputs)
    found = Comparison(one, other)
    if options.output is None:
        print("\n".join(map(translated, found.lines())))
    else:
        write_grid(found.grid(), options.output, None)
        print_notes(found.numbers())
    return Exit.DONE
