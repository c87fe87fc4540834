"""A game: the parts of its paragraph, how they are read from words, the choices of its note, and its reading."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, chain, count, repeat
from operator import add
from string import digits
from typing import Final

from mjconv.converters.uzje.layout import is_end
from mjconv.converters.uzje.paragraphs import HEADER, GameText
from mjconv.converters.uzje.spelling import HUB, other_spelling, spell_player, spell_tile
from mjconv.converters.uzje.words import Word, WordError, is_command, read_commands, read_word
from mjconv.ir.illegal import About, IllegalPlayError
from mjconv.ir.match import USUAL_SEATS, Round
from mjconv.ir.play import refusals
from mjconv.ir.spelling import Seating
from mjconv.ir.tiles import FLOWERS, RIICHI_TILES, Tile, Wind

_RIICHI_TILES: Final = frozenset(RIICHI_TILES)


@dataclass(slots=True)
class UzjeGame:
    """One game: the header, the tile list in the hub's spelling, which does not change, and the turns.

    `players` is their number, also if the header leaves it to a data tag. `counts` is how often each tile is in
    the list.
    """

    wind: Wind
    number: int
    repeat: int
    players: int
    tiles: list[Tile]
    turns: list[Word]
    counts: Counter[Tile] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.counts = Counter(self.tiles)

    @property
    def dealer(self) -> int:
        """The hub's seat of the dealer, by the number of the round."""
        return (self.number - 1) % self.players

    @property
    def beyond_riichi(self) -> bool:
        """Whether the game has players, rounds or tiles that riichi does not have: its note may have them too."""
        return max(self.players, self.number) > USUAL_SEATS or not _RIICHI_TILES.issuperset(self.counts)

    @property
    def has_flowers(self) -> bool:
        """Whether there are flowers in the tile list."""
        return not self.counts.keys().isdisjoint(FLOWERS)


@dataclass(slots=True)
class Choices:
    """The choices that the words of a game leave open and its note makes; turns and tiles count from 0.

    `red` are the places of red fives in the tile list. `drawn` are the turns that discard the tile drawn, while
    the hand holds another like it. `kong` and `aside` are the turns whose kong of N is a kong, or sets a north
    aside, if the hand allows both. `use_red` are the turns that discard a red five, or call with it, while the
    hand holds plain ones.
    """

    red: tuple[int, ...] = ()
    drawn: set[int] = field(default_factory=set)
    kong: set[int] = field(default_factory=set)
    aside: set[int] = field(default_factory=set)
    use_red: set[int] = field(default_factory=set)


class GameError(IllegalPlayError):
    """Raised for a game that is impossible: the reason, and its turn or its tile of the list, if it has one."""

    def __init__(self, sentence: str, *about: About, turn: int | None = None, tile: int | None = None) -> None:
        super().__init__(sentence, *about)
        self.turn = turn
        self.tile = tile

    def by_seat(self, players: int, dealer: int) -> str:
        """Return the message with players named by the letters of their seats, and tiles spelled as in Ùzje.

        >>> GameError("{} does not hold {}", 3, "13p").by_seat(4, 3)
        'E does not hold ct'
        """
        seating = Seating(dealer, players)
        return self.message_with(lambda player: spell_player(player, seating), spell_tile)


class AmbiguousError(GameError):
    """Raised if the words leave open which kong is meant, and there is no note; the message has the readings."""


@dataclass
class GameReading:
    """A game as far as it was read: the `round`, and the `choices` of its note that it needed.

    `errors` are the errors of a lenient reading, each with the first event that it puts in doubt. `whole` is false
    if an error or a cut ended the reading before the last turn. `starts` has the number of events before each
    move, and before the end of the round.
    """

    game: UzjeGame
    round: Round
    choices: Choices
    starts: Sequence[int] = ()
    errors: Sequence[tuple[int, GameError]] = ()
    whole: bool = True

    def first_event(self, turn: int) -> int:
        """Return the number of events before a turn; of the turn after the last, before the end of the round."""
        move = self._first_moves[turn]
        return self.starts[move] if move < len(self.starts) else len(self.round.events)

    def check(self) -> None:
        """Raise `GameError` if the table refuses an event."""
        for event, error in refusals(self.round)[:1] if self.game.turns else ():
            turn, _ = self.move_of(event) or (0, 0)
            raise GameError(error.sentence, *error.about, turn=turn)

    def move_of(self, event: int) -> tuple[int, int] | None:
        """Return the turn, and the move in the turn, that an event was read from.

        A result belongs to the last move. Returns None for the deal, and for an index outside the round.
        """
        if not 0 <= event < len(self.round.events):
            return None
        firsts = self._first_moves
        move = min(bisect_right(self.starts, event), firsts[-1]) - 1
        if move < 0:
            return None
        turn = bisect_right(firsts, move) - 1
        return turn, move - firsts[turn]

    @cached_property
    def _first_moves(self) -> list[int]:
        """The number of moves before each turn, and before the end."""
        return [0, *accumulate(len(turn.moves) for turn in self.game.turns)]


#: The numbers of turns, enough for most games.
_NUMBERS: Final = tuple(map(str, range(1, 100)))
#: The most that a round or a repeat counts.
MOST_COUNT: Final = 1_000_000_000


