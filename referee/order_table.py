"""The order of messages: the table as it refuses an event out of order, and plays any tile.

A game of mjai is stricter than the table. A riichi must be accepted, several wins come in turn order, and a result
ends the play. `docs/mjai.md` shows what this table allows. In-game messages (`none`, `hello`, `join`, `error`)
belong to no round, and may come anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.catalogue import catalogue
from mjconv.ir.illegal import IllegalPlayError, Rule
from mjconv.ir.table import (
    CALLED,
    DEALT,
    DECLARED,
    DISCARDED,
    DRAWN,
    FLOWER,
    KAN,
    NO_RIICHI,
    OVER,
    RIICHI_ACCEPTED,
    RIICHI_DECLARED,
    RULES,
    WON,
    Table,
)  # fmt: skip
from mjconv.ir.tiles import Tile
from mjconv.ir.turns import play_turns
from mjconv.ir.vocabulary import CHOMBO

# What play waits for where the table has no phase, or one phase for several.
NOTHING: Final = "the beginning of the game"
BETWEEN: Final = "a deal or the end of the game"
GAME_OVER: Final = "nothing more"
RIICHI: Final = "the riichi to be accepted, or a win"
ACCEPTED: Final = "a draw or a call"
#: A round known only by its result, which has no order.
RESULT_ALONE: Final = "more results or the end of the round"

#: The phases in which the player of the last event must act again.
_OWN_TURN: Final = frozenset({DEALT, FLOWER, DRAWN, DECLARED, CALLED, KAN})
#: The phases of a round that is being played.
PLAY: Final = _OWN_TURN | {DISCARDED}
_OF_ORDER: Final[frozenset[Rule]] = frozenset({"turn", "left", "seat"})

#: Each kind of event in words, with a gap for its player.
_DOING: Final = catalogue(__name__, "events.json", dict[str, str])


class OutOfOrderError(IllegalPlayError):
    """The event is out of order. `code` is the code of the finding."""

    def __init__(self, code: str, sentence: str, *about: int) -> None:
        super().__init__(sentence, *about)
        self.code = code


def in_words(event: Any) -> tuple[str, tuple[int, ...]]:
    """Return an event in words with a gap for its player, and the player.

    >>> in_words(ev.Riichi(2))
    ('{} declares riichi', (2,))
    """
    doing = _DOING[ev.name_of(event)]
    return doing, (event.actor,) if "{}" in doing else ()


def cannot_come(event: Any, waits: str, turn: int | None = None) -> OutOfOrderError:
    """Return the problem of a message that cannot come from any player, where play waits for something else.

    >>> cannot_come(ev.Draw(2, "9p"), "a discard after a call", 1).sentence
    '{} draws, but play waits for a discard after a call of {}'
    """
    doing, about = in_words(event)
    code = "O007" if waits in (BETWEEN, GAME_OVER) else "O001"
    if turn is None:
        return OutOfOrderError(code, f"{doing}, but play waits for {waits}", *about)
    return OutOfOrderError(code, f"{doing}, but play waits for {waits} of {{}}", *about, turn)


def _riichi_first(rule: Callable[[OrderTable, Any], None]) -> Callable[[OrderTable, Any], None]:
    """Return the rule of an event before which a riichi must be accepted."""

    def checked(table: OrderTable, event: Any) -> None:
        if table._waits_for_riichi:
            doing, about = in_words(event)
            table._wrong("O004", f"{doing}, but the riichi of {{}} is not accepted", *about, table.last_actor)
        rule(table, event)

    return checked


class OrderTable(Table):
    """A table that refuses only an event out of order.

    >>> table = OrderTable([["?"]] * 4)
    >>> table.apply(ev.Draw(0, "9p"))
    >>> table.waits, table.allows(ev.Draw(1, "9p")), table.players(ev.Discard(1, "9p", tsumogiri=True))
    ('a discard', False, [0])
    """

    __slots__ = ("last_riichi",)

    def __init__(self, hands: Iterable[Iterable[Tile]], oya: int = 0) -> None:
        super().__init__([[*hand] for hand in hands], oya)
        #: The state of the riichi that the last discard declared, if it did.
        self.last_riichi = NO_RIICHI

    def copy(self) -> OrderTable:
        """Return a table in the same state."""
        other = super().copy()
        other.last_riichi = self.last_riichi
        return other

    @property
    def waits(self) -> str:
        """The event that play waits for, for messages."""
        if self.phase is DISCARDED:
            return (DISCARDED, RIICHI, ACCEPTED)[self.last_riichi]
        return self.phase

    @property
    def _waits_for_riichi(self) -> bool:
        return self.phase is DISCARDED and self.last_riichi == RIICHI_DECLARED

    def advance(self, events: Sequence[Any], index: int) -> int:
        """Play the plain turns from an index on, or else one event. Return the index after them."""
        if type(events[index]) is ev.Draw and not self._waits_for_riichi:
            after = play_turns(self, events, index)
            if after > index:
                self.last_riichi = NO_RIICHI
                return after
        self.apply(events[index])
        return index + 1

    def allows(self, event: Any) -> bool:
        """Return whether an event may come next. The table does not change."""
        try:
            self.copy().apply(event)
        except IllegalPlayError:
            return False
        return True

    def players(self, event: Any) -> list[int]:
        """Return the players whose event it may be now, from the next player on.

        A call or a win counts as one on the last tile.
        """
        if not hasattr(event, "actor"):
            return []
        if hasattr(event, "target"):
            event = structs.replace(event, target=UNSET if type(event) is ev.Win else self.turn)
        seats = [place % self.seats for place in range(self.turn + 1, self.turn + 1 + self.seats)]
        return [seat for seat in seats if self.allows(structs.replace(event, actor=seat))]

    def reason(self, event: Any, error: IllegalPlayError) -> OutOfOrderError:
        """Return the reason why the table refused an event with an error."""
        if isinstance(error, OutOfOrderError):
            return error
        players = self.players(event)
        if not players:
            return cannot_come(event, self.waits, self.turn if self.phase in _OWN_TURN else None)
        doing, about = in_words(event)
        if hasattr(event, "target") and self.phase is not DRAWN:
            if event.actor == self.turn and type(event) is not ev.Chi:
                return OutOfOrderError("O002", f"{doing} on their own tile", *about)
            if event.target not in (UNSET, self.turn) and (event.actor < self.seats or type(event) is ev.Chi):
                sentence = f"{doing} from {{}}, but {{}} discarded last"
                return OutOfOrderError("O003", sentence, *about, event.target, self.turn)
        return OutOfOrderError("O002", f"{doing}, but {{}} is next", *about, players[0])

    # The rules beside those of the table.

    def _wrong(self, code: str, sentence: str, *about: int) -> None:
        if not self._anyway:
            raise OutOfOrderError(code, sentence, *about)

    def _refuse(self, sentence: str, *about: Any, rule: Rule = "turn") -> None:
        if rule in _OF_ORDER:
            super()._refuse(sentence, *about, rule=rule)

    def _take(self, actor: int, tile: Tile) -> None:
        """Take any tile: hands are not checked."""

    def _dora(self, _: ev.Dora) -> None:
        """Turn an indicator, where a kan may owe one."""
        if self.phase not in (DRAWN, DECLARED, DISCARDED, KAN):
            self._refuse("")

    def _dahai(self, event: ev.Discard) -> None:
        """Discard a tile. If it declares riichi, the riichi must be accepted."""
        state = RIICHI_DECLARED if self.phase is DECLARED else NO_RIICHI
        super()._dahai(event)
        self.last_riichi = state

    def _reach_accepted(self, event: ev.RiichiAccepted) -> None:
        """Accept a riichi: nobody won on the discard."""
        if not self._waits_for_riichi:
            self._wrong("O005", "{} has declared no riichi that waits to be accepted", event.actor)
        elif event.actor != self.last_actor:
            self._refuse("")
        # One that was not declared counts as accepted after a discard of the player whose turn it is.
        self.phase, self.last_riichi = DISCARDED, RIICHI_ACCEPTED
        self.last_actor = self.turn

    def _hora(self, event: ev.Win) -> None:
        """Win on the tile drawn, or on the last tile of another player, in turn order from that player."""
        phase, actor, turn = self.phase, event.actor, self.turn
        passed = self.last_riichi == RIICHI_ACCEPTED if phase is DISCARDED else self.last_actor != turn
        if phase is DEALT or phase is RESULT_ALONE:
            self._without_play()
            return
        if phase is WON:
            last = self.winners[-1]
            if (actor - turn) % self.seats <= (last - turn) % self.seats:
                self._wrong("O006", "{} wins after {}, out of turn order from {}", actor, last, turn)
        else:
            self.winners.clear()
            if phase is DRAWN:
                if event.target is not UNSET and event.target != actor:
                    sentence = "{} wins from {}, but play waits for a discard of {}"
                    self._wrong("O001", sentence, actor, event.target, turn)
            elif passed or phase not in (DISCARDED, KAN):
                self._refuse("")
                phase = OVER
            elif event.target == actor:
                self._wrong("O001", "{} wins by self-draw, but did not draw", actor)
        others = event.target != actor and phase is not DRAWN
        super()._hora(
            structs.replace(event, target=self.last_actor) if others and event.target is UNSET else event
        )
        self.phase = WON if others and phase is not OVER else OVER

    def _ryukyoku(self, event: ev.Ryukyoku) -> None:
        """Draw the round on a player's turn, after a discard or after a kan. A false win may end it any time."""
        if self.phase is DEALT or self.phase is RESULT_ALONE:
            self._without_play(chombo=event.reason == CHOMBO)
            return
        if event.reason != CHOMBO or self.phase not in PLAY:
            if self.phase not in (DRAWN, DISCARDED, KAN):
                self._refuse("")
            elif self.phase is DRAWN and event.actor is not UNSET and event.actor != self.turn:
                self._wrong("O002", "{} declares a draw, but {} is next", event.actor, self.turn)
        self.phase = OVER

    def _without_play(self, *, chombo: bool = False) -> None:
        if self.phase is DEALT and not self.all_hidden and not chombo:
            self._wrong("O008", "the hands are shown, but the round has a result without play")
        self.phase = RESULT_ALONE

    def _end_kyoku(self, event: ev.EndRound) -> None:  # noqa: ARG002 - all rules take the event
        """End the round after its result."""
        if self.phase is DEALT and not self.all_hidden:
            self._wrong("O009", "the round ends without play and without a result")
        elif self.phase is not DEALT and self.phase in PLAY:
            self._wrong("O009", "the round ends without a result")
        elif self.phase is BETWEEN:
            self._refuse("")
        self.phase = BETWEEN

    def _of_no_round(self, _: ev.Event) -> None:
        self._refuse("")

    _start_game = _start_kyoku = _end_game = _of_no_round


OrderTable.rules = (
    RULES
    | ev.handlers(OrderTable)
    | {kind: _riichi_first(RULES[kind]) for kind in (ev.Draw, ev.Chi, ev.Pon, ev.Daiminkan)}
)
