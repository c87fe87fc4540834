"""The order of messages: which message may follow, and whose it may be, by the table of next messages.

After a message out of order, the check continues from the moment that fits the next message. Tiles and hands are
not checked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.match import Match
from mjconv.ir.stream import recorded_seat
from mjconv.ir.tiles import FLOWERS, HIDDEN
from mjconv.ir.vocabulary import CHOMBO
from mjconv.referee.findings import Code
from mjconv.referee.host_stream import host_indices
from mjconv.referee.order_table import AFTER, NODES, OWN_TURN, PLAY, RESULTS, STATES, WAITS, Node, Who
from mjconv.rules.succession import starts

CODES: Final[dict[str, Code]] = {
    "O001": Code("misplaced", "a message that cannot come here"),
    "O002": Code("player", "a message that can come here, but from another player"),
    "O003": Code("target", "a call or a win on another player than the one who discarded last"),
    "O004": Code("pending", "a riichi discard passed, but the riichi is not accepted"),
    "O005": Code("undeclared", "a riichi is accepted that was not declared, or is accepted already"),
    "O006": Code("winners", "wins on one tile that are not in turn order from the player who discarded it"),
    "O007": Code("trailing", "a message after the end of the round or of the game"),
    "O008": Code("unplayed", "the hands are shown, but the round has a result without play", "warning"),
    "O009": Code("unfinished", "a round without a result", "warning"),
    "O010": Code("unclosed", "a round that is not closed by end_kyoku", "warning"),
    "O011": Code("endless", "a game that is not closed by end_game", "warning"),
    "O012": Code("unopened", "a game that is not opened by start_game", "warning"),
}

#: An event with its index in the round.
Placed: TypeAlias = tuple[int, Any]

_UNPLAYED: Final = frozenset({ev.Win, ev.Ryukyoku, ev.EndRound})
_DEALT: Final = NODES["dealt"]
_BETWEEN: Final = NODES["between rounds"]


class Problem(NamedTuple):
    """The error of a message: the code, and a sentence with gaps for players."""

    code: str
    sentence: str
    about: tuple[int, ...] = ()


class _Moment(NamedTuple):
    """The player of the last turn, the last winner on that player's tile, the number of seats, and the dealer."""

    turn: int
    winner: int
    seats: int
    dealer: int


_Rule: TypeAlias = Callable[[Any, _Moment], Problem | None]

#: Each kind of event in words, with a gap for its player.
_DOING: Final[dict[type, str]] = {
    ev.StartGame: "the game begins",
    ev.StartRound: "a round is dealt",
    ev.Draw: "{} draws",
    ev.Discard: "{} discards",
    ev.Chi: "{} calls chi",
    ev.Pon: "{} calls pon",
    ev.Daiminkan: "{} calls a kan",
    ev.Kakan: "{} adds to a pon",
    ev.Ankan: "{} makes a concealed kan",
    ev.Nukidora: "{} sets a tile aside",
    ev.Dora: "a dora indicator is turned",
    ev.Riichi: "{} declares riichi",
    ev.RiichiAccepted: "the riichi of {} is accepted",
    ev.Win: "{} wins",
    ev.Ryukyoku: "the round is drawn",
    ev.EndRound: "the round ends",
    ev.EndGame: "the game ends",
}
#: The events after which it is the turn of their player.
_ACTS: Final = frozenset(kind for kind, doing in _DOING.items() if doing.startswith("{}")) - {ev.Win}


class Misplaced(NamedTuple):
    """One event out of order: the code, a sentence with gaps for players, and what fills the gaps.

    `round` and `event` are indices from 0. Without a round, the event is one of the match's `opening` or
    `closing`, as `where` states.
    """

    code: str
    sentence: str
    about: tuple[int, ...] = ()
    round: int | None = None
    event: int | None = None
    actor: int | None = None
    where: str | None = None


