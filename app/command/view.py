"""The action of `mjconv view`: one match as a page, in the terminal, or as text; or several games as one page."""

import os
import sys
import tempfile
import warnings
import webbrowser
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TextIO

from msgspec.structs import replace

from mjconv.api import MjconvWarning, iter_records
from mjconv.command.console import print_message, print_note, print_notes
from mjconv.command.paths import check_one_anonymous, check_output, open_source
from mjconv.converters import formats
from mjconv.files.address import redacted
from mjconv.files.compression import ending_of
from mjconv.files.reading import STANDARD, STDIN_NAME, ArchiveError
from mjconv.ir.errors import InputError, UsageError, shortened
from mjconv.ir.losses import Report
from mjconv.ir.match import House, Match
from mjconv.ir.plural import counted
from mjconv.ir.seats import seat_number
from mjconv.languages import chosen, current
from mjconv.messages import warning_lines
from mjconv.options import Options, house_rules
from mjconv.packages import pip
from mjconv.settings import anonymity, walls
from mjconv.source import Source
from mjconv.validation.check import check
from mjconv.viewer.results_table import is_results_alone
from mjconv.viewer.rounds import RoundView, round_views
from mjconv.viewer.show import View, check_step, evening_of, round_number, view
from mjconv.viewer.text import text_lines

#: Endings of pictures that are neither a page nor a drawing.
_PICTURES: Final = (".jpg", ".jpeg", ".webp", ".gif", ".pdf")
#: A number of more digits is no step.
_MOST_DIGITS: Final = 9
#: How to show a file of an archive or a folder.
_ARCHIVE: Final = "view -o evening.html makes one page of it; mjconv info --all {} lists the files in it"
#: What chooses a place in one match.
_OF_ONE: Final = ("seat", "round", "step", "card", "match", "check", "watch")


class ViewOptions(Options, frozen=True, kw_only=True):
    """The options of `mjconv view`.

    `output` is the page to write, ``-`` is standard output. `round` is the name of a round, `seat` the number of a
    seat, its first wind or its player. `step` is a number, or a round and a number, such as ``E2-0.40``. `match`
    is counted from 1, 0 is the only match; seats and steps count from 0. `card` is the round whose
    result a picture shows, `font` the path of a font for it.
    """

    files: list[str]
    output: str | None = None
    opens: bool = False
    terminal: bool = False
    text: bool = False
    source: str | None = None
    seat: str | None = None
    round: str | None = None
    step: str | None = None
    card: str | None = None
    font: str | None = None
    match: int = 0
    check: bool = False
    house: str | None = None
    no_walls: bool = False
    no_credit: bool = False
    watch: bool = False
    port: int = 0


def view_files(options: ViewOptions) -> None:
    """Show one match of a file; or the games of several files, of a folder or of an archive as one page."""
    page, paths = _is_page(options), options.files
    if len(paths) == 1:
        try:
            view_file(paths[0], options)
        except (ArchiveError, IsADirectoryError):
            if not page:
                raise
        else:
            return
    if not page:
        raise UsageError("several files make one page: name it with -o evening.html")
    check_one_anonymous()
    options = _with_output(paths, options)
    with warnings.catch_warnings(record=True) as found, walls.using(walls.current() and not options.no_walls):
        warnings.simplefilter("always", MjconvWarning)
        matches = [record.match for record in iter_records(paths, format=options.source)]
    print_notes(f"mjconv: warning: {each.message}" for each in found)
    if not matches:
        raise InputError("there is no record in it", file=", ".join(map(redacted, paths)))
    _put_several(matches, options, paths[0])


def _put_several(matches: Sequence[Match], options: ViewOptions, path: str) -> None:
    """Write the page of several games, and open it."""
    if given := [f"--{name}" for name in _OF_ONE if getattr(options, name)]:
        raise UsageError(
            f"a page of several games opens at its first sheet: leave {', '.join(given)} out, "
            "or choose a match of one file with --match"
        )
    named = options.output or (path if anonymity.current() is None else "games")
    make = view if all(map(is_results_alone, matches)) else evening_of
    _put(make(matches, title=Path(named).stem, **_how(options)), options)


