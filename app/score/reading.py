"""Read games for score tables: lines of Hong Kong score files, and records that are converted first."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from itertools import chain
from typing import Final, Protocol, cast

from msgspec import UNSET

from mjconv import encoding
from mjconv.converters.formats import all_formats, by_extension, of_file
from mjconv.converters.interface import HEAD, Format, WriteOptions
from mjconv.converters.shared.look_alikes import LookAlikes
from mjconv.converters.shared.settings import Settings
from mjconv.converters.shared.standings import UNITS, OnNames, ScoredGame, in_window
from mjconv.files.address import is_address, redacted
from mjconv.files.lines import lines_in, pieces_of
from mjconv.files.reading import SPREADSHEETS, STANDARD, hinting, one_file, open_input, read_bounded, shown_name
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, MjconvError, UsageError
from mjconv.ir.losses import Loss, Report
from mjconv.ir.match import Match
from mjconv.ir.plural import counted
from mjconv.rules.rulesets import rulesets_of
from mjconv.rules.scores import scores_after
from mjconv.score.riichi import is_riichi, names_of, scored_game, states_uma
from mjconv.score.season import Season
from mjconv.source import FileName, Source

#: A name of a file with the results of riichi.
RESULTS: Final = "results.club"
#: A number of points in a line, which no faan are: of three digits, with a decimal point, or with a sign.
_POINTS: Final = re.compile(
    rb"(?m)^(?![A-Z]=)(?:[^#\n]*[^#\n\d.,/-])?(?:[+-]?(?!(?:19|20)\d\d\b)\d{3,}|\d+[.,]\d{1,3}|[+-]\d+)(?![\d./-])"
)
#: Losses of a conversion to scores that concern points, whatever their fate: a second winner, a round left out.
_OF_POINTS: Final = frozenset({"hora", "match.rounds"})
_CHANGED: Final = frozenset({"assumed", "approximated"})
#: Losses of games by other rules: Hong Kong rules, and faan, that the record does not state.
_VALUES: Final = frozenset({"match.rules", "round.rules", "hora.fan"})


class ScoreModule(Protocol):
    """The module that a format declares as its `score_table`: `games_in` yields the games of lines.

    `spell` returns the names of a file from the names of players.
    """

    games_in: Callable[[Iterable[str], OnNames], Iterator[ScoredGame]]
    spell: Callable[[Sequence[str]], tuple[str, ...]]


@cache
def score_format() -> Format:
    """Return the format that has a score table."""
    return next(form for form in all_formats() if form.code.score_table)


@cache
def score_module() -> ScoreModule:
    """Return the module that adds up scores."""
    return cast(ScoreModule, score_format().load_score_table())


def check_window(since: date | None, until: date | None) -> None:
    """Raise `UsageError` if `since` is after `until`.

    >>> check_window(date(2024, 1, 21), date(2024, 1, 20))
    Traceback (most recent call last):
    mjconv.ir.errors.UsageError: no day is from 2024-01-21 to 2024-01-20: exchange the dates
    """
    if since is not None and until is not None and since > until:
        raise UsageError(f"no day is from {since} to {until}: exchange the dates")


def games_of_files(paths: Iterable[FileName], season: Season, warn: Callable[[str], None]) -> Iterator[ScoredGame]:
    """Yield the games of files in their order, with the names of the `season`, if they are in its window.

    A game without points has the players of a line of names, if the season has no window. `warn` is called with
    each warning: about a record of another format, a file that is named twice, names that look alike, and names of
    the season that nobody has. Raises `OSError`, and `MjconvError` with file and line; `UsageError` if `season`
    has no day, for games of other rules, and for games of riichi beside others.
    """
    check_window(season.since, season.until)
    files = _Files(season, warn)
    every, renames = season.since is season.until is None, bool(season.players or season.by_team)
    hint = f"mjconv batch {{}} -o OUT --to {score_format().id} converts all files in it to scores"
    seen, together = set[str](), set[str]()
    for path in paths:
        name = os.fspath(path)
        shown = shown_name(name)
        real = name if is_address(name) else os.path.realpath(name)
        if real in seen:
            warn(f"{shown}: the file is named twice, and its games count twice")
        seen.add(real)
        try:
            with hinting(name, hint):
                for game in files.games(name, shown):
                    if every or (game.units and in_window(game.day, season.since, season.until)):
                        counted_as = season.renamed(game) if renames else game
                        together |= {name for name in counted_as.names if counted_as.names.count(name) > 1}
                        yield counted_as
            if {"riichi", "others"} <= files.kinds.keys():
                raise _by_other_rules(*files.kinds["riichi"])
        except MjconvError as error:
            error.file = error.file or shown
            if type(error) is InputError and not name.lower().endswith(SPREADSHEETS):
                _explain(error, name)
                if shown in files.unclear:
                    error.message += "; docs/score-an-evening.md shows the lines of riichi and of Hong Kong scores"
            raise
    files.finish()
    if together and not season.by_team:
        warn(f"in the season {', '.join(map(repr, sorted(together)))} is several players of one game")


def played(
    games: Iterable[ScoredGame], *, windowed: bool, warn: Callable[[str], None] | None = None
) -> Iterator[ScoredGame]:
    """Yield the games that have points. Raises `InputError` if there is none; `windowed` if days are chosen.

    With `warn`, games without points are yielded too, for the names of their players, and it is called instead.
    """
    any_played = False
    for game in games:
        any_played |= bool(game.units)
        if game.units or warn is not None:
            yield game
    if not any_played:
        text = "no game counted" + (": no game has a date of these days" if windowed else "")
        if warn is None:
            raise InputError(text)
        warn(text)


def _explain(error: InputError, name: str) -> None:
    """Raise an error about the encoding instead of this one if the file begins with text that is not UTF-8."""
    # Imported here: only an error needs it.
    from mjconv.encoding_guess import refuse_other

    if name != STANDARD and encoding.current() is None:
        head, _ = _begun(pieces_of(name))
        refuse_other(head, redacted(name), whole=False)
    if "not UTF-8" in error.message:
        error.message += f"; {encoding.HINT}"


class _Files:
    """Reads files one by one. `kinds` has the first file of each kind of games."""

    def __init__(self, season: Season, warn: Callable[[str], None]) -> None:
        self.season = season
        self.warn = warn
        self.kinds: dict[str, tuple[str, Format | None]] = {}
        self.alike = LookAlikes[str]()
        #: The files whose names and contents show no format.
        self.unclear = set[str]()

    def games(self, name: str, shown: str) -> Iterator[ScoredGame]:
        """Return the games of a file; a record of another format is converted first.

        Games of riichi and of Chinese Official have the points that the record states, unless they are revalued.
        """
        if self.season.riichi and name.lower().endswith(SPREADSHEETS):
            return self._of_sheet(name, shown)
        begin, pieces = _begun(pieces_of(name))
        one_file(begin, shown)
        other, clear = _other_format(name, encoding.head_as_utf8(begin[:HEAD]))
        codec = encoding.current() or "utf-8"
        self.unclear |= set() if clear else {shown}
        if other is not None:
            source = Source(encoding.as_utf8(b"".join(pieces), shown), other, shown)
            games = self._stated(source)
            if games is not None:
                return iter(games)
            pieces, codec = iter([_converted(source, self.warn, revalue=self.season.revalue)]), "utf-8"
        return self._of_lines(chain.from_iterable(lines_in(pieces, codec)), shown)

    def finish(self) -> None:
        """Warn of what the files have together. Raises `InputError` if games of riichi have no points."""
        if "riichi" in self.kinds and not {"uma", "no uma"} & self.kinds.keys():
            raise InputError("no game has points at its end", file=self.kinds["riichi"][0])
        if {"uma", "no uma"} <= self.kinds.keys():
            self.warn(
                f"{self.kinds['no uma'][0]}: its games state no uma, and those of other files do; "
                "--season states the rules of all games"
            )
        for pair in self.alike.pairs():
            self.warn(f"{pair.place}: {pair}")
        if missing := self.season.missing(self.alike.names):
            self.warn(f"the season names {', '.join(map(repr, missing))}: no player of these files is called so")

    def _of_lines(self, lines: Iterable[str], shown: str) -> Iterator[ScoredGame]:
        self.kinds.setdefault("others", (shown, None))
        return score_module().games_in(lines, lambda names, number: self.alike.add(names, f"{shown}:{number}"))

    def _of_sheet(self, name: str, shown: str) -> Iterator[ScoredGame]:
        """Yield the games of a spreadsheet. An error has its cell."""
        # Imported here: few games are in spreadsheets.
        from mjconv.score.spreadsheet import games_of

        with open_input(name) as stream:
            data = read_bounded(stream, shown)
        if not name.lower().endswith(".xlsx"):
            data = encoding.as_utf8(data, shown)
        sheet = games_of(shown, data, score_module().spell)
        self.warn(f"{shown}: {sheet.taken}")
        form = score_format() if sheet.hong_kong else by_extension(RESULTS)[0][0]
        texts = [line.text for line in sheet.lines]
        try:
            if sheet.hong_kong:
                yield from self._of_lines(texts, shown)
            else:
                source = Source("\n".join([*texts, ""]).encode(), form, shown)
                yield from self._stated(source, [line.row for line in sheet.lines]) or ()
        except InputError as error:
            raise sheet.placed(error) from None

    def _stated(self, source: Source, rows: Sequence[int] = ()) -> list[ScoredGame] | None:
        """Return the games of a record by the points that it states; None if it states none, or is revalued.

        `rows` are the rows of a spreadsheet that its lines have.
        """
        if self.season.revalue:
            if not any(reading.match.rounds for reading in source.readings(Report())):
                option = f"--as {score_format().id}"
                raise UsageError(f"it has no winning hands that {option} could count: leave out {option}")
            return None
        games, matches, ended, uma, report = list[ScoredGame](), 0, 0, True, Report()
        for reading in source.readings(report):
            match = reading.match
            if not (self.season.riichi and is_riichi(match)):
                official = _official(match)
                if official is None:
                    return None
                games += official
                continue
            matches += 1
            settings = self.season.settings.get(match.seats, Settings())
            game = scored_game(match, settings, source.form)
            if game is not None:
                ended += 1
                games.append(game)
                uma = uma and (settings.states_uma or states_uma(match))
                place = reading.locate(None, -1, "")
                line = place.line if place else 1
                self.alike.add(game.names, f"{source.name}:{rows[line - 1] if rows else line}")
        for warning in report.warnings if source.form.code.typed or len(games) > ended else ():
            line = warning.line or 1
            self.warn(f"{source.name}:{rows[line - 1] if rows else line}: {warning.message}")
        if ended < matches:
            unended = counted(matches - ended, "game")
            self.warn(f"{source.name}: {unended} of {matches} without points at the end: not counted")
        kinds = {"riichi": matches, "uma" if uma else "no uma": ended, "others": len(games) > ended}
        for kind in filter(kinds.get, kinds):
            self.kinds.setdefault(kind, (source.name or "", source.form))
        if len(games) > ended:
            self.warn(f"{source.name}: this is {source.form.id}, and its games count by the points that it states")
        return games if games or matches else None


def _begun(pieces: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the beginning of a file, of `HEAD` bytes or more if it has them, and all its pieces."""
    begin: list[bytes] = []
    for piece in pieces:
        begin.append(piece)
        if sum(map(len, begin)) >= HEAD:
            break
    return b"".join(begin), chain(begin, pieces)