def misplaced(match: Match) -> list[Misplaced]:
    """Return all events of a match that are out of order.

    A round known only by its result has no order. In a stream recorded at a player's seat only the host's messages
    count; indices are those of the record.

    >>> from mjconv.ir.match import Round
    >>> play = [ev.StartRound(oya=0, tehais=(("1m",) * 13,) * 4), ev.Draw(0, "9p"), ev.Draw(1, "9p")]
    >>> found = misplaced(Match(rounds=[Round(play)], opening=[ev.StartGame()], closing=[ev.EndGame()]))
    >>> [(each.code, each.round, each.event) for each in found]
    [('O001', 0, 2), ('O009', 0, 2)]
    """
    return list(_misplaced(match))


class _At(NamedTuple):
    """The moment of play: the state, the player of the last turn, and the last winner on that player's tile."""

    node: Node
    turn: int
    winner: int = 0


def _misplaced(match: Match) -> Iterator[Misplaced]:
    if match.rounds and not any(type(event) is ev.StartGame for event in match.opening):
        yield Misplaced("O012", "the record does not begin with start_game")
    yield from _around(match.opening, "opening", NODES["nothing"])
    # Kept, because the match counts its seats anew each time.
    usual, recorder = match.seats, recorded_seat(match.opening)
    for number, (game_round, deal) in enumerate(zip(match.rounds, starts(match), strict=True)):
        events = game_round.events
        if events and type(start := events[0]) is ev.StartRound:
            placed = [(index, events[index]) for index in host_indices(game_round, recorder)]
            seats = len(start.tehais) if start.tehais else usual
            yield from _RoundOrder(placed, number, seats, deal.oya or 0).misplaced()
        else:
            yield from _without_deal(events, number)
    yield from _around(match.closing, "closing", _BETWEEN)
    if match.rounds and not any(type(event) is ev.EndGame for event in match.closing):
        yield Misplaced("O011", "the record ends without end_game")


def _all_hidden(start: Any) -> bool:
    return start.tehais is UNSET or all(tile == HIDDEN for hand in start.tehais for tile in hand)


