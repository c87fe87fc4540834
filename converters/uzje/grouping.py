"""The paragraphs of a file sorted by match and game, before any game is read."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from mjconv.converters.shared import carry
from mjconv.converters.shared.restore import FoundNote
from mjconv.converters.uzje.comments import MATCH
from mjconv.converters.uzje.paragraphs import (
    Block,
    GameText,
    blocks,
    data_paragraphs,
    game_text,
    lists_tiles,
    tag_of,
)
from mjconv.converters.uzje.syntax import HEADER
from mjconv.converters.uzje.words import SEATS
from mjconv.ir.errors import InputError, Lines
from mjconv.ir.losses import Report

#: The tag with the number of players, for headers with 0.
_PLAYERS: Final = "Players"


@dataclass(slots=True)
class GameParagraphs:
    """A game paragraph, how many play, and the paragraphs after it, without notes.

    `players` is 0 if the words or the number of players cannot be read. That is a fault, and the reading
    continues.
    """

    text: GameText
    players: int
    after: list[str] = field(default_factory=list)


@dataclass(slots=True)
class MatchParagraphs:
    """The paragraphs of a match: before its first game, its games, and its notes.

    `begin` is the offset of its first paragraph in the file.
    """

    begin: int = 0
    head: list[str] = field(default_factory=list)
    found: list[FoundNote] = field(default_factory=list)
    games: list[GameParagraphs] = field(default_factory=list)
    #: Whether it is a match even if no game follows.
    begun: bool = False


def group_paragraphs(lines: Lines, report: Report) -> list[MatchParagraphs]:
    """Sort the paragraphs of a file by match and game. Raises `InputError` where the report is not lenient."""
    found = list(blocks(lines, report.fault))
    matches = [MatchParagraphs(found[0].begin if found else 0)]
    players = _Players(lines, found)
    for block in found:
        match = matches[-1]
        if block.kind == "game":
            game = GameParagraphs(GameText(block, []), 0)
            try:
                game.text = game_text(block, lines)
                game.players = players.of(game.text)
            except InputError as error:
                report.fault(error, match=len(matches) - 1, round=len(match.games))
            match.games.append(game)
            continue
        kept = block.text
        if block.kind == "comment" and lists_tiles(kept):
            report.warn(
                "this paragraph lists the tiles of a game, but is read as a comment:"
                " a game begins with wind, round, repeat and players, as in E 1 0 4",
                match=len(matches) - 1,
                line=lines.place(block.begin).line,
            )
        if block.kind == "data":
            parts = data_paragraphs(block)
            tags = [tag_of(part) for part in parts]
            if any(tag in (carry.MARK, MATCH) for tag, _ in tags):
                _sort_out(matches, parts, tags, lines, report)
                continue
        (match.games[-1].after if match.games else match.head).append(kept)
    return _with_games(matches)


def _with_games(found: list[MatchParagraphs]) -> list[MatchParagraphs]:
    """Return the matches; a note of a match that no game follows goes to the match before it."""
    matches: list[MatchParagraphs] = []
    for match in found:
        if match.games or match.begun:
            matches.append(match)
        elif matches and matches[-1].games:
            matches[-1].found += match.found
            matches[-1].games[-1].after += match.head
    return matches


def _sort_out(
    matches: list[MatchParagraphs], parts: list[Block], tags: list[tuple[str, str]], lines: Lines, report: Report
) -> None:
    """Take the notes out of a block of data, and split it where a match begins; `tags` has tags and values."""
    kept: list[str] = []

    def keep() -> None:
        if kept:
            match = matches[-1]
            (match.games[-1].after if match.games else match.head).append("".join(kept).strip("\n"))
            kept.clear()

    for part, (tag, value) in zip(parts, tags, strict=True):
        match = matches[-1]
        if tag == MATCH:
            keep()
            if match.games or match.begun:
                match = MatchParagraphs(part.begin)
                matches.append(match)
            match.begun = True
        if tag == carry.MARK:
            near = len(match.games) - 1 if match.games else None
            place = partial(lines.place, part.begin)
            try:
                notes = carry.loads(value.encode())
            except carry.NoteError as error:
                report.fault(InputError(str(error), place()), match=len(matches) - 1, round=near)
                notes = []
            if any(note.match is not None for note in notes):
                if match.games:
                    # A match note comes before the first game of its match: files may be joined as text.
                    keep()
                    match = MatchParagraphs(part.begin)
                    matches.append(match)
                    near = None
                else:
                    match.begun = True
            match.found += [FoundNote(note, place, near) for note in notes]
            kept += [line + "\n" for line in part.text.split("\n") if line.lstrip().startswith(":")]
        elif part.text.strip() != f"{MATCH}:":
            kept.append(part.text)
    keep()


class _Players:
    """Finds the number of players for a header with 0: in the last data tag above it, else in the first below."""

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
        """Return the number of players of a game. Raises `InputError` if Ùzje does not know that number."""
        if len(game.words) < HEADER:
            raise self._error(game, "a header is wind, round, repeat and players, and the players are missing")
        word = game.words[HEADER - 1]
        if word == "0":
            return self._inherited(game)
        if word not in map(str, SEATS):
            raise self._error(
                game, f"players are 3, 4 or 6, or 0 for the number in a {_PLAYERS}: tag, not {word!r}"
            )
        return int(word)

    def _inherited(self, game: GameText) -> int:
        above = bisect_left(self.tags, game.block.begin, key=lambda part: part.begin)
        if not self.tags:
            raise self._error(
                game, f"0 players means the number in a {_PLAYERS}: tag, but the file has no such tag"
            )
        tag = self.tags[max(above - 1, 0)]
        value = tag_of(tag)[1]
        if value not in map(str, SEATS):
            raise InputError(f"{_PLAYERS}: is 3, 4 or 6, not {value!r}", self.lines.place(tag.begin))
        return int(value)

    def _error(self, game: GameText, message: str) -> InputError:
        return InputError(message, self.lines.place(game.offset(HEADER - 1)))
