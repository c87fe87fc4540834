"""Whose message it may be: one rule for each value of `Who` in the table of next messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.tiles import FLOWERS
from mjconv.ir.vocabulary import CHOMBO
from mjconv.referee.order_table import OWN_TURN, WAITS, Who


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


def problem_of(who: Who, event: Any, turn: int, winner: int, seats: int, dealer: int) -> Problem | None:
    """Return the problem with the player of a message, or None.

    >>> problem_of(Who.NEXT, ev.Draw(2, "9p"), turn=0, winner=0, seats=4, dealer=0)
    Problem(code='O002', sentence='{} draws, but {} is next', about=(2, 1))
    """
    rule = _RULES.get(who)
    return None if rule is None else rule(event, _Moment(turn, winner, seats, dealer))


def _of(player: int, event: Any) -> Problem | None:
    if event.actor == player:
        return None
    doing, about = in_words(event)
    return Problem("O002", f"{doing}, but {{}} is next", (*about, player))


def _same(event: Any, now: _Moment) -> Problem | None:
    return _of(now.turn, event)


def _next(event: Any, now: _Moment) -> Problem | None:
    return _of((now.turn + 1) % now.seats, event)


def _dealer(event: Any, now: _Moment) -> Problem | None:
    return _of(now.dealer, event)


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
    Who.SAME: _same,
    Who.NEXT: _next,
    Who.DEALER: _dealer,
    Who.NEXT_ON_IT: _next_on_it,
    Who.OTHER_ON_IT: _other_on_it,
    Who.ON_THEIR_OWN: _on_their_own,
    Who.LATER_ON_IT: _later_on_it,
    Who.IF_STATED: _if_stated,
    Who.ANYONE: _anyone,
}