def _other_format(name: str, head: bytes) -> tuple[Format | None, bool]:
    """Return the format of a file, None of a score file, and whether its name or its contents show it."""
    if not by_extension(name, reading=True) and score_format().recognise(head):
        return None, True
    form = shown = of_file(name, head)
    if form is None and _POINTS.search(head):
        # A file with a mistake is recognised as neither, and the error is to be about the lines that were meant.
        form = by_extension(RESULTS)[0][0]
    return (None if form is score_format() else form), shown is not None


def _official(match: Match) -> list[ScoredGame] | None:
    """Return the games of a match whose rules need its points, such as Chinese Official; None for others."""
    games, names = [], names_of(match)
    for rules, one in zip(rulesets_of(match), match.rounds, strict=True):
        start = one.start.scores if one.start and one.start.scores else (0,) * len(names)
        after = scores_after(one, start)
        if not rules.id or rules.dora or rules.gains is not None or after is None or len(after) != len(names):
            return None
        wins = one.select(ev.Win)
        units = tuple([(b - a) * UNITS for a, b in zip(start, after, strict=True)])
        winners = {win.actor for win in wins}
        blamed = {win.target for win in wins if win.target is not UNSET} - winners
        day = match.date_of(one) or None
        games.append(ScoredGame(day, names, units, winners=tuple(winners), blamed=tuple(blamed)))
    return games


