"""The answers of a round: each player whom the engine asks, their observation, and their action."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson

from mjconv.ir import events as ev
from mjconv.ir.message_names import reason_of
from mjconv.train.engine import Action, EngineError, EngineTable, Observation, message_of, offers_ron

#: The kinds of events after which the engine may ask players.
_ASKING: Final = frozenset({ev.Draw, ev.Discard, ev.Chi, ev.Pon, ev.Riichi, ev.Kakan, ev.Ankan, ev.Nukidora})
_KANS: Final = frozenset({ev.Kakan, ev.Ankan, ev.Nukidora})
_PASS: Final[dict[str, Any]] = {"type": "none"}
_NINE_TERMINALS: Final[dict[str, Any]] = {"type": "ryukyoku"}
_WIN: Final[dict[str, Any]] = {"type": "hora"}


class EngineAnswer(NamedTuple):
    """The answer of one player: the index of the event before it, the seat, the observation, and the action.

    `legal` are the legal actions, and `taken` is one of them. `message` is the message of the record that shows
    it, or a pass.
    """

    event: int
    seat: int
    observation: Observation
    legal: list[Action]
    taken: Action
    message: dict[str, Any]


class TakenAction:
    """The legal action that a player took: the engine's `action`, which has all other attributes.

    The engine's own message of an action lacks what other programs need: `to_mjai` here returns the message in the
    standard dialect, with `tsumogiri` of a discard and `target` of a win.
    """

    __slots__ = ("_message", "action")

    def __init__(self, action: Action, message: dict[str, Any]) -> None:
        self.action = action
        self._message = message

    def __getattr__(self, name: str) -> Any:
        return getattr(self.action, name)

    def __repr__(self) -> str:
        return repr(self.action)

    def to_mjai(self) -> str:
        """Return the action as an mjai message on one line."""
        return taken_message(self._message)


#: The keys of a message that a player sends.
_OWN_KEYS: Final = ("type", "actor", "target", "pai", "consumed", "tsumogiri")
_STANDARD: Final = {"kita": "nukidora"}


def taken_message(message: dict[str, Any]) -> str:
    """Return the mjai message by which a player takes an action, as JSON in the standard dialect.

    >>> taken_message({"type": "kita", "actor": 1, "extras": 0})
    '{"type":"nukidora","actor":1}'
    """
    own = {key: message[key] for key in _OWN_KEYS if key in message}
    own["type"] = _STANDARD.get(own["type"], own["type"])
    return orjson.dumps(own).decode()


class EngineRefusalError(Exception):
    """The engine does not allow an event of a round: the index of the event, and the reason."""

    def __init__(self, event: int, reason: str) -> None:
        super().__init__(reason)
        self.event = event
        self.reason = reason


class _Asked(NamedTuple):
    """The players whom the engine asks after an event. `turn`: the player of the event is asked, on their turn."""

    event: int
    actor: int
    observations: Mapping[int, Observation]
    turn: bool


class EngineAnswers(NamedTuple):
    """The answers of a round, in order, and the indices of the wins that the engine does not offer.

    These are wins on the tile of a kan or a north: of a player whose tiles are hidden, or by a furiten player.
    """

    taken: list[EngineAnswer]
    unasked: list[int]


def answers_of(table: EngineTable, events: Sequence[ev.Event], seats: Collection[int]) -> EngineAnswers:
    """Return the answers of the players at `seats` in a round.

    An answer is left out if the record breaks off before it, or if the round ends by a false win. Raises
    `EngineRefusalError` at an event that the engine does not allow.
    """
    answers: list[EngineAnswer] = []
    unasked: list[int] = []
    asked: _Asked | None = None
    for index, event in enumerate(events):
        kind = type(event)
        if kind not in ev.BETWEEN:
            if asked is not None:
                for one in _answered(asked, events, index, seats):
                    answers.append(one)
                    if one.message is _PASS and offers_ron(one.legal):
                        table.pass_win(one.seat)
                asked = None
            elif kind in ev.ACTS and getattr(event, "actor", None) in seats:
                if kind is not ev.Win or type(events[index - 1]) not in (*_KANS, *ev.BETWEEN, ev.Win):
                    raise EngineRefusalError(index, "no action is open to this player")
                if type(events[index - 1]) is not ev.Win:
                    unasked.append(index)
        robbers = table.robbers(event) if kind in _KANS else {}
        try:
            table.apply(event)
        except EngineError as error:
            raise EngineRefusalError(index, f"the engine refuses the event: {error}") from None
        if kind in _ASKING:
            asked = _asked(robbers if kind in _KANS else table.asked(), event, index, seats)
    return EngineAnswers(answers, unasked)


def _asked(asked: Mapping[int, Observation], event: Any, index: int, seats: Collection[int]) -> _Asked | None:
    observations = {seat: seen for seat, seen in asked.items() if seat in seats}
    return _Asked(index, event.actor, observations, event.actor in observations) if observations else None


def _answered(
    asked: _Asked, events: Sequence[ev.Event], index: int, seats: Collection[int]
) -> Iterator[EngineAnswer]:
    """Yield the answers that an event shows. A player who could act, and did not, has passed."""
    event = events[index]
    acts = _acts(events, index)
    if not acts:
        if type(event) is ev.Ryukyoku:
            acts = _declared(asked, event)
        if type(event) is ev.EndRound or (asked.turn and not acts and type(event) is ev.Ryukyoku):
            return
        if asked.turn and not acts:
            raise EngineRefusalError(index, "the player whose turn it is has not acted")
    for seat in acts:
        if seat in seats and seat not in asked.observations:
            raise EngineRefusalError(index, "no action is open to this player")
    for seat, observation in asked.observations.items():
        message = acts.get(seat, _PASS)
        if message["type"] == "hora":
            message = {"target": seat if asked.turn else asked.actor, **message}
        taken = observation.select_action_from_mjai(message)
        if taken is None:
            raise EngineRefusalError(index, f"{message['type']} is not among the legal actions of player {seat}")
        yield EngineAnswer(asked.event, seat, observation, observation.legal_actions(), taken, message)


def _acts(events: Sequence[ev.Event], index: int) -> dict[int, dict[str, Any]]:
    """Return the messages of the players who act at an event, by seat: several may win on one tile."""
    event: Any = events[index]
    if type(event) not in ev.ACTS:
        return {}
    acts = {event.actor: message_of(event)}
    if type(event) is ev.Win:
        for other in events[index + 1 :]:
            if type(other) is not ev.Win:
                break
            acts[other.actor] = message_of(other)
    return acts


def _declared(asked: _Asked, draw: ev.Ryukyoku) -> dict[int, dict[str, Any]]:
    """Return the answers by which a draw is declared: nine terminals, or three wins on one tile.

    At any other draw, a player who could act has passed.
    """
    if asked.turn:
        return _with(asked, _NINE_TERMINALS)
    if draw.reason and reason_of(str(draw.reason)) == "triple_ron":
        return _with(asked, _WIN)
    return {}


def _with(asked: _Asked, message: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """Return this answer for each player who is asked and may answer so."""
    return {
        seat: {**message, "actor": seat}
        for seat, seen in asked.observations.items()
        if seen.select_action_from_mjai({**message, "actor": seat}) is not None
    }
