"""Wins: a whole hand with a yaku, out of furiten, on the tile said, and worth what is said."""

from __future__ import annotations

from collections import Counter
from typing import Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.tiles import HIDDEN, plain
from mjconv.referee.findings import Code
from mjconv.referee.game import Check, Game, Hooks
from mjconv.referee.values import NAMES, is_complete
from mjconv.referee.winning import Winning, winning
from mjconv.referee.worth import Payment, Worth

CODES: Final = {
    "R040": Code("the winner's hand is not complete"),
    "R041": Code("the winning hand has no yaku"),
    "R042": Code("a win on a discard by a player who has discarded a tile they wait for (furiten)"),
    "R043": Code("a win on a discard by a player who has passed one since their turn, or since riichi (furiten)"),
    "R044": Code("the winning tile said is not the one drawn or discarded"),
    "R045": Code("the winner's hand shown is not the one of the play"),
    "R046": Code("the yaku, han or fu said are not those of the hand"),
    "R047": Code("the points said of the hand are not what it is worth"),
}


class WinCheck(Check):
    """Looks at each win: the hand, furiten, and what the record says of it."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._refused = -1
        self._wins = 0

    def after(self) -> Hooks:
        """Give what to do after events."""
        return {ev.Win: self._won}

    def refused(self, event: object, error: IllegalPlayError) -> None:  # noqa: ARG002 - as all checks
        """Leave a win alone that cannot be: it is told already."""
        self._refused = self.game.index

    def _won(self, win: ev.Win) -> None:
        game = self.game
        self._wins += 1
        # Each win looks at all the round, and no round has more than players.
        if self._wins > game.seats or game.index in game.told or self._refused == game.index or not game.riichi:
            return
        found = winning(game, win)
        if found is None:
            return
        if win.pai is not UNSET and win.pai not in (HIDDEN, found.tile):
            game.tell(
                "R044", "{} wins on {}, where the tile is {}", win.actor, win.pai, found.tile, actor=win.actor
            )
        self._shown(win, found)
        if not is_complete(found.tiles, found.melds):
            game.tell(
                "R040", "{} wins with {}, which is no complete hand", win.actor, found.tiles, actor=win.actor
            )
            return
        if win.actor in game.doubt.riichi:
            return
        if not found.circumstances.tsumo:
            self._furiten(win, found)
        value = found.worth(game)
        if value is None:
            return
        if not value.yaku and "R060" in game.disputed:
            # By the other wind it may have one.
            return
        if not value.yaku:
            game.tell("R041", "{} wins with {} without a yaku", win.actor, found.tiles, actor=win.actor)
            return
        self._said(win, found, value)

    def _shown(self, win: ev.Win, found: Winning) -> None:
        """Compare the hand that the win shows, with the winning tile or without."""
        if win.hora_tehais is UNSET or HIDDEN in win.hora_tehais:
            return
        held = Counter(found.tiles)
        if Counter(win.hora_tehais) not in (held, held - Counter((found.tile,))):
            self.game.tell(
                "R045",
                "{} shows {}, and holds {}",
                win.actor,
                win.hora_tehais,
                found.tiles,
                actor=win.actor,
            )

    def _furiten(self, win: ev.Win, found: Winning) -> None:
        game = self.game
        waited = found.waits
        own = [tile for tile in game.table.rivers[win.actor] if plain(tile) in waited]
        passed = [tile for tile in found.past.passed if plain(tile) in waited]
        if own:
            game.tell("R042", "{} wins on {} after discarding {}", win.actor, found.tile, own[0], actor=win.actor)
        elif passed:
            game.tell("R043", "{} wins on {} after passing {}", win.actor, found.tile, passed[0], actor=win.actor)

    def _said(self, win: ev.Win, found: Winning, value: Worth) -> None:
        """Compare what is said of the value. Han of yakuman are counted in many ways: they are passed over."""
        values = [value, *(found.worth(self.game, unseen) for unseen in range(1, found.unseen + 1))]
        known = [each for each in values if each is not None]
        if not value.yakuman:
            fan = win.fan is UNSET or any(win.fan == each.han for each in known)
            fu = win.fu is UNSET or any(win.fu in (each.fu, each.fu_less) for each in known)
            if not (fan and fu and self._same_yaku(win, known)):
                self.game.tell("R046", f"the hand of {{}} has {_told(value)}", win.actor, actor=win.actor)
        self._points(win, known)

    def _same_yaku(self, win: ev.Win, known: list[Worth]) -> bool:
        """Compare the yaku; names that are none of mjai's own say nothing."""
        if win.yakus is UNSET:
            return True
        said: Counter[str] = Counter()
        for name, han in win.yakus:
            said[name] += han
        return any(sum(said.values()) == each.han for each in known) and (
            not NAMES.issuperset(said) or any(said == Counter(dict(each.yaku)) for each in known)
        )

    def _points(self, win: ev.Win, known: list[Worth]) -> None:
        if win.hora_points is UNSET:
            return
        start = self.game.start
        others = self.game.seats - 1
        honba = 100 * others * (start.honba or 0)
        worths = [_total(each.payment, others, win.actor == start.oya) for each in known]
        if all(win.hora_points not in (points, points + honba) for points in worths):
            self.game.tell(
                "R047",
                f"{win.hora_points} points are said of the hand of {{}}, which is worth {worths[0]}",
                win.actor,
                actor=win.actor,
            )


def _told(value: Worth) -> str:
    yaku = ", ".join(f"{name} {han}" for name, han in value.yaku)
    return f"{value.han} han and {value.fu} fu: {yaku}"


def _total(payment: Payment, others: int, dealer: bool) -> int:
    """Add up what all pay."""
    return payment.discarder + payment.dealer + payment.other * (others if dealer else others - 1)
