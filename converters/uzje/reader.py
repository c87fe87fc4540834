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
from mjconv.converters.uzje.grouping import GameDraft, MatchDraft, drafts_of
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
    r"""Read the matches of a file, one by one; turns and commands are told apart by their words.

    Raises `InputError` with line and column, `PlayError` where the turns cannot be played. A note whose game was
    edited is left out, with a warning. With a lenient report a game is read up to the turn that is none or has no
    meaning; a move that has one, and only cannot be made at the table, is made. The first turn of a game that has
    the number of another is warned of.

    >>> [match] = read(b"Match: of no play\n\nE 1 0 4", Report())
    >>> match.rounds[0].label
    'E1-0'
    """
    del flavour
    for reader in _readers(data, report):
        yield reader.read()


def places(data: bytes, *, lenient: bool = False) -> Callable[[int, int, int], Place | None]:
    """Read a file to find the words that its events were read from, by match, round and event from 0.

    An event stands where its turn does, or its command, a result where the last one does; the deal, and what the
    round has not, where the header does. What a note added stands with the event that it follows.

    >>> find = places(b"E 1 0 4")
    >>> find(0, 0, 0).column, find(0, 1, 0)
    (1, None)
    """
    del lenient  # what is read at all is then read the same
    readers = list(_readers(data, Report(lenient=True)))

    @cache
    def trace(match: int, game_round: int) -> _Trace:
        return readers[match].trace(game_round)

    def find(match: int, game_round: int, event: int) -> Place | None:
        if 0 <= match < len(readers) and 0 <= game_round < len(readers[match].draft.games):
            return trace(match, game_round).place(event)
        return None

    return find


def _readers(data: bytes, report: Report) -> Iterator[_MatchReader]:
    lines = Lines(decode(data, report.fault))
    for number, draft in enumerate(drafts_of(lines, report)):
        yield _MatchReader(lines, draft, report, number)


class _Trace(NamedTuple):
    """How a round was read, to find its events: none of it where nothing but its header could be."""

    lines: Lines
    draft: GameDraft
    syntax: Syntax | None = None
    reading: LenientReading | None = None
    edits: tuple[patch.Edit, ...] = ()

    def place(self, event: int) -> Place:
        word = 0
        if self.syntax is not None and self.reading is not None:
            read = patch.origin(self.edits, event)
            start = self.reading.move_of(read) if 0 <= read < len(self.reading.game.round.events) else None
            word = 0 if start is None else self.syntax.word_of_move(start.turn, start.move)
        return self.lines.place(self.draft.text.offset(word))


