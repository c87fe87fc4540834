"""The lines of a file by match and game, with the date and the rules of each, and the hub's events of a result.

The writer uses the same code for the reading of its own lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import Final

from msgspec import UNSET, UnsetType

from mjconv.converters.hk import lines as grammar
from mjconv.converters.hk.layout import (
    KEY,
    SIGN,
    MatchLayout,
    RoundLayout,
    is_left_out,
    is_note,
    is_usual,
    read_notes,
    split_comments,
    split_end,
    state_after,
)
from mjconv.converters.hk.lines import SEATS, DatedRules, GameResult, LineError, Names, Parsed
from mjconv.converters.hk.names import spell, unescape
from mjconv.converters.shared.carry import Note, NoteError
from mjconv.converters.shared.extras import put_part
from mjconv.converters.shared.restore import FoundNote
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Annotation, Match, Name, Player, Round, Text
from mjconv.ir.vocabulary import CHOMBO

NONE_BROKEN: Final[Mapping[int, InputError]] = {}
#: The hint of a note that is a round of its own, and the key of a note of a round.
LEFT_OUT: Final = '"left_out"'
OF_ROUND: Final = '"round"'


@dataclass(slots=True)
class GameLine:
    """A game: its line, the lines before it, the state before those lines, and its own."""

    line: str
    result: GameResult
    entering: DatedRules
    state: DatedRules
    before: tuple[str, ...]
    number: int


@dataclass(frozen=True, slots=True)
class EmptyGame:
    """A game without results, an empty round: its line, of this number, cannot be read, or is only a note."""

    number: int


@dataclass
class MatchLines:
    """The lines of a match: the names and the lines before them, its games, and the lines after the last one.

    Each of `games` becomes a round. `last` is the index of the last game that has results, None where the line
    of a later one cannot be read.
    """

    line: str
    names: tuple[str, ...]
    entering: DatedRules
    state: DatedRules
    before: list[str]
    number: int
    games: list[GameLine | EmptyGame] = field(default_factory=list)
    last: int | None = None
    after: list[str] = field(default_factory=list)
    notes: list[FoundNote] = field(default_factory=list)

    @property
    def first(self) -> DatedRules:
        """The state of the first game, or of the match if it has no game."""
        return next((game.state for game in self.games if isinstance(game, GameLine)), self.state)

    @property
    def state_after(self) -> DatedRules:
        """The state of the last game, or of the match if it has no game."""
        return next((game.state for game in reversed(self.games) if isinstance(game, GameLine)), self.state)

    def play(self, game: GameLine | EmptyGame) -> None:
        """Add a game."""
        self.last = len(self.games) if isinstance(game, GameLine) else None
        self.games.append(game)

    def take(self, note: Note, place: Place) -> None:
        """Add a note: of the match, of the last game, or of a round of its own."""
        near = self.last if note.match is None else None
        if is_left_out(note):
            near = len(self.games)
            self.games.append(EmptyGame(place.line))
        self.notes.append(FoundNote(note, lambda: place, near))


def group_lines(
    lines: Iterable[str],
    state: DatedRules = grammar.BEGINNING,
    report: Report | None = None,
    broken: Mapping[int, InputError] = NONE_BROKEN,
) -> Iterator[MatchLines]:
    """Read lines into matches, one by one. Raises `InputError` with its place.

    With a lenient report the reading continues: a game that cannot be read is an `EmptyGame`, wrong names are
    kept, and other wrong lines are skipped. `broken` has errors that were found before, by the number of the line.

    >>> [match] = group_lines(["A B C D", "M=8  # rarely more", "- - - -"])
    >>> match.names, match.games[0].before, match.games[0].state.max_faan
    (('A', 'B', 'C', 'D'), ('M=8  # rarely more',), 8)
    """
    return _Grouper(state, report or Report()).group(lines, broken)


class _Grouper:
    """Groups lines: `state` is the present state, `entering` the state before the `pending` lines."""

    def __init__(self, state: DatedRules, report: Report) -> None:
        self.report = report
        self.matches = 0
        self.open: MatchLines | None = None
        self.state = self.entering = state
        self.pending: list[str] = []
        #: Notes before any names.
        self.strays: list[tuple[Note, Place]] = []
        #: Whether a game before any names was reported.
        self.nameless = False

    def group(self, lines: Iterable[str], broken: Mapping[int, InputError]) -> Iterator[MatchLines]:
        for number, line in enumerate(lines, 1):
            if is_note(line):
                self._take_note(line, number, broken.get(number))
                continue
            parsed, error = self._parsed(line, number)
            error = broken.get(number) or error
            if error is not None:
                self._fault(error, parsed, always=number in broken)
            if isinstance(parsed, Names) and self.open is not None:
                yield self._close(self.open)
            if isinstance(parsed, Names):
                self._begin(line, parsed, number)
            elif isinstance(parsed, (GameResult, EmptyGame)):
                if self.open is not None:
                    self._play(self.open, line, parsed, number)
            elif parsed is not None:
                self.pending.append(line.rstrip())
                self.state = state_after(self.state, parsed)
        if self.open is not None:
            self.open.after = _without_blanks(self.pending[::-1])[::-1]
            yield self.open

    def _parsed(self, line: str, number: int) -> tuple[Parsed | EmptyGame | None, InputError | None]:
        """Read a line; return also its error, and then the kind of line that it was meant as."""
        try:
            parsed = grammar.parse(line)
            grammar.check(parsed, self.state, self.open.names if self.open else None)
        except LineError as error:
            meant = grammar.meant(line)
            return EmptyGame(number) if isinstance(meant, GameResult) else meant, error.at(line, number)
        return parsed, None

    def _close(self, match: MatchLines) -> MatchLines:
        """End the match before the next one's names."""
        own = _directly_after(self.pending)
        match.after, self.pending = self.pending[:own], self.pending[own:]
        self.matches += 1
        self.open = None
        return match

    def _begin(self, line: str, parsed: Names, number: int) -> None:
        before = _without_blanks(self.pending)
        self.open = MatchLines(line.rstrip(), parsed.names, self.entering, self.state, before, number)
        for note, place in self.strays:
            self.open.take(note, place)
        self.strays = []
        self.entering, self.pending = self.state, []

    def _play(self, match: MatchLines, line: str, parsed: GameResult | EmptyGame, number: int) -> None:
        if isinstance(parsed, EmptyGame):
            match.play(parsed)
            return
        before = tuple(self.pending)
        match.play(GameLine(line.rstrip(), parsed, self.entering, self.state, before, number))
        self.entering, self.pending = self.state, []

    def _take_note(self, line: str, number: int, error: InputError | None) -> None:
        place = Place(number, len(line) - len(line.lstrip()) + 1, line)
        notes: list[Note] = []
        try:
            notes = read_notes(line)
        except NoteError as wrong:
            error = error or InputError(str(wrong), place)
        if error is not None:
            self._lose_note(line, number, error)
            return
        for note in notes:
            if self.open is None:
                self.strays.append((note, place))
            else:
                self.open.take(note, place)

    def _lose_note(self, line: str, number: int, error: InputError) -> None:
        """Report a note that cannot be read: it may have been a round of its own, or the note of the last game."""
        if LEFT_OUT in line:
            self._fault(error, EmptyGame(number), always=True)
            if self.open is not None:
                self.open.play(EmptyGame(number))
        elif self.open is not None and self.open.last is not None and OF_ROUND in line:
            self.report.fault(error, match=self.matches, round=self.open.last)
        else:
            self._fault(error, None)

    def _fault(self, error: InputError, parsed: Parsed | EmptyGame | None, *, always: bool = False) -> None:
        """Report an error: of a game for the next round of the open match, of names for the next match.

        Only the first game before any names is reported, unless `always`.
        """
        if isinstance(parsed, Names):
            self.report.fault(error, match=self.matches + (self.open is not None))
        elif self.open is None:
            if always or not (self.nameless and isinstance(parsed, EmptyGame)):
                self.report.fault(error)
            self.nameless |= isinstance(parsed, EmptyGame)
        elif isinstance(parsed, (GameResult, EmptyGame)):
            self.report.fault(error, match=self.matches, round=len(self.open.games), event=0)
        else:
            self.report.fault(error, match=self.matches)


