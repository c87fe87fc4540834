"""Read Ùzje: the games of one or more matches in a file, as turns or as the engine's commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, NamedTuple, TypeVar

from msgspec import UNSET

from mjconv.converters.shared import notes
from mjconv.converters.shared.annotations import keep_visible
from mjconv.converters.uzje.comments import (
    KEY,
    GameComment,
    MatchExtras,
    Paragraphs,
    RoundExtras,
    header_places,
    match_annotations,
    put,
    round_annotations,
    shown,
    shown_of_match,
    sort_paragraphs,
)
from mjconv.converters.uzje.game import Choices
from mjconv.converters.uzje.grouping import GameParagraphs, MatchParagraphs, group_paragraphs
from mjconv.converters.uzje.lenient import LenientReading, read_game_leniently
from mjconv.converters.uzje.notes import RoundNote, choices_of, match_digest, words_digest
from mjconv.converters.uzje.paragraphs import decode
from mjconv.converters.uzje.play import GameError, read_game
from mjconv.converters.uzje.syntax import HEADER, FaultError, Syntax, misnumbered, parse, parse_before
from mjconv.ir import events as ev
from mjconv.ir import limits, patch
from mjconv.ir.errors import InputError, Lines, Place, PlayError
from mjconv.ir.events import MOST_SEATS
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, Match, Round

Whole = TypeVar("Whole", Round, Match)

_NO_CHOICES: Final = Choices()


def read(data: bytes, report: Report, flavour: str = "") -> Iterator[Match]:
    r"""Read the matches of a file, one by one, whether games have turns or commands.

    Raises `InputError` with line and column, `PlayError` if the turns cannot be played. The note of an edited game
    is ignored with a warning. With a lenient report a game is read up to the first turn that has no meaning; a
    move that the table refuses is applied all the same, and the first turn with a wrong number gets a warning.

    >>> [match] = read(b"Match: of no play\n\nE 1 0 4", Report())
    >>> match.rounds[0].label
    'E1-0'
    """
    del flavour
    for reader in _readers(data, report):
        yield reader.read()


def places(data: bytes, *, lenient: bool = False) -> Callable[[int, int, int], Place | None]:
    """Return a function that finds the word of an event, by match, round and event from 0.

    The place of an event is that of its turn or command; of a result, that of the last one; of the deal, and of an
    index outside the round, that of the header. An event that a note added has the place of the event before it.

    >>> find = places(b"E 1 0 4")
    >>> find(0, 0, 0).column, find(0, 1, 0)
    (1, None)
    """
    del lenient  # both ways read the same events
    readers = list(_readers(data, Report(lenient=True)))

    @cache
    def trace(match: int, game_round: int) -> _Trace:
        return readers[match].trace(game_round)

    def find(match: int, game_round: int, event: int) -> Place | None:
        if 0 <= match < len(readers) and 0 <= game_round < len(readers[match].paragraphs.games):
            return trace(match, game_round).place(event)
        return None

    return find


def _readers(data: bytes, report: Report) -> Iterator[_MatchReader]:
    lines = Lines(decode(data, report.fault))
    for number, match in enumerate(group_paragraphs(lines, report)):
        yield _MatchReader(lines, match, report, number)


class _Trace(NamedTuple):
    """The reading of a round, to find its events: empty if only its header could be read."""

    lines: Lines
    game: GameParagraphs
    syntax: Syntax | None = None
    reading: LenientReading | None = None
    edits: tuple[patch.Edit, ...] = ()

    def place(self, event: int) -> Place:
        word = 0
        if self.syntax is not None and self.reading is not None:
            read = patch.origin(self.edits, event)
            start = self.reading.move_of(read) if 0 <= read < len(self.reading.game.round.events) else None
            word = 0 if start is None else self.syntax.word_of_move(start.turn, start.move)
        return self.lines.place(self.game.text.offset(word))


class _MatchReader:
    def __init__(self, lines: Lines, paragraphs: MatchParagraphs, report: Report, number: int) -> None:
        self.lines = lines
        self.paragraphs = paragraphs
        self.report = report
        self.number = number

    def read(self) -> Match:
        match = Match(opening=[ev.StartGame()], closing=[ev.EndGame()])
        match.rounds = [self._round(game, index)[0] for index, game in enumerate(self.paragraphs.games)]
        head = sort_paragraphs(self.paragraphs.head, head=True)
        end = (
            sort_paragraphs(self.paragraphs.games[-1].after, last=True)
            if self.paragraphs.games
            else Paragraphs((), ())
        )
        match.annotations = match_annotations(head, end, len(match.rounds))
        seats = max((game.players for game in self.paragraphs.games), default=MOST_SEATS)
        found = [*self.paragraphs.found, *(entry for game in self.paragraphs.games for entry in game.found)]
        noted = False
        for entry, offset in found:
            note = entry.match
            if note is None:
                continue
            digest = match_digest(self.paragraphs.games[0].text.words[:HEADER] if self.paragraphs.games else ())
            if note.v == notes.VERSION and note.digest == digest and not noted:
                patched = self._patched(note, match, offset, seats=seats if seats > USUAL_SEATS else 0)
                match = keep_visible(match, patched, (), shown_of_match(match))
                noted = True
            else:
                self._ignore(note, "match", offset)
        if KEY not in match.extras:
            put(match, MatchExtras(head.entries))
        return match

    def trace(self, index: int) -> _Trace:
        """Read one round to find its events; the report must be lenient."""
        return self._round(self.paragraphs.games[index], index)[1]

    def _round(self, own: GameParagraphs, index: int) -> tuple[Round, _Trace]:
        cut: InputError | None = None
        syntax: Syntax | None = None
        try:
            syntax = parse(own.text, own.players) if own.players else None
        except FaultError as error:
            cut = InputError(str(error), self._place(own, error.word))
            if self.report.lenient:
                syntax = parse_before(own.text, own.players, error.word)
            if syntax is None:
                self._fault(cut, index)
        if syntax is None:
            return Round(), _Trace(self.lines, own)
        game = syntax.game
        for limit, items in (("tiles", game.tiles), ("events", game.turns)):
            if len(items) > getattr(limits.current(), limit):
                raise limits.LimitError(limit, self._place(own, 0))
        note, offset = self._round_note(own, index, syntax.first_turn)
        dealer = game.dealer
        choices = _NO_CHOICES
        if note is not None:
            try:
                choices = choices_of(note, game.tiles)
                dealer = dealer if note.dealer is UNSET else note.dealer % game.players
            except notes.NoteError as error:
                self._fault(InputError(f"the note does not fit: {error}", self.lines.place(offset)), index)
                note = None
        reading = self._played(own, index, syntax, dealer, choices, cut)
        game_round = reading.game.round
        comments = [(syntax.anchor(word), text) for word, text in own.text.comments]
        after = sort_paragraphs(own.after, last=own is self.paragraphs.games[-1])
        self._annotate(reading, comments, after)
        edits: tuple[patch.Edit, ...] = ()
        if note is not None and reading.whole:
            seats = game.players if game.beyond_riichi else 0
            patched = self._patched(note, game_round, offset, seats=seats, index=index)
            if patched is not game_round:
                game_round, edits = keep_visible(game_round, patched, note.events, shown), note.events
        if KEY not in game_round.extras:
            put(game_round, RoundExtras(header_places(comments), syntax.end, after.entries))
        return game_round, _Trace(self.lines, own, syntax, reading, edits)

    def _annotate(self, reading: LenientReading, comments: list[GameComment], after: Paragraphs) -> None:
        if comments or after.comments:
            game = reading.game
            events = len(game.round.events)
            game.round.annotations = round_annotations(comments, game.first_event, events, after)

    def _played(
        self,
        own: GameParagraphs,
        index: int,
        syntax: Syntax,
        dealer: int,
        choices: Choices,
        cut: InputError | None,
    ) -> LenientReading:
        """Play a game, leniently as far as possible; `cut` is the error that ends it early, if any."""
        game = syntax.game

        def play_error(error: GameError) -> PlayError:
            place = self._place(own, syntax.word_of(error.turn, error.tile))
            return PlayError(error.by_seat(game.players, dealer), place)

        if not self.report.lenient:
            try:
                return LenientReading(read_game(game, dealer, choices))
            except GameError as error:
                raise play_error(error) from None
        reading = read_game_leniently(game, dealer, choices, cut=cut is not None)
        if cut is not None:
            self._fault(cut, index, len(reading.game.round.events))
        for event, refusal in reading.errors:
            self._fault(play_error(refusal), index, event)
        wrong = misnumbered(own.text, syntax)
        if wrong is not None:
            turn, message = wrong
            place = self._place(own, syntax.word_of(turn, None))
            self.report.warn(
                message,
                match=self.number,
                round=index,
                line=place.line,
                column=place.column,
                event=reading.first_of(turn),
            )
        return reading

    def _fault(self, error: InputError, index: int | None = None, event: int | None = None) -> None:
        self.report.fault(error, match=self.number, round=index, event=event)

    def _place(self, own: GameParagraphs, word: int) -> Place:
        return self.lines.place(own.text.offset(word))

    def _round_note(self, own: GameParagraphs, index: int, first_turn: int) -> tuple[RoundNote | None, int]:
        found = [(entry.round, offset) for entry, offset in own.found if entry.round is not None]
        if not found:
            return None, 0
        digest = words_digest(own.text.words, first_turn)
        fitting = [entry for entry in found if entry[0].v == notes.VERSION and entry[0].digest == digest]
        for note, offset in found:
            if not fitting or (note, offset) != fitting[0]:
                self._ignore(note, "round", offset, index)
        return fitting[0] if fitting else (None, 0)

    def _ignore(self, note: notes.Note, kind: str, offset: int, index: int | None = None) -> None:
        line = self.lines.number(offset)
        self.report.warn(notes.let_go(note, kind), match=self.number, round=index, line=line)

    def _patched(
        self, note: notes.Note, whole: Whole, offset: int, *, seats: int, index: int | None = None
    ) -> Whole:
        """Return the object with a note applied; leniently the same object if the note does not fit."""
        try:
            return patch.apply(note, whole, seats=seats)
        except patch.PatchError as error:
            self._fault(InputError(f"the note does not fit: {error}", self.lines.place(offset)), index)
            return whole
