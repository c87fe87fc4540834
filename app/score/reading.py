"""Read games for score tables: lines of Hong Kong score files, and records that are converted first."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from itertools import chain
from typing import Final, NamedTuple, Protocol, TypeVar, cast

from mjconv import encoding
from mjconv.converters.formats import all_formats, by_extension, of_file
from mjconv.converters.interface import HEAD, Format, WriteOptions
from mjconv.converters.shared.look_alikes import LookAlikes
from mjconv.converters.shared.standings import UNITS, Named, ScoredGame, Standings
from mjconv.files.address import is_address, redacted
from mjconv.files.lines import lines_in, pieces_of
from mjconv.files.reading import STANDARD, ArchiveError, one_file, open_input, read_bounded, shown_name
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, MjconvError, UsageError
from mjconv.ir.losses import Loss, Report
from mjconv.ir.plural import counted
from mjconv.rules.rulesets import rulesets_of
from mjconv.rules.scores import scores_after
from mjconv.score.riichi import is_riichi, scored_game, states_uma
from mjconv.score.season import Season
from mjconv.source import Source

#: The endings of spreadsheets, and a name of a file with the results of riichi.
SPREADSHEETS: Final = (".csv", ".tsv", ".xlsx")
RESULTS: Final = "results.club"
#: Losses of a conversion to scores that concern points, whatever their fate: a second winner, a round left out.
_OF_POINTS: Final = frozenset({"hora", "match.rounds"})
_CHANGED: Final = frozenset({"assumed", "approximated"})
#: Losses of games by other rules: Hong Kong rules, and faan, that the record does not state.
_VALUES: Final = frozenset({"match.rules", "round.rules", "hora.fan"})


class Counting(Protocol):
    """Counts the games of one file."""

    def count(self, lines: Sequence[str]) -> None:
        """Count the next lines of the file; raises `InputError`."""

    def add(self, game: ScoredGame, wins: Sequence[bool], blames: Sequence[bool]) -> None:
        """Count a game of a record that states its points; `wins` and `blames` are by seat."""


class Listing(Counting, Protocol):
    """Lists the games of one file in their order."""

    games: list[ScoredGame]


class ScoreModule(Protocol):
    """The module that a format declares as its `score_table`.

    `Tally` takes a function from dates to the standings by player name, `GameList` lists games; both take `since`,
    `until` and a function for each line of names. `unescape` returns the name of a player from a name of a file,
    and `spell` the names of a file from the names of players.
    """

    Tally: Callable[[Callable[[date | None], Standings], date | None, date | None, Named | None], Counting]
    GameList: Callable[[date | None, date | None, Named | None], Listing]
    unescape: Callable[[str], str]
    spell: Callable[[Sequence[str]], tuple[str, ...]]


C = TypeVar("C", bound=Counting)


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


def count_files(
    paths: Iterable[str | os.PathLike[str]],
    counting: Callable[[Named], C],
    warn: Callable[[str], None],
    season: Season,
) -> list[C]:
    """Count the games of each file with a value of its own that `counting` makes.

    `warn` is called with each warning: about a record of another format, a file that is named twice, and names
    that look alike. Raises `OSError`, and `MjconvError` with file and line; `UsageError` if `season` has no day,
    for games of other rules, and for games of riichi beside others.
    """
    check_window(season.since, season.until)
    kinds: dict[str, tuple[str, Format | None]] = {}
    alike = LookAlikes[tuple[str, int, str]]()
    counted = []
    seen = set[str]()
    for path in paths:
        name = os.fspath(path)
        shown = shown_name(name)
        real = name if is_address(name) else os.path.realpath(name)
        if real in seen:
            warn(f"{shown}: the file is named twice, and its games count twice")
        seen.add(real)

        def named(names: tuple[str, ...], number: int, line: str, shown: str = shown) -> None:
            alike.add(names, (shown, number, line))

        try:
            own = counting(named)
            for lines in _File(name, shown, own, warn, season, named, kinds).lines():
                own.count(lines)
                kinds.setdefault("others", (shown, None))
            if {"riichi", "others"} <= kinds.keys():
                raise _by_other_rules(*kinds["riichi"])
        except IsADirectoryError as error:
            raise IsADirectoryError(error.errno, f"{error.strerror}: {_batch_hint(name)}", shown) from None
        except MjconvError as error:
            error.file = error.file or shown
            if isinstance(error, ArchiveError) and name != STANDARD:
                error.message += f": {_batch_hint(name)}"
            if type(error) is InputError and not name.lower().endswith(SPREADSHEETS):
                _explain(error, name)
            raise
        counted.append(own)
    if "riichi" in kinds and not {"uma", "no uma"} & kinds.keys():
        raise InputError("no game has points at its end", file=kinds["riichi"][0])
    if {"uma", "no uma"} <= kinds.keys():
        file, _ = kinds["no uma"]
        warn(
            f"{file}: its games state no uma, and those of other files do; --season states the rules of all games"
        )
    for pair in alike.pairs():
        file, number, _ = pair.place
        warn(f"{file}:{number}: {pair}")
    return counted


def _batch_hint(name: str) -> str:
    shown = shlex.quote(redacted(name))
    return f"mjconv batch {shown} -o OUT --to {score_format().id} converts all files in it to scores"


def _explain(error: InputError, name: str) -> None:
    """Raise an error about the encoding instead of this one if the file begins with text that is not UTF-8."""
    # Imported here: only an error needs it.
    from mjconv.encoding_guess import refuse_other

    if name != STANDARD and encoding.current() is None:
        head, _ = _begun(pieces_of(name))
        refuse_other(head, redacted(name), whole=False)
    if "not UTF-8" in error.message:
        error.message += f"; {encoding.HINT}"


class _File(NamedTuple):
    """A file whose games are counted. `kinds` gets the first file of each kind of games."""

    name: str
    shown: str
    own: Counting
    warn: Callable[[str], None]
    season: Season
    named: Named
    kinds: dict[str, tuple[str, Format | None]]

    def lines(self) -> Iterator[list[str]]:
        """Read the lines of scores piece by piece; a record of another format is converted first.

        Games of riichi and of Chinese Official are counted by the points that the record states, unless they are
        revalued. The games of a spreadsheet are counted too.
        """
        if self.season.riichi and self.name.lower().endswith(SPREADSHEETS):
            self.count_sheet()
            return
        begin, pieces = _begun(pieces_of(self.name))
        one_file(begin, self.shown)
        begin, rest = _begun(encoding.pieces_as_utf8(pieces, self.shown))
        other = _other_format(self.name, begin[:HEAD])
        if other is not None:
            source, revalue = Source(b"".join(rest), other, self.shown), self.season.revalue
            if self.season.riichi and not revalue and self.add_riichi(source):
                return
            if not revalue and _add_stated(source, self.own):
                self.warn(f"{self.shown}: this is {other.id}, and its games count by the points that it states")
                return
            rest = iter([_converted(source, self.warn, revalue=revalue)])
        yield from lines_in(rest)

    def count_sheet(self) -> None:
        """Count the games of a spreadsheet. An error has its cell."""
        # Imported here: few games are in spreadsheets.
        from mjconv.score.spreadsheet import games_of

        with open_input(self.name) as stream:
            data = read_bounded(stream, self.shown)
        if not self.name.lower().endswith(".xlsx"):
            data = b"".join(encoding.pieces_as_utf8(iter([data]), self.shown))
        sheet = games_of(self.shown, data, score_module().spell)
        self.warn(f"{self.shown}: {sheet.taken}")
        texts = [line.text for line in sheet.lines]
        try:
            if sheet.hong_kong:
                self.kinds.setdefault("others", (self.shown, None))
                self.own.count(texts)
            else:
                [(form, _)] = by_extension(RESULTS)
                self.add_riichi(Source("\n".join([*texts, ""]).encode(), form, self.shown))
        except InputError as error:
            raise sheet.placed(error) from None

    def add_riichi(self, source: Source) -> bool:
        """Count the games of a record if they are of riichi; return whether they are."""
        games, ended, uma = 0, [], True
        for reading in source.readings(Report()):
            if not is_riichi(reading.match):
                return False
            games += 1
            settings = self.season.settings.get(reading.match.seats)
            game = scored_game(reading.match, settings, source.form)
            if game is not None:
                ended.append(game)
                uma = uma and ((settings is not None and settings.states_uma) or states_uma(reading.match))
                place = reading.locate(None, -1, "")
                self.named(game.names, place.line if place else 1, place.text if place else "")
        if len(ended) < games:
            unended = counted(games - len(ended), "game")
            self.warn(f"{source.name}: {unended} of {games} without points at the end: not counted")
        for game in ended:
            firsts, chombo = [place == 1 for place in game.places], [times > 0 for times in game.chombo]
            self.own.add(game._replace(names=score_module().spell(game.names)), firsts, chombo)
        for kind in ("riichi", *(["uma" if uma else "no uma"] if ended else [])):
            self.kinds.setdefault(kind, (self.shown, source.form))
        return True


def _begun(pieces: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the beginning of a file, of `HEAD` bytes or more if it has them, and all its pieces."""
    begin: list[bytes] = []
    size = 0
    for piece in pieces:
        begin.append(piece)
        size += len(piece)
        if size >= HEAD:
            break
    return b"".join(begin), chain(begin, pieces)


