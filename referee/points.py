"""Points of wins and of riichi: deltas that add up and are the value of the hand, and scores that follow."""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.illegal import Amounts
from mjconv.ir.plural import counted
from mjconv.ir.vocabulary import CHOMBO
from mjconv.referee.round_state import Check, RoundState
from mjconv.referee.wins import possible_values, shown_hand
from mjconv.rules.payments import Deltas, Stakes
from mjconv.rules.riichi_values import HandValue
from mjconv.rules.riichi_wins import WonHand, settlements, stakes_of
from mjconv.rules.scores import RIICHI_STICK, accepted_riichi

#: The codes of the values of a deal that a hand's value depends on: winds and honba.
_VALUES_OF_THE_DEAL: Final = frozenset({"R060", "R061", "R062"})


class PointsCheck(Check):
    """Checks the deltas of wins, and all scores of a round."""

    def __init__(self, state: RoundState) -> None:
        super().__init__(state)
        self._results = 0
        self._scores_reported = False
        self._accepted = [0] * state.seats

    def _after_reach_accepted(self, event: ev.RiichiAccepted) -> None:
        state = self.state
        if not 0 <= event.actor < state.seats:
            return
        self._accepted[event.actor] += 1
        stick = tuple([-RIICHI_STICK * (seat == event.actor) for seat in range(state.seats)])
        if event.deltas is not UNSET and event.deltas != stick:
            self._report_scores("the riichi of {} moves {}", event.actor, Amounts(event.deltas))
        self._compare(event, self._accepted, (0,) * state.seats)

    def _within_limit(self) -> bool:
        """Count a result; a round has no more than players, and each result reads all of the round."""
        self._results += 1
        return self._results <= self.state.seats

    def _after_ryukyoku(self, event: ev.Ryukyoku) -> None:
        state, moved = self.state, event.deltas
        if self._within_limit() and moved is not UNSET and len(moved) == state.seats:
            none = [0] * state.seats
            # In some houses the players take back the riichi sticks of a round with a chombo.
            returned = event.reason == CHOMBO and event.scores == self._right_scores(none, moved)
            self._compare(event, none if returned else accepted_riichi(state.events, state.seats), moved)

    def _after_hora(self, win: ev.Win) -> None:
        state = self.state
        if win.deltas is UNSET or len(win.deltas) != state.seats:
            return
        if not self._within_limit() or state.refused == state.index or state.index in state.out_of_order:
            return
        if state.riichi:
            self._value(win, win.deltas)
        elif sum(win.deltas):
            state.report("R050", "the deltas {} do not add up to 0", Amounts(win.deltas), actor=win.actor)
        results: list[ev.Win | ev.Ryukyoku] = ev.select(state.events[: state.index + 1], ev.Win, ev.Ryukyoku)
        deltas = [result.deltas or () for result in results]
        if {len(each) for each in deltas} == {state.seats}:
            moved = tuple(map(sum, zip(*deltas, strict=True)))
            self._compare(win, accepted_riichi(state.events, state.seats), moved)

    def _value(self, win: ev.Win, deltas: Deltas) -> None:
        """Compare the deltas of a win with its value: first their sum, then each."""
        state = self.state
        stakes = stakes_of(state.start, state.events, win, state.seats, state.house)
        sticks = None if state.start.kyotaku is UNSET else stakes[0].sticks
        if state.suspect.sticks and abs(sum(deltas) - RIICHI_STICK * (sticks or 0)) == RIICHI_STICK:
            return
        if "R063" in state.disputed and sum(deltas) >= 0 and sum(deltas) % RIICHI_STICK == 0:
            sticks = sum(deltas) // RIICHI_STICK
        if sticks is not None and sum(deltas) != RIICHI_STICK * sticks:
            taken = counted(sticks, "riichi stick")
            sentence = f"the deltas {{}} add up to {{}}, but {{}} takes {taken}"
            state.report("R050", sentence, Amounts(deltas), Amounts((sum(deltas),)), win.actor, actor=win.actor)
            return
        hand = None if win.actor in state.suspect.riichi else shown_hand(state, win)
        value = None if hand is None else hand.value(state.house)
        if hand is None or value is None or not value.yaku or sticks is None or state.start.honba is UNSET:
            return
        if not state.disputed.isdisjoint(_VALUES_OF_THE_DEAL):
            # The deltas may be right with the values that follow from the round before.
            return
        stakes = [terms._replace(sticks=sticks) for terms in stakes]
        if any(deltas in _expected(state, win, stakes, hand, each) for each in possible_values(state, win, hand)):
            return
        right = _expected(state, win, stakes, hand, value)[0]
        sentence = f"the deltas are {{}}, but the hand of {{}}, {value.han} han {value.fu} fu, moves {{}}"
        state.report("R051", sentence, Amounts(deltas), win.actor, Amounts(right), actor=win.actor)

    def _compare(self, event: ev.Win | ev.Ryukyoku | ev.RiichiAccepted, paid: list[int], moved: Deltas) -> None:
        """Compare the scores that an event states with those at the deal, the sticks paid and the points moved."""
        scores = self._right_scores(paid, moved)
        if event.scores is UNSET or scores is None:
            return
        if event.scores != scores:
            self._report_scores("the scores are {}, and should be {}", Amounts(event.scores), Amounts(scores))

    def _right_scores(self, paid: list[int], moved: Deltas) -> tuple[int, ...] | None:
        """Return the scores after so many sticks paid and points moved; None if the scores before are unknown."""
        before = self.state.start.scores
        if before is UNSET or len(before) != len(paid):
            return None
        return tuple([a - RIICHI_STICK * b + c for a, b, c in zip(before, paid, moved, strict=True)])

    def _report_scores(self, sentence: str, *about: int | Amounts) -> None:
        # One mistake makes all later scores of the round wrong.
        if not self._scores_reported:
            self._scores_reported = True
            self.state.report("R059", sentence, *about)


def _expected(
    state: RoundState, win: ev.Win, stakes: Sequence[Stakes], hand: WonHand, value: HandValue
) -> list[Deltas]:
    """Return every division of points that the win may have."""
    expected = [each.deltas for each in settlements(win, hand, value, stakes)]
    if state.house.wareme:
        # Records do not state where the wall was broken. Some houses also double the honba.
        usual = list(expected)
        for honba in (False, True):
            terms = [each._replace(honba=each.honba * honba, sticks=0) for each in stakes]
            once = zip(usual, settlements(win, hand, value, terms), strict=True)
            seats = range(state.seats)
            expected += [_doubled(whole, paid.deltas, win.actor, seat) for whole, paid in once for seat in seats]
    return expected


def _doubled(whole: Deltas, paid: Deltas, winner: int, seat: int) -> Deltas:
    """Return `whole` with the points `paid` once more where the seat pays, or all of them if it is the winner."""
    more = [points if seat in (winner, payer) else 0 for payer, points in enumerate(paid)]
    more[winner] = -sum(points for payer, points in enumerate(more) if payer != winner)
    return tuple([a + b for a, b in zip(whole, more, strict=True)])
