"""Read HK scores: the matches of a file, each game a round that is only its result.

The writer reads its own lines with the same code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile

from msgspec import UNSET, UnsetType

from mjconv.converters.hk import layout
from mjconv.converters.hk import lines as grammar
from mjconv.converters.hk.lines import SEATS, DatedRules, GameResult, Names, Parsed, Wrong
from mjconv.converters.hk.names import column_of, spell, unescape
from mjconv.converters.interface import Reading
from mjconv.converters.shared.carry import Note, NoteError
from mjconv.converters.shared.contradictions import restored
from mjconv.converters.shared.extras import put_part
from mjconv.converters.shared.look_alikes import LookAlikes
from mjconv.converters.shared.restore import FoundNote
from mjconv.converters.shared.text_lines import (
    NO_ERRORS,
    RoundHints,
    is_left_out,
    is_note,
    place_of,
    read_notes,
    text_lines,
)
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Annotation, Match, Name, Player, Round, Text
from mjconv.ir.vocabulary import CHOMBO


def read(data: bytes, report: Report) -> Iterator[Reading]:
    r"""Read the matches of a file, one by one: four names begin one, and every game is a round.

    The defaults are the scorer's: base 1, at most 13 faan, full responsibility, half growth. Raises `InputError`
    with the line. The note of an edited game is ignored with a warning.

    With a lenient report an error in a line is a fault. A game that cannot be read is an empty round, wrong names
    are kept, and other wrong lines are skipped. Of games before any names only the first is reported. Names
    that look alike are reported after the last match.

    >>> [(match, locate)] = read(b"B=0.5\nA B C D\n- 3 - S\n", Report())
    >>> match.rounds[0].events, match.rules.base
    ([Win(actor=1, target=1, fan=3, liable=3)], Decimal('0.5'))
    >>> locate(0, 0, "").line
    3
    """
    lines, broken = text_lines(data, lenient=report.lenient)
    names: LookAlikes[tuple[int, int]] = LookAlikes()
    for number, match in enumerate(match_lines(lines, report=report, broken=broken)):
        if report.lenient:
            names.add(match.names, (number, match.head.number))
        yield _reading(match, lines, report, number)
    for alike in names.pairs():
        number, line = alike.place
        report.warn(str(alike), match=number, line=line, column=column_of(lines[line - 1], alike.name))


def _reading(lines: MatchLines, file: Sequence[str], report: Report, number: int) -> Reading:
    """Return the match of its lines, with what its notes restore."""
    plain = match_of(lines)

    def locate(game_round: int | None, event: int, key: str) -> Place | None:  # noqa: ARG001 - as `Locate`
        """Return the place of the names, or of a game's line, which shows all events of its round."""
        if game_round is None:
            number = lines.head.number
        elif 0 <= game_round < len(lines.games):
            number = lines.games[game_round].number
        else:
            return None
        return place_of(file[number - 1], number)

    return restored(
        *("hk", Reading(plain, locate), lines.notes),
        lambda key: lines.tokens() if key is None else lines.games[key].tokens(),
        *(report, number),
        seats=SEATS,
        outside_of=lambda key: (lines.head if key is None else lines.games[key]).outside(),
        shown_of=layout.shown_of,
        before=lines.head.entering,
        hints=RoundHints,
    )


# The lines of a match.


@dataclass(slots=True)
class Line:
    """A line of names or of a game: its text, its meaning, its number, and the lines before it.

    `parsed` is None for an empty round, whose line cannot be read, or is only a note. `entering` is the state
    before the lines before it, `state` its own.
    """

    text: str
    parsed: Names | GameResult | None
    number: int
    entering: DatedRules
    state: DatedRules
    before: list[str]

    def tokens(self) -> bytes:
        """Return the text whose digest the note of a game has: the results, as the writer spells them."""
        return b"" if self.parsed is None else str(self.parsed).encode()

    def outside(self) -> bytes:
        """Return the date and the rules in force at names or a game, and the words of the declarations before it.

        A note must not contradict them.
        """
        words = [word for line in self.before for word in line.partition(layout.SIGN)[0].split()]
        return b"" if self.parsed is None else b" ".join([_state_tokens(self.state), *map(str.encode, words)])


