"""Wins of Chinese Official (MCR): the fan of the hand, at least eight of them, and the points."""

from collections import Counter
from typing import Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.illegal import Amounts
from mjconv.ir.mcr_fan import FAN
from mjconv.referee.round_state import Check
from mjconv.rules.mcr_wins import FLOWERS, LEAST_FAN, calculator, deltas_of, fan_of

#: The fan of pairs of chows. Where several pairs can be formed, the player chooses, and the sum is the same.
_OF_CHOWS: Final = frozenset({"pure_double_chow", "mixed_double_chow", "short_straight", "two_terminal_chows"})


class McrCheck(Check):
    """Checks the wins of a round of Chinese Official."""

    @property
    def applies(self) -> bool:
        """Whether the game is Chinese Official."""
        return self.state.has("R080")

    def _after_hora(self, win: ev.Win) -> None:
        state = self.state
        wins = state.record.select(ev.Win)
        if len(wins) >= state.seats or state.index in state.out_of_order or state.refused == state.index:
            return
        if self._fan_are_right(win) and win is wins[-1]:
            self._points(wins)

    def _fan_are_right(self, win: ev.Win) -> bool:
        """Check the stated fan; return whether they are right, as far as this is known."""
        state = self.state
        stated = Counter[str]()
        for name, fan in win.yakus or ():
            stated[name] += fan
        total = stated.total() if win.fan is UNSET else win.fan
        before = state.events[: state.index]
        known = fan_of(state.table, state.start, before, win) if state.knows(win.actor) else None
        if stated and calculator() is None:
            state.report("R081", "fan are not checked: pip install PyMahjongGB")
        if known == []:
            # The hand is not complete, which is reported already.
            return False
        if win.fan is UNSET and not stated:
            return False
        if known and not any(_merged(each) == _merged(stated or each) and total == each.total() for each in known):
            state.blame("R046", f"the hand of {{}} has {_in_words(known[0])}", win.actor)
        elif stated and total != stated.total():
            state.report("R046", f"{total} fan are stated, but they add up to {stated.total()}", actor=win.actor)
        elif total and (fan := total - stated[FLOWERS]) < LEAST_FAN:
            state.blame("R080", f"{{}} wins with {fan} fan without flowers, and needs {LEAST_FAN}", win.actor)
        else:
            return bool(total)
        return False

    def _points(self, wins: list[ev.Win]) -> None:
        """Compare the points that the wins move with their fan."""
        state = self.state
        before, after = state.start.scores, state.record.scores_after
        stated = [win.deltas for win in wins if win.deltas is not UNSET and len(win.deltas) == state.seats]
        if len(stated) == len(wins):
            moved = tuple(map(sum, zip(*stated, strict=True)))
        elif before is not UNSET and after is not UNSET and len(before) == len(after) == state.seats:
            moved = tuple([b - a for a, b in zip(before, after, strict=True)])
        else:
            return
        right = list(deltas_of(wins, state.seats))
        if moved not in right and (len(wins) > 1 or not sum(moved)):
            sentence = "the deltas are {}, but the fan move {}"
            state.report("R051", sentence, Amounts(moved), Amounts(right[0]), actor=wins[-1].actor)


def _merged(fan: Counter[str]) -> Counter[str]:
    merged: Counter[str] = Counter()
    for name, points in fan.items():
        merged["chows" if name in _OF_CHOWS else name] += points
    return merged


def _in_words(fan: Counter[str]) -> str:
    return f"{fan.total()} fan: {', '.join(f'{FAN[name].english} {points}' for name, points in fan.items())}"