class _MatchReader:
    def __init__(self, lines: Lines, draft: MatchDraft, report: Report, number: int) -> None:
        self.lines = lines
        self.draft = draft
        self.report = report
        self.number = number

    def read(self) -> Match:
        match = Match(opening=[ev.StartGame()], closing=[ev.EndGame()])
        match.rounds = [self._round(game, index)[0] for index, game in enumerate(self.draft.games)]
        head = sort_paragraphs(self.draft.head, head=True)
        end = sort_paragraphs(self.draft.games[-1].after, last=True) if self.draft.games else Paragraphs((), ())
        match.annotations = match_annotations(head, end, len(match.rounds))
        seats = max((game.players for game in self.draft.games), default=MOST_SEATS)
        found = [*self.draft.found, *(entry for game in self.draft.games for entry in game.found)]
        noted = False
        for entry, offset in found:
            note = entry.match
            if note is None:
                continue
            digest = match_digest(self.draft.games[0].text.words[:HEADER] if self.draft.games else ())
            if note.v == notes.VERSION and note.digest == digest and not noted:
                patched = self._patched(note, match, offset, seats=seats if seats > USUAL_SEATS else 0)
                match = keep_visible(match, patched, (), shown_of_match(match))
                noted = True
            else:
                self._let_go(note, "match", offset)
        if KEY not in match.extras:
            put(match, MatchExtras(head.entries))
        return match

    def trace(self, index: int) -> _Trace:
        """Read one round to find its events; the report must be lenient."""
        return self._round(self.draft.games[index], index)[1]

    def _round(self, draft: GameDraft, index: int) -> tuple[Round, _Trace]:
        cut: InputError | None = None
        syntax: Syntax | None = None
        try:
            syntax = parse(draft.text, draft.players) if draft.players else None
        except FaultError as error:
            cut = InputError(str(error), self._place(draft, error.word))
            if self.report.lenient:
                syntax = parse_before(draft.text, draft.players, error.word)
            if syntax is None:
                self._fault(cut, index)
        if syntax is None:
            return Round(), _Trace(self.lines, draft)
        game = syntax.game
        for limit, items in (("tiles", game.tiles), ("events", game.turns)):
            if len(items) > getattr(limits.current(), limit):
                raise limits.LimitError(limit, self._place(draft, 0))
        note, offset = self._round_note(draft, index, syntax.first_turn)
        dealer = game.dealer
        choices = _NO_CHOICES
        if note is not None:
            try:
                choices = choices_of(note, game.tiles)
                dealer = dealer if note.dealer is UNSET else note.dealer % game.players
            except notes.NoteError as error:
                self._fault(InputError(f"the note does not fit: {error}", self.lines.place(offset)), index)
                note = None
        reading = self._played(draft, index, syntax, dealer, choices, cut)
        game_round = reading.game.round
        comments = [(syntax.anchor(word), text) for word, text in draft.text.comments]
        after = sort_paragraphs(draft.after, last=draft is self.draft.games[-1])
        self._annotate(reading, comments, after)
        edits: tuple[patch.Edit, ...] = ()
        if note is not None and reading.whole:
            seats = game.players if game.beyond_riichi else 0
            patched = self._patched(note, game_round, offset, seats=seats, index=index)
            if patched is not game_round:
                game_round, edits = keep_visible(game_round, patched, note.events, shown), note.events
        if KEY not in game_round.extras:
            put(game_round, RoundExtras(header_places(comments), syntax.end, after.entries))
        return game_round, _Trace(self.lines, draft, syntax, reading, edits)

    def _annotate(self, reading: LenientReading, comments: list[GameComment], after: Paragraphs) -> None:
        if comments or after.comments:
            game = reading.game
            events = len(game.round.events)
            game.round.annotations = round_annotations(comments, game.first_event, events, after)

    def _played(
        self,
        draft: GameDraft,
        index: int,
        syntax: Syntax,
        dealer: int,
        choices: Choices,
        cut: InputError | None,
    ) -> LenientReading:
        """Play a game, leniently as far as it goes; `cut` is what ends it before its last turn, if any."""
        game = syntax.game

        def told(error: GameError) -> PlayError:
            place = self._place(draft, syntax.word_of(error.turn, error.tile))
            return PlayError(error.by_seat(game.players, dealer), place)

        if not self.report.lenient:
            try:
                return LenientReading(read_game(game, dealer, choices))
            except GameError as error:
                raise told(error) from None
        reading = read_game_leniently(game, dealer, choices, cut=cut is not None)
        if cut is not None:
            self._fault(cut, index, len(reading.game.round.events))
        for event, refusal in reading.errors:
            self._fault(told(refusal), index, event)
        wrong = misnumbered(draft.text, syntax)
        if wrong is not None:
            turn, said = wrong
            place = self._place(draft, syntax.word_of(turn, None))
            self.report.warn(
                said,
                match=self.number,
                round=index,
                line=place.line,
                column=place.column,
                event=reading.first_of(turn),
            )
        return reading

    def _fault(self, error: InputError, index: int | None = None, event: int | None = None) -> None:
        self.report.fault(error, match=self.number, round=index, event=event)

    def _place(self, draft: GameDraft, word: int) -> Place:
        return self.lines.place(draft.text.offset(word))

    def _round_note(self, draft: GameDraft, index: int, first_turn: int) -> tuple[RoundNote | None, int]:
        found = [(entry.round, offset) for entry, offset in draft.found if entry.round is not None]
        if not found:
            return None, 0
        digest = words_digest(draft.text.words, first_turn)
        fitting = [entry for entry in found if entry[0].v == notes.VERSION and entry[0].digest == digest]
        for note, offset in found:
            if not fitting or (note, offset) != fitting[0]:
                self._let_go(note, "round", offset, index)
        return fitting[0] if fitting else (None, 0)

    def _let_go(self, note: notes.Note, what: str, offset: int, index: int | None = None) -> None:
        line = self.lines.number(offset)
        self.report.warn(notes.let_go(note, what), match=self.number, round=index, line=line)

    def _patched(
        self, note: notes.Note, whole: Whole, offset: int, *, seats: int, index: int | None = None
    ) -> Whole:
        """Apply a note; leniently what does not fit is left out, and the same object given back."""
        try:
            return patch.apply(note, whole, seats=seats)
        except patch.PatchError as error:
            self._fault(InputError(f"the note does not fit: {error}", self.lines.place(offset)), index)
            return whole
