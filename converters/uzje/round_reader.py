"""From a game to a round: the events that its tile list and turns mean.

The writer uses the same code for the reading of its own text.
"""

from collections import deque
from collections.abc import Callable
from typing import Any, Final, Literal

from msgspec import UNSET, structs

from mjconv.converters.shared.walls import deal, surplus_tile
from mjconv.converters.uzje.game import AmbiguousError, Choices, GameError, GameReading, UzjeGame
from mjconv.converters.uzje.spelling import RED_OF, SEATS, UZJE, spell_tile
from mjconv.converters.uzje.words import MoveKind
from mjconv.ir import events as ev
from mjconv.ir.match import Round
from mjconv.ir.seats import turned
from mjconv.ir.table import CALLED, DEALT, DISCARDED, DRAWN, KAN, WON
from mjconv.ir.tiles import FLOWERS, HAND, HIDDEN, Tile, plain

_FLOWERS: Final = frozenset(FLOWERS)
#: A hand without tiles.
_NO_TILES: Final = dict.fromkeys((*UZJE, HIDDEN), 0)
#: The phases in which a player draws before a move of each kind, whether the draw is written or not.
_DRAWN_IN: Final[dict[MoveKind, frozenset[str]]] = {
    "draw": frozenset({DEALT, DRAWN, CALLED, DISCARDED, KAN}),
    "discard": frozenset({DEALT, DISCARDED, KAN}),
    "chow": frozenset(),
    "pung": frozenset(),
    "open kong": frozenset(),
    "kong": frozenset({KAN}),
    "ron": frozenset(),
    "win": frozenset({KAN}),
}
#: The draws of a seat by tile, and the discards: of another tile than the one drawn, and of that one.
_DRAWS: Final = [{tile: ev.Draw(seat, tile) for tile in UZJE} for seat in range(max(SEATS))]
_DISCARDS: Final = [
    [{tile: ev.Discard(seat, tile, tsumogiri) for tile in UZJE} for tsumogiri in (False, True)]
    for seat in range(max(SEATS))
]
_RYUKYOKU: Final = ev.Ryukyoku()
_END_ROUND: Final = ev.EndRound()
#: The meanings of a kong of one tile of the hand.
_CONCEALED: Final = "a concealed kong"
_ADDED: Final = "a tile added to a pung"
_ASIDE: Final = "a north set aside"


def read_game(
    game: UzjeGame,
    dealer: int,
    choices: Choices | None = None,
    *,
    lenient: bool = False,
    cut: bool = False,
) -> GameReading:
    """Return the events of a game with this dealer. Raises `GameError` for a move that cannot be an event.

    A move that the table refuses becomes an event all the same: `GameReading.check` raises its error. In a
    `lenient` reading, a move that cannot be an event ends the round, without a result and a wall. So does the end
    of a game that is `cut` off.

    >>> game = UzjeGame("E", 1, 0, 4, [], [])
    >>> read_game(game, 0).round.events
    [StartRound(bakaze='E', kyoku=1, honba=0, oya=0), EndRound()]
    >>> for event, error in read_game(UzjeGame("E", 1, 0, 4, ["E"] * 6, []), 0, lenient=True).errors:
    ...     print(event, error)
    0 a set has 4 of E, and this is one more
    1 the tile list has 6 tiles, and 52 are dealt to 4 players
    """
    start = ev.StartRound(game.wind, UNSET, game.number, game.repeat, UNSET, dealer)
    if not game.tiles and not game.turns:
        return GameReading(game, Round([start, _END_ROUND]), Choices())
    errors: list[tuple[int, GameError]] = []
    surplus = surplus_tile(game.tiles, game.counts)
    if surplus is not None:
        place, most = surplus
        error = GameError(f"a set has {most} of {{}}, and this is one more", game.tiles[place], tile=place)
        if not lenient:
            raise error
        errors.append((0, error))
    replay = _GameReplay(game, start, choices or Choices())
    try:
        replay.run()
    except GameError as error:
        error.turn = replay.turn if replay.hands else None
        errors.append((len(replay.events), error))
        cut = True
        if not lenient:
            # An event before it may be impossible.
            replay.reading(errors, whole=False).check()
            raise
    return replay.reading(errors, whole=not cut)


