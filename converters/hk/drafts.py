"""The lines of a file put together: which belong to which match and game, and what holds there.

Also what the writer asks, to know what its own lines will be read back as: there is one reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from msgspec import UNSET

from mjconv.converters.hk import lines as grammar
from mjconv.converters.hk.layout import MatchExtras, RoundExtras, led, put
from mjconv.converters.hk.lines import Declaration, LineError, Names, Nothing, Result, State
from mjconv.converters.hk.names import spell
from mjconv.converters.hk.notes import HkNote, is_note, read_note
from mjconv.converters.hk.results import event_of
from mjconv.converters.notes import NoteError
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place
from mjconv.ir.match import Match, Name, Player, Round, Text


@dataclass(frozen=True)
class FoundNote:
    """A note, and where its line stands."""

    note: HkNote
    place: Place


@dataclass
class Game:
    """A game: its line, the lines before it, what held before those and what holds for it."""

    line: str
    result: Result
    entering: State
    state: State
    before: list[str]
    number: int
    notes: list[FoundNote] = field(default_factory=list)


@dataclass
class Draft:
    """A match being read: the names' line and the lines before, its games, and the lines after the last one.

    `games` also holds notes alone, which are rounds without a line.
    """

    line: str
    names: tuple[str, ...]
    entering: State
    state: State
    before: list[str]
    number: int
    games: list[Game | FoundNote] = field(default_factory=list)
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

    def play(self, game: Game) -> None:
        """Add a game."""
        self.games.append(game)
        self.last_game = game

    def take(self, found: FoundNote) -> None:
        """Put a note where it belongs: to the last game, to the match, or as a round of its own."""
        if found.note.left_out is not None:
            self.games.append(found)
            return
        game = self.last_game if found.note.round is not None else None
        (self.notes if game is None else game.notes).append(found)


def drafts(lines: Iterable[str], state: State = grammar.BEGINNING) -> Iterator[Draft]:
    """Read lines into matches, one by one. Raises `InputError` with the place of what is wrong.

    >>> [draft] = drafts(["A B C D", "M=8  # rarely more", "- - - -"])
    >>> draft.names, draft.games[0].before, draft.games[0].state.max_faan
    (('A', 'B', 'C', 'D'), ['M=8  # rarely more'], 8)
    """
    open_: Draft | None = None
    entering = state
    pending: list[str] = []
    #: Notes before any names.
    strays: list[FoundNote] = []
    for number, line in enumerate(lines, 1):
        if is_note(line):
            found = _note(line, number)
            if open_ is None:
                strays.append(found)
            else:
                open_.take(found)
            continue
        try:
            parsed = grammar.parse(line)
            grammar.check(parsed, state, open_.names if open_ else None)
        except LineError as error:
            raise error.at(line, number) from None
        if isinstance(parsed, (Nothing, Declaration)):
            pending.append(line.rstrip())
            state = led(state, parsed)
        elif isinstance(parsed, Names):
            if open_ is not None:
                own = _directly_after(pending)
                open_.after, pending = pending[:own], pending[own:]
                yield open_
            open_ = Draft(line.rstrip(), parsed.names, entering, state, _without_blanks(pending), number)
            while strays:
                open_.take(strays.pop(0))
            entering, pending = state, []
        elif open_ is not None:
            open_.play(Game(line.rstrip(), parsed, entering, state, pending, number))
            entering, pending = state, []
    if open_ is not None:
        open_.after = _without_blanks(pending[::-1])[::-1]
        yield open_


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
    if game.state.rules() != first.rules():
        game_round.rules = game.state.rules()
    if game.state.date != first.date:
        game_round.date = game.state.date or UNSET
    declared = grammar.declare(game.entering, game.state)
    put(
        game_round,
        RoundExtras(
            before=UNSET if game.before == declared else tuple(game.before),
            line=UNSET if game.line == str(game.result) else game.line,
        ),
    )
    return game_round


def _note(line: str, number: int) -> FoundNote:
    place = Place(number, len(line) - len(line.lstrip()) + 1, line)
    try:
        return FoundNote(read_note(line), place)
    except NoteError as error:
        raise InputError(str(error), place) from None


def _directly_after(pending: list[str]) -> int:
    """Count the comments that stand right under a game: they are about it, and not about what follows."""
    return sum(1 for _ in takewhile(lambda line: line.lstrip().startswith("#"), pending))


def _without_blanks(lines: list[str]) -> list[str]:
    """Leave out the blank lines at the beginning: the space between matches is not kept."""
    blank = sum(1 for _ in takewhile(lambda line: not line, lines))
    return lines[blank:]
