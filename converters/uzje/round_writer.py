"""From a round to a game: the tile list and the turns that express its events in Ùzje.

The game is then played by the code that reads games. So the plan knows what its words are read back as.
"""

from collections.abc import Sequence
from itertools import chain, compress, count
from typing import Any, Final, NamedTuple, NoReturn, cast

from msgspec import UNSET

from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.converters.shared.walls import drawn_tiles, is_played_from, tiles_in_play
from mjconv.converters.uzje.game import AmbiguousError, Choices, GameError, GameReading, UzjeGame
from mjconv.converters.uzje.round_reader import read_game
from mjconv.converters.uzje.spelling import SEATS, UZJE
from mjconv.converters.uzje.words import KONGS, Move, Word
from mjconv.ir import events as ev
from mjconv.ir.illegal import PlayedWrongError
from mjconv.ir.match import Round
from mjconv.ir.play import refusals
from mjconv.ir.tiles import FLOWERS, HAND, HIDDEN, NORTH, RED_FIVES, Tile, Wind, plain

_TILES: Final = frozenset(UZJE)
_REDS: Final = frozenset(RED_FIVES)
_FLOWERS: Final = frozenset(FLOWERS)
_DRAW: Final = Move("draw")
_DRAWN: Final = (_DRAW,)
_PUNG: Final = Move("pung")
_OPEN_KONG: Final = Move("open kong")
_RON: Final = Move("ron")
_WIN: Final = Move("win")
_DISCARDS: Final = {tile: Move("discard", (plain(tile),)) for tile in UZJE}
#: The turns of a draw (left out) and a discard: by the player's place after the dealer, and the tile.
_TURNS: Final = [
    {tile: Word(place, (discard,)) for tile, discard in _DISCARDS.items()} for place in range(max(SEATS))
]


class GamePlan(NamedTuple):
    """The game of a round, its reading, and the dealer of that reading.

    `begins` has the first event of each turn, `reds` the events that draw a red five. `red_uses` has turns of
    `Choices.use_red`, each with the key of an event that it decides, and the event.
    """

    game: UzjeGame
    reading: GameReading
    dealer: int
    begins: Sequence[int] = ()
    reds: Sequence[int] = ()
    red_uses: Sequence[tuple[int, str, int]] = ()


def plan_game(game_round: Round, start: ev.StartRound, seats: int, *, noted: bool = True) -> GamePlan:
    """Plan the game that expresses a round; `start` is its deal with all derived values.

    A game that is `noted` is read with its note's dealer and choices. Raises `PlayedWrongError` if the
    events cannot be played, and `CannotHoldError` if they cannot be written.
    """
    events = game_round.events
    players = seats if start.tehais is UNSET else len(start.tehais)
    if players not in SEATS:
        raise CannotHoldError(f"Ùzje records games of 3, 4 or 6 players, and this one has {players}", 0)
    wind, number, repeat = cast(Wind, start.bakaze), int(start.kyoku or 1), int(start.honba or 0)
    oya = int(start.oya or 0)
    dealer = oya if noted else (number - 1) % players
    if not game_round.is_played:
        game = UzjeGame(wind, number, repeat, players, [], [])
        if game_round.select(ev.Win, ev.Ryukyoku) or game_round.scores_after is not UNSET:
            raise CannotHoldError("a round without play cannot be written: Ùzje needs the tiles of a game", 0)
        return GamePlan(game, read_game(game, dealer), dealer)
    if start.tehais is UNSET or any(len(hand) != HAND for hand in start.tehais):
        raise CannotHoldError(f"Ùzje deals hands of {HAND} tiles, and this deal has others, or none", 0)
    hands = [start.tehais[(oya + place) % players] for place in range(players)]
    tiles = _tile_list(game_round.wall or (), hands, events)
    red = tuple(compress(count(), map(_REDS.__contains__, tiles)))
    for place in red:
        tiles[place] = plain(tiles[place])
    game = UzjeGame(wind, number, repeat, players, tiles, [])
    turns = _TurnPlan(game, start, game_round)
    turns.take()
    turns.choices.red = red
    try:
        reading = read_game(game, dealer, turns.choices if noted else None)
        if game.has_flowers or refusals(game_round, start):
            # The words of play that is possible mean possible play. They leave out the flowers.
            reading.check()
    except GameError as error:
        turns.unread(error)
    return GamePlan(game, reading, dealer, turns.begins, turns.reds, turns.red_uses)