@dataclass(slots=True)
class MatchLines:
    """The lines of a match: the names, its games, which become rounds, the lines after them, and its notes.

    `last` is the index of the last game that has results, None where the line of a later one cannot be read.
    """

    head: Line
    names: tuple[str, ...]
    games: list[Line] = field(default_factory=list)
    last: int | None = None
    after: list[str] = field(default_factory=list)
    notes: list[FoundNote] = field(default_factory=list)

    @property
    def states(self) -> list[DatedRules]:
        """The states of the games that have results; the state of the match if it has none."""
        return [game.state for game in self.games if game.parsed is not None] or [self.head.state]

    def tokens(self) -> bytes:
        """Return the text whose digest the note of the match has: the names, and the state of the first game."""
        return b" ".join([*(name.encode() for name in self.names), _state_tokens(self.states[0])])

    def take(self, note: Note, place: Place) -> None:
        """Add a note: of the match, of the last game, or of a round of its own."""
        near = self.last if note.match is None else None
        if is_left_out(note):
            near = len(self.games)
            self.games.append(empty_round(place.line))
        self.notes.append(FoundNote(note, lambda: place, near))


def _state_tokens(state: DatedRules) -> bytes:
    numbers = (str(state.date), grammar.spell_base(state.base), str(state.max_faan))
    # Notes of files without these declarations have digests without them.
    others = [repr(each) for each in (state.min_faan, state.multipliers) if each]
    return " ".join((*numbers, state.responsibility, state.growth, *others)).encode()


def empty_round(number: int) -> Line:
    """Return the line, of this number, of a round without results."""
    return Line("", None, number, grammar.BEGINNING, grammar.BEGINNING, [])


def match_lines(
    lines: Iterable[str],
    state: DatedRules = grammar.BEGINNING,
    report: Report | None = None,
    broken: Mapping[int, InputError] = NO_ERRORS,
) -> Iterator[MatchLines]:
    """Read lines into matches, one by one. Raises `InputError` with its place.

    With a lenient report the reading continues: a game that cannot be read has no results, wrong names are kept,
    and other wrong lines are skipped. `broken` has errors that were found before, by the number of the line.

    >>> [match] = match_lines(["A B C D", "M=8  # rarely more", "- - - -"])
    >>> match.names, match.games[0].before, match.games[0].state.max_faan
    (('A', 'B', 'C', 'D'), ['M=8  # rarely more'], 8)
    """
    return _LineReader(state, report or Report()).matches(lines, broken)


class _LineReader:
    """Reads lines: `state` is the present state, `entering` the state before the `pending` lines."""

    def __init__(self, state: DatedRules, report: Report) -> None:
        self.report = report
        self.ended = 0
        self.open: MatchLines | None = None
        self.state = self.entering = state
        self.pending: list[str] = []
        #: Notes before any names.
        self.strays: list[tuple[Note, Place]] = []
        #: Whether a game before any names was reported.
        self.nameless = False

    def matches(self, lines: Iterable[str], broken: Mapping[int, InputError]) -> Iterator[MatchLines]:
        parsed: Parsed | None
        for number, line in enumerate(lines, 1):
            if is_note(line):
                self._take_notes(line, number, broken.get(number))
                continue
            parsed = grammar.parse_after(line, self.state, self.open.names if self.open else None)
            wrong = isinstance(parsed, Wrong)
            error = broken.get(number)
            if isinstance(parsed, Wrong):
                error = error or parsed.at(line, number)
                parsed = grammar.meant(line)
            if error is not None:
                self._fault(error, parsed, always=number in broken)
            if isinstance(parsed, Names):
                if self.open is not None:
                    yield self._close(self.open)
                self._begin(line, parsed, number)
            elif isinstance(parsed, GameResult):
                if self.open is not None:
                    self.open.last = None if wrong else len(self.open.games)
                    game = empty_round(number) if wrong else self._line(line, parsed, number, self.pending)
                    self.open.games.append(game)
            elif not wrong:
                self.pending.append(line.rstrip())
                self.state = self.state.after(parsed)
        if self.open is not None:
            self.open.after = _without_blanks(self.pending[::-1])[::-1]
            yield self.open

    def _line(self, line: str, parsed: Names | GameResult, number: int, before: list[str]) -> Line:
        read = Line(line.rstrip(), parsed, number, self.entering, self.state, before)
        self.entering, self.pending = self.state, []
        return read

    def _begin(self, line: str, parsed: Names, number: int) -> None:
        self.open = MatchLines(self._line(line, parsed, number, _without_blanks(self.pending)), parsed.names)
        for note, place in self.strays:
            self.open.take(note, place)
        self.strays = []

    def _close(self, match: MatchLines) -> MatchLines:
        """End the match before the next one's names: comments right under a game are about it."""
        match.after = list(takewhile(layout.is_place, self.pending))
        self.pending = self.pending[len(match.after) :]
        self.ended += 1
        self.open = None
        return match

    def _take_notes(self, line: str, number: int, error: InputError | None) -> None:
        place = place_of(line, number)
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
        if '"left_out"' in line:
            self._fault(error, GameResult(), always=True)
            if self.open is not None:
                self.open.last = None
                self.open.games.append(empty_round(number))
        elif self.open is not None and self.open.last is not None and '"round"' in line:
            self.report.fault(error, match=self.ended, round=self.open.last)
        else:
            self._fault(error, None)

    def _fault(self, error: InputError, parsed: Parsed | None, *, always: bool = False) -> None:
        """Report an error: of a game for the next round of the open match, of names for the next match.

        Only the first wrong game before any names is reported, unless `always`.
        """
        game = isinstance(parsed, GameResult)
        if isinstance(parsed, Names):
            self.report.fault(error, match=self.ended + (self.open is not None))
        elif self.open is None:
            if always or not (self.nameless and game):
                self.report.fault(error)
            self.nameless |= game
        elif game:
            self.report.fault(error, match=self.ended, round=len(self.open.games), event=0)
        else:
            self.report.fault(error, match=self.ended)


