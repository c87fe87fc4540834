"""The engine's command strings: player, one of ``- d c p k s r``, and the tiles of the action."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from mjconv.converters.uzje.tiles import spell, split
from mjconv.converters.uzje.words import SEATS, Move, MoveKind, Word, WordError
from mjconv.ir.plural import counted
from mjconv.ir.tiles import Tile


class Command(NamedTuple):
    """One row of the table of commands: its tiles, and the move it makes as the first of a turn, and later.

    `bare` moves take no tile of their own: the tile of the command is the tile last discarded.
    """

    tiles: int
    first: MoveKind
    later: MoveKind
    bare: bool = False


COMMANDS: Final = {
    "-": Command(0, "draw", "draw"),
    "d": Command(1, "discard", "discard"),
    "c": Command(2, "chow", "chow"),
    "p": Command(1, "pung", "pung", bare=True),
    "k": Command(1, "open kong", "kong"),
    "s": Command(0, "win", "win"),
    "r": Command(0, "ron", "ron"),
}
#: These commands end a turn: the same player's next command begins another.
_ENDS: Final = frozenset({"discard", "win", "ron"})
_LETTERS: Final = {"draw": "-", "discard": "d", "chow": "c", "pung": "p", "open kong": "k", "kong": "k"} | {
    "win": "s",
    "ron": "r",
}


def is_command(word: str) -> bool:
    """Return whether a word is a command: a seat letter, then the letter of an action. It ends the tile list.

    >>> is_command("Ed1m"), is_command("E"), is_command("5m")
    (True, False, False)
    """
    return len(word) > 1 and word[0] in SEATS[6] and word[1] in COMMANDS


def read_commands(words: Sequence[str], players: int) -> tuple[list[Word], list[int]]:
    """Return the turns that commands make, and for each the place of its first command among the words.

    Raises `CommandError` if a word is no command.

    >>> read_commands(["E-", "Ed1m", "Sp1m", "Sd5m"], 4)[1]
    [0, 2]
    """
    turns: list[Word] = []
    begins: list[int] = []
    moves: list[Move] = []
    letters = SEATS[players]
    before = -1
    place = 0
    try:
        for place, word in enumerate(words):
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
            moves.append(_later(word) if moves else _first(word))
    except WordError as error:
        raise CommandError(str(error), place) from None
    if moves:
        turns.append(Word(before, tuple(moves)))
    return turns, begins


class CommandError(WordError):
    """Raised for a word that is no command; `place` is its place among the words."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


# Many games have the same commands.
@lru_cache(maxsize=4096)
def _first(word: str) -> Move:
    """Read a command that begins a turn."""
    return Move(COMMANDS[word[1]].first, _tiles(word))


@lru_cache(maxsize=4096)
def _later(word: str) -> Move:
    """Read a command that continues a turn."""
    return Move(COMMANDS[word[1]].later, _tiles(word))


def _tiles(word: str) -> tuple[Tile, ...]:
    tiles = split(word[2:])
    if tiles is None:
        raise WordError(f"{word!r}: {word[2:]!r} is neither a tile nor tiles")
    count = COMMANDS[word[1]].tiles
    if len(tiles) != count:
        wanted = counted(count, "tile", zero="no")
        raise WordError(f"{word!r}: {word[1]} takes {wanted}, not {len(tiles)}")
    return tiles


def write_commands(turn: Word, called: Tile | None, players: int) -> list[str]:
    """Return a turn as commands; `called` is the tile last discarded, which a pung or an open kong names.

    >>> write_commands(Word(1, (Move("pung"), Move("discard", ("5m",)))), "E", 4)
    ['SpE', 'Sd5m']
    """
    letter = SEATS[players][turn.seat or 0]
    return [
        f"{letter}{_LETTERS[kind]}{spell(tiles or _called(kind, called), shared=True)}"
        for kind, tiles in turn.moves
    ]


def _called(kind: MoveKind, called: Tile | None) -> tuple[Tile, ...]:
    return (called,) if kind in ("pung", "open kong") and called is not None else ()
