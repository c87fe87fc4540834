"""From the words of a game paragraph to a game: header, tile list, turns or commands, end indicator."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import Final

from mjconv.converters.uzje.commands import CommandError, is_command, read_commands
from mjconv.converters.uzje.comments import is_end
from mjconv.converters.uzje.game import Game
from mjconv.converters.uzje.paragraphs import GameText
from mjconv.converters.uzje.tiles import HUB
from mjconv.converters.uzje.words import Word, WordError, read_word
from mjconv.ir.tiles import Tile

#: Words of the header: prevailing wind, round, repeat, players.
HEADER: Final = 4
#: The most that a round or a repeat counts.
MOST_COUNT: Final = 1_000_000_000
#: Turns of more letters are not cached.
_REMEMBERED: Final = 40


class FaultError(ValueError):
    """Raised for a wrong word: the message, and its place among the words."""

    def __init__(self, message: str, word: int) -> None:
        super().__init__(message)
        self.word = word


@dataclass(slots=True)
class Syntax:
    """The parts of a game paragraph: the game, the first word of each turn, and the end indicator.

    `stop` is the place of the word after the last turn.
    """

    game: Game
    first_turn: int
    begins: Sequence[int]
    stop: int
    end: str = ""

    def word_of(self, turn: int | None, tile: int | None) -> int:
        """Return the place of the first word of a turn, or of a tile of the list."""
        if tile is not None:
            return HEADER + tile
        return self.begins[turn] if turn is not None and turn < len(self.begins) else self.first_turn

    def word_of_move(self, turn: int, move: int) -> int:
        """Return the place of the word of a move in a turn: each command is a word, all other moves share one.

        >>> syntax = Syntax(Game("E", 1, 0, 4, [], []), 4, [4, 6], 7)
        >>> syntax.word_of_move(0, 1), syntax.word_of_move(1, 0), syntax.word_of_move(1, 1)
        (5, 6, 6)
        """
        after = self.begins[turn + 1] if turn + 1 < len(self.begins) else self.stop
        return min(self.begins[turn] + move, after - 1)

    def anchor(self, word: int) -> int:
        """Return the anchor of a comment before a word: turns before it, or minus the words up to the first turn.

        >>> syntax = Syntax(Game("E", 1, 0, 4, ["E"], []), 5, range(5, 9), 9)
        >>> syntax.anchor(4), syntax.anchor(5), syntax.anchor(7), syntax.anchor(9)
        (-1, 0, 2, 4)
        """
        return word - self.first_turn if word < self.first_turn else bisect_left(self.begins, word)


def parse(text: GameText, players: int) -> Syntax:
    """Read the words of a game of so many players. Raises `FaultError`."""
    words = text.words
    number, repeat = _count(words, 1, "round", 1), _count(words, 2, "repeat", 0)
    tiles = _tiles(words[HEADER:])
    first = HEADER + len(tiles)
    game = Game(words[0], number, repeat, players, tiles, [])
    syntax = Syntax(game, first, range(first, len(words)), len(words))
    if first == len(words):
        return syntax
    last = words[-1]
    if first < len(words) - 1 and is_end(last):
        syntax.end = last
        words = words[:-1]
        syntax.stop -= 1
    if "." in words[first]:
        game.turns = _turns(words, first, players)
        syntax.begins = range(first, len(words))
    elif is_command(words[first]):
        try:
            game.turns, begins = read_commands(words[first:], players)
        except CommandError as error:
            raise FaultError(str(error), first + error.place) from None
        syntax.begins = [first + place for place in begins]
    else:
        raise FaultError(
            f"{words[first]!r} is no tile and no turn: a turn has a full stop after its number", first
        )
    return syntax


def parse_before(text: GameText, players: int, word: int) -> Syntax | None:
    """Read a game up to the word that is wrong; return None if no whole turn comes before it."""
    if word <= HEADER:
        return None
    syntax = parse(GameText(text.block, text.words[:word]), players)
    return syntax if syntax.game.turns else None


def misnumbered(text: GameText, syntax: Syntax) -> tuple[int, str] | None:
    """Return the first turn, from 0, with a wrong number, and a message. The number 0 is never wrong.

    >>> from mjconv.converters.uzje.paragraphs import Block
    >>> text = GameText(Block("game", 0, ""), "E 1 0 4 1.9t 0.9t 4.9t".split())
    >>> misnumbered(text, parse(text, 4))
    (2, 'turn 4 comes where turn 3 is expected')
    """
    for turn, place in enumerate(syntax.begins):
        number, stop, _ = text.words[place].partition(".")
        if not stop:
            return None
        number = number.lstrip("0")
        if number and number != str(turn + 1):
            return turn, f"turn {number} comes where turn {turn + 1} is expected"
    return None


def _count(words: list[str], place: int, name: str, least: int) -> int:
    word = words[place]
    if not word.isdecimal():
        raise FaultError(f"the {name} is a number without a sign, not {word!r}", place)
    count = int(word) if len(word) <= len(str(MOST_COUNT)) else MOST_COUNT + 1
    if not least <= count <= MOST_COUNT:
        raise FaultError(f"the {name} counts from {least}, to {MOST_COUNT}", place)
    return count


def _tiles(words: Sequence[str]) -> list[Tile]:
    """Read words up to the first that is no tile."""
    tiles = list(map(HUB.get, words))
    return tiles[: tiles.index(None)] if None in tiles else tiles  # type: ignore[return-value]


def _turns(words: list[str], first: int, players: int) -> list[Word]:
    try:
        # By far most games are of nothing but usual turns.
        return list(map(usual_turn, words[first:], repeat(players)))
    except WordError:
        return _each_turn(words, first, players)


# Many games have the same turns with the same numbers.
@lru_cache(maxsize=1 << 14)
def usual_turn(word: str, players: int) -> Word:
    """Read a turn with its number. Raises `WordError` if it is none, or too long to be cached.

    >>> usual_turn("12.5m", 4)
    Word(seat=None, moves=(Move(kind='discard', tiles=('5m',)),))
    """
    number, stop, body = word.partition(".")
    if not stop or not number.isdigit() or len(word) > _REMEMBERED:
        raise WordError(word)
    return read_word(body, players)


def _each_turn(words: list[str], first: int, players: int) -> list[Word]:
    """Read turns one by one. Raises `FaultError` at the first word that is no turn."""
    turns: list[Word] = []
    for word in words[first:]:
        number, stop, body = word.partition(".")
        if not stop or not number.isdigit():
            reason = "a turn begins with a number and a full stop"
            if HUB.get(word) is not None:
                reason = f"the tile list ended before the first turn, and the tile {word} comes after it"
            raise FaultError(f"{word!r} is no turn: {reason}", first + len(turns))
        try:
            turns.append(read_word(body, players))
        except WordError as error:
            raise FaultError(str(error), first + len(turns)) from None
    return turns
