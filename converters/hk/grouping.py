"""The lines of a file put together: which belong to which match and game, and what holds there.

Also what the writer asks, to know what its own lines will be read back as: there is one reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from types import MappingProxyType
from typing import Final

from msgspec import UNSET

from mjconv.converters.hk import lines as grammar
from mjconv.converters.hk.layout import MatchExtras, RoundExtras, led, put
from mjconv.converters.hk.lines import LineError, Names, Parsed, Result, State
from mjconv.converters.hk.names import spell
from mjconv.converters.hk.notes import HkNote, is_note, read_note
from mjconv.converters.hk.results import event_of
from mjconv.converters.shared.notes import VERSION, NoteError
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Name, Player, Round, Text

NONE_BROKEN: Final[Mapping[int, InputError]] = MappingProxyType({})
#: What a note says that is a round of its own, or of one.
LEFT_OUT: Final = '"left_out"'
OF_ROUND: Final = '"round"'


@dataclass(frozen=True)
class FoundNote:
    """A note, and where its line stands."""

    note: HkNote
    place: Place


@dataclass(slots=True)
class Game:
    """A game: its line, the lines before it, what held before those and what holds for it."""

    line: str
    result: Result
    entering: State
    state: State
    before: tuple[str, ...]
    number: int
    notes: tuple[FoundNote, ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """What stands for a game whose line, of this number, cannot be read: a round of which nothing is known."""

    number: int


@dataclass
class Draft:
    """A match being read: the names' line and the lines before, its games, and the lines after the last one.

    `games` also holds notes alone, which are rounds without a line. `rounds` counts those that will be rounds.
    """

    line: str
    names: tuple[str, ...]
    entering: State
    state: State
    before: list[str]
    number: int
    games: list[Game | FoundNote | Unread] = field(default_factory=list)
    rounds: int = 0
    last_game: Game | None = None
    after: list[str] = field(default_factory=list)
    notes: list[FoundNote] = field(default_factory=list)

    @property
    def played(self) -> list[Game]:
        """The games that have a line."""
        return [game for game in self.games if isinstance(game, Game)]

    @property
    def first(self) -> State:
        """What holds for the first game, or for the match where there is none."""
        return next((game.state for game in self.games if isinstance(game, Game)), self.state)

    def play(self, game: Game | Unread) -> None:
        """Add a game."""
        self.games.append(game)
        self.rounds += 1
        self.last_game = game if isinstance(game, Game) else None

    def take(self, found: FoundNote) -> None:
        """Put a note where it belongs: to the last game, to the match, or as a round of its own."""
        left_out = found.note.left_out
        if left_out is not None:
            self.games.append(found)
            self.rounds += left_out.v == VERSION
        elif self.last_game is not None and found.note.round is not None:
            self.last_game.notes += (found,)
        else:
            self.notes.append(found)


def drafts(
    lines: Iterable[str],
    state: State = grammar.BEGINNING,
    report: Report | None = None,
    broken: Mapping[int, InputError] = NONE_BROKEN,
) -> Iterator[Draft]:
    """Read lines into matches, one by one. Raises `InputError` with the place of what is wrong.

    With a lenient report it goes on: a game that cannot be read is `Unread`, names are taken as they are, and all
    else that is wrong is left out. `broken` tells of lines, by number, that something is wrong with beforehand.

    >>> [draft] = drafts(["A B C D", "M=8  # rarely more", "- - - -"])
    >>> draft.names, draft.games[0].before, draft.games[0].state.max_faan
    (('A', 'B', 'C', 'D'), ('M=8  # rarely more',), 8)
    """
    return _Drafting(state, report or Report()).drafts(lines, broken)


class _Drafting:
    """Puts lines together: `state` is what holds now, `entering` what did before the `pending` lines."""

    def __init__(self, state: State, report: Report) -> None:
        self.report = report
        self.matches = 0
        self.open: Draft | None = None
        self.state = self.entering = state
        self.pending: list[str] = []
        #: Notes before any names.
        self.strays: list[FoundNote] = []
        #: Whether games before any names were told of.
        self.nameless = False

    def drafts(self, lines: Iterable[str], broken: Mapping[int, InputError]) -> Iterator[Draft]:
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
            elif isinstance(parsed, (Result, Unread)):
                if self.open is not None:
                    self._play(self.open, line, parsed, number)
            elif parsed is not None:
                self.pending.append(line.rstrip())
                self.state = led(self.state, parsed)
        if self.open is not None:
            self.open.after = _without_blanks(self.pending[::-1])[::-1]
            yield self.open

    def _parsed(self, line: str, number: int) -> tuple[Parsed | Unread | None, InputError | None]:
        """Read a line, or tell what is wrong with it and what it was meant as."""
        try:
            parsed = grammar.parse(line)
            grammar.check(parsed, self.state, self.open.names if self.open else None)
        except LineError as error:
            meant = grammar.meant(line)
            return Unread(number) if isinstance(meant, Result) else meant, error.at(line, number)
        return parsed, None

    def _close(self, draft: Draft) -> Draft:
        """End the match before the next one's names."""
        own = _directly_after(self.pending)
        draft.after, self.pending = self.pending[:own], self.pending[own:]
        self.matches += 1
        self.open = None
        return draft

    def _begin(self, line: str, parsed: Names, number: int) -> None:
        before = _without_blanks(self.pending)
        self.open = Draft(line.rstrip(), parsed.names, self.entering, self.state, before, number)
        for found in self.strays:
            self.open.take(found)
        self.strays = []
        self.entering, self.pending = self.state, []

    def _play(self, draft: Draft, line: str, parsed: Result | Unread, number: int) -> None:
        if isinstance(parsed, Unread):
            draft.play(parsed)
            return
        before = tuple(self.pending)
        draft.play(Game(line.rstrip(), parsed, self.entering, self.state, before, number))
        self.entering, self.pending = self.state, []

    def _take_note(self, line: str, number: int, error: InputError | None) -> None:
        place = Place(number, len(line) - len(line.lstrip()) + 1, line)
        try:
            found = FoundNote(read_note(line), place)
        except NoteError as wrong:
            error = error or InputError(str(wrong), place)
        if error is not None:
            self._lose_note(line, number, error)
        elif self.open is None:
            self.strays.append(found)
        else:
            self.open.take(found)

    def _lose_note(self, line: str, number: int, error: InputError) -> None:
        """Go on after a note that is none: it may have been a round, or that of the last game."""
        if LEFT_OUT in line:
            self._fault(error, Unread(number), always=True)
            if self.open is not None:
                self.open.play(Unread(number))
        elif self.open is not None and self.open.last_game is not None and OF_ROUND in line:
            self.report.fault(error, match=self.matches, round=self.open.rounds - 1, event=0)
        else:
            self._fault(error, None)

    def _fault(self, error: InputError, parsed: Parsed | Unread | None, *, always: bool = False) -> None:
        """Tell what is wrong with a line: a game is the next round of what is open, names are the next match's.

        Of games before any names only the first is told of, unless `always`.
        """
        if isinstance(parsed, Names):
            self.report.fault(error, match=self.matches + (self.open is not None))
        elif self.open is None:
            if always or not (self.nameless and isinstance(parsed, Unread)):
                self.report.fault(error)
            self.nameless |= isinstance(parsed, Unread)
        elif isinstance(parsed, (Result, Unread)):
            self.report.fault(error, match=self.matches, round=self.open.rounds, event=0)
        else:
            self.report.fault(error, match=self.matches)


