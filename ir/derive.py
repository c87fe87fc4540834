"""Values that a record does not state and that follow from its other events: round names, scores, tsumogiri.

A derived value serves a target that needs it. It never becomes a value of the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import add
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.message_names import reason_of
from mjconv.ir.tiles import HIDDEN, WINDS, Tile

RIICHI_STICK: Final = 1000


def accepted_riichi(events: Sequence[ev.Event], seats: int) -> list[int]:
    """Return the number of riichi sticks that each seat paid: the riichi discards on which nobody won.

    A riichi counts whether or not the record has its `RiichiAccepted`. It does not count if three rons on its
    discard end the round.

    >>> accepted_riichi([ev.Riichi(1), ev.Discard(1, "9p"), ev.Draw(2, "1m")], 4)
    [0, 1, 0, 0]
    >>> accepted_riichi([ev.Riichi(1), ev.Discard(1, "9p"), ev.Ryukyoku("sanchaho")], 4)
    [0, 0, 0, 0]
    """
    paid = [0] * seats
    declared: int | None = None
    for event in events:
        if type(event) is ev.Riichi:
            declared = event.actor
        elif declared is not None:
            passed = type(event) in _AFTER_RIICHI_DISCARD and not _is_triple_ron(event)
            paid[declared] += passed
            if passed or type(event) is ev.Win:
                declared = None
    return paid


def _is_triple_ron(event: ev.Event) -> bool:
    return type(event) is ev.Ryukyoku and bool(event.reason) and reason_of(str(event.reason)) == "triple_ron"


#: The kinds of events that show that nobody won on a riichi discard.
_AFTER_RIICHI_DISCARD: Final = frozenset({ev.RiichiAccepted, ev.Draw, ev.Chi, ev.Pon, ev.Daiminkan, ev.Ryukyoku})


def scores_before(game_round: Round, seats: int) -> tuple[int, ...] | None:
    """Return the scores at the deal, in points by seat. None if they are not known.

    If the deal does not state them, they are computed back from the first riichi or result that states scores.
    """
    start = game_round.start
    if start is not None and start.scores is not UNSET:
        return start.scores
    moved = [0] * seats
    payments: list[ev.Win | ev.Ryukyoku | ev.RiichiAccepted] = game_round.select(
        ev.Win, ev.Ryukyoku, ev.RiichiAccepted
    )
    for event in payments:
        if type(event) is ev.RiichiAccepted:
            moved[event.actor] -= RIICHI_STICK
        elif event.deltas is UNSET or len(event.deltas) != seats:
            return None
        else:
            moved = [a + b for a, b in zip(moved, event.deltas, strict=True)]
        if event.scores is not UNSET and len(event.scores) == seats:
            return tuple(score - move for score, move in zip(event.scores, moved, strict=True))
    return None


def scores_after(
    game_round: Round, before: tuple[int, ...] | None, events: Sequence[ev.Event] | None = None
) -> tuple[int, ...] | None:
    """Return the scores after the round, in points by seat: `before`, less sticks paid, plus deltas.

    None if they are not known. `events` are the events of the round; turns may be left out of them that follow no
    riichi and precede no win.
    """
    if game_round.scores_after is not UNSET:
        return game_round.scores_after
    events = game_round.events if events is None else events
    results: list[ev.Win | ev.Ryukyoku] = ev.select(events, ev.Win, ev.Ryukyoku)
    deltas = [result.deltas for result in results if result.deltas]
    if before is None or not deltas or len(deltas) != len(results):
        return None
    seats = len(before)
    paid = accepted_riichi(events, seats)
    if set(map(len, deltas)) != {seats}:
        return None
    after: Iterable[int] = before
    for gained in deltas:
        after = map(add, after, gained)
    return tuple([score - RIICHI_STICK * sticks for score, sticks in zip(after, paid, strict=True)])


def starts(match: Match) -> list[ev.StartRound]:
    """Return the deal of each round, its absent values filled in where they can be derived.

    Wind and number are derived from the dealer and the sequence of rounds (the first round is an east round),
    honba and sticks from the round before, scores from a result that states them. A complete deal is returned
    unchanged.
    """
    found: list[ev.StartRound] = []
    before: Round | None = None
    seats = match.seats
    for game_round in match.rounds:
        start = game_round.start or ev.StartRound()
        if UNSET in (start.bakaze, start.kyoku, start.honba, start.kyotaku, start.oya, start.scores):
            last = found[-1] if found else None
            start = _complete(start, game_round, last, before, seats)
        found.append(start)
        before = game_round
    return found


def _complete(
    start: ev.StartRound, game_round: Round, last: ev.StartRound | None, before: Round | None, seats: int
) -> ev.StartRound:
    values: dict[str, Any] = {
        name: getattr(start, name) for name in ("bakaze", "kyoku", "honba", "kyotaku", "oya", "scores")
    }
    results: list[ev.Win | ev.Ryukyoku] = before.select(ev.Win, ev.Ryukyoku) if before else []
    if values["oya"] is UNSET:
        if values["kyoku"] is not UNSET:
            values["oya"] = (values["kyoku"] - 1) % seats
        elif last is None:
            values["oya"] = 0
        else:
            stays = not results or any(
                isinstance(event, ev.Ryukyoku) or event.actor == last.oya for event in results
            )
            values["oya"] = last.oya if stays else (int(last.oya or 0) + 1) % seats
    if values["kyoku"] is UNSET:
        values["kyoku"] = values["oya"] + 1
    if values["bakaze"] is UNSET:
        wind = WINDS.index(last.bakaze) if last is not None and last.bakaze is not UNSET else 0
        passed = last is not None and last.kyoku is not UNSET and values["kyoku"] < last.kyoku
        values["bakaze"] = WINDS[(wind + passed) % 4]
    if values["honba"] is UNSET:
        stays = last is not None and (last.bakaze, last.kyoku) == (values["bakaze"], values["kyoku"])
        drawn = any(isinstance(event, ev.Ryukyoku) for event in results)
        values["honba"] = int(last.honba or 0) + 1 if last is not None and (stays or drawn) else 0
    if values["kyotaku"] is UNSET:
        values["kyotaku"] = sticks_left(before, last)
    if values["scores"] is UNSET:
        found = scores_before(game_round, seats)
        if found is None and before is not None and last is not None:
            found = scores_after(before, last.scores or None)
        values["scores"] = UNSET if found is None else found
    return structs.replace(start, **values)


def sticks_left(before: Round | None, start: ev.StartRound | None) -> int:
    """Return the number of riichi sticks on the table after the round `before`: none after a win.

    `start` is the deal of that round.

    >>> sticks_left(Round([ev.Ryukyoku()]), ev.StartRound(kyotaku=1))
    1
    """
    if before is None or before.select(ev.Win):
        return 0
    held = 0 if start is None or start.kyotaku is UNSET else start.kyotaku
    return held + sum(accepted_riichi(before.events, 6))


def fill(match: Match) -> Match:
    """Return a match in which deals and `tsumogiri` are filled in where they can be derived.

    `tsumogiri` is derived from the last draw. After a hidden draw it stays absent.
    """
    rounds = []
    for game_round, start in zip(match.rounds, starts(match), strict=True):
        events: list[ev.Event] = []
        drawn: Tile | None = None
        for event in game_round.events:
            filled: ev.Event = event
            if isinstance(event, ev.StartRound):
                filled = start
            elif isinstance(event, ev.Draw):
                drawn = event.pai
            elif isinstance(event, ev.Discard):
                if event.tsumogiri is UNSET and drawn != HIDDEN:
                    filled = structs.replace(event, tsumogiri=drawn == event.pai)
                drawn = None
            events.append(filled)
        rounds.append(structs.replace(game_round, events=events))
    return structs.replace(match, rounds=rounds)