class _GameReplay:
    """Finds the events of the turns of one game.

    It knows the hands, as far as the words leave a choice to them. Whether the events are possible, only the table
    knows (`GameReading.check`). `turn` is the turn that is read. `used` are the choices that were needed.
    """

    def __init__(self, game: UzjeGame, start: ev.StartRound, choices: Choices) -> None:
        self.game = game
        self.choices = choices
        self.dealer = int(start.oya or 0)
        self.tiles = list(game.tiles)
        for place in choices.red:
            self.tiles[place] = RED_OF[self.tiles[place]]
        #: The tiles that were not drawn yet.
        self.wall = deque(self.tiles[HAND * game.players :])
        self.events: list[ev.Event] = [start]
        self.turn = 0
        self.starts: list[int] = []
        self.used = Choices(choices.red)
        #: What a call, a kong or a win may be, as the table has it.
        self.phase = DEALT
        #: By player, how often the hand has each tile.
        self.hands: list[dict[Tile, int]] = []
        self.pungs: list[ev.Pon] = []

    def run(self) -> None:
        """Deal, and read all turns. Raises `GameError` at a turn without a meaning."""
        self._deal()
        events, starts, wall, players = self.events, self.starts, self.wall, self.game.players
        seats = [(self.dealer + place) % players for place in range(players)]
        own = [(seat, self.hands[seat], _DRAWS[seat], _DISCARDS[seat]) for seat in seats]
        following = (*range(1, players), 0)
        expected = 0
        #: The tile that was drawn and not discarded yet.
        drawn: Tile | None = None
        phase = self.phase
        for turn, word in enumerate(self.game.turns):
            self.turn = turn
            if phase is WON:
                raise GameError("no move may follow a win")
            place = expected if word.seat is None else word.seat
            expected = following[place]
            seat, hand, draws, discards = own[place]
            for move in word.moves:
                starts.append(len(events))
                kind = move.kind
                # Most moves are draws and discards: they are read here, without another call.
                if phase in _DRAWN_IN[kind]:
                    if not wall:
                        raise GameError("the tile list is too short: there is no tile left to draw")
                    drawn = wall.pop() if phase is KAN else wall.popleft()
                    events.append(draws[drawn])
                    while drawn in _FLOWERS:
                        drawn = self._replaced(seat, drawn)
                    hand[drawn] += 1
                    phase = DRAWN
                if kind == "discard":
                    [tile] = move.tiles
                    if tile in RED_OF:
                        tile, tsumogiri = self._five(seat, tile, drawn)
                    else:
                        # The only copy can only be the tile drawn.
                        tsumogiri = tile == drawn and (hand[tile] == 1 or self._is_chosen("drawn"))
                    if held := hand[tile]:
                        hand[tile] = held - 1
                    events.append(discards[tsumogiri][tile])
                    drawn, phase = None, DISCARDED
                elif kind != "draw":
                    self.phase = phase
                    _PLAY[kind](self, seat, move.tiles)
                    drawn, phase = None, self.phase

    def reading(self, errors: list[tuple[int, GameError]], *, whole: bool) -> GameReading:
        """Return the reading of the game; the round ends if the game was read as a `whole`."""
        game_round = Round(self.events)
        if whole:
            self.starts.append(len(self.events))
            # A game without a win is a draw.
            self.events += (_END_ROUND,) if self.phase is WON else (_RYUKYOKU, _END_ROUND)
            if self.wall:
                # The list has more tiles than were played: it is the whole wall.
                game_round.wall = tuple(self.tiles)
        used = self.used if whole else self.choices
        return GameReading(self.game, game_round, used, self.starts, errors, whole)

    def _deal(self) -> None:
        players, dealer = self.game.players, self.dealer
        dealt = HAND * players
        if dealt > len(self.tiles):
            raise GameError(
                f"the tile list has {len(self.tiles)} tiles, and {dealt} are dealt to {players} players"
            )
        hands = turned(tuple(deal(self.tiles, players)), -dealer)
        self.events[0] = structs.replace(self.events[0], tehais=hands)
        for hand in hands:
            counts = _NO_TILES.copy()
            for tile in hand:
                counts[tile] += 1
            self.hands.append(counts)
        if self.game.has_flowers:
            self._replace_dealt_flowers(hands)

    def _replace_dealt_flowers(self, hands: tuple[tuple[Tile, ...], ...]) -> None:
        """Set the flowers aside that were dealt, the dealer's first."""
        for place in range(self.game.players):
            seat = (self.dealer + place) % self.game.players
            tiles, counts = list(hands[seat]), self.hands[seat]
            for tile in tiles:
                if tile in _FLOWERS:
                    # The tile that replaces it may be a flower too.
                    tiles.append(self._replaced(seat, tile))
                    counts[tile] -= 1
                    counts[tiles[-1]] += 1

    def _replaced(self, seat: int, flower: Tile) -> Tile:
        """Set a flower aside, and return the tile that is drawn for it."""
        self.events.append(ev.Nukidora(seat, flower))
        if not self.wall:
            raise GameError(
                f"the tile list is too short: no tile is left to replace the flower {spell_tile(flower)}"
            )
        tile = self.wall.pop()
        self.events.append(ev.Draw(seat, tile))
        return tile

    def _lay(self, meld: ev.Event, seat: int, tiles: tuple[Tile, ...], phase: str) -> None:
        """Take the tiles of a meld out of the hand, as far as it holds them."""
        self.events.append(meld)
        hand = self.hands[seat]
        for tile in tiles:
            if hand[tile]:
                hand[tile] -= 1
        self.phase = phase

    # Moves.

    def _five(self, seat: int, five: Tile, drawn: Tile | None) -> tuple[Tile, bool]:
        """Return the five of a hand that is discarded, and whether it was drawn: the plain one if any."""
        red, hand = RED_OF[five], self.hands[seat]
        if drawn == red:
            if not hand[five] or self._is_chosen("drawn"):
                return red, True
        elif self._uses_red(seat, five):
            return red, False
        if drawn == five:
            return five, hand[five] == 1 or self._is_chosen("drawn")
        return red if not hand[five] and hand[red] else five, False

    def _uses_red(self, seat: int, five: Tile) -> bool:
        """Return whether a turn is to use the red five of a hand that holds the plain one too."""
        hand = self.hands[seat]
        return bool(hand[five] and hand[RED_OF[five]]) and self._is_chosen("use_red")

    def _is_chosen(self, choice: Literal["drawn", "kong", "aside", "use_red"]) -> bool:
        """Return whether the turn makes a choice, which is then noted as used."""
        chosen = self.turn in getattr(self.choices, choice)
        if chosen:
            getattr(self.used, choice).add(self.turn)
        return chosen

    def _chow(self, seat: int, tiles: tuple[Tile, ...]) -> None:
        target, called = self._called("chow", ())
        hand = self.hands[seat]
        own = tuple(
            [
                RED_OF[tile] if tile in RED_OF and (not hand[tile] or self._uses_red(seat, tile)) else tile
                for tile in tiles
            ]
        )
        self._lay(ev.Chi(seat, target, called, own), seat, own, CALLED)

    def _pung(self, seat: int, tiles: tuple[Tile, ...]) -> None:
        target, called = self._called("pung", tiles)
        own = self._like(seat, called, 2)
        pung = ev.Pon(seat, target, called, own)
        self.pungs.append(pung)
        self._lay(pung, seat, own, CALLED)

    def _open_kong(self, seat: int, tiles: tuple[Tile, ...]) -> None:
        target, called = self._called("kong", tiles)
        own = self._like(seat, called, 3)
        self._lay(ev.Daiminkan(seat, target, called, own), seat, own, KAN)

    def _called(self, call: str, named: tuple[Tile, ...]) -> tuple[int, Tile]:
        """Return the player who discarded last, and the tile; it must be the tile that a command names."""
        if self.phase is not DISCARDED:
            raise GameError(f"no tile was just discarded that a {call} could take")
        discard: Any = self.events[-1]
        if named and named[0] != plain(discard.pai):
            raise GameError(f"a {call} of {{}}, but {{}} was discarded", named[0], discard.pai)
        return discard.actor, discard.pai

    def _like(self, seat: int, tile: Tile, count: int) -> tuple[Tile, ...]:
        """Return this many tiles of the hand like this one, plain fives before red."""
        kind, hand = plain(tile), self.hands[seat]
        like = [kind] * hand[kind]
        if kind in RED_OF:
            like += [RED_OF[kind]] * hand[RED_OF[kind]]
            if len(like) > count and self._uses_red(seat, kind):
                like = like[1:]
        if len(like) < count:
            raise GameError(f"{{}} holds {len(like)} of {{}}, and {count} are needed", seat, kind)
        return tuple(like[:count])

    def _own_kong(self, seat: int, tiles: tuple[Tile, ...]) -> None:
        tile = tiles[0]
        hand = self.hands[seat]
        held = hand[tile] + hand[RED_OF.get(tile, HIDDEN)]
        pung = next((one for one in self.pungs if one.actor == seat and plain(one.pai) == tile), None)
        ways = []
        if held >= 4:
            ways.append(_CONCEALED)
        if held and pung:
            ways.append(_ADDED)
        if held and tile == "N" and self.game.players == 3:
            ways.append(_ASIDE)
        if len(ways) > 1:
            ways = self._chosen(ways)
        if len(ways) > 1:
            raise AmbiguousError(f"K{{}} can be read as {' or '.join(ways)}", tile)
        if not ways:
            raise GameError(
                f"a kong of {{}} needs four of them in the hand, or one and a pung: {{}} holds {held}", tile, seat
            )
        kong: ev.Event
        if ways == [_CONCEALED]:
            own = self._like(seat, tile, 4)
            kong = ev.Ankan(seat, own)
        elif ways == [_ASIDE] or pung is None:
            own = tiles
            kong = ev.Nukidora(seat, tile)
        else:
            own = self._like(seat, tile, 1)
            kong = ev.Kakan(seat, own[0], (*pung.consumed, pung.pai))
            self.pungs.remove(pung)
        self._lay(kong, seat, own, KAN)

    def _chosen(self, ways: list[str]) -> list[str]:
        if _ASIDE in ways and self._is_chosen("aside"):
            return [_ASIDE]
        if self._is_chosen("kong"):
            return [way for way in ways if way != _ASIDE]
        return ways

    def _ron(self, seat: int, tiles: tuple[Tile, ...]) -> None:  # noqa: ARG002
        if self.phase is not DISCARDED and self.phase is not KAN:
            raise GameError("no tile was just discarded or added to a kong that a ron could take")
        last: Any = self.events[-1]
        target = last.target if type(last) is ev.Daiminkan else last.actor
        if seat == target:
            raise GameError("{} declares a ron on a tile of their own", seat)
        self._end(ev.Win(seat, target))

    def _win(self, seat: int, tiles: tuple[Tile, ...]) -> None:  # noqa: ARG002
        self._end(ev.Win(seat, seat))

    def _end(self, win: ev.Win) -> None:
        self.events.append(win)
        self.phase = WON


_PLAY: Final[dict[MoveKind, Callable[[_GameReplay, int, tuple[Tile, ...]], None]]] = {
    "chow": _GameReplay._chow,
    "pung": _GameReplay._pung,
    "open kong": _GameReplay._open_kong,
    "kong": _GameReplay._own_kong,
    "ron": _GameReplay._ron,
    "win": _GameReplay._win,
}
