"""From a round to a game: the tile list and the turns that say in Ùzje what the events say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from msgspec import UNSET

from mjconv.converters.uzje.game import HAND, Choices, Game, deal, undeal
from mjconv.converters.uzje.tiles import UZJE
from mjconv.converters.uzje.words import SEATS, Move, MoveKind, Word
from mjconv.ir import events as ev
from mjconv.ir.match import Round
from mjconv.ir.tiles import FLOWERS, HIDDEN, RED_FIVES, Tile, Wind, plain

_REDS: Final = frozenset(RED_FIVES)
_FLOWERS: Final = frozenset(FLOWERS)
_PLAIN: Final = {tile: plain(tile) for tile in UZJE}
_DRAW: Final = Move("draw")
_PUNG: Final = (Move("pung"),)
#: What most turns are, a draw, left out, and a discard: by the player's place after the dealer, and the tile.
_TURNS: Final = [
    {tile: Word(place, (Move("discard", (plain(tile),)),)) for tile in UZJE} for place in range(max(SEATS))
]
_NORTH: Final = "N"
_SANMA: Final = 3


class PlanError(ValueError):
    """The events are no play: the message, and the index of the event where they part from it."""

    def __init__(self, message: str, event: int) -> None:
        super().__init__(message)
        self.event = event


class SpellingError(ValueError):
    """Ùzje has no words for this: the message, and the index of the event."""

    def __init__(self, message: str, event: int) -> None:
        super().__init__(message)
        self.event = event


@dataclass(slots=True)
class Plan:
    """The game of a round. `choices` are all that its events make, whether or not the words leave them open.

    `begins` tells with which event each turn begins.
    """

    game: Game
    choices: Choices
    begins: list[int] = field(default_factory=list)


def plan_game(game_round: Round, events: Sequence[ev.Event], start: ev.StartRound, seats: int) -> Plan:
    """Plan the game that says what these events of a round say; `start` is its deal with all that was derived.

    Raises `PlanError` where the events are no play, `SpellingError` where Ùzje has no words for them.
    """
    players = seats if start.tehais is UNSET else len(start.tehais)
    if players not in SEATS:
        raise SpellingError(f"Ùzje records games of 3, 4 or 6 players, and this one has {players}", 0)
    wind, number, repeat = cast(Wind, start.bakaze), int(start.kyoku or 1), int(start.honba or 0)
    game = Game(wind, number, repeat, players, [], [])
    if not _is_played(game_round, start):
        if game_round.select(ev.Win, ev.Ryukyoku) or game_round.scores_after is not UNSET:
            raise SpellingError("a round without play cannot be written: Ùzje tells a game by its tiles", 0)
        return Plan(game, Choices())
    if start.tehais is UNSET or any(len(hand) != HAND for hand in start.tehais):
        raise SpellingError(f"Ùzje deals hands of {HAND} tiles, and this deal has others, or none", 0)
    dealer = int(start.oya or 0)
    hands = [start.tehais[(dealer + place) % players] for place in range(players)]
    _check_hands(hands)
    turns = _Turns(players, dealer)
    turns.take(events)
    tiles = _tile_list(game_round.wall or (), hands, turns)
    red = tuple([place for place, tile in enumerate(tiles) if tile in _REDS])
    for place in red:
        tiles[place] = plain(tiles[place])
    game.tiles, game.turns = tiles, turns.turns
    choices = Choices(red, frozenset(turns.drawn), frozenset(turns.kong), frozenset(turns.aside))
    return Plan(game, choices, turns.begins)


def _is_played(game_round: Round, start: ev.StartRound) -> bool:
    """Say whether any tile of the round is known: otherwise it is only a result."""
    if start.tehais is not UNSET and any(set(hand) - {HIDDEN} for hand in start.tehais):
        return True
    return bool(game_round.select(ev.Draw))


def _check_hands(hands: Sequence[Sequence[Tile]]) -> None:
    for hand in hands:
        for tile in hand:
            if tile not in UZJE:
                raise SpellingError(_no_tile(tile), 0)


def _no_tile(tile: Tile) -> str:
    if tile == HIDDEN:
        return "a hidden tile cannot be written: Ùzje tells every tile of the wall"
    return f"Ùzje has no tile {tile}"


def _tile_list(wall: Sequence[Tile], hands: list[tuple[Tile, ...]], turns: _Turns) -> list[Tile]:
    """Give the whole wall where it is known and was played from, else the tiles that play tells."""
    front, back = turns.front, turns.back
    at = HAND * len(hands)
    if len(wall) > at + len(front) + len(back) and all(tile in UZJE for tile in wall):
        dealt = [sorted(hand) for hand in deal(wall, len(hands))] == [sorted(hand) for hand in hands]
        from_back = list(wall[: -len(back) - 1 : -1])
        if dealt and list(wall[at : at + len(front)]) == front and from_back == back:
            return list(wall)
    return [*undeal(hands), *front, *reversed(back)]


class _Turns:
    """Gathers events into turns, and the tiles drawn from the front and from the back."""

    def __init__(self, players: int, dealer: int) -> None:
        self.places = [(player - dealer) % players for player in range(players)]
        self.front: list[Tile] = []
        self.back: list[Tile] = []
        self.turns: list[Word] = []
        self.begins: list[int] = []
        #: The turn that is open: whose, and its moves.
        self.actor = -1
        self.moves: list[Move] = []
        #: Whether the next tile comes from the back, and whether that goes without a move.
        self.replacing = False
        self.silent = False
        self.drawn: set[int] = set()
        self.kong: set[int] = set()
        self.aside: set[int] = set()
        self.won = False
        self.event = 0

    def take(self, events: Sequence[ev.Event]) -> None:
        """Take all events of a round."""
        try:
            self._take(events)
            if not UZJE.keys() >= {*self.front, *self.back}:
                raise KeyError
        except KeyError:
            raise _unspoken(events) from None
        if self.turns and self.turns[-1].moves == _PUNG:
            # With no discard after it, the word would be a discard of white.
            self.turns.pop()

    def _take(self, events: Sequence[ev.Event]) -> None:
        """Gather the turns; most are a draw and a discard, which are taken here, for speed."""
        players = len(self.places)
        words = [_TURNS[place] for place in self.places]
        turns = self.turns
        drawer = -1  # who drew last, while nothing but that has happened in the turn
        event: Any  # of those that are written, all have an actor
        for index, event in enumerate(events):
            kind = type(event)
            if kind is ev.Discard and event.actor == drawer:
                if event.tsumogiri:
                    self.drawn.add(len(turns))
                turns.append(words[drawer][event.pai])
                drawer = -1
                continue
            write = _WRITE.get(kind)
            if write is None:
                continue
            self.event = index
            if drawer >= 0:
                self.actor = drawer
                self.moves = [_DRAW]
                drawer = -1
            if not 0 <= event.actor < players:
                raise PlanError(f"there is no player {event.actor}: the game has {players}", index)
            if kind is ev.Draw and not self.replacing:
                if self.moves:
                    said = f"player {event.actor} draws, where player {self.actor} has yet to discard"
                    raise PlanError(said, index)
                self.begins.append(index)
                self.front.append(event.pai)
                drawer = event.actor
            else:
                write(self, event)
        if drawer >= 0:
            turns.append(Word(self.places[drawer], (_DRAW,)))
        self._close()

    def _open(self, actor: int, move: Move) -> None:
        self._close()
        self.actor = actor
        self.moves = [move]
        self.begins.append(self.event)

    def _close(self) -> None:
        if self.moves:
            self.turns.append(Word(self.places[self.actor], tuple(self.moves)))
            self.moves = []

    def _go_on(self, event: Any, doing: str, kind: MoveKind, *tiles: Tile) -> None:
        """Add a move to the open turn; before it a draw for a discard or after a kong need not be written."""
        moves = self.moves
        if self.actor != event.actor or not moves:
            raise PlanError(f"player {event.actor} {doing} out of turn", self.event)
        if moves[-1] is _DRAW and (len(moves) > 1 or kind == "discard"):
            moves.pop()
        moves.append(_move(kind, *tiles))

    def _replace(self, event: ev.Draw) -> None:
        self.replacing = False
        self.back.append(event.pai)
        if self.silent:
            self.silent = False
        elif self.actor != event.actor or not self.moves:
            raise PlanError(f"player {event.actor} draws out of turn", self.event)
        else:
            self.moves.append(_DRAW)

    def _discard(self, event: ev.Discard) -> None:
        if event.tsumogiri:
            self.drawn.add(len(self.turns))
        self._go_on(event, "discards", "discard", event.pai)
        self._close()

    def _chi(self, event: ev.Chi) -> None:
        self._open(event.actor, _move("chow", *event.consumed))

    def _pon(self, event: ev.Pon) -> None:
        self._open(event.actor, _PUNG[0])

    def _daiminkan(self, event: ev.Daiminkan) -> None:
        self._open(event.actor, Move("open kong"))
        self.replacing = True

    def _kong(self, event: ev.Ankan | ev.Kakan) -> None:
        self.kong.add(len(self.turns))
        self._go_on(event, "makes a kong", "kong", event.consumed[0])
        self.replacing = True

    def _nukidora(self, event: ev.Nukidora) -> None:
        tile = _NORTH if event.pai is UNSET else event.pai
        self.replacing = True
        if tile in _FLOWERS:
            self.silent = True
        elif tile == _NORTH and len(self.places) == _SANMA:
            self.aside.add(len(self.turns))
            self._go_on(event, "sets a north aside", "kong", tile)
        else:
            raise SpellingError(f"Ùzje has no move that sets {tile} aside", self.event)

    def _win(self, event: ev.Win) -> None:
        if self.won:
            return  # the word for a win ends the game: another winner is the note's
        self.won = True
        own = bool(self.moves) and self.actor == event.actor if event.target is UNSET else None
        if own or event.target == event.actor:
            self._go_on(event, "wins by self-draw", "win")
        else:
            self._open(event.actor, Move("ron"))
        self._close()


def _move(kind: MoveKind, *tiles: Tile) -> Move:
    """Make a move of tiles, red fives as fives. Raises `KeyError` for a tile that Ùzje has not."""
    return Move(kind, tuple([_PLAIN[tile] for tile in tiles]))


def _unspoken(events: Sequence[ev.Event]) -> SpellingError:
    """Find the first tile that Ùzje cannot write."""
    for place, event in enumerate(events):
        for tile in (getattr(event, "pai", UNSET), *getattr(event, "consumed", ())):
            if tile is not UNSET and tile not in UZJE:
                return SpellingError(_no_tile(tile), place)
    raise AssertionError("only called where there is one")


_WRITE: Final[dict[type, Callable[[_Turns, Any], None]]] = {
    ev.Draw: _Turns._replace,
    ev.Discard: _Turns._discard,
    ev.Chi: _Turns._chi,
    ev.Pon: _Turns._pon,
    ev.Daiminkan: _Turns._daiminkan,
    ev.Kakan: _Turns._kong,
    ev.Ankan: _Turns._kong,
    ev.Nukidora: _Turns._nukidora,
    ev.Win: _Turns._win,
}
