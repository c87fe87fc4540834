"""The order of messages: which message may follow, and whose it may be, by the table of next messages.

Most rounds are in order, so a fast check runs over each round first. Where it fails, a slower check finds the
errors. Tiles and hands are not checked here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.derive import starts
from mjconv.ir.match import Match
from mjconv.ir.stream import recorded_seat
from mjconv.ir.tiles import HIDDEN
from mjconv.ir.vocabulary import CHOMBO
from mjconv.referee.findings import Code
from mjconv.referee.host_stream import host_indices
from mjconv.referee.order_table import AFTER, NODES, PLAY, RESULTS, STATES, Node, Who
from mjconv.referee.order_turns import Problem, cannot_come, in_words, moved, problem_of

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
    return list(_Order(match).found())


class _At(NamedTuple):
    """The moment of play: the state, the player of the last turn, and the last winner on that player's tile."""

    node: Node
    turn: int
    winner: int = 0


class _Order:
    """The order check of one match."""

    def __init__(self, match: Match) -> None:
        self.match = match
        # Kept, because the match counts its seats anew each time.
        self._seats = match.seats

    def found(self) -> Iterator[Misplaced]:
        match = self.match
        opened = any(type(event) is ev.StartGame for event in match.opening)
        if match.rounds and not opened:
            yield Misplaced("O012", "the record does not begin with start_game")
        yield from _around(match.opening, "opening", NODES["nothing"])
        for number in range(len(match.rounds)):
            yield from self._round(number)
        yield from _around(match.closing, "closing", _BETWEEN)
        if match.rounds and not any(type(event) is ev.EndGame for event in match.closing):
            yield Misplaced("O011", "the record ends without end_game")

    def _round(self, number: int) -> Sequence[Misplaced]:
        events = self.match.rounds[number].events
        start = events[0] if events else None
        if type(start) is not ev.StartRound:
            return _without_deal(events, number)
        seats = len(start.tehais) if start.tehais else self._seats
        dealer = self._dealers[number] if start.oya is UNSET else start.oya
        if in_order(events, seats, dealer):
            return ()
        placed = self._placed(number)
        if in_order([event for _, event in placed], seats, dealer):
            return ()
        return _RoundOrder(placed, number, seats, dealer).found()

    @cached_property
    def _dealers(self) -> list[int]:
        return [deal.oya or 0 for deal in starts(self.match)]

    @cached_property
    def _seat(self) -> int | None:
        return recorded_seat(self.match.opening)

    def _placed(self, number: int) -> list[Placed]:
        """Return the events of play with their indices: in a stream the host's."""
        game_round = self.match.rounds[number]
        events = game_round.events
        return [(index, events[index]) for index in host_indices(game_round, self._seat)]


def _hidden(hand: Sequence[str]) -> bool:
    return all(tile == HIDDEN for tile in hand)


def _all_hidden(start: Any) -> bool:
    return start.tehais is UNSET or all(map(_hidden, start.tehais))


def in_order(events: Sequence[Any], seats: int, dealer: int) -> bool:
    """Return whether a round is in order, or False where the slower check must decide.

    >>> in_order([ev.StartRound(), ev.Draw(0, "9p"), ev.Draw(1, "9p")], seats=4, dealer=0)
    False
    """
    same, following, table = Who.SAME, Who.NEXT, Who.TABLE
    node: Any = _DEALT
    turn, winner = dealer, dealer
    play = iter(events)
    next(play, None)
    for event in play:
        kind = type(event)
        if kind not in node:
            return False
        who, node = node[kind]
        if who is same:
            if event.actor != turn:
                return False
        elif who is following:
            turn += 1
            if turn == seats:
                turn = 0
            if event.actor != turn:
                return False
        elif who is not table:
            if problem_of(who, event, turn, winner, seats, dealer) is not None:
                return False
            turn, winner = moved(event, turn, winner)
    return node is _BETWEEN and (type(events[1]) not in _UNPLAYED or _all_hidden(events[0]))