@dataclass(slots=True)
class Syntax:
    """The parts of a game paragraph: the game, the first word of each turn, and the end indicator.

    `stop` is the place of the word after the last turn. `unnumbered` are the words from the first turn on, without
    the numbers of turns.
    """

    game: UzjeGame
    first_turn: int
    begins: Sequence[int]
    stop: int
    unnumbered: Sequence[str] = ()
    end: str = ""

    def word_of(self, turn: int | None, tile: int | None) -> int:
        """Return the place of the first word of a turn, or of a tile of the list."""
        if tile is not None:
            return HEADER + tile
        return self.begins[turn] if turn is not None and turn < len(self.begins) else self.first_turn

    def word_of_move(self, turn: int, move: int) -> int:
        """Return the place of the word of a move in a turn: each command is a word, all other moves share one.

        >>> syntax = Syntax(UzjeGame("E", 1, 0, 4, [], []), 4, [4, 6], 7)
        >>> syntax.word_of_move(0, 1), syntax.word_of_move(1, 0), syntax.word_of_move(1, 1)
        (5, 6, 6)
        """
        after = self.begins[turn + 1] if turn + 1 < len(self.begins) else self.stop
        return min(self.begins[turn] + move, after - 1)

    def anchor(self, word: int) -> int:
        """Return the anchor of a comment before a word: turns before it, or minus the words up to the first turn.

        >>> syntax = Syntax(UzjeGame("E", 1, 0, 4, ["E"], []), 5, range(5, 9), 9)
        >>> syntax.anchor(4), syntax.anchor(5), syntax.anchor(7), syntax.anchor(9)
        (-1, 0, 2, 4)
        """
        return word - self.first_turn if word < self.first_turn else bisect_left(self.begins, word)


def parse(text: GameText, players: int) -> Syntax:
    """Read the words of a game of so many players. Raises `WordError`."""
    words = text.words
    number, repeat = _count(words, 1, "round", 1), _count(words, 2, "repeat", 0)
    # The words up to the first that is no tile.
    tiles = list(iter(map(HUB.get, words[HEADER:]).__next__, None))
    first = HEADER + len(tiles)
    game = UzjeGame(words[0], number, repeat, players, tiles, [])
    syntax = Syntax(game, first, range(first, len(words)), len(words), unnumbered(words[first:]))
    if first == len(words):
        return syntax
    last = words[-1]
    if first < len(words) - 1 and is_end(last):
        syntax.end = last
        words = words[:-1]
        syntax.stop -= 1
    if "." in words[first]:
        game.turns = _turns(syntax, words[first:])
        syntax.begins = range(first, len(words))
    elif is_command(words[first]):
        game.turns, syntax.begins = read_commands(words[first:], players, first)
    else:
        hint = other_spelling(words[first]) or "a turn has a full stop after its number"
        raise WordError(f"{words[first]!r} is no tile and no turn: {hint}", first)
    return syntax


def parse_before(text: GameText, players: int, word: int) -> Syntax | None:
    """Read a game up to the word that is wrong; return None if no whole turn comes before it."""
    if word <= HEADER:
        return None
    syntax = parse(GameText(text.block, text.words[:word]), players)
    syntax.unnumbered = unnumbered(text.words[syntax.first_turn :])
    return syntax if syntax.game.turns else None


def misnumbered(text: GameText, syntax: Syntax) -> tuple[int, str] | None:
    """Return the first turn, from 0, with a wrong number, and a message. The number 0 is never wrong.

    >>> from mjconv.converters.uzje.paragraphs import Block
    >>> text = GameText(Block("game", 0, ""), "E 1 0 4 1.9t 0.9t 4.9t".split())
    >>> misnumbered(text, parse(text, 4))
    (2, 'turn 4 comes where turn 3 is expected')
    """
    if text.words[syntax.first_turn :] == numbered(syntax.unnumbered):
        return None  # the usual numbers, found fast
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
        raise WordError(f"the {name} is a number without a sign, not {word!r}", place)
    count = int(word) if len(word) <= len(str(MOST_COUNT)) else MOST_COUNT + 1
    if not least <= count <= MOST_COUNT:
        raise WordError(f"the {name} counts from {least}, to {MOST_COUNT}", place)
    return count


def unnumbered(turns: Sequence[str]) -> list[str]:
    """Return words from the first turn on without the numbers of turns; commands and an end indicator as they are.

    >>> unnumbered("1.1t 02.5m 3rd".split())
    ['.1t', '.5m', '3rd']
    """
    rests = list(map(str.lstrip, turns, repeat(digits)))
    if all(map(str.startswith, rests, repeat("."))):
        return rests
    # Only a number with a full stop is one of a turn.
    return [rest if rest[:1] == "." else word for word, rest in zip(turns, rests, strict=True)]


def numbered(turns: Sequence[str]) -> list[str]:
    """Return turns, each from its full stop on, with their numbers.

    >>> numbered([".1t", ".5m"])
    ['1.1t', '2.5m']
    """
    return list(map(add, chain(_NUMBERS, map(str, count(len(_NUMBERS) + 1))), turns))


def _turns(syntax: Syntax, words: Sequence[str]) -> list[Word]:
    """Read words from the first turn on. Raises `WordError` at the first word that is no turn."""
    turns: list[Word] = []
    players = syntax.game.players
    try:
        for word, turn in zip(words, syntax.unnumbered, strict=False):
            if word == turn:
                reason = "a turn begins with a number and a full stop"
                if word in HUB:
                    reason = f"the tile list ended before the first turn, and the tile {word} comes after it"
                raise WordError(f"{word!r} is no turn: {reason}")
            turns.append(_turn(turn, players))
    except WordError as error:
        raise WordError(str(error), syntax.first_turn + len(turns)) from None
    return turns


# Many games have the same turns.
@lru_cache(maxsize=4096)
def _turn(turn: str, players: int) -> Word:
    """Read a turn from its full stop on."""
    return read_word(turn[1:], players)