def _how(options: ViewOptions) -> dict[str, Any]:
    """Return the keywords of all pages."""
    return {"lang": chosen.current(), "wall": not options.no_walls, "credit": not options.no_credit}


def view_file(path: str, options: ViewOptions) -> None:
    """Show one match of a file. Raises `MjconvError` and `OSError`."""
    named, step = _place(options)
    options = replace(options, round=named)
    house = None if options.house is None else house_rules(options.house, check=options.check)
    if options.watch:
        _watch(path, options, house)
        return
    options = _with_output([path], options)
    with walls.using(walls.current() and not options.no_walls):
        source = open_source(path, options.source, _ARCHIVE)
    matches = _chosen(source, options)
    if _is_page(options) and len(matches) > 1 and not all(map(is_results_alone, matches)):
        _put_several(matches, options, path)
        return
    place = 0 if options.round is None else round_number(matches[0], options.round)
    opens = (place, step, seat_number(matches[0], options.seat))
    if not (options.text or options.terminal):
        _put(_shown(matches, options, house, opens), options)
        return
    findings = check(matches[0], house=house) if options.check else []
    rounds = round_views(matches[0], findings) if options.terminal and not is_results_alone(matches[0]) else []
    if rounds:
        _show_in_terminal(matches[0], rounds, opens)
        return
    # A match without play is printed.
    for line in text_lines(matches, current(), findings, None if options.round is None else place):
        print(line)


def _shown(
    matches: Sequence[Match], options: ViewOptions, house: House | None, opens: tuple[int, int, int | None]
) -> View:
    """Return the page or picture of a match, which opens at a round, a step and a seat."""
    place, step, seat = opens
    how = _how(options) | {"check": options.check, "house": house, "card": options.card is not None}
    return view(matches, seat=seat, round=place, step=step, **how)


def _place(options: ViewOptions) -> tuple[str | None, int]:
    """Return the name of the round, None for the first one, and the step with which the view begins."""
    if options.card is not None:
        if options.step is not None or options.round is not None:
            raise UsageError("--card names the round: leave --round and --step out")
        return options.card, 0
    named, _, step = (options.step or "0").rpartition(".")
    if named and options.round is not None:
        raise UsageError(f"--step {options.step} names the round too: leave --round out")
    if not (step.isascii() and step.isdigit() and len(step) < _MOST_DIGITS):
        reason = f"--step takes a whole number, or a round and a number (E2-0.40), not {shortened(step)!r}"
        raise UsageError(reason)
    return named or options.round, int(step)


def _with_output(paths: Sequence[str], options: ViewOptions) -> ViewOptions:
    """Return the options with one output: without any, the terminal if it can show the match, else text.

    Raises an error if more than one output is named, or if the page cannot be written.
    """
    if options.card is not None and not _is_picture(options.output):
        raise UsageError("--card draws a picture: name it with -o card.png or -o card.svg")
    if options.font is not None and ending_of(options.output or "") != ".png":
        raise UsageError("--font is the font of a PNG picture: name one with -o game.png, or leave --font out")
    if options.port:
        raise UsageError("--port needs --watch, which serves the page")
    pages = options.output is not None or options.opens
    at_terminal = all(map(_isatty, (sys.stdin, sys.stdout)))
    if not (pages or options.terminal or options.text):
        shows = at_terminal and find_spec("textual") is not None
        return replace(options, terminal=shows, text=not shows)
    if pages + options.terminal + options.text != 1:
        reason = "view needs one output: a page with -o game.html or --open, or else --terminal, or --text"
        raise UsageError(reason)
    if options.terminal and not at_terminal:
        raise UsageError("--terminal needs a terminal; --text prints the match")
    if options.output is not None:
        if options.output.lower().endswith(_PICTURES):
            raise UsageError(
                f"{options.output}: view writes a page (.html), or a picture of one position (.svg, .png); "
                "a browser prints the page"
            )
        check_output(options.output, paths)
        if formats.by_extension(options.output) and not options.output.lower().endswith((".html", ".htm")):
            raise UsageError(f"{options.output} is the name of a record, and view writes a page: -o game.html")
        if options.opens and options.output == STANDARD:
            raise UsageError("--open needs a file: name it with -o, or leave -o out")
    return options


