"""Read texts with one game a line: the lines of each match, with its notes, and the match that they are read as.

A line begins a match (its head), or it is a game of the match, which becomes a round. All others, such as comments
and dates, belong to what follows. The writers read their own lines with the same code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NamedTuple

from mjconv.converters.interface import Reading
from mjconv.converters.shared.contradictions import with_notes
from mjconv.converters.shared.look_alikes import LookAlikes
from mjconv.converters.shared.note_json import Note, NoteError
from mjconv.converters.shared.restore import AnnotationLines, FoundNote, Scope
from mjconv.converters.shared.text_lines import (
    NO_ERRORS,
    RoundHints,
    is_left_out,
    is_note,
    place_of,
    read_notes,
    text_lines,
)
from mjconv.ir.errors import InputError, LineError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Match


class Grammar(NamedTuple):
    """How the lines of a format are read.

    `read` takes a line and the state before it, and returns the state after it and its meaning, or raises
    `LineError`; `meant` does so for a wrong line. A meaning of the type `head` is a head and has `names`, one of
    the type `game` is a game. `tokens` and `outside` are about a match for None, or a round, as in `Part`. `spell`
    returns a name as lines have it, `warning` what to warn of at a head: each warning is given once.
    """

    form: str
    beginning: Any
    read: Callable[[str, Any], tuple[Any, Any]]
    meant: Callable[[str, Any], tuple[Any, Any]]
    head: type
    game: type | None
    seats: int
    match_of: Callable[[MatchLines], Match]
    tokens: Callable[[MatchLines, Scope], bytes]
    outside: Callable[[MatchLines, Scope], bytes]
    annotation_lines: Callable[[Any], AnnotationLines]
    spell: Callable[[str], str] = str
    warning: Callable[[MatchLine], str] = lambda _: ""


@dataclass(slots=True)
class MatchLine:
    """A head or a game: its text, its meaning, its number, and the lines before it.

    `parsed` is None for an empty round, whose line cannot be read, or is only a note. `entering` is the state
    before the lines before it, `state` its own.
    """

    text: str
    parsed: Any
    number: int
    entering: Any = None
    state: Any = None
    before: list[str] = field(default_factory=list)


@dataclass(slots=True)
class MatchLines:
    """The lines of a match: the head, its games, which become rounds, the lines after them, and its notes.

    `last` is the index of the last game that has results, None where the line of a later one cannot be read.
    """

    head: MatchLine
    games: list[MatchLine] = field(default_factory=list)
    last: int | None = None
    after: list[str] = field(default_factory=list)
    notes: list[FoundNote] = field(default_factory=list)

    def take(self, note: Note, place: Place) -> None:
        """Add a note: of the match, of the last game, or of a round of its own."""
        near = self.last if note.match is None else None
        if is_left_out(note):
            near = len(self.games)
            self.games.append(MatchLine("", None, place.line))
        self.notes.append(FoundNote(note, lambda: place, near))


def is_comment(line: str) -> bool:
    """Return whether a line has only a comment, or is the place of one.

    >>> is_comment("  #"), is_comment("M=6  # six")
    (True, False)
    """
    return line.lstrip().startswith("#")


def read(grammar: Grammar, data: bytes, report: Report) -> Iterator[Reading]:
    """Read the matches of a file, one by one. Raises `InputError` with the place.

    With a lenient report an error in a line is a fault. A game that cannot be read is an empty round, and other
    wrong lines are skipped, if they do not begin a match. Of games before any head only the first is reported.
    Names that look alike are reported after the last match.
    """
    lines, broken = text_lines(data, lenient=report.lenient)
    names: LookAlikes[tuple[int, int]] = LookAlikes()
    warned = {""}
    for number, match in enumerate(match_lines(grammar, lines, grammar.beginning, report, broken)):
        if report.lenient:
            names.add(match.head.parsed.names, (number, match.head.number))
        if (warning := grammar.warning(match.head)) not in warned:
            warned.add(warning)
            report.warn(warning, match=number, line=match.head.number)
        yield _reading(grammar, match, lines, report, number)
    for alike in names.pairs():
        number, line = alike.place
        word = re.escape(grammar.spell(alike.name))
        found = re.search(rf"(?<![^\s,，、]){word}(?![^\s,，、])", lines[line - 1])
        report.warn(str(alike), match=number, line=line, column=found.start() + 1 if found else 1)


def _reading(grammar: Grammar, lines: MatchLines, file: Sequence[str], report: Report, number: int) -> Reading:
    """Return the match of its lines, with what its notes restore."""

    def locate(game_round: int | None, event: int, key: str) -> Place:  # noqa: ARG001 - as `Locate`
        """Return the place of the head, or of a game's line, which shows all events of its round."""
        line = (lines.head if game_round is None else lines.games[game_round]).number
        return place_of(file[line - 1], line)

    return with_notes(
        *(grammar.form, Reading(grammar.match_of(lines), locate), lines.notes),
        lambda scope: grammar.tokens(lines, scope),
        *(report, number),
        seats=grammar.seats,
        outside_of=lambda scope: grammar.outside(lines, scope),
        annotation_lines=grammar.annotation_lines,
        before=lines.head.entering,
        hints=RoundHints,
    )