def _other_format(name: str, head: bytes) -> Format | None:
    """Return the format of a file that is no score file: by its name, else by its contents."""
    form = None if not by_extension(name, reading=True) and score_format().recognise(head) else of_file(name, head)
    return None if form is score_format() else form


def _add_stated(source: Source, own: Counting) -> bool:
    """Count the games of a record by the points that it states; return whether it is of such a game."""
    module = score_module()
    games: list[tuple[ScoredGame, list[bool], list[bool]]] = []
    for reading in source.readings(Report()):
        match = reading.match
        names = module.spell([player.name.shown if player.name else "" for player in match.players] or [""] * 4)
        for rules, one in zip(rulesets_of(match), match.rounds, strict=True):
            start = one.start.scores if one.start and one.start.scores else (0,) * len(names)
            after = scores_after(one, start)
            if not rules.id or rules.dora or rules.gains is not None or after is None or len(after) != len(names):
                return False
            wins = one.select(ev.Win)
            units = tuple([(b - a) * UNITS for a, b in zip(start, after, strict=True)])
            day = match.date_of(one)
            game = ScoredGame(day or None, names, units)
            winners = {win.actor for win in wins}
            blamed = {win.target for win in wins} - winners
            seats = range(len(names))
            games.append((game, [seat in winners for seat in seats], [seat in blamed for seat in seats]))
    for game, won, to_blame in games:
        own.add(game, won, to_blame)
    return bool(games)


def _by_other_rules(name: str | None, form: Format | None) -> UsageError:
    return UsageError(
        f"this is {form.id if form else 'another format'}, and its games are not by Hong Kong rules; "
        f"--as {score_format().id} counts them all the same, by the faan of each winning hand",
        file=name,
    )


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