class _RoundOrder:
    """The check of one round: it finds every event that is out of order."""

    def __init__(self, placed: Sequence[Placed], number: int, seats: int, dealer: int) -> None:
        self.placed = placed
        self.number = number
        self.seats = seats
        self.dealer = dealer
        self.hidden = _all_hidden(placed[0][1])

    def misplaced(self) -> Iterator[Misplaced]:
        placed = self.placed
        moment, place = self._in_turn(_At(_DEALT, self.dealer), 1)
        while place < len(placed):
            index, event = placed[place]
            problem = self._problem(moment, event)
            if problem is None:
                moment = next(self._options(moment, event))
            else:
                yield self._misplaced(problem, index, event)
                if problem.code == "O007":
                    return
                following = placed[place + 1][1] if place + 1 < len(placed) else None
                moment = self._recovered(moment, event, following, problem)
            moment, place = self._in_turn(moment, place + 1)
        state, last = STATES[id(moment.node)], placed[-1][0]
        if state in RESULTS:
            yield self._misplaced(Problem("O010", "the round is not closed by end_kyoku"), last)
        elif state in PLAY:
            yield self._misplaced(Problem("O009", "the round breaks off without a result"), last)

    def _misplaced(self, problem: Problem, index: int, event: Any = None) -> Misplaced:
        return Misplaced(*problem, self.number, index, _actor(event))

    def _in_turn(self, moment: _At, place: int) -> tuple[_At, int]:
        """Follow the events of the player in turn, from a place on. Return the moment and the place after them.

        Most events are, so this loop calls no functions.
        """
        same, following, table = Who.SAME, Who.NEXT, Who.TABLE
        placed, seats = self.placed, self.seats
        node, turn = moment.node, moment.turn
        while place < len(placed) and node is not _DEALT:
            event = placed[place][1]
            if type(event) not in node:
                break
            who, after = node[type(event)]
            if who is following and event.actor == (turn + 1) % seats:
                turn = event.actor
            elif who is not table and (who is not same or event.actor != turn):
                break
            node = after
            place += 1
        return _At(node, turn, moment.winner), place

    def _problem(self, moment: _At, event: Any) -> Problem | None:
        kind = type(event)
        state = STATES[id(moment.node)]
        if kind is ev.Ryukyoku and event.reason == CHOMBO and state in PLAY:
            return None
        if kind in moment.node:
            if state == "dealt" and kind in _UNPLAYED and not self.hidden:
                if kind is ev.EndRound:
                    return Problem("O009", "the round ends without play and without a result")
                return Problem("O008", "the hands are shown, but the round has a result without play")
            rule = _RULES.get(moment.node[kind][0])
            return rule and rule(event, _Moment(moment.turn, moment.winner, self.seats, self.dealer))
        if kind is ev.EndRound and state in PLAY:
            return Problem("O009", "the round ends without a result")
        if kind is ev.RiichiAccepted:
            return Problem("O005", "{} has declared no riichi that waits to be accepted", (event.actor,))
        if state == "riichi discard" and kind in NODES["accepted"]:
            doing, about = in_words(event)
            return Problem("O004", f"{doing}, but the riichi of {{}} is not accepted", (*about, moment.turn))
        return cannot_come(event, state, moment.turn)

    def _recovered(self, moment: _At, event: Any, following: Any, problem: Problem) -> _At:
        """Return the moment after a message out of order, by the reading of it that fits the next message."""
        options = [*self._options(moment, event, following, misfit=problem.code == "O001"), moment]
        if following is not None:
            for option in options:
                if self._problem(option, following) is None:
                    return option
        return options[0]

    def _options(self, moment: _At, event: Any, following: Any = None, *, misfit: bool = False) -> Iterator[_At]:
        """Yield the moments that may follow an event: as the record states it, then as another player's event.

        A `misfit` is an event that cannot come here from any player.
        """
        kind = type(event)
        node = moment.node if kind in moment.node else NODES["accepted"]
        if kind in node and not (misfit and kind in moment.node):
            who, after = node[kind]
            yield _At(after, *moved(event, moment.turn, moment.winner))
            expected = {
                Who.SAME: moment.turn,
                Who.NEXT: (moment.turn + 1) % self.seats,
                Who.NEXT_ON_IT: (moment.turn + 1) % self.seats,
                Who.OTHER_ON_IT: _actor(following),
                Who.DEALER: self.dealer,
            }.get(who)
            if expected is not None and kind is not ev.Win:
                yield _At(after, expected)
        elif kind in AFTER:
            own = kind is ev.Win and event.target in (UNSET, event.actor)
            state = "self-drawn" if own else AFTER[kind]
            target = moment.turn if kind is not ev.Win or event.target is UNSET else event.target
            yield _At(NODES[state], *moved(event, target, moment.winner))


def _without_deal(events: Sequence[Any], number: int) -> Sequence[Misplaced]:
    """Check a round without a deal: it may be a result, which has no order."""
    for index, event in enumerate(events):
        if type(event) not in _UNPLAYED and type(event) not in ev.CONVERSATION:
            doing, about = in_words(event)
            sentence = f"{doing}, but the round does not begin with a deal"
            return (Misplaced("O001", sentence, about, number, index, _actor(event)),)
    return ()


def _actor(event: Any) -> int | None:
    actor = getattr(event, "actor", UNSET)
    return None if actor is UNSET else int(actor)


def _around(events: Sequence[Any], where: str, node: Node) -> Iterator[Misplaced]:
    """Check the events before the first round, or after the last."""
    for index, event in enumerate(events):
        kind = type(event)
        if kind in ev.CONVERSATION:
            continue
        if kind in node:
            node = node[kind][1]
            continue
        code, sentence, about = cannot_come(event, STATES[id(node)], 0)
        yield Misplaced(code, sentence, about, None, index, _actor(event), where)


def in_words(event: Any) -> tuple[str, tuple[int, ...]]:
    """Return an event in words with a gap for its player, and the player.

    >>> in_words(ev.Riichi(2))
    ('{} declares riichi', (2,))
    """
    doing = _DOING[type(event)]
    return doing, (event.actor,) if "{}" in doing else ()


