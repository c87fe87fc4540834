"""Read Ùzje: the games of one or more matches in a file, as turns or as the engine's commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

from msgspec import UNSET

from mjconv.converters import notes
from mjconv.converters.uzje.comments import KEY, MATCH, MatchExtras, RoundExtras, put
from mjconv.converters.uzje.game import Choices
from mjconv.converters.uzje.notes import RoundNote, UzjeNote, choices_of, match_digest, words_digest
from mjconv.converters.uzje.paragraphs import (
    Block,
    GameText,
    blocks,
    data_paragraphs,
    decode,
    game_text,
    tag_of,
)
from mjconv.converters.uzje.play import GameError, read_game
from mjconv.converters.uzje.syntax import HEADER, FaultError, parse
from mjconv.converters.uzje.words import SEATS
from mjconv.ir import events as ev
from mjconv.ir import patch
from mjconv.ir.errors import InputError, Lines, Place, PlayError
from mjconv.ir.events import MOST_SEATS
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, Match, Round

Whole = TypeVar("Whole", Round, Match)

#: The tag that tells how many play where a header says 0.
_PLAYERS: Final = "Players"
_NO_CHOICES: Final = Choices()


def read(data: bytes, report: Report, flavour: str = "") -> Iterator[Match]:
    r"""Read the matches of a file, one by one; turns and commands are told apart by their words.

    Raises `InputError` with line and column, `PlayError` where the turns cannot be played. A note whose game was
    edited is left out, with a warning.

    >>> [match] = read(b"Match: of no play\n\nE 1 0 4", Report())
    >>> match.rounds[0].label
    'E1-0'
    """
    del flavour
    text = decode(data)
    lines = Lines(text)
    for number, draft in enumerate(_drafts(text)):
        yield _MatchReader(lines, draft, report, number).read()


def locate(data: bytes, match: int, game_round: int, event: int) -> Place | None:
    """Find the game paragraph of a round that was read, counting from 0.

    >>> locate(b"E 1 0 4", 0, 0, 0).column
    1
    """
    del event  # what a note restores has no place of its own
    text = decode(data)
    drafts = list(_drafts(text))
    if match < len(drafts) and game_round < len(drafts[match].games):
        return Place.at(text, drafts[match].games[game_round].text.offset(0))
    return None


@dataclass(slots=True)
class _GameDraft:
    """A game paragraph, how many play, and the paragraphs after it: notes, and others."""

    text: GameText
    players: int
    after: list[str] = field(default_factory=list)
    found: list[tuple[UzjeNote, int]] = field(default_factory=list)


@dataclass(slots=True)
class _MatchDraft:
    """The paragraphs of a match: before its first game, and its games."""

    head: list[str] = field(default_factory=list)
    found: list[tuple[UzjeNote, int]] = field(default_factory=list)
    games: list[_GameDraft] = field(default_factory=list)
    #: Whether it is certain to be a match, though no game should follow.
    begun: bool = False


def _drafts(text: str) -> list[_MatchDraft]:
    """Sort the paragraphs of a file by match and game."""
    drafts = [_MatchDraft()]
    found = list(blocks(text))
    players = _Players(text, found)
    for block in found:
        draft = drafts[-1]
        if block.kind == "game":
            game = game_text(block, text)
            draft.games.append(_GameDraft(game, players.of(game)))
            continue
        kept = block.text
        if block.kind == "data":
            parts = data_paragraphs(block)
            tags = [tag_of(part)[0] for part in parts]
            if notes.MARK in tags or MATCH in tags:
                _sort_out(drafts, parts, tags, text)
                continue
        (draft.games[-1].after if draft.games else draft.head).append(kept)
    return _with_games(drafts)


def _with_games(drafts: list[_MatchDraft]) -> list[_MatchDraft]:
    """Leave out what is no match; a match note that no game follows stays with the match before it."""
    matches: list[_MatchDraft] = []
    for draft in drafts:
        if draft.games or draft.begun:
            matches.append(draft)
        elif matches and matches[-1].games:
            matches[-1].games[-1].found += draft.found
            matches[-1].games[-1].after += draft.head
    return matches


def _sort_out(drafts: list[_MatchDraft], parts: list[Block], tags: list[str], text: str) -> None:
    """Take the notes out of a block of data, and cut it where a match begins."""
    kept: list[str] = []

    def keep() -> None:
        if kept:
            draft = drafts[-1]
            (draft.games[-1].after if draft.games else draft.head).append("".join(kept).strip("\n"))
            kept.clear()

    for part, tag in zip(parts, tags, strict=True):
        draft = drafts[-1]
        if tag == MATCH:
            keep()
            if draft.games or draft.begun:
                draft = _MatchDraft()
                drafts.append(draft)
            draft.begun = True
        if tag == notes.MARK:
            note = _read_note(part, text)
            if note.match is not None and draft.games:
                # It stands before the first game of its match: files may be joined as text.
                keep()
                draft = _MatchDraft()
                drafts.append(draft)
            elif note.match is not None:
                draft.begun = True
            (draft.games[-1] if draft.games else draft).found.append((note, part.begin))
            kept += [line + "\n" for line in part.text.split("\n") if line.lstrip().startswith(":")]
        elif part.text.strip() != f"{MATCH}:":
            kept.append(part.text)
    keep()


def _read_note(part: Block, text: str) -> UzjeNote:
    try:
        return notes.loads(tag_of(part)[1].encode(), UzjeNote)
    except notes.NoteError as error:
        raise InputError(str(error), Place.at(text, part.begin)) from None


class _Players:
    """Tells how many play where a header says 0: by the last data tag above it, else the first below."""

    def __init__(self, text: str, found: list[Block]) -> None:
        self.text = text
        self.tags = [
            part
            for block in found
            if block.kind == "data" and _PLAYERS in block.text
            for part in data_paragraphs(block)
            if tag_of(part)[0] == _PLAYERS
        ]

    def of(self, game: GameText) -> int:
        """Give the number of players of a game; raises `InputError` where it is none that Ùzje knows."""
        if len(game.words) < HEADER:
            raise self._error(game, "a header is wind, round, repeat and players, and the players are missing")
        word = game.words[HEADER - 1]
        if word == "0":
            return self._inherited(game)
        if word not in map(str, SEATS):
            raise self._error(game, f"players are 3, 4 or 6, or 0 for as many as a tag says, not {word!r}")
        return int(word)

    def _inherited(self, game: GameText) -> int:
        begin = game.block.begin
        above = [part for part in self.tags if part.begin < begin]
        if not self.tags:
            raise self._error(game, f"players 0 stands for what a {_PLAYERS}: tag says, and there is none")
        tag = above[-1] if above else self.tags[0]
        value = tag_of(tag)[1]
        if value not in map(str, SEATS):
            raise InputError(f"{_PLAYERS}: is 3, 4 or 6, not {value!r}", Place.at(self.text, tag.begin))
        return int(value)

    def _error(self, game: GameText, message: str) -> InputError:
        return InputError(message, Place.at(self.text, game.offset(HEADER - 1)))


class _MatchReader:
    def __init__(self, lines: Lines, draft: _MatchDraft, report: Report, number: int) -> None:
        self.lines = lines
        self.draft = draft
        self.report = report
        self.number = number

    def read(self) -> Match:
        match = Match(opening=[ev.StartGame()], closing=[ev.EndGame()])
        match.rounds = [self._round(game, index) for index, game in enumerate(self.draft.games)]
        seats = max((game.players for game in self.draft.games), default=MOST_SEATS)
        found = [*self.draft.found, *(entry for game in self.draft.games for entry in game.found)]
        noted = False
        for entry, offset in found:
            note = entry.match
            if note is None:
                continue
            digest = match_digest(self.draft.games[0].text.words[:HEADER] if self.draft.games else ())
            if note.v == notes.VERSION and note.digest == digest and not noted:
                match = self._patched(note, match, offset, seats=seats if seats > USUAL_SEATS else 0)
                noted = True
            else:
                self._let_go(note, "match", offset)
        if KEY not in match.extras:
            put(match, MatchExtras(tuple(self.draft.head)))
        return match

    def _round(self, draft: _GameDraft, index: int) -> Round:
        try:
            syntax = parse(draft.text, draft.players)
        except FaultError as error:
            raise InputError(str(error), self._place(draft, error.word)) from None
        game = syntax.game
        note, offset = self._round_note(draft, index)
        dealer = game.dealer
        choices = _NO_CHOICES
        if note is not None:
            if note.dealer is not UNSET:
                dealer = note.dealer % game.players
            try:
                choices = choices_of(note, game.tiles)
            except notes.NoteError as error:
                raise InputError(f"the note does not fit: {error}", self.lines.place(offset)) from None
        try:
            game_round = read_game(game, dealer, choices).round
        except GameError as error:
            message = error.by_seat(game.players, dealer)
            raise PlayError(message, self._place(draft, syntax.word_of(error.turn, error.tile))) from None
        if note is not None:
            game_round = self._patched(note, game_round, offset, seats=game.players if game.beyond_riichi else 0)
        if KEY not in game_round.extras:
            comments = tuple((syntax.anchor(word), said) for word, said in draft.text.comments)
            put(game_round, RoundExtras(comments, syntax.end, tuple(draft.after)))
        return game_round

    def _place(self, draft: _GameDraft, word: int) -> Place:
        return self.lines.place(draft.text.offset(word))

    def _round_note(self, draft: _GameDraft, index: int) -> tuple[RoundNote | None, int]:
        found = [(entry.round, offset) for entry, offset in draft.found if entry.round is not None]
        if not found:
            return None, 0
        digest = words_digest(draft.text.words)
        fitting = [entry for entry in found if entry[0].v == notes.VERSION and entry[0].digest == digest]
        for note, offset in found:
            if not fitting or (note, offset) != fitting[0]:
                self._let_go(note, "round", offset, index)
        return fitting[0] if fitting else (None, 0)

    def _let_go(self, note: notes.Note, what: str, offset: int, index: int | None = None) -> None:
        line = self.lines.number(offset)
        self.report.warn(notes.let_go(note, what), match=self.number, round=index, line=line)

    def _patched(self, note: notes.Note, whole: Whole, offset: int, *, seats: int) -> Whole:
        try:
            return patch.apply(note, whole, seats=seats)
        except patch.PatchError as error:
            raise InputError(f"the note does not fit: {error}", self.lines.place(offset)) from None
