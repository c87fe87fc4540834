"""Reads and writes the turns of a game: words, and the engine's command strings.

In a word, player, actions and tiles share their letters, and arity settles it. A first letter may be a player, an
action or a tile. The reader tries each way to split the word. It keeps those in which every move has a place that
it may have and its exact number of tiles. A kong of one tile is a concealed one, an added one, or a north set
aside: the hand decides that (see `mjconv.converters.uzje.round_reader`).

A command is a player, one of ``- d c p k s r``, and the tiles of the action. It has one meaning.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from mjconv.converters.uzje.spelling import SEATS, SUITS, spell, split
from mjconv.ir.plural import counted
from mjconv.ir.tiles import ZERO, Tile

MoveKind: TypeAlias = Literal["draw", "discard", "chow", "pung", "open kong", "kong", "ron", "win"]


class Move(Struct, frozen=True, cache_hash=True, gc=False):
    """One move of a turn, and its tiles in the hub's spelling."""

    kind: MoveKind
    tiles: tuple[Tile, ...] = ()


class Word(Struct, frozen=True, cache_hash=True, gc=False):
    """A turn as written: the seat's place after the dealer, None where it is left out, and its moves."""

    seat: int | None
    moves: tuple[Move, ...]


class Action(NamedTuple):
    """One row of the table of actions: its letter, its number of tiles, and its possible places in a turn.

    `named`: the player must be written. `ends`: nothing may follow. `goes_on`: a move must follow.
    """

    letter: str
    kind: MoveKind
    name: str
    tiles: int
    first: bool = True
    later: bool = False
    named: bool = False
    ends: bool = False
    goes_on: bool = False


#: A turn of every kong that a player can make, written out, is shorter.
MOST_LETTERS: Final = 120

ACTIONS: Final = (
    Action("", "discard", "a discard", 1, later=True, ends=True),
    Action("", "chow", "a chow", 2),
    Action("?", "draw", "a draw", 0, later=True),
    Action("c", "chow", "a chow", 2),
    Action("P", "pung", "a pung", 0, named=True, goes_on=True),
    Action("K", "open kong", "an open kong", 0, named=True),
    Action("K", "kong", "a kong of the hand", 1, first=False, later=True),
    Action("R", "ron", "a ron", 0, named=True, ends=True),
    Action("t", "win", "a self-drawn win", 0, first=False, later=True, ends=True),
)
#: A kong is followed by the draw of a replacement, which need not be written.
KONGS: Final = frozenset({"open kong", "kong"})
_DRAW: Final = Move("draw")
#: A turn with this first move always names its player.
NAMED: Final = frozenset(action.kind for action in ACTIONS if action.named)
#: The letter before the tiles of a move: in the long form, and in the short one, where a chow has none.
_LONG: Final = {action.kind: action.letter for action in ACTIONS}
_SHORT: Final[dict[MoveKind, str]] = {**_LONG, "chow": ""}


class WordError(ValueError):
    """Raised for a word with no reading, or with several: the message has each. `word` is its place."""

    def __init__(self, message: str, word: int = 0) -> None:
        super().__init__(message)
        self.word = word


def read_word(body: str, players: int) -> Word:
    """Read the text after the full stop of a turn, for this number of players. Raises `WordError`.

    >>> read_word("SP,5m", 4)
    Word(seat=1, moves=(Move(kind='pung', tiles=()), Move(kind='discard', tiles=('5m',))))
    >>> read_word("SP", 4)
    Word(seat=1, moves=(Move(kind='discard', tiles=('P',)),))
    """
    if len(body) > MOST_LETTERS:
        raise WordError(f"a turn is no longer than {MOST_LETTERS} letters, and this has {len(body)}")
    words = readings(body, players)
    if len(words) == 1:
        return words[0]
    if words:
        ways = " or ".join(describe(word, players) for word in words)
        raise WordError(f"{body!r} can be read as {ways}")
    reasons = list(dict.fromkeys(_failures(body, players)))
    raise WordError(f"{body!r} is no turn: {'; '.join(reasons)}")


