"""Points of wins and of riichi: deltas that add up and are the value of the hand, and scores that follow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.illegal import Points
from mjconv.ir.plural import counted
from mjconv.referee.findings import Code
from mjconv.referee.round_state import Check, Hooks, RoundState
from mjconv.referee.wins import winning_hand
from mjconv.rules.payments import Deltas, Stakes, win_deltas
from mjconv.rules.riichi_values import HandValue, payment
from mjconv.rules.riichi_wins import WonHand, honba_of, liable_of, stakes_of
from mjconv.rules.scores import RIICHI_STICK, accepted_riichi

CODES: Final = {
    "R050": Code("sum", "the deltas of a win do not add up to the riichi sticks it takes"),
    "R051": Code("deltas", "the deltas of a win are not the value of the hand"),
    "R052": Code("house", "the deltas of a win are right only by rules of other houses", "warning"),
    "R059": Code("scores", "scores that do not follow from those before, the riichi sticks and the deltas"),
}

#: The codes of the values of a deal that a hand's value depends on: winds and honba.
_VALUES_OF_THE_DEAL: Final = frozenset({"R060", "R061", "R062"})
#: A hand of so many han counts as a yakuman, and in some houses as a sanbaiman.
_COUNTED_YAKUMAN: Final = 13
_SANBAIMAN: Final = 12


class PointsCheck(Check):
    """Checks the deltas of wins, and all scores of a round."""

    def __init__(self, state: RoundState) -> None:
        super().__init__(state)
        self._results = 0
        self._scores_reported = False
        self._accepted = [0] * state.seats

    def after(self) -> Hooks:
        """Return the functions to call after events."""
        return {ev.RiichiAccepted: self._riichi_accepted, ev.Win: self._won, ev.Ryukyoku: self._drawn}

    def _riichi_accepted(self, event: ev.RiichiAccepted) -> None:
        state = self.state
        if not 0 <= event.actor < state.seats:
            return
        self._accepted[event.actor] += 1
        stick = tuple([-RIICHI_STICK * (seat == event.actor) for seat in range(state.seats)])
        if event.deltas is not UNSET and event.deltas != stick:
            self._report_scores("the riichi of {} moves {}", event.actor, Points(event.deltas))
        self._compare(event, self._accepted, (0,) * state.seats)

    def _within_limit(self) -> bool:
        """Count a result; a round has no more than players, and each result reads all of the round."""
        self._results += 1
        return self._results <= self.state.seats

    def _drawn(self, event: ev.Ryukyoku) -> None:
        moved = event.deltas
        if self._within_limit() and moved is not UNSET and len(moved) == self.state.seats:
            self._compare(event, accepted_riichi(self.state.events, self.state.seats), moved)

    def _won(self, win: ev.Win) -> None:
        state = self.state
        if win.deltas is UNSET or len(win.deltas) != state.seats:
            return
        if not self._within_limit() or state.refused == state.index or state.index in state.out_of_order:
            return
        if state.riichi:
            self._value(win, win.deltas)
        elif sum(win.deltas):
            state.report("R050", "the deltas {} do not add up to 0", Points(win.deltas), actor=win.actor)
        moved = [0] * state.seats
        results: list[ev.Win | ev.Ryukyoku] = ev.select(state.events[: state.index + 1], ev.Win, ev.Ryukyoku)
        for result in results:
            if result.deltas is UNSET or len(result.deltas) != state.seats:
                return
            moved = [a + b for a, b in zip(moved, result.deltas, strict=True)]
        self._compare(win, accepted_riichi(state.events, state.seats), tuple(moved))

    def _value(self, win: ev.Win, deltas: Deltas) -> None:
        """Compare the deltas of a win with its value: first their sum, then each."""
        state = self.state
        terms = stakes_of(state.start, state.events, win, state.seats, state.rules)
        sticks = None if state.start.kyotaku is UNSET else terms.sticks
        if state.suspect.sticks and abs(sum(deltas) - RIICHI_STICK * (sticks or 0)) == RIICHI_STICK:
            return
        if "R063" in state.disputed and sum(deltas) >= 0 and sum(deltas) % RIICHI_STICK == 0:
            sticks = sum(deltas) // RIICHI_STICK
        if sticks is not None and sum(deltas) != RIICHI_STICK * sticks:
            taken = counted(sticks, "riichi stick")
            state.report(
                "R050",
                f"the deltas {{}} add up to {{}}, but {{}} takes {taken}",
                Points(deltas),
                Points((sum(deltas),)),
                win.actor,
                actor=win.actor,
            )
            return
        hand = None if win.actor in state.suspect.riichi else winning_hand(state, win)
        value = None if hand is None else hand.value(state.house)
        if hand is None or value is None or not value.yaku or sticks is None or state.start.honba is UNSET:
            return
        if not state.disputed.isdisjoint(_VALUES_OF_THE_DEAL):
            # The deltas may be right with the values that follow from the round before.
            return
        stakes = [terms._replace(sticks=sticks)]
        if len(ev.select(state.events, ev.Win)) > 1:
            # In some houses each of several winners on one discard gets the honba.
            stakes.append(stakes[0]._replace(honba=honba_of(state.start, state.rules)))
        for each in stakes:
            if any(deltas in _expected(win, each, hand, worth) for worth in _values(state, hand)):
                return
        if any(deltas in _expected(win, stakes[0], hand, worth) for worth in _values_elsewhere(state, hand)):
            state.report("R052", "{} is right only by other rules", Points(deltas), actor=win.actor)
            return
        right = _expected(win, stakes[0], hand, value)[0]
        state.report(
            "R051",
            f"the deltas are {{}}, but the hand of {{}}, {value.han} han {value.fu} fu, moves {{}}",
            Points(deltas),
            win.actor,
            Points(right),
            actor=win.actor,
        )

    def _compare(
        self, event: ev.Win | ev.Ryukyoku | ev.RiichiAccepted, paid: list[int], moved: tuple[int, ...]
    ) -> None:
        """Compare the scores that an event states with those at the deal, the sticks paid and the points moved."""
        before = self.state.start.scores
        if event.scores is UNSET or before is UNSET or len(before) != len(paid):
            return
        scores = tuple([a - RIICHI_STICK * b + c for a, b, c in zip(before, paid, moved, strict=True)])
        if event.scores != scores:
            self._report_scores("the scores are {}, and should be {}", Points(event.scores), Points(scores))

    def _report_scores(self, sentence: str, *about: int | Points) -> None:
        # One mistake makes all later scores of the round wrong.
        if not self._scores_reported:
            self._scores_reported = True
            self.state.report("R059", sentence, *about)


def _values(state: RoundState, hand: WonHand) -> Iterator[HandValue]:
    """Yield the values of the hand by the rules of the house, for each number of unseen dora."""
    for unseen in range(hand.unseen + 1):
        value = hand.value(state.house, unseen)
        if value is not None:
            yield value
            if value.fu_less != value.fu and not value.yakuman:
                yield _paying(state, hand, value, value.han, value.fu_less)


def _values_elsewhere(state: RoundState, hand: WonHand) -> Iterator[HandValue]:
    """Yield the values of the hand by the rules of other houses."""
    house = state.house
    for other in (
        structs.replace(house, kiriage=not house.kiriage),
        structs.replace(house, double_yakuman=not house.double_yakuman),
    ):
        for unseen in range(hand.unseen + 1):
            value = hand.value(other, unseen)
            if value is not None:
                yield value
                if value.han >= _COUNTED_YAKUMAN and not value.yakuman:
                    yield _paying(state, hand, value, _SANBAIMAN, value.fu)


def _paying(state: RoundState, hand: WonHand, value: HandValue, han: int, fu: int) -> HandValue:
    win = hand.circumstances
    paid = payment(han, fu, 0, win.seat_wind == "E", win.tsumo, state.house.kiriage)
    return structs.replace(value, payment=paid)


def _expected(win: ev.Win, stakes: Stakes, hand: WonHand, value: HandValue) -> list[Deltas]:
    """Return every division of points that the win may have."""
    expected = win_deltas(stakes, value, *liable_of(win, value, hand, stakes.seats))
    by_calls = hand.liability(value)
    stated = win.liable is not UNSET and 0 <= win.liable < stakes.seats
    if by_calls and not by_calls[0].everywhere and not stated:
        expected += win_deltas(stakes, value)
    return expected