def match_lines(
    grammar: Grammar,
    lines: Iterable[str],
    state: Any,
    report: Report | None = None,
    broken: Mapping[int, InputError] = NO_ERRORS,
) -> Iterator[MatchLines]:
    """Read lines into matches, one by one, from a state. Raises `InputError` with its place.

    With a lenient report the reading continues as in `read`. `broken` has errors that were found before, by the
    number of the line.
    """
    return _LineReader(grammar, state, report or Report()).matches(lines, broken)


class _LineReader:
    """Reads lines: `state` is the present state, `entering` the state before the `pending` lines."""

    def __init__(self, grammar: Grammar, state: Any, report: Report) -> None:
        self.grammar = grammar
        self.report = report
        self.ended = 0
        self.open: MatchLines | None = None
        self.state = self.entering = state
        self.pending: list[str] = []
        #: Notes before any head.
        self.strays: list[tuple[Note, Place]] = []
        #: Whether a game before any head was reported.
        self.headless = False

    def matches(self, lines: Iterable[str], broken: Mapping[int, InputError]) -> Iterator[MatchLines]:
        for number, line in enumerate(lines, 1):
            error, wrong = broken.get(number), False
            if is_note(line):
                self._take_notes(line, number, error)
                continue
            try:
                self.state, parsed = self.grammar.read(line, self.state)
            except LineError as caught:
                error, wrong = error or caught.at(line, number), True
                self.state, parsed = self.grammar.meant(line, self.state)
            head = isinstance(parsed, self.grammar.head)
            game = self.grammar.game is not None and isinstance(parsed, self.grammar.game)
            if error is not None:
                self._fault(error, head=head, game=game, always=number in broken)
            if head:
                if self.open is not None:
                    yield self._close(self.open)
                self.open = MatchLines(self._line(line, parsed, number, _without_blanks(self.pending)))
                for note, place in self.strays:
                    self.open.take(note, place)
                self.strays = []
            elif game:
                if self.open is not None:
                    self.open.last = None if wrong else len(self.open.games)
                    read = MatchLine("", None, number) if wrong else self._line(line, parsed, number, self.pending)
                    self.open.games.append(read)
            elif not wrong:
                self.pending.append(line.rstrip())
        if self.open is not None:
            self.open.after = _without_blanks(self.pending[::-1])[::-1]
            yield self.open

    def _line(self, line: str, parsed: object, number: int, before: list[str]) -> MatchLine:
        read = MatchLine(line.rstrip(), parsed, number, self.entering, self.state, before)
        self.entering, self.pending = self.state, []
        return read

    def _close(self, match: MatchLines) -> MatchLines:
        """End the match before the next head: comments right under a game are about it."""
        if self.grammar.game is not None:
            match.after = list(takewhile(is_comment, self.pending))
        self.pending = self.pending[len(match.after) :]
        self.ended += 1
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
            self._fault(error, game=True, always=True)
            if self.open is not None:
                self.open.last = None
                self.open.games.append(MatchLine("", None, number))
        elif self.open is not None and self.open.last is not None and '"round"' in line:
            self.report.fault(error, match=self.ended, round=self.open.last)
        else:
            self.report.fault(error, match=None if self.open is None else self.ended)

    def _fault(self, error: InputError, *, head: bool = False, game: bool = False, always: bool = False) -> None:
        """Report an error: of a game for the next round of the open match, of a head for the next match.

        Only the first wrong game before any head is reported, unless `always`.
        """
        if head:
            self.report.fault(error, match=self.ended + (self.open is not None))
        elif self.open is None:
            if always or not (self.headless and game):
                self.report.fault(error)
            self.headless |= game
        elif game:
            self.report.fault(error, match=self.ended, round=len(self.open.games), event=0)
        else:
            self.report.fault(error, match=self.ended + (self.grammar.game is None))


def _without_blanks(lines: list[str]) -> list[str]:
    """Return lines without the blank ones at the beginning: the space between matches is not kept."""
    return lines[sum(1 for _ in takewhile(lambda line: not line, lines)) :]