def readings(body: str, players: int) -> list[Word]:
    """Return all readings of a word in which every move has its exact number of tiles and a possible place.

    >>> readings("ct", 4), readings("EK5m", 4)
    ([Word(seat=None, moves=(Move(kind='discard', tiles=('13p',)),))], [])
    """
    words = []
    for seat, parts in _cuts(body, players):
        options = [
            [move for move, why in _attempts(part, place, len(parts), seat) if move is not None and not why]
            for place, part in enumerate(parts)
        ]
        words += [Word(seat, moves) for moves in product(*options)]
    return words


def describe(word: Word, players: int) -> str:
    """Describe a reading in words.

    >>> describe(read_word("0t1t,5m", 4), 4)
    'chow 0t1t, discard 5m by the next player'
    """
    moves = ", ".join(f"{move.kind} {spell(move.tiles, shared=False)}".rstrip() for move in word.moves)
    return f"{moves} by {'the next player' if word.seat is None else SEATS[players][word.seat]}"


def _cuts(body: str, players: int) -> Iterator[tuple[int | None, list[str]]]:
    """Yield the ways to split a word: all of it moves, or its first letter the player."""
    yield None, body.split(",")
    seat = SEATS[players].find(body[:1])
    if body and seat >= 0:
        yield seat, body[1:].split(",")


def _attempts(part: str, place: int, parts: int, seat: int | None) -> Iterator[tuple[Move | None, str]]:
    """Yield the moves that a part of a word may be by its letter, each with the reason against it, if any."""
    for action in ACTIONS:
        if part.startswith(action.letter):
            tiles = split(part[len(action.letter) :])
            why = _refusal(action, tiles, place, parts, seat)
            yield None if tiles is None else Move(action.kind, tiles), why


def _refusal(action: Action, tiles: tuple[Tile, ...] | None, place: int, parts: int, seat: int | None) -> str:
    if tiles is None:
        return "no tiles"
    if len(tiles) != action.tiles:
        return f"{action.name} takes {counted(action.tiles, 'tile', zero='no')}, not {len(tiles)}"
    if action.kind == "chow" and not _may_run(tiles):
        return f"{spell(tiles, shared=False)} make no chow"
    if not (action.later if place else action.first):
        return f"{action.name} {'is the first move of its turn' if place else 'follows a draw or a kong'}"
    if action.named and seat is None:
        return f"{action.name} names its player"
    last = place == parts - 1
    if action.ends and not last:
        return f"after {action.name} the turn ends"
    if action.goes_on and last:
        return f"after {action.name} the player discards"
    return ""


def _may_run(tiles: tuple[Tile, ...]) -> bool:
    """Return whether two tiles can be in one run: ranks of a suit next to each other, or with one between."""
    suits = {tile[-1] for tile in tiles if tile != ZERO}
    if len(suits) != 1 or not suits < set(SUITS.values()):
        return False
    a, b = (0 if tile == ZERO else int(tile[:-1]) for tile in tiles)
    return 1 <= abs(a - b) <= 2


def _failures(body: str, players: int) -> Iterator[str]:
    """Yield for each way to split a word the reasons against its first part that is no move."""
    for seat, parts in _cuts(body, players):
        by = "" if seat is None else f" by {SEATS[players][seat]}"
        for place, part in enumerate(parts):
            whys = [why for _, why in _attempts(part, place, len(parts), seat)]
            if "" not in whys:
                known = [why for why in whys if why != "no tiles"] or [f"{part!r} is neither an action nor tiles"]
                yield from (f"{why} (reading {part!r}{by})" if by else why for why in known)
                break


def spell_moves(moves: tuple[Move, ...]) -> str:
    """Return the moves of a turn in the short form.

    >>> spell_moves((Move("chow", ("2p", "3p")), Move("discard", ("5m",))))
    '23t,5m'
    """
    return ",".join([_SHORT[move.kind] + spell(move.tiles, shared=True) for move in moves])


def spell_moves_in_full(moves: tuple[Move, ...]) -> str:
    """Return the moves of a turn in the long form: with every draw, and each tile with its suit.

    >>> spell_moves_in_full((Move("chow", ("2p", "3p")), Move("discard", ("5m",))))
    'c2t3t,5m'
    """
    return ",".join([_LONG[move.kind] + spell(move.tiles, shared=False) for move in in_full(moves)])