def _tile_list(wall: Sequence[Tile], hands: list[tuple[Tile, ...]], events: Sequence[ev.Event]) -> list[Tile]:
    """Return the whole wall if it is known and was played from, else the tiles that play shows."""
    drawn = drawn_tiles(events)
    if _TILES.issuperset(wall) and is_played_from(wall, hands, drawn):
        return list(wall)
    tiles = tiles_in_play(hands, drawn)
    if not _TILES.issuperset(tiles):
        for tile in chain(*hands):
            if tile not in _TILES:
                raise CannotHoldError(_no_tile(tile), 0)
        raise _unwritable_tile(events)
    return tiles


def _unwritable_tile(events: Sequence[ev.Event]) -> CannotHoldError:
    """Return the error for the first tile that Ùzje cannot write."""
    for place, event in enumerate(events):
        for tile in (getattr(event, "pai", UNSET), *getattr(event, "consumed", ())):
            if tile is not UNSET and tile not in _TILES:
                return CannotHoldError(_no_tile(tile), place)
    raise AssertionError("only called where there is one")


def _no_tile(tile: Tile) -> str:
    if tile == HIDDEN:
        return "a hidden tile cannot be written: Ùzje shows every tile of the wall"
    return f"Ùzje has no tile {tile}"


class _TurnPlan:
    """Gathers events into the turns of a game.

    `choices` are those that the game's note may have to make. The other attributes are as in `GamePlan`.
    """

    def __init__(self, game: UzjeGame, start: ev.StartRound, game_round: Round) -> None:
        self.start = start
        self.round = game_round
        self.events: Sequence[ev.Event] = game_round.events
        self.turns = game.turns
        #: By player, their place after the dealer.
        self.places = [(player - int(start.oya or 0)) % game.players for player in range(game.players)]
        self.begins: list[int] = []
        self.reds: list[int] = []
        self.red_uses: list[tuple[int, str, int]] = []
        self.choices = Choices()
        #: The turn that is open: whose, and its moves.
        self.actor = -1
        self.moves: tuple[Move, ...] = ()
        #: Whether the next draw has no move of its own: it replaces a flower.
        self.silent = False
        self.won = False
        self.event = 0

    def take(self) -> None:
        """Write all events of the round. Raises `CannotHoldError` and `PlayedWrongError`."""
        players, turns, begins, drawn = len(self.places), self.turns, self.begins, self.choices.drawn
        words = [_TURNS[place] for place in self.places]
        event: Any
        try:
            for index, event in enumerate(self.events):
                kind = type(event)
                if kind not in _WRITTEN:
                    continue
                self.event = index
                actor = event.actor
                if not 0 <= actor < players:
                    self.refuse(f"there is no player {actor}: the game has {players}")
                # Most events are draws and discards: they are written here, without another call.
                if kind is ev.Draw:
                    if event.pai in _REDS:
                        self.reds.append(index)
                    if self.silent:
                        self.silent = False
                    elif not self.moves:
                        begins.append(index)
                        self.actor, self.moves = actor, _DRAWN
                    elif self.moves[-1].kind in KONGS and actor == self.actor:
                        self.moves += _DRAWN
                    else:
                        self._open(actor, _DRAW)
                elif kind is ev.Discard:
                    tile = event.pai
                    if event.tsumogiri:
                        drawn.add(len(turns))
                    elif tile in _REDS:
                        self.choices.use_red.add(len(turns))
                        self.red_uses.append((len(turns), "dahai.pai", index))
                    if self.moves is _DRAWN and actor == self.actor:
                        turns.append(words[actor][tile])
                        self.moves = ()
                    else:
                        self._go_on(actor, _DISCARDS[tile])
                        self._close()
                else:
                    _WRITE[kind](self, event)
        except KeyError:
            raise _unwritable_tile(self.events) from None
        if self.moves:
            self._close()
        if self.turns and self.turns[-1].moves == (_PUNG,):
            # With no discard after it, the word would be a discard of white.
            self.turns.pop()
            self.begins.pop()

    def unread(self, error: GameError) -> NoReturn:
        """Raise the error of the first event that cannot be played, if the game could not be read."""
        begin = 0 if error.turn is None else self.begins[error.turn]
        if isinstance(error, AmbiguousError):
            kongs = (index for index in range(begin, len(self.events)) if _is_kong_of_north(self.events[index]))
            raise CannotHoldError(f"without a note {error}", next(kongs, begin)) from None
        self.event = begin
        self.refuse(str(error), replay=error.tile is None)

    def refuse(self, reason: str, *, replay: bool = False) -> NoReturn:
        """Raise an error for this event; with `replay`, for the first event that the table refuses, if any."""
        index = self.event
        for index, refusal in refusals(self.round, self.start)[:1] if replay else ():
            won = ev.select(self.events[:index], ev.Win)
            reason = "no move may follow a win" if won else str(refusal)
        raise PlayedWrongError(reason, index) from None

    def _open(self, actor: int, move: Move) -> None:
        if self.moves:
            if self.moves[-1].kind not in KONGS:
                self.refuse("the turn before it has no discard", replay=True)
            self._close()
        self.begins.append(self.event)
        self.actor, self.moves = actor, (move,)

    def _close(self) -> None:
        self.turns.append(Word(self.places[self.actor], self.moves))
        self.moves = ()

    def _go_on(self, actor: int, move: Move) -> None:
        """Add a move to the open turn. The draw before a discard, and the one after a kong, are not written."""
        moves = self.moves
        if not moves or actor != self.actor or moves[-1].kind in KONGS:
            self.refuse("this event has no place in a turn", replay=True)
        if moves[-1] is _DRAW and (move.kind == "discard" or len(moves) > 1):
            moves = moves[:-1]
        self.moves = (*moves, move)

    def _call(self, event: ev.Chi | ev.Pon | ev.Daiminkan, move: Move) -> None:
        """Begin a turn with a call, and note whether the call uses a red five."""
        turn, kind = len(self.turns) + bool(self.moves), ev.name_of(event)
        if event.pai in _REDS:
            self.red_uses.append((turn - 1, f"{kind}.pai", self.event))
        if not _REDS.isdisjoint(event.consumed):
            self.choices.use_red.add(turn)
            self.red_uses.append((turn, f"{kind}.consumed", self.event))
        self._open(event.actor, move)

    def _chi(self, event: ev.Chi) -> None:
        self._call(event, Move("chow", tuple([_DISCARDS[tile].tiles[0] for tile in event.consumed])))

    def _pon(self, event: ev.Pon) -> None:
        self._call(event, _PUNG)

    def _daiminkan(self, event: ev.Daiminkan) -> None:
        self._call(event, _OPEN_KONG)

    def _kong(self, event: ev.Ankan | ev.Kakan) -> None:
        self.choices.kong.add(len(self.turns))
        self._go_on(event.actor, Move("kong", _DISCARDS[event.consumed[0]].tiles))

    _ankan = _kakan = _kong

    def _nukidora(self, event: ev.Nukidora) -> None:
        tile = event.tile
        if tile in _FLOWERS:
            self.silent = True
        elif tile == NORTH and len(self.places) == 3:
            self.choices.aside.add(len(self.turns))
            self._go_on(event.actor, Move("kong", (tile,)))
        else:
            raise CannotHoldError(f"Ùzje has no move that sets {tile} aside", self.event)

    def _hora(self, event: ev.Win) -> None:
        if self.won:
            return  # the word for a win ends the game: another winner is the note's
        self.won = True
        own = event.actor == self.actor and self.moves[-1:] == _DRAWN if event.target is UNSET else None
        if own or event.target == event.actor:
            self._go_on(event.actor, _WIN)
        else:
            self._open(event.actor, _RON)
        self._close()


def _is_kong_of_north(event: ev.Event) -> bool:
    if isinstance(event, (ev.Ankan, ev.Kakan)):
        return event.consumed[0] == NORTH
    return isinstance(event, ev.Nukidora) and event.tile == NORTH


_WRITE: Final = ev.handlers(_TurnPlan)
_WRITTEN: Final = frozenset({ev.Draw, ev.Discard, *_WRITE})
