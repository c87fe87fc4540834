"""From a round to a game: the tile list and the turns that express its events in Ùzje.

Each move is read as soon as it is written, by the code that reads games. So the plan knows what its words are read
back as, and finds the event that cannot be played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress, count
from typing import Any, Final, NamedTuple, cast

from msgspec import UNSET, structs

from mjconv.converters.shared.walls import HAND, Hands
from mjconv.converters.uzje.game import Choices, Game, GameReading
from mjconv.converters.uzje.game_errors import (
    AmbiguousError,
    PlanError,
    SpellingError,
    UndecidedError,
    check_copies,
)
from mjconv.converters.uzje.play import Play, header_of, read_game
from mjconv.converters.uzje.tile_list import check_hands, tile_list, unwritable_tile
from mjconv.converters.uzje.tiles import UZJE
from mjconv.converters.uzje.words import SEATS, Move, Word
from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Round
from mjconv.ir.table import CALLED, DRAWN, KAN
from mjconv.ir.tiles import FLOWERS, RED_FIVES, Tile, Wind, plain
from mjconv.ir.turns import end_turns, next_to_draw

_REDS: Final = frozenset(RED_FIVES)
_FLOWERS: Final = frozenset(FLOWERS)
_PLAIN: Final = {tile: plain(tile) for tile in UZJE}
_DRAW: Final = Move("draw")
_PUNG: Final = Move("pung")
_OPEN_KONG: Final = Move("open kong")
_RON: Final = Move("ron")
_WIN: Final = Move("win")
_DISCARDS: Final = {tile: Move("discard", (plain(tile),)) for tile in UZJE}
_KONGS: Final = {tile: Move("kong", (plain(tile),)) for tile in UZJE}
#: The turns of a draw (left out) and a discard: by the player's place after the dealer, and the tile.
_TURNS: Final = [
    {tile: Word(place, (discard,)) for tile, discard in _DISCARDS.items()} for place in range(max(SEATS))
]
_NORTH: Final = "N"
_SANMA: Final = 3


class Plan(NamedTuple):
    """The game of a round, its reading, and the dealer of that reading.

    `begins` has the first event of each turn, `reds` the events that draw a red five. `plain` has the tile of each
    turn that is only the discard of the next player, and an empty string for others. `red_uses` has turns of
    `Choices.use_red`, each with the key of an event that it decides, and the event.
    """

    game: Game
    reading: GameReading
    dealer: int
    begins: Sequence[int] = ()
    reds: Sequence[int] = ()
    plain: Sequence[Tile] = ()
    red_uses: Sequence[tuple[int, str, int]] = ()


def plan_game(
    game_round: Round, events: Sequence[ev.Event], start: ev.StartRound, seats: int, *, noted: bool = True
) -> Plan:
    """Plan the game that expresses these events of a round; `start` is its deal with all derived values.

    A game that is `noted` is read with its note's dealer and choices. Raises `PlanError` if the events cannot be
    played, `SpellingError` if Ùzje has no words for them, `UndecidedError` if its words have two meanings.
    """
    players = seats if start.tehais is UNSET else len(start.tehais)
    if players not in SEATS:
        raise SpellingError(f"Ùzje records games of 3, 4 or 6 players, and this one has {players}", 0)
    wind, number, repeat = cast(Wind, start.bakaze), int(start.kyoku or 1), int(start.honba or 0)
    game = Game(wind, number, repeat, players, [], [])
    oya = int(start.oya or 0)
    dealer = oya if noted else game.dealer
    if not game_round.is_played:
        if game_round.select(ev.Win, ev.Ryukyoku) or game_round.scores_after is not UNSET:
            raise SpellingError("a round without play cannot be written: Ùzje needs the tiles of a game", 0)
        return Plan(game, read_game(game, dealer), dealer)
    if start.tehais is UNSET or any(len(hand) != HAND for hand in start.tehais):
        raise SpellingError(f"Ùzje deals hands of {HAND} tiles, and this deal has others, or none", 0)
    hands = [start.tehais[(oya + place) % players] for place in range(players)]
    check_hands(hands)
    tiles = tile_list(game_round.wall or (), hands, events)
    red = tuple(compress(count(), map(_REDS.__contains__, tiles)))
    for place in red:
        tiles[place] = plain(tiles[place])
    game = Game(wind, number, repeat, players, tiles, [])
    # From a wall the hands may be dealt in another order.
    known = start.tehais if noted and not game_round.wall else None
    turns = _Turns(game, oya, dealer, red if noted else (), known, noted=noted)
    turns.take(events)
    reading = turns.reading()
    return Plan(game, reading, dealer, turns.begins[: len(game.turns)], turns.reds, turns.plain, turns.red_uses)


class _Turns:
    """Gathers events into the turns of a game, and plays each move as it is read back."""

    def __init__(
        self, game: Game, oya: int, dealer: int, red: tuple[int, ...], hands: Hands | None, *, noted: bool
    ) -> None:
        players = game.players
        self.game = game
        self.dealer = dealer
        self.noted = noted
        self.drawn: set[int] = set()
        self.kong: set[int] = set()
        self.aside: set[int] = set()
        self.use_red: set[int] = set()
        self.choices = Choices(red, self.drawn, self.kong, self.aside, self.use_red)
        self.play = Play(game, header_of(game, dealer), dealer, self.choices, hands)
        self.table = self.play.table
        #: By player, their place after the dealer; and by place, their seat as it is read.
        self.places = [(player - oya) % players for player in range(players)]
        self.seats = [(dealer + place) % players for place in range(players)]
        #: Whether a draw and a discard may be read back as the same events.
        self.same = noted and not game.has_flowers
        self.turns = game.turns
        #: By player: the turns of a draw and the discard of a tile.
        self.words = [_TURNS[place] for place in self.places]
        self.begins: list[int] = []
        self.reds: list[int] = []
        self.red_uses: list[tuple[int, str, int]] = []
        self.plain: list[Tile] = []
        #: The turn that is open: whose, and its moves.
        self.actor = -1
        self.moves: list[Move] = []
        #: Whether the next draw has no move of its own: it replaces a flower.
        self.silent = False
        self.won = False
        self.event = 0

    def take(self, events: Sequence[ev.Event]) -> None:
        """Write and play all events of a round."""
        try:
            check_copies(self.game)
            self.play.begin()
            self._take(events)
        except AmbiguousError as error:
            raise UndecidedError(str(error), self.event) from None
        except IllegalPlayError as error:
            reason = "no move may follow a win" if self.won and self.table.winners else str(error)
            raise PlanError(reason, self.event) from None
        except KeyError:
            raise unwritable_tile(events) from None

    def reading(self) -> GameReading:
        """Return the reading of the turns."""
        if self.turns and self.turns[-1].moves == (_PUNG,):
            # With no discard after it, the word would be a discard of white.
            self.turns.pop()
            self.plain.pop()
            return read_game(self.game, self.dealer, self.choices)
        self.play.end()
        return self.play.reading()

    def _take(self, events: Sequence[ev.Event]) -> None:
        """Take the events one by one, but plain turns in one go."""
        index, end = 0, len(events)
        while index < end:
            event: Any = events[index]
            kind = type(event)
            if kind is ev.Draw and self.same:
                after = self._plain_turns(events, index)
                if after > index:
                    index = after
                    continue
            write = _WRITE.get(kind)
            if write is not None:
                self.event = index
                if not 0 <= event.actor < len(self.places):
                    raise PlanError(f"there is no player {event.actor}: the game has {len(self.places)}", index)
                write(self, event)
            index += 1
        self._close()

    def _plain_turns(self, events: Sequence[Any], begin: int) -> int:
        """Take turns of a draw and a discard that are read back as they are; return the index after them."""
        table = self.table
        actor = next_to_draw(table)
        if actor is None:
            return begin
        turns, plain, words, hands, rivers = self.turns, self.plain, self.words, table.hands, table.rivers
        following = (*range(1, table.seats), 0)
        at, end = begin, len(events) - 1
        # One loop without calls: it runs over every turn of every game.
        while at < end:
            draw, discard = events[at], events[at + 1]
            if (
                type(draw) is not ev.Draw
                or type(discard) is not ev.Discard
                or draw.actor != actor
                or discard.actor != actor
                or draw.extras is not UNSET
                or discard.extras is not UNSET
            ):
                break
            drawn, tile = draw.pai, discard.pai
            if discard.tsumogiri is not (drawn == tile):
                break
            hand = hands[actor]
            if drawn == tile:
                if _PLAIN[tile] in hand:
                    self.play.drawn.add(len(turns))
            elif tile in _REDS and (_PLAIN[tile] == drawn or _PLAIN[tile] in hand):
                break  # its word is read as the plain five
            else:
                try:
                    hand.remove(tile)
                except ValueError:
                    break
                hand.append(drawn)
            if drawn in _REDS:
                self.reds.append(at)
            turns.append(words[actor][tile])
            plain.append(tile)
            rivers[actor].append(tile)
            actor = following[actor]
            at += 2
        if at > begin:
            play = self.play
            play.turn_starts.append((len(self.begins), len(play.events)))
            play.events += events[begin:at]
            play.front += (at - begin) // 2
            self.begins += range(begin, at, 2)
            end_turns(table, events[at - 1])
        return at

    def _open(self, actor: int, move: Move) -> None:
        self._close()
        self.play.turn_starts.append((len(self.begins), len(self.play.events)))
        self.begins.append(self.event)
        self.actor = actor
        self._move(move)

    def _close(self) -> None:
        if self.moves:
            self.turns.append(Word(self.places[self.actor], tuple(self.moves)))
            self.plain.append("")
            self.moves = []

    def _go_on(self, event: Any, move: Move) -> None:
        """Add a move to the open turn; before it a draw for a discard or after a kong need not be written."""
        table, seat = self.table, self.seats[self.places[event.actor]]
        discards = move.kind == "discard"
        if table.turn != seat or (table.phase is not DRAWN and not (discards and table.phase is CALLED)):
            table.apply(structs.replace(event, actor=seat))  # refuses it, in its own words
        moves = self.moves
        if moves[-1] is _DRAW and (discards or len(moves) > 1):
            moves.pop()
        self._move(move)

    def _move(self, move: Move) -> None:
        """Write a move, and read it."""
        self.moves.append(move)
        self.play.turn = len(self.turns)
        self.play.move(self.seats[self.places[self.actor]], move)

    def _choose_red(self, event: ev.Chi | ev.Pon | ev.Daiminkan) -> None:
        """Add the turn that a call begins to those that use a red five, if it does."""
        self._close()
        turn, kind = len(self.turns), ev.name_of(event)
        if event.pai in _REDS:
            self.red_uses.append((turn - 1, f"{kind}.pai", self.event))
        if self.noted and not _REDS.isdisjoint(event.consumed):
            self.use_red.add(turn)
            self.red_uses.append((turn, f"{kind}.consumed", self.event))

    def _choose(self, turns: set[int]) -> None:
        """Add the open turn to a choice of the note, if there is a note."""
        if self.noted:
            turns.add(len(self.turns))

    def _draw(self, event: ev.Draw) -> None:
        if event.pai in _REDS:
            self.reds.append(self.event)
        if self.silent:
            self.silent = False
        elif self.table.phase is KAN:
            self.actor = event.actor
            self._move(_DRAW)
        else:
            self._open(event.actor, _DRAW)

    def _discard(self, event: ev.Discard) -> None:
        if self._is_read_alike(event):
            self.table.discard(event)
            self.play.events.append(event)
            self.moves.append(_DISCARDS[event.pai])
            self._close()
            return
        if event.tsumogiri:
            self._choose(self.drawn)
        elif event.pai in _REDS:
            self._choose(self.use_red)
            self.red_uses.append((len(self.turns), "dahai.pai", self.event))
        self._go_on(event, _DISCARDS[event.pai])
        self._close()

    def _is_read_alike(self, event: ev.Discard) -> bool:
        """Return whether this is a discard after a call that is read back as the same event."""
        return (
            self.table.phase is CALLED
            and self.same
            and event.tsumogiri is False
            and event.extras is UNSET
            and event.pai not in _REDS
            and event.actor == self.table.turn
            and event.pai in self.table.hands[event.actor]
        )

    def _chi(self, event: ev.Chi) -> None:
        a, b = event.consumed
        self._choose_red(event)
        self._open(event.actor, Move("chow", (_PLAIN[a], _PLAIN[b])))

    def _pon(self, event: ev.Pon) -> None:
        self._choose_red(event)
        self._open(event.actor, _PUNG)

    def _daiminkan(self, event: ev.Daiminkan) -> None:
        self._choose_red(event)
        self._open(event.actor, _OPEN_KONG)

    def _kong(self, event: ev.Ankan | ev.Kakan) -> None:
        self._choose(self.kong)
        self._go_on(event, _KONGS[event.consumed[0]])

    def _nukidora(self, event: ev.Nukidora) -> None:
        tile = _NORTH if event.pai is UNSET else event.pai
        if tile in _FLOWERS:
            self.silent = True
        elif tile == _NORTH and len(self.places) == _SANMA:
            self._choose(self.aside)
            self._go_on(event, _KONGS[tile])
        else:
            raise SpellingError(f"Ùzje has no move that sets {tile} aside", self.event)

    def _win(self, event: ev.Win) -> None:
        if self.won:
            return  # the word for a win ends the game: another winner is the note's
        self.won = True
        own = self.table.phase is DRAWN and self.actor == event.actor if event.target is UNSET else None
        if own or event.target == event.actor:
            self._go_on(ev.Win(event.actor), _WIN)
        else:
            self._open(event.actor, _RON)
        self._close()


_WRITE: Final[dict[type, Callable[[_Turns, Any], None]]] = {
    ev.Draw: _Turns._draw,
    ev.Discard: _Turns._discard,
    ev.Chi: _Turns._chi,
    ev.Pon: _Turns._pon,
    ev.Daiminkan: _Turns._daiminkan,
    ev.Kakan: _Turns._kong,
    ev.Ankan: _Turns._kong,
    ev.Nukidora: _Turns._nukidora,
    ev.Win: _Turns._win,
}