def _without_blanks(lines: list[str]) -> list[str]:
    """Return lines without the blank ones at the beginning: the space between matches is not kept."""
    blank = sum(1 for _ in takewhile(lambda line: not line, lines))
    return lines[blank:]


# The match of the lines.


def match_of(lines: MatchLines) -> Match:
    """Return the match that its lines are read as, without the notes.

    >>> [lines] = match_lines(["A B C D", "- 2 d -  # cheap"])
    >>> match_of(lines).rounds[0].events, match_of(lines).rounds[0].annotations
    ([Win(actor=1, target=2, fan=2)], (Annotation(index=1, kind='comment', value=' cheap'),))
    """
    first = lines.states[0]
    match = Match(
        [Player(Name(Text(native=unescape(name)))) for name in lines.names],
        [_round(game, first) for game in lines.games],
        [ev.StartGame()],
        [ev.EndGame()],
        date=first.date or UNSET,
        rules=first.rules(),
    )
    # Without a round, the comments above and below are separated by the layout alone.
    after, below = layout.split_comments(lines.after)
    explicit = bool(below) and not match.rounds
    kept = tuple(after) if explicit or after != [layout.SIGN] * len(below) else ()
    _keep(match, lines.head, first, [" ".join(spell(lines.names))], 0, explicit=explicit, after=kept)
    match.annotations += tuple([Annotation(len(match.rounds), "comment", value=text) for text in below])
    return match


# Events never change, and many lines have the same results.
@lru_cache(8192)
def event_of(result: GameResult) -> ev.Win | ev.Ryukyoku:
    """Return the event that the results of a game mean.

    >>> event_of(GameResult(2, 6, 3, "D")), event_of(GameResult(blamed=3, blame="f"))
    (Win(actor=2, fan=6, liable=3), Ryukyoku(reason='chombo', actor=3))
    """
    if result.winner is None:
        return ev.Ryukyoku() if result.blamed is None else ev.Ryukyoku(reason=CHOMBO, actor=result.blamed)
    blamed = UNSET if result.blamed is None else result.blamed
    targets: dict[str, int | UnsetType] = {"d": blamed, "D": UNSET}
    target = targets.get(result.blame, result.winner)
    return ev.Win(result.winner, target, fan=result.faan, liable=blamed if result.blame in ("D", "S") else UNSET)


def _round(game: Line, first: DatedRules) -> Round:
    if not isinstance(game.parsed, GameResult):
        return Round()
    game_round = Round([event_of(game.parsed)])
    if game.state != first:
        if game.state.rules() != first.rules():
            game_round.rules = game.state.rules()
        if game.state.date != first.date:
            game_round.date = game.state.date or UNSET
    canonical = str(game.parsed)
    # Most lines are laid out as the writer does by itself.
    if game.text != canonical or game.before or game.entering != game.state:
        _keep(game_round, game, game.state, [canonical, canonical + layout.END_SIGN], 1)
    return game_round


def _keep(
    whole: Match | Round,
    line: Line,
    state: DatedRules,
    usual: Sequence[str],
    beside: int,
    *,
    explicit: bool = False,
    after: tuple[str, ...] = (),
) -> None:
    """Keep the comments of a line and above it, and what of their layout the writer would not choose.

    `usual` are the texts of the line that the writer chooses, `beside` is the index of the comment beside it. If
    `explicit`, the layout of the lines before it is kept in any case.
    """
    before, above = layout.split_comments(line.before)
    head, sign, comment = line.text.partition(layout.SIGN)
    comments = [Annotation(0, "comment", value=text) for text in above]
    if sign:
        comments.append(Annotation(beside, "comment", value=comment))
    whole.annotations = tuple(comments)
    own_before = explicit or before != [layout.SIGN] * len(above) + grammar.declare(line.entering, state)
    own_line = head + sign not in usual
    put_part(
        whole,
        layout.KEY,
        layout.Layout(tuple(before) if own_before else UNSET, head + sign if own_line else UNSET, after),
    )
