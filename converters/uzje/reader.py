"""Read Ùzje: the games of one or more matches in a file, as turns or as the engine's commands."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET

from mjconv.converters.interface import Reading
from mjconv.converters.shared import note_json
from mjconv.converters.shared.contradictions import prove
from mjconv.converters.shared.restore import Assembly, Ignored, MatchNotes, Scope
from mjconv.converters.uzje import layout
from mjconv.converters.uzje.game import Choices, GameError, GameReading, Syntax, misnumbered, parse, parse_before
from mjconv.converters.uzje.notes import UzjeMatchHints, UzjeRoundHints, choices_of
from mjconv.converters.uzje.paragraphs import (
    HEADER,
    GameParagraphs,
    MatchParagraphs,
    decode,
    group_paragraphs,
    tokens_of,
)
from mjconv.converters.uzje.round_reader import read_game
from mjconv.converters.uzje.words import WordError
from mjconv.ir import limits
from mjconv.ir.errors import InputError, Lines, Place, PlayError
from mjconv.ir.events import MOST_SEATS
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, Round
from mjconv.ir.play import refusals


def read(data: bytes, report: Report) -> Iterator[Reading]:
    r"""Read the matches of a file, one by one, whether games have turns or commands.

    Raises `InputError` with line and column, `PlayError` if the turns cannot be played. The note of an edited game
    is ignored with a warning. The first turn with a wrong number gets a warning. With a lenient report a game is
    read up to the first turn that has no meaning, and a move that the table refuses is applied all the same.

    The place of an event is its turn or command; of a result, the last one; of the deal, and of an index outside
    the round, the header. An event that a note added has the place of the event before it.

    >>> [(match, locate)] = read(b"Match: of no play\n\nE 1 0 4", Report())
    >>> match.rounds[0].label, locate(0, 0, "").line
    ('E1-0', 3)
    """
    lines = Lines(decode(data, report.fault))
    for number, match in enumerate(group_paragraphs(lines, report)):
        yield _UzjeReader(lines, match, report, number).reading()


class _ParsedGame(NamedTuple):
    """The words of a game as they were parsed: None if nothing can be read. `cut` is the error that ends them."""

    syntax: Syntax | None = None
    cut: InputError | None = None


class _UzjeReader:
    """Reads one match: plays its games, and applies its notes."""

    def __init__(self, lines: Lines, paragraphs: MatchParagraphs, report: Report, number: int) -> None:
        self.lines = lines
        self.paragraphs = paragraphs
        self.games = paragraphs.games
        self.report = report
        self.number = number
        self.parsed = [self._parse(game) for game in self.games]

    def reading(self) -> Reading:
        """Read the match, without the notes that contradict its text."""
        return prove("uzje", self._assemble, self.report, self.number, self._flavour)

    def _assemble(self, ignored: Ignored) -> Assembly:
        """Play all games, with the notes that are not ignored."""
        games = self.games
        notes = MatchNotes(
            self.paragraphs.notes,
            len(games),
            self._tokens,
            self.report,
            self.number,
            ignored,
            outside_of=self._outside,
        )
        hints = notes.hints(None, UzjeMatchHints)
        played = [self._round(index, notes, hints) for index in range(len(games))]
        head = layout.sort_paragraphs(self.paragraphs.head, head=True)
        end = layout.sort_paragraphs(games[-1].after, last=True) if games else layout.Paragraphs((), ())
        visible = layout.match_of([game_round for game_round, _ in played], head, end)
        seats = max((game.players for game in games), default=MOST_SEATS)
        match = notes.restore_match(
            visible, seats=seats if seats > USUAL_SEATS else 0, annotation_lines=layout.shown_of_match
        )
        layout.keep_layout(visible, match, of_note=hints.layout)

        def locate(game_round: int | None, event: int, key: str) -> Place:  # noqa: ARG001 - one word has all
            if game_round is None:
                return self.lines.place(self.paragraphs.begin)
            syntax, (_, reading) = self.parsed[game_round].syntax, played[game_round]
            move = None if reading is None else reading.move_of(notes.visible_event(game_round, event))
            word = 0 if syntax is None or move is None else syntax.word_of_move(*move)
            return self._place(games[game_round], word)

        return Assembly(Reading(match, locate), notes)

    def _tokens(self, scope: Scope) -> bytes:
        if scope is None:
            return tokens_of(self.games[0].text.words[:HEADER] if self.games else ())
        syntax = self.parsed[scope].syntax
        if syntax is None:
            return b""
        return tokens_of(self.games[scope].text.words[: syntax.first_turn], syntax.unnumbered)

    def _outside(self, scope: Scope) -> bytes:
        if scope is None:
            return layout.sort_paragraphs(self.paragraphs.head, head=True).data()
        own = self.games[scope]
        return layout.sort_paragraphs(own.after, last=own is self.games[-1]).data()

    def _flavour(self) -> str:
        """Return the flavour that spells the turns of the first game as they are; the usual one if none does."""
        # Imported here: files without notes are not written again.
        from mjconv.converters.uzje.writer import FLAVOURS, lay_out

        first = next((one.syntax for one in self.parsed if one.syntax is not None and one.syntax.unnumbered), None)
        if first is None:
            return ""
        spelled = (one for one in FLAVOURS if lay_out(first.game, one, first.end).unnumbered == first.unnumbered)
        return next(spelled, "")

    def _parse(self, own: GameParagraphs) -> _ParsedGame:
        try:
            return _ParsedGame(parse(own.text, own.players) if own.players else None)
        except WordError as error:
            cut = InputError(str(error), self._place(own, error.word))
            before = parse_before(own.text, own.players, error.word) if self.report.lenient else None
            return _ParsedGame(before, cut)

    def _round(self, index: int, notes: MatchNotes, of_match: UzjeMatchHints) -> tuple[Round, GameReading | None]:
        """Read a round, and return the reading of its game; None if only its header can be read."""
        own = self.games[index]
        syntax, cut = self.parsed[index]
        if syntax is None:
            if cut is not None:
                self._fault(cut, index)
            return Round(), None
        game = syntax.game
        for limit, items in (("tiles", game.tiles), ("events", game.turns)):
            if len(items) > getattr(limits.current(), limit):
                raise limits.LimitError(limit, self._place(own, 0))
        hints = notes.hints(index, UzjeRoundHints)
        try:
            choices = choices_of(hints, game.tiles)
        except note_json.NoteError as error:
            notes.refuse(index, str(error))
            hints, choices = UzjeRoundHints(), Choices()
        usual = of_match.of(index, game.number, len(self.games))
        dealer = (usual if hints.dealer is UNSET else hints.dealer) % game.players

        def play_error(error: GameError) -> PlayError:
            place = self._place(own, syntax.word_of(error.turn, error.tile))
            return PlayError(error.by_seat(game.players, dealer), place)

        lenient = self.report.lenient
        try:
            reading = read_game(game, dealer, choices, lenient=lenient, cut=cut is not None)
        except GameError as error:
            raise play_error(error) from None
        visible = reading.round
        if lenient:
            if cut is not None:
                self._fault(cut, index, len(visible.events))
            for event, refusal in reading.errors:
                self._fault(play_error(refusal), index, event)
        self._check_numbers(own, index, syntax, reading)
        comments = [(syntax.anchor(word), text) for word, text in own.text.comments]
        after = layout.sort_paragraphs(own.after, last=own is self.games[-1])
        layout.put_around_round(visible, comments, reading.first_event, syntax.end, after)
        game_round = visible
        if reading.whole:
            seats = game.players if game.beyond_riichi else 0
            game_round = notes.restore_round(visible, index, seats=seats, annotation_lines=lambda _: layout.shown)
            layout.keep_layout(visible, game_round, of_note=hints.layout)
        # A note can add impossible events, but never make play possible.
        if not lenient and refusals(game_round):
            try:
                reading.check()
            except GameError as error:
                raise play_error(error) from None
        return game_round, reading

    def _check_numbers(self, own: GameParagraphs, index: int, syntax: Syntax, reading: GameReading) -> None:
        """Warn of the first turn with a wrong number."""
        wrong = misnumbered(own.text, syntax)
        if wrong is not None:
            turn, message = wrong
            place, event = self._place(own, syntax.word_of(turn, None)), reading.first_event(turn)
            self.report.warn(message, match=self.number, round=index, place=place, event=event)

    def _fault(self, error: InputError, index: int, event: int | None = None) -> None:
        self.report.fault(error, match=self.number, round=index, event=event)

    def _place(self, own: GameParagraphs, word: int) -> Place:
        return self.lines.place(own.text.offset(word))
