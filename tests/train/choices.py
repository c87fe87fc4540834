"""Compare what a player may do with the engine RiichiEnv: every difference has its reason here."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from mjconv.ir import events as ev
from mjconv.ir.match import Match
from mjconv.referee.decisions import SeatDecision, decisions
from mjconv.rules.succession import fill
from mjconv.train.answers import EngineAnswer
from mjconv.train.replay import Replayed

CLAIMED = (
    "another player claimed the tile: the record does not show the answer, and the engine takes it for a pass"
)
BROKEN_OFF = "the record breaks off, and the engine is not asked"
FURITEN = "the engine lets a player win after a tile that the hand waited for and could not win on"

#: Each difference that may be: our decision, the engine's answer, and the events of the round.
DIFFERENCES: dict[str, Callable[[SeatDecision | None, EngineAnswer | None, list[ev.Event]], bool]] = {
    CLAIMED: lambda ours, theirs, _: (
        ours is not None
        and theirs is not None
        and ours.taken is None
        and in_words(theirs.message) == ("none",)
        and {in_words(ev.to_message(choice)) for choice in ours.choices} == legal(theirs)
    ),
    BROKEN_OFF: lambda ours, theirs, events: (
        theirs is None
        and ours is not None
        and ours.taken is None
        and all(type(event) in (ev.Dora, ev.RiichiAccepted, ev.EndRound) for event in events[ours.index :])
    ),
    FURITEN: lambda ours, theirs, _: (
        ours is None and theirs is not None and legal(theirs) == {("hora",), ("none",)}
    ),
}


def in_words(message: dict[str, Any]) -> tuple[Any, ...]:
    """Return an action as both can state it: the engine knows one discard of each tile."""
    kind = {"kita": "nukidora"}.get(message["type"], message["type"])
    if kind in ("dahai", "kakan"):
        return kind, message["pai"]
    return (kind, *sorted(message["consumed"])) if message.get("consumed") else (kind,)


def legal(answer: EngineAnswer) -> set[tuple[Any, ...]]:
    return {in_words(json.loads(action.to_mjai())) for action in answer.legal}


def compared(source: Match, rounds: Sequence[Replayed]) -> Counter[str]:
    """Count the decisions on which both agree, and the others by the reason of their difference."""
    match, found = fill(source), Counter[str]()
    for each in rounds:
        if each.errors:
            continue
        ours = {(one.index - 1, at): one for at in range(match.seats) for one in decisions(match, each.round, at)}
        theirs = {(one.event, one.seat): one for one in each.answers}
        for place in ours.keys() | theirs.keys():
            own, other = ours.get(place), theirs.get(place)
            if own is not None and other is not None and agree(own, other):
                found["same"] += 1
                continue
            reasons = [reason for reason, explains in DIFFERENCES.items() if explains(own, other, each.events)]
            assert reasons, (each.round, place, own, other and (legal(other), other.message))
            found[reasons[0]] += 1
    return found


def agree(own: SeatDecision, other: EngineAnswer) -> bool:
    choices = {in_words(ev.to_message(choice)) for choice in own.choices}
    taken = None if own.taken is None else in_words(ev.to_message(own.taken))
    assert own.taken is None or own.taken in own.choices
    return choices == legal(other) and taken == in_words(other.message)
