"""The paragraphs of a file sorted by match and game, before any game is read."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Final

from mjconv.converters.shared import notes
from mjconv.converters.uzje.comments import MATCH
from mjconv.converters.uzje.notes import UzjeNote
from mjconv.converters.uzje.paragraphs import (
    Block,
    GameText,
    blocks,
    data_paragraphs,
    game_text,
    tag_of,
)
from mjconv.converters.uzje.syntax import HEADER
from mjconv.converters.uzje.words import SEATS
from mjconv.ir.errors import InputError, Lines
from mjconv.ir.losses import Report

#: The tag that tells how many play where a header says 0.
_PLAYERS: Final = "Players"


@dataclass(slots=True)
class GameDraft:
    """A game paragraph, how many play, and the paragraphs after it: notes, and others.

    `players` is 0 where they cannot be told or its words not be taken apart: a fault, after which
    the reading goes on.
    """

    text: GameText
    players: int
    after: list[str] = field(default_factory=list)
    found: list[tuple[UzjeNote, int]] = field(default_factory=list)


@dataclass(slots=True)
class MatchDraft:
    """The paragraphs of a match: before its first game, and its games."""

    head: list[str] = field(default_factory=list)
    found: list[tuple[UzjeNote, int]] = field(default_factory=list)
    games: list[GameDraft] = field(default_factory=list)
    #: Whether it is certain to be a match, though no game should follow.
    begun: bool = False


def drafts_of(lines: Lines, report: Report) -> list[MatchDraft]:
    """Sort the paragraphs of a file by match and game. Raises `InputError` where the report is not lenient."""
    drafts = [MatchDraft()]
    found = list(blocks(lines, report.fault))
    players = _Players(lines, found)
    for block in found:
        draft = drafts[-1]
        if block.kind == "game":
            game = GameDraft(GameText(block, []), 0)
            try:
                game.text = game_text(block, lines)
                game.players = players.of(game.text)
            except InputError as error:
                report.fault(error, match=len(drafts) - 1, round=len(draft.games))
            draft.games.append(game)
            continue
        kept = block.text
        if block.kind == "data":
            parts = data_paragraphs(block)
            tags = [tag_of(part) for part in parts]
            if any(tag in (notes.MARK, MATCH) for tag, _ in tags):
                _sort_out(drafts, parts, tags, lines, report)
                continue
        (draft.games[-1].after if draft.games else draft.head).append(kept)
    return _with_games(drafts)


def _with_games(drafts: list[MatchDraft]) -> list[MatchDraft]:
    """Leave out what is no match; a match note that no game follows stays with the match before it."""
    matches: list[MatchDraft] = []
    for draft in drafts:
        if draft.games or draft.begun:
            matches.append(draft)
        elif matches and matches[-1].games:
            matches[-1].games[-1].found += draft.found
            matches[-1].games[-1].after += draft.head
    return matches


def _sort_out(
    drafts: list[MatchDraft], parts: list[Block], tags: list[tuple[str, str]], lines: Lines, report: Report
) -> None:
    """Take the notes out of a block of data, and cut it where a match begins; `tags` with what each says."""
    kept: list[str] = []

    def keep() -> None:
        if kept:
            draft = drafts[-1]
            (draft.games[-1].after if draft.games else draft.head).append("".join(kept).strip("\n"))
            kept.clear()

    for part, (tag, said) in zip(parts, tags, strict=True):
        draft = drafts[-1]
        if tag == MATCH:
            keep()
            if draft.games or draft.begun:
                draft = MatchDraft()
                drafts.append(draft)
            draft.begun = True
        if tag == notes.MARK:
            try:
                note = notes.loads(said.encode(), UzjeNote)
            except notes.NoteError as error:
                told = InputError(str(error), lines.place(part.begin))
                report.fault(told, match=len(drafts) - 1, round=len(draft.games) - 1 if draft.games else None)
                note = UzjeNote()
            if note.match is not None and draft.games:
                # It stands before the first game of its match: files may be joined as text.
                keep()
                draft = MatchDraft()
                drafts.append(draft)
            elif note.match is not None:
                draft.begun = True
            (draft.games[-1] if draft.games else draft).found.append((note, part.begin))
            kept += [line + "\n" for line in part.text.split("\n") if line.lstrip().startswith(":")]
        elif part.text.strip() != f"{MATCH}:":
            kept.append(part.text)
    keep()


class _Players:
    """Tells how many play where a header says 0: by the last data tag above it, else the first below."""

    def __init__(self, lines: Lines, found: list[Block]) -> None:
        self.lines = lines
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
        above = bisect_left(self.tags, game.block.begin, key=lambda part: part.begin)
        if not self.tags:
            raise self._error(game, f"players 0 stands for what a {_PLAYERS}: tag says, and there is none")
        tag = self.tags[max(above - 1, 0)]
        value = tag_of(tag)[1]
        if value not in map(str, SEATS):
            raise InputError(f"{_PLAYERS}: is 3, 4 or 6, not {value!r}", self.lines.place(tag.begin))
        return int(value)

    def _error(self, game: GameText, message: str) -> InputError:
        return InputError(message, self.lines.place(game.offset(HEADER - 1)))