def match_of(lines: MatchLines) -> Match:
    """Return the match that its lines are read as, without the notes.

    >>> [lines] = group_lines(["A B C D", "- 2 d -  # cheap"])
    >>> match_of(lines).rounds[0].events, match_of(lines).rounds[0].annotations
    ([Win(actor=1, target=2, fan=2)], (Annotation(index=1, kind='comment', value=' cheap'),))
    """
    first, rounds = lines.first, len(lines.games)
    match = Match(
        [Player(Name(Text(native=unescape(name)))) for name in lines.names],
        opening=[ev.StartGame()],
        closing=[ev.EndGame()],
        date=first.date or UNSET,
        rules=first.rules(),
    )
    before, above = split_comments(lines.before)
    line, beside = split_end(lines.line)
    after, below = split_comments(lines.after)
    match.annotations = (
        *_comments(0, above),
        *_comments(0, () if beside is None else (beside,)),
        *_comments(rounds, below),
    )
    usual = [SIGN] * len(above) + grammar.declare(lines.entering, first)
    # Without a round, the comments above and below are separated by the layout alone.
    explicit = not rounds and bool(below)
    put_part(
        match,
        KEY,
        MatchLayout(
            before=UNSET if before == usual and not explicit else tuple(before),
            line=UNSET if line == " ".join(spell(lines.names)) else line,
            after=() if after == [SIGN] * len(below) and not explicit else tuple(after),
        ),
    )
    match.rounds = [_round(game, first) if isinstance(game, GameLine) else Round() for game in lines.games]
    return match