def finish(draft: Draft) -> Match:
    """Make the match of a draft, its notes not looked at; rounds without a line are left out.

    >>> [draft] = drafts(["A B C D", "- 2 d -"])
    >>> finish(draft).rounds
    [Round(events=[Win(actor=1, target=2, fan=2)])]
    """
    first = draft.first
    match = Match(
        [Player(Name(Text(native=name))) for name in draft.names],
        opening=[ev.StartGame()],
        closing=[ev.EndGame()],
        date=first.date or UNSET,
        rules=first.rules(),
    )
    canonical = " ".join(spell(draft.names))
    put(
        match,
        MatchExtras(
            before=UNSET if draft.before == grammar.declare(draft.entering, first) else tuple(draft.before),
            line=UNSET if draft.line == canonical else draft.line,
            after=tuple(draft.after),
        ),
    )
    match.rounds = [_round(game, first) for game in draft.played]
    return match


def _round(game: Game, first: State) -> Round:
    game_round = Round([event_of(game.result)])
    if game.state != first:
        if game.state.rules() != first.rules():
            game_round.rules = game.state.rules()
        if game.state.date != first.date:
            game_round.date = game.state.date or UNSET
    declared = grammar.declare(game.entering, game.state) if game.entering != game.state else []
    put(
        game_round,
        RoundExtras(
            before=UNSET if game.before == tuple(declared) else game.before,
            line=UNSET if game.line == str(game.result) else game.line,
        ),
    )
    return game_round


def _directly_after(pending: list[str]) -> int:
    """Count the comments that stand right under a game: they are about it, and not about what follows."""
    return sum(1 for _ in takewhile(lambda line: line.lstrip().startswith("#"), pending))


def _without_blanks(lines: list[str]) -> list[str]:
    """Leave out the blank lines at the beginning: the space between matches is not kept."""
    blank = sum(1 for _ in takewhile(lambda line: not line, lines))
    return lines[blank:]