def cannot_come(event: Any, state: str, turn: int) -> Problem:
    """Return the problem of a message that no row of a state names.

    >>> cannot_come(ev.Draw(2, "9p"), "called", 1).sentence
    '{} draws, but play waits for a discard after a call of {}'
    """
    doing, about = in_words(event)
    if state in ("between rounds", "game over"):
        return Problem("O007", f"{doing}, but play waits for {WAITS[state]}", about)
    if state in OWN_TURN:
        return Problem("O001", f"{doing}, but play waits for {WAITS[state]} of {{}}", (*about, turn))
    return Problem("O001", f"{doing}, but play waits for {WAITS[state]}", about)


def moved(event: Any, turn: int, winner: int) -> tuple[int, int]:
    """Return whose turn it is, and who won last, after an event.

    >>> moved(ev.Pon(2, 0, "9p", ("9p", "9p")), turn=0, winner=0)
    (2, 0)
    """
    kind = type(event)
    if kind is ev.Win:
        return turn, event.actor
    return (event.actor if kind in _ACTS else turn), winner


def _of(player: int, event: Any) -> Problem | None:
    if event.actor == player:
        return None
    doing, about = in_words(event)
    return Problem("O002", f"{doing}, but {{}} is next", (*about, player))


def _next(event: Any, now: _Moment) -> Problem | None:
    return _of((now.turn + 1) % now.seats, event)


def _next_on_it(event: Any, now: _Moment) -> Problem | None:
    return _on_another(event, now) or _next(event, now)


def _other_on_it(event: Any, now: _Moment) -> Problem | None:
    if type(event) is ev.Win and event.target == event.actor:
        return Problem("O001", "{} wins by self-draw, but did not draw", (event.actor,))
    if event.actor == now.turn:
        doing, about = in_words(event)
        return Problem("O002", f"{doing} on their own tile", about)
    if event.actor >= now.seats:
        return _next(event, now)
    return _on_another(event, now)


def _later_on_it(event: Any, now: _Moment) -> Problem | None:
    if (event.actor - now.turn) % now.seats <= (now.winner - now.turn) % now.seats:
        return Problem("O006", "{} wins after {}, out of turn order from {}", (event.actor, now.winner, now.turn))
    return _on_another(event, now)


def _on_another(event: Any, now: _Moment) -> Problem | None:
    if event.target is UNSET or event.target == now.turn:
        return None
    doing, about = in_words(event)
    return Problem("O003", f"{doing} from {{}}, but {{}} discarded last", (*about, event.target, now.turn))


def _on_their_own(event: Any, now: _Moment) -> Problem | None:
    if event.target is not UNSET and event.target != event.actor:
        sentence = "{} wins from {}, but play waits for a discard of {}"
        return Problem("O001", sentence, (event.actor, event.target, now.turn))
    return _of(now.turn, event)


def _if_stated(event: Any, now: _Moment) -> Problem | None:
    if event.actor is UNSET or event.actor == now.turn or event.reason == CHOMBO:
        return None
    return Problem("O002", "{} declares a draw, but {} is next", (event.actor, now.turn))


def _anyone(event: Any, now: _Moment) -> Problem | None:
    if type(event) is ev.Nukidora and event.pai not in FLOWERS:
        return cannot_come(event, "dealt", now.dealer)
    return None


_RULES: Final[dict[Who, _Rule]] = {
    Who.SAME: lambda event, now: _of(now.turn, event),
    Who.NEXT: _next,
    Who.DEALER: lambda event, now: _of(now.dealer, event),
    Who.NEXT_ON_IT: _next_on_it,
    Who.OTHER_ON_IT: _other_on_it,
    Who.ON_THEIR_OWN: _on_their_own,
    Who.LATER_ON_IT: _later_on_it,
    Who.IF_STATED: _if_stated,
    Who.ANYONE: _anyone,
}