def _is_picture(output: str | None) -> bool:
    return ending_of(output or "") in (".png", ".svg")


def _is_page(options: ViewOptions) -> bool:
    return (options.opens or options.output is not None) and not _is_picture(options.output)


def _isatty(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _chosen(source: Source, options: ViewOptions) -> list[Match]:
    """Return the match to show, or all matches for a page and if only their results are known."""
    report = Report(mends=True)
    readings = source.readings(report)
    wanted = options.match
    matches: list[Match] = []
    number = 0
    for number, reading in enumerate(readings, 1):
        if not wanted:
            matches.append(reading.match)
        elif number == wanted:
            matches = [reading.match]
            break
        several = len(matches) > 1 and not all(map(is_results_alone, (matches[0], matches[-1])))
        if several and not _is_page(options):
            print_message(
                "mjconv: the file holds several matches, and this is the first: --match 2 shows the next one, "
                "mjconv info lists them, -o evening.html makes one page of them"
            )
            matches = matches[:1]
            break
    if len(matches) > 1 and not any(match.rounds for match in matches):
        raise UsageError("the file holds the points of games alone: mjconv score -o evening.html makes their page")
    if not matches:
        raise UsageError(f"there is no match {wanted}: the file holds {counted(number, 'match')}")
    for fault in report.faults:
        fault.error.file = fault.error.file or source.name
        print_note(f"mjconv: warning: {fault.error}")
    print_notes(warning_lines(report.warnings, source.name or STDIN_NAME))
    return matches


def _show_in_terminal(match: Match, rounds: Sequence[RoundView], opens: tuple[int, int, int]) -> None:
    """Show the match in the terminal until the reader leaves it."""
    if find_spec("textual") is None:
        raise UsageError(f"--terminal needs Textual: {pip()} install textual; --text needs no package")
    # Imported here: it loads Textual.
    from mjconv.viewer.terminal import Viewer

    place, step, _ = opens
    check_step(rounds[place].steps, step)
    Viewer(match, rounds, current(), opens).run()


def _put(shown: View, options: ViewOptions) -> None:
    """Write the page, and open it."""
    path = options.output
    if path is None:
        # The browser reads the file after the command has ended: the folder stays.
        path = os.path.join(tempfile.mkdtemp(prefix="mjconv-"), "view.html")
    shown.write(path, options.font)
    if options.opens and not webbrowser.open(Path(path).resolve().as_uri()):
        print_message(f"mjconv: no browser was found; the page is {path}")


def _watch(path: str, options: ViewOptions, house: House | None) -> None:
    """Serve the page, and show each save of the file until the command is interrupted."""
    from mjconv.typist.watch import Watched, WatchServer

    if options.output is not None or options.terminal or options.text or path == STANDARD:
        raise UsageError("--watch serves the page of one file: leave -o, --terminal and --text out")
    # A file that is not there is named before the server starts.
    open_source(path, options.source, _ARCHIVE)

    def make_page(matches: list[Match]) -> str:
        number = min(options.match or 1, len(matches)) - 1
        # Without a round, the page opens at the last act.
        last = (max(len(matches[number].rounds) - 1, 0), -1)
        place, step = last if options.round is None else (round_number(matches[number], options.round), 0)
        opens = (place, step, seat_number(matches[number], options.seat))
        return _shown([matches[number]], options, house, opens).html

    with WatchServer(Watched(path, make_page, options.source), options.port) as server:
        print(server.address, flush=True)
        if options.opens:
            webbrowser.open(server.address)
        server.serve_forever()