class _RoundOrder:
    """The slower check of one round: it finds every event that is out of order."""

    def __init__(self, placed: Sequence[Placed], number: int, seats: int, dealer: int) -> None:
        self.placed = placed
        self.number = number
        self.seats = seats
        self.dealer = dealer
        self.hidden = _all_hidden(placed[0][1])

    def found(self) -> list[Misplaced]:
        found: list[Misplaced] = []
        at = _At(_DEALT, self.dealer)
        play = self.placed[1:]
        for (index, event), (_, after) in zip(play, [*play[1:], (0, None)], strict=False):
            problem = self._problem(at, event)
            if problem is None:
                at = next(self._options(at, event))
            else:
                found.append(self._misplaced(problem, index, event))
                if problem.code == "O007":
                    return found
                at = self._recovered(at, event, after, problem)
        state = STATES[id(at.node)]
        last = self.placed[-1][0]
        if state in RESULTS:
            found.append(self._misplaced(Problem("O010", "the round is not closed by end_kyoku"), last))
        elif state in PLAY:
            found.append(self._misplaced(Problem("O009", "the round breaks off without a result"), last))
        return found

    def _misplaced(self, problem: Problem, index: int, event: Any = None) -> Misplaced:
        code, sentence, about = problem
        return Misplaced(code, sentence, about, self.number, index, _actor(event))

    def _problem(self, at: _At, event: Any) -> Problem | None:
        kind = type(event)
        state = STATES[id(at.node)]
        if kind is ev.Ryukyoku and event.reason == CHOMBO and state in PLAY:
            return None
        if kind in at.node:
            if state == "dealt" and kind in _UNPLAYED and not self.hidden:
                if kind is ev.EndRound:
                    return Problem("O009", "the round ends without play and without a result")
                return Problem("O008", "the hands are shown, but the round has a result without play")
            return problem_of(at.node[kind][0], event, at.turn, at.winner, self.seats, self.dealer)
        if kind is ev.EndRound and state in PLAY:
            return Problem("O009", "the round ends without a result")
        if kind is ev.RiichiAccepted:
            return Problem("O005", "{} has declared no riichi that waits to be accepted", (event.actor,))
        if state == "riichi discard" and kind in NODES["accepted"]:
            doing, about = in_words(event)
            return Problem("O004", f"{doing}, but the riichi of {{}} is not accepted", (*about, at.turn))
        return cannot_come(event, state, at.turn)

    def _recovered(self, at: _At, event: Any, following: Any, problem: Problem) -> _At:
        """Return the moment after a message out of order, by the reading of it that fits the next message."""
        options = [*self._options(at, event, following, misfit=problem.code == "O001"), at]
        if following is not None:
            for option in options:
                if self._problem(option, following) is None:
                    return option
        return options[0]

    def _options(self, at: _At, event: Any, following: Any = None, *, misfit: bool = False) -> Iterator[_At]:
        """Yield the moments that may follow an event: as the record states it, then as another player's event.

        A `misfit` is an event that cannot come here from any player.
        """
        kind = type(event)
        node = at.node if kind in at.node else NODES["accepted"]
        if kind in node and not (misfit and kind in at.node):
            who, after = node[kind]
            yield _At(after, *moved(event, at.turn, at.winner))
            expected = {
                Who.SAME: at.turn,
                Who.NEXT: (at.turn + 1) % self.seats,
                Who.NEXT_ON_IT: (at.turn + 1) % self.seats,
                Who.OTHER_ON_IT: _actor(following),
                Who.DEALER: self.dealer,
            }.get(who)
            if expected is not None and kind is not ev.Win:
                yield _At(after, expected)
        elif kind in AFTER:
            own = kind is ev.Win and event.target in (UNSET, event.actor)
            state = "self-drawn" if own else AFTER[kind]
            target = at.turn if kind is not ev.Win or event.target is UNSET else event.target
            yield _At(NODES[state], *moved(event, target, at.winner))


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
