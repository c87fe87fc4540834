"""What a record leaves unsaid and its other messages tell: round names, scores, tsumogiri.

Derived values serve the target that needs them; they never become the source's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import HIDDEN, WINDS, Tile

RIICHI_STICK: Final = 1000


def accepted_riichi(events: Sequence[ev.Event], seats: int) -> list[int]:
    """Count the sticks that each seat paid: riichi discards that nobody won on, said to be accepted or not.

    >>> accepted_riichi([ev.Riichi(1), ev.Discard(1, "9p"), ev.Draw(2, "1m")], 4)
    [0, 1, 0, 0]
    """
    paid = [0] * seats
    declared: int | None = None
    for event in events:
        if type(event) is ev.Riichi:
            declared = event.actor
        elif declared is not None:
            passed = type(event) in _AFTER_RIICHI_DISCARD
            paid[declared] += passed
            if passed or type(event) is ev.Win:
                declared = None
    return paid


#: What shows that a riichi discard passed: anything but a win on it.
_AFTER_RIICHI_DISCARD: Final = frozenset({ev.RiichiAccepted, ev.Draw, ev.Chi, ev.Pon, ev.Daiminkan, ev.Ryukyoku})


def scores_before(game_round: Round, seats: int) -> tuple[int, ...] | None:
    """Give the scores at the deal: as said there, else worked back from a riichi or the result."""
    start = game_round.start
    if start is not None and start.scores is not UNSET:
        return start.scores
    moved = [0] * seats
    told: list[ev.Win | ev.Ryukyoku | ev.RiichiAccepted] = game_round.select(
        ev.Win, ev.Ryukyoku, ev.RiichiAccepted
    )
    for event in told:
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
    """Give the scores when the round is over: before, less sticks paid, plus deltas. None if unknown.

    `events` are those of the round, where turns may be left out that come neither after a riichi nor before a win.
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
    gained = map(sum, zip(*deltas, strict=True))
    return tuple(
        [score - RIICHI_STICK * sticks + gain for score, sticks, gain in zip(before, paid, gained, strict=True)]
    )


def starts(match: Match) -> list[ev.StartRound]:
    """Give each round's deal with what it leaves unsaid worked out, as far as the rounds tell.

    Wind and number come from the dealer and the sequence (the first round is the east wind's), honba and sticks
    from the round before, scores from a result that tells them. A deal that says all is given as it is.
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
    """Count the riichi sticks that the round before leaves on the table: none after a win.

    >>> sticks_left(Round([ev.Ryukyoku()]), ev.StartRound(kyotaku=1))
    1
    """
    if before is None or before.select(ev.Win):
        return 0
    held = 0 if start is None or start.kyotaku is UNSET else start.kyotaku
    return held + sum(accepted_riichi(before.events, 6))


def fill(match: Match) -> Match:
    """Give the match with derived values in place of the unsaid: deals, and tsumogiri from the last draw."""
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