def _by_other_rules(name: str | None, form: Format | None) -> UsageError:
    shown, hint = form.id if form else "another format", "score them apart"
    if form is not None and "hora" in form.shows:
        hint = f"--as {score_format().id} counts them all the same, by the faan of each winning hand"
    return UsageError(f"this is {shown}, and its games are not by Hong Kong rules; {hint}", file=name)


def _converted(source: Source, warn: Callable[[str], None], *, revalue: bool) -> bytes:
    # Imported here: score files need no conversion.
    from mjconv.conversion import transcribed

    report = Report()
    scores = b"".join(transcribed([source], score_format(), WriteOptions(), report))
    if not revalue and any(loss.what in _VALUES and loss.fate in _CHANGED for loss in report.losses):
        raise _by_other_rules(source.name, source.form)
    for warning in report.warnings:
        warn(f"{source.name}: {warning}")
    warn(f"{source.name}: {_summary(source.form, report.losses)}")
    return scores


def _summary(form: Format, losses: Iterable[Loss]) -> str:
    """Return the summary of a conversion to scores: each kind of loss that concerns points."""
    kinds = Counter((loss.what, loss.fate) for loss in losses if loss.fate in _CHANGED or loss.what in _OF_POINTS)
    changed = ", ".join(f"{number} x {what} {fate}" for (what, fate), number in kinds.items())
    text = f"this is {form.id}, so it was converted to {score_format().called} first"
    return f"{text} ({changed})" if changed else text
