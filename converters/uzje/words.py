"""Reading one word of the turns: player, actions and tiles share their letters, and arity settles it.

A first letter may be a player, an action or a tile. The reader tries each way to split the word. It keeps those in
which every move has a place that it may have and its exact number of tiles. A kong of one tile is a concealed one,
an added one, or a north set aside: the table decides that, by `own_kongs`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Final, Literal, NamedTuple, TypeAlias

from mjconv.converters.uzje.tiles import SUITS, spell, split
from mjconv.ir.plural import counted
from mjconv.ir.table import Table
from mjconv.ir.tiles import ZERO, Tile, plain

MoveKind: TypeAlias = Literal["draw", "discard", "chow", "pung", "open kong", "kong", "ron", "win"]
OwnKong: TypeAlias = Literal["concealed", "added", "aside"]

#: Seat letters in order of play, by the number of players; the dealer is the first.
SEATS: Final = {3: "ESW", 4: "ESWN", 6: "EHSVWN"}


class Move(NamedTuple):
    """One move of a turn, and its tiles in the hub's spelling."""

    kind: MoveKind
    tiles: tuple[Tile, ...] = ()


class Word(NamedTuple):
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


class WordError(ValueError):
    """Raised for a word with no reading, or with several; the message has each."""


@lru_cache(maxsize=4096)
def read_word(body: str, players: int) -> Word:
    """Read the text after the full stop of a turn, for this number of players. Raises `WordError`.

    >>> read_word("SP,5m", 4)
    Word(seat=1, moves=(Move(kind='pung', tiles=()), Move(kind='discard', tiles=('5m',))))
    >>> read_word("SP", 4)
    Word(seat=1, moves=(Move(kind='discard', tiles=('P',)),))
    """
    if len(body) > MOST_LETTERS:
        raise WordError(f"a turn is no longer than {MOST_LETTERS} letters, and this has {len(body)}")
    found = readings(body, players)
    if len(found) == 1:
        return found[0]
    if found:
        ways = " or ".join(describe(word, players) for word in found)
        raise WordError(f"{body!r} can be read as {ways}")
    reasons = list(dict.fromkeys(_failures(body, players)))
    raise WordError(f"{body!r} is no turn: {'; '.join(reasons)}")


def readings(body: str, players: int) -> list[Word]:
    """Return all readings of a word in which every move has its exact number of tiles and a possible place.

    >>> readings("ct", 4), readings("EK5m", 4)
    ([Word(seat=None, moves=(Move(kind='discard', tiles=('13p',)),))], [])
    """
    found = []
    for seat, parts in _cuts(body, players):
        options = [
            [move for move, why in _attempts(part, place, len(parts), seat) if move is not None and not why]
            for place, part in enumerate(parts)
        ]
        found += [Word(seat, moves) for moves in product(*options)]
    return found


def describe(word: Word, players: int) -> str:
    """Describe a reading in words.

    >>> describe(read_word("0t1t,5m", 4), 4)
    'chow 0t1t, discard 5m by the next player'
    """
    moves = ", ".join(f"{move.kind} {spell(move.tiles, shared=False)}".rstrip() for move in word.moves)
    return f"{moves} by {'the next player' if word.seat is None else SEATS[players][word.seat]}"


def own_kongs(table: Table, seat: int, tile: Tile) -> dict[OwnKong, bool]:
    """Return the meanings of a kong of one tile that the hand allows: arity leaves nothing else open.

    >>> table = Table([["N"] * 4, ["S"], ["W"]])
    >>> own_kongs(table, 0, "N")
    {'concealed': True, 'added': False, 'aside': True}
    """
    held = sum(plain(own) == tile for own in table.hands[seat])
    pung = any(meld.kind == "pon" and plain(meld.own[0]) == tile for meld in table.melds[seat])
    return {
        "concealed": held >= 4,
        "added": pung and held > 0,
        "aside": tile == "N" and table.seats == 3 and held > 0,
    }


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
