"""The action of ``mjconv score``: choose the table, and write it to a file or to standard output."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import Any, Final, TypeVar, cast, get_args

from mjconv import encoding
from mjconv.command.console import print_notes
from mjconv.command.paths import check_output
from mjconv.conversion import placing
from mjconv.converters import formats
from mjconv.converters.interface import HEAD
from mjconv.converters.shared.standings import ScoredGame
from mjconv.files.address import redacted
from mjconv.files.reading import STANDARD, check_one_standard_input, read_bytes
from mjconv.files.storage import is_folder, open_for_reading
from mjconv.files.walk import found_below
from mjconv.files.writing import packed_for, write_bytes
from mjconv.ir.errors import InputError, UsageError
from mjconv.ir.suggestion import check_word
from mjconv.languages import translated
from mjconv.messages import warning_lines
from mjconv.options import Options
from mjconv.score.formats import BINARY, FORMATS, format_for
from mjconv.score.reading import games_of_files, played, score_format
from mjconv.score.score import Period, in_order, running_scores, scores_by_period, standings
from mjconv.score.season import Season
from mjconv.score.table import HONG_KONG, RIICHI, Grid, check_column

Made = TypeVar("Made")
_DATE: Final = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")


class ScoreOptions(Options, frozen=True, kw_only=True):
    """The options of ``mjconv score``. Dates are texts: ``2024-01-20``, ``2024-01`` or ``2024``.

    `counted_as` is the format by whose rules games of other rules count.
    """

    files: list[str]
    output: str | None = None
    format: str | None = None
    counted_as: str | None = None
    blame: bool = False
    since: str | None = None
    until: str | None = None
    sort: str | None = None
    by: str | None = None
    running: bool = False
    season: str | None = None
    teams: bool = False
    min_games: int = 0


def score_files(options: ScoreOptions) -> None:
    """Score the files and write the table to `output`, or to standard output; aligned on a terminal.

    Raises as `hk_score_files`, and `UsageError` for wrong options.
    """
    check_column(options.sort, tuple(dict.fromkeys((*RIICHI, *HONG_KONG))))
    output, paths = options.output, [file for path in options.files for file in _files(path)]
    if options.format is None and output is not None and output.lower().endswith((".html", ".htm")):
        _write_page(paths, output, options)
        return
    write_table(lambda: _grid(paths, options), paths, output, options.format)


def _write_page(paths: Sequence[str], output: str, options: ScoreOptions) -> None:
    """Write the page of the standings and games. Raises `UsageError` for options of tables."""
    # Imported here: tables need no viewer.
    from mjconv.viewer.show import evening

    for option, given in (("--by", options.by), ("--running", options.running), ("--blame", options.blame)):
        if given:
            raise UsageError(f"a page always has days and running points: leave out {option}")
    check_one_standard_input(paths)
    check_output(output, paths)
    title = os.path.splitext(os.path.basename(output))[0]
    page = _made(
        paths, options, lambda games: evening(in_order(games), title, least=options.min_games, sort=options.sort)
    )
    page.write(output)


def _files(path: str) -> list[str]:
    """Return a file, or the records below a folder. Raises `InputError` for a folder without a record."""
    if path == STANDARD or not is_folder(path):
        return [path]
    files = []
    for name, *_, kind, _, _ in found_below(path):
        if kind is None:
            with open_for_reading(name) as stream:
                head = stream.read(HEAD)
            files += [name] if formats.of_file(name, head) is not None else []
    if not files:
        raise InputError("there is no record in it", file=redacted(path))
    return files


def write_table(make: Callable[[], Grid], paths: Sequence[str], output: str | None, form: str | None) -> None:
    """Check the output, make the table, and write it to `output` or standard output; aligned on a terminal.

    `paths` are the inputs. `form` is a key of `FORMATS`. Raises `UsageError` and `OSError`.
    """
    check_one_standard_input(paths)
    output_form = check_table(output, form, paths)
    terminal = on_terminal(output)
    if terminal and output_form in BINARY:
        raise UsageError(f"{output_form} is no text for a terminal: name a file with -o")
    grid = make()
    if terminal and form is None:
        print(replace(grid, columns=[translated(column) for column in grid.columns]).aligned(), end="")
        return
    write_grid(grid, output, output_form)


def check_table(output: str | None, form: str | None, paths: Sequence[str]) -> str:
    """Return the format of a table that may be written. Raises `UsageError` and `OSError` where it may not."""
    output_form = format_for(form, output)
    if output is not None:
        check_output(output, paths)
    return output_form


def write_grid(grid: Grid, output: str | None, form: str | None) -> None:
    """Write a table to `output` or standard output. Raises `OSError`."""
    name = output or STANDARD
    write_bytes(name, packed_for(name, FORMATS[format_for(form, output)](grid)))


def on_terminal(output: str | None) -> bool:
    """Return whether the output is a terminal."""
    return output is None and sys.stdout is not None and sys.stdout.isatty()


def _grid(paths: Sequence[str], options: ScoreOptions) -> Grid:
    if options.by is not None:
        check_word("--by", options.by, get_args(Period))
    by, blame = cast("Period | None", options.by), options.blame
    if options.running:
        for option, given in (("--sort", options.sort is not None), ("--blame", blame)):
            if given:
                raise UsageError(f"--running has a column for each player, so {option} has no meaning with it")
        return _made(paths, options, lambda games: running_scores(games, by, least=options.min_games))
    if not blame and (options.sort or "").startswith("blame"):
        raise UsageError(f"--sort {options.sort} needs --blame, which adds this column")
    order: dict[str, Any] = {"least": options.min_games, "sort": options.sort}
    if by is not None:
        grid = _made(paths, options, lambda games: scores_by_period(games, by, blame=blame, **order))
    else:
        grid = _made(paths, options, lambda games: standings(games, **order).grid(blame=blame), empty=True)
    if blame and not any(column.startswith("blame") for column in grid.columns):
        raise UsageError("--blame counts games by Hong Kong rules, and these are games of riichi: leave it out")
    return grid


def _made(
    paths: Sequence[str],
    options: ScoreOptions,
    make: Callable[[Iterator[ScoredGame]], Made],
    *,
    empty: bool = False,
) -> Made:
    """Call `make` with the games of files, and return its value. Print the warnings. Raises as `games_of_files`.

    If no game counts, raises `InputError`; with `empty`, that is a warning unless days are chosen.
    """
    season = _season(options)
    windowed = season.since is not None or season.until is not None
    warnings: list[str] = []
    try:
        games = games_of_files(paths, season, warnings.append)
        warn = warnings.append if empty and not windowed else None
        return make(played(games, windowed=windowed, warn=warn))
    finally:
        print_notes(warning_lines(warnings))


def _season(options: ScoreOptions) -> Season:
    """Return the season of a file, with the choices of the options. Raises `InputError` and `OSError`."""
    season = Season() if options.season is None else _read_season(options.season)
    if options.teams and not season.teams:
        raise UsageError("--teams needs a --season FILE with lines such as: team Red = Ann, Ben")
    if options.counted_as not in (None, score_format().id):
        raise UsageError(f"--as takes {score_format().id}, not {options.counted_as!r}")
    season.by_team, season.revalue = options.teams, options.counted_as is not None
    season.since, season.until = _day("--since", options.since), _day("--until", options.until, last=True)
    return season


def _read_season(path: str) -> Season:
    """Read a file of a season: in UTF-8, else in the encoding in force. Raises `InputError` and `OSError`."""
    data = read_bytes(path)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        # Imported here: only a text in another encoding needs it.
        from mjconv.encoding_guess import refuse_other

        if encoding.current() is None:
            refuse_other(data, path)
            raise InputError(f"not UTF-8; {encoding.HINT}", file=path) from None
        text = encoding.as_utf8(data, path).decode()
    with placing((), path):
        return Season.of(text)


def _day(option: str, text: str | None, *, last: bool = False) -> date | None:
    """Return the first or the last day of a day, month or year.

    >>> _day("--since", "2024-02"), _day("--until", "2024-02", last=True)
    (datetime.date(2024, 2, 1), datetime.date(2024, 2, 29))
    """
    ends = ("", "-31", "-30", "-29", "-28", "-12-31") if last else ("", "-01", "-01-01")
    for end in ends if text is not None and _DATE.fullmatch(text) else ():
        with suppress(ValueError):
            return date.fromisoformat(f"{text}{end}")
    if text is None:
        return None
    raise UsageError(f"{option} takes a date such as 2024-01-20, 2024-01 or 2024, not {text!r}")
