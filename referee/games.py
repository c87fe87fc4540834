"""Checks by the rule set of a game: the payments that follow from stated values, and checks that it brings."""

from typing import Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.illegal import Amounts
from mjconv.ir.match import Rules
from mjconv.referee.round_state import Check

#: Points may be multiplied by a power of ten, so that they are whole numbers.
_SCALES: Final = tuple(10**power for power in range(10))


class GameCheck(Check):
    """Compares payments with `RuleSet.gains`, and reports the mistakes that `RuleSet.judge` finds."""

    def _after_hora(self, win: ev.Win) -> None:
        state, gains = self.state, self.state.ruleset.gains
        if gains is None or win.deltas is UNSET or state.index in (*state.out_of_order, state.refused):
            return
        right = gains(win, state.rules or Rules(), state.seats)
        if right is None or win.deltas in [tuple(points * scale for points in right) for scale in _SCALES]:
            return
        about = Amounts(win.deltas), Amounts(tuple(map(int, right)))
        state.report("R083", "the deltas are {}, and should be {}", *about, actor=win.actor)

    def end(self) -> None:
        """Report the mistakes that the rule set of the game finds."""
        state = self.state
        if state.ruleset.judge is not None:
            for index, message in state.ruleset.judge(state.record, state.rules or Rules(), state.seats):
                at = index if 0 <= index < len(state.events) else len(state.events) - 1
                state.report("R082", message.replace("{", "{{").replace("}", "}}"), event=at)