def _round(game: GameLine, first: DatedRules) -> Round:
    game_round = Round([event_of(game.result)])
    if game.state != first:
        if game.state.rules() != first.rules():
            game_round.rules = game.state.rules()
        if game.state.date != first.date:
            game_round.date = game.state.date or UNSET
    if game.line == str(game.result) and not game.before and game.entering == game.state:
        return game_round  # the writer lays the line out so by itself
    declared = grammar.declare(game.entering, game.state)
    line, beside = split_end(game.line)
    before, above = split_comments(game.before)
    if above or beside is not None:
        game_round.annotations = (*_comments(0, above), *_comments(1, () if beside is None else (beside,)))
    own_before = before != [SIGN] * len(above) + declared
    own_line = not is_usual(line, str(game.result))
    if own_before or own_line:
        put_part(game_round, KEY, RoundLayout(tuple(before) if own_before else UNSET, line if own_line else UNSET))
    return game_round


def _comments(index: int, values: Iterable[str]) -> Iterator[Annotation]:
    for value in values:
        yield Annotation(index, "comment", value=value)


def _directly_after(pending: list[str]) -> int:
    """Return the number of comments right under a game: they are about it, not about the next match."""
    return sum(1 for _ in takewhile(lambda line: line.lstrip().startswith("#"), pending))


def _without_blanks(lines: list[str]) -> list[str]:
    """Return lines without the blank ones at the beginning: the space between matches is not kept."""
    blank = sum(1 for _ in takewhile(lambda line: not line, lines))
    return lines[blank:]


# Results.


# Events never change, and many lines have the same results.
@lru_cache(8192)
def event_of(result: GameResult) -> ev.Win | ev.Ryukyoku:
    """Return the event that the results of a game mean.

    >>> event_of(GameResult(2, 6, 3, "D")), event_of(GameResult(blamed=3, blame="f"))
    (Win(actor=2, fan=6, liable=3), Ryukyoku(reason='chombo', actor=3))
    """
    if result.winner is None:
        if result.blamed is None:
            return ev.Ryukyoku()
        return ev.Ryukyoku(reason=CHOMBO, actor=result.blamed)
    target: int | UnsetType = result.winner
    if result.blame == "d" and result.blamed is not None:
        target = result.blamed
    elif result.blame == "D":
        target = UNSET
    liable = result.blamed if result.blame in ("D", "S") and result.blamed is not None else UNSET
    return ev.Win(result.winner, target, fan=result.faan, liable=liable)


def nearest(wins: Sequence[ev.Win]) -> ev.Win:
    """Return the win that counts by HK custom: the win of the first player in turn after the discarder.

    >>> nearest([ev.Win(3, target=0), ev.Win(1, target=0)]).actor
    1
    """
    return min(wins, key=lambda win: 0 if win.target is UNSET else (win.actor - win.target) % SEATS)


def seats_of(event: ev.Win | ev.Ryukyoku) -> list[int]:
    """Return the seats that an event names."""
    named = (event.actor, event.target, event.liable) if isinstance(event, ev.Win) else (event.actor,)
    return [seat for seat in named if seat is not UNSET]


def result_of(event: ev.Win | ev.Ryukyoku, faan: int, *, guarantors: bool) -> GameResult:
    """Return the results that an event means: with the winner's `faan`, and a mark for `guarantors` of a discard.

    A known discarder is to blame, whoever else is liable. A false win by nobody is a draw.

    >>> str(result_of(ev.Win(1, target=2, liable=3), 4, guarantors=True))
    '- 4 d -'
    """
    if isinstance(event, ev.Ryukyoku):
        false = event.reason == CHOMBO and event.actor is not UNSET
        return GameResult(blamed=event.actor or 0, blame="f") if false else GameResult()
    liable = None if event.liable is UNSET or event.liable == event.actor else event.liable
    if event.target is not UNSET and event.target != event.actor:
        return GameResult(event.actor, faan, event.target, "d")
    if liable is None:
        return GameResult(event.actor, faan)
    if event.target is not UNSET:
        return GameResult(event.actor, faan, liable, "S")
    return GameResult(event.actor, faan, liable, "D" if guarantors else "d")
