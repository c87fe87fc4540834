"""The table: replays the events of a round. No other module knows the rules of play.

A table holds hands, melds, rivers, the turn, the tile drawn and the state of each riichi. Readers take from it the
values that their format leaves out. Writers take from it the values that their format spells out.

The table refuses, with `IllegalPlayError`, an event that has no meaning: a tile that the hand does not hold, a
call without a discard, an act out of turn. It does not refuse an act that is only unwise or against the rules of a
house. A hand may hold hidden tiles (``?``): a discard or a call may take any tile from a hidden one.

A table that is not strict plays such an event all the same, so that the events after it can be played. It lists
the event in `Table.impossible`. A lenient reader continues after a fault in this way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, NamedTuple, Self

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.events import MOST_SEATS
from mjconv.ir.illegal import About, Rule
from mjconv.ir.illegal import IllegalPlayError as IllegalPlayError
from mjconv.ir.match import USUAL_SEATS, Meld
from mjconv.ir.melds import are_alike, index_of_pon, is_run
from mjconv.ir.tiles import FLOWERS, HIDDEN, Tile

# The phases: the act that the table waits for. Messages quote them.
DEALT: Final = "the dealer's first draw"
DRAWN: Final = "a discard"
DECLARED: Final = "the riichi discard"
CALLED: Final = "a discard after a call"
DISCARDED: Final = "a draw, a call or a win"
KAN: Final = "a replacement draw"
FLOWER: Final = "a replacement of a flower that was dealt"
WON: Final = "another win or the end of the round"
OVER: Final = "the end of the round"

# The states of a riichi.
NO_RIICHI: Final = 0
RIICHI_DECLARED: Final = 1
RIICHI_ACCEPTED: Final = 2

_TURN_PHASES: Final = frozenset({DRAWN, DECLARED, CALLED})


class Impossible(NamedTuple):
    """An event that cannot happen, and the reason why a strict table refuses it."""

    event: ev.Event
    error: IllegalPlayError


class Table:
    """The state of one round after the events applied so far.

    If not `strict`, the table plays an event that cannot happen, as `play_anyway` does, and adds it to
    `impossible`.

    >>> table = Table([["1m"], ["2m"], ["3m"], ["4m"]])
    >>> table.apply(ev.Draw(0, "9p"))
    >>> table.apply(ev.Discard(0, "1m", tsumogiri=False))
    >>> table.hands[0], table.rivers[0], table.phase
    (['9p'], ['1m'], 'a draw, a call or a win')
    >>> table = Table([["1m"], ["2m"], ["3m"], ["4m"]], strict=False)
    >>> table.apply(ev.Draw(2, "9p"))
    >>> table.hands[2], str(table.impossible[0].error)
    (['3m', '9p'], 'player 2 draws, where player 0 is next')
    """

    __slots__ = (
        "_anyway",
        "drawn",
        "draws",
        "hands",
        "impossible",
        "kans",
        "last_actor",
        "last_tile",
        "melds",
        "oya",
        "phase",
        "riichi",
        "rivers",
        "seats",
        "strict",
        "turn",
        "winners",
    )

    #: The rule for each kind of event: `RULES`, unless a subclass has others.
    rules: ClassVar[dict[type, Callable[[Any, Any], None]]]

    def __init__(self, hands: Sequence[Sequence[Tile]], oya: int = 0, *, strict: bool = True) -> None:
        self.seats = len(hands)
        self.oya = oya
        self.strict = strict
        self.hands: list[list[Tile]] = [list(hand) for hand in hands]
        self.melds: list[list[Meld]] = [[] for _ in hands]
        self.rivers: list[list[Tile]] = [[] for _ in hands]
        self.riichi = [NO_RIICHI] * self.seats
        self.phase = DEALT
        #: The player whose turn it is, or was when play stopped.
        self.turn = oya
        #: The tile that `turn` drew and has not yet discarded.
        self.drawn: Tile | None = None
        #: The player of the last discard, or of the kan that may be robbed, and its tile. -1 before the first.
        self.last_actor = -1
        self.last_tile: Tile = HIDDEN
        self.kans = 0
        #: The number of tiles drawn, without the deal.
        self.draws = 0
        self.winners: list[int] = []
        #: The events that cannot happen and were played all the same, in order.
        self.impossible: list[Impossible] = []
        #: Whether the rules play the present event even if it cannot happen.
        self._anyway = False

    @classmethod
    def dealt(cls, start: ev.StartRound, *, strict: bool = True) -> Table:
        """Return a table with the hands of a deal. Hands that the deal does not state are 13 hidden tiles.

        If the deal states neither hands nor scores, the table has four players, or six if the dealer is not among
        four. Raises `IllegalPlayError` if the dealer is not among the players.
        """
        oya = 0 if start.oya is UNSET else start.oya
        if start.tehais is not UNSET:
            hands: Sequence[Sequence[Tile]] = start.tehais
        else:
            seats = USUAL_SEATS if oya < USUAL_SEATS else MOST_SEATS
            hands = [[HIDDEN] * 13] * (seats if start.scores is UNSET else len(start.scores))
        if not 0 <= oya < len(hands):
            raise IllegalPlayError(f"the dealer is player {oya}, and there are {len(hands)} players", rule="seat")
        return cls(hands, oya, strict=strict)

    def copy(self) -> Self:
        """Return a table in the same state. A later event changes only the table that it is applied to.

        >>> table = Table([["1m"], ["2m"], ["3m"], ["4m"]])
        >>> other = table.copy()
        >>> other.apply(ev.Draw(0, "9p"))
        >>> table.hands[0], other.hands[0]
        (['1m'], ['1m', '9p'])
        """
        other = self.__new__(type(self))
        other.seats = self.seats
        other.oya = self.oya
        other.strict = self.strict
        other._anyway = False
        other.phase = self.phase
        other.turn = self.turn
        other.drawn = self.drawn
        other.last_actor = self.last_actor
        other.last_tile = self.last_tile
        other.kans = self.kans
        other.draws = self.draws
        other.riichi = self.riichi.copy()
        other.winners = self.winners.copy()
        other.impossible = self.impossible.copy()
        # Tiles and melds never change: only the lists that hold them are copied.
        other.hands = [hand.copy() for hand in self.hands]
        other.melds = [melds.copy() for melds in self.melds]
        other.rivers = [river.copy() for river in self.rivers]
        return other

    def apply(self, event: Any) -> None:
        """Play one event.

        If the event cannot happen now, a strict table raises `IllegalPlayError` and changes nothing.
        """
        try:
            self.rules[type(event)](self, event)
        except IllegalPlayError as error:
            if self.strict:
                raise
            self.impossible.append(Impossible(event, error))
            self.play_anyway(event)

    def play_anyway(self, event: Any) -> bool:
        """Play one event, whether it can happen now or not. Return whether it was played.

        An event that names a player who is not at the table is not played. A tile that the hand does not hold
        leaves all tiles in the hand, so that no later move of a tile is refused for it. The number of tiles in
        that hand is then doubtful.

        >>> table = Table([["1m"], ["2m"], ["3m"], ["4m"]])
        >>> table.play_anyway(ev.Discard(2, "9p", tsumogiri=False)), table.rivers[2], table.hands[2]
        (True, ['9p'], ['3m'])
        >>> table.play_anyway(ev.Draw(4, "9p"))
        False
        """
        named = getattr(event, "actor", UNSET), getattr(event, "target", UNSET)
        if any(seat is not UNSET and not 0 <= seat < self.seats for seat in named):
            return False
        self._anyway = True
        try:
            self.rules[type(event)](self, event)
        finally:
            self._anyway = False
        return True

    def holds(self, seat: int, tile: Tile) -> bool:
        """Return whether the tile is among the concealed tiles of a seat."""
        return tile in self.hands[seat]

    def pon_of(self, seat: int, tile: Tile) -> Meld | None:
        """Return the pon of a seat to which the tile can be added, or None."""
        index = index_of_pon(self.melds[seat], tile)
        return None if index is None else self.melds[seat][index]

    # The rules, one for each kind of event.

    def _tsumo(self, event: ev.Draw) -> None:
        """Draw a tile: the next player from the wall, or the maker of a kan from the dead wall."""
        actor = event.actor
        phase = self.phase
        if phase is DISCARDED:
            if actor != (self.last_actor + 1) % self.seats:
                self._refuse("{} draws, where {} is next", actor, (self.last_actor + 1) % self.seats)
        elif phase is KAN or phase is DEALT:
            if actor != self.turn:
                self._refuse("{} draws, where {} is next", actor, self.turn)
        elif phase is FLOWER and actor == self.turn:
            self._replace_dealt(event)
            return
        elif phase is FLOWER:
            self._out_of_turn(actor, "draws")
        else:
            self._refuse(f"{{}} draws, where the table waits for {phase}", actor)
        self.draws += 1
        self.hands[actor].append(event.pai)
        self.turn = actor
        self.drawn = event.pai
        self.phase = DRAWN

    def _replace_dealt(self, event: ev.Draw) -> None:
        self.draws += 1
        self.hands[event.actor].append(event.pai)
        self.turn = self.oya
        self.phase = DEALT if self.drawn is None else DRAWN

    def _dahai(self, event: ev.Discard) -> None:
        """Discard a tile of the hand, on the player's own turn."""
        actor = event.actor
        tile = event.pai
        if self.phase not in _TURN_PHASES or actor != self.turn:
            self._out_of_turn(actor, "discards")
        if event.tsumogiri is True and self.drawn != tile and self.drawn != HIDDEN:
            sentence = "{} discards {} as the tile just drawn, but drew "
            if self.drawn is None:
                self._refuse(f"{sentence}nothing", actor, tile, rule="drawn")
            else:
                self._refuse(f"{sentence}{{}}", actor, tile, self.drawn, rule="drawn")
        self._take(actor, tile)
        self.rivers[actor].append(tile)
        self.turn = self.last_actor = actor
        self.last_tile = tile
        self.drawn = None
        self.phase = DISCARDED

    def _chi(self, event: ev.Chi) -> None:
        """Call the discard of the player on the left for a run."""
        if event.actor != (event.target + 1) % self.seats:
            self._refuse("{} makes a chi from {}, not its left", event.actor, event.target, rule="left")
        if not is_run((event.pai, *event.consumed)):
            self._refuse("{} with {} is no run", event.pai, event.consumed, rule="meld")
        self._call(event, "chi")

    def _pon(self, event: ev.Pon) -> None:
        """Call a discard for a triplet."""
        self._need_alike(event.pai, event.consumed)
        self._call(event, "pon")

    def _daiminkan(self, event: ev.Daiminkan) -> None:
        """Call a discard for an open kan."""
        self._need_alike(event.pai, event.consumed)
        self._call(event, "daiminkan")
        self.kans += 1
        self.phase = KAN

    def _call(self, event: ev.Chi | ev.Pon | ev.Daiminkan, kind: Any) -> None:
        actor, target = event.actor, event.target
        self._seated(actor)
        if self.phase is not DISCARDED or target != self.last_actor or actor == target:
            self._out_of_turn(actor, f"calls {kind} on {{}}", target)
        if event.pai != self.last_tile and HIDDEN not in (event.pai, self.last_tile):
            self._refuse("{} calls {}, where {} was discarded", actor, event.pai, self.last_tile, rule="called")
        self._take_all(actor, event.consumed)
        self.melds[actor].append(Meld(kind, event.consumed, event.pai, target))
        self.turn = actor
        self.drawn = None
        self.phase = CALLED

    def _kakan(self, event: ev.Kakan) -> None:
        """Add a tile to a pon."""
        self._own_turn(event.actor, "makes a kakan")
        melds = self.melds[event.actor]
        index = index_of_pon(melds, event.pai)
        if index is None:
            self._refuse("{} has no pon that {} can join", event.actor, event.pai, rule="pon")
        self._take(event.actor, event.pai)
        if index is None:
            melds.append(Meld("kakan", event.consumed[:2], event.consumed[-1], UNSET, event.pai))
        else:
            pon = melds[index]
            melds[index] = Meld("kakan", pon.own, pon.called, pon.target, event.pai)
        self._kan_made(event.actor, event.pai)

    def _ankan(self, event: ev.Ankan) -> None:
        """Lay down four tiles of the hand as a kan."""
        self._own_turn(event.actor, "makes an ankan")
        self._need_alike(event.consumed[0], event.consumed)
        self._take_all(event.actor, event.consumed)
        self.melds[event.actor].append(Meld("ankan", event.consumed))
        self._kan_made(event.actor, event.consumed[0])

    def _nukidora(self, event: ev.Nukidora) -> None:
        """Set a north or a flower aside. A replacement draw follows.

        Before the first draw of the round, any player may set aside a flower that was dealt. After it, before the
        first discard, any other player may: then the dealer took fourteen tiles at once.
        """
        tile = event.tile
        others = self.phase is DRAWN and event.actor != self.turn and not any(self.rivers)
        dealt = (self.phase is DEALT or others) and tile in FLOWERS
        if dealt:
            self._seated(event.actor)
        else:
            self._own_turn(event.actor, "sets {} aside", tile)
        self._take(event.actor, tile)
        self.melds[event.actor].append(Meld("nukidora", (tile,)))
        if dealt:
            self.turn = event.actor
            self.phase = FLOWER
            return
        self._kan_made(event.actor, tile)
        self.kans -= 1

    def _kan_made(self, actor: int, tile: Tile) -> None:
        self.kans += 1
        self.turn = self.last_actor = actor
        self.last_tile = tile
        self.drawn = None
        self.phase = KAN

    def _reach(self, event: ev.Riichi) -> None:
        """Declare riichi. The discard follows."""
        self._own_turn(event.actor, "declares riichi")
        if self.riichi[event.actor]:
            self._refuse("{} declares riichi twice", event.actor, rule="riichi")
        self.riichi[event.actor] = max(self.riichi[event.actor], RIICHI_DECLARED)
        self.turn = event.actor
        self.phase = DECLARED

    def _reach_accepted(self, event: ev.RiichiAccepted) -> None:
        """Accept a riichi: nobody won on the discard, and the stick is paid."""
        self._seated(event.actor)
        if self.phase is not DISCARDED or self.riichi[event.actor] != RIICHI_DECLARED:
            self._refuse("{} has declared no riichi that waits to be accepted", event.actor, rule="riichi")
        self.riichi[event.actor] = RIICHI_ACCEPTED

    def _hora(self, event: ev.Win) -> None:
        """Win on the tile drawn, on the last discard, or on the tile of the last kan."""
        actor = event.actor
        self._seated(actor)
        target = event.giver
        if self.phase is DEALT and self.all_hidden:
            pass  # a round known only by its result
        elif target == actor:
            self._own_turn(actor, "wins by self-draw")
        elif self.phase is DISCARDED and target != self.last_actor:
            self._refuse("{} wins from {}, where {} discarded last", actor, target, self.last_actor)
        elif self.phase not in (DISCARDED, KAN, WON) or target != self.last_actor or actor in self.winners:
            self._out_of_turn(actor, "wins from {}", target)
        tile = self.drawn if target == actor else self.last_tile
        if (
            event.pai is not UNSET
            and event.pai != tile
            and HIDDEN not in (event.pai, tile)
            and self.phase is not DEALT
        ):
            self._refuse("{} wins on {}, but the tile is {}", actor, event.pai, tile or HIDDEN, rule="won")
        if self.phase is KAN and target == self.last_actor != actor:
            self._robbed(target)
        self.winners.append(actor)
        self.phase = WON

    def _robbed(self, maker: int) -> None:
        """Turn a kakan whose tile is robbed back into its pon."""
        melds = self.melds[maker]
        for index, meld in enumerate(melds):
            if meld.kind == "kakan" and meld.added == self.last_tile:
                melds[index] = Meld("pon", meld.own, meld.called, meld.target)

    def _ryukyoku(self, event: Any) -> None:  # noqa: ARG002 - all rules take the event
        """End the round."""
        self.phase = OVER

    _end_kyoku = _ryukyoku

    def _nothing(self, event: ev.Message) -> None:
        pass

    # Shared by the rules.

    @property
    def all_hidden(self) -> bool:
        """Whether no tile of any hand is known."""
        return all(tile == HIDDEN for hand in self.hands for tile in hand)

    def _own_turn(self, actor: int, doing: str, *about: int | Tile) -> None:
        if self.phase is not DRAWN or actor != self.turn:
            self._out_of_turn(actor, doing, *about)

    def _seated(self, actor: int) -> None:
        if not 0 <= actor < self.seats:
            self._refuse(f"there is no player {actor}: the game has {self.seats}", rule="seat")

    def _out_of_turn(self, actor: int, doing: str, *about: int | Tile) -> None:
        sentence = f"{{}} {doing}, where the table waits for {self.phase}"
        if self.phase in _TURN_PHASES or self.phase in (KAN, FLOWER):
            self._refuse(f"{sentence} of {{}}", actor, *about, self.turn)
        else:
            self._refuse(sentence, actor, *about)

    def _need_alike(self, tile: Tile, others: tuple[Tile, ...]) -> None:
        if not are_alike((tile, *others)):
            self._refuse("{} with {} are not alike", tile, others, rule="meld")

    def _refuse(self, sentence: str, *about: About, rule: Rule = "turn") -> None:
        """Raise `IllegalPlayError`, unless the event is played even if it cannot happen.

        A rule refuses before it changes anything.
        """
        if not self._anyway:
            raise IllegalPlayError(sentence, *about, rule=rule)

    def _take_all(self, actor: int, tiles: Sequence[Tile]) -> None:
        """Take all of the tiles out of a hand, or none."""
        held = self.hands[actor].copy()
        try:
            for tile in tiles:
                self._take(actor, tile)
        except IllegalPlayError:
            self.hands[actor] = held
            raise

    def _take(self, actor: int, tile: Tile) -> None:
        try:
            self.hands[actor].remove(tile)
        except ValueError:
            self._take_hidden(actor, tile)

    def _take_hidden(self, actor: int, tile: Tile) -> None:
        hand = self.hands[actor]
        if HIDDEN in hand:
            hand.remove(HIDDEN)
        elif tile == HIDDEN and hand:
            # The record does not show which tile left the hand: all of the hand is unknown from here on.
            self.hands[actor] = [HIDDEN] * (len(hand) - 1)
        else:
            self._refuse("{} does not hold {}", actor, tile, rule="held")


#: The rule for each kind of event. Kinds that move no tile change nothing.
RULES: Final = dict.fromkeys(ev.KINDS.values(), Table._nothing) | ev.handlers(Table)
Table.rules = RULES