@lru_cache(maxsize=4096)
def in_full(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Return the moves of a turn with every draw that may be left out: before a discard, and after a kong.

    >>> [move.kind for move in in_full((Move("kong", ("E",)), Move("discard", ("5m",))))]
    ['kong', 'draw', 'discard']
    """
    full = [_DRAW] if moves[0].kind == "discard" else []
    for move, after in zip(moves, (*moves[1:], None), strict=True):
        full.append(move)
        if move.kind in KONGS and after is not None and after.kind != "draw":
            full.append(_DRAW)
    return tuple(full)


# Commands.


class TurnCommand(NamedTuple):
    """One row of the table of commands: its number of tiles, and its move as the first of a turn, and later."""

    tiles: int
    first: MoveKind
    later: MoveKind


COMMANDS: Final = {
    "-": TurnCommand(0, "draw", "draw"),
    "d": TurnCommand(1, "discard", "discard"),
    "c": TurnCommand(2, "chow", "chow"),
    "p": TurnCommand(1, "pung", "pung"),
    "k": TurnCommand(1, "open kong", "kong"),
    "s": TurnCommand(0, "win", "win"),
    "r": TurnCommand(0, "ron", "ron"),
}
#: These commands end a turn: the same player's next command begins another.
_ENDS: Final = frozenset({"discard", "win", "ron"})
_LETTERS: Final = {kind: letter for letter, command in COMMANDS.items() for kind in command[1:]}
#: These moves have no tile of their own: their command names the tile last discarded.
_CALLS: Final = frozenset({"pung", "open kong"})


def is_command(word: str) -> bool:
    """Return whether a word is a command: a seat letter, then the letter of an action. It ends the tile list.

    >>> is_command("Ed1m"), is_command("E"), is_command("5m")
    (True, False, False)
    """
    return len(word) > 1 and word[0] in SEATS[6] and word[1] in COMMANDS


def read_commands(words: Sequence[str], players: int, first: int = 0) -> tuple[list[Word], list[int]]:
    """Return the turns that commands make, and for each the place of its first command in the game.

    `first` is the place of the first word. Raises `WordError` if a word is no command.

    >>> read_commands(["E-", "Ed1m", "Sp1m", "Sd5m"], 4, first=4)[1]
    [4, 6]
    """
    turns: list[Word] = []
    begins: list[int] = []
    moves: list[Move] = []
    letters = SEATS[players]
    before = -1
    place = first
    try:
        for place, word in enumerate(words, first):
            seat = letters.find(word[0])
            if seat < 0 or word[1:2] not in COMMANDS:
                raise WordError(
                    f"{word!r} is no command: a player ({', '.join(letters)}), one of {' '.join(COMMANDS)}, tiles"
                )
            if seat != before or moves[-1].kind in _ENDS:
                if moves:
                    turns.append(Word(before, tuple(moves)))
                moves = []
                begins.append(place)
                before = seat
            moves.append(_move(word, first=not moves))
    except WordError as error:
        raise WordError(str(error), place) from None
    if moves:
        turns.append(Word(before, tuple(moves)))
    return turns, begins


# Many games have the same commands.
@lru_cache(maxsize=8192)
def _move(word: str, *, first: bool) -> Move:
    """Read a command as the first move of a turn, or as a later one."""
    command = COMMANDS[word[1]]
    return Move(command.first if first else command.later, _tiles(word))


def _tiles(word: str) -> tuple[Tile, ...]:
    tiles = split(word[2:])
    if tiles is None:
        raise WordError(f"{word!r}: {word[2:]!r} is neither a tile nor tiles")
    count = COMMANDS[word[1]].tiles
    if len(tiles) != count:
        wanted = counted(count, "tile", zero="no")
        raise WordError(f"{word!r}: {word[1]} takes {wanted}, not {len(tiles)}")
    return tiles


def write_commands(turns: Sequence[Word], players: int) -> Iterator[list[str]]:
    """Yield the commands of each turn.

    >>> pung = Word(1, (Move("pung"), Move("discard", ("5m",))))
    >>> list(write_commands([Word(0, (Move("discard", ("E",)),)), pung], 4))
    [['E-', 'EdE'], ['SpE', 'Sd5m']]
    """
    called: tuple[Tile, ...] = ()
    for turn in turns:
        letter = SEATS[players][turn.seat or 0]
        yield [
            f"{letter}{_LETTERS[move.kind]}{spell(called if move.kind in _CALLS else move.tiles, shared=True)}"
            for move in in_full(turn.moves)
        ]
        called = turn.moves[-1].tiles
