"""A game as text: its words in short or long form or as commands, and their lines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, compress, count, pairwise
from operator import add, ge
from typing import Final, NamedTuple

from mjconv.converters.uzje.commands import write_commands
from mjconv.converters.uzje.game import Game
from mjconv.converters.uzje.tiles import UZJE, spell
from mjconv.converters.uzje.words import SEATS, Move, MoveKind, Word
from mjconv.ir.tiles import Tile

#: The number of tiles in a line after the deal.
_ROW: Final = 24
_DRAW: Final = Move("draw")
_KONGS: Final = frozenset({"open kong", "kong"})
#: A turn with this first move always names its player.
_NAMED: Final = frozenset({"pung", "open kong", "ron"})
#: The numbers of turns, enough for most games.
_NUMBERS: Final = tuple(map(str, range(1, 100)))
#: The text of a turn that is only a discard, without its number.
_PLAIN: Final = {tile: f".{spelling}" for tile, spelling in UZJE.items()}
#: The letter before the tiles of a move.
_LETTERS: Final[dict[MoveKind, str]] = {
    "draw": "?",
    "discard": "",
    "chow": "",
    "pung": "P",
    "open kong": "K",
    "kong": "K",
    "ron": "R",
    "win": "t",
}


class Layout(NamedTuple):
    """The words of a game; `begins` has the first word of each turn, `rows` the first word of each line.

    `unnumbered` are the words from the first turn on, without the numbers of turns.
    """

    words: list[str]
    first_turn: int
    begins: Sequence[int]
    rows: list[int]
    unnumbered: list[str]


def lay_out(game: Game, style: str, end: str = "", plain: Sequence[Tile] = ()) -> Layout:
    """Return the words of a game: the header, the tile list, the turns in this flavour, and the end indicator.

    `plain` has for each turn the tile, if the turn is only the discard of the next player; it may be empty.

    >>> " ".join(lay_out(Game("E", 2, 0, 4, ["5m", "9p"], []), "").words)
    'E 2 0 4 5m 9t'
    """
    words = [game.wind, str(game.number), str(game.repeat), str(game.players)]
    words += map(UZJE.__getitem__, game.tiles)
    first = len(words)
    rows = _tile_rows(game.players, first)
    begins: Sequence[int]
    if style == "uzje-commands":
        called: Tile | None = None
        begins = []
        for turn in game.turns:
            begins.append(len(words))
            words += write_commands(Word(turn.seat, in_full(turn.moves)), called, game.players)
            called = turn.moves[-1].tiles[0] if turn.moves[-1].tiles else None
        unnumbered = words[first:]
    else:
        unnumbered = _turns(game, plain, long=style == "uzje-long")
        words += map(add, chain(_NUMBERS, map(str, count(len(_NUMBERS) + 1))), unnumbered)
        begins = range(first, len(words))
    if begins:
        rows.append(first)
    seats = [turn[0] or 0 for turn in game.turns]
    rows += compress(begins[1:], map(ge, seats, seats[1:]))
    if end:
        words.append(end)
        unnumbered.append(end)
    return Layout(words, first, begins, rows, unnumbered)


def lines_of(layout: Layout, comments: Sequence[tuple[int, str]] = ()) -> list[str]:
    """Return the lines of a game: header, deal, tiles, then a line for each round of turns; comments before words.

    >>> layout = lay_out(Game("E", 2, 0, 4, ["5m", "9p"], []), "")
    >>> lines_of(layout, [(-2, ":the wall"), (-1, "(a)")])
    ['E 2 0 4', ':the wall', '5m (a) 9t']
    """
    words = layout.words
    if not comments:
        return [" ".join(words[a:b]) for a, b in pairwise([*layout.rows, len(words)])]
    before: dict[int, list[str]] = {}
    for anchor, text in comments:
        before.setdefault(_word(layout, anchor), []).append(text)
    rows = set(layout.rows)
    lines: list[list[str]] = [[]]
    for place in range(len(words) + 1):
        for text in before.get(place, ()):
            if text.startswith(":"):
                lines += [[text], []]
            else:
                lines[-1].append(text)
        if place in rows:
            lines.append([])
        lines[-1] += words[place : place + 1]
    return [" ".join(line) for line in lines if line]


def _word(layout: Layout, anchor: int) -> int:
    """Return the place of the word after a comment with this anchor."""
    if anchor < 0:
        return layout.first_turn + anchor
    return layout.begins[anchor] if anchor < len(layout.begins) else len(layout.words)


def _tile_rows(players: int, first_turn: int) -> list[int]:
    """Return the first words of the lines of the tile list: header, deal, then rows of tiles."""
    header = 4
    deal = [header + 4 * players * row for row in range(4)]
    rows = [0, *deal, *range(header + 13 * players, first_turn, _ROW)]
    return [row for row in rows if row < first_turn]


def _turns(game: Game, plain: Sequence[Tile], *, long: bool) -> list[str]:
    """Return the turns, each from its full stop on; see `lay_out` for `plain`."""
    letters = SEATS[game.players]
    spelled = _long if long else _short
    turns = game.turns
    bodies = [_PLAIN.get(tile, "") for tile in plain] if plain and not long else [""] * len(turns)
    for place in [place for place, body in enumerate(bodies) if not body]:
        seat, moves = turns[place]
        expected = ((turns[place - 1][0] or 0) + 1) % game.players if place else 0
        named = long or seat != expected or moves[0][0] in _NAMED
        bodies[place] = f".{letters[seat or 0]}{spelled(moves)}" if named else f".{spelled(moves)}"
    return bodies


@lru_cache(maxsize=4096)
def _short(moves: tuple[Move, ...]) -> str:
    return ",".join([_LETTERS[kind] + spell(tiles, shared=True) for kind, tiles in moves])


@lru_cache(maxsize=4096)
def _long(moves: tuple[Move, ...]) -> str:
    return ",".join(
        [
            ("c" if kind == "chow" else _LETTERS[kind]) + spell(tiles, shared=False)
            for kind, tiles in in_full(moves)
        ]
    )


@lru_cache(maxsize=4096)
def in_full(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Return the moves of a turn with every draw that may be left out: before a discard, and after a kong.

    >>> [move.kind for move in in_full((Move("kong", ("E",)), Move("discard", ("5m",))))]
    ['kong', 'draw', 'discard']
    """
    full = [_DRAW] if moves[0].kind == "discard" else []
    for move, after in zip(moves, (*moves[1:], None), strict=True):
        full.append(move)
        if move.kind in _KONGS and after is not None and after.kind != "draw":
            full.append(_DRAW)
    return tuple(full)
