"""From a game to a round: the events that its tile list and turns mean.

The writer uses the same code for the reading of its own text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from msgspec import UNSET, structs

from mjconv.converters.shared.walls import HAND, Hands, deal
from mjconv.converters.uzje.game import Choices, Game, GameReading
from mjconv.converters.uzje.game_errors import AmbiguousError, GameError, check_copies
from mjconv.converters.uzje.tiles import RED_OF
from mjconv.converters.uzje.words import Move, MoveKind, OwnKong, own_kongs
from mjconv.ir import events as ev
from mjconv.ir.match import Round
from mjconv.ir.table import CALLED, DISCARDED, DRAWN, KAN, RULES, IllegalPlayError, Table
from mjconv.ir.tiles import FLOWERS, Tile, plain
from mjconv.ir.turns import end_turns, next_to_draw

_FLOWERS: Final = frozenset(FLOWERS)
_NO_TILE: Final = "the tile list is too short: there is no tile left to draw"
END_ROUND: Final = ev.EndRound()
_RYUKYOKU: Final = ev.Ryukyoku()
_KONGS: Final[dict[OwnKong, str]] = {
    "concealed": "a concealed kong",
    "added": "a tile added to a pung",
    "aside": "a north set aside",
}


def read_game(game: Game, dealer: int, choices: Choices = Choices()) -> GameReading:  # noqa: B008 - immutable
    """Play a game with this dealer. Raises `GameError` if it cannot be played.

    >>> game = Game("E", 1, 0, 4, [], [])
    >>> read_game(game, 0).round.events
    [StartRound(bakaze='E', kyoku=1, honba=0, oya=0), EndRound()]
    """
    start = header_of(game, dealer)
    if not game.tiles and not game.turns:
        return GameReading(Round([start, END_ROUND]), Choices())
    check_copies(game)
    play = Play(game, start, dealer, choices)
    play.run()
    play.end()
    return play.reading()


def header_of(game: Game, dealer: int) -> ev.StartRound:
    """Return the deal of a game by its header, without hands."""
    return ev.StartRound(game.wind, UNSET, game.number, game.repeat, UNSET, dealer)


class Play:
    """Plays the turns of one game at a table, and collects their events.

    `hands` are the hands that are dealt, by player; without them they are dealt from the tile list. Raises
    `GameError` if the tile list is too short for the deal.
    """

    def __init__(
        self,
        game: Game,
        start: ev.StartRound,
        dealer: int,
        choices: Choices,
        hands: Hands | None = None,
    ) -> None:
        self.game = game
        self.choices = choices
        self.tiles = list(game.tiles)
        for place in choices.red:
            self.tiles[place] = RED_OF[self.tiles[place]]
        players = game.players
        #: The next tile from the front, and from the back.
        self.front = HAND * players
        self.back = len(self.tiles) - 1
        if self.front > len(self.tiles):
            raise GameError(
                f"the tile list has {len(self.tiles)} tiles, and {self.front} are dealt to {players} players"
            )
        if hands is None:
            dealt = deal(self.tiles, players)
            hands = tuple(dealt[(player - dealer) % players] for player in range(players))
        self.table = Table(hands, dealer)
        self.events: list[ev.Event] = [structs.replace(start, tehais=hands)]
        self.dealer = dealer
        self.turn = 0
        self.turn_starts: list[tuple[int, int]] = []
        self.drawn: set[int] = set()
        self.kong: set[int] = set()
        self.aside: set[int] = set()
        self.use_red: set[int] = set()

    def run(self) -> None:
        """Play all turns. Raises `GameError` at a turn that cannot be played."""
        players, turns = self.game.players, self.game.turns
        next_place = turn = 0
        try:
            self.begin()
            while turn < len(turns):
                self.turn_starts.append((turn, len(self.events)))
                after = self._plain_turns(turn)
                if after > turn:
                    turn = after
                    next_place = (self.table.last_actor - self.dealer + 1) % players
                    continue
                self.turn = turn
                place, moves = turns[turn]
                if place is None:
                    place = next_place
                next_place = (place + 1) % players
                self._moves((self.dealer + place) % players, moves)
                turn += 1
        except IllegalPlayError as error:
            if self.table.winners:
                raise GameError("no move may follow a win", turn=self.turn) from None
            kind = AmbiguousError if isinstance(error, AmbiguousError) else GameError
            raise kind(error.sentence, *error.about, turn=self.turn) from None

    def begin(self) -> None:
        """Set the flowers aside that were dealt, the dealer's first."""
        if not self.game.has_flowers:
            return
        players = self.game.players
        for place in range(players):
            seat = (self.dealer + place) % players
            while flower := next((tile for tile in self.table.hands[seat] if tile in _FLOWERS), None):
                self._play(ev.Nukidora(seat, flower))
                self._play(ev.Draw(seat, self._from_back()))

    def move(self, seat: int, move: Move) -> None:
        """Play a move of the turn `turn`. Raises `IllegalPlayError` if it cannot be played."""
        kind, tiles = move
        _PLAY[kind](self, seat, tiles)

    def end(self) -> None:
        """End the round: a game without a win is a draw."""
        self.turn_starts.append((len(self.game.turns), len(self.events)))
        if not self.table.winners:
            self.events.append(_RYUKYOKU)
        self.events.append(END_ROUND)

    def reading(self) -> GameReading:
        """Return the reading of the game."""
        game_round = Round(self.events)
        if self.front <= self.back:
            # The list has more tiles than were played: it is the whole wall.
            game_round.wall = tuple(self.tiles)
        turns = (self.drawn, self.kong, self.aside, self.use_red)
        used = Choices(self.choices.red, *map(frozenset, turns))
        return GameReading(game_round, used, self.turn_starts)

    def _moves(self, seat: int, moves: Sequence[Move]) -> None:
        for move in moves:
            self.move(seat, move)

    def _play(self, event: ev.Event) -> None:
        RULES[type(event)](self.table, event)
        self.events.append(event)

    # Tiles from the wall.

    def _from_back(self) -> Tile:
        if self.front > self.back:
            raise GameError(_NO_TILE)
        self.back -= 1
        return self.tiles[self.back + 1]

    def _draw(self, seat: int, tiles: tuple[Tile, ...] = ()) -> None:  # noqa: ARG002 - all moves take tiles
        if self.table.phase is KAN:
            tile = self._from_back()
        else:
            if self.front > self.back:
                raise GameError(_NO_TILE)
            tile = self.tiles[self.front]
            self.front += 1
        self._play(ev.Draw(seat, tile))
        while tile in _FLOWERS:
            self._play(ev.Nukidora(seat, tile))
            tile = self._from_back()
            self._play(ev.Draw(seat, tile))

    def _draw_replacement(self, seat: int) -> None:
        """Draw after a kong, where the draw is not written."""
        if self.table.phase is KAN:
            self._draw(seat)

    # Moves.

    def _plain_turns(self, begin: int) -> int:
        """Play turns from an index on while they are plain; return the index after the last one.

        In a plain turn the next player draws and discards, and its word does not mean a red five.
        """
        table = self.table
        actor = next_to_draw(table)
        if actor is None:
            return begin
        game, tiles, dealer = self.game, self.tiles, self.dealer
        turns, players = game.turns, game.players
        hands, rivers = table.hands, table.rivers
        following = (*range(1, players), 0)
        use_red = self.choices.use_red
        front, back = self.front, self.back
        played: list[ev.Event] = []
        at, end = begin, len(turns)
        # One loop without calls: it runs over every turn of every game.
        while at < end and front <= back:
            place, moves = turns[at]
            kind, discarded = moves[-1]
            if kind != "discard" or (len(moves) > 1 and (len(moves) > 2 or moves[0][0] != "draw")):
                break
            if place is not None and (place + dealer) % players != actor:
                break
            [tile] = discarded
            drawn, hand = tiles[front], hands[actor]
            if drawn in _FLOWERS or (tile in RED_OF and (RED_OF[tile] == drawn or at in use_red)):
                break
            if tile != drawn:
                try:
                    hand.remove(tile)
                except ValueError:
                    break
                hand.append(drawn)
                tsumogiri = False
            elif tile not in hand:
                # The only copy can only be the tile drawn.
                tsumogiri = True
            else:
                self.turn = at
                tsumogiri = self._is_chosen_drawn()
            played += (ev.Draw(actor, drawn), ev.Discard(actor, tile, tsumogiri))
            rivers[actor].append(tile)
            actor = following[actor]
            front += 1
            at += 1
        if played:
            self.events += played
            self.front = front
            end_turns(table, cast(ev.Discard, played[-1]))
        return at

    def _discard(self, seat: int, tiles: tuple[Tile, ...]) -> None:
        at = self.table
        if at.phase is not DRAWN and at.phase is not CALLED:
            self._draw(seat)
        tile = tiles[0]
        drawn = at.drawn
        if tile in RED_OF and drawn != RED_OF[tile] and self._uses_red(seat, tile):
            event = ev.Discard(seat, RED_OF[tile], False)
        elif tile == drawn:
            # The only copy can only be the tile drawn.
            tsumogiri = at.hands[seat].count(tile) == 1 or self._is_chosen_drawn()
            event = ev.Discard(seat, tile, tsumogiri)
        elif tile in RED_OF and RED_OF[tile] in at.hands[seat]:
            event = self._five(seat, tile)
        else:
            event = ev.Discard(seat, tile, False)
        self._play(event)

    def _five(self, seat: int, five: Tile) -> ev.Discard:
        """Discard a five from a hand that holds the red one and did not draw the plain: the plain one if any."""
        red = RED_OF[five]
        hand = self.table.hands[seat]
        if self.table.drawn == red and (five not in hand or self._is_chosen_drawn()):
            return ev.Discard(seat, red, True)
        return ev.Discard(seat, five if five in hand else red, False)

    def _uses_red(self, seat: int, five: Tile) -> bool:
        """Return whether a turn is to use the red five of a hand that holds the plain one too."""
        hand = self.table.hands[seat]
        if self.turn not in self.choices.use_red or five not in hand or RED_OF[five] not in hand:
            return False
        self.use_red.add(self.turn)
        return True

    def _is_chosen_drawn(self) -> bool:
        if self.turn not in self.choices.drawn:
            return False
        self.drawn.add(self.turn)
        return True

    def _chow(self, seat: int, tiles: tuple[Tile, ...]) -> None:
        target, called = self._called("chow", ())
        hand = self.table.hands[seat]
        own = tuple(
            [
                RED_OF[tile] if tile in RED_OF and (tile not in hand or self._uses_red(seat, tile)) else tile
                for tile in tiles
            ]
        )
        self._play(ev.Chi(seat, target, called, own))

    def _pung(self, seat: int, tiles: tuple[Tile, ...]) -> None:
        target, called = self._called("pung", tiles)
        self._play(ev.Pon(seat, target, called, self._like(seat, called, 2)))

    def _open_kong(self, seat: int, tiles: tuple[Tile, ...]) -> None:
        target, called = self._called("kong", tiles)
        self._play(ev.Daiminkan(seat, target, called, self._like(seat, called, 3)))

    def _called(self, call: str, named: tuple[Tile, ...]) -> tuple[int, Tile]:
        """Return the player who discarded last, and the tile; it must be the tile that a command names."""
        if self.table.phase is not DISCARDED:
            raise GameError(f"no tile was just discarded that a {call} could take")
        called = self.table.last_tile
        if named and named[0] != plain(called):
            raise GameError(f"a {call} of {{}}, but {{}} was discarded", named[0], called)
        return self.table.last_actor, called

    def _like(self, seat: int, tile: Tile, count: int) -> tuple[Tile, ...]:
        """Return this many tiles of the hand like this one, plain fives before red."""
        kind, hand = plain(tile), self.table.hands[seat]
        like = [kind] * hand.count(kind)
        if kind in RED_OF:
            like += [RED_OF[kind]] * hand.count(RED_OF[kind])
            if len(like) > count and self._uses_red(seat, kind):
                like = like[1:]
        if len(like) < count:
            raise GameError(f"{{}} holds {len(like)} of {{}}, and {count} are needed", seat, kind)
        return tuple(like[:count])

    def _own_kong(self, seat: int, tiles: tuple[Tile, ...]) -> None:
        self._draw_replacement(seat)
        tile = tiles[0]
        ways = [way for way, allowed in own_kongs(self.table, seat, tile).items() if allowed]
        if len(ways) > 1:
            ways = self._chosen(ways)
        if len(ways) > 1:
            raise AmbiguousError(f"K{{}} can be read as {' or '.join(_KONGS[way] for way in ways)}", tile)
        if not ways:
            held = sum(plain(own) == tile for own in self.table.hands[seat])
            raise GameError(
                f"a kong of {{}} needs four of them in the hand, or one and a pung: {{}} holds {held}", tile, seat
            )
        _MAKE[ways[0]](self, seat, tile)

    def _chosen(self, ways: list[OwnKong]) -> list[OwnKong]:
        if self.turn in self.choices.aside:
            self.aside.add(self.turn)
            return ["aside"]
        if self.turn in self.choices.kong:
            self.kong.add(self.turn)
            return [way for way in ways if way != "aside"]
        return ways

    def _concealed(self, seat: int, tile: Tile) -> None:
        self._play(ev.Ankan(seat, self._like(seat, tile, 4)))

    def _added(self, seat: int, tile: Tile) -> None:
        meld = next(m for m in self.table.melds[seat] if m.kind == "pon" and plain(m.own[0]) == tile)
        [own] = self._like(seat, tile, 1)
        self._play(ev.Kakan(seat, own, (*meld.own, meld.called or tile)))

    def _aside(self, seat: int, tile: Tile) -> None:
        self._play(ev.Nukidora(seat, tile))

    def _ron(self, seat: int, tiles: tuple[Tile, ...]) -> None:  # noqa: ARG002
        if self.table.winners:
            raise GameError("only one ron can be written")
        if self.table.phase not in (DISCARDED, KAN):
            raise GameError("no tile was just discarded or added to a kong that a ron could take")
        if seat == self.table.last_actor:
            raise GameError("{} declares a ron on a tile of their own", seat)
        self._play(ev.Win(seat, self.table.last_actor))

    def _win(self, seat: int, tiles: tuple[Tile, ...]) -> None:  # noqa: ARG002
        self._draw_replacement(seat)
        self._play(ev.Win(seat, seat))


_PLAY: Final[dict[MoveKind, Callable[[Play, int, tuple[Tile, ...]], None]]] = {
    "discard": Play._discard,
    "draw": Play._draw,
    "chow": Play._chow,
    "pung": Play._pung,
    "open kong": Play._open_kong,
    "kong": Play._own_kong,
    "ron": Play._ron,
    "win": Play._win,
}
_MAKE: Final[dict[OwnKong, Callable[[Play, int, Tile], None]]] = {
    "concealed": Play._concealed,
    "added": Play._added,
    "aside": Play._aside,
}
